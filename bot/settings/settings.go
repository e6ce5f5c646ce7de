// Package settings stores what people set for places and for themselves. A place is a
// channel or a home (see [bot.Request]). The value that applies is the channel's, or else
// its home's, or else the default.
package settings

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/lexicons"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// Settings holds the definitions of all settings and their stored values.
type Settings struct {
	threadIndex
	own      *shelf.Owner
	settings []Setting
	has      Has

	house   *shelf.Shelf[shelf.Place, stored]
	homes   *shelf.Shelf[shelf.Channel, shelf.Raw]
	words   *shelf.Shelf[shelf.Place, lexicons.OwnWords]
	people  *shelf.Shelf[shelf.Person, Person]
	passing *shelf.Shelf[shelf.Person, string]
	locales *shelf.Shelf[shelf.Person, string]
}

// Has lists the choices that a host offers.
type Has struct {
	*lexicons.Lists
	Pictures bool // whether it draws pictures
	Locales  *text.Locales
	// OneBoard reports whether a platform's games keep one board by default.
	OneBoard func(platform string) bool
}

// New returns settings on shelves of an owner. Call [Settings.Define] before using them.
func New(own *shelf.Owner, has Has) *Settings {
	return &Settings{
		own:         own,
		has:         has,
		house:       shelf.Open(own, "house", shelf.Spec[shelf.Place, stored]{Why: "what those who manage a place have set for it", Rename: (*stored).rename}),
		threadIndex: openAsides(own),
		homes:       shelf.Open(own, HomesShelf, shelf.Spec[shelf.Channel, shelf.Raw]{Why: "the server of each channel where a table was opened, and its language"}),
		words:       shelf.Open(own, "own words", shelf.Spec[shelf.Place, lexicons.OwnWords]{Why: "the words that a place has added to word lists or taken out of them"}),
		people:      shelf.Open(own, "settings", shelf.Spec[shelf.Person, Person]{Why: "what somebody has set for themselves"}),
		passing:     shelf.Open(own, "passing", shelf.Spec[shelf.Person, string]{Why: "that somebody passes without being asked to confirm"}),
		locales:     shelf.Open(own, "locales", shelf.Spec[shelf.Person, string]{Why: "the language that somebody was last seen to read"}),
	}
}

// Define sets the settings of places. It must be called before any are used.
func (s *Settings) Define(all []Setting) { s.settings = append(slices.Clip(all), lockSetting(all)) }

// All returns the settings of places.
func (s *Settings) All() []Setting { return s.settings }

// A stored holds the settings of a place.
type stored struct {
	V int `json:"v"`
	// Set holds the values by name, except for the setting "games".
	Set map[string]string `json:"defaults,omitempty"`
	// Games is "on", "one" or "off", for the values "allowed", "1" and "refused" of
	// "games".
	Games string `json:"games,omitempty"`
	// Locker is the person who set the locks.
	Locker bot.User `json:"locker,omitzero"`
}

// Unset is the value that resets a setting.
const Unset = "default"

// A Setting is something that can be set for a place.
type Setting struct {
	bot.Option // of /settings; its choices are the values, unless Complete is set
	// NewTable marks settings that are options of /new too, and apply to tables that don't
	// specify them.
	NewTable bool
	// Own marks settings that people can set for themselves too.
	Own bool
	// Default returns the default value. so returns the value of another setting that
	// applies.
	Default func(h Has, ch bot.ChannelID, so func(name string) string) string
	// DefaultNote says where the default comes from; nil means "the default".
	DefaultNote text.Text
	// Complete lists the values if they aren't the option's choices.
	Complete func(h Has, req bot.Request) []bot.Choice
	// Check validates a value. If it is nil, only the choices are valid.
	Check func(h Has, value string) error
}

// Theme and Board are settings that the engine itself uses: the colours of boards, and what
// happens to a board when the next one comes.
const (
	Theme = "theme"
	Board = "board"
)

// Overview is the setting of a channel's post about its games.
const Overview = "overview"

// PinOverview is the value of Overview by which a button pins that post. It is never stored.
const PinOverview = "pin"

// Values of Board.
const (
	FoldedBoard = "folded"
	LiveBoard   = "live"
)

// OneGame is the value of the setting "games" that allows a channel one game at a time.
const OneGame = "1"

// Options returns the options of /settings for places.
func Options(settings []Setting) []bot.Option {
	all := []bot.Option{{Name: "for", Help: "Who it's for; only managers of the channel or server can set theirs", Kind: bot.Pick, Choices: []bot.Choice{
		{Value: "me", Label: text.Say("For me")}, {Value: "channel", Label: text.Say("For this channel")}, {Value: "server", Label: text.Say("For this server")},
	}}}
	for _, s := range settings {
		if s.Complete == nil {
			s.Choices = append(slices.Clip(s.Choices), asUnset)
		}
		s.Place = !s.Own
		all = append(all, s.Option)
	}
	return all
}

// asUnset is the choice that resets a setting.
var asUnset = bot.Choice{Value: Unset, Label: text.Say("The default")}

