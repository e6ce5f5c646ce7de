package host

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// This file has what those who manage a place set for it. A place is a channel,
// or a home (see Request.Home). Of each setting counts what the channel has, else
// what its home has, else what is usual.

// houseShelf has what is set for places, by place.
const houseShelf = "house"

// A storedHouse is what is set for a place.
type storedHouse struct {
	V int `json:"v"`
	// Set is what is set, by name, but for the setting "games".
	Set map[string]string `json:"defaults,omitempty"`
	// Games is "on" or "off": the setting "games", "allowed" or "refused".
	Games string `json:"games,omitempty"`
}

// unset is the value that takes a setting back.
const unset = "default"

// A placeSetting is something that can be set for a place.
type placeSetting struct {
	bot.Option // of /settings; its choices are the values, unless it completes
	// newTable says that it is an option of /new too, for tables that don't say
	// otherwise.
	newTable bool
	// usual is the value where nothing is set. so are the values that count.
	usual func(h *Host, ch bot.ChannelID, so map[string]string) string
	// usually says where that comes from, "" for "as usual".
	usually string
	// complete lists values, where they aren't its choices.
	complete completer
	// check finds what is wrong with a value; without it, only its
	// choices are right.
	check func(h *Host, value string) error
}

// What becomes of a board when the next one comes.
const (
	foldedBoardRule = "folded"
	liveBoardRule   = "live"
)

// placeOptions are the options of /settings for places.
func placeOptions(settings []placeSetting) []bot.Option {
	all := []bot.Option{{Name: "for", Help: "For whom; the channel's and the server's are for those who manage them to change", Kind: bot.Pick, Choices: []bot.Choice{
		{Value: "me", Label: "For me"}, {Value: "channel", Label: "For this channel"}, {Value: "server", Label: "For this server"},
	}}}
	for _, s := range settings {
		if s.complete == nil {
			s.Choices = append(slices.Clip(s.Choices), asUnset)
		}
		s.Place = true
		all = append(all, s.Option)
	}
	return all
}

// asUnset is the choice that takes a setting back.
var asUnset = bot.Choice{Value: unset, Label: "As it is where nothing is set"}

// orUnset completes a setting.
func (s placeSetting) orUnset(h *Host, ctx context.Context, req bot.Request) []bot.Choice {
	return append(s.complete(h, ctx, req), asUnset)
}

// pickSetting is the option of a setting that is one of some choices.
func pickSetting(name, help string, choices []bot.Choice) bot.Option {
	return bot.Option{Name: name, Help: "For a place: " + help, Kind: bot.Pick, Choices: choices}
}

// usually is a usual value that is always the same.
func usually(value string) func(*Host, bot.ChannelID, map[string]string) string {
	return func(*Host, bot.ChannelID, map[string]string) string { return value }
}

// value is what a place has of a setting, "" where it leaves that open.
func (s storedHouse) value(name string) string {
	if name != "games" {
		return s.Set[name]
	}
	return map[string]string{"on": "allowed", "off": "refused"}[s.Games]
}

