package files

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/game/contest"
	"github.com/rackmate/rackmate/game/gametest"
)

var day = time.Date(2025, 11, 30, 12, 0, 0, 0, time.UTC)

// tournament returns a Swiss tournament of some players, determined by a seed.
func tournament(t *testing.T, names []string, rounds int, seed uint64) Event {
	t.Helper()
	c := &contest.Contest{Seed: contest.Seed{byte(seed)}}
	for i, n := range names {
		c.Enter(contest.Entrant{Player: contest.Player{Name: n, Rating: 1000 + 10*i, Member: fmt.Sprintf("AA%06d", i)}})
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	for range rounds {
		r, err := c.Pair(contest.Method{Kind: contest.Swiss})
		gametest.Must(t, err)
		for i := range r.Pairings {
			for g := range r.Pairings[i].Games {
				r.Pairings[i].Games[g].Result = contest.Result{How: contest.Played, Scores: [2]int{250 + rng.IntN(300), 250 + rng.IntN(300)}}
			}
		}
		c.Rounds = append(c.Rounds, r)
	}
	return Event{Name: "Club Cup", Date: day, Divisions: []Division{{"A", c}}}
}

func people(n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprintf("First%c%c Last%c%c", 'a'+i%26, 'a'+i/26%26, 'a'+i%26, 'a'+i/26%26))
	}
	return all
}

// TestTSHLines checks TSH's lines with a bye, a forfeit and a score.
func TestTSHLines(t *testing.T) {
	c := &contest.Contest{}
	for _, n := range []string{"First Surname", "Bob Two", "Solo"} {
		c.Enter(contest.Entrant{Player: contest.Player{Name: n, Rating: 1500}})
	}
	pl := func(a, b int) []contest.Game {
		return []contest.Game{{Result: contest.Result{How: contest.Played, Scores: [2]int{a, b}}}}
	}
	c.Rounds = []contest.Round{
		{Pairings: []contest.Pairing{{A: 3, B: 1, Games: pl(420, 350)}, {A: 2}}},
		{Pairings: []contest.Pairing{{A: 1}, {A: 2, B: 3, Games: []contest.Game{{Result: contest.Forfeit(contest.B)}}}}},
		{Pairings: []contest.Pairing{{A: 2, B: 1, Games: pl(300, 401)}, {A: 3, Missed: true}}},
	}
	e := Event{Date: day, Divisions: []Division{{"A", c}}}
	got, _, err := WriteTSH(e)
	want := "Surname, First 1500 3 0 2; 350 50 401; board 1 0 1; p12 2 0 2;\n" +
		"Two, Bob 1500 0 0 1; 50 50 300; board 0 0 1; p12 0 0 1;\n" +
		"Solo 1500 1 0 0; 420 -50 -50; board 1 0 0; p12 1 0 0;\n"
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
	e.Divisions = append(e.Divisions, Division{"B", c})
	if both, _, err := WriteTSH(e); err != nil || string(both) != "#begin_file name=A.t\n"+want+"#end_file\n#begin_file name=B.t\n"+want+"#end_file\n" {
		t.Errorf("two divisions: %v\n%s", err, both)
	}
	e.Divisions = e.Divisions[:1]
	c.Entrants[0].Name, c.Entrants[0].Member = "Surname, First, Jr", "AA000123"
	got, _, err = WriteNASPA(e)
	if err != nil || !strings.HasPrefix(string(got), "#division A\nSurname, First, Jr:AA000123 1500 3 0 2; 350 50 401\n") {
		t.Errorf("%v\n%s", err, got)
	}
}

