package daily_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/feature/daily"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/puzzle"
	"github.com/rackmate/rackmate/lexicon"
)

// messages returns the posted day messages and the edits of them.
func (w *world) messages() (posted, edited []bot.Message) {
	for _, m := range w.Posts.All() {
		switch {
		case m.Standing != "daily":
		case m.Anew:
			posted = append(posted, m)
		default:
			edited = append(edited, m)
		}
	}
	return posted, edited
}

// Each mistake in the settings gets one clear answer.
func TestDailySettingErrors(t *testing.T) {
	featuretest.InSpring(t, func(t *testing.T) {
		w := newWorld(t)
		w.Run()
		mod := bottest.People["mod"]
		for _, c := range []struct {
			line, want string
		}{
			{"settings for:channel daily:25:00 zone:Europe/Berlin", "isn't a time of day"},
			{"settings for:channel daily:9", "Which time zone is this channel in?"},
			{"settings for:channel daily:9 zone:Mars/Base", "I don't know the time zone"},
			{"settings for:server daily:9", "posted in one channel"},
			{"settings daily:9", "can be call or off"},
			{"settings for:channel daily:9 pace:3d", "Set daily by itself"},
		} {
			featuretest.Wants(t, w.Manages(mod, c.line), true, c.want)
		}
		featuretest.Wants(t, w.Does(bottest.People["ann"], "settings for:channel daily:9:00 zone:Europe/Berlin"), true, "Only managers of this")
		featuretest.Wants(t, w.Manages(mod, "settings for:channel daily:9:00 zone:Europe/Berlin"), false, "at 9:00, Europe/Berlin", "open until 10 Mar 08:00 UTC")
		// The other manager changes the hour right away: today's end stays.
		featuretest.Wants(t, w.Manages(bottest.People["dan"], "settings for:channel daily:21:00 zone:Europe/Berlin"), false, "at 21:00", "Today's stays open until 10 Mar 08:00 UTC")
		time.Sleep(24 * time.Hour)
		synctest.Wait()
		if posted, _ := w.messages(); len(posted) != 2 || !strings.Contains(posted[1].Text.String(), "until 11 Mar 20:00 UTC") {
			t.Errorf("there are %d messages", len(posted))
		}
		// A place that moves in the afternoon keeps the end of its day.
		featuretest.Wants(t, w.Manages(mod, "settings for:channel zone:America/New_York"), false, "America/New_York")
		featuretest.Wants(t, w.Does(bottest.People["ann"], "daily"), false, "until 11 Mar 20:00 UTC")
		time.Sleep(32*time.Hour + time.Minute)
		synctest.Wait()
		featuretest.Wants(t, w.Does(bottest.People["ann"], "daily"), false, "until 13 Mar 01:00 UTC")
		featuretest.Wants(t, w.Manages(mod, "settings for:channel daily:off"), false, "No daily board is posted here any more")
		before, _ := w.messages()
		time.Sleep(72 * time.Hour)
		synctest.Wait()
		if after, _ := w.messages(); len(after) != len(before) {
			t.Errorf("%d messages came after it was turned off", len(after)-len(before))
		}
		featuretest.Wants(t, w.Does(bottest.People["ann"], "daily"), false, "Board 7") // it can still be played
	})
}

