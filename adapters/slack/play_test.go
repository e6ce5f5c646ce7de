package slack_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/slack"
	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// This file tests what people do in a channel beyond a plain game: see game_test.go.

func TestTryFormPreviewsThenPlays(t *testing.T) {
	w := newWorld(t, slacktest.Options{Looks: 3})
	first, _, line := w.dealWord("")
	w.post("it's your turn")
	form := w.formOf(first, "Try")
	mistakes, err := w.s.Submit(form, map[string]any{"word": "QZXQZX", "at": "8h"})
	if err != nil || mistakes["word"] == "" {
		t.Fatalf("a word that can't be made: %v, %v; want a mistake at the field", mistakes, err)
	}
	word, at, _ := strings.Cut(line, " ")
	if mistakes, err := w.s.Submit(form, map[string]any{"word": word, "at": at}); err != nil || mistakes != nil {
		t.Fatalf("%v, %v", mistakes, err)
	}
	w.await("the preview's picture", func() bool {
		v, _ := w.s.View(form.ID, first)
		return strings.Contains(v.Text(), "would score") && slices.ContainsFunc(v.Blocks, func(b map[string]any) bool { return b["type"] == "image" })
	})
	preview, _ := w.s.View(form.ID, first)
	labels := slacktest.Labels(preview.Blocks)
	gametest.Must(t, w.s.PressIn(preview, labels[0], nil))
	w.post(" plays ")
	w.await("the rack in the form", func() bool {
		v, _ := w.s.View(form.ID, first)
		return strings.Contains(v.Text(), "Your rack")
	})
}

func TestExchangeByTicking(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	first, _ := w.deal("")
	rack := w.slash(first, "/rack", "")
	if rack.Shows() {
		t.Error("the rack rests on a picture that is shared nowhere")
	}
	header, _ := rack.Blocks[0]["text"].(map[string]any) // appears once
	large, _ := header["text"].(string)
	if tiles, yours := strings.CutPrefix(large, "Your rack: "); !yours || rack.Blocks[0]["type"] != "header" || len(strings.Fields(tiles)) != 7 || !strings.ContainsAny(tiles, "₁₂₃₄₅₈") {
		t.Errorf("the rack in large letters: %v", rack.Blocks[0])
	}
	w.press(first, rack, "Exchange tiles", nil) // nothing is ticked
	// The question replaces the rack.
	gametest.Must(t, w.s.Press(first, rack, "Exchange tiles", slacktest.Tick(rack.Blocks, "1", "3")))
	var question slacktest.Message
	w.await("the question", func() bool {
		for _, m := range w.s.Private(first) {
			if m.TS == rack.TS && strings.Contains(m.Said(), "Put back") {
				question = m
			}
		}
		return question.TS != ""
	})
	gametest.Must(t, w.s.Press(first, question, slacktest.Labels(question.Blocks)[0], nil))
	w.post("exchanges 2 tiles")
}

func TestFreeTextIsParsed(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	first, second := w.deal("")
	for _, c := range []struct{ who, command, text, says string }{
		{second, "/play", "horn 8h", "turn"},
		{first, "/play", "", "Which word?"},
		{first, "/rackmate", "paly horn", "There is no command"},
		{first, "/rackmate", "help", "What you can do"},
		{first, "/rackmate", "help play", "/rackmate play"},
		{first, "/new", "seats:9", "up to 4 players"},
		{first, "/new", "@someone", "can't tell who"},
		{first, "/rm", "stats &lt;!subteam^S1|@team&gt;", "choose people one by one"},
		{first, "/rm", "new seats: 9", "up to 4 players"},
		{first, "/rack", "shuffle", "Your rack"},
		{first, "/check", "qi &lt;!channel&gt;", "is not valid"},
	} {
		if got := w.slash(c.who, c.command, c.text); !strings.Contains(got.Said(), c.says) {
			t.Errorf("%s %s: %q, want %q", c.command, c.text, got.Said(), c.says)
		}
	}
}

func TestPrivateAnswersReachOnlyAsker(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	first, second := w.deal("")
	before := len(w.s.Private(second))
	w.slash(first, "/rack", "")
	if n := len(w.s.Private(second)); n != before {
		t.Error("another person was shown an answer")
	}
	for _, m := range w.s.Messages(games) {
		if strings.Contains(m.Said()+m.Text, "Your rack") {
			t.Errorf("a rack in the channel: %s", m.Said())
		}
	}
}

// rack returns the tiles of a person's rack as their card shows them.
func (w *world) rack(who string) string {
	w.t.Helper()
	s := w.state()
	seat, _ := s.SeatOf(bot.PlayerID("slack:" + slacktest.Team + "/" + who))
	var tiles []string
	for i := range len(s.Seats[seat].Rack) {
		tiles = append(tiles, s.Equipment.Tiles.Text(s.Seats[seat].Rack.At(i)))
	}
	return strings.Join(tiles, " ")
}

