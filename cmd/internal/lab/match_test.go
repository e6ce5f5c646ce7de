package lab

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/robot"
	"github.com/rackmate/rackmate/lexicon"
)

// shortWords returns a compiled list of the English words of up to five letters and three of seven.
// Levels with a limited vocabulary build their words quickly from it.
var shortWords = sync.OnceValues(func() ([]byte, error) {
	en, err := cli.OpenLexicon("en")
	if err != nil {
		return nil, err
	}
	seven := []string{"NASTIER", "RETAINS", "RETINAS"}
	var words []lexicon.Word
	for w := range en.Words() {
		if len(w) <= 5 || len(w) == 7 && slices.Contains(seven, en.Alphabet().String(w)) {
			words = append(words, w)
		}
	}
	short, err := lexicon.New("en-short", en.Alphabet(), words)
	if err != nil {
		return nil, err
	}
	var file bytes.Buffer
	_, err = short.WriteTo(&file)
	return file.Bytes(), err
})

// shortList writes the list of shortWords to a file and returns its path.
func shortList(t *testing.T) (file string) {
	t.Helper()
	b, err := shortWords()
	gametest.Must(t, err)
	return save(t, t.TempDir(), "en-short.lex", string(b))
}

// thought matches the times, which differ between runs.
var thought = regexp.MustCompile(`(?m) ms=\d+\.\d\d most=\d+$|,\d+\.\d,\d+\.\d$`)

func TestMatch(t *testing.T) {
	t.Parallel()
	list := shortList(t)
	games := fmt.Sprint(gametest.Rounds(4, 10))
	run := func(args ...string) string {
		status, out, err := command(t, "", append([]string{"match", "--lexicon", list}, args...)...)
		if status != 0 || !thought.MatchString(out) {
			t.Fatalf("%v: status %d, %s%s", args, status, out, err)
		}
		return thought.ReplaceAllString(out, "")
	}
	two := run("--games", games, "--seed", "4", "beginner", "greedy")
	if want := regexp.MustCompile(`^beginner wins=0 draws=0 games=` + games + ` rate=0\.0%\+-0\.0 points=\d+\.\d\ngreedy wins=` + games + ` draws=0 games=` + games + ` rate=100\.0%\+-0\.0 points=\d+\.\d\n$`); !want.MatchString(two) {
		t.Errorf("a beginner and who knows every word: %q", two)
	}
	if again := run("--games", games, "--seed", "4", "beginner", "greedy"); again != two {
		t.Errorf("the same match is %q and %q", two, again)
	}
	if other := run("--games", games, "--seed", "5", "beginner", "greedy"); other == two {
		t.Errorf("two seeds, and both times %q", two)
	}
	if three := run("--games", "2", "--rules", "club", "--positions", "30", "easy", "expert", "easy"); strings.Count(three, "\n") != 3 {
		t.Errorf("three robots: %q", three)
	}
	for _, tt := range []struct {
		args string
		want string // part of the output
	}{
		{"easy", "2 to 4"},
		{"easy easy easy easy easy", "2 to 4"},
		{"easy nobody", "beginner"},
		{"--rules none easy easy", "none"},
		{"--games x easy easy", "usage:"},
		{"--parallel 0 easy easy", "parallel"},
		{"--sprt 2 easy easy", "0,2"},
		{"--sprt 2,0 easy easy", "0,2"},
		{"--sprt 0,2 easy easy easy", "exactly 2 robots"},
		{"--resume easy easy", "csv"},
	} {
		if status, _, err := command(t, "", append([]string{"match"}, strings.Fields(tt.args)...)...); status != 2 || !strings.Contains(err, tt.want) {
			t.Errorf("%s: status %d, %q", tt.args, status, err)
		}
	}
}

// TestMatchAgainstEngine checks that an engine gets one position a line, which includes the
// previous turn.
func TestMatchAgainstEngine(t *testing.T) {
	t.Parallel()
	asked := filepath.Join(t.TempDir(), "asked")
	status, out, err := command(t, "", "match", "--games", "1", "--engine", `sh -c 'while read -r line; do echo "$line" >> `+asked+`; echo pass; done'`, "greedy")
	if status != 0 || !strings.Contains(out, "engine wins=0") {
		t.Fatalf("status %d, %s%s", status, out, err)
	}
	lines, e := os.ReadFile(asked)
	if e != nil {
		t.Fatal(e)
	}
	position := regexp.MustCompile(`(?m)^\S+ \S+/ \d+/\d+ [01] lex en; rules classic;( lm ([0-9A-O]+ [A-Za-z.]+|-\d);)?$`)
	told := strings.Count(string(lines), "; lm ")
	trial, game, _ := strings.Cut(string(lines), "\n")
	if !strings.HasSuffix(trial, " 0/0 0 lex en; rules classic; ms 1;") {
		t.Errorf("asked first: %s", trial)
	}
	lines = []byte(game)
	if n := strings.Count(string(lines), "\n"); len(position.FindAll(lines, -1)) != n || told < n-1 || told < 5 {
		t.Errorf("of %d questions %d tell the turn before:\n%s", n, told, lines)
	}
}

