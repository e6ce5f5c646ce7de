package competition_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/game/gametest"
)

// playing opens a tournament and enters some players.
func playing(t *testing.T, w *featuretest.World, line string, who ...string) {
	t.Helper()
	for _, does := range append([]string{"ann: " + line}, enters(who)...) {
		name, line, _ := strings.Cut(does, ": ")
		if r := w.Does(bottest.People[name], line); r.Refused {
			t.Fatalf("%s: %s", does, r.Text)
		}
	}
}

func enters(who []string) (all []string) {
	for _, name := range who {
		all = append(all, name+": /tournament join")
	}
	return all
}

// TestTwoHostsPairOnce checks that two hosts on one store, which get the same press at
// once, and a host that takes over from a killed one, pair a round once, with the same
// bytes.
func TestTwoHostsPairOnce(t *testing.T) {
	var stored []string
	for _, hosts := range []int{1, 2, 2} {
		synctest.Test(t, func(t *testing.T) {
			shared := memory.New()
			var all []*featuretest.World
			for range hosts {
				all = append(all, featuretest.New(t, featuretest.Asides(), func(c *host.Config) {
					c.Store, c.Notes, c.Name = shared, shared.Notes("host"), "h"+string(rune('0'+len(all)))
				}))
			}
			playing(t, all[0], "/tournament new name:Spring rounds:3", "bob", "cat", "dan", "eve", "fay")
			all[0].Does(bottest.People["ann"], "/tournament close")
			req := all[0].Request(bottest.People["ann"], "/tournament pair")
			var both sync.WaitGroup
			for _, w := range all {
				both.Go(func() { w.Host.Handle(t.Context(), req) })
			}
			both.Wait()
			b, err := shared.Notes("host").Get(t.Context(), "tournaments", "00000001")
			gametest.Must(t, err)
			if n := strings.Count(string(b), `"kind":"pair"`); n != 1 {
				t.Errorf("by %d hosts it is paired %d times", hosts, n)
			}
			_, contest, _ := strings.Cut(string(b), `"contest":`)
			contest, _, _ = strings.Cut(contest, `,"news"`)
			stored = append(stored, contest)
		})
	}
	if stored[0] == "" || stored[0] != stored[1] || stored[1] != stored[2] {
		t.Errorf("the pairings differ:\n%s", strings.Join(stored, "\n"))
	}
}

// TestTournamentSurvivesLosses checks that a tournament survives the loss of its channel,
// that a player who leaves the server is withdrawn, and that a manager of the server can
// replace a director who left.
func TestTournamentSurvivesLosses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t, featuretest.Asides())
		req := w.Request(bottest.People["ann"], "/tournament new name:Spring rounds:3")
		req.Home = "test:house"
		if r := w.Host.Handle(t.Context(), req); r.Refused {
			t.Fatal(r.Text)
		}
		for _, name := range []string{"bob", "cat", "dan", "eve"} {
			w.Does(bottest.People[name], "/tournament join")
		}
		w.Does(bottest.People["ann"], "/tournament close")
		gametest.Must(t, w.Host.MemberLeft(t.Context(), "test:house", bottest.People["eve"].ID))
		gametest.Must(t, w.Host.MemberLeft(t.Context(), "test:house", bottest.People["ann"].ID))
		pair := w.Request(bottest.People["mod"], "/tournament pair")
		pair.Manager = true
		r := w.Host.Handle(t.Context(), pair)
		if said := r.Text.String(); r.Refused || strings.Contains(said, "Eve") || !strings.Contains(said, "has a bye") {
			t.Errorf("whoever manages the server is told %q", said)
		}
		gametest.Must(t, w.Host.ChannelGone(t.Context(), featuretest.Parlour))
		pair = w.Request(bottest.People["mod"], "/tournament start")
		pair.Manager = true
		if r := w.Host.Handle(t.Context(), pair); r.Refused || !strings.Contains(r.Text.String(), "Its channel was removed") {
			t.Errorf("when the channel is gone: %s", r.Text)
		}
	})
}