// TestEachPlayerHasOneCard checks that each player has one card in their direct messages: with a picture at
// the start, edited after each draw of their own, until they stop it.
func TestEachPlayerHasOneCard(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	first, second := w.deal("")
	for _, who := range []string{first, second} {
		card := w.card(who, w.rack(who))
		if !card.Shows() || !strings.Contains(card.Said(), "<#"+games+">") || !slices.Equal(slacktest.Labels(card.Blocks), []string{"Play", "Exchange…", "Pass…", "Stop these"}) {
			t.Errorf("the card of %s has %q and says %s", who, slacktest.Labels(card.Blocks), card.Said())
		}
	}
	exchange := func() {
		t.Helper()
		s := w.state()
		w.slash(w.turn(), "/exchange", s.Equipment.Tiles.Text(s.Seats[s.Turn].Rack.At(0)))
		w.settled()
	}
	exchange()
	if card := w.card(first, w.rack(first)); card.Shows() || len(w.s.Direct(first)) != 1 {
		t.Errorf("after an exchange %s has %d messages, with a picture %v", first, len(w.s.Direct(first)), card.Shows())
	}
	if card := w.card(second, w.rack(second)); !card.Shows() || card.Edited {
		t.Error("another's exchange changed a card")
	}
	w.press(second, w.card(second, w.rack(second)), "Stop these", nil)
	w.card(second, "Your rack isn't sent to you")
	exchange()
	w.card(second, "Your rack isn't sent to you")
	if n := len(w.s.Direct(second)); n != 1 {
		t.Errorf("%s has %d messages", second, n)
	}
}

// TestCardShowsReturnedTiles checks that a card shows the tiles of a play that a challenge took
// back, and the result at the end.
func TestCardShowsReturnedTiles(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.stop()
	deal(t, w.memory, "HORNSA?", "FARMQI?", "EEEEEEE")
	w.start()
	w.slash(ann, "/play", "rohn 8h")
	w.card(ann, w.rack(ann))
	w.settled()
	w.slash(bob, "/challenge", "")
	w.settled()
	if rack := w.rack(ann); !strings.Contains(rack, "H") || !strings.Contains(w.card(ann, rack).Said(), rack) {
		t.Errorf("Ann has %s", rack)
	}
	if n := len(w.s.Direct(ann)); n != 1 {
		t.Errorf("Ann has %d direct messages", n)
	}
}

// TestLostCardIsPostedOnce checks that a card whose answer was lost isn't posted twice, and that
// it shows the right rack after edits whose answers were lost.
func TestLostCardIsPostedOnce(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.noCards()
	first, _ := w.deal("")
	w.settled()
	w.s.Fail("chat.postMessage", slacktest.Fault{Lost: true})
	w.slash(first, "/settings", "dm:on")
	w.await("the answer to be lost", func() bool { return strings.Contains(w.log.String(), "post postponed") })
	w.later(2 * time.Second)
	w.card(first, w.rack(first))
	w.settled()
	w.s.Fail("chat.update", slices.Repeat([]slacktest.Fault{{Lost: true}}, 4)...)
	s := w.state()
	w.slash(first, "/exchange", s.Equipment.Tiles.Text(s.Seats[s.Turn].Rack.At(0)))
	for range 6 {
		w.later(10 * time.Second)
	}
	w.card(first, w.rack(first))
	cards := slices.DeleteFunc(w.s.Direct(first), func(m slacktest.Message) bool { return !strings.Contains(m.Said(), "Your rack: ") })
	if len(cards) != 1 {
		t.Errorf("%s has %d cards", first, len(cards))
	}
}

// TestRacksOfTwoTablesDontFoldEachOther checks that racks of two tables in the same direct
// messages only fold their own predecessors.
func TestRacksOfTwoTablesDontFoldEachOther(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	to := bot.User{ID: "slack:" + slacktest.Team + "/" + ann, Name: "Ann"}
	post := func(key string, ch bot.ChannelID) {
		t.Helper()
		m := bot.Message{Key: key, Channel: ch, Table: 1, To: &to, Text: text.Text{{Text: "rack " + key}}, Line: text.Text{{Text: "an earlier rack"}}}
		gametest.Must(t, w.adapter.Post(t.Context(), m))
	}
	post("1", "slack:T0SLACK/C0GAMES")
	post("2", "slack:T0SLACK/C0TALK")
	post("3", "slack:T0SLACK/C0GAMES")
	post("3", "slack:T0SLACK/C0GAMES") // repeating changes nothing
	w.adapter.Wait()                   // the earlier one is folded in the background
	var texts []string
	for _, m := range w.s.Direct(ann) {
		texts = append(texts, m.Text)
	}
	if got := strings.Join(texts, ", "); got != "an earlier rack, rack 2, rack 3" {
		t.Errorf("the direct messages: %s", got)
	}
}