// A try is recorded once for each request and costs one of six; an illegal play costs none.
func TestDailyTryCostsOneOfSix(t *testing.T) {
	featuretest.InSpring(t, func(t *testing.T) {
		w := newWorld(t)
		w.Run()
		w.Manages(bottest.People["mod"], "settings for:channel daily:9:00 zone:Europe/Berlin")
		ann := bottest.People["ann"]
		featuretest.Wants(t, w.Does(ann, "daily"), false, "You have six tries, until")
		plays := w.Plays(ann)
		if len(plays) < 8 {
			t.Fatalf("there are %d plays: %v", len(plays), plays)
		}
		featuretest.Wants(t, w.Does(ann, "daily qqq 8h"), true)
		featuretest.Wants(t, w.Does(ann, "daily do:nonsense"), true, "do")
		var req bot.Request
		first := bot.Reply{Refused: true}
		for first.Refused {
			req = w.Request(ann, "daily "+plays[0])
			if first = w.Host.Handle(t.Context(), req); first.Refused {
				featuretest.Wants(t, first, true, "That cost you no try")
				plays = plays[1:]
			}
		}
		if again := w.Host.Handle(t.Context(), req); again.Text.String() != first.Text.String() {
			t.Errorf("the same request again: %s; first %s", again.Text, first.Text)
		}
		featuretest.Wants(t, w.Does(ann, "daily "+plays[0]), false, "You had tried that already")
		tries := 1
		for _, play := range plays[1:] {
			r := w.Does(ann, "daily "+play)
			if strings.Contains(r.Text.String(), "not in the word list") {
				featuretest.Wants(t, r, true, "That cost you no try")
				continue
			}
			if tries++; tries > 6 {
				featuretest.Wants(t, r, true, "all your tries")
				break
			}
			featuretest.Wants(t, r, false, "scores")
		}
		if tries < 6 {
			t.Errorf("there were %d tries", tries)
		}
		share := w.Does(ann, "daily do:share")
		said := share.Text.String()
		if n := len([]rune(said[strings.IndexByte(said, '\n')+1:])); n > 280 {
			t.Errorf("the text to share has %d characters: %s", n, said)
		}
		for _, play := range plays {
			if _, at, _ := strings.Cut(play, " "); strings.Contains(said, at) {
				t.Errorf("what is shared has %s: %s", play, said)
			}
		}
		// An old button says that its board is over.
		old := w.Request(ann, "daily "+plays[0])
		old.Number = 1
		featuretest.Wants(t, w.Host.Handle(t.Context(), old), true, "That board is over")
		// So does a button of a version that had games.
		featuretest.Wants(t, w.Does(ann, "daily do:skip"), true, "out of date")
	})
}

// While a day is open the host reveals its best play only to people who have found it, and people
// with tries left can't look up the rack.
func TestDailyAnswerStaysHidden(t *testing.T) {
	featuretest.InSpring(t, func(t *testing.T) {
		w := newWorld(t, featuretest.Pictures(t))
		w.Run()
		w.Manages(bottest.People["mod"], "settings for:channel daily:9:00 zone:Europe/Berlin")
		synctest.Wait()
		ann, bob := bottest.People["ann"], bottest.People["bob"]
		shown := w.Does(ann, "daily")
		rack := strings.ReplaceAll(featuretest.TextBetween(shown.Text.String(), "Your rack: ", "."), " ", "")
		featuretest.Wants(t, w.Does(ann, "anagram "+rack), true, "That is today's rack")
		featuretest.Wants(t, w.Does(ann, "anagram "+rack[1:]+"?"), true, "That is today's rack")
		featuretest.Wants(t, w.Does(ann, "pattern *"+rack[:6]), true, "That is today's rack")
		featuretest.Wants(t, w.Does(ann, "anagram aeinrst"), false)
		w.Tries(ann, 0)
		w.Tries(bob, 1)
		heard := []string{shown.Text.String(), w.Log.String(), shown.Picture.Alt.String()}
		for _, r := range []bot.Reply{w.Does(ann, "daily"), w.Does(ann, "daily do:share")} {
			heard = append(heard, r.Text.String(), r.Picture.Alt.String())
			for _, b := range r.Buttons {
				heard = append(heard, b.ID)
			}
		}
		refused := w.Does(ann, "daily do:proof")
		featuretest.Wants(t, refused, true, "No results yet")
		rows := daysKept(t, w)
		posted, edited := w.messages()
		time.Sleep(24 * time.Hour)
		synctest.Wait()
		after, _ := w.messages()
		best := featuretest.TextBetween(after[len(after)-1].Text.String(), "the best play was ", " for ")
		word, at, _ := strings.Cut(best, " at ")
		for _, m := range append(posted, edited...) {
			heard = append(heard, m.Text.String())
			for _, b := range m.Buttons {
				heard = append(heard, b.ID)
			}
		}
		for _, said := range append(heard, rows...) {
			if strings.Contains(said, word+" ") && strings.Contains(said, at) || strings.Contains(said, at+" "+word) {
				t.Errorf("%s at %s is in %s", word, at, said)
			}
		}
		// The day after anybody can make the position again.
		r := w.Does(ann, "daily do:proof")
		proof, err := puzzle.ParseProof(r.Files[0].Data)
		if err != nil || !strings.Contains(proof.Position, at+" "+word) {
			t.Errorf("the proof is %s (%v)", r.Files[0].Data, err)
		}
		if posted[0].Text.String() == "" || proof.Number != 68 {
			t.Errorf("the proof is of day %d", proof.Number)
		}
		second := w.Does(ann, "daily do:results")
		featuretest.Wants(t, second, false, "Board 68: the best play was "+best)
	})
}