// TestTournamentLosesChannel checks that a tournament whose channel is deleted during a
// round notifies its director, continues in private messages, and then in another channel
// that the director names.
func TestTournamentLosesChannel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, does := directed(t, 4, "tournament new name:Cup rounds:3 wait:never")
		for _, do := range []string{"close", "pair", "start"} {
			does("tournament " + do)
		}
		director := bot.User{ID: "test:director", Name: "Director"}
		l.Posts.Take()
		gametest.Must(t, l.Host.ChannelGone(t.Context(), featuretest.Parlour))
		l.Settle()
		if said := strings.Join(featuretest.Private(l.Posts.Take(), "Director"), "\n"); !strings.Contains(said, "Its channel was removed") || !strings.Contains(said, "/tournament move") {
			t.Errorf("the director is told %q", said)
		}
		in := func(who bot.User, line string) bot.Reply {
			req := l.Request(who, line)
			req.Channel = "test:other"
			return l.Host.Handle(t.Context(), req)
		}
		featuretest.Wants(t, in(l.People[0], "tournament move"), true, "None of your tournaments has lost its channel")
		featuretest.Wants(t, in(director, "tournament move"), false, "goes on in this channel")
		l.Settle()
		told := ""
		for _, m := range l.Posts.Take() {
			if m.Channel == "test:other" && m.To == nil {
				told += featuretest.Shown(m.Text)
			}
		}
		if !strings.Contains(told, "round 1 of 3. Whoever is named first") {
			t.Errorf("the new channel reads %q", told)
		}
		featuretest.Wants(t, in(director, "tournament forfeit name:P00"), false, "entered round 1")
		featuretest.Wants(t, in(l.People[1], "tournament"), false, "round 1 of 3")
		featuretest.Wants(t, in(director, "tournament move"), true, "There is a tournament in this channel already")
	})
}

// TestSeveralNamesInOption checks that a director's command applies to all people it
// names, or asks for one.
func TestSeveralNamesInOption(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, does := directed(t, 8, "tournament new name:Cup rounds:3 wait:never")
		for _, do := range []string{"close", "pair", "start"} {
			does("tournament " + do)
		}
		all := pairs(l)
		director := bot.User{ID: "test:director", Name: "Director"}
		about := func(line string, who ...bot.User) bot.Reply {
			req := l.Request(director, line)
			req.People = who
			return l.Host.Handle(t.Context(), req)
		}
		// Players from two tables each forfeit their game; two who meet each other both
		// forfeit.
		r := about("tournament forfeit", all[0][0], all[1][1])
		if said := featuretest.Shown(r.Text); r.Refused || strings.Count(said, "Director entered round 1") != 2 || strings.Contains(said, "–:–") {
			t.Errorf("two forfeit: %s", said)
		}
		featuretest.Wants(t, about("tournament forfeit", all[2][0], all[2][1]), false, "–:–")
		r = about("tournament withdraw", all[0][0], all[1][1])
		if said := featuretest.Shown(r.Text); strings.Count(said, "Director withdrew") != 2 {
			t.Errorf("two withdraw: %s", said)
		}
		featuretest.Wants(t, about("tournament result score:400-300", all[3][0], all[3][1]), true, "Name one at a time")
		featuretest.Wants(t, about("tournament forfeit name:"+all[3][1].Name, all[3][0]), false, "–:–")
		featuretest.Wants(t, about("tournament swap"), true, "Swap whom with whom?")
		featuretest.Wants(t, about("tournament enter", bottest.People["bob"], bottest.People["cat"]), true, "Name one at a time: Bob or Cat?")
	})
}