func TestLauncherReachesEverything(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	gametest.Must(t, w.s.Slash(ann, games, "/rackmate", ""))
	launcher := w.launcher(ann)
	gametest.Must(t, w.s.PressIn(launcher, "New", nil))
	form := w.form(ann, "New")
	if n := fields(form); n != 3 {
		t.Errorf("the form asks for %d things at first", n)
	}
	gametest.Must(t, w.s.PressIn(form, "Rules…", nil))
	w.await("all the rules", func() bool { form, _ = w.s.View(form.ID, ann); return fields(form) > 10 })
	if _, err := w.s.Submit(form, map[string]any{"opponents": []any{cat}, "challenge": "double", "lexicon": "small"}); err != nil {
		t.Fatal(err)
	}
	m := w.post("wants to play")
	if !strings.Contains(m.Said(), "<@"+cat+">") || !strings.Contains(m.Said(), "a wrong challenge costs the turn") {
		t.Errorf("the table: %s", m.Said())
	}
	told := w.press(cat, m, "Join", nil)
	if !strings.Contains(told.Said(), "a wrong challenge costs the turn") {
		t.Errorf("Cat is told of the rules: %s", told.Said())
	}
	m = w.post("it's your turn")
	if s := w.state(); s.Rules.Challenge != game.Double {
		t.Errorf("challenge rule %s", s.Rules.Challenge)
	}
	// A name can't notify the channel or contain markup: the stand-in would complain about
	// "<!channel>", so it must be escaped here.
	if !strings.Contains(m.Said(), "&lt;!channel&gt; *\u200bbold*") {
		t.Errorf("the name is not escaped: %q", m.Said())
	}
	gametest.Must(t, w.s.Press(cat, m, "All commands…", nil))
	launcher = w.launcher(cat)
	gametest.Must(t, w.s.PressIn(launcher, "Board", nil))
	w.await("the board in the form", func() bool { v, _ := w.s.View(launcher.ID, cat); return strings.Contains(v.Text(), "s turn") })
}

// TestLauncherStartsWithUsefulCommands checks that the launcher starts with the most useful
// commands.
func TestLauncherStartsWithUsefulCommands(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	open := func(who string, first ...string) {
		t.Helper()
		before, _ := w.s.Top(who)
		gametest.Must(t, w.s.Slash(who, games, "/rackmate", ""))
		w.await("another launcher", func() bool { v, ok := w.s.Top(who); return ok && v.ID != before.ID })
		launcher := w.launcher(who)
		labels := slacktest.Labels(launcher.Blocks)
		if got := labels[:len(first)]; !slices.Equal(got, first) {
			t.Errorf("it begins with %v, want %v", got, first)
		}
		if len(labels) != 6 || labels[5] != "More…" {
			t.Errorf("the launcher has %v", labels)
		}
		gametest.Must(t, w.s.PressIn(launcher, "More…", nil))
		w.await("the rest", func() bool {
			launcher, _ = w.s.View(launcher.ID, who)
			return len(slacktest.Labels(launcher.Blocks)) == 0
		})
		for _, c := range w.host.Commands() {
			b, _ := slacktest.Find(launcher.Blocks, strings.ToUpper(c.Name[:1])+c.Name[1:])
			plays := slices.Contains(first, "Rack")
			cant := c.Ours || c.Name == "resign" && !plays || c.Name == "join" && !slices.Contains(first, "Join") || c.Name == "exchange" && !slices.Contains(first, "Exchange") ||
				c.Manages && who != ann || slices.Contains([]string{"submit", "cover", "remove", "draw", "vote", "rematch"}, c.Name)
			must := c.Name == "check" || c.Name == "resign" && plays || c.Name == "board" && slices.Contains(first, "Board")
			if b != nil && cant || b == nil && must {
				t.Errorf("%s, who begins with %v, is offered %s: %v", who, first, c.Name, b != nil)
			}
		}
	}
	open(ann, "New", "Play a robot", "Games")
	w.slash(ann, "/new", "seats:2")
	lobby := w.post("wants to play")
	open(bob, "Join", "Start", "Leave")
	w.press(bob, lobby, "Join", nil)
	w.post("it's your turn")
	first, other := w.turn(), ann
	if first == ann {
		other = bob
	}
	open(first, "Play", "Exchange", "Pass", "Rack")
	open(other, "Play", "Rack", "Board")
	open(eve, "Board", "History")
	w.slash(first, "/resign", "")
}

// TestGlobalShortcutFindsGame checks that the global launcher reaches the person's game.
func TestGlobalShortcutFindsGame(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.deal("")
	gametest.Must(t, w.s.GlobalShortcut(ann))
	launcher := w.launcher(ann)
	gametest.Must(t, w.s.PressIn(launcher, "Rack", nil))
	w.await("the rack", func() bool { v, _ := w.s.View(launcher.ID, ann); return strings.Contains(v.Text(), "Your rack") })
}

// TestHomeStartsGameInOnePress checks that one press on an empty home page begins a game.
func TestHomeStartsGameInOnePress(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	gametest.Must(t, w.s.OpenHome(ann))
	w.await("her page", func() bool { v, _ := w.s.Home(ann); return strings.Contains(v.Text(), "You have no games running") })
	page, _ := w.s.Home(ann)
	gametest.Must(t, w.s.PressIn(page, "Play Beginner (robot)", nil))
	w.await("the game in her direct messages", func() bool { return strings.Contains(said(w.s.Direct(ann)), "(robot) play") })
	w.await("and on her page", func() bool { v, _ := w.s.Home(ann); return strings.Contains(v.Text(), "Direct messages") })
}

