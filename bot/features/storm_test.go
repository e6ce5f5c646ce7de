package features_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/puzzle"
	"github.com/rackmate/rackmate/lexicon"
)

// sevens makes a world play with words of seven letters: four that are the same in all, and
// any three others, so that no two are of the same letters.
func sevens(t *testing.T) (*lexicon.Lexicon, func(*host.Config)) {
	t.Helper()
	var words []string
	const others = "BDGHILMNORSU"
	for i := range others {
		for j := range i {
			for k := range j {
				words = append(words, "QA"+others[k:k+1]+"E"+others[j:j+1]+"T"+others[i:i+1])
			}
		}
	}
	words = append(words, strings.Fields(gametest.SmallList)...)
	slices.Sort(words)
	lex, err := lexicon.Build("small", equipment(t).Tiles.Alphabet(), strings.NewReader(strings.Join(slices.Compact(words), "\n")))
	if err != nil {
		t.Fatal(err)
	}
	return lex, func(c *host.Config) { c.Lexicons, c.Mind = []*lexicon.Lexicon{lex}, nil }
}

// solved is the word that a storm's message asks for.
func solved(t *testing.T, lex *lexicon.Lexicon, r bot.Reply) string {
	t.Helper()
	shown := strings.ReplaceAll(between(r.Text.String(), "Which word do these make: ", "?"), " ", "")
	letters, err := lex.Alphabet().Parse(shown)
	if err != nil {
		t.Fatalf("%v: %s", err, r.Text)
	}
	var found []string
	for w := range lex.Words() {
		if len(w) == puzzle.StormLetters && puzzle.Letters(w) == puzzle.Letters(letters) {
			found = append(found, lex.Alphabet().String(w))
		}
	}
	if len(found) != 1 {
		t.Fatalf("%s makes %v", shown, found)
	}
	return found[0]
}

// A storm is three minutes by the host's clock: right answers bring other letters, wrong
// ones end the run, and the best of a place are kept for the day and the week.
func TestStorm(t *testing.T) {
	inSpring(t, func(t *testing.T) {
		lex, change := sevens(t)
		w := newWorld(t, change)
		w.run()
		ann, bob := people["ann"], people["bob"]
		wants(t, w.does(ann, "solve quartet"), true, "You have no storm running")
		wants(t, w.does(ann, "storm do:results"), false, "Nobody has played a storm here this week")
		r := w.does(ann, "storm")
		wants(t, r, false, "Which word do these make: ", "0 right, 0 in a row")
		// Its letters can't be looked up.
		first := solved(t, lex, r)
		wants(t, w.does(ann, "anagram "+first), true, "Those are the letters of the storm you're in")
		wants(t, w.does(bob, "anagram "+first), false)
		time.Sleep(2 * time.Second)
		right := w.request(ann, "solve "+strings.ToLower(first))
		r = w.host.Handle(t.Context(), right)
		wants(t, r, false, first+" is right.", "1 right, 1 in a row")
		if again := w.host.Handle(t.Context(), right); again.Text.String() != r.Text.String() {
			t.Errorf("the same request again: %s; first %s", again.Text, r.Text)
		}
		second := solved(t, lex, r)
		if second == first {
			t.Errorf("%s comes twice", first)
		}
		// One private message isn't changed more than once a second.
		wants(t, w.does(ann, "solve "+second), true, "That was faster than I can change this message")
		time.Sleep(time.Second)
		r = w.does(ann, "solve "+second)
		wants(t, r, false, "2 right, 2 in a row")
		time.Sleep(time.Second)
		wants(t, w.does(ann, "solve nonsense"), false, "NONSENSE isn't it.", "2 right, 0 in a row")
		time.Sleep(time.Second)
		skipped := solved(t, lex, w.does(ann, "storm"))
		wants(t, w.does(ann, "storm do:skip"), false, "It was "+skipped+".", "2 right, 0 in a row")
		time.Sleep(2 * time.Minute)
		late := solved(t, lex, w.does(ann, "storm"))
		time.Sleep(time.Minute)
		r = w.does(ann, "solve "+late)
		wants(t, r, false, "Time's up: 2 words in three minutes, at best 2 in a row.", "You skipped "+skipped+".", "Best storm here today: "+ann.Name+" with 2 words, 2 in a row.")
		if len(r.Buttons) != 1 {
			t.Errorf("at the end it has the buttons %v", r.Buttons)
		}
		wants(t, w.does(ann, "anagram "+late), false)
		// Another person's is theirs alone, and the better one leads.
		r = w.does(bob, "storm")
		for range 3 {
			time.Sleep(time.Second)
			r = w.does(bob, "solve "+solved(t, lex, r))
		}
		time.Sleep(time.Second)
		wants(t, w.does(bob, "storm do:end"), false, "Time's up: 3 words", "today: "+bob.Name+" with 3 words", "this week: "+bob.Name+" with 3 words")
		time.Sleep(24 * time.Hour)
		synctest.Wait()
		said := w.does(ann, "storm do:results").Text.String()
		if strings.Contains(said, "today") || !strings.Contains(said, "this week: "+bob.Name) {
			t.Errorf("the day after: %s", said)
		}
		time.Sleep(7 * 24 * time.Hour)
		wants(t, w.does(ann, "storm do:results"), false, "Nobody has played a storm here this week")
		// On the board's page it is the same storm, as fast as one types.
		pages := w.host.Dailies()
		key, err := pages.DailyToday(t.Context(), w.request(ann, "daily"))
		if err != nil {
			t.Fatal(err)
		}
		does := func(do, word string) bot.Storm {
			t.Helper()
			req := w.request(ann, "storm")
			req.Args = map[string]string{"do": do, "word": word}
			s, err := pages.DailyStorm(t.Context(), key, req)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		if s := does("look", ""); s.On || !s.Had {
			t.Errorf("before it begins: %+v", s)
		}
		s := does("play", "")
		for n := 1; n <= 3; n++ {
			shown := strings.Join(s.Letters, " ")
			if s = does("solve", solved(t, lex, bot.Reply{Text: w.does(ann, "storm").Text})); s.Right != n || s.Was != "right" || strings.Join(s.Letters, " ") == shown {
				t.Errorf("answer %d: %+v", n, s)
			}
		}
		if s = does("end", ""); s.On || len(s.Best) != 2 {
			t.Errorf("at the end: %+v", s)
		}
		if s = does("skip", ""); !s.Had || s.On || s.Right != 3 {
			t.Errorf("after the end: %+v", s)
		}
	})
}
