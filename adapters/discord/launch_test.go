package discord_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/adapters/discord/discordtest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestPlayOpensActivityAtTable checks that Play under a board or a rack opens the
// Activity at that table: in its channel, in another one where the rack was requested, and
// under an older game of the channel.
func TestPlayOpensActivityAtTable(t *testing.T) {
	w, frame := frames(t)
	w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
	w.ann.Gives(w.channel, "play", "word", "horn", "at", "8h").Answer()
	board := w.channel.Posts(1)[0]
	if labels := board.Labels(); len(labels) == 0 || labels[0] != "Play" {
		t.Errorf("under the board: %v", labels)
	}
	opens := func(u *discordtest.User, i *discordtest.Interaction) *proxied {
		t.Helper()
		p := frame()
		if got := p.enters(i.Instance(), u.Authorizes(discordtest.ApplicationID)); got.Code != 200 {
			t.Fatalf("%s enters: %d %s", u.Name, got.Code, got.Body)
		}
		return p
	}
	bob := opens(w.bob, w.bob.Presses(board, "Play"))
	if s := bob.sight(); s.Own == nil || len(s.Own.Rack) != 7 {
		t.Errorf("Bob sees %+v", s.Own)
	}

	// From his direct messages with the bot he plays at the same table.
	rack := w.bob.Gives(w.bob.DM(), "rack").Answer()
	if labels := rack.Labels(); len(labels) == 0 || labels[0] != "Play" {
		t.Fatalf("under the rack: %v", labels)
	}
	bob = opens(w.bob, w.bob.Presses(rack, "Play"))
	if got := bob.gives("1", "play", map[string]string{"word": "FARM", "at": "9G"}); got.Code != 200 || strings.Contains(got.Body.String(), `"refused":true`) {
		t.Fatalf("the play: %d %s", got.Code, got.Body)
	}
	// He can't act in the channel's name otherwise from there.
	if got := bob.gives("2", "new", map[string]string{"robots": "casual"}); got.Code == 200 {
		t.Errorf("/new from elsewhere: %d %s", got.Code, got.Body)
	}
	// He can switch to his own place, which has no game, and back.
	turn := func(p *proxied, table bot.TableID) int {
		t.Helper()
		got := p.do("POST", "/turn", map[string]any{"table": table})
		var out struct{ Bearer string }
		if json.Unmarshal(got.Body.Bytes(), &out); out.Bearer != "" {
			p.bearer = out.Bearer
		}
		return got.Code
	}
	if code := turn(bob, 0); code != 200 || bob.sight().Table != 0 {
		t.Errorf("turned to the direct messages: %d, %+v", code, bob.sight())
	}
	var games struct{ Games []struct{ Table bot.TableID } }
	if got := bob.do("POST", "/lobby", struct{}{}); json.Unmarshal(got.Body.Bytes(), &games) != nil || len(games.Games) != 1 {
		t.Fatalf("Bob's games: %d %s", got.Code, got.Body)
	}
	if code := turn(bob, games.Games[0].Table); code != 200 || bob.sight().Own == nil {
		t.Errorf("turned back: %d", code)
	}
	eve := opens(w.eve, w.eve.Launches(w.guild.Channel("other")))
	if code := turn(eve, games.Games[0].Table); code != http.StatusNotFound {
		t.Errorf("Eve turns to a game that isn't hers: %d", code)
	}

	// A press more than five minutes ago doesn't count any more.
	i := w.ann.Presses(rack, "Play").Instance()
	w.d.Advance(5 * time.Minute)
	late := frame()
	late.enters(i, w.ann.Authorizes(discordtest.ApplicationID))
	if s := late.sight(); s.Table != 0 {
		t.Errorf("five minutes later: %+v", s)
	}
	// No trace of a forgotten person stays.
	w.bob.Presses(rack, "Play").Instance()
	gametest.Must(t, w.adapter.Platform().Keeper.Forget(t.Context(), bot.User{ID: player(w.bob), Name: "Bob"}, bot.User{Name: "Somebody"}))
	rows, err := w.notes.Scan(t.Context(), "launches", "", "", 100)
	if err != nil || len(rows) == 0 {
		t.Fatalf("%d launches, %v", len(rows), err)
	}
	for _, row := range rows {
		if strings.Contains(string(row.Value), w.bob.ID) {
			t.Errorf("kept: %s", row.Value)
		}
	}
}