// TestHomeNamesRobotsInReadersLanguage checks that robots on the home page are named in the
// reader's language.
func TestHomeNamesRobotsInReadersLanguage(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.s.Reads(ann, "pl-PL")
	gametest.Must(t, w.s.OpenHome(ann))
	w.await("her page", func() bool { v, _ := w.s.Home(ann); return strings.Contains(v.Text(), "Nie grasz") })
	page, _ := w.s.Home(ann)
	gametest.Must(t, w.s.PressIn(page, "Zagraj: Początkujący (robot)", nil))
}

// TestOldAnswerPicturesAreDeleted checks that old pictures of a person's answers are deleted, and
// that all are deleted when the person is forgotten.
func TestOldAnswerPicturesAreDeleted(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.noCards()
	w.deal("")
	w.adapter.Wait()
	w.await("the board's picture alone", func() bool { return w.s.Files() == 1 })
	for range 3 {
		for _, as := range []string{"picture", "zoom", "print"} {
			w.slash(ann, "/board", as)
		}
	}
	w.adapter.Wait()
	if n := w.s.Files(); n > 4 {
		t.Errorf("%d files, want the board's and three of answers", n)
	}
	gametest.Must(t, w.adapter.Forget(t.Context(), bot.User{ID: "slack:T0SLACK/U0ANN", Name: "Ann"}, bot.User{ID: "former:1", Name: "former player"}))
	if n := w.s.Files(); n != 1 {
		t.Errorf("%d files when she is forgotten, want the board's", n)
	}
}

func TestThreadGameByButtons(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.slash(ann, "/settings", "for:channel board:live")
	w.slash(ann, "/new", "seats:2 thread:true")
	root := w.post("wants to play")
	if root.Thread != "" {
		t.Fatal("the table isn't where people see it")
	}
	w.press(bob, root, "Join", nil)
	w.settled()
	m := w.post("it's your turn")
	if all := w.s.Messages(games); m.Thread != root.TS || !all[0].Shows() || !strings.Contains(all[0].Said(), "Bob play") {
		t.Fatalf("the call is in the thread %q below %q", m.Thread, all[0].Said())
	}
	if got := w.press(ann, m, "My rack", nil); got.Thread != m.Thread || !strings.Contains(got.Said(), "Your rack") {
		t.Errorf("the answer is in the thread %q: %s", got.Thread, got.Said())
	}
	gametest.Must(t, w.s.Shortcut(bob, m))
	launcher := w.launcher(bob)
	gametest.Must(t, w.s.PressIn(launcher, "Board", nil))
	w.await("the thread's board", func() bool { v, _ := w.s.View(launcher.ID, bob); return strings.Contains(v.Text(), "s turn") })
}

// TestHostThreadBelongsToMessage checks that a thread opened by the host hangs on a message, and that the same
// key returns the same thread.
func TestHostThreadBelongsToMessage(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	beside := bot.ChannelID("slack:" + slacktest.Team + "/" + games)
	open := w.adapter.Platform().Aside
	ch, err := open(t.Context(), beside, "spring/1/2", "Spring, round 1, table 2", nil)
	gametest.Must(t, err)
	if again, err := open(t.Context(), beside, "spring/1/2", "Spring", nil); again != ch || err != nil {
		t.Errorf("the same key gets %s, %v, want %s", again, err, ch)
	}
	var no *bot.PostError
	if _, err := open(t.Context(), ch, "spring/1/4", "Spring", nil); !errors.As(err, &no) || !no.Permanent {
		t.Errorf("a thread in a thread: %v", err)
	}
}

func TestStrangerJoinsMessageWithReplies(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.slash(ann, "/new", "seats:2")
	m := w.post("wants to play")
	m.Thread = m.TS // as if it had a reply
	w.press(bob, m, "Join", nil)
	w.post("it's your turn")
}

func TestHomePageFollowsGame(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	gametest.Must(t, w.s.OpenHome(ann))
	home := func(says string) slacktest.View {
		t.Helper()
		w.await("a home page that says "+says, func() bool { v, _ := w.s.Home(ann); return strings.Contains(v.Text(), says) })
		v, _ := w.s.Home(ann)
		return v
	}
	home("You have no games running")
	first, _ := w.deal("")
	v := home("tiles in the bag")
	if (first == ann) != strings.Contains(v.Text(), "*It's your turn.*") {
		t.Errorf("whose turn is it? %s", v.Text())
	}
	gametest.Must(t, w.s.PressIn(v, "Shuffle", nil))
	w.await("the shuffled rack on top", func() bool { f, ok := w.s.Top(ann); return ok && strings.Contains(f.Text(), "Your rack") })
	settings := w.settingsOf(ann, "Settings…")
	gametest.Must(t, w.s.PressIn(settings, "Don't send it", nil))
	w.await("what is set", func() bool {
		v, _ := w.s.View(settings.ID, ann)
		return strings.Contains(v.Text(), "isn't sent to you")
	})
	home("What tables here begin with…") // Ann is an admin
	gametest.Must(t, w.s.OpenHome(bob))
	w.await("Bob's page", func() bool { _, ok := w.s.Home(bob); return ok })
	if v, _ := w.s.Home(bob); strings.Contains(v.Text(), "Defaults for tables here") {
		t.Error("Bob is no admin, and can set what tables begin with")
	}
	w.slash(first, "/pass", "sure:yes")
	turn := map[bool]string{true: "*It's your turn.*", false: "It's Bob's turn."}[first != ann]
	home(turn)
}