// TestSeatedPlayerGetsTableLink checks that a player who has sat down gets a link to the table, not the
// button to sit down.
func TestSeatedPlayerGetsTableLink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t, func(c *host.Config) {
			c.Platforms = func() []bot.Platform {
				return []bot.Platform{{Name: "test", Aside: featuretest.BesideThere, Link: func(_ context.Context, ch bot.ChannelID, _ string) string {
					return "https://play.example.org/" + string(ch)
				}}}
			}
		})
		w.Run()
		playing(t, w, "/tournament new name:Cup rounds:1 wait:10m", "bob", "cat")
		for _, do := range []string{"close", "pair", "start"} {
			w.Does(bottest.People["ann"], "/tournament "+do)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		offers := func() string {
			r := w.Does(bottest.People["bob"], "/tournament")
			said := r.Text.String()
			for _, b := range r.Buttons {
				said += "[" + b.Label.String() + "]"
			}
			return said
		}
		if said := offers(); !strings.Contains(said, "[Sit down]") || !strings.Contains(said, "Sit down by") {
			t.Errorf("before: %s", said)
		}
		var sit string
		for _, b := range w.Does(bottest.People["bob"], "/tournament").Buttons {
			if b.Label.String() == "Sit down" {
				sit = b.ID
			}
		}
		req, _ := bot.Request{ID: "sits", Channel: featuretest.Parlour, User: bottest.People["bob"]}.Press(sit)
		if r := w.Host.Handle(t.Context(), req); r.Refused {
			t.Fatal(r.Text)
		}
		if said := offers(); strings.Contains(said, "[Sit down]") || strings.Contains(said, "Sit down by") || !strings.Contains(said, "[To the table]") {
			t.Errorf("after: %s", said)
		}
	})
}

// TestEveryActionCanBeUndone checks that every action can be undone until the next round begins,
// and leaves no trace except in the log, which names who did it and who undid it. A
// co-director can do the same.
func TestEveryActionCanBeUndone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t, featuretest.Asides())
		does := func(who, line string) string {
			t.Helper()
			req := w.Request(bottest.People[who], line)
			if strings.Contains(line, "tournament director") {
				req.People = []bot.User{bottest.People["dan"]}
			}
			r := w.Host.Handle(t.Context(), req)
			if r.Refused {
				t.Fatalf("%s: %s: %s", who, line, r.Text)
			}
			return r.Text.String()
		}
		stands := func() string {
			t.Helper()
			b, err := w.Config.Notes.Get(t.Context(), "tournaments", "00000001")
			gametest.Must(t, err)
			var all map[string]any
			gametest.Must(t, json.Unmarshal(b, &all))
			for _, stays := range []string{"deeds", "reworded", "news", "told", "causes", "begun_at", "planned"} {
				delete(all, stays) // the log, and fields that are overwritten
			}
			if c, ok := all["contest"].(map[string]any); ok && c["rounds"] == nil {
				delete(c, "seed") // drawn when the first round is paired
			}
			b, _ = json.Marshal(all)
			return string(b)
		}
		undone := func(who, line, says string) {
			t.Helper()
			before := stands()
			does(who, line)
			if stands() == before {
				t.Errorf("%s changes nothing", line)
			}
			does(who, "/tournament undo")
			if after := stands(); after != before {
				t.Errorf("%s, undone:\n%s\nbefore it:\n%s", line, after, before)
			}
			if said, name := does("bob", "/tournament log"), bottest.People[who].Name; !strings.Contains(said, name+" undid "+says) || strings.Count(said, name) < 2 {
				t.Errorf("%s: the log says\n%s", line, said)
			}
		}
		does("ann", "/tournament new name:Spring rounds:3 wait:never")
		for _, name := range []string{"Gus", "Hal", "Ida", "Jo"} {
			does("ann", "/tournament enter name:"+name)
		}
		undone("ann", "/tournament director who:@dan", "adding a director")
		does("ann", "/tournament director who:@dan")
		undone("dan", "/tournament enter name:Kim", "an entry")
		undone("dan", "/tournament withdraw name:Gus", "a withdrawal")
		undone("dan", "/tournament off", "calling it off")
		undone("dan", "/tournament close", "closing the registration")
		does("dan", "/tournament close")
		undone("ann", "/tournament reopen", "opening the registration")
		undone("ann", "/tournament seed name:Jo / Gus", "the seeds")
		undone("dan", "/tournament pair", "the pairing of a round")
		does("dan", "/tournament pair method:by-hand name:Gus / Hal / Ida / Jo")
		undone("ann", "/tournament swap name:Hal / Ida", "a swap")
		undone("dan", "/tournament start", "the start of a round")
		does("dan", "/tournament start")
		undone("ann", "/tournament result name:Gus score:400-300", "round 1, Gus – Hal: 400:300")
		does("ann", "/tournament result name:Gus score:400-300")
		undone("dan", "/tournament result name:Gus score:410-300", "round 1, Gus – Hal: 410:300")
		for _, table := range []string{"1", "2"} {
			does("dan", "/tournament result table:"+table+" score:400-300")
		}
		undone("ann", "/tournament end", "the end")
		does("ann", "/tournament pair")
		does("ann", "/tournament start")
		before := stands()
		for _, line := range []string{"undo", "undo", "pair", "start"} {
			does("ann", "/tournament "+line)
		}
		if stands() != before {
			t.Errorf("paired anew as\n%s\nbefore as\n%s", stands(), before)
		}
	})
}

