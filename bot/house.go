package bot

import (
	"cmp"
	"context"
	"fmt"
	"maps"

	"github.com/rackmate/rackmate/game"
)

// The shelf of the host's notes that has the home of each channel where a table
// was opened.
const homesShelf = "homes"

// keepHome notes which home a channel belongs to, for what is done later
// without a request.
func (h *Host) keepHome(ctx context.Context, ch ChannelID, home string) error {
	if home == "" {
		return nil
	}
	known, err := h.homeOf(ctx, ch)
	if err != nil || known == home {
		return err
	}
	if err := h.Notes.Put(ctx, homesShelf, string(ch), []byte(home)); err != nil {
		return fmt.Errorf("keep the home of %s: %w", ch, err)
	}
	return nil
}

// homeOf is the home of a channel, "" when it isn't known.
func (h *Host) homeOf(ctx context.Context, ch ChannelID) (string, error) {
	b, err := h.Notes.Get(ctx, homesShelf, string(ch))
	return string(b), err
}

// homeFor is the home that a request is made in.
func (h *Host) homeFor(ctx context.Context, req Request) (string, error) {
	if req.Home != "" {
		return req.Home, nil
	}
	return h.homeOf(ctx, req.Channel)
}

// What the managers of a home, or of a channel, have set.

// houseShelf has the settings of places, by place.
const houseShelf = "house"

// A storedHouse is what is set for a place.
type storedHouse struct {
	V int `json:"v"`
	// Defaults are options of /new, for tables that don't say otherwise.
	Defaults map[string]string `json:"defaults,omitempty"`
	// Games is "on" or "off": whether tables may be opened; "": as in the home.
	Games string `json:"games,omitempty"`
}

// houseDefaults are the options of /new that can be set for a place.
func houseDefaults() []string { return []string{"rules", "challenge", "lexicon"} }

func houseOptions() []Option {
	asIs := func(choices []Choice) []Choice {
		return append(choices, Choice{"none", "As the host has it"})
	}
	return []Option{
		{Name: "for", Help: "For whom: the channel's and the server's are for those who manage the server", Kind: Pick, Choices: []Choice{
			{"me", "For me"}, {"channel", "For this channel"}, {"server", "For this server"},
		}},
		{Name: "rules", Help: "For a channel or server: the rule set that tables begin with", Kind: Pick, Choices: asIs(ruleChoices())},
		{Name: "challenge", Help: "For a channel or server: the challenge rule that tables begin with", Kind: Pick, Choices: asIs(challengeChoices())},
		{Name: "lexicon", Help: "For a channel or server: the word list that tables begin with", Kind: Pick, Completes: true},
		{Name: "games", Help: "For a channel or server: whether tables may be opened there", Kind: Pick, Choices: []Choice{{"allowed", "Allowed"}, {"refused", "Refused"}, {"unset", "As the server has it"}}},
	}
}

// houseOf is what is set for a place.
func (h *Host) houseOf(ctx context.Context, place string) (s storedHouse, err error) {
	_, err = h.look(ctx, houseShelf, place, &s)
	return s, err
}

// places are the places that a request is in, the nearest first.
func (h *Host) places(ctx context.Context, req Request) ([]string, error) {
	home, err := h.homeFor(ctx, req)
	places := []string{channelScope(req.Channel)}
	if home != "" {
		places = append(places, homeScope(home))
	}
	return places, err
}

// inHouse is a request for a table with what the place has set for those
// options that it leaves open. It is refused where no tables may be opened.
func (h *Host) inHouse(ctx context.Context, req Request) (Request, error) {
	places, err := h.places(ctx, req)
	if err != nil {
		return req, err
	}
	games := ""
	req.Args = maps.Clone(req.Args)
	for _, place := range places {
		s, err := h.houseOf(ctx, place)
		if err != nil {
			return req, err
		}
		games = cmp.Or(games, s.Games)
		for _, name := range houseDefaults() {
			if value := s.Defaults[name]; value != "" && req.Args[name] == "" {
				req.Args[name] = value
			}
		}
	}
	if games == "off" {
		return req, refusing("No games are played in this channel. Those who manage the server say where, with ", code("/settings for:channel games:allowed"), ".")
	}
	return req, nil
}

