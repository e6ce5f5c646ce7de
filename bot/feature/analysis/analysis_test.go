package analysis_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/feature/analysis"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/view"
)

// Steps lead to the expected position, plays score by the rules, the best ones have
// reasons, and invalid questions get an explanation.
func TestAnalyseSteps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t)
		ask := func(q analysis.Question) (analysis.Analysis, error) {
			return featuretest.Ask[analysis.Analysis](w, "/analyse/ask", bot.Request{Channel: featuretest.Parlour, User: bottest.People["ann"]}, q)
		}
		for _, c := range []struct {
			name  string
			steps []string
			cgp   string // expected eighth row and the part after the board
			want  string // expected refusal
		}{
			{"a rack", []string{"rack aeinst?"}, "15 AEINST?/ 0/0 0", ""},
			{"a play, and whose turn it then is", []string{"rack HORNSE?", "8H HORN"}, "7HORN4 /SE? 0/14 0", ""},
			{"two plays", []string{"rack HORN", "8H HORN", "rack SO", "7G SO"}, "7HORN4 /", ""},
			{"an exchange keeps the rest", []string{"rack HORNSE?", "exchange ho"}, "15 /RNSE? 0/0 1", ""},
			{"a pass", []string{"rack HORN", "pass"}, "15 /HORN 0/0 1", ""},
			{"a blank", []string{"rack H?RN", "8H H?ORN"}, "7HoRN4 / 0/12 0", ""},
			{"tiles that aren't there", []string{"rack HORN", "8H HORSE"}, "", "8H needs"},
			{"more tiles than there are", []string{"rack ZZ"}, "", "more tiles"},
			{"a rack that is too long", []string{"rack AAEEIIOO"}, "", "up to 7"},
			{"no square", []string{"rack HORN", "99Z HORN"}, "", "isn't a square"},
			{"an exchange of other tiles", []string{"rack HORN", "exchange QQ"}, "", ""},
		} {
			a, err := ask(analysis.Question{Steps: c.steps})
			var no *bot.PageError
			switch {
			case c.cgp == "" && (!errors.As(err, &no) || !strings.Contains(no.Error(), c.want)):
				t.Errorf("%s: %v, want a refusal with %q", c.name, err, c.want)
			case c.cgp != "" && err != nil:
				t.Errorf("%s: %v", c.name, err)
			case c.cgp != "":
				rows, rest, _ := strings.Cut(a.CGP, " ")
				if got := strings.Split(rows, "/")[7] + " " + rest; !strings.HasPrefix(got, c.cgp) {
					t.Errorf("%s: %s, want %s", c.name, got, c.cgp)
				}
			}
		}

		a, err := ask(analysis.Question{Steps: []string{"rack HORNSE?"}, Judge: true})
		if err != nil || len(a.Best) == 0 || a.Best[0].Reason == "" || len(a.Plays) != 0 {
			t.Fatalf("the best: %+v, %v", a, err)
		}
		next, err := ask(analysis.Question{Steps: []string{"rack HORNSE?", a.Best[0].Step}})
		if err != nil || next.Sight.Players[1].Score != a.Best[0].Points {
			t.Errorf("the best as a step: %+v, %v", next, err)
		}
		d, err := ask(analysis.Question{Steps: []string{"rack HORNSE?"}, Try: &view.Attempt{Word: "HORN", At: "8H"}})
		if err != nil || d.Draft == nil || d.Draft.Score != 14 {
			t.Errorf("a try: %+v, %v", d, err)
		}
		for _, q := range []analysis.Question{{CGP: "15/15 / 0/0 0"}, {List: "none"}, {Steps: slices.Repeat([]string{"pass"}, 500)}} {
			var no *bot.PageError
			if _, err := ask(q); !errors.As(err, &no) {
				t.Errorf("%+v: %v", q, err)
			}
		}
	})
}

// An ending is played out and proven.
func TestAnalyseEnding(t *testing.T) {
	const cgp = "15/11JOG1/URBANITY3oNO1/2I7CHAVE/2o5WRING1M/2T7N1EMO/2OP3Q2C1RAV/2PA2DIXITS1TE/2ER7E1A1/3T3L3N1I1/3Y3I3S3/3GLAZE3O3/3O1SANDWORT2/3EUK1A1EUSOL1/BUHR3L7 ADDEEFI/EEFI 0/0 0" // of game/robot's endings
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t)
		a, err := featuretest.Ask[analysis.Analysis](w, "/analyse/ask", bot.Request{Channel: featuretest.Parlour}, analysis.Question{CGP: cgp, Judge: true})
		if err != nil || len(a.Ending) == 0 || !a.Proven {
			t.Fatalf("%+v, %v", a, err)
		}
		if a.Ending[0].Step == "" || a.Sight.Supply != "the bag is empty" {
			t.Errorf("%+v", a)
		}
	})
}

// The positions of a recorded game are those before its moves.
func TestAnalyseWrittenGame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t)
		read := func(written string) ([]analysis.Position, error) {
			answer, err := featuretest.Ask[map[string]any](w, "/analyse/game", bot.Request{Channel: featuretest.Parlour}, map[string]string{"written": written})
			all, _ := answer["positions"].([]analysis.Position)
			return all, err
		}
		all, err := read("#player1 ann Ann\n#player2 bob Bob\n>ann: HORNSE? 8H HORN +14 14\n>bob: AEIOSUT 7G SO +8 8\n")
		if err != nil || len(all) != 2 || all[1].Player != "Bob" || all[1].Move != "7G SO" || !strings.HasSuffix(all[1].CGP, " AEIOSUT/ 0/14 0") {
			t.Errorf("%+v, %v", all, err)
		}
		var no *bot.PageError
		if _, err := read("no game at all"); !errors.As(err, &no) {
			t.Errorf("what is no game: %v", err)
		}
	})
}

// A robot's preference for a move other than a play is a step too, with a reason.
func TestAnalyseBadRack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t)
		req := bot.Request{Channel: featuretest.Parlour}
		page, err := w.Page("/analyse", bot.Visit{Request: req})
		if lists := page.Blocks[0].(bot.Board).Data["lists"]; err != nil || !strings.HasPrefix(lists, "small") {
			t.Errorf("the lists are %q, want the usual one first", lists)
		}
		a, err := featuretest.Ask[analysis.Analysis](w, "/analyse/ask", req, analysis.Question{Steps: []string{"rack IIUUVVW"}, Judge: true})
		if err != nil || len(a.Best) == 0 || !strings.HasPrefix(a.Best[0].Step, "exchange ") || a.Best[0].Reason == "" {
			t.Fatalf("the best of nothing but ballast: %+v, %v", a.Best, err)
		}
		after, err := featuretest.Ask[analysis.Analysis](w, "/analyse/ask", req, analysis.Question{Steps: []string{"rack IIUUVVW", a.Best[0].Step}})
		if err != nil || !strings.HasSuffix(after.CGP, "0/0 1") {
			t.Errorf("after %q it is %q (%v)", a.Best[0].Step, after.CGP, err)
		}
	})
}