// TestLinkedPersonEntersOnce checks that a player can't enter a second time with a linked
// account.
func TestLinkedPersonEntersOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t, featuretest.Asides())
		playing(t, w, "/tournament new name:Spring", "bob")
		gametest.Must(t, w.Host.Same(t.Context(), bottest.People["bob"].ID, bottest.People["cat"].ID))
		if r := w.Does(bottest.People["cat"], "/tournament join"); !r.Refused || !strings.Contains(r.Text.String(), "under another name: Bob") {
			t.Errorf("they are told %s", r.Text)
		}
	})
}

// TestTournamentAfterRestart checks that another host completes what a stopped host began:
// the news of a round and its tables, each once.
func TestTournamentAfterRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := memory.New()
		same := func(c *host.Config) { c.Store, c.Notes = shared, shared.Notes("host") }
		w := featuretest.New(t, featuretest.Asides(), same)
		playing(t, w, "/tournament new name:Spring rounds:1 wait:never", "bob", "cat", "dan", "eve")
		for _, do := range []string{"close", "pair", "start"} {
			w.Does(bottest.People["ann"], "/tournament "+do)
		}
		// No loop has run yet, so nothing has been posted. Another host takes over.
		next := featuretest.New(t, featuretest.Asides(), same)
		next.Run()
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		said, stands := map[string]int{}, map[bot.PlayerID]string{}
		for _, m := range next.Posts.Take() {
			switch {
			case m.To != nil && m.Standing != "" && stands[m.To.ID] == m.Standing: // the director's message, which is edited
			case m.To != nil:
				stands[m.To.ID] = m.Standing
				said["private"]++
			case m.Channel == featuretest.Parlour:
				said["channel"]++
			default:
				said["tables"]++
			}
		}
		if said["private"] != 1 || said["channel"] != 1 || said["tables"] != 2 {
			t.Errorf("told were %v, want the director, 2 tables, and the channel's message", said)
		}
	})
}

