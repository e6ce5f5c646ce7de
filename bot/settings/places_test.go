package settings_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/lexicons"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/language"
	"github.com/rackmate/rackmate/lexicon"
)

// lexiconAndLanguage returns settings over some notes, for a host with word lists in
// English and Spanish, where a place can choose a list or a language.
func lexiconAndLanguage(t *testing.T, notes bot.Notes) (*settings.Settings, *shelf.Room) {
	t.Helper()
	var languages []*language.Language
	var lists []*lexicon.Lexicon
	for _, l := range []struct{ code, words string }{{"en", "HORN\nFARM\n"}, {"es", "CHA\nOH\n"}} {
		text, err := os.ReadFile(filepath.Join("..", "..", "data", "languages", l.code+".json"))
		gametest.Must(t, err)
		parsed, err := language.Parse(text)
		gametest.Must(t, err)
		list, err := lexicon.Build(l.code, parsed.Tiles.Alphabet(), strings.NewReader(l.words))
		gametest.Must(t, err)
		languages, lists = append(languages, parsed), append(lists, list)
	}
	room := shelf.NewRoom(notes, strings.NewReader(""))
	s := settings.New(room.Owner("settings"), settings.Has{Lists: lexicons.New(gametest.Equipment(t), languages, nil, lists, nil, func(string) string { return "en" })})
	allowed := func(settings.Has, string) error { return nil }
	s.Define([]settings.Setting{
		{Option: bot.Option{Name: "games"}, Default: settings.ConstantDefault("allowed"), Check: allowed},
		{Option: bot.Option{Name: "lexicon"}, NewTable: true, Default: settings.ConstantDefault("en"), Check: allowed},
		{Option: bot.Option{Name: "language"}, NewTable: true, Default: settings.ConstantDefault("en"), Check: allowed},
	})
	return s, room
}

// A locked word list also locks its language, and a locked language its lists. A request
// that amounts to the same isn't rejected.
func TestLockedLanguagesAndLists(t *testing.T) {
	for _, tt := range []struct {
		set, args map[string]string
		says      string
	}{
		{map[string]string{"language": "es", "lock": "language"}, map[string]string{"lexicon": "es"}, ""},
		{map[string]string{"language": "es", "lock": "language"}, map[string]string{"language": "Spanish"}, "locked language:es"},
		{map[string]string{"language": "es", "lock": "language"}, map[string]string{"lexicon": "en"}, "locked language:es"},
		{map[string]string{"lexicon": "es", "lock": "lexicon"}, map[string]string{"language": "español"}, ""},
		{map[string]string{"lexicon": "es", "lock": "lexicon"}, map[string]string{"language": "en"}, "locked lexicon:es"},
		{map[string]string{"lexicon": "es", "lock": "lexicon"}, map[string]string{"lexicon": "es"}, ""},
	} {
		s, _ := lexiconAndLanguage(t, memory.New().Notes("host"))
		gametest.Must(t, keeper(t, s, "server", tt.set))
		_, err := s.WithDefaults(t.Context(), bot.Request{Channel: den, Home: club, Args: tt.args})
		if tt.says == "" && err != nil || tt.says != "" && (err == nil || !strings.Contains(err.Error(), tt.says)) {
			t.Errorf("%v is set, and /new %v: %v, want %q", tt.set, tt.args, err, tt.says)
		}
	}
}

// An erased person's locks stay under the name of a former player, and others' locks keep
// their names.
func TestLockersAreForgotten(t *testing.T) {
	s, room := lexiconAndLanguage(t, memory.New().Notes("host"))
	gametest.Must(t, keeper(t, s, "server", map[string]string{"lexicon": "es", "lock": "lexicon"}))
	locker := func() string {
		_, err := s.WithDefaults(t.Context(), bot.Request{Channel: den, Home: club, Args: map[string]string{"lexicon": "en"}})
		if err == nil {
			t.Fatal("a table opens with what is locked")
		}
		name, _, _ := strings.Cut(err.Error(), " has locked")
		return name
	}
	for _, step := range []struct {
		who  game.PlayerID
		want string
	}{{"test:ann", "Kim"}, {"test:kim", "A former player"}} {
		gametest.Must(t, room.Forget(t.Context(), step.who, nil, bot.User{ID: "former:1", Name: "A former player"}, nil))
		if got := locker(); got != step.want {
			t.Errorf("after %s was forgotten, %s has locked it, want %s", step.who, got, step.want)
		}
	}
}

