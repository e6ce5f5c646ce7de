package play_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// An overviewWorld is a channel with a game between Ann and Bob, where tables beside it have
// addresses.
type overviewWorld struct{ *featuretest.World }

const (
	awhile   = 2 * time.Minute
	own      = "Ann and Bob: Bob's turn"
	noGame   = "No game is on here. /new opens one."
	switched = "Games aren't listed here any more. /settings for:channel overview:on brings the list back."
)

func newOverviews(t *testing.T) overviewWorld {
	w := featuretest.New(t, threads, func(c *host.Config) {
		at := c.Platforms()
		at[0].Link = func(_ context.Context, ch bot.ChannelID, _ string) string {
			if ch != featuretest.Parlour {
				return "https://example.com/board"
			}
			return ""
		}
		c.Platforms = func() []bot.Platform { return at }
	})
	gametest.Must(t, w.Config.Notes.Put(t.Context(), "homes", string(featuretest.Parlour), []byte("test:house")))
	horn(w)
	w.Goes()
	return overviewWorld{w}
}

// opens opens a table beside the game, and returns its thread.
func (w overviewWorld) opens(who bot.User, line string) bot.ChannelID {
	w.T.Helper()
	thread := w.nextThread()
	if r := w.Does(who, line); r.Refused {
		w.T.Fatal(r.Text)
	}
	return thread
}

// nextThread returns the thread of a table that the next command opens.
func (w overviewWorld) nextThread() bot.ChannelID {
	return bot.ChannelID(fmt.Sprintf("%s/request-r%d", featuretest.Parlour, w.IDs+1))
}

// does carries out a typed command in a channel.
func (w overviewWorld) does(ch bot.ChannelID, who, line string) {
	w.T.Helper()
	if r := w.On(ch, bottest.People[who], line); r.Refused {
		w.T.Fatalf("%s: %s", line, r.Text)
	}
}

// resigns ends a player's game without the question.
func (w overviewWorld) resigns(ch bot.ChannelID, who string, id bot.TableID) {
	w.T.Helper()
	req := w.Request(bottest.People[who], "/resign")
	req.Channel, req.Table = ch, id
	if r := w.Host.Handle(w.T.Context(), req); r.Refused {
		w.T.Fatal(r.Text)
	}
}

// taken waits for a time and returns the overviews posted since the last call.
func (w overviewWorld) taken(wait time.Duration) (texts []string) {
	w.T.Helper()
	time.Sleep(wait)
	synctest.Wait()
	for _, m := range w.Posts.Take() {
		if m.Standing != "games" {
			continue
		}
		if m.Channel != featuretest.Parlour || !m.Quiet || m.Anew || m.Text.Calls() {
			w.T.Errorf("an overview in %s can notify people: %+v", m.Channel, m)
		}
		said, _, _ := strings.Cut(featuretest.Plainly(m.Text), "\nMost games won")
		texts = append(texts, strings.TrimPrefix(said, "Games here\n"))
	}
	return texts
}

// wants waits and compares the overviews posted meanwhile.
func (w overviewWorld) wants(when string, want ...string) {
	w.T.Helper()
	if got := w.taken(awhile); !slices.Equal(got, want) {
		w.T.Errorf("%s the overviews are %q, want %q", when, got, want)
	}
}