// TestReadRoster checks that rosters are read from files of TSH's users, with configuration
// in front, and from this package's own files.
func TestReadRoster(t *testing.T) {
	read, err := ReadRoster([]byte("\ufeff# tsh archive file\r\ndivision X X.t\r\nconfig rating_system = \"nsa2008\"\r\n#begin_file name=X.t\r\n" +
		"Smith, Ann:AA000123  1734 2; 400; p12 1\r\nO'Neil, Bob Jr 0 1; 380; p12 2\r\n#end_file name=X.t\r\n" +
		"#begin_file name=Y.t\r\nSolo 1200\r\n#end_file\r\n"))
	want := []contest.Player{{Name: "Smith, Ann", Member: "AA000123", Rating: 1734}, {Name: "O'Neil, Bob Jr"}, {Name: "Solo", Rating: 1200}}
	if err != nil || !slices.Equal(read, want) {
		t.Errorf("%+v, %v", read, err)
	}
	e := tournament(t, people(9), 5, 1)
	for _, write := range []func(Event) ([]byte, []Change, error){WriteTSH, WriteNASPA} {
		data, _, err := write(e)
		gametest.Must(t, err)
		read, err := ReadRoster(data)
		if err != nil || len(read) != len(e.Divisions[0].Contest.Entrants) {
			t.Fatalf("%v, %v", read, err)
		}
		for i, x := range e.Divisions[0].Contest.Entrants {
			if GivenFirst(read[i].Name) != x.Name || read[i].Rating != x.Rating {
				t.Errorf("%+v became %+v", x.Player, read[i])
			}
		}
	}
}

func problem(t *testing.T, what string, err error, want Problem, line int) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Problem != want || line >= 0 && e.Line != line {
		t.Errorf("%s: %v, want %s in line %d", what, err, want, line)
	}
}

func TestBadRoster(t *testing.T) {
	for _, tc := range []struct {
		text string
		want Problem
		line int
	}{
		{"", Empty, 0}, {"\xff\xfe", Encoding, 0}, {"A, B", BadRating, 1}, {"Ann\t1500 2; 300", Tab, 1}, {"A, B 99999", BadRating, 1},
		{"A, B 1\nA, B 999999999999999999999", BadRating, 2}, {", 1500", NameMissing, 1}, {"; 1500", NameMissing, 1},
	} {
		_, err := ReadRoster([]byte(tc.text))
		problem(t, tc.text, err, tc.want, tc.line)
	}
}

// touBlock matches a block of a published file: after a name in 20 columns, a space and
// eight columns.
var touBlock = regexp.MustCompile(`^ (2\d{3}|1\d{3}| [ \d]{2}\d)( {0,3}\+?\d{1,3})$`)

func TestTOUColumns(t *testing.T) {
	for _, n := range []int{4, 9, 99, 100, 130} {
		e := tournament(t, people(n), 4, uint64(n))
		data, _, err := WriteTOU(e)
		gametest.Must(t, err)
		lines := strings.Split(string(data), "\r\n")
		if lines[0] != "*M30.11.2025 Club Cup" || lines[1] != "*A" || lines[2] != strings.Repeat(" ", 38)+"0" || lines[len(lines)-2] != "*** END OF FILE ***" || lines[len(lines)-1] != "" {
			t.Errorf("frame: %q", lines[:3])
		}
		width := 9
		if n >= 100 {
			width = 10
		}
		for i, l := range lines[3 : len(lines)-2] {
			if len(l) != 20+4*width {
				t.Fatalf("%d players: line of %d: %q", n, len(l), l)
			}
			for r := range 4 {
				block := l[20+r*width : 20+(r+1)*width]
				if n >= 100 {
					block = block[:5] + block[6:] // the number takes one column more
				}
				m := touBlock.FindStringSubmatch(block)
				if m == nil {
					t.Fatalf("%d players: block %q", n, block)
				}
				opp, _ := strconv.Atoi(strings.TrimLeft(m[2], " +"))
				theirs := lines[3+opp-1][20+r*width : 20+(r+1)*width]
				if opp == i+1 {
					continue // a bye
				}
				if (m[1][0] == '2') == (theirs[1] == '2') && m[1][0] != '1' || strings.Contains(m[2], "+") == strings.Contains(theirs, "+") {
					t.Fatalf("%q against %q", block, theirs)
				}
			}
		}
	}
}