// TestMatchStopped checks that a match stopped by hand prints its results so far.
func TestMatchStopped(t *testing.T) {
	t.Parallel()
	ctx := &stopped{Context: t.Context(), after: 100} // moves, about four games
	var out, told strings.Builder
	if status := cli.Run(ctx, cli.Std{In: strings.NewReader(""), Out: &out, Err: &told}, program(), []string{"match", "--games", "1000", "static", "greedy"}); status != 0 {
		t.Fatalf("status %d: %s", status, told.String())
	}
	if got := out.String(); strings.Count(got, "\n") != 2 || !regexp.MustCompile(`^static wins=\d+ draws=\d games=\d+ rate`).MatchString(got) {
		t.Errorf("told %q", got)
	}
}

// stopped is a context that is cancelled after a number of calls.
type stopped struct {
	context.Context
	after int
}

func (s *stopped) Err() error {
	if s.after--; s.after < 0 {
		return context.Canceled
	}
	return nil
}

// TestMatchIsReproducible checks that a match has the same games whether played in sequence, in
// parallel, or interrupted and resumed.
func TestMatchIsReproducible(t *testing.T) {
	t.Parallel()
	dir, list := t.TempDir(), shortList(t)
	play := func(file string, args ...string) string {
		t.Helper()
		file = filepath.Join(dir, file)
		args = append([]string{"match", "--lexicon", list, "--seed", "3", "--out", file}, args...)
		if status, _, err := command(t, "", append(args, "static", "greedy")...); status != 0 {
			t.Fatal(err)
		}
		text, err := os.ReadFile(file)
		gametest.Must(t, err)
		return thought.ReplaceAllString(string(text), "")
	}
	want := play("one.csv", "--games", "6")
	if lines := strings.Count(want, "\n"); lines != 1+2*6 {
		t.Fatalf("%d lines:\n%s", lines, want)
	}
	if got := play("three.csv", "--games", "6", "--parallel", "3"); got != want {
		t.Errorf("three at a time:\n%s\nwant\n%s", got, want)
	}
	for _, cut := range []int{0, 1, 30, 60}[:gametest.Rounds(3, 4)] { // bytes cut from the last rows
		play("broken.csv", "--games", "4")
		name := filepath.Join(dir, "broken.csv")
		text, err := os.ReadFile(name)
		gametest.Must(t, err)
		gametest.Must(t, os.WriteFile(name, text[:len(text)-cut], 0o600))
		if got := play("broken.csv", "--games", "6", "--resume", "--parallel", "2"); got != want {
			t.Errorf("resumed after %d bytes were cut off:\n%s\nwant\n%s", cut, got, want)
		}
	}
	if got := play("new.csv", "--games", "6", "--resume"); got != want {
		t.Errorf("resumed from nothing:\n%s", got)
	}
	for _, other := range [][]string{{"--seed", "4", "static", "greedy"}, {"--seed", "3", "static", "easy"}, {"--seed", "3", "easy", "static", "greedy"}} {
		args := append([]string{"match", "--lexicon", list, "--games", "6", "--resume", "--out", filepath.Join(dir, "one.csv")}, other...)
		if status, _, err := command(t, "", args...); status != 2 || !strings.Contains(err, "another match") {
			t.Errorf("%v: status %d, %s", other, status, err)
		}
	}
	if got := play("one.csv", "--games", "6", "--resume"); got != want {
		t.Errorf("what was refused changed the file:\n%s", got)
	}
}