// houseSettings shows what is set for a channel or a home, after changing what
// the request names.
func (h *Host) houseSettings(ctx context.Context, req Request) (Reply, error) {
	places, err := h.places(ctx, req)
	if err != nil {
		return Reply{}, err
	}
	place, called := places[0], "in this channel"
	switch scope := req.Args["for"]; {
	case scope == "channel":
	case scope != "server":
		return Reply{}, refusing(code(scope), " is no choice for ", code("for"), ": it is ", code("me"), ", ", code("channel"), " or ", code("server"), ".")
	case len(places) < 2:
		return Reply{}, refusing("There is no server here. ", code("/settings for:channel"), " is for this conversation.")
	default:
		place, called = places[1], "on this server"
	}
	var s storedHouse
	if err := h.Notes.Change(ctx, func(rows Rows) error {
		s = storedHouse{}
		if _, err := get(rows, houseShelf, place, &s); err != nil {
			return err
		}
		set, err := h.houseChange(&s, req)
		if err != nil || !set {
			return err
		}
		if !req.Manager {
			return refusing("Only those who manage the server can set that. You see what is set with ", code("/settings for:"+req.Args["for"]), ".")
		}
		s.V = 1
		return put(rows, houseShelf, place, s)
	}); err != nil {
		return Reply{}, err
	}
	return Reply{Text: houseText(s, called)}, nil
}

// houseChange puts what a request names into the settings of a place.
func (h *Host) houseChange(s *storedHouse, req Request) (set bool, err error) {
	for _, name := range houseDefaults() {
		value := req.Args[name]
		switch {
		case value == "":
			continue
		case value == "none":
			delete(s.Defaults, name)
		case name == "lexicon" && h.lexicon(game.LexiconID{Name: value}, h.Equipment.Tiles) == nil:
			return false, refusing("There is no word list ", code(shorten(value, maxName)), " here. ", code("/help new"), " lists them.")
		default:
			if name != "lexicon" {
				if _, err := rulesFor(map[string]string{name: value}); err != nil {
					return false, err
				}
			}
			if s.Defaults == nil {
				s.Defaults = map[string]string{}
			}
			s.Defaults[name] = value
		}
		set = true
	}
	switch games := req.Args["games"]; games {
	case "":
		return set, nil
	case "allowed":
		s.Games = "on"
	case "refused":
		s.Games = "off"
	case "unset":
		s.Games = ""
	default:
		return false, refusing(code(games), " is no choice for ", code("games"), ": it is ", code("allowed"), ", ", code("refused"), " or ", code("unset"), ".")
	}
	return true, nil
}

func houseText(s storedHouse, called string) Text {
	t := say("Tables ", called, " begin with ")
	var set []Text
	for _, name := range houseDefaults() {
		if value := s.Defaults[name]; value != "" {
			set = append(set, say(name, " ", code(value)))
		}
	}
	if len(set) == 0 {
		t = say(t, "what the host has")
	} else {
		t = say(t, listingOf(set))
	}
	switch s.Games {
	case "on":
		t = say(t, "; games are played here")
	case "off":
		t = say(t, "; no games are played here")
	}
	return say(t, ". ", code("/settings for:channel rules:club"), " sets such a thing.")
}

// stop lets whoever manages the place end a game that is none of theirs, after
// asking.
func (h *Host) stop(ctx context.Context, req Request) (Reply, error) {
	want := always(game.Stop{})
	if req.Table != 0 {
		return h.change(ctx, req, want)
	}
	return h.ask(ctx, req, want, func(t table) Reply {
		return Reply{
			Text:    say("End this game of others? Nobody wins, and it counts for nobody."),
			Buttons: []Button{{ID: buttonID(t.ID, t.Number, "end", nil), Label: "Yes, end it", Style: Danger}},
		}
	})
}

// stops reports whether a request to end a game is a manager's about a game of
// others.
func (h *Host) stops(ctx context.Context, req Request) (bool, error) {
	if !req.Manager {
		return false, nil
	}
	t, err := h.table(ctx, req)
	if err != nil {
		return false, err
	}
	seat, seated := t.SeatOf(req.User.ID)
	return !seated || t.Phase != game.Lobby && t.Seats[seat].Out, nil
}

func unseatOptions() []Option {
	return []Option{{Name: "player", Help: "Who loses the seat", Kind: People, Required: false}}
}

// unseat lets whoever manages the place free a seat, for others to take.
func (h *Host) unseat(ctx context.Context, req Request) (Reply, error) {
	switch {
	case !req.Manager:
		return Reply{}, refusing("Only those who manage the server can free somebody's seat. A player can ", code("/resign"), ".")
	case len(req.People) != 1:
		return Reply{}, refusing("Say whose seat: ", code("/unseat @ann"), ".")
	}
	who := req.People[0]
	return h.change(ctx, req, func(t table) (game.Action, error) {
		if seat, seated := t.SeatOf(who.ID); !seated || t.Seats[seat].Out || t.Seats[seat].Vacant {
			return nil, refusing(name(who), " has no seat in this game. ", code("/board"), " shows who has.")
		}
		return game.Vacate{Player: who.ID}, nil
	})
}