// TestTOUAsPublished compares lines with published files, column by column (the results of the
// Israeli Open of 2020 match its file byte by byte): a win, a draw and a loss with fewer than a
// hundred points, the first move, a bye, a missed round, and rounds after a player left. A round
// that isn't over is left out.
func TestTOUAsPublished(t *testing.T) {
	c := &contest.Contest{}
	for _, n := range []string{"Alder, Ann", "Bob Boole", "Cid", "Wolfeschlegelsteinhausenbergerdorff"} {
		c.Enter(contest.Entrant{Player: contest.Player{Name: n}})
	}
	scores := func(a, b int) []contest.Game {
		return []contest.Game{{Result: contest.Result{How: contest.Played, Scores: [2]int{a, b}}}}
	}
	bye := contest.Pairing{A: 3}
	c.Rounds = []contest.Round{
		{Pairings: []contest.Pairing{{A: 1, B: 2, Games: scores(412, 87)}, {A: 4, B: 3, Games: scores(377, 377)}}},
		{Pairings: []contest.Pairing{{A: 4, B: 1, Games: scores(95, 400)}, bye, {A: 2, Missed: true}}},
		{Pairings: []contest.Pairing{{A: 2, B: 1, Games: scores(350, 349)}, bye}},
		{Pairings: []contest.Pairing{{A: 3, B: 1, Games: []contest.Game{{}}}, {A: 2}}},
	}
	c.Entrants[3].Out = 3
	data, _, err := WriteTOU(Event{Name: "Club Cup", Date: day, Divisions: []Division{{"A", c}, {"B", c}}})
	gametest.Must(t, err)
	rows := []string{
		"                                      0",
		"Ann Alder            2412  +2 2400   4  349   2",
		"Bob Boole              87   1    0   2 2350  +1",
		"Cid                  1377   4 2001  +3 2001  +3",
		"Wolfeschlegelsteinha 1377  +3   95  +1 1350   4",
	}
	want := strings.Join(slices.Concat([]string{"*M30.11.2025 Club Cup", "*A"}, rows, []string{"*B"}, rows, []string{"*** END OF FILE ***", ""}), "\r\n")
	if string(data) != want {
		t.Errorf("got\n%s\nwant\n%s", data, want)
	}
}

// TestUnrepresentableResults checks that what a format can't represent is written as
// closely as possible and returned as a change, and nothing else is.
func TestUnrepresentableResults(t *testing.T) {
	e := tournament(t, people(2), 1, 1)
	for score, written := range map[int]string{1000: "2999", -12: " 2000"} {
		r := &e.Divisions[0].Contest.Rounds[0].Pairings[0].Games[0].Result
		r.Scores = [2]int{score, -300}
		who := e.Divisions[0].Contest.Entrants[e.Divisions[0].Contest.Rounds[0].Pairings[0].A-1].Name
		data, changes, err := WriteTOU(e)
		want := Change{BadScore, fmt.Sprintf("%s: %d", who, score), strings.TrimSpace(written)[1:]}
		if want.As == "000" {
			want.As = "0"
		}
		if err != nil || len(changes) != 2 || !slices.Contains(changes, want) || !strings.Contains(string(data), written) {
			t.Errorf("a score of %d: %v, %+v\n%s", score, err, changes, data)
		}
	}
	e = tournament(t, []string{"Ann 王", "Bob"}, 1, 1)
	for name, write := range map[string]func(Event) ([]byte, []Change, error){"TOU": WriteTOU, "TSH": WriteTSH, "NASPA": WriteNASPA} {
		data, changes, err := write(e)
		if err != nil || len(changes) != 1 || changes[0].Problem != NameLost || changes[0].What != "Ann 王" || !strings.Contains(string(data), changes[0].As) || !strings.Contains(string(data), "Bob") {
			t.Errorf("%s: %v, %+v\n%s", name, err, changes, data)
		}
	}
	e = tournament(t, []string{"Jürgen Müller", "Juergen Mueller"}, 1, 1)
	if data, changes, err := WriteTOU(e); err != nil || !slices.Equal(changes, []Change{{NameTwice, "Juergen Mueller", "Juergen Mueller B"}}) || !strings.Contains(string(data), "Juergen Mueller B ") {
		t.Errorf("two that become one: %v, %+v\n%s", err, changes, data)
	}
}