// TestAdminSetsDefaults checks that an admin can set the defaults of tables, and that a
// person's own choice still counts.
func TestAdminSetsDefaults(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	for _, who := range []string{ann, bob} {
		gametest.Must(t, w.s.OpenHome(who))
	}
	page := w.settingsOf(ann, "What tables here begin with…")
	if strings.Contains(page.Text(), "web room only") {
		t.Errorf("settings of the room among Slack's: %s", page.Text())
	}
	gametest.Must(t, w.s.ChooseIn(page, "set:challenge", "triple"))
	w.adapter.Wait()
	page.User = bob // Bob presses on a page that only admins see
	gametest.Must(t, w.s.ChooseIn(page, "set:rules", "club"))
	w.adapter.Wait()
	w.slash(ann, "/new", "")
	if m := w.post("wants to play"); !strings.Contains(m.Said(), "whoever is wrong in a challenge loses") {
		t.Errorf("the table begins with: %s", m.Said())
	}
	w.slash(ann, "/rackmate", "leave")
	w.adapter.Wait() // Slack gets its answer before the table is closed
	w.slash(ann, "/new", "challenge:single")
	w.await("a table by the usual rule", func() bool { return !strings.Contains(w.post("wants to play").Said(), "whoever is wrong") })
}

// TestBoardLinkIsQueriedOnce checks that a link leads to the board, and that it is queried from
// Slack once.
func TestBoardLinkIsQueriedOnce(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.deal("")
	post := w.post(" play.")
	w.await("the first post folded", func() bool { return strings.HasPrefix(w.s.Messages(games)[0].Said(), "Ann's table") })
	w.restart(0) // the cache is lost
	asked := w.s.Calls("chat.getPermalink")
	ch := bot.ChannelID("slack:" + slacktest.Team + "/" + games)
	w.s.Fail("chat.getPermalink", slacktest.Fault{Error: "internal_error"})
	if got := w.adapter.Link(t.Context(), ch); got != "https://app.slack.com/client/"+slacktest.Team+"/"+games {
		t.Errorf("while Slack can't say, the board is at %q", got)
	}
	want := "https://club.slack.com/archives/" + games + "/p" + strings.ReplaceAll(post.TS, ".", "")
	for range 2 {
		if got := w.adapter.Link(t.Context(), ch); got != want {
			t.Errorf("the board is at %q, want %q", got, want)
		}
	}
	if n := w.s.Calls("chat.getPermalink") - asked; n != 2 {
		t.Errorf("Slack is asked %d times", n)
	}
}

// TestZoneComesFromProfile checks that time zones come from Slack's profiles.
func TestZoneComesFromProfile(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	if got := w.slash(ann, "/settings", "quiet:22-8"); !strings.Contains(got.Said(), "Europe/Berlin") {
		t.Errorf("Ann is told: %s", got.Said())
	}
}

// TestDeactivatedMemberFreesSeat checks that a player whose account is deactivated frees a seat, which
// others can take. This is noticed when their turn comes; Slack is queried once an hour.
func TestDeactivatedMemberFreesSeat(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.slash(ann, "/new", "seats:3")
	w.post("wants to play")
	for _, who := range []string{bob, cat} {
		w.slash(who, "/rackmate", "join")
	}
	w.post(" play.")
	for w.turn() == bob {
		w.slash(bob, "/pass", "sure:yes")
	}
	asked := w.s.Calls("users.info")
	w.s.Deactivate(bob)
	w.later(2 * time.Hour)
	for range 2 {
		if who := w.turn(); who != bob {
			w.slash(who, "/pass", "sure:yes")
		}
	}
	w.post("seat is free")
	if s := w.state(); !s.Seats[slices.IndexFunc(s.Seats, func(s game.Seat) bool { return strings.HasSuffix(string(s.Person.ID), bob) })].Vacant {
		t.Error("Bob's seat isn't free")
	}
	if n := w.s.Calls("users.info") - asked; n > 3 {
		t.Errorf("Slack was asked %d times about three people", n)
	}
}

// TestRenamedPlayerHasNewName checks that a player who has a new name on Slack plays on under it, once Slack has been
// asked again, which happens once an hour.
func TestRenamedPlayerHasNewName(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	first, _ := w.deal("")
	old, seat := w.state().Seats[w.state().Turn].Person.Name, w.state().Turn
	w.s.Rename(first, "Quixotina")
	w.later(2 * time.Hour)
	w.slash(first, "/pass", "sure:yes")
	if post := w.post("passes"); !strings.Contains(fmt.Sprintf("%+v", post), "Quixotina 0") {
		t.Errorf("posted %+v", post)
	}
	if s := w.state(); s.Seats[seat].Person.Name != "Quixotina" || old == "Quixotina" {
		t.Errorf("in the game %s is called %s", old, s.Seats[seat].Person.Name)
	}
}

