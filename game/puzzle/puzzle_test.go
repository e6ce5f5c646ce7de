package puzzle_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/movegen"
	"github.com/rackmate/rackmate/game/puzzle"
	"github.com/rackmate/rackmate/game/robot"
	"github.com/rackmate/rackmate/lexicon"
)

// english returns the shipped words with what robots know of them.
var english = sync.OnceValues(func() (puzzle.Words, error) {
	open := func(name string) (*lexicon.Lexicon, error) {
		b, err := data.Lexicon(name)
		if err != nil {
			return nil, err
		}
		return lexicon.OpenSound(b)
	}
	var w puzzle.Words
	var err error
	if w.List, err = open("en"); err != nil {
		return w, err
	}
	if w.Clean, err = open("en-clean"); err != nil {
		return w, err
	}
	b, err := data.Vocabulary("english")
	if err != nil {
		return w, err
	}
	v, err := lexicon.ReadVocabulary(w.List.Alphabet(), bytes.NewReader(b))
	if err != nil {
		return w, err
	}
	return puzzle.KnownWords(robot.NewMind(w.List, func() *lexicon.Vocabulary { return v }, nil), w.Clean), nil
})

func englishMaker(tb testing.TB) (*puzzle.Maker, puzzle.Words) {
	tb.Helper()
	w, err := english()
	gametest.Must(tb, err)
	return puzzle.NewMaker(w, gametest.Equipment(tb)), w
}

var source = puzzle.NewSource([]byte("a secret of a host, for tests"), must(english()).List)

func must(w puzzle.Words, err error) puzzle.Words {
	if err != nil {
		panic(err)
	}
	return w
}

// firstMonday is the first day of a year of boards.
const firstMonday = puzzle.Day(5)

// A year of boards: each has the properties that the package comment describes, and no position and
// no best word repeats.
func TestYearOfBoards(t *testing.T) {
	m, w := englishMaker(t)
	words, boards := map[lexicon.Word]puzzle.Day{}, map[string]puzzle.Day{}
	var hardness [7][]puzzle.Difficulty
	gen, err := movegen.New(w.List, m.Equipment(), m.Rules())
	gametest.Must(t, err)
	casual := slices.IndexFunc(w.Levels, func(l puzzle.Level) bool { return l.Name == "casual" })
	medium := slices.IndexFunc(w.Levels, func(l puzzle.Level) bool { return l.Name == "medium" })
	days := gametest.Rounds(puzzle.Day(4*7), 366)
	for d := firstMonday; d < firstMonday+days; d++ {
		p, err := m.Make(puzzle.Latest, source.DaySecret(d), d, m.Share(source.ShareKey(), d))
		if err != nil {
			t.Fatalf("day %d: %v", d, err)
		}
		word := w.List.Alphabet().String(p.Word())
		if before, had := words[p.Word()]; had {
			t.Errorf("day %d: %s was the best word of day %d", d, word, before)
		}
		words[p.Word()] = d
		if before, had := boards[p.String()]; had {
			t.Errorf("day %d: the position of day %d", d, before)
		}
		boards[p.String()] = d
		if len(p.Word()) < 3 {
			t.Errorf("day %d: the best word is %s", d, word)
		}
		plays := slices.Clone(gen.Plays(&p.Board, p.Rack))
		slices.SortFunc(plays, func(a, b movegen.Play) int { return int(b.Score - a.Score) })
		if plays[0].Move() != p.Best || int(plays[0].Score) != p.Score || int(plays[1].Score) != p.Next || p.Next+3 > p.Score {
			t.Errorf("day %d: %s scores %d, the best play %s %d and the next %d", d, p.Best.Text(m.Equipment().Tiles), p.Score, plays[0].Move().Text(m.Equipment().Tiles), plays[0].Score, plays[1].Score)
		}
		var bands [5]int // plays of other words than the best, by band
		for _, play := range plays[1:] {
			tally, err := m.Rules().Tally(m.Equipment(), &p.Board, play.Move())
			gametest.Must(t, err)
			if tally.Words[0].Letters() != p.Word() {
				bands[puzzle.BandOf(int(play.Score), p.Score)]++
			}
		}
		if slices.Contains(bands[1:], 0) {
			t.Errorf("day %d: the bands below the best have %d plays", d, bands[1:])
		}
		for _, play := range plays[:10] {
			tally, err := m.Rules().Tally(m.Equipment(), &p.Board, play.Move())
			gametest.Must(t, err)
			for _, scored := range tally.Words {
				if !w.Clean.Has(scored.Letters()) {
					t.Errorf("day %d: %s is among the ten best plays", d, w.List.Alphabet().String(scored.Letters()))
				}
			}
		}
		if all := game.IsConnected(&p.Board, clean{w.Clean}); !all {
			t.Errorf("day %d: a word on the board isn't in the clean list", d)
		}
		day := d.Date().Weekday()
		switch level := p.Difficulty.Level; {
		case day == time.Monday && level > casual:
			t.Errorf("day %d, a Monday: it takes a robot of level %d to know %s", d, level, word)
		case day == time.Sunday && level <= medium:
			t.Errorf("day %d, a Sunday: a robot of level %d knows %s", d, level, word)
		}
		hardness[day] = append(hardness[day], p.Difficulty)
	}
	week := []time.Weekday{time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday, time.Saturday, time.Sunday}
	// Wednesday and Thursday use the same levels; Thursday's plays are longer.
	compare := func(day time.Weekday) func(d, e puzzle.Difficulty) int {
		return func(d, e puzzle.Difficulty) int {
			if day == time.Thursday {
				d.Level, e.Level = 0, 0
			}
			return cmp.Or(cmp.Compare(d.Level, e.Level), cmp.Compare(d.Squares, e.Squares), cmp.Compare(d.Tiles, e.Tiles))
		}
	}
	for i, day := range week {
		slices.SortFunc(hardness[day], compare(day))
		middle := hardness[day][len(hardness[day])/2]
		t.Logf("%s: in the middle %+v", day, middle)
		if i > 0 && gametest.Long() { // four of a weekday are too few to compare
			before := slices.SortedFunc(slices.Values(hardness[week[i-1]]), compare(day))
			if easier := before[len(before)/2]; compare(day)(middle, easier) < 0 {
				t.Errorf("in the middle a %s is %+v and a %s %+v", day, middle, week[i-1], easier)
			}
		}
	}
}