// Every setting of a place can be reset, by its last choice. Settings that people can't set
// for themselves are for places only.
func TestPlaceSettingsCanBeReset(t *testing.T) {
	s := made(t)
	all := settings.Options(s.All())
	var names, places []string
	for _, o := range all {
		names = append(names, o.Name)
		if o.Place {
			places = append(places, o.Name)
		}
		if o.List != (o.Name == "lock") {
			t.Errorf("%s takes several values: %t", o.Name, o.List)
		}
	}
	if want := []string{"for", "games", "pace", "late", "lexicon", "zone", "speak", "lock"}; !slices.Equal(names, want) {
		t.Errorf("the options are %q, want %q", names, want)
	}
	if want := []string{"games", "pace", "late", "lexicon", "lock"}; !slices.Equal(places, want) {
		t.Errorf("for places alone are %q, want %q", places, want)
	}
	values := func(choices []bot.Choice) (all []string) {
		for _, c := range choices {
			all = append(all, c.Value)
		}
		return all
	}
	if got := values(all[2].Choices); !slices.Equal(got, []string{"none", "1d", "3d", settings.Unset}) {
		t.Errorf("pace can be %q", got)
	}
	if got := values(s.All()[1].Choices); !slices.Equal(got, []string{"none", "1d", "3d"}) {
		t.Errorf("the setting itself has come to have the choices %q", got)
	}
	completed := map[string][]string{}
	for _, o := range s.All() {
		if o.Complete != nil {
			completed[o.Name] = values(o.OrUnset(s.Has(), bot.Request{Channel: den}))
		}
	}
	for name, parts := range map[string][]string{
		"zone":  {"Europe/Berlin", "America/St_Johns", "UTC", settings.Unset},
		"speak": {settings.Auto, "de", "pl", settings.Unset},
		"lock":  {"games", "pace", "late", "lexicon", "zone", "speak", settings.Unset},
	} {
		got := completed[name]
		for _, part := range parts {
			if !slices.Contains(got, part) {
				t.Errorf("%s is completed to %q, without %s", name, got, part)
			}
		}
		if len(got) == 0 || got[len(got)-1] != settings.Unset {
			t.Errorf("%s is completed to %q, whose last takes it back", name, got)
		}
	}
	if got := completed["lock"]; slices.Contains(got, "lock") {
		t.Errorf("a lock can lock itself: %q", got)
	}
}

// A place's zone can be any time zone, or none.
func TestZonesOfPlaces(t *testing.T) {
	s := made(t)
	for _, zone := range []string{"Asia/Kathmandu", "none"} {
		if err := keeper(t, s, "channel", map[string]string{"zone": zone}); err != nil {
			t.Errorf("%s: %v", zone, err)
		}
		if got, err := s.HouseRule(t.Context(), den, settings.Zone); got != zone || err != nil {
			t.Errorf("the zone is %s, %v, want %s", got, err, zone)
		}
	}
}

// A person's zone is the one they have set, or else the one that the platform knows, or
// else UTC.
func TestZonesOfPeople(t *testing.T) {
	for _, tt := range []struct{ own, platform, want string }{
		{"", "", "UTC"},
		{"", "Asia/Tokyo", "Asia/Tokyo"},
		{"Europe/Berlin", "Asia/Tokyo", "Europe/Berlin"},
		{"", "Mars/Olympus", "UTC"},
	} {
		if got := (settings.Person{Zone: tt.own}).ZoneFor(bot.Request{Zone: tt.platform}); got.String() != tt.want {
			t.Errorf("%q where the platform knows %q: %s, want %s", tt.own, tt.platform, got, tt.want)
		}
	}
}