// daysKept returns all stored rows of daily boards as text.
func daysKept(t *testing.T, w *world) (all []string) {
	t.Helper()
	for _, shelf := range []string{"daily-places", "daily-days", "daily-answers", "daily-players"} {
		rows, err := w.Config.Notes.Scan(t.Context(), shelf, "", "", 1000)
		gametest.Must(t, err)
		for _, r := range rows {
			all = append(all, string(r.Value))
		}
	}
	return all
}

// A channel without players is asked once, and then left alone until a person presses the button.
func TestDailyStopsWithoutPlayers(t *testing.T) {
	featuretest.InSpring(t, func(t *testing.T) {
		w := newWorld(t)
		w.Run()
		w.Manages(bottest.People["mod"], "settings for:channel daily:9:00 zone:Europe/Berlin")
		time.Sleep(30 * 24 * time.Hour)
		synctest.Wait()
		posted, _ := w.messages()
		if len(posted) != 8 {
			t.Fatalf("there are %d messages in a month that nobody plays", len(posted))
		}
		last := posted[7]
		if !strings.Contains(last.Text.String(), "Nobody has played") || len(last.Buttons) != 1 {
			t.Fatalf("the last says %s", last.Text)
		}
		req, _ := bot.Request{ID: "again", Channel: featuretest.Parlour, User: bottest.People["ann"]}.Press(last.Buttons[0].ID)
		featuretest.Wants(t, w.Host.Handle(t.Context(), req), false, "The daily board is back")
		synctest.Wait()
		if posted, _ = w.messages(); len(posted) != 9 || !strings.Contains(posted[8].Text.String(), "Daily board") {
			t.Errorf("there are %d messages after it was pressed", len(posted))
		}
	})
}

// A board calls the people who asked for it, from the day they did until they opt out, and nobody
// else.
func TestDailyCallsSubscribers(t *testing.T) {
	featuretest.InSpring(t, func(t *testing.T) {
		w := newWorld(t)
		w.Run()
		w.Manages(bottest.People["mod"], "settings for:channel daily:9:00 zone:Europe/Berlin")
		for _, day := range []struct {
			asked  string // what Bob asks for before the board comes
			answer string
			calls  bool
		}{
			{"", "", false},
			{"settings daily:call", "You are called here", true},
			{"", "", true},
			{"settings daily:off", "You aren't called", false},
		} {
			if day.asked != "" {
				featuretest.Wants(t, w.Does(bottest.People["bob"], day.asked), false, day.answer)
			}
			time.Sleep(24 * time.Hour)
			synctest.Wait()
			posted, _ := w.messages()
			said := posted[len(posted)-1].Text.String()
			if got := strings.Contains(said, bottest.People["bob"].Name); got != day.calls || strings.Contains(said, bottest.People["ann"].Name) {
				t.Errorf("after %q the board says %s", day.asked, said)
			}
		}
	})
}