type clean struct{ *lexicon.Lexicon }

// The same secret, day and words make the same position; another secret makes another.
func TestPositionFollowsFromSecret(t *testing.T) {
	m, w := englishMaker(t)
	again := puzzle.NewMaker(w, gametest.Equipment(t))
	other := puzzle.NewSource([]byte("another"), w.List)
	for d := firstMonday; d < firstMonday+3; d++ {
		share := m.Share(source.ShareKey(), d)
		if dealt := again.Share(source.ShareKey(), d); !slices.Equal(share, dealt) {
			t.Fatalf("day %d has two shares", d)
		}
		a, err1 := m.Make(puzzle.Latest, source.DaySecret(d), d, share)
		b, err2 := again.Make(puzzle.Latest, source.DaySecret(d), d, share)
		c, err3 := again.Make(puzzle.Latest, other.DaySecret(d), d, share)
		if err1 != nil || err2 != nil || err3 != nil || a.String() != b.String() || a.String() == c.String() {
			t.Errorf("day %d:\n%s\n%s, and with another secret\n%s (%v, %v, %v)", d, a, b, c, err1, err2, err3)
		}
	}
}

// Boards of earlier versions can still be made and proved.
func TestEarlierVersions(t *testing.T) {
	m, _ := englishMaker(t)
	for v, want := range map[puzzle.Version]string{
		1: ".............../.............../.............../.........DUDE../........HATER../.....COVET...../......NOSEBAG../..R.PHEW...TOFU/.AA..I.......UT/.XI..C.......ZE/..N.OK.......ER/W.I.IO........I/r.E..R........./AIRILY........./P.............. ADENNUV N1 VEND",
		2: "AL............./YAW............/.BI............/.sPA.........../..EH.FETING..../..RE.U...AURA../...A.R........./...DENTURE...../.....A........./.....C........./.....E........./.............../.............../.............../............... EGILMPT H1 TEMP.",
	} {
		p, err := m.Make(v, source.DaySecret(firstMonday), firstMonday, m.Share(source.ShareKey(), firstMonday))
		gametest.Must(t, err)
		if got := p.String(); got != want {
			t.Errorf("version %d makes %q, want %q", v, got, want)
		}
		proof := m.Prove(v, source, firstMonday, p)
		if again, err := m.Check(proof); err != nil || again.String() != want {
			t.Errorf("version %d is proved as %q (%v)", v, again, err)
		}
		if promised := m.Commitment(v, source, firstMonday); proof.Commitment != promised {
			t.Errorf("version %d promises %s and proves %s", v, promised, proof.Commitment)
		}
		proof.Format = fmt.Sprint("rackmate daily ", 3-v)
		if _, err := m.Check(proof); err == nil {
			t.Errorf("a position of version %d is proved as the other's", v)
		}
	}
}