// TestBystanderGetsNoForm checks that a person outside a game who presses Play is informed
// and offered to watch, without a form.
func TestBystanderGetsNoForm(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.deal("")
	opened := w.s.Calls("views.open")
	got := w.press(cat, w.post("it's your turn"), "Play", nil)
	if n := w.s.Calls("views.open") - opened; n > 0 || !strings.Contains(got.Said(), "You aren't in this game.") {
		t.Errorf("with %d forms Cat is told %s", n, got.Said())
	}
	if labels := slacktest.Labels(got.Blocks); !slices.Contains(labels, "Watch") || !slices.Contains(labels, "Join the next") {
		t.Errorf("she is offered %q", labels)
	}
	gametest.Must(t, w.s.Press(cat, got, "Watch", nil))
	w.await("the board, to Cat alone", func() bool { return slices.ContainsFunc(w.s.Private(cat), slacktest.Message.Shows) })
}

// TestOrganisationInstall checks an organisation-wide installation: there is no team, and all
// workspaces share the organisation's channels.
func TestOrganisationInstall(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	for i, team := range []string{"T1", "T2"} {
		c := w.s.Type(cat, games, "/rackmate", []string{"new", "leave"}[i])
		c["team_id"], c["enterprise_id"], c["is_enterprise_install"] = team, "E1", "true"
		if _, err := w.s.Send("slash_commands", map[string]any(c)); err != nil {
			t.Fatal(err)
		}
		w.adapter.Wait()
	}
	_, events, err := w.db.Table(t.Context(), "slack:E1/"+games)
	if err != nil || len(events) != 4 {
		t.Fatalf("%d events at the organisation's table (%v); want opened, joined, left, closed", len(events), err)
	}
	if who := events[1].Fact.(game.Joined).Person; who.ID != "slack:E1/"+cat {
		t.Errorf("the player is %s", who.ID)
	}
}

// TestSlowHostAcknowledgesInTime checks that a slow host doesn't delay acknowledgments: the form waits.
func TestSlowHostAcknowledgesInTime(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	first, _ := w.deal("")
	w.restartWith(func(d time.Duration) <-chan time.Time {
		if d == slack.AckTime {
			return over()
		}
		return soon(d)
	})
	form := w.formOf(first, "Try")
	w.slow.Lock()
	if mistakes, err := w.s.Submit(form, map[string]any{"word": "qi", "at": "8h"}); err != nil || mistakes != nil {
		t.Fatalf("%v, %v", mistakes, err)
	}
	if v, _ := w.s.View(form.ID, first); !strings.Contains(v.Text(), "One moment") {
		t.Errorf("meanwhile the form says: %s", v.Text())
	}
	w.slow.Unlock()
	w.await("the answer", func() bool { v, _ := w.s.View(form.ID, first); return !strings.Contains(v.Text(), "One moment") })
}

// TestRepeatedRequestIsHandledOnce checks that a request that Slack repeats without an
// acknowledgment is handled once.
func TestRepeatedRequestIsHandledOnce(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.deal("")
	c := w.s.Type(w.turn(), games, "/pass", "sure:yes")
	number := w.state().Number
	for range 3 {
		if _, err := w.s.Send("slash_commands", map[string]any(c)); err != nil {
			t.Fatal(err)
		}
	}
	w.post("passes")
	w.stop()
	w.start()
	if _, err := w.s.Send("slash_commands", map[string]any(c)); err != nil {
		t.Fatal(err)
	}
	w.adapter.Wait()
	if s := w.state(); s.Number != number+1 {
		t.Errorf("%d events came of it, want 1", s.Number-number)
	}
}

func TestChannelRateIsKept(t *testing.T) {
	var ahead atomic.Int64
	clock := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	w := newWorld(t, slacktest.Options{Gap: time.Second, Now: clock}, func(c *slack.Config) { c.Now = clock })
	w.restartWith(func(d time.Duration) <-chan time.Time {
		if d > time.Second || ample(d) {
			return soon(d)
		}
		ahead.Add(int64(d)) // the wait is over at once
		return over()
	})
	w.deal("")
	for range 3 {
		w.slash(w.turn(), "/pass", "sure:yes")
	}
	w.await("all the posts: the lobby's, the first board's, and three of turns", func() bool {
		all := w.s.Messages(games)
		return len(all) == 5 && strings.Contains(all[4].Said(), "passes")
	})
}

