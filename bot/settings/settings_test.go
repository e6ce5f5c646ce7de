package settings_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/lexicons"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/data/sentences"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/lexicon"
)

const (
	den, attic bot.ChannelID = "test:den", "test:attic" // channels of the club
	club                     = "test:club"
	thread     bot.ChannelID = "test:den/thread"
)

// made returns settings as features define them, with few settings but one of each kind.
func made(t *testing.T) *settings.Settings {
	t.Helper()
	eq := gametest.Equipment(t)
	var lists []*lexicon.Lexicon
	for _, name := range []string{"small", "other"} {
		x, err := lexicon.Build(name, eq.Tiles.Alphabet(), strings.NewReader("HORN\nFARM\n"))
		gametest.Must(t, err)
		lists = append(lists, x)
	}
	locales, err := sentences.Load(data.Sentences())
	gametest.Must(t, err)
	room := shelf.NewRoom(memory.New().Notes("host"), strings.NewReader(strings.Repeat("?", 64)))
	s := settings.New(room.Owner("settings"), settings.Has{
		Lists:   lexicons.New(eq, nil, locales, lists, nil, func(string) string { return "small" }),
		Locales: locales,
	})
	pick := func(name string, values ...string) bot.Option {
		var choices []bot.Choice
		for _, v := range values {
			choices = append(choices, bot.Choice{Value: v})
		}
		return settings.Pick(name, "For a place: what is tested", choices)
	}
	s.Define([]settings.Setting{
		{Option: pick("games", "allowed", "1", "refused"), Default: settings.ConstantDefault("allowed")},
		{Option: pick("pace", "none", "1d", "3d"), NewTable: true, Default: settings.ConstantDefault("none")},
		{Option: pick("late", "pass", "resign"), NewTable: true, Default: settings.ConstantDefault("pass")},
		{Option: pick("lexicon", "small", "other"), NewTable: true, Default: settings.ConstantDefault("small")},
		settings.ZoneSetting(), settings.SpeakSetting(),
	})
	return s
}

// keeper changes settings of a channel of the club or, with "server", of the club.
func keeper(t *testing.T, s *settings.Settings, of string, set map[string]string) error {
	t.Helper()
	req := bot.Request{Channel: den, Home: club, Manager: true, User: bot.User{ID: "test:kim", Name: "Kim"}, Args: set}
	places, err := s.Places(t.Context(), den, club)
	gametest.Must(t, err)
	at := places[0]
	if of == "server" {
		at = places[1]
	}
	return s.Set(t.Context(), at, req, func() error { return words.Refusing("No.") })
}

func TestNearestPlaceCounts(t *testing.T) {
	s := made(t)
	for of, set := range map[string]map[string]string{"server": {"pace": "3d", "late": "resign"}, "channel": {"pace": "1d"}} {
		gametest.Must(t, keeper(t, s, of, set))
	}
	gametest.Must(t, s.KeepBeside(t.Context(), thread, den))
	for _, tt := range []struct {
		at                bot.ChannelID
		home, name, value string
		from              string
	}{
		{den, club, "pace", "1d", "channel"},
		{den, club, "late", "resign", "server"},
		{den, club, "lexicon", "small", ""}, // the default
		{attic, club, "pace", "3d", "server"},
		{thread, club, "pace", "1d", "channel"}, // a thread uses its parent's settings
		{"test:elsewhere", "", "pace", "none", ""},
		{den, club, "no such thing", "", ""},
	} {
		places, err := s.Places(t.Context(), tt.at, tt.home)
		gametest.Must(t, err)
		rules, err := s.HouseRules(t.Context(), tt.at, places)
		if got := rules[tt.name]; err != nil || got != (settings.Rule{Value: tt.value, From: tt.from}) {
			t.Errorf("%s in %s: %+v, %v", tt.name, tt.at, got, err)
		}
	}

	// The value Unset resets the setting.
	gametest.Must(t, keeper(t, s, "channel", map[string]string{"pace": settings.Unset}))
	if v, err := s.RuleIn(t.Context(), den, []settings.Place{{Key: settings.ChannelScope(den), Kind: "channel"}, {Key: settings.HomeScope(club), Kind: "server"}}, "pace"); v != "3d" || err != nil {
		t.Errorf("taken back: %s, %v", v, err)
	}
}