// launched waits until the adapter has recorded the instance that a launch opened in a
// channel.
func (w *world) launched(i *discordtest.Interaction, c *discordtest.Channel) (instance string) {
	w.t.Helper()
	instance = i.Instance()
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(time.Millisecond) {
		noted, err := w.notes.Get(w.t.Context(), "launches", c.ID)
		switch {
		case err != nil || time.Now().After(end):
			w.t.Fatalf("the launch isn't noted: %s, %v", noted, err)
		case strings.Contains(string(noted), instance):
			return instance
		}
	}
}

// TestLaunchOverHTTP checks that the launch is a request of its own if interactions come
// over HTTP, so that a refusal is noticed.
func TestLaunchOverHTTP(t *testing.T) {
	w, _, _ := endpointWith(t, discord.Config{ClientSecret: discordtest.ClientSecret})
	if id := w.ann.Launches(w.channel).Instance(); id == "" {
		t.Error("no instance")
	}
	w.d.Fail(discordtest.Fault{Request: "POST /interactions", Times: 1, Status: 400, Code: 50035})
	if got := w.ann.Launches(w.channel).Answer(); !got.Private() || !got.Says("can't open the board here") {
		t.Errorf("where it is refused: %q", got.Content)
	}
}

// TestLinkLeadsToTable checks that a direct message about a player's turn contains
// Discord's own link to the table. Other people with the link can only watch.
func TestLinkLeadsToTable(t *testing.T) {
	t.Parallel()
	w, frame := frames(t)
	w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
	w.bob.Gives(w.channel, "settings", "ping", "dm", "dm", "off").Answer()
	w.ann.Gives(w.channel, "play", "word", "horn", "at", "8h").Answer()
	w.settled()
	var link string
	for _, m := range w.bob.Sees(w.bob.DM()) {
		if to := m.Link("Play"); to != "" {
			link = to
		}
	}
	address, err := url.Parse(link)
	if err != nil || !strings.HasPrefix(link, "https://discord.com/activities/"+discordtest.ApplicationID+"?custom_id=") {
		t.Fatalf("the link: %q", link)
	}
	custom := address.Query().Get("custom_id")
	comes := func(u *discordtest.User, custom string) *proxied {
		t.Helper()
		p := frame()
		in := w.d.OpenInstance(discordtest.ApplicationID, "pc", u.DM(), u)
		got := p.do("POST", "/enter", map[string]string{"instance": in, "code": u.Authorizes(discordtest.ApplicationID), "custom": custom})
		var out struct{ Bearer, Locale, Access string }
		if json.Unmarshal(got.Body.Bytes(), &out) != nil || got.Code != 200 || out.Locale != "en-GB" || out.Access == "" {
			t.Fatalf("%s comes: %d %s", u.Name, got.Code, got.Body)
		}
		p.bearer, p.access = out.Bearer, out.Access
		return p
	}
	bob, eve := comes(w.bob, custom), comes(w.eve, custom)
	if s := bob.sight(); s.Own == nil {
		t.Error("Bob isn't seated")
	}
	if s := eve.sight(); s.Own != nil || s.Players[0].Score != 14 {
		t.Errorf("Eve sees %+v", s)
	}
	for n, command := range []string{"play", "challenge", "resign", "new", "join", "rematch"} {
		if got := eve.gives(fmt.Sprint(n), command, map[string]string{"word": "FARM", "at": "9G"}); got.Code == 200 {
			t.Errorf("Eve's /%s: %s", command, got.Body)
		}
	}
	for _, forged := range []string{"1-aaaaaaaaaaaaaaaa", "../x", "1", strings.Repeat("z", 300)} {
		if s := comes(w.eve, forged).sight(); s.Table != 0 {
			t.Errorf("%q leads to %+v", forged, s)
		}
	}

	// During a game a link leads to it and to a turn; afterwards it shows the final board.
	share := func(p *proxied, turn int) (out struct{ Custom, Message, Link string }) {
		t.Helper()
		got := p.do("POST", "/share", map[string]any{"access": p.access, "turn": turn})
		if json.Unmarshal(got.Body.Bytes(), &out) != nil || got.Code != 200 {
			t.Fatalf("shared: %d %s", got.Code, got.Body)
		}
		return out
	}
	if got := share(eve, 1); got.Custom != custom+".1" || got.Link != "" || !strings.Contains(got.Message, "Ann") {
		t.Errorf("a turn is shared as %+v", got)
	}
	if s := comes(w.bob, custom+".1").sight(); s.Own == nil {
		t.Error("a link to a turn doesn't lead to its table")
	}
	w.bob.Presses(w.bob.Gives(w.channel, "resign").Answer(), "Yes, resign").Answer()
	w.settled()
	got := share(bob, 0)
	made := w.d.QuickLinks()
	if len(made) != 1 || made[0].ID != got.Link || made[0].Custom != custom || made[0].By != w.bob || !strings.HasPrefix(string(made[0].PNG), "\x89PNG") || !strings.Contains(made[0].Title, "Ann") {
		t.Errorf("shared %+v, made %d links", got, len(made))
	}
	if log := w.log.String(); strings.Contains(log, bob.access) || strings.Contains(log, custom) {
		t.Error("the log has an access or a key")
	}
}