// A day's message shows how well people have done as squares, without a word of theirs. After three
// days in a row it names the longest streak. The results are behind a button.
func TestDailyMessageShowsSquares(t *testing.T) {
	featuretest.InSpring(t, func(t *testing.T) {
		w := newWorld(t)
		w.Run()
		w.Manages(bottest.People["mod"], "settings for:channel daily:9:00 zone:Europe/Berlin")
		ann, bob := bottest.People["ann"], bottest.People["bob"]
		for day := range 4 {
			w.Tries(ann, 2*day)
			if day == 1 {
				w.Tries(bob, 2*day+1)
			}
			time.Sleep(10 * time.Minute)
			synctest.Wait()
			_, edited := w.messages()
			said := edited[len(edited)-1].Text.String()
			squares := len(regexp.MustCompile("[🟦🟨🟧⬜⬛]").FindAllString(said, -1))
			if want := map[bool]int{true: 2, false: 1}[day == 1]; squares != want || !strings.Contains(said, "played.") {
				t.Errorf("on day %d the message has %d squares, want %d: %s", day, squares, want, said)
			}
			time.Sleep(24*time.Hour - 10*time.Minute)
			synctest.Wait()
			posted, _ := w.messages()
			last := posted[len(posted)-1]
			if said := last.Text.String(); strings.Contains(said, "Longest streak: Ann") != (day >= 2) || strings.Contains(said, "1. ") || len(last.Buttons) != 2 {
				t.Errorf("after day %d the message says %s, with %d buttons", day, said, len(last.Buttons))
			}
		}
	})
}

// Two weeks, or a month in a long run, with outages and kills: one message a day, edits at least
// five minutes apart, and a recount finds no difference in the streaks.
func TestDailyPostsOneMessageADay(t *testing.T) {
	month := gametest.Rounds(14, 30)
	featuretest.InSpring(t, func(t *testing.T) {
		w := newWorld(t)
		stop := w.Run()
		w.Manages(bottest.People["mod"], "settings for:channel daily:9:00 zone:Europe/Berlin")
		players := []bot.User{bottest.People["ann"], bottest.People["bob"], bottest.People["cat"], bottest.People["dan"]}
		for day := range month {
			for i, p := range players {
				if (day+i)%(i+2) == 0 && i > 0 {
					continue // they don't play every day
				}
				w.Tries(p, day+i)
			}
			switch day {
			case 9: // a long outage: Ann misses her day
				stop()
				time.Sleep(30 * time.Hour)
				w.Host = host.New(w.Config)
				stop = w.Run()
			case 4, 16, 21, 26: // a short one
				stop()
				time.Sleep(40 * time.Minute)
				w.Host = host.New(w.Config)
				stop = w.Run()
			}
			time.Sleep(time.Until(featuretest.Spring.AddDate(0, 0, day+1)))
			synctest.Wait()
		}
		posted, edited := w.messages()
		keys, days := map[string]bool{}, map[int]bool{}
		for _, m := range posted {
			if days[m.Number] && !keys[m.Key] {
				t.Errorf("day %d has two messages", m.Number)
			}
			keys[m.Key], days[m.Number] = true, true
		}
		if len(days) < month-2 || len(days) > month+1 {
			t.Errorf("there are messages on %d days", len(days))
		}
		if len(edited) > 3*month {
			t.Errorf("there are %d edits", len(edited))
		}
		var out strings.Builder
		r, err := daily.Recount(t.Context(), w.Config.Notes, &out)
		if err != nil || r.Differences != 0 || r.Players != len(players) {
			t.Errorf("a recount finds %+v (%v)\n%s", r, err, out.String())
		}
		var longest int
		for _, row := range daysKept(t, w) {
			var p daily.Player
			if json.Unmarshal([]byte(row), &p) == nil {
				longest = max(longest, p.Streak.Best)
			}
		}
		if longest < month-2 { // Ann played on every day with a board
			t.Errorf("the longest streak is %d", longest)
		}
	})
}

