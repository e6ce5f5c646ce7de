package play_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game"
)

// dealt starts a game in the parlour with Ann to move.
func dealt(w *featuretest.World) {
	featuretest.Put(w.T, w.Config.Store, featuretest.Parlour, bottest.Dealt(w.T, bottest.Small(w.T).Hash(), "classic", "single", []string{"bag:EEEEEEEE", "ann:HORNSA?", "bob:FARMQI?"}))
}

// horn starts a game in which Ann has played HORN and Bob is to move.
func horn(w *featuretest.World) {
	dealt(w)
	w.Must("ann", "/play horn 8h")
}

// over starts a game that Bob has resigned.
func over(w *featuretest.World) {
	horn(w)
	req := w.Request(bottest.People["bob"], "/resign")
	req.Table = 1
	if r := w.Host.Handle(w.T.Context(), req); r.Refused {
		w.T.Fatal(r.Text)
	}
}

// threads adds a platform that opens a place beside a channel, the same for the same request.
func threads(c *host.Config) {
	c.Platforms = func() []bot.Platform {
		return []bot.Platform{{Name: "test", Aside: func(_ context.Context, beside bot.ChannelID, key, _ string, _ []bot.PlayerID) (bot.ChannelID, error) {
			return bot.ChannelID(fmt.Sprintf("%s/%s", beside, strings.ReplaceAll(key, " ", "-"))), nil
		}}}
	}
}

// lobby seats Ann at a table for three.
func lobby(w *featuretest.World) { w.Must("ann", "/new seats:3") }

// Whichever store call fails, players' commands come out right when they are repeated.
func TestPlayAtEachFault(t *testing.T) {
	people := bottest.People
	featuretest.LinesAtEachFault(t, func(*featuretest.World) {}, people["ann"], []string{"/rematch", "/export", "/help", "/help new", "/board"})
	featuretest.LinesAtEachFault(t, lobby, people["bob"], []string{"/join", "/vote 12", "/help", "/note hello"})
	featuretest.LinesAtEachFault(t, lobby, people["ann"], []string{"/leave", "/start", "/end"})
	featuretest.LinesAtEachFault(t, dealt, people["ann"], []string{"/play horn 8h", "/try horn 8h", "/exchange so", "/pass", "/rack sort", "/unseen", "/note Bob has the Q", "/note", "/board text", "/help", "/resign", "/end"})
	featuretest.LinesAtEachFault(t, horn, people["bob"], []string{"/challenge", "/challenge horn", "/play farm", "/history", "/replay", "/export"})
	featuretest.LinesAtEachFault(t, horn, people["eve"], []string{"/board", "/rack", "/end"})
	featuretest.LinesAtEachFault(t, over, people["bob"], []string{"/history", "/help", "/board"})
}

// Whichever store call fails, a table opened beside a game gets one place, where only its opener
// sits.
func TestTablesBesideAtEachFault(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(*featuretest.World)
		line    string
	}{
		"a table beside the game":    {horn, "/new seats:2"},
		"a thread that is asked for": {func(*featuretest.World) {}, "/new seats:2 thread:yes"},
	} {
		t.Run(name, func(t *testing.T) {
			featuretest.AtEachFault(t, c.prepare, func(w *featuretest.World) (string, error) {
				req := w.Request(bottest.People["cat"], c.line)
				req.ID = "the same"
				if _, err := featuretest.Answered(w.Host.Handle(t.Context(), req)); err != nil {
					return "", err
				}
				_, log, err := w.Config.Store.Table(t.Context(), featuretest.Parlour+"/request-the-same")
				s, wrong := game.Replay(log)
				if err != nil || wrong != nil {
					return "", errors.Join(err, wrong)
				}
				return fmt.Sprint(len(s.Seats), " of ", s.Rules.MaxPlayers, " ", s.Seats[0].Person.Name), nil
			}, threads)
		})
	}
}

// Whichever store call fails, /join and /leave mean the same tables beside the game.
func TestJoiningBesideAtEachFault(t *testing.T) {
	beside := func(lines ...string) func(*featuretest.World) {
		return func(w *featuretest.World) {
			horn(w)
			for _, line := range lines {
				who, line, _ := strings.Cut(line, ": ")
				w.Must(who, line)
			}
		}
	}
	for _, c := range []struct {
		prepare func(*featuretest.World)
		line    string
	}{
		{beside("cat: /new seats:3"), "/join"},
		{beside("cat: /new seats:3", "dan: /new seats:3"), "/join"},
		{horn, "/join"},
		{beside("cat: /new seats:3", "eve: /join"), "/leave"},
		{lobby, "/join"},
	} {
		featuretest.LinesAtEachFault(t, c.prepare, bottest.People["eve"], []string{c.line}, threads)
	}
}