// OrUnset returns the values of a setting to choose from, with the one that resets it.
func (s Setting) OrUnset(h Has, req bot.Request) []bot.Choice {
	choices := s.Choices
	if s.Complete != nil {
		choices = s.Complete(h, req)
	}
	return append(slices.Clip(choices), asUnset)
}

// Pick returns the option of a setting with fixed choices.
func Pick(name, help string, choices []bot.Choice) bot.Option {
	return bot.Option{Name: name, Help: help, Kind: bot.Pick, Choices: choices}
}

// ConstantDefault returns a constant default.
func ConstantDefault(value string) func(Has, bot.ChannelID, func(string) string) string {
	return func(Has, bot.ChannelID, func(string) string) string { return value }
}

// value returns a place's own value of a setting, or "" if it isn't set there.
func (s stored) value(name string) string {
	if name != "games" {
		return s.Set[name]
	}
	switch s.Games {
	case "on":
		return "allowed"
	case "one":
		return OneGame
	case "off":
		return "refused"
	}
	return ""
}

// put sets a setting. The value Unset resets it.
func (s *stored) put(name, value string) {
	if value == Unset {
		value = ""
	}
	if name == "games" {
		s.Games = map[string]string{"allowed": "on", OneGame: "one", "refused": "off"}[value]
		return
	}
	s.Set = maps.Clone(s.Set)
	if delete(s.Set, name); value != "" {
		if s.Set == nil {
			s.Set = map[string]string{}
		}
		s.Set[name] = value
	}
}

// Set applies a request to the settings of a place. If the sender doesn't manage the place,
// it returns the error of refuse.
func (s *Settings) Set(ctx context.Context, at Place, req bot.Request, refuse func() error) error {
	return s.house.Change(ctx, shelf.Place(at.Key), func(is *stored) (keep bool, err error) {
		keep = is.V > 0
		changed, err := is.change(s, req)
		if err == nil && changed && !req.Manager {
			err = refuse()
		}
		if changed {
			is.V, keep = 1, true
		}
		return keep, err
	})
}

// change applies a request to the settings of a place.
func (s *stored) change(all *Settings, req bot.Request) (changed bool, err error) {
	for _, o := range all.settings {
		value := req.Args[o.Name]
		if value == "" {
			continue
		}
		_, known := LabelOf(o.Choices, value)
		switch {
		case value == Unset:
		case o.Check != nil:
			if err := o.Check(all.has, value); err != nil {
				return false, err
			}
		case !known:
			return false, words.BadSetting(o.Name, value)
		}
		if o.List {
			value = strings.Join(bot.SplitList(value), ",")
		}
		s.put(o.Name, value)
		if o.Name == lock {
			s.Locker = bot.User{ID: req.User.ID, Name: req.User.Name}
		}
		changed = true
	}
	return changed, nil
}

// LabelOf returns the label of a value among some choices.
func LabelOf(choices []bot.Choice, value string) (text.Text, bool) {
	i := slices.IndexFunc(choices, func(c bot.Choice) bool { return c.Value == value })
	if i < 0 {
		return nil, false
	}
	return choices[i].Label, true
}

// A Place is a channel or home that settings can be set for.
type Place struct {
	Key  string
	Kind string // "channel" or "server"
}

// Places returns the places that a channel is in, nearest first. home may be "" if the
// request doesn't tell it.
func (s *Settings) Places(ctx context.Context, ch bot.ChannelID, home string) ([]Place, error) {
	open, err := s.OpenChannel(ctx, ch)
	if err != nil {
		return nil, err
	}
	all := []Place{{ChannelScope(open), "channel"}}
	if home == "" {
		if home, err = s.HomeOf(ctx, ch); err != nil {
			return nil, err
		}
	}
	if home != "" {
		all = append(all, Place{HomeScope(home), "server"})
	}
	return all, nil
}

// A Rule is the value of a setting that applies, with its source.
type Rule struct {
	Value string
	From  string // Kind of the place that set it; "" for the default
}

// HouseRules returns the values that apply in a channel of some places.
func (s *Settings) HouseRules(ctx context.Context, ch bot.ChannelID, places []Place) (map[string]Rule, error) {
	set, err := s.setFor(ctx, places)
	if err != nil {
		return nil, err
	}
	return s.rules(ch, places, set), nil
}

func (s *Settings) rules(ch bot.ChannelID, places []Place, set []stored) map[string]Rule {
	rules := make(map[string]Rule, len(s.settings))
	for _, o := range s.settings {
		rules[o.Name] = s.rule(ch, places, set, o.Name)
	}
	return rules
}

// RuleIn returns the value of a setting that applies in a channel of some places.
func (s *Settings) RuleIn(ctx context.Context, ch bot.ChannelID, places []Place, name string) (string, error) {
	set, err := s.setFor(ctx, places)
	if err != nil {
		return "", err
	}
	return s.rule(ch, places, set, name).Value, nil
}

// HouseRule returns the value of a setting that applies in a channel.
func (s *Settings) HouseRule(ctx context.Context, ch bot.ChannelID, name string) (string, error) {
	places, err := s.Places(ctx, ch, "")
	if err != nil {
		return "", err
	}
	return s.RuleIn(ctx, ch, places, name)
}