// A thousand places in one zone each get one board within a minute, although the host is restarted
// in between. The platform accepts fifty messages a second.
func TestDailyThousandPlaces(t *testing.T) {
	places := gametest.Rounds(100, 1000)
	featuretest.InSpring(t, func(t *testing.T) {
		w := newWorld(t)
		var mu sync.Mutex
		turn := make(chan struct{}, 1)
		arrived := map[string]time.Time{}          // by message
		keys := map[bot.ChannelID]map[int]string{} // by place and day
		w.Posts.Fail = func(m bot.Message) error {
			turn <- struct{}{}
			time.Sleep(20 * time.Millisecond)
			<-turn
			mu.Lock()
			defer mu.Unlock()
			if keys[m.Channel] == nil {
				keys[m.Channel] = map[int]string{}
			}
			if key, had := keys[m.Channel][m.Number]; had && key != m.Key {
				t.Errorf("%s has two messages for day %d: %s and %s", m.Channel, m.Number, key, m.Key)
			}
			keys[m.Channel][m.Number] = m.Key
			if arrived[m.Key].IsZero() {
				arrived[m.Key] = time.Now()
			}
			return nil
		}
		stop := w.Run()
		for n := range places {
			req := w.Request(bottest.People["mod"], "settings for:channel daily:9:00 zone:Europe/Berlin")
			req.Channel, req.Manager = bot.ChannelID(fmt.Sprintf("test:place-%d", n)), true
			featuretest.Wants(t, w.Host.Handle(t.Context(), req), false, "A board is posted here")
		}
		nine := time.Date(2026, 3, 10, 8, 0, 0, 0, time.UTC)
		time.Sleep(time.Until(nine.Add(time.Second)))
		stop()
		mu.Lock()
		before := len(arrived)
		mu.Unlock()
		if before <= places || before >= 2*places {
			t.Fatalf("the host ends after %d of %d messages", before-places, places)
		}
		time.Sleep(2 * time.Second)
		w.Host = host.New(w.Config)
		w.Run()
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		var took []time.Duration
		for ch, days := range keys {
			if len(days) != 2 {
				t.Errorf("%s has messages on the days %v", ch, days)
				continue
			}
			took = append(took, arrived[days[69]].Sub(nine))
		}
		slices.Sort(took)
		if len(took) != places || took[places*95/100] > time.Minute {
			t.Errorf("of %d places %d have the second board, 95 %% of them after %s", places, len(took), took[len(took)*95/100])
		}
		t.Logf("95 %% have it after %s, the last after %s", took[places*95/100], took[places-1])
	})
}

// A place whose word list or channel disappears in the middle of a day gets one clear answer.
func TestDailyLosesListOrChannel(t *testing.T) {
	featuretest.InSpring(t, func(t *testing.T) {
		w := newWorld(t)
		stop := w.Run()
		w.Manages(bottest.People["mod"], "settings for:channel daily:9:00 zone:Europe/Berlin")
		ann := bottest.People["ann"]
		w.Tries(ann, 0)
		stop()
		lists := w.Config.Lexicons
		other, err := lists[0].With([]lexicon.Word{lexicon.Word("\x01\x01\x01")}, nil)
		gametest.Must(t, err)
		w.Config.Lexicons = []*lexicon.Lexicon{other}
		w.Host = host.New(w.Config)
		stop = w.Run()
		featuretest.Wants(t, w.Does(ann, "daily"), true, "which isn't here any more", "The day counts for nobody")
		time.Sleep(24 * time.Hour)
		synctest.Wait()
		posted, _ := w.messages()
		if last := posted[len(posted)-1].Text.String(); !strings.Contains(last, "counts for nobody") || !strings.Contains(last, "Daily board 69") {
			t.Errorf("the next message says %s", last)
		}
		featuretest.Wants(t, w.Does(ann, "daily"), false, "Board 69")
		stop()
		gametest.Must(t, w.Host.ChannelGone(t.Context(), featuretest.Parlour))
		w.Run()
		time.Sleep(48 * time.Hour)
		synctest.Wait()
		if after, _ := w.messages(); len(after) != len(posted) {
			t.Errorf("%d messages came to a channel that is gone", len(after)-len(posted))
		}
	})
}