// A rejected value is answered with the valid ones, and the command sets nothing.
func TestInvalidValuesAreRejected(t *testing.T) {
	for _, tt := range []struct {
		set  map[string]string
		says string
	}{
		{map[string]string{"pace": "7y"}, "pace can't be 7y"},
		{map[string]string{"pace": "1d", "zone": "Mars/Olympus"}, "time zone Mars/Olympus"},
		{map[string]string{"speak": "tlh"}, "speak can't be tlh"},
		{map[string]string{"lock": "pace,colour"}, "no setting colour to lock"},
	} {
		s := made(t)
		err := keeper(t, s, "channel", tt.set)
		if err == nil || !words.IsMistake(err) || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%v: %v, want %q", tt.set, err, tt.says)
		}
		if v, _ := s.HouseRule(t.Context(), den, "pace"); v != "none" {
			t.Errorf("%v: the pace was set to %s", tt.set, v)
		}
	}
	s := made(t)
	places, _ := s.Places(t.Context(), den, club)
	err := s.Set(t.Context(), places[0], bot.Request{Channel: den, Home: club, Args: map[string]string{"pace": "1d"}}, func() error { return words.Refusing("Not yours to set.") })
	if err == nil || err.Error() != "Not yours to set." {
		t.Errorf("somebody who manages nothing: %v", err)
	}
	if v, _ := s.HouseRule(t.Context(), den, "pace"); v != "none" {
		t.Errorf("somebody who manages nothing has set the pace to %s", v)
	}
}

func TestLocks(t *testing.T) {
	s := made(t)
	gametest.Must(t, keeper(t, s, "channel", map[string]string{"pace": "1d"}))
	gametest.Must(t, keeper(t, s, "server", map[string]string{"pace": "3d", "lexicon": "other", "lock": "pace, lexicon"}))
	if v, err := s.HouseRule(t.Context(), attic, "pace"); err != nil || v != "none" {
		t.Errorf("where the home isn't known the pace is %s, %v", v, err)
	}
	ask := func(args map[string]string) bot.Request {
		return bot.Request{Channel: den, Home: club, Args: args, User: bot.User{ID: "test:ann", Name: "Ann"}}
	}
	// A server's locks bind its channels, including settings made before the lock.
	if in, err := s.WithDefaults(t.Context(), ask(nil)); err != nil || in.Args["pace"] != "3d" || in.Args["lexicon"] != "other" {
		t.Errorf("a table opens with %v, %v", in.Args, err)
	}
	for _, tt := range []struct {
		args map[string]string
		says string
	}{
		{map[string]string{"pace": "3d"}, ""},
		{map[string]string{"late": "resign"}, ""},
		{map[string]string{"pace": "1d"}, "Kim has locked pace:3d for this server"},
		{map[string]string{"lexicon": "small"}, "Kim has locked lexicon:other for this server"},
		{map[string]string{"pace": "none"}, "Kim has locked pace:3d"},
	} {
		_, err := s.WithDefaults(t.Context(), ask(tt.args))
		if tt.says == "" && err != nil || tt.says != "" && (err == nil || !strings.Contains(err.Error(), tt.says)) {
			t.Errorf("/new %v: %v, want %q", tt.args, err, tt.says)
		}
	}
	gametest.Must(t, keeper(t, s, "channel", map[string]string{"lock": "late"}))
	own, err := s.Places(t.Context(), den, "")
	gametest.Must(t, err)
	lee := bot.Request{Channel: den, Manager: true, User: bot.User{ID: "test:lee", Name: "Lee"}, Args: map[string]string{"late": "resign"}} // locks nothing
	gametest.Must(t, s.Set(t.Context(), own[0], lee, func() error { return words.Refusing("No.") }))
	if _, err := s.WithDefaults(t.Context(), ask(map[string]string{"pace": "3d", "late": "pass"})); err == nil || !strings.Contains(err.Error(), "Kim has locked late:resign for this channel") {
		t.Errorf("what the channel has locked: %v", err)
	}
	gametest.Must(t, keeper(t, s, "channel", map[string]string{"lock": settings.Unset}))
	places, _ := s.Places(t.Context(), den, club)
	if err := s.CheckLocked(t.Context(), places, ask(map[string]string{"pace": "1d"})); err == nil || !strings.Contains(err.Error(), "no channel can set it") {
		t.Errorf("a channel sets what the server has locked: %v", err)
	}
	if err := s.CheckLocked(t.Context(), places, ask(map[string]string{"late": "pass"})); err != nil {
		t.Errorf("a channel can't set what nobody locked: %v", err)
	}
	if err := s.CheckLocked(t.Context(), places[:1], ask(map[string]string{"pace": "1d"})); err != nil {
		t.Errorf("a channel without a server: %v", err)
	}
}