// setFor returns the stored settings of some places.
func (s *Settings) setFor(ctx context.Context, places []Place) ([]stored, error) {
	set := make([]stored, len(places))
	var err error
	for i, at := range places {
		if set[i], _, err = s.house.Get(ctx, shelf.Place(at.Key)); err != nil {
			return nil, err
		}
	}
	return set, nil
}

// rule returns the value of a setting that applies, given the settings of the places.
func (s *Settings) rule(ch bot.ChannelID, places []Place, set []stored, name string) Rule {
	i := slices.IndexFunc(s.settings, func(o Setting) bool { return o.Name == name })
	if i < 0 {
		return Rule{}
	}
	first := max(0, outermostLock(set, name)) // a lock overrides the values of nearer places
	for k, own := range set[first:] {
		if value := own.value(name); value != "" {
			return Rule{value, places[first+k].Kind}
		}
	}
	so := func(name string) string { return s.rule(ch, places, set, name).Value }
	return Rule{Value: s.settings[i].Default(s.has, ch, so)}
}

// Usual returns the values that apply in a channel to options of new tables that aren't given.
func (s *Settings) Usual(ctx context.Context, req bot.Request) (map[string]string, error) {
	here, err := s.Bounds(ctx, req)
	if err != nil {
		return nil, err
	}
	usual := map[string]string{}
	for _, o := range s.settings {
		if o.NewTable {
			usual[o.Name] = here.rules[o.Name].Value
		}
	}
	return usual, nil
}

// WithDefaults returns a request for a table with the place's settings for options that it
// leaves open. It refuses if the place doesn't allow games.
func (s *Settings) WithDefaults(ctx context.Context, req bot.Request) (bot.Request, error) {
	here, err := s.Bounds(ctx, req)
	if err != nil {
		return req, err
	}
	rules := here.rules
	if rules["games"].Value == "refused" {
		return req, words.Refusing("Games can't be played in this channel. Those who manage the server can allow them with {settings}.", text.Code("/settings for:channel games:allowed"))
	}
	asked := req.Args
	req.Args = map[string]string{}
	maps.Copy(req.Args, asked)
	for _, o := range s.settings {
		if rule := rules[o.Name]; o.NewTable && rule.From != "" && req.Args[o.Name] == "" {
			req.Args[o.Name] = rule.Value
		}
	}
	s.has.DropConflicts(req.Args, asked)
	// Leave out settings that don't fit the request: settings about late turns, for
	// example, are for tables with a pace.
	v, _ := game.FindVariant(strings.ToLower(req.Args["variant"]))
	unfit := UselessOptions(v)
	if p := req.Args["pace"]; p == "" || p == "none" || slices.Contains(unfit, "pace") && asked["pace"] == "" {
		unfit = append(unfit, "bank", "weekend", "late")
	}
	for _, name := range unfit {
		if asked[name] == "" {
			delete(req.Args, name)
		}
	}
	return req, here.Check(asked, req.Args)
}

// UselessOptions returns the options of a new table that have no effect in a variant: because
// its turns end by themselves, all play at once, or there is no one to wait for.
func UselessOptions(v game.Variant) []string {
	switch {
	case v.OwnTime:
		return []string{"order", "pace", "bank", "weekend", "late", "clock"}
	case IsSolo(v):
		return []string{"order", "pace", "bank", "weekend", "late"}
	}
	return nil
}

// IsSolo reports whether a variant is for one player.
func IsSolo(v game.Variant) bool {
	return v.Rules != nil && v.Rules(game.Classic()).MaxPlayers == 1
}

// OwnPlace returns the place whose words apply in a channel: its server, or the channel
// itself if it has no server.
func (s *Settings) OwnPlace(ctx context.Context, req bot.Request) (Place, error) {
	places, err := s.Places(ctx, req.Channel, req.Home)
	if err != nil {
		return Place{}, err
	}
	return places[len(places)-1], nil
}

// OwnID returns a table's identifier for a list, with the words of the place.
func (s *Settings) OwnID(ctx context.Context, req bot.Request, list *lexicon.Lexicon) (game.LexiconID, error) {
	at, err := s.OwnPlace(ctx, req)
	if err != nil {
		return game.LexiconID{}, err
	}
	own, err := s.OwnWords(ctx, at)
	if err != nil {
		return game.LexiconID{}, err
	}
	return s.has.Identity(list, own), nil
}

// OwnWords returns a place's own words.
func (s *Settings) OwnWords(ctx context.Context, at Place) (lexicons.OwnWords, error) {
	own, _, err := s.words.Get(ctx, shelf.Place(at.Key))
	return own, err
}

// ChangeWords changes a place's own words.
func (s *Settings) ChangeWords(ctx context.Context, at Place, change func(*lexicons.OwnWords) error) error {
	return s.words.Change(ctx, shelf.Place(at.Key), func(own *lexicons.OwnWords) (keep bool, err error) {
		return true, change(own)
	})
}

// Has returns the choices that the host offers.
func (s *Settings) Has() Has { return s.has }