// TestRoundsGamesDrawAlike checks that each seat draws the same tiles in the same order in
// both games of a round, as long as there are enough for both.
func TestRoundsGamesDrawAlike(t *testing.T) {
	t.Parallel()
	mind, eq, err := cli.OpenMind(shortList(t))
	gametest.Must(t, err)
	rules, err := rulesNamed("classic")
	gametest.Must(t, err)
	m := match{mind: mind, eq: eq, rules: rules, seed: 1}
	for _, name := range []string{"static", "greedy"} {
		l, err := anyRobot(name)
		gametest.Must(t, err)
		m.contestants = append(m.contestants, contestant{name, m.robot(l)})
	}
	players, err := m.sit(t.Context())
	gametest.Must(t, err)
	for n := 0; n < gametest.Rounds(8, 20); n += 2 {
		var drawn [2][2]game.Tiles // by game and seat
		var began [2][]game.Tiles
		for i := range drawn {
			p, err := m.play(t.Context(), players, n+i)
			gametest.Must(t, err)
			exchanged := false
			for _, e := range p.log {
				switch f := e.Fact.(type) {
				case game.Dealt:
					began[i] = f.Racks
				case game.Played:
					if !exchanged {
						drawn[i][f.Seat] += f.Drew
					}
				case game.Exchanged: // exchanged tiles change what comes after
					exchanged = true
				}
			}
		}
		if !slices.Equal(began[0], began[1]) {
			t.Errorf("game %d begins with %v and then %v", n, began[0], began[1])
		}
		const few = 20 // of the 86 tiles drawn
		for seat := range 2 {
			both := min(len(drawn[0][seat]), len(drawn[1][seat]), few)
			if drawn[0][seat][:both] != drawn[1][seat][:both] {
				t.Errorf("game %d: seat %d draws %v and then %v", n, seat, drawn[0][seat], drawn[1][seat])
			}
		}
	}
}

// BenchmarkPairedGames measures the error of paired games as a part of the error of independent games. An
// operation is a pair.
func BenchmarkPairedGames(b *testing.B) {
	mind, eq, err := cli.OpenMind("en")
	gametest.Must(b, err)
	m := match{mind: mind, eq: eq, rules: game.Classic(), seed: 1}
	for _, name := range []string{"static", "greedy"} {
		l, err := anyRobot(name)
		gametest.Must(b, err)
		m.contestants = append(m.contestants, contestant{name, m.robot(l)})
	}
	t := newTally(m.contestants)
	gametest.Must(b, m.run(b.Context(), 1, 0, 2*b.N, func(p playedGame) (bool, error) { t.add(p); return true, nil }))
	_, paired := t.interval(0)
	b.ReportMetric(paired/t.unpairedError(0), "error")
}

// tallied returns the tally of a match of two with the first contestant's results in each pair of
// games.
func tallied(pairs ...float64) *tally {
	t := newTally([]contestant{{name: "one"}, {name: "other"}})
	for i, sum := range pairs {
		for k, won := range []float64{min(1, sum), max(0, sum-1)} {
			t.add(playedGame{n: 2*i + k, did: []result{{won: won}, {won: 1 - won}}})
		}
	}
	return t
}

// TestErrorIsByPairs checks that pairs which both sides always split show equality with no
// error, and that the same games in other pairs show little.
func TestErrorIsByPairs(t *testing.T) {
	split, whole := slices.Repeat([]float64{1}, 40), slices.Repeat([]float64{2, 0}, 20)
	if rate, err := tallied(split...).interval(0); rate != 0.5 || err != 0 {
		t.Errorf("each pair is split: %v, %v", rate, err)
	}
	rate, err := tallied(whole...).interval(0)
	if want := 0.5 / math.Sqrt(39); rate != 0.5 || math.Abs(err-want) > 1e-9 {
		t.Errorf("each pair goes to one: %v, %v; want 0.5, %v", rate, err, want)
	}
	mixed := tallied(slices.Concat(split, split[:20], []float64{2, 2, 2, 2})...)
	if difference, wrong := elo(mixed.interval(0)); math.Abs(difference-21.7) > 0.1 || wrong < 5 || wrong > 15 {
		t.Errorf("of 64 pairs 4 are won and 60 split: Elo %v, %v", difference, wrong)
	}
	test := sprt{0, 20}
	for _, tt := range []struct {
		pairs   []float64
		decided bool
		sign    float64
	}{
		{split, false, 0},
		{slices.Repeat([]float64{2, 0, 1, 1}, 300), true, -1},
		{slices.Repeat([]float64{2, 0, 1, 2, 1, 1}, 100), true, 1},
		{slices.Repeat([]float64{2, 0, 1, 2, 1, 1}, 4), false, 0},
		{slices.Repeat([]float64{2, 0, 1, 2, 1, 1}, 9), false, 1},
		{slices.Repeat([]float64{2, 2, 2, 2, 1}, 9), false, 0}, // 45 are too few
		{slices.Repeat([]float64{2, 2, 2, 2, 1}, 10), true, 1},
	} {
		all := tallied(tt.pairs...)
		if r := test.ratio(all); test.isDecided(all) != tt.decided || r*tt.sign < 0 {
			t.Errorf("%d pairs of %v: %v, %v", len(tt.pairs), tt.pairs[:5], r, test.isDecided(all))
		}
	}
	all := tallied(slices.Repeat([]float64{2, 0, 1, 2, 1, 1}, 100)...)
	all.add(playedGame{did: []result{{won: 1}, {}}})
	if test.isDecided(all) {
		t.Error("it is decided in the middle of a pair")
	}
}