// TestWordAloneShowsSquares checks that a word alone is enough: the person sees its possible
// squares with their scores, and plays it with a press.
func TestWordAloneShowsSquares(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.stop()
	deal(t, w.memory, "HORNSA?", "FARMQI?", "EE")
	w.start()
	offer := w.slash(ann, "/play", "horn")
	labels := slacktest.Labels(offer.Blocks)
	want := []string{"8E across · 14", "8F across · 14", "8G across · 14", "8H across · 14", "H5 down · 14"}
	if !slices.Equal(labels, want) {
		t.Fatalf("offered %q, want %q", labels, want)
	}
	if n := len(w.s.Messages(games)); n > 0 {
		t.Errorf("%d posts before a square was chosen", n)
	}
	gametest.Must(t, w.s.Press(ann, offer, labels[0], nil))
	w.post("plays *HORN*")
}

// TestSharedChannelMemberPlays lets a member of another workspace that shares the channel play by
// buttons and forms: their payloads name their own workspace, which doesn't have the app.
func TestSharedChannelMemberPlays(t *testing.T) {
	for name, newWorld := range map[string]func(*testing.T) *world{
		"one workspace": func(t *testing.T) *world { return newWorld(t, slacktest.Options{}) },
		"many":          func(t *testing.T) *world { w := newOpenWorld(t); w.install(); return w },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.slash(ann, "/new", "seats:2")
			w.press(eve, w.post("wants to play"), "Join", nil)
			board := w.post("it's your turn")
			if w.turn() == ann {
				w.slash(ann, "/pass", "sure:yes")
				board = w.post("passes")
			}
			rack := w.press(eve, board, "My rack", nil)
			if !strings.Contains(rack.Said(), "Your rack") {
				t.Fatalf("Eve is told: %s", rack.Said())
			}
			gametest.Must(t, w.s.Press(eve, rack, "Shuffle", nil))
			w.await("the shuffled rack", func() bool {
				all := w.s.Private(eve)
				return all[len(all)-1].Edited && strings.Contains(all[len(all)-1].Said(), "Your rack")
			})
			gametest.Must(t, w.s.Press(eve, board, "Play", nil))
			if mistakes, err := w.s.Submit(w.form(eve, "Play"), map[string]any{"word": "zzzzzzz", "at": "8h"}); err != nil || !strings.Contains(mistakes["word"], "needs a Z") {
				t.Errorf("%v, %v; want what is wrong with the word", mistakes, err)
			}
		})
	}
}

// TestMentionInThread checks that mentioning the app works in threads, where slash
// commands don't.
func TestMentionInThread(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.slash(ann, "/rm", "new seats:2 thread:true")
	m := w.post("wants to play")
	w.press(bob, m, "Join", nil)
	m = w.post("it's your turn")
	for _, c := range []struct{ thread, text, says string }{
		{m.Thread, "rack", "Your rack"},
		{m.Thread, "", "What you can do"},
		{"1700000000.999999", "help play", "Play a word"}, // a thread without a table
	} {
		had := len(w.s.Private(ann))
		gametest.Must(t, w.s.Mention(ann, games, c.thread, c.text))
		if got := w.answer(ann, had); !strings.Contains(got.Said(), c.says) {
			t.Errorf("@Rackmate %s: %q, want %q", c.text, got.Said(), c.says)
		}
	}
}

// TestInvitePeopleAndGroups checks that people can be invited one by one or as a user group, that
// problems with a group are explained kindly, and that apps get no seat.
func TestInvitePeopleAndGroups(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.s.Group("S0TEAM", ann, bob, cat)
	w.s.Group("S0ALONE", ann)
	var crowd []string
	for n := range 30 {
		crowd = append(crowd, fmt.Sprintf("U9%03d", n))
	}
	w.s.Group("S0CROWD", crowd...)
	for _, c := range []struct{ text, says string }{
		{"opponents: <!subteam^S0ALONE|@alone>", "nobody in `@alone`"},
		{"opponents:<!subteam^S0CROWD|@crowd>", "30 other people in `@crowd`"},
		{"<!subteam^S0GONE|@gone>", "can't see who is in `@gone`"},
		{"<@" + slacktest.BotUser + "|rackmate>", "apps can't play"},
	} {
		if got := w.slash(ann, "/rm", "new "+c.text); !strings.Contains(got.Said(), c.says) {
			t.Errorf("%s: %q, want %q", c.text, got.Said(), c.says)
		}
	}
	if n := len(w.s.Messages(games)); n > 0 {
		t.Fatalf("%d posts of tables that can't be", n)
	}
	for _, text := range []string{"opponents: <@" + bob + "|bob> <@" + cat + "|cat>", "opponents: <!subteam^S0TEAM|@team>", "<!subteam^S0TEAM>"} {
		had := len(w.s.Messages(games))
		w.slash(ann, "/rm", "new "+text)
		w.await("a table", func() bool { return len(w.s.Messages(games)) > had })
		if m := w.s.Messages(games)[had]; !strings.Contains(m.Said(), "<@"+bob+">") || !strings.Contains(m.Said(), "<@"+cat+">") || strings.Contains(m.Said(), "<@"+ann+">") {
			t.Errorf("%s invites: %s", text, m.Said())
		}
		w.slash(ann, "/rm", "leave")
		w.await("the table closed", func() bool {
			all := w.s.Messages(games)
			return strings.Contains(all[len(all)-1].Said(), "The table is closed")
		})
		w.settled()
	}
	if got := w.slash(ann, "/rm", "check <!subteam^S0TEAM|@team>"); !strings.Contains(got.Said(), "TEAM") || strings.Contains(got.Said(), "S0TEAM") {
		t.Errorf("a group is no word: %s", got.Said())
	}
}