// A place's settings that have no effect at a table are left out there.
func TestUselessDefaultsAreLeftOut(t *testing.T) {
	s := made(t)
	gametest.Must(t, keeper(t, s, "channel", map[string]string{"pace": "3d", "late": "resign"}))
	for _, tt := range []struct{ args, want map[string]string }{
		{map[string]string{}, map[string]string{"pace": "3d", "late": "resign"}},
		{map[string]string{"pace": "none"}, map[string]string{"pace": "none"}},
		{map[string]string{"pace": "1d"}, map[string]string{"pace": "1d", "late": "resign"}},
		{map[string]string{"variant": "solitaire"}, map[string]string{"variant": "solitaire"}},
		{map[string]string{"variant": "duplicate"}, map[string]string{"variant": "duplicate"}},
		{map[string]string{"variant": "duplicate", "pace": "1d"}, map[string]string{"variant": "duplicate", "pace": "1d"}}, // will be refused, since it was typed
	} {
		in, err := s.WithDefaults(t.Context(), bot.Request{Channel: den, Home: club, Args: tt.args})
		if err != nil || !maps.Equal(in.Args, tt.want) {
			t.Errorf("/new %v opens with %v, %v; want %v", tt.args, in.Args, err, tt.want)
		}
	}
	gametest.Must(t, keeper(t, s, "channel", map[string]string{"games": "refused"}))
	if _, err := s.WithDefaults(t.Context(), bot.Request{Channel: den, Home: club}); err == nil || !strings.Contains(err.Error(), "games:allowed") {
		t.Errorf("where no games are wanted: %v", err)
	}
}

func TestSettingsOfPerson(t *testing.T) {
	const here bot.TableID = 7
	for _, tt := range []struct {
		name string
		args map[string]string
		zone string // the zone that the platform knows
		at   bot.TableID
		says string // the refusal
		told string
	}{
		{name: "a message", args: map[string]string{"ping": "dm"}, told: "You're told about your turns by direct message. Each game sends you your rack"},
		{name: "a message without the rack", args: map[string]string{"ping": "dm", "dm": "off"}, told: "by direct message. Your rack isn't sent"},
		{name: "one game", args: map[string]string{"ping": "silent", "game": "yes"}, at: here, told: "in the channel, and about those in this game not at all"},
		{name: "one game, and none is here", args: map[string]string{"ping": "silent", "game": "yes"}, says: "No table"},
		{name: "one game, and not how", args: map[string]string{"game": "yes"}, at: here, says: "ping:dm game:true"},
		{name: "a carrier pigeon", args: map[string]string{"ping": "pigeon"}, says: "ping can't be pigeon"},
		{name: "quiet hours", args: map[string]string{"quiet": "22-8", "zone": "europe/berlin"}, told: "never during 22:00-8:00. Your time zone is Europe/Berlin."},
		{name: "quiet hours where the platform knows the zone", args: map[string]string{"quiet": "22:30-7"}, zone: "Asia/Tokyo", told: "22:30-7:00. Your time zone is Asia/Tokyo."},
		{name: "quiet hours, and nobody knows the zone", args: map[string]string{"quiet": "22-8"}, says: "Which time zone"},
		{name: "a digest, and nobody knows the zone", args: map[string]string{"ping": "digest"}, says: "Which time zone"},
		{name: "no hours", args: map[string]string{"quiet": "late"}, says: "can't read late as hours"},
		{name: "no zone", args: map[string]string{"zone": "Local"}, says: "time zone Local"},
		{name: "German", args: map[string]string{"speak": "de"}, told: "in the channel"},
		{name: "Klingon", args: map[string]string{"speak": "tlh"}, says: "speak can't be tlh"},
		{name: "racks", args: map[string]string{"dm": "on"}, told: "Each game sends you your rack"},
		{name: "a rack now and then", args: map[string]string{"dm": "often"}, says: "dm can't be often: choose on or off"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := made(t)
			ann := bot.User{ID: "test:ann", Name: "Ann"}
			now, err := s.ChangeOf(t.Context(), bot.Request{User: ann, Args: tt.args, Zone: tt.zone}, tt.at)
			kept, _ := s.Of(t.Context(), ann.ID)
			if tt.says != "" {
				if err == nil || !strings.Contains(err.Error(), tt.says) || kept.V != 0 {
					t.Errorf("%v, want %q; kept is %+v", err, tt.says, kept)
				}
				return
			}
			if err != nil || !strings.Contains(now.Words(tt.at, false, true).String(), tt.told) || kept.V != 1 {
				t.Errorf("%v %q, want %q; kept is %+v", err, now.Words(tt.at, false, true), tt.told, kept)
			}
		})
	}
}