// TestTournamentRefusals checks that each impossible request is refused with a sentence
// that says what to do.
func TestTournamentRefusals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t, featuretest.Asides())
		refused := func(who, line, want string) {
			t.Helper()
			if r := w.Does(bottest.People[who], line); !r.Refused || !strings.Contains(r.Text.String(), want) {
				t.Errorf("%s: %s: refused %v, %q, want %q", who, line, r.Refused, r.Text.String(), want)
			}
		}
		does := func(who, line string) bot.Reply {
			t.Helper()
			r := w.Does(bottest.People[who], line)
			if r.Refused {
				t.Fatalf("%s: %s: %s", who, line, r.Text)
			}
			return r
		}
		refused("bob", "/tournament join", "No tournament in this channel")
		refused("ann", "/tournament new name:"+strings.Repeat("x", 41), "too long")
		refused("ann", "/tournament new name:Spring rounds:abc", "takes a number from")
		refused("ann", "/tournament new name:Spring wait:soon", "can't read")
		refused("ann", "/tournament new name:Spring clock:soon", "clock")
		does("ann", "/tournament new name:Spring rounds:5")
		refused("bob", "/tournament new name:Other", "already")
		refused("ann", "/tournament close", "nobody has")
		does("bob", "/tournament join")
		refused("bob", "/tournament join", "has already entered Spring")
		refused("ann", "/tournament enter name:BOB", "There is another")
		refused("ann", "/tournament close", "It takes at least two, and one has")
		refused("bob", "/tournament close", "Only the director can do that")
		does("ann", "/tournament enter name:Gus")
		does("ann", "/tournament close")
		refused("cat", "/tournament join", "Registration for Spring is closed")
		refused("bob", "/tournament result score:400-380", "no game in a round that is open")
		refused("ann", "/tournament result name:Bob score:400-380", "hasn't started")
		refused("ann", "/tournament start", "No round is paired yet")
		does("ann", "/tournament pair")
		refused("ann", "/tournament pair", "Round 1 is paired")
		refused("ann", "/tournament result name:Bob score:400-380", "hasn't started")
		does("ann", "/tournament start")
		refused("ann", "/tournament result name:Bob score:abc", "How did it end?")
		refused("ann", "/tournament result name:Bob score:5000-1", "How did it end?")
		refused("ann", "/tournament result table:7 score:400-380", "no table")
		refused("cat", "/tournament export as:proof", "published when the tournament is over")
		refused("cat", "/tournament export as:pdf", "pdf")
		does("ann", "/tournament result name:Bob score:1400-380")
		does("ann", "/tournament export as:csv")
		// Two players who have met can only be paired again as a repeat, which Swiss allows
		// without a word; with one player left there is no pairing.
		does("ann", "/tournament withdraw name:Gus")
		refused("ann", "/tournament pair", "Fewer than two are left to play")
		refused("ann", "/tournament pair method:knockout", "Fewer than two are left to play")
	})
}

// TestDrawnKnockoutPlaysOn checks that a draw in a knock-out opens another game at the same
// table, whose winner advances.
func TestDrawnKnockoutPlaysOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t, featuretest.Asides())
		playing(t, w, "/tournament new name:Cup method:knockout wait:never", "bob", "cat")
		w.Run()
		for _, do := range []string{"close", "pair", "start", "result name:Bob score:400-400"} {
			if r := w.Does(bottest.People["ann"], "/tournament "+do); r.Refused {
				t.Fatalf("%s: %s", do, r.Text)
			}
		}
		time.Sleep(5 * time.Second)
		synctest.Wait()
		said := ""
		for _, m := range w.Posts.Take() {
			if m.Kind == "tournament table" {
				said += m.Text.String() + "\n"
			}
		}
		if !strings.Contains(said, "They drew, so this game decides.") {
			t.Errorf("at the table it says %q", said)
		}
		if r := w.Does(bottest.People["ann"], "/tournament pair"); !r.Refused || !strings.Contains(r.Text.String(), "Round 1 isn't over") {
			t.Errorf("after a draw: %s", r.Text)
		}
		if r := w.Does(bottest.People["ann"], "/tournament result name:Bob score:380-400"); r.Refused || !strings.Contains(r.Text.String(), "the knock-out has its winner") || len(r.Buttons) == 0 || strings.Contains(fmt.Sprint(r.Buttons), "Pair round") {
			t.Errorf("after another game: %s", r.Text)
		}
		if r := w.Does(bottest.People["ann"], "/tournament end"); r.Refused {
			t.Fatal(r.Text)
		}
		time.Sleep(5 * time.Second)
		synctest.Wait()
		won := false
		for _, m := range w.Posts.Take() {
			won = won || m.Channel == featuretest.Parlour && strings.Contains(m.Text.String(), "Cat wins")
		}
		if !won {
			t.Error("nobody is told who has won")
		}
	})
}

// directed opens a tournament of some people, and returns a function that sends its
// director's commands.
func directed(t *testing.T, people int, line string) (l *featuretest.Mortal, does func(line string) string) {
	l = featuretest.NewMortal(t, people, 5)
	director := bot.User{ID: "test:director", Name: "Director"}
	does = func(line string) string {
		t.Helper()
		r := l.Does(director, line)
		l.Settle()
		if r.Refused {
			return "refused: " + featuretest.Shown(r.Text)
		}
		return featuretest.Shown(r.Text)
	}
	if said := does(line); strings.HasPrefix(said, "refused") {
		t.Fatal(said)
	}
	for _, u := range l.People {
		if r := l.Does(u, "tournament join"); r.Refused {
			t.Fatal(r.Text)
		}
	}
	return l, does
}