// A person passes at once from when they choose so until they take it back. Other changes
// don't affect it, and unknown values are rejected.
func TestPassingAtOnce(t *testing.T) {
	s := made(t)
	for i, step := range []struct {
		args map[string]string
		says string
		want bool
	}{
		{map[string]string{"ping": "dm"}, "", false},
		{map[string]string{"pass": "now"}, "", true},
		{map[string]string{"dm": "off"}, "", true},
		{map[string]string{"pass": "never"}, "pass can't be never: choose asks or now", true},
		{map[string]string{"pass": "asks"}, "", false},
	} {
		_, err := s.ChangeOf(t.Context(), bot.Request{User: bot.User{ID: "test:ann"}, Args: step.args}, 0)
		if step.says == "" && err != nil || step.says != "" && (err == nil || !strings.Contains(err.Error(), step.says)) {
			t.Errorf("step %d: %v, want %q", i, err, step.says)
		}
		if got, err := s.PassesAtOnce(t.Context(), "test:ann"); got != step.want || err != nil {
			t.Errorf("step %d: passes at once is %t, %v", i, got, err)
		}
		if got, err := s.PassesAtOnce(t.Context(), "test:bob"); got || err != nil {
			t.Errorf("step %d: Bob passes at once: %t, %v", i, got, err)
		}
	}
}

// A person who takes back all settings has the defaults again.
func TestResetAllSettings(t *testing.T) {
	s := made(t)
	for _, args := range []map[string]string{
		{"quiet": "22-8", "zone": "Europe/Berlin", "speak": "de"},
		{"quiet": "off", "zone": settings.Unset, "speak": settings.Auto},
	} {
		if _, err := s.ChangeOf(t.Context(), bot.Request{User: bot.User{ID: "test:ann"}, Args: args}, 0); err != nil {
			t.Fatal(err)
		}
	}
	p, err := s.Of(t.Context(), "test:ann")
	if err != nil || !reflect.DeepEqual(p, settings.Person{}) {
		t.Errorf("left is %+v, %v", p, err)
	}
}

// A place's changes to a list are stored for its server.
func TestOwnWordsAreStored(t *testing.T) {
	s := made(t)
	at, err := s.OwnPlace(t.Context(), bot.Request{Channel: den, Home: club})
	gametest.Must(t, err)
	want := lexicons.OwnWords{V: 1, Lists: map[string]lexicons.OwnChange{"small": {Added: []string{"ZAX"}, Removed: []string{"HORN"}}}}
	gametest.Must(t, s.ChangeWords(t.Context(), at, func(own *lexicons.OwnWords) error { *own = want; return nil }))
	if got, err := s.OwnWords(t.Context(), at); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("the server's words are %+v, %v", got, err)
	}
	if got, err := s.OwnWords(t.Context(), settings.Place{Key: settings.ChannelScope(den), Kind: "channel"}); err != nil || len(got.Lists) > 0 {
		t.Errorf("the channel's own words are %+v, %v", got, err)
	}
}

// faultyNotes fails a given read.
type faultyNotes struct {
	bot.Notes
	fail  int // number of the read that fails, from 1
	reads int
}

var errDown = errors.New("the store is down")

func (n *faultyNotes) Get(ctx context.Context, shelf, key string) ([]byte, error) {
	if n.reads++; n.reads == n.fail {
		return nil, errDown
	}
	return n.Notes.Get(ctx, shelf, key)
}