// TestGroupThatCantBeListed checks the answer if the app may not list a group's members.
func TestGroupThatCantBeListed(t *testing.T) {
	w := newWorld(t, slacktest.Options{Scopes: slack.Scopes()})
	w.s.Group("S0TEAM", ann, bob)
	if got := w.slash(ann, "/rm", "new <!subteam^S0TEAM|@team>"); !strings.Contains(got.Said(), "can't see who is in `@team`") {
		t.Errorf("told %q", got.Said())
	}
}

// TestNoTableForOthersInDMs checks that no table for others is opened in a
// person's direct messages with the app, which nobody else can see.
func TestNoTableForOthersInDMs(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.s.OpenDirect(ann)
	had := len(w.s.Private(ann))
	gametest.Must(t, w.s.Slash(ann, "D"+ann, "/rm", "new <@"+bob+"|bob>"))
	if got := w.answer(ann, had); !strings.Contains(got.Said(), "can't see this conversation") {
		t.Errorf("told %q", got.Said())
	}
	if table, _, err := w.db.Table(t.Context(), bot.ChannelID("slack:"+slacktest.Team+"/D"+ann)); err != nil || table != 0 {
		t.Errorf("table %d (%v), want none", table, err)
	}
}

// TestWorkspaceLanguageIsQueriedOnce checks that posts use the language of the workspace, which is
// queried once.
func TestWorkspaceLanguageIsQueriedOnce(t *testing.T) {
	for _, c := range []struct {
		name, locale, says string
		scopes             []string
	}{
		{"German", "de-DE", "will spielen", nil},
		{"one that isn't spoken", "is-IS", "wants to play", nil},
		{"without leave to ask", "de-DE", "wants to play", slack.Scopes()},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, slacktest.Options{Locale: c.locale, Scopes: c.scopes})
			w.slash(ann, "/rm", "new seats:2")
			w.post(c.says)
			w.slash(ann, "/rm", "leave")
			if n := w.s.Calls("team.info"); n != 1 {
				t.Errorf("asked %d times", n)
			}
		})
	}
}

// TestCommandFindsThread checks that a command typed in the channel, the only place
// where Slack accepts it, finds the person's game in a thread.
func TestCommandFindsThread(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.slash(ann, "/rm", "new seats:2 thread:true")
	w.press(bob, w.post("wants to play"), "Join", nil)
	w.post("it's your turn")
	if got := w.slash(ann, "/rm", "rack"); !strings.Contains(got.Said(), "Your rack") {
		t.Errorf("Ann is told: %s", got.Said())
	}
	if got := w.slash(cat, "/rm", "rack"); strings.Contains(got.Said(), "Your rack") {
		t.Errorf("Cat, who doesn't play, is told: %s", got.Said())
	}
	gametest.Must(t, w.s.Press(ann, w.slash(ann, "/rm", "resign"), "Yes, resign", nil))
	w.post("Bob wins")
	const none = "No table in this channel"
	if got := w.slash(cat, "/rm", "review"); !strings.Contains(got.Said(), none) {
		t.Errorf("Cat, who didn't play, reviews: %s", got.Said())
	}
	for _, command := range []string{"review", "rematch"} {
		if got := w.slash(ann, "/rm", command); strings.Contains(got.Said(), none) {
			t.Errorf("%s after the end: Ann is told: %s", command, got.Said())
		}
	}
}

// TestEarlyFormBecomesTurnForm checks that a Play form that was opened too early becomes the
// form of the turn, with its input, when the turn comes.
func TestEarlyFormBecomesTurnForm(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	w.stop()
	deal(t, w.memory, "FARMQI?", "HORNSA?", "EE")
	w.start()
	gametest.Must(t, w.s.Slash(bob, games, "/rackmate", ""))
	gametest.Must(t, w.s.PressIn(w.launcher(bob), "Play", nil))
	form := w.form(bob, "Play")
	if !strings.Contains(form.Text(), "It isn't your turn yet") || !strings.Contains(form.Text(), "  A B C D E F G H") {
		t.Errorf("the early form says %s", form.Text())
	}
	gametest.Must(t, w.s.Enter(form, "word", map[string]string{"word": "horn"}))
	w.await("a preview", func() bool { v, _ := w.s.View(form.ID, bob); return strings.Contains(v.Text(), "scores 14 points") })
	w.slash(ann, "/pass", "sure:yes")
	w.await("the form of the turn", func() bool {
		form, _ = w.s.View(form.ID, bob)
		return form.Submit == "Play for 14" && !strings.Contains(form.Text(), "It isn't your turn yet")
	})
	if mistakes, err := w.s.Submit(form, map[string]any{"word": "horn"}); err != nil || mistakes != nil {
		t.Fatalf("%v, %v", mistakes, err)
	}
	w.post("plays *HORN*")
}