// A heldStore keeps the updates of a request waiting in a channel that isn't the parlour.
type heldStore struct {
	bot.Store
	request string
	until   chan struct{}
}

func (s heldStore) Update(ctx context.Context, ch bot.ChannelID, request string, fn func(*bot.Room) error) error {
	if request == s.request && ch != featuretest.Parlour {
		<-s.until
	}
	return s.Store.Update(ctx, ch, request, fn)
}

// TestBothSitDownAtOnce checks that two opponents who press the button at the same moment both get
// their seat, if the one whom the tournament noted last opens the table.
func TestBothSitDownAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		held := &heldStore{until: make(chan struct{})}
		w := featuretest.New(t, featuretest.Asides(), func(c *host.Config) {
			held.Store = c.Store
			c.Store = held
		})
		defer w.Run()()
		playing(t, w, "/tournament new name:Cup rounds:1 wait:never", "bob", "cat")
		for _, do := range []string{"close", "pair", "start"} {
			w.Does(bottest.People["ann"], "/tournament "+do)
		}
		time.Sleep(time.Minute) // the table's thread opens
		sits := func(name string) bot.Request {
			req := w.Request(bottest.People[name], "/tournament")
			req.Args = map[string]string{"do": "sit", "e": "1", "r": "1", "p": "1"}
			return req
		}
		first, second := sits("bob"), sits("cat")
		held.request = first.ID
		var both sync.WaitGroup
		both.Go(func() { featuretest.Wants(t, w.Host.Handle(t.Context(), first), false, "Your rack") })
		synctest.Wait()
		featuretest.Wants(t, w.Host.Handle(t.Context(), second), false, "You have sat down")
		close(held.until)
		both.Wait()
	})
}

// played returns the games of the tournament: first player, second player, result.
func played(l *featuretest.Mortal) (all []string) {
	for _, row := range featuretest.CSV(l.T, l.Does(l.People[0], "tournament export as:csv"), "-games.csv") {
		all = append(all, strings.Join(row[3:], ","))
	}
	return all
}

// TestDirectorsResultOfRunningGame checks that a result entered for a running game is
// announced at its table. The game then no longer counts, nor does it count as the next
// game of the match. If the result is undone, it counts again with the result it had in the
// meantime.
func TestDirectorsResultOfRunningGame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, does := directed(t, 2, "tournament new name:Cup games:3 pace:3d wait:never")
		for _, do := range []string{"close", "pair", "start"} {
			does("tournament " + do)
		}
		for _, u := range l.People {
			l.Presses(u, l.Does(u, "tournament"), "Sit down")
		}
		l.Settle()
		games := l.Games(l.People[0])
		if len(games) != 1 {
			t.Fatalf("%d games are on", len(games))
		}
		l.Posts.Take()
		does("tournament result name:P00 score:400-300")
		told := ""
		for _, m := range l.Posts.Take() {
			if m.Channel == games[0].Channel {
				told += featuretest.Shown(m.Text)
			}
		}
		if !strings.Contains(told, "P00") || !strings.Contains(told, "P01") || !strings.Contains(told, "Director entered") || !strings.Contains(told, "doesn't count for the tournament any more") {
			t.Errorf("at the table it says %q", told)
		}
		l.Resigns(l.People[0], games[0])
		l.Settle()
		if all := played(l); strings.Count(strings.Join(all, " "), "open") != 2 {
			t.Errorf("the game that was on counts for another: %q", all)
		}
		does("tournament undo")
		if all := played(l); !strings.Contains(all[0], "forfeit") || !strings.HasSuffix(all[0], ",P01") || strings.Count(strings.Join(all, " "), "open") != 2 {
			t.Errorf("when the result is taken back: %q", all)
		}
	})
}