// A channel's overview comes with its second table. It says whose turn it is at each, links boards
// that have an address, and leaves out finished and deserted tables and those it has no room for.
func TestOverview(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newOverviews(t)
		const board = " · open the board"
		w.wants("with one game")
		cats := w.opens(bottest.People["cat"], "/new seats:2")
		w.wants("when a table is opened", own+"\nWaiting for players: Cat"+board)
		w.does(cats, "dan", "/join")
		s, _ := w.Replayed(cats)
		names := [2]string{s.Seats[s.Turn].Person.Name, s.Seats[1-s.Turn].Person.Name}
		theirs := func(k int) string { return fmt.Sprintf("%s\nCat and Dan: %s's turn%s", own, names[k], board) }
		w.wants("when its game begins", theirs(0))
		w.does(cats, strings.ToLower(names[0]), "/pass")
		w.wants("when the turn passes", theirs(1))
		w.does(cats, "cat", "/note a Q is out")
		w.does(cats, "dan", "/board")
		w.wants("while people look")
		w.resigns(cats, "cat", 2)
		w.wants("when the second game ends", own)

		list := []string{own}
		for i := range 40 {
			w.opens(bot.User{ID: game.PlayerID(fmt.Sprint("test:p", i)), Name: fmt.Sprint("P", i)}, "/new seats:2")
			list = append(list, fmt.Sprint("Waiting for players: P", i, board))
		}
		const fit = 26
		got := w.taken(awhile)
		if want := strings.Join(list[:fit], "\n") + fmt.Sprintf("\nand %d more.", len(list)-fit); len(got) == 0 || got[len(got)-1] != want {
			t.Errorf("when forty open at once the overviews are %q, want at last %q", got, want)
		}
		w.taken(24 * time.Hour)
		zed := bot.User{ID: "test:z", Name: "Zed"}
		zeds := w.opens(zed, "/new seats:2")
		w.wants("a day later", own+"\nWaiting for players: Zed"+board)
		w.resigns(featuretest.Parlour, "bob", 1)
		w.wants("when the channel's own game ends", "Waiting for players: Zed"+board)
		if r := w.On(zeds, zed, "/leave"); r.Refused {
			t.Fatal(r.Text)
		}
		w.wants("when the last table closes", noGame)
	})
}

// A game of a league, which the season's message lists, isn't in the overview, unless the season has
// ended before it.
func TestOverviewLeavesOutLeagues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newOverviews(t)
		plays := func(ch bot.ChannelID, row string) {
			t.Helper()
			gametest.Must(t, w.Config.Notes.Put(t.Context(), "league places", string(ch), []byte(row)))
		}
		league := w.nextThread()
		plays(league, `{"v":1,"no":1,"season":1,"round":0,"pairing":0}`)
		w.opens(bottest.People["cat"], "/new seats:2")
		w.does(league, "dan", "/join")
		w.wants("with a game of a league beside another")
		w.opens(bot.User{ID: "test:eve", Name: "Eve"}, "/new seats:2")
		w.wants("with another table", own+"\nWaiting for players: Eve · open the board")
		s, _ := w.Replayed(league)
		w.does(league, strings.ToLower(s.Seats[s.Turn].Person.Name), "/pass")
		w.wants("when the turn passes in the league")
		plays(league, `{"v":1,"no":1,"season":1,"round":0,"pairing":0,"late":true}`)
		w.does(league, strings.ToLower(s.Seats[1-s.Turn].Person.Name), "/pass")
		w.wants("when the season is over", fmt.Sprintf("%s\nCat and Dan: %s's turn · open the board\nWaiting for players: Eve · open the board", own, s.Seats[s.Turn].Person.Name))
	})
}

// The overview has a button for today's board in a channel where one is posted each day.
func TestOverviewHasTodaysBoard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newOverviews(t)
		sets := func(line string) (today bot.Button) {
			t.Helper()
			req := w.Request(bottest.People["mod"], line)
			req.Manager, req.Home = true, "test:house"
			if r := w.Host.Handle(t.Context(), req); r.Refused {
				t.Fatal(r.Text)
			}
			w.opens(bot.User{ID: game.PlayerID("test:" + req.ID), Name: "Eve"}, "/new seats:2")
			time.Sleep(awhile)
			synctest.Wait()
			for _, m := range w.Posts.Take() {
				if m.Standing != "games" {
					continue
				}
				today = bot.Button{}
				for _, b := range m.Buttons {
					today = b
				}
			}
			return today
		}
		if b := sets("/settings for:channel overview:on"); b.ID != "" {
			t.Errorf("without a daily board there is %s", b.Label)
		}
		b := sets("/settings for:channel daily:9:00 zone:Europe/Berlin")
		if featuretest.Plainly(b.Label) != "Today's board" {
			t.Fatalf("with a daily board there is %q", b.Label)
		}
		req, ok := w.Request(bottest.People["cat"], "/board").Press(b.ID)
		if r := w.Host.Handle(t.Context(), req); !ok || !strings.Contains(featuretest.Plainly(r.Text), "Board") {
			t.Errorf("it answers %q", r.Text)
		}
		if b := sets("/settings for:channel daily:off"); b.ID != "" {
			t.Errorf("without a daily board there is again %s", b.Label)
		}
	})
}

