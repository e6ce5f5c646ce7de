package host

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/imaging"
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
	// check finds what is wrong with a value that is none of the choices.
	check func(h *Host, value string) error
}

// Who may end a game of others that lies there; see Host.abandoned.
const (
	byManagers = "managers"
	byPlayers  = "players"
	byAnyone   = "anyone"
)

// What becomes of a board when the next one comes.
const (
	foldedBoardRule = "folded"
	liveBoardRule   = "live"
)

// usualTheme says that each platform has the theme that suits it.
const usualTheme = "each platform's own"

// placeSettings lists what can be set, in the order to show it.
func placeSettings() []placeSetting {
	always := func(value string) func(*Host, bot.ChannelID, map[string]string) string {
		return func(*Host, bot.ChannelID, map[string]string) string { return value }
	}
	pick := func(name, help string, choices []bot.Choice) bot.Option {
		return bot.Option{Name: name, Help: "For a place: " + help, Kind: bot.Pick, Choices: choices}
	}
	var paces []placeSetting
	for i, usual := range []string{"none", "none", "counts", game.LateClaim.String()} {
		o := paceOptions()[i]
		paces = append(paces, placeSetting{Option: pick(o.Name, strings.ToLower(o.Help[:1])+o.Help[1:], o.Choices), newTable: true, usual: always(usual)})
	}
	paces[2].Help = "For a place: whether Saturdays and Sundays count, in the time zone of who opens a table"
	paces[0].Help = "For a place: how long a turn may take, where a table doesn't say otherwise"
	var themes []bot.Choice
	for _, t := range imaging.Themes() {
		themes = append(themes, bot.Choice{Value: t.String(), Label: map[imaging.Theme]string{
			imaging.Light: "Light", imaging.Dark: "Dark", imaging.ColourSafe: "Colours that nearly everybody can tell apart",
		}[t]})
	}
	return slices.Concat([]placeSetting{
		{Option: pick("rules", "the rule set that tables begin with", ruleChoices()), newTable: true, usual: always(game.RuleSets()[0].Name)},
		{
			Option: pick("challenge", "the challenge rule that tables begin with", challengeChoices()), newTable: true,
			usual: func(_ *Host, _ bot.ChannelID, so map[string]string) string {
				rules, err := rulesFor(map[string]string{"rules": so["rules"]})
				if err != nil {
					rules = game.RuleSets()[0]
				}
				return rules.Challenge.String()
			},
		},
		{
			Option: bot.Option{Name: "language", Help: "For a place: the language that tables begin with", Kind: bot.Pick, Completes: true}, newTable: true,
			usual: func(h *Host, ch bot.ChannelID, _ map[string]string) string {
				if l := h.languageOf(h.defaultLexicon(ch.Platform())); l != nil {
					return l.Code
				}
				return "en"
			},
			check: func(h *Host, value string) error {
				_, _, err := h.listFor("", map[string]string{"language": value})
				return err
			},
		},
		{
			Option: bot.Option{Name: "lexicon", Help: "For a place: the word list that tables begin with", Kind: bot.Pick, Completes: true}, newTable: true,
			usual: func(h *Host, ch bot.ChannelID, so map[string]string) string {
				return h.usualList(ch.Platform(), h.language(so["language"]))
			},
			check: func(h *Host, value string) error {
				if h.lexicon(game.LexiconID{Name: value}, h.tilesOf(value)) == nil {
					return refusing("There is no word list ", bot.Code(bot.Shorten(value, bot.MaxName)), " here. ", bot.Code("/help new"), " lists them.")
				}
				return nil
			},
		},
	}, paces, []placeSetting{
		{Option: pick("games", "whether tables may be opened there", []bot.Choice{{Value: "allowed", Label: "Allowed"}, {Value: "refused", Label: "Refused"}}), usual: always("allowed")},
		{
			Option: pick("board", "what becomes of a board when the next one comes", []bot.Choice{
				{Value: foldedBoardRule, Label: "It is folded to a line that tells of the move"},
				{Value: liveBoardRule, Label: "There is one board, kept as it is now; /history has the moves"},
			}), usual: always(foldedBoardRule),
		},
		{Option: pick("theme", "the colours of the boards", themes), usual: always(usualTheme)},
		{Option: pick("abandoned", "who may end a game where nobody moves any more", []bot.Choice{
			{Value: byManagers, Label: "Those who manage the server, as any game"},
			{Value: byPlayers, Label: "Its players too, but for the one to move, after 7 days"},
			{Value: byAnyone, Label: "Its players after 7 days, and anybody after 14"},
		}), usual: always(byManagers)},
		{
			Option: bot.Option{Name: "away", Help: "For a place: how many days a year a player may be away, 0 to 366", Kind: bot.Pick, Completes: true},
			usual:  always(strconv.Itoa(awayDays)),
			check: func(_ *Host, value string) error {
				if n, err := strconv.Atoi(value); err != nil || n < 0 || n > 366 {
					return refusing(bot.Code(bot.Shorten(value, bot.MaxName)), " is no number of days from 0 to 366. Write one: ", bot.Code("/settings for:server away:30"), ".")
				}
				return nil
			},
		},
	})
}

// placeOptions are the options of /settings for places.
func placeOptions() []bot.Option {
	return append([]bot.Option{{Name: "for", Help: "For whom; the channel's and the server's are for those who manage them to change", Kind: bot.Pick, Choices: []bot.Choice{
		{Value: "me", Label: "For me"}, {Value: "channel", Label: "For this channel"}, {Value: "server", Label: "For this server"},
	}}}, ofPlaces()...)
}

// ofPlaces are the options of "/settings for:channel" and "for:server".
func ofPlaces() []bot.Option {
	var all []bot.Option
	for _, s := range placeSettings() {
		if !s.Completes {
			s.Choices = append(slices.Clip(s.Choices), bot.Choice{Value: unset, Label: "As it is where nothing is set"})
		}
		s.Place = true
		all = append(all, s.Option)
	}
	return all
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
	for _, o := range placeSettings() {
		value := req.Args[o.Name]
		if value == "" {
			continue
		}
		_, known := labelOf(o.Choices, value)
		switch {
		case value == unset || known && o.Name != "theme":
		case o.check != nil:
			if err := o.check(h, value); err != nil {
				return false, err
			}
		case !known:
			return false, badSetting(o.Name, value)
		case h.Renderer == nil:
			return false, refusing("No boards are drawn here, so there is no theme to choose.")
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
		for _, o := range placeSettings() {
			if value := s.value(o.Name); value != "" && set[o.Name].value == "" {
				set[o.Name] = houseRule{value, at.called}
			}
		}
	}
	so := map[string]string{}
	for _, o := range placeSettings() {
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
	for _, o := range placeSettings() {
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
	for _, o := range placeSettings() {
		rule := rules[o.Name]
		t = bot.Say(t, "\n", o.Name, " ", bot.Strong(rule.value), " · ")
		switch {
		case rule.from != "":
			t = bot.Say(t, "set for ", rule.from)
		case o.Name == "challenge":
			t = bot.Say(t, "by those rules")
		default:
			t = bot.Say(t, "as usual")
		}
	}
	if req.Manager {
		t = bot.Say(t, "\nFor instance ", bot.Code(fmt.Sprintf("/settings for:%s pace:3d", req.Args["for"])), " sets one, and ", bot.Code("pace:"+unset), " takes it back.")
	}
	return bot.Reply{Text: t}, nil
}