// TestMessageFollowsUndo checks that the channel's message shows how the tournament stands after an
// undo, even of calling it off during a round.
func TestMessageFollowsUndo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, does := directed(t, 2, "tournament new name:Spring pace:3d wait:never")
		shows := func(do, want string) {
			t.Helper()
			does("tournament " + do)
			last := ""
			for _, m := range l.Posts.Take() {
				if m.Standing == "tournament 1" {
					last = featuretest.Shown(m.Text)
				}
			}
			if !strings.Contains(last, want) {
				t.Errorf("after %s the message says %q, want %q", do, last, want)
			}
		}
		shows("close", "registration is closed")
		shows("undo", "enter with the button")
		does("tournament close")
		does("tournament pair")
		shows("start", "round 1")
		shows("undo", "registration is closed")
		does("tournament pair")
		shows("start", "round 1")
		shows("off", "was called off")
		shows("undo", "round 1")
	})
}

// TestSeedsByHand checks that seeds decide the pairings of a knock-out, until they are
// undone.
func TestSeedsByHand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, does := directed(t, 4, "tournament new name:Cup method:knockout wait:never")
		if said := does("tournament seed"); !strings.Contains(said, "Who is seeded?") {
			t.Error(said)
		}
		if said := does("tournament seed name:P03 / P03"); !strings.Contains(said, "P03 is named twice") {
			t.Error(said)
		}
		if said := does("tournament seed name:P03 / Gus"); !strings.Contains(said, "isn't in **Cup**") {
			t.Error(said)
		}
		if said := does("tournament seed name:P03 / P01 / P02 / P00"); !strings.Contains(said, "set the seeds: P03, P01, P02 and P00") || !strings.Contains(said, "P03 (seed 1)") {
			t.Error(said)
		}
		does("tournament close")
		said := does("tournament pair")
		for _, both := range [][2]string{{"P03", "P00"}, {"P01", "P02"}} {
			if !strings.Contains(said, both[0]+" – "+both[1]) && !strings.Contains(said, both[1]+" – "+both[0]) {
				t.Errorf("%v don't meet:\n%s", both, said)
			}
		}
		if said := does("tournament seed name:P00"); !strings.Contains(said, "before the first round is paired") {
			t.Error(said)
		}
		for range 3 { // undoes the pairing, the closing and the seeds
			said = does("tournament undo")
		}
		if !strings.Contains(said, "undid the seeds") || strings.Contains(said, "(seed") {
			t.Errorf("after undoing: %s", said)
		}
	})
}

// TestTournamentsOfAnySize checks that one player can't be paired, and that two or three
// can play.
func TestTournamentsOfAnySize(t *testing.T) {
	for _, n := range []int{1, 2, 3} {
		synctest.Test(t, func(t *testing.T) {
			w := featuretest.New(t, featuretest.Asides())
			playing(t, w, "/tournament new name:Small rounds:3")
			for i := range n {
				if r := w.Does(bottest.People["ann"], fmt.Sprintf("/tournament enter name:P%d", i)); r.Refused {
					t.Fatal(r.Text)
				}
			}
			r := w.Does(bottest.People["ann"], "/tournament close")
			if n < 2 {
				if !r.Refused || !strings.Contains(r.Text.String(), "It takes at least two") {
					t.Errorf("%d close: %s", n, r.Text)
				}
				return
			}
			r = w.Does(bottest.People["ann"], "/tournament pair")
			if said := r.Text.String(); r.Refused || strings.Contains(said, "has a bye") != (n == 3) {
				t.Errorf("%d are paired as %s", n, said)
			}
			if r := w.Does(bottest.People["ann"], "/tournament start"); r.Refused {
				t.Error(r.Text)
			}
		})
	}
}