// A fifty-first game with a ping of its own replaces the oldest.
func TestGamePingsAreBounded(t *testing.T) {
	s := made(t)
	sets := func(id bot.TableID, ping string) {
		t.Helper()
		_, err := s.ChangeOf(t.Context(), bot.Request{User: bot.User{ID: "test:ann"}, Args: map[string]string{"ping": ping, "game": "yes"}}, id)
		gametest.Must(t, err)
	}
	wants := func(when string, pings map[bot.TableID]string) {
		t.Helper()
		for id, want := range pings {
			if w, err := s.Wishes(t.Context(), "test:ann", id); err != nil || w.Ping != want {
				t.Errorf("%s: game %d: %s, %v; want %s", when, id, w.Ping, err, want)
			}
		}
	}
	for id := bot.TableID(1); id <= 50; id++ {
		sets(id, "dm")
	}
	sets(50, "silent")
	wants("a game set again", map[bot.TableID]string{1: settings.PingDM, 2: settings.PingDM, 50: settings.PingSilent})
	sets(51, "dm")
	wants("a game more", map[bot.TableID]string{1: settings.PingHere, 2: settings.PingDM, 51: settings.PingDM})
}

func TestWishes(t *testing.T) {
	s := made(t)
	if _, err := s.ChangeOf(t.Context(), bot.Request{User: bot.User{ID: "test:ann"}, Args: map[string]string{"ping": "digest2", "quiet": "22-8:30", "zone": "Europe/Berlin"}}, 0); err != nil {
		t.Fatal(err)
	}
	w, err := s.Wishes(t.Context(), "test:ann", 0)
	if err != nil || !w.Digests() || !w.Racks() {
		t.Fatalf("%+v, %v", w, err)
	}
	at := func(clock string) time.Time { return bottest.In(t, "Europe/Berlin", "2026-06-01 "+clock) }
	for now, next := range map[string]string{
		"07:00": "2026-06-01 08:30", // 8 is within the quiet hours
		"09:00": "2026-06-01 18:00",
		"18:00": "2026-06-02 08:30",
	} {
		if got := w.NextDigest(at(now)); !got.Equal(bottest.In(t, "Europe/Berlin", next)) {
			t.Errorf("at %s the next digest is at %s, want %s", now, got, next)
		}
	}
	if !w.IsQuiet(at("23:00")) || w.IsQuiet(at("12:00")) {
		t.Error("the quiet hours are others")
	}
	if r, err := s.Wishes(t.Context(), bottest.People["robot"].ID, 0); err != nil || r.Ping != settings.PingSilent {
		t.Errorf("a robot is called: %+v, %v", r, err)
	}
}