func TestTransliterate(t *testing.T) {
	for name, want := range map[string]string{
		"Jürgen Großmann": "Juergen Grossmann", "Łukasz Żółć": "Lukasz Zolc", "Þóra Æsa": "Thora Aesa", "Søren Ångström": "Soeren Aangstroem",
		"Nguyễn Văn": "Nguyen Van", "Дмитрий Щукин": "Dmitrii Shchukin", "Αθηνά Ψ": "Athina Ps", "O’Neil": "O'Neil", "Çelik İnci ış": "Celik Inci is",
		"e\u0301": "e",
	} {
		if got, ok := transliterate(name); !ok || got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for _, name := range []string{"", "  ", "王", "🙂", "--", "a\tb", "a\nb", "ab\x00"} {
		if got, ok := transliterate(name); ok {
			t.Errorf("%q survives as %q", name, got)
		}
	}
}

func TestTeamsAndMatchesAsSheets(t *testing.T) {
	c := &contest.Contest{Format: contest.Format{Boards: 2}}
	for _, n := range []string{"North", "South"} {
		c.Enter(contest.Entrant{Player: contest.Player{Name: n}, Team: []contest.Player{{Name: n + " One"}, {Name: n + " Two"}}})
	}
	r, err := c.Pair(contest.Method{Kind: contest.Swiss})
	gametest.Must(t, err)
	for i := range r.Pairings[0].Games {
		r.Pairings[0].Games[i].Result = contest.Result{How: contest.Played, Scores: [2]int{400, 300 + i}}
	}
	c.Rounds = append(c.Rounds, r)
	data, _, err := WriteNASPA(Event{Date: day, Divisions: []Division{{"A", c}}})
	if err != nil || strings.Count(string(data), "\n") != 5 || !strings.Contains(string(data), "One, North 0 3; ") {
		t.Errorf("%v\n%s", err, data)
	}
	c.Rounds[0].Pairings[0].Games[0].Result = contest.Result{How: contest.Void}
	_, changes, err := WriteTSH(Event{Date: day, Divisions: []Division{{"A", c}}})
	if err != nil || !slices.Equal(changes, []Change{{VoidGame, "North - South", ""}}) && !slices.Equal(changes, []Change{{VoidGame, "South - North", ""}}) {
		t.Errorf("a void game: %v, %+v", err, changes)
	}
}

// TestLeagueDivision checks a division of a league that a player left: the remaining
// players have the same number of byes.
func TestLeagueDivision(t *testing.T) {
	var players []contest.Player
	for _, n := range people(7) {
		players = append(players, contest.Player{Name: n})
	}
	c := contest.NewDivision(contest.Seed{1}, players)
	c.Withdraw(3)
	data, _, err := WriteTSH(Event{Date: day, Divisions: []Division{{"1", c}}})
	if err != nil || strings.Count(string(data), "\n") != 6 {
		t.Errorf("%v\n%s", err, data)
	}
}

func TestCSV(t *testing.T) {
	e := tournament(t, []string{"=1+1", "Ann \"A\", B", "+x"}, 2, 1)
	for _, data := range [][]byte{StandingsCSV(e), PairingsCSV(e), GamesCSV(e)} {
		if !bytes.HasPrefix(data, []byte("\ufeff")) || !bytes.Contains(data, []byte("\r\n")) {
			t.Errorf("frame: %q", data[:20])
		}
		if bytes.Contains(data, []byte(",=1")) || bytes.Contains(data, []byte(",+x")) || !bytes.Contains(data, []byte(",'=1+1")) {
			t.Errorf("a formula: %s", data)
		}
	}
	if data := string(StandingsCSV(e)); !strings.Contains(data, `"Ann ""A"", B"`) || strings.Contains(data, "'-") {
		t.Errorf("%s", data)
	}
}

func TestZip(t *testing.T) {
	records := []Record{{"a/b.gcg", []byte("x")}, {"a_b.gcg", []byte("y")}}
	one, err := Zip(records, day)
	two, _ := Zip(records, day)
	if err != nil || !bytes.Equal(one, two) {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(one), int64(len(one)))
	if err != nil || len(r.File) != 2 || r.File[0].Name != "a_b.gcg" || r.File[1].Name != "a_b-2.gcg" {
		t.Fatalf("%v %v", err, r.File)
	}
	f, _ := r.File[1].Open()
	if data, _ := io.ReadAll(f); string(data) != "y" {
		t.Errorf("%q", data)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("A, B 1500 2; 300; p12 1\nC, D 1 1; 2; p12 2"))
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := ReadRoster(data)
		if (err == nil) != (len(all) > 0) {
			t.Errorf("%v, %v", all, err)
		}
	})
}