// The days of a year divide all words of a list among themselves.
func TestDaysShareAllWords(t *testing.T) {
	m, w := englishMaker(t)
	if !gametest.Long() { // a list that is just long enough to be divided
		var some []lexicon.Word
		for word := range w.List.Words() {
			if some = append(some, word); len(some) == 100*puzzle.Shares {
				break
			}
		}
		part, err := lexicon.New("part", w.List.Alphabet(), some)
		gametest.Must(t, err)
		w = puzzle.Words{List: part}
		m = puzzle.NewMaker(w, gametest.Equipment(t))
	}
	seen := map[lexicon.Word]bool{}
	for d := range puzzle.Day(puzzle.Shares) {
		for _, word := range m.Share(source.ShareKey(), d) {
			if seen[word] {
				t.Fatalf("two days have %q", word)
			}
			seen[word] = true
		}
	}
	if len(seen) != w.List.Len() {
		t.Errorf("the days have %d words, the list %d", len(seen), w.List.Len())
	}
}

func TestDays(t *testing.T) {
	for date, want := range map[string]puzzle.Day{"2026-01-01": 1, "2026-01-05": 5, "2025-12-31": 0, "2028-02-28": 789, "2028-02-29": 790, "2028-03-01": 791} {
		at, err := time.Parse(time.DateOnly, date)
		gametest.Must(t, err)
		late := time.Date(at.Year(), at.Month(), at.Day(), 23, 59, 0, 0, time.FixedZone("far", 14*3600))
		if got := puzzle.DayOf(late); got != want || got.Date().Format(time.DateOnly) != date {
			t.Errorf("%s is day %d, want %d; that is %s", date, got, want, got.Date().Format(time.DateOnly))
		}
	}
}

// A proof can be checked with the words alone, and every change to it is detected.
func TestProof(t *testing.T) {
	m, w := englishMaker(t)
	p, err := m.Make(puzzle.Latest, source.DaySecret(firstMonday), firstMonday, m.Share(source.ShareKey(), firstMonday))
	gametest.Must(t, err)
	proof := m.Prove(puzzle.Latest, source, firstMonday, p)
	if want := puzzle.Commitment(puzzle.Latest, source.DaySecret(firstMonday), firstMonday, m.Share(source.ShareKey(), firstMonday), w.List.Alphabet()); proof.Commitment != want {
		t.Errorf("the commitment is %s, want %s", proof.Commitment, want)
	}
	b, err := json.Marshal(proof)
	gametest.Must(t, err)
	for name, change := range map[string]struct{ old, new, want string }{
		"nothing":        {"", "", ""},
		"the secret":     {proof.Secret[:8], "00000000", "the commitment is"},
		"a word":         {`"` + proof.Words[0] + `"`, `"ZZZ"`, "the commitment is"},
		"the number":     {`"number":5`, `"number":6`, "the commitment is"},
		"the position":   {"/", "?", "the position is"},
		"the list":       {proof.Hash[:8], "00000000", "another word list"},
		"what it is":     {"rackmate daily 2", "rackmate daily 9", "not the proof"},
		"half a secret":  {proof.Secret, "00", "the secret isn't 32 bytes"},
		"no word at all": {`"` + proof.Words[0] + `"`, `"1"`, "of its share"},
	} {
		text := strings.Replace(string(b), change.old, change.new, 1)
		if name == "the position" {
			text = strings.Replace(string(b), proof.Position, "."+proof.Position[1:]+"x", 1)
		}
		parsed, err := puzzle.ParseProof([]byte(text))
		if err == nil {
			_, err = m.Check(parsed)
		}
		if got := fmt.Sprint(err); change.want == "" && err != nil || !strings.Contains(got, change.want) {
			t.Errorf("%s changed: %s, want %q", name, got, change.want)
		}
	}
}

// A list of few words yields positions too, as far as its words allow.
func TestShortLists(t *testing.T) {
	eq := gametest.Equipment(t)
	small, err := lexicon.Build("small", eq.Tiles.Alphabet(), strings.NewReader(strings.Join(strings.Fields(gametest.SmallList), "\n")))
	gametest.Must(t, err)
	m, of := puzzle.NewMaker(puzzle.Words{List: small}, eq), puzzle.NewSource([]byte("x"), small)
	for d := firstMonday; d < firstMonday+7; d++ {
		if _, err := m.Make(puzzle.Latest, of.DaySecret(d), d, m.Share(of.ShareKey(), d)); err != nil {
			t.Errorf("day %d: %v", d, err)
		}
	}
	tiny, err := lexicon.Build("tiny", eq.Tiles.Alphabet(), strings.NewReader("AB\nBA"))
	gametest.Must(t, err)
	if _, err := puzzle.NewMaker(puzzle.Words{List: tiny}, eq).Make(puzzle.Latest, of.DaySecret(1), 1, nil); err == nil {
		t.Error("two words of two letters make a position")
	}
}

func BenchmarkMakeBoard(b *testing.B) {
	m, _ := englishMaker(b)
	d := firstMonday
	for b.Loop() {
		if _, err := m.Make(puzzle.Latest, source.DaySecret(d), d, m.Share(source.ShareKey(), d)); err != nil {
			b.Fatal(err)
		}
		d++
	}
	b.ReportMetric(365*b.Elapsed().Seconds()/float64(b.N), "s/year")
}