// TestDecidedTestEndsMatch checks that a decided test ends a match, after the same games
// with any number of processors.
func TestDecidedTestEndsMatch(t *testing.T) {
	t.Parallel()
	list := shortList(t)
	run := func(parallel string) string {
		status, out, err := command(t, "", "match", "--lexicon", list, "--sprt", "0,100", "--parallel", parallel, "static", "easy")
		if status != 0 || !strings.Contains(out, " stronger\n") {
			t.Fatalf("status %d, %s%s", status, out, err)
		}
		return thought.ReplaceAllString(out, "")
	}
	if one, two := run("1"), run("2"); one != two {
		t.Errorf("on one processor %s, on two %s", one, two)
	}
}

// TestEngineTimeLimit checks that an engine gets its time limit, and a shorter one after it
// took longer.
func TestEngineTimeLimit(t *testing.T) {
	asked := filepath.Join(t.TempDir(), "asked")
	status, out, err := command(t, "", "match", "--games", "1", "--time", "1ms", "--engine", `sh -c 'while read -r line; do echo "$line" >> `+asked+`; i=0; while [ $i -lt 3000 ]; do i=$((i+1)); done; echo pass; done'`, "static")
	if status != 0 {
		t.Fatalf("status %d, %s%s", status, out, err)
	}
	text, e := os.ReadFile(asked)
	if e != nil {
		t.Fatal(e)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if !strings.Contains(lines[0], "; ms 1;") || len(lines) < 3 {
		t.Errorf("asked:\n%s", text)
	}
	m := match{limit: 100 * time.Millisecond}
	for _, tt := range []struct{ turns, thought, want int }{{0, 0, 100}, {1, 150, 50}, {1, 190, 50}, {3, 100, 200}, {2, 250, 50}, {2, 230, 70}} {
		r := result{turns: tt.turns, thought: time.Duration(tt.thought) * time.Millisecond}
		p := &patient{}
		if _, err := m.think(t.Context(), p, &r, robot.View{}, 0); err != nil || p.limit != time.Duration(tt.want)*time.Millisecond {
			t.Errorf("%d turns took %d ms: the next may take %v (%v), want %d ms", tt.turns, tt.thought, p.limit, err, tt.want)
		}
	}
}

// A patient player remembers its time limit.
type patient struct{ limit time.Duration }

func (p *patient) choose(_ context.Context, _ robot.View, limit time.Duration, _ uint64) (game.Action, error) {
	p.limit = limit
	return game.Pass{}, nil
}

func (*patient) ready(context.Context, robot.View) error { return nil }

func (*patient) clock() time.Duration { return 0 }
func (*patient) close() error         { return nil }

// TestEngineLoadsOffTheClock checks that the time before an engine's first answer doesn't
// count.
func TestEngineLoadsOffTheClock(t *testing.T) {
	status, out, err := command(t, "", "match", "--games", "1", "--engine", `sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; while read -r line; do echo pass; done'`, "greedy")
	if status != 0 {
		t.Fatalf("status %d, %s%s", status, out, err)
	}
	var most int
	if _, e := fmt.Sscanf(out[strings.Index(out, " most="):], " most=%d", &most); e != nil || most > 20 {
		t.Errorf("a turn took %d ms (%v):\n%s", most, e, out)
	}
}

// TestEngineFailsToStart checks that the error about an engine that doesn't start names it and
// the reason.
func TestEngineFailsToStart(t *testing.T) {
	for engine, want := range map[string]string{
		"no-such-engine":         `--engine "no-such-engine": the engine didn't start: no such command`,
		"exec no-such-engine -x": "no such command",
		"/etc/passwd":            "its file can't be run",
		"sh -c 'exit 3'":         "the engine ended without an answer: exit status 3",
		"true":                   "the engine ended without an answer",
	} {
		if status, _, err := command(t, "", "match", "--games", "1", "--engine", engine, "greedy"); status != 1 || !strings.Contains(err, want) {
			t.Errorf("%s: status %d, %s", engine, status, err)
		}
	}
	if status, out, err := command(t, "", "match", "--games", "1", "--engine", "exec sh -c 'while read -r line; do echo pass; done'", "greedy"); status != 0 || !strings.Contains(out, "engine wins=0") {
		t.Errorf("with exec: status %d, %s%s", status, out, err)
	}
}