// A failed read of the store returns its error. No table opens as if nothing were set.
func TestFailedReadReturnsError(t *testing.T) {
	ctx := t.Context()
	req := bot.Request{Channel: den, User: bot.User{ID: "test:ann"}, Locale: "de", Args: map[string]string{"lexicon": "en"}}
	for name, do := range map[string]func(*settings.Settings) error{
		"InHouse":   func(s *settings.Settings) error { _, err := s.WithDefaults(ctx, req); return err },
		"HouseRule": func(s *settings.Settings) error { _, err := s.HouseRule(ctx, den, "lexicon"); return err },
		"HouseRules": func(s *settings.Settings) error {
			_, err := s.HouseRules(ctx, den, []settings.Place{{Key: settings.ChannelScope(den), Kind: "channel"}})
			return err
		},
		"Locked": func(s *settings.Settings) error {
			return s.CheckLocked(ctx, []settings.Place{{Key: settings.ChannelScope(den), Kind: "channel"}, {Key: settings.HomeScope(club), Kind: "server"}}, req)
		},
		"OwnPlace": func(s *settings.Settings) error { _, err := s.OwnPlace(ctx, req); return err },
		"OwnID":    func(s *settings.Settings) error { _, err := s.OwnID(ctx, req, s.Has().Available()[0]); return err },
		"HomeFor":  func(s *settings.Settings) error { _, err := s.HomeFor(ctx, req); return err },
		"KeepHome": func(s *settings.Settings) error { return s.KeepHome(ctx, req, func() string { return "en" }) },
		"Wishes":   func(s *settings.Settings) error { _, err := s.Wishes(ctx, "test:ann", 0); return err },
	} {
		notes := &faultyNotes{Notes: memory.New().Notes("host")}
		s, _ := lexiconAndLanguage(t, notes)
		if err := do(s); err != nil || notes.reads == 0 {
			t.Errorf("%s, where all is well: %v after %d reads", name, err, notes.reads)
		}
		for n, reads := 1, notes.reads; n <= reads; n++ {
			notes.reads, notes.fail = 0, n
			if err := do(s); !errors.Is(err, errDown) {
				t.Errorf("%s, read %d of %d fails: %v", name, n, reads, err)
			}
		}
	}
}

// A channel's home is stored with its language: the home's if the platform knows it, or
// else the first sender's there. Without a home, it is the latest sender's language.
func TestChannelsHomeAndLanguage(t *testing.T) {
	s := made(t)
	for i, step := range []struct{ home, locale, theirs, keeps, speaks string }{
		{"", "", "", "", "en"}, // nothing is known
		{"test:club", "", "pl", "test:club", "pl"},
		{"test:club", "", "de", "test:club", "pl"}, // later senders change nothing
		{"test:club", "de", "", "test:club", "de"},
		{"test:other", "", "", "test:other", "de"},
		{"", "", "pl", "", "pl"},
		{"", "", "de", "", "de"},
	} {
		gametest.Must(t, s.KeepHome(t.Context(), bot.Request{Channel: den, Home: step.home, HomeLocale: step.locale}, func() string { return step.theirs }))
		home, err := s.HomeOf(t.Context(), den)
		if err != nil || home != step.keeps {
			t.Errorf("step %d: the home is %s, %v", i, home, err)
		}
		if to, err := s.ChannelLocale(t.Context(), den); err != nil || to.Code() != step.speaks {
			t.Errorf("step %d: there is spoken %s, %v; want %s", i, to.Code(), err, step.speaks)
		}
	}
}

// A setting's value, even its first choice, is found and shown by its label.
func TestLabelsOfValues(t *testing.T) {
	choices := []bot.Choice{{Value: "none", Label: text.Plain("No pace")}, {Value: "1d", Label: text.Plain("A day")}}
	for value, want := range map[string]string{"none": "No pace", "1d": "A day", "7y": ""} {
		label, known := settings.LabelOf(choices, value)
		if label.String() != want || known != (want != "") {
			t.Errorf("%s is called %q, %t", value, label, known)
		}
	}
}

// The description of a person's settings says if they pass at once.
func TestPassingAtOnceIsDescribed(t *testing.T) {
	for _, at := range []bool{false, true} {
		if got := (settings.Person{}).Words(0, at, true).String(); strings.Contains(got, "passes your turn at once") != at {
			t.Errorf("passing at once is %t, and it says %s", at, got)
		}
	}
}