// If no thread can be opened, no table is opened elsewhere, and the reply says what to do.
func TestTablesWithoutThreads(t *testing.T) {
	cannot := func(err error) func(*host.Config) {
		return func(c *host.Config) {
			c.Platforms = func() []bot.Platform {
				return []bot.Platform{{Name: "test", Aside: func(_ context.Context, _ bot.ChannelID, _, _ string, _ []bot.PlayerID) (bot.ChannelID, error) {
					return "", err
				}}}
			}
		}
	}
	for name, tt := range map[string]struct {
		change func(*host.Config)
		line   string
		says   string
	}{
		"no threads here":        {func(*host.Config) {}, "/new thread:yes", "I can't open a thread here. Leave thread out"},
		"none may be opened":     {cannot(&bot.PostError{Permanent: true, Err: fmt.Errorf("forbidden")}), "/new", "A game is on here, and I can't open a thread for another."},
		"the platform is down":   {cannot(fmt.Errorf("a gateway")), "/new", "Something went wrong on my side"},
		"what would be refused":  {threads, "/new seats:9", "That game is for up to 4 players."},
		"a thread or not, maybe": {threads, "/new thread:maybe", "thread can't be maybe"},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := featuretest.New(t, tt.change)
			horn(w)
			if r := w.Does(bottest.People["cat"], tt.line); !strings.Contains(r.Text.String(), tt.says) {
				t.Errorf("%s: %s, want %q", name, r.Text, tt.says)
			}
			if games, err := w.Host.Games(t.Context(), bottest.People["cat"].ID); len(games) > 0 || err != nil {
				t.Errorf("%s: Cat has %v, %v", name, games, err)
			}
		})
	}
}

// If two tables wait beside a game, /join asks which one and seats nobody until a button is
// pressed. If only one waits, /join means it, and /leave the one where the person sits.
func TestJoinAsksWhichTable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t, threads)
		horn(w)
		w.Must("cat", "/new seats:3")
		w.Must("dan", "/new seats:3")
		eve := bottest.People["eve"]
		r := w.Does(eve, "/join")
		featuretest.Wants(t, r, true, "Which table do you mean?", "Waiting for players: Cat", "Waiting for players: Dan")
		if len(r.Buttons) != 2 {
			t.Errorf("there are %d buttons", len(r.Buttons))
		}
		sits := func() (where []string) {
			for id := bot.TableID(2); id <= 3; id++ {
				_, log, err := w.Config.Store.Events(t.Context(), id, 99)
				s, wrong := game.Replay(log)
				if err != nil || wrong != nil {
					t.Fatal(err, wrong)
				}
				if _, seated := s.SeatOf(eve.ID); seated {
					where = append(where, s.Seats[0].Person.Name+"'s")
				}
			}
			return where
		}
		if all := fmt.Sprint(sits()); all != "[]" {
			t.Errorf("asked which table, Eve sits at %s", all)
		}
		press, ok := w.Request(eve, "/help").Press(r.Buttons[1].ID)
		if answer := w.Host.Handle(t.Context(), press); !ok || answer.Refused || fmt.Sprint(sits()) != "[Dan's]" {
			t.Errorf("Eve presses the second, and sits at %s: %s", sits(), answer.Text)
		}
		w.Must("eve", "/leave")
		for i, step := range []struct{ who, line, sits string }{
			{"dan", "/leave", "[]"}, {"eve", "/join", "[Cat's]"}, {"eve", "/leave", "[]"},
		} {
			w.Must(step.who, step.line)
			if got := fmt.Sprint(sits()); got != step.sits {
				t.Errorf("step %d: Eve sits at %s, want %s", i, got, step.sits)
			}
		}
	})
}

// Impossible options are refused with the possible ones, and no table is opened.
func TestImpossibleOptionsAreRefused(t *testing.T) {
	w := featuretest.New(t)
	for line, says := range map[string]string{
		"/new rules:house":                    "rules can't be house",
		"/new challenge:duel":                 "challenge can't be duel",
		"/new clock:noon":                     "I can't read noon as a time for a clock",
		"/new clock:5s":                       "A clock can have from 30 seconds to 5 hours",
		"/new clock:10m+soon":                 "I can't read 10m+soon as a time for a clock",
		"/new rules:family clock:on":          "rules don't say how long a clock runs",
		"/new order:age":                      "order can't be age",
		"/new out:triple":                     "out can't be triple",
		"/new joining:tiles":                  "joining can't be tiles",
		"/new rated:perhaps":                  "rated can't be perhaps",
		"/new dictionary:open":                "dictionary can't be open",
		"/new variant:upside-down":            "variant can't be upside-down",
		"/new seats:many":                     "seats can't be many",
		"/new variant:duplicate pace:1d":      "everybody plays at once",
		"/new variant:solitaire pace:1d":      "you play alone and nobody waits for you",
		"/new lexicon:imaginary":              "lexicon can't be imaginary",
		"/new language:klingon":               "You can't play in klingon here",
		"/new seats:2 robots:easy,easy":       "Leave seats out, or invite fewer",
		"/new variant:duplicate order:random": "everybody plays at once",
		"/new thread:yes":                     "I can't open a thread here",
	} {
		if r := w.Does(bottest.People["ann"], line); !r.Refused || !strings.Contains(r.Text.String(), says) {
			t.Errorf("%s: refused is %t: %s, want %q", line, r.Refused, r.Text, says)
		}
	}
	if id, _, err := w.Config.Store.Table(t.Context(), featuretest.Parlour); id != 0 || err != nil {
		t.Errorf("table %d was opened, %v", id, err)
	}
}