// TestConcurrentLooksAnnounceRoundOnce checks that concurrent looks at a tournament announce the end of a
// round once to the channel and once to the director.
func TestConcurrentLooksAnnounceRoundOnce(t *testing.T) {
	for seed := range uint64(60) {
		synctest.Test(t, func(t *testing.T) {
			luck := featuretest.NewLuck(seed)
			luck.Dawdles()
			sc := featuretest.NewScene(t, luck.Befalls)
			got := sc.Play(`> ann: /tournament new name:Spring rounds:1 clock:15m
> bob: /tournament join
> cat: /tournament join
> dan: /tournament join
> eve: /tournament join
> ann: /tournament close
> ann: /tournament pair
= wait 1m
> ann presses Start round 1
= wait 16m
> ann presses Forfeit 2 games
= wait 1h
`)
			if n := strings.Count(got, "round 1 of 1 is over"); n != 3 { // including the answer
				t.Errorf("seed %d: told %d times, not once in the channel and once to the director:\n%s", seed, n, got)
			}
		})
	}
}

// TestTeamPlayersComeAndGo checks that a player can leave a team without affecting the
// others, and that only the change to that player is undone.
func TestTeamPlayersComeAndGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t, featuretest.Asides())
		people := bottest.People
		does := func(who, line string, about ...string) bot.Reply {
			req := w.Request(people[who], line)
			for _, name := range about {
				req.People = append(req.People, people[name])
			}
			return w.Host.Handle(t.Context(), req)
		}
		does("ann", "/tournament new name:Spring boards:2")
		does("bob", "/tournament join team:Lions")
		does("cat", "/tournament join team:Lions")
		does("dan", "/tournament join team:Owls")
		teams := func(want string) {
			t.Helper()
			var got []string
			for line := range strings.Lines(featuretest.Shown(does("ann", "/tournament").Text)) {
				if strings.Contains(line, "Lions") || strings.Contains(line, "Owls") {
					got = append(got, strings.ReplaceAll(strings.TrimSpace(line), "*", ""))
				}
			}
			if all := strings.Join(got, " / "); all != want {
				t.Errorf("the teams are %s, want %s", all, want)
			}
		}
		teams("1. Lions: Bob and Cat / 2. Owls: Dan")
		featuretest.Wants(t, does("bob", "/tournament leave"), false, "Bob has withdrawn from Spring")
		teams("1. Lions: Cat / 2. Owls: Dan")
		does("ann", "/tournament undo")
		teams("1. Lions: Cat and Bob / 2. Owls: Dan")
		does("ann", "/tournament enter team:Owls", "eve")
		teams("1. Lions: Cat and Bob / 2. Owls: Dan and Eve")
		does("ann", "/tournament undo")
		teams("1. Lions: Cat and Bob / 2. Owls: Dan")
		gametest.Must(t, w.Host.MemberLeft(t.Context(), "", people["cat"].ID))
		teams("1. Lions: Bob / 2. Owls: Dan")
		featuretest.Wants(t, does("dan", "/tournament leave"), false, "Owls has withdrawn from Spring")
		featuretest.Wants(t, does("eve", "/tournament join team:Owls"), true, "Owls has withdrawn. The director can take them back")
	})
}

// TestTeamLosesPlayerInRound checks that a board stays empty when a player leaves a team
// during a round, and that the tournament continues.
func TestTeamLosesPlayerInRound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := featuretest.New(t, featuretest.Asides())
		w.Run()
		for _, does := range []string{
			"ann: /tournament new name:Spring boards:2 method:round-robin", "bob: /tournament join team:Lions", "cat: /tournament join team:Lions",
			"dan: /tournament join team:Owls", "eve: /tournament join team:Owls", "ann: /tournament close", "ann: /tournament pair", "ann: /tournament start",
		} {
			name, line, _ := strings.Cut(does, ": ")
			w.Must(name, line)
		}
		time.Sleep(time.Minute)
		w.Must("cat", "/tournament leave")
		time.Sleep(time.Hour)
		synctest.Wait()
		w.Must("bob", "/tournament")
		w.Must("ann", "/tournament")
		w.Must("ann", "/tournament export")
		w.Must("ann", "/tournament undo")
		w.Must("ann", "/tournament forfeit who:eve")
		if strings.Contains(w.Log.String(), "panic") {
			t.Errorf("the log says\n%s", w.Log.String())
		}
	})
}