// put sets a setting; unset takes it back.
func (s *storedHouse) put(name, value string) {
	if value == unset {
		value = ""
	}
	if name == "games" {
		s.Games = map[string]string{"allowed": "on", "refused": "off"}[value]
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

// change puts what a request names into the settings of a place.
func (s *storedHouse) change(h *Host, req bot.Request) (changed bool, err error) {
	for _, o := range h.placeable {
		value := req.Args[o.Name]
		if value == "" {
			continue
		}
		_, known := labelOf(o.Choices, value)
		switch {
		case value == unset:
		case o.check != nil:
			if err := o.check(h, value); err != nil {
				return false, err
			}
		case !known:
			return false, badSetting(o.Name, value)
		}
		s.put(o.Name, value)
		changed = true
	}
	return changed, nil
}

// labelOf is the label of a value among some choices.
func labelOf(choices []bot.Choice, value string) (string, bool) {
	i := slices.IndexFunc(choices, func(c bot.Choice) bool { return c.Value == value })
	if i < 0 {
		return "", false
	}
	return choices[i].Label, true
}

// asidesShelf has, by thread that a table was opened in, the channel beside
// which it is: its settings are the thread's.
const asidesShelf = "asides"

// beside is the channel beside which a thread was opened, "" for what is no
// thread of ours.
func (h *Host) beside(ctx context.Context, ch bot.ChannelID) (bot.ChannelID, error) {
	b, err := h.Notes.Get(ctx, asidesShelf, string(ch))
	return bot.ChannelID(b), err
}

// openChannel is the channel that people talk in: the one beside which a thread is, or
// the channel itself.
func (h *Host) openChannel(ctx context.Context, ch bot.ChannelID) (bot.ChannelID, error) {
	beside, err := h.beside(ctx, ch)
	return cmp.Or(beside, ch), err
}

// A house is a place that settings can be set for, and what people call it.
type house struct{ key, called string }

// places are the places that a channel is in, the nearest first. home is "" where
// the request doesn't say.
func (h *Host) places(ctx context.Context, ch bot.ChannelID, home string) ([]house, error) {
	open, err := h.openChannel(ctx, ch)
	if err != nil {
		return nil, err
	}
	all := []house{{channelScope(open), "this channel"}}
	if home == "" {
		if home, err = h.homeOf(ctx, ch); err != nil {
			return nil, err
		}
	}
	if home != "" {
		all = append(all, house{homeScope(home), "this server"})
	}
	return all, nil
}

// A houseRule is the value of a setting that counts, and where it comes from.
type houseRule struct {
	value string
	from  string // a house's called; "" where nothing is set
}

// houseRules are the values that count in a channel of some places.
func (h *Host) houseRules(ctx context.Context, ch bot.ChannelID, places []house) (map[string]houseRule, error) {
	set := map[string]houseRule{}
	for _, at := range places {
		var s storedHouse
		if _, err := h.look(ctx, houseShelf, at.key, &s); err != nil {
			return nil, err
		}
		for _, o := range h.placeable {
			if value := s.value(o.Name); value != "" && set[o.Name].value == "" {
				set[o.Name] = houseRule{value, at.called}
			}
		}
	}
	so := map[string]string{}
	for _, o := range h.placeable {
		if set[o.Name].value == "" {
			set[o.Name] = houseRule{value: o.usual(h, ch, so)}
		}
		so[o.Name] = set[o.Name].value
	}
	return set, nil
}

// houseRule is the value of one setting that counts in a channel.
func (h *Host) houseRule(ctx context.Context, ch bot.ChannelID, name string) (string, error) {
	places, err := h.places(ctx, ch, "")
	if err != nil {
		return "", err
	}
	rules, err := h.houseRules(ctx, ch, places)
	return rules[name].value, err
}

// inHouse is a request for a table with what the place has set for those
// options that it leaves open. It is refused where no tables may be opened.
func (h *Host) inHouse(ctx context.Context, req bot.Request) (bot.Request, error) {
	places, err := h.places(ctx, req.Channel, req.Home)
	if err != nil {
		return req, err
	}
	rules, err := h.houseRules(ctx, req.Channel, places)
	if err != nil {
		return req, err
	}
	if rules["games"].value == "refused" {
		return req, refusing("No games are played in this channel. Those who manage the server say where, with ", bot.Code("/settings for:channel games:allowed"), ".")
	}
	asked := req.Args
	req.Args = maps.Clone(asked)
	for _, o := range h.placeable {
		if rule := rules[o.Name]; o.newTable && rule.from != "" && req.Args[o.Name] == "" {
			req.Args[o.Name] = rule.value
		}
	}
	h.agree(req.Args, asked)
	// What is set for late turns is for tables that have a pace, and a pace for
	// those that can have one.
	if v, _ := game.FindVariant(strings.ToLower(req.Args["variant"])); v.OwnTime && asked["pace"] == "" {
		delete(req.Args, "pace")
	}
	if p := req.Args["pace"]; p == "" || p == "none" {
		for _, name := range []string{"bank", "weekend", "late"} {
			if asked[name] == "" {
				delete(req.Args, name)
			}
		}
	}
	return req, nil
}

// houseSettings shows what counts in a channel or a home, and where each of it
// comes from, after changing what the request names.
func (h *Host) houseSettings(ctx context.Context, req bot.Request) (bot.Reply, error) {
	places, err := h.places(ctx, req.Channel, req.Home)
	if err != nil {
		return bot.Reply{}, err
	}
	switch scope := req.Args["for"]; {
	case scope == "channel":
	case scope != "server":
		return bot.Reply{}, refusing(bot.Code(scope), " is no choice for ", bot.Code("for"), ": it is ", bot.Code("me"), ", ", bot.Code("channel"), " or ", bot.Code("server"), ".")
	case len(places) < 2:
		return bot.Reply{}, refusing("There is no server here. ", bot.Code("/settings for:channel"), " is for this conversation.")
	default:
		places = places[1:]
	}
	if err := h.Notes.Change(ctx, func(rows bot.Rows) error {
		var s storedHouse
		if _, err := get(rows, houseShelf, places[0].key, &s); err != nil {
			return err
		}
		changed, err := s.change(h, req)
		if err != nil || !changed {
			return err
		}
		if !req.Manager {
			return refusing("Only those who manage the server can set that. You see what is set with ", bot.Code("/settings for:"+req.Args["for"]), ".")
		}
		s.V = 1
		return put(rows, houseShelf, places[0].key, s)
	}); err != nil {
		return bot.Reply{}, err
	}
	rules, err := h.houseRules(ctx, req.Channel, places)
	if err != nil {
		return bot.Reply{}, err
	}
	t := bot.Say("In ", places[0].called, ", where a table doesn't say otherwise:")
	if req.Args["for"] == "server" {
		t = bot.Say("On ", places[0].called, ", where a channel or a table doesn't say otherwise:")
	}
	for _, o := range h.placeable {
		rule := rules[o.Name]
		t = bot.Say(t, "\n", o.Name, " ", bot.Strong(rule.value), " · ")
		switch {
		case rule.from != "":
			t = bot.Say(t, "set for ", rule.from)
		default:
			t = bot.Say(t, cmp.Or(o.usually, "as usual"))
		}
	}
	if req.Manager {
		t = bot.Say(t, "\nFor instance ", bot.Code(fmt.Sprintf("/settings for:%s pace:3d", req.Args["for"])), " sets one, and ", bot.Code("pace:"+unset), " takes it back.")
	}
	return bot.Reply{Text: t}, nil
}