// TestForgedRequestsDontBlockUsers checks that forged requests that name a user's channel don't keep
// the user out: hundreds a second (1,000 with -long), for ten seconds of the clock.
func TestForgedRequestsDontBlockUsers(t *testing.T) {
	t.Parallel()
	w, open := frames(t)
	quiet := w.guild.Channel("quiet") // where the bot has never posted
	stranger := open()
	n := 0
	for second := range 10 {
		for range gametest.Rounds(200, 1000) {
			n++
			channel := []string{w.channel.ID, quiet.ID, fmt.Sprint(1_000_000_000_000_000_000 + n)}[n%3]
			got := stranger.do("POST", "/enter", map[string]string{"instance": fmt.Sprintf("i-%d-gc-%s", n, channel), "code": "junk"})
			if got.Code != http.StatusUnauthorized && got.Code != http.StatusTooManyRequests {
				t.Fatalf("a stranger gets %d", got.Code)
			}
		}
		who, where := []*discordtest.User{w.ann, w.bob, w.eve}[second%3], quiet
		if second%2 == 0 {
			where = w.channel
		}
		in := w.launched(who.Launches(where), where)
		for _, file := range []string{"/", "/static/activity.js", "/texts/de.json"} {
			if got := open().do("GET", file, nil); got.Code == http.StatusTooManyRequests {
				t.Errorf("after %d seconds %s gets %d", second, file, got.Code)
			}
		}
		if got := open().enters(in, who.Authorizes(discordtest.ApplicationID)); got.Code != http.StatusOK {
			t.Errorf("after %d seconds %s gets %d %s", second, who.Name, got.Code, got.Body)
		}
		w.d.Advance(time.Second)
	}
	if n := len(w.d.Requests("POST /oauth2/token")); n != 10 {
		t.Errorf("%d requests with the secret", n)
	}
	if n := len(w.d.Requests("GET /applications/" + discordtest.ApplicationID + "/activity-instances")); n > 150 {
		t.Errorf("%d instances were looked up", n)
	}
}