// Replies are in the language that a person chose, or else the one their platform knows, or
// else that of the place.
func TestReplyLanguage(t *testing.T) {
	s := made(t)
	english := func() string { return "en" }
	gametest.Must(t, s.KeepHome(t.Context(), bot.Request{Channel: attic, Home: club, HomeLocale: "fr"}, english))
	if _, err := s.ChangeOf(t.Context(), bot.Request{User: bot.User{ID: "test:ann"}, Args: map[string]string{"speak": "de"}}, 0); err != nil {
		t.Fatal(err)
	}
	gametest.Must(t, s.KeepLocale(t.Context(), bot.Request{User: bot.User{ID: "test:bob"}, Locale: "pl"}))
	said := func(who game.PlayerID, locale string) string {
		chosen, err := s.PersonLocale(t.Context(), who, locale, attic)
		gametest.Must(t, err)
		return chosen.Code()
	}
	for _, tt := range []struct {
		who          game.PlayerID
		locale, want string
	}{
		{"test:ann", "es", "de"}, {"test:bob", "", "pl"}, {"test:bob", "es-419", "es"}, {"test:cat", "", "fr"}, {"", "", "fr"},
	} {
		if got := said(tt.who, tt.locale); got != tt.want {
			t.Errorf("%q whose platform says %q is spoken to in %s, want %s", tt.who, tt.locale, got, tt.want)
		}
	}
	gametest.Must(t, s.KeepLocale(t.Context(), bot.Request{User: bot.User{ID: "test:bob"}, Locale: "ja"}))
	if got := said("test:bob", ""); got != "fr" {
		t.Errorf("who reads a language that isn't here is spoken to in %s", got)
	}
	gametest.Must(t, keeper(t, s, "server", map[string]string{"speak": "nl"}))
	if got := said("test:cat", ""); got != "nl" {
		t.Errorf("where the server speaks Dutch: %s", got)
	}
	if home, err := s.HomeFor(t.Context(), bot.Request{Channel: attic}); home != club || err != nil {
		t.Errorf("the home is %q, %v", home, err)
	}
	if all, err := s.ChannelsOf(t.Context(), club); len(all) != 1 || all[0] != attic || err != nil {
		t.Errorf("the club's channels: %v, %v", all, err)
	}
}

func TestRunningInThreads(t *testing.T) {
	s := made(t)
	for _, id := range []bot.TableID{9, 4, 9} {
		gametest.Must(t, s.KeepRunning(t.Context(), den, id, true))
	}
	if all, err := s.RunningInThreads(t.Context(), den); len(all) != 2 || all[0] != 4 || err != nil {
		t.Errorf("running: %v, %v", all, err)
	}
	for _, id := range []bot.TableID{9, 4} {
		gametest.Must(t, s.KeepRunning(t.Context(), den, id, false))
	}
	if all, err := s.RunningInThreads(t.Context(), den); len(all) != 0 || err != nil {
		t.Errorf("all are over, and %v run, %v", all, err)
	}
	gametest.Must(t, s.KeepBeside(t.Context(), thread, den))
	if all, err := s.Threads(t.Context(), den); len(all) != 1 || all[0] != thread || err != nil {
		t.Errorf("threads: %v, %v", all, err)
	}
}

// A place uses its server's own words, or its own if it has no server.
func TestPlaceUsesServersWords(t *testing.T) {
	s := made(t)
	req := bot.Request{Channel: den, Home: club}
	at, err := s.OwnPlace(t.Context(), req)
	if err != nil || at.Kind != "server" {
		t.Fatalf("%+v, %v", at, err)
	}
	list := s.Has().Available()[0]
	plain, _ := s.OwnID(t.Context(), req, list)
	gametest.Must(t, s.ChangeWords(t.Context(), at, func(own *lexicons.OwnWords) error {
		own.Lists = map[string]lexicons.OwnChange{list.Name(): {Added: []string{"ZAX"}}}
		return nil
	}))
	if with, err := s.OwnID(t.Context(), req, list); err != nil || with == plain {
		t.Errorf("a table with words of the place has the same list: %+v, %v", with, err)
	}
	if there, err := s.OwnID(t.Context(), bot.Request{Channel: "test:elsewhere"}, list); err != nil || there != plain {
		t.Errorf("elsewhere: %+v, %v", there, err)
	}
}
