package daily_test

import (
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/lexicon"
)

// sevens makes a world play with words for storms.
func sevens(t *testing.T) (*lexicon.Lexicon, func(*host.Config)) {
	lex := bottest.Sevens(t)
	return lex, func(c *host.Config) { c.Lexicons, c.Mind = []*lexicon.Lexicon{lex}, nil }
}

// solved is the word that a storm's message asks for.
func solved(t *testing.T, lex *lexicon.Lexicon, r bot.Reply) string {
	t.Helper()
	return bottest.OnlyWord(t, lex, featuretest.Between(r.Text.String(), "Which word do these make: ", "?"))
}

// A storm is three minutes by the host's clock: right answers bring other letters, wrong
// ones end the run, and the best of a place are kept for the day and the week.
func TestStorm(t *testing.T) {
	featuretest.InSpring(t, func(t *testing.T) {
		lex, change := sevens(t)
		w := newWorld(t, change)
		w.Run()
		ann, bob := bottest.People["ann"], bottest.People["bob"]
		featuretest.Wants(t, w.Does(ann, "solve quartet"), true, "You have no storm running")
		featuretest.Wants(t, w.Does(ann, "storm do:results"), false, "Nobody has played a storm here this week")
		r := w.Does(ann, "storm")
		featuretest.Wants(t, r, false, "Which word do these make: ", "0 right, 0 in a row")
		// Its letters can't be looked up.
		first := solved(t, lex, r)
		featuretest.Wants(t, w.Does(ann, "anagram "+first), true, "Those are the letters of the storm you're in")
		featuretest.Wants(t, w.Does(bob, "anagram "+first), false)
		time.Sleep(2 * time.Second)
		right := w.Request(ann, "solve "+strings.ToLower(first))
		r = w.Host.Handle(t.Context(), right)
		featuretest.Wants(t, r, false, first+" is right.", "1 right, 1 in a row")
		if again := w.Host.Handle(t.Context(), right); again.Text.String() != r.Text.String() {
			t.Errorf("the same request again: %s; first %s", again.Text, r.Text)
		}
		second := solved(t, lex, r)
		if second == first {
			t.Errorf("%s comes twice", first)
		}
		// One private message isn't changed more than once a second.
		featuretest.Wants(t, w.Does(ann, "solve "+second), true, "That was faster than I can change this message")
		time.Sleep(time.Second)
		r = w.Does(ann, "solve "+second)
		featuretest.Wants(t, r, false, "2 right, 2 in a row")
		time.Sleep(time.Second)
		featuretest.Wants(t, w.Does(ann, "solve nonsense"), false, "NONSENSE isn't it.", "2 right, 0 in a row")
		time.Sleep(time.Second)
		skipped := solved(t, lex, w.Does(ann, "storm"))
		featuretest.Wants(t, w.Does(ann, "storm do:skip"), false, "It was "+skipped+".", "2 right, 0 in a row")
		time.Sleep(2 * time.Minute)
		late := solved(t, lex, w.Does(ann, "storm"))
		time.Sleep(time.Minute)
		r = w.Does(ann, "solve "+late)
		featuretest.Wants(t, r, false, "Time's up: 2 words in three minutes, at best 2 in a row.", "You skipped "+skipped+".", "Best storm here today: "+ann.Name+" with 2 words, 2 in a row.")
		if len(r.Buttons) != 1 {
			t.Errorf("at the end it has the buttons %v", r.Buttons)
		}
		featuretest.Wants(t, w.Does(ann, "anagram "+late), false)
		// Another person's is theirs alone, and the better one leads.
		r = w.Does(bob, "storm")
		for range 3 {
			time.Sleep(time.Second)
			r = w.Does(bob, "solve "+solved(t, lex, r))
		}
		time.Sleep(time.Second)
		featuretest.Wants(t, w.Does(bob, "storm do:end"), false, "You ended this storm: 3 words", "today: "+bob.Name+" with 3 words", "this week: "+bob.Name+" with 3 words")
		time.Sleep(24 * time.Hour)
		synctest.Wait()
		said := w.Does(ann, "storm do:results").Text.String()
		if strings.Contains(said, "today") || !strings.Contains(said, "this week: "+bob.Name) {
			t.Errorf("the day after: %s", said)
		}
		time.Sleep(7 * 24 * time.Hour)
		featuretest.Wants(t, w.Does(ann, "storm do:results"), false, "Nobody has played a storm here this week")
		// On the board's page it is the same storm, as fast as one types.
		pages := w.Host.Dailies()
		key, err := pages.DailyToday(t.Context(), w.Request(ann, "daily"))
		gametest.Must(t, err)
		does := func(do, word string) bot.Storm {
			t.Helper()
			req := w.Request(ann, "storm")
			req.Args = map[string]string{"do": do, "word": word}
			s, err := pages.DailyStorm(t.Context(), key, req)
			gametest.Must(t, err)
			return s
		}
		if s := does("look", ""); s.On || !s.Had {
			t.Errorf("before it begins: %+v", s)
		}
		s := does("play", "")
		for n := 1; n <= 3; n++ {
			shown := strings.Join(s.Letters, " ")
			if s = does("solve", solved(t, lex, bot.Reply{Text: w.Does(ann, "storm").Text})); s.Right != n || s.Was != "right" || strings.Join(s.Letters, " ") == shown {
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

// A storm is one private message: whatever is pressed, and however fast, it changes once a
// second at most, and when the time is up it says so by itself, once.
func TestStormIsOneMessage(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 34))
	featuretest.InSpring(t, func(t *testing.T) {
		lex, change := sevens(t)
		w := newWorld(t, change)
		w.Run()
		ann := bottest.People["ann"]
		var mu sync.Mutex // Ann presses, and the clock does
		var shown bot.Reply
		var changes []time.Time
		var byItself []string
		var changed func(r bot.Reply, itself bool)
		changed = func(r bot.Reply, itself bool) {
			if r.Refused || len(r.Text) == 0 {
				return // which stands beside the message
			}
			if !r.InPlace {
				t.Errorf("this doesn't take the message's place: %s", r.Text)
			}
			shown, changes = r, append(changes, time.Now())
			if itself {
				byItself = append(byItself, r.Text.String())
			}
			if r.Then == nil {
				return
			}
			go func() {
				time.Sleep(time.Until(r.Then.At))
				mu.Lock()
				defer mu.Unlock()
				if req, ok := w.Request(ann, "storm").Press(r.Then.ID); ok {
					changed(w.Host.Handle(t.Context(), req), true)
				}
			}()
		}
		press := func(r bot.Reply) {
			mu.Lock()
			defer mu.Unlock()
			changed(r, false)
		}
		press(w.Does(ann, "storm"))
		lately, byHand := time.Now(), 0
		for time.Since(lately) < 20*time.Minute {
			time.Sleep(time.Duration(random.IntN(2500)) * time.Millisecond)
			if random.IntN(150) == 0 {
				time.Sleep(time.Duration(random.IntN(200)) * time.Second) // she looks away
			}
			mu.Lock()
			now := shown
			mu.Unlock()
			if len(now.Buttons) == 1 { // it is over
				press(w.Does(ann, "storm do:play"))
				continue
			}
			switch n := random.IntN(600); { // most storms last until the time is up
			case n == 0:
				press(w.Does(ann, "storm do:end"))
				byHand++
			case n < 30:
				press(w.Does(ann, "storm do:skip"))
			case n < 50:
				press(w.Does(ann, "solve nonsense"))
			default:
				press(w.Does(ann, "solve "+solved(t, lex, now)))
			}
		}
		time.Sleep(4 * time.Minute)
		mu.Lock()
		defer mu.Unlock()
		for i, at := range changes[1:] {
			if gap := at.Sub(changes[i]); gap < time.Second {
				t.Errorf("change %d comes %s after the one before", i+1, gap)
			}
		}
		for _, said := range byItself {
			if !strings.Contains(said, "Time's up: ") {
				t.Errorf("by itself it says %s", said)
			}
		}
		if len(byItself) == 0 || len(byItself)+byHand < 3 || len(changes) < 200 || !strings.Contains(shown.Text.String(), "at best ") {
			t.Errorf("of %d changes it makes %d by itself, %d storms end by hand, and it ends with %s", len(changes), len(byItself), byHand, shown.Text)
		}
	})
}