// Settings of a place are shown with their defaults, and impossible ones are refused.
func TestPlaceSettingsAreShown(t *testing.T) {
	w := featuretest.New(t)
	for line, says := range map[string]string{
		"/settings for:channel theme:neon":        "theme can't be neon",
		"/settings for:channel theme:dark":        "No boards are drawn here",
		"/settings for:channel lexicon:imaginary": "Unknown word list imaginary.",
		"/settings for:channel language:klingon":  "You can't play in klingon here",
		"/settings for:channel rules:house":       "rules can't be house",
	} {
		featuretest.Wants(t, w.Manages(bottest.People["mod"], line), true, says)
	}
	// The challenge rule follows the rule set until it is set itself.
	for _, step := range []struct{ line, want string }{
		{"/settings for:channel", "challenge **single**"},
		{"/settings for:channel rules:rulebook", "challenge **void**"},
		{"/settings for:channel challenge:double", "challenge **double**"},
		{"/settings for:channel challenge:default", "challenge **void**"},
	} {
		if step.line != "/settings for:channel" {
			if r := w.Manages(bottest.People["mod"], step.line); r.Refused {
				t.Errorf("%s: %s", step.line, r.Text)
			}
		}
		shown := featuretest.Shown(w.Manages(bottest.People["mod"], "/settings for:channel").Text)
		if !strings.Contains(shown, step.want) {
			t.Errorf("after %s there is shown\n%s\nwant %q", step.line, shown, step.want)
		}
	}
}

// Orders to vote for are offered only during a vote.
func TestVotesAreOfferedOnlyDuringVote(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t)
		offers := func() (all []string) {
			for _, c := range w.Host.Complete(t.Context(), bot.Request{Channel: featuretest.Parlour, User: bottest.People["ann"], Command: "vote", Args: map[string]string{"order": ""}}, "order") {
				all = append(all, c.Value)
			}
			return all
		}
		w.Must("ann", "/new seats:3 order:voted")
		if got := offers(); len(got) > 0 {
			t.Errorf("before the vote there are offered %q", got)
		}
		w.Must("bob", "/join")
		w.Must("cat", "/join")
		if got := offers(); len(got) != 7 || got[6] != "any" {
			t.Errorf("in the vote there are offered %q", got)
		}
	})
}

// Whichever store call fails, what is shown and stored of a game is correct.
func TestShownAndStoredAtEachFault(t *testing.T) {
	noted := func(w *featuretest.World) {
		horn(w)
		w.Must("ann", "/note Bob has the Q")
	}
	for name, asks := range map[string]func(w *featuretest.World) (any, error){
		"games":     func(w *featuretest.World) (any, error) { return w.Host.Games(t.Context(), "test:ann") },
		"forgotten": func(w *featuretest.World) (any, error) { return "", w.Host.Forget(t.Context(), bottest.People["ann"]) },
	} {
		t.Run(name, func(t *testing.T) {
			featuretest.AtEachFault(t, noted, func(w *featuretest.World) (string, error) {
				v, err := asks(w)
				if err != nil {
					return "", err
				}
				b, err := json.Marshal(v)
				return string(b), err
			})
		})
	}
}

// turnOf matches whose turn it is in the second game, which is drawn.
var turnOf = regexp.MustCompile(`Cat and Dan: \w+'s turn`)

// Whichever store call fails while tables beside a game are opened and end, the channel's overview
// ends up correct.
func TestListsOfTablesAtEachFault(t *testing.T) {
	want := featuretest.SameAtEachFault(t, 1, func(t *testing.T, f *featuretest.Fault, at int) (last string) {
		w := featuretest.New(t, threads, f.Befalls)
		horn(w)
		f.Arm(at)
		stop := w.Goes()
		w.Insist(w.Request(bottest.People["cat"], "/new seats:2"))
		join := w.Request(bottest.People["dan"], "/join")
		join.Channel += "/request-r2"
		w.Insist(join)
		time.Sleep(10 * time.Minute)
		stop()
		for _, m := range w.Posts.Take() {
			if m.Channel == featuretest.Parlour && m.Standing == "games" {
				last = m.Text.String()
			}
		}
		return turnOf.ReplaceAllString(last, "Cat and Dan: a turn")
	})
	if !strings.Contains(want, "Cat and Dan: a turn") {
		t.Errorf("where nothing fails the list is %q", want)
	}
}