// However fast people come and go, an overview is edited at most once a minute, and ends up right.
func TestOverviewOnceAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newOverviews(t)
		cats := w.opens(bottest.People["cat"], "/new seats:3")
		w.taken(awhile)
		for i := range 31 {
			w.does(cats, "dan", []string{"/join", "/leave"}[i%2])
			time.Sleep(7 * time.Second)
		}
		got := w.taken(awhile)
		if len(got) < 3 || len(got) > 5 {
			t.Errorf("31 changes in three and a half minutes made %d edits", len(got))
		}
		if len(got) == 0 || !strings.Contains(got[len(got)-1], "Waiting for players: Cat and Dan") {
			t.Errorf("Dan has come back, and the overviews are %q", got)
		}
	})
}

// A place can have its overview always or never. What is set for a server holds in its channels.
func TestOverviewSetting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newOverviews(t)
		sets := func(line string) {
			t.Helper()
			req := w.Request(bottest.People["mod"], line)
			req.Manager, req.Home = true, "test:house"
			if r := w.Host.Handle(t.Context(), req); r.Refused {
				t.Fatal(r.Text)
			}
		}
		sets("/settings for:channel overview:on")
		w.wants("when it is switched on", own)
		sets("/settings for:channel overview:off")
		w.wants("when it is switched off", switched)
		cats := w.opens(bottest.People["cat"], "/new seats:2")
		w.wants("while it is off")
		sets("/settings for:channel overview:default")
		w.wants("when it isn't set any more", own+"\nWaiting for players: Cat · open the board")
		sets("/settings for:server overview:off")
		w.wants("when the server switches it off", switched)
		w.does(cats, "dan", "/join")
		w.wants("while the server has it off")
	})
}

// The overview lists the best of the month. Somebody who is erased disappears from it.
func TestOverviewOfTheMonth(t *testing.T) {
	log := featuretest.GameOver(t)
	synctest.Test(t, func(t *testing.T) {
		w := newOverviews(t)
		latest := func() (all string) {
			time.Sleep(2 * awhile)
			synctest.Wait()
			for _, m := range w.Posts.Take() {
				if m.Standing == "games" {
					all = m.Text.In(nil).String()
				}
			}
			return all
		}
		cats := w.opens(bottest.People["cat"], "/new seats:2")
		if said := latest(); strings.Contains(said, "Most games won") {
			t.Errorf("nobody has won, and the overview is\n%s", said)
		}
		const den = bot.ChannelID("test:den")
		log := slices.Clone(log)
		for i := range log {
			log[i].At = time.Now().UTC()
		}
		gametest.Must(t, w.Config.Notes.Put(t.Context(), "homes", string(den), []byte("test:house")))
		gametest.Must(t, w.Config.Store.Update(t.Context(), den, "", func(r *bot.Room) error {
			r.Append, r.Timers = log, []bot.Timer{{At: time.Now(), Kind: "record"}}
			return nil
		}))
		time.Sleep(time.Second)
		w.does(cats, "dan", "/join")
		s, _ := w.Replayed(den)
		first, second := s.Seats[s.End.Winners[0]].Person, s.Seats[1-s.End.Winners[0]].Person
		said := latest()
		if _, month, _ := strings.Cut(said, "Most games won in January 2000:\n"); !strings.HasPrefix(month, " 1. "+first.Name+"  1 of 1") || !strings.Contains(month, "\n 2. "+second.Name+"  0 of 1") {
			t.Errorf("%s has won, and the overview is\n%s", first.Name, said)
		}
		gametest.Must(t, w.Host.Forget(t.Context(), bot.User(second)))
		if said := latest(); !strings.Contains(said, "1. "+first.Name) || strings.Contains(said, "2. ") {
			t.Errorf("%s is erased, and the overview is\n%s", second.Name, said)
		}
		rows, err := w.Config.Notes.Scan(t.Context(), "overview", "", "", 10)
		if err != nil || len(rows) != 1 {
			t.Fatalf("there are %d rows of overviews: %v", len(rows), err)
		}
		gametest.Must(t, w.Host.ChannelGone(t.Context(), featuretest.Parlour))
		if rows, err = w.Config.Notes.Scan(t.Context(), "overview", "", "", 10); err != nil || len(rows) != 0 {
			t.Errorf("the channel is gone, and the row stays: %v", err)
		}
	})
}
