package bot

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// This file has the commands that look and change nothing.

// try previews a play in private. Where challenges are on it says nothing of
// whether the words are valid: that is the player's risk.
func (h *Host) try(ctx context.Context, req Request) (Reply, error) {
	t, err := h.table(ctx, req)
	if err != nil {
		return Reply{}, err
	}
	m, err := h.placed(t, req)
	if err != nil {
		return h.orExplain(t, req, err)
	}
	tally, err := t.Rules.Tally(t.Equipment, &t.Board, m)
	if err != nil {
		return h.orExplain(t, req, err)
	}
	set := t.Equipment.Tiles
	at := m.At.At(m.Dir)
	r := Reply{Text: say(strong(plainWord(set, tally.Words[0].Tiles)), " at ", at, " would score ", strong(fmt.Sprint(tally.Total)), sums(set, game.Played{Move: m, Words: tally.Words, Score: tally.Total}), ".")}
	playable := true
	if t.Rules.Challenge == game.Void {
		dict, err := h.lexicon(t.Lexicon)
		if err != nil {
			return Reply{}, err
		}
		if bad := tally.Phonies(dict); len(bad) > 0 {
			r.Text = say(r.Text, " But ", notWords(set, bad), " not in the word list ", t.Lexicon.Name, ".")
			playable = false
		}
	} else {
		r.Text = say(r.Text, " Whether the words are valid is for you to judge.")
	}
	if seat, _ := t.SeatOf(req.User.ID); playable && t.Phase == game.Playing && t.Turn == seat {
		r.Buttons = append(r.Buttons, Button{
			ID:    buttonID(t.ID, t.Number, "play", map[string]string{"word": spelling(set, tally.Words[0].Tiles, m), "at": at}),
			Label: fmt.Sprintf("Play it for %d", tally.Total), Style: Primary,
		})
	}
	r.Picture, err = h.boardPicture(t.Channel, preview(t, m, tally))
	return r, err
}

// spelling writes a play so that game.ParseSpelling reads the very same tiles.
func spelling(set *game.TileSet, word game.Tiles, m game.Move) string {
	var b strings.Builder
	for i := range len(word) {
		text := set.Alphabet().Text(word.At(i).Letter())
		if len([]rune(text)) > 1 {
			text = "[" + text + "]"
		}
		if m.Tiles.At(i).IsBlank() {
			text = "?" + text
		}
		b.WriteString(text)
	}
	return b.String()
}

// orExplain answers a person's mistake; other errors stay errors.
func (h *Host) orExplain(t table, req Request, err error) (Reply, error) {
	if isMistake(err) {
		return h.explain(t, req, err), nil
	}
	return Reply{}, err
}

func (h *Host) rack(ctx context.Context, req Request) (Reply, error) {
	t, err := h.table(ctx, req)
	if err != nil {
		return Reply{}, err
	}
	seat, err := t.seat(req)
	if err != nil {
		return h.orExplain(t, req, err)
	}
	return h.rackReply(t, seat, req)
}

// rackReply shows a player their rack, in the order that the request asks for.
func (h *Host) rackReply(t table, seat int, req Request) (Reply, error) {
	rack := t.Seats[seat].Rack
	switch req.Args["order"] {
	case "sort":
		rack = rack.Sorted()
	case "shuffle":
		// The request's id is what is random: the same request gets the same
		// answer.
		hash := fnv.New64a()
		hash.Write([]byte(req.ID))
		b := []byte(rack)
		rand.New(rand.NewPCG(hash.Sum64(), uint64(t.Number))).Shuffle(len(b), func(i, j int) { b[i], b[j] = b[j], b[i] })
		rack = game.Tiles(b)
	}
	picture, err := h.rackPicture(t, seat, rack)
	if err != nil {
		return Reply{}, err
	}
	return Reply{
		Text:    say("Your rack: ", strong(spaced(t.Equipment.Tiles, rack))),
		Picture: picture,
		Buttons: rackButtons(t),
	}, nil
}

func rackButtons(t table) []Button {
	return []Button{
		{ID: buttonID(t.ID, t.Number, "rack", map[string]string{"order": "shuffle"}), Label: "Shuffle"},
		{ID: buttonID(t.ID, t.Number, "rack", map[string]string{"order": "sort"}), Label: "Sort"},
	}
}

// spaced is a rack letter by letter: "A E I ?".
func spaced(set *game.TileSet, ts game.Tiles) string {
	if ts == "" {
		return "empty"
	}
	var out []string
	for i := range len(ts) {
		out = append(out, set.Text(ts.At(i)))
	}
	return strings.Join(out, " ")
}

func (h *Host) board(ctx context.Context, req Request) (Reply, error) {
	t, err := h.table(ctx, req)
	if err != nil {
		return Reply{}, err
	}
	if t.Phase == game.NoTable || t.Phase == game.Lobby {
		return h.explain(t, req, &game.RuleError{Code: game.NotStarted}), nil
	}
	v := view(t)
	var r Reply
	switch t.Phase {
	case game.Playing:
		r.Text = say(bagWordsCapital(t.State), ". ", name(t.Seats[t.Turn].Person), " is to move.")
	case game.Closing:
		r.Text = say("The last play is open to a challenge.")
	default:
		r.Text = say("The game is over.")
	}
	if req.Args["as"] == "text" {
		r.Text = say(r.Text, "\n", code(v.Text()), "\n", v.Alt())
		return r, nil
	}
	r.Picture, err = h.boardPicture(t.Channel, v)
	return r, err
}

func bagWordsCapital(s game.State) string {
	w := bagWords(s)
	return strings.ToUpper(w[:1]) + w[1:]
}

func (h *Host) unseen(ctx context.Context, req Request) (Reply, error) {
	t, err := h.table(ctx, req)
	if err != nil {
		return Reply{}, err
	}
	if t.Phase != game.Playing && t.Phase != game.Closing {
		_, err := t.seat(req)
		if err == nil {
			err = &game.RuleError{Code: game.GameOver}
		}
		return h.orExplain(t, req, err)
	}
	seat, ok := t.SeatOf(req.User.ID)
	if !ok {
		seat = -1 // who watches sees no rack
	}
	set := t.Equipment.Tiles
	unseen := t.Unseen(seat)
	var parts []string
	vowels := 0
	for i, k := range set.Kinds() {
		tile := game.LetterTile(lexicon.Letter(i + 1))
		if k.Text == "?" {
			tile = game.Blank
		}
		if n := unseen.Count(tile); n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", k.Text, n))
			if k.Vowel {
				vowels += n
			}
		}
	}
	return Reply{Text: say(count(len(unseen), "tile"), " unseen, ", count(vowels, "vowel"), " among them; ", bagWords(t.State), ".\n", code(strings.Join(parts, "  ")))}, nil
}

func (h *Host) check(ctx context.Context, req Request) (Reply, error) {
	playing, err := h.Store.Playing(ctx, req.User.ID)
	if err != nil {
		return Reply{}, err
	}
	for _, id := range playing {
		t, err := h.table(ctx, Request{Table: id})
		if err != nil {
			return Reply{}, err
		}
		if !t.Rules.WordCheck {
			return refuse(say("You are playing by rules that don't let you look words up during the game (", t.Rules.Name, "). After it you can.")), nil
		}
	}
	t, err := h.table(ctx, req)
	if err != nil {
		return Reply{}, err
	}
	id := game.LexiconID{Name: h.DefaultLexicon(req.Channel.Platform())}
	if t.Phase != game.NoTable {
		id = t.Lexicon
	}
	lex, err := h.lexicon(id)
	if err != nil {
		return Reply{}, err
	}
	var lines []string
	for _, w := range listed(req.Args["words"]) {
		word, err := lex.Alphabet().Parse(w)
		if err == nil && lex.Has(word) {
			lines = append(lines, "✓ "+strings.ToUpper(w)+" is valid")
		} else {
			lines = append(lines, "✗ "+strings.ToUpper(w)+" is not")
		}
	}
	if len(lines) == 0 {
		c, _ := FindCommand("check")
		return refuse(say("That needs a word. ", usage(c))), nil
	}
	const most = 30
	if len(lines) > most {
		lines = append(lines[:most], fmt.Sprintf("and %d more: ask for fewer at a time", len(lines)-most))
	}
	return Reply{Text: say("In the word list ", id.Name, ":\n", strings.Join(lines, "\n"))}, nil
}

func (h *Host) history(ctx context.Context, req Request) (Reply, error) {
	t, err := h.table(ctx, req)
	if err != nil {
		return Reply{}, err
	}
	if t.Phase == game.NoTable || t.Phase == game.Lobby {
		return h.explain(t, req, &game.RuleError{Code: game.NotStarted}), nil
	}
	lines, err := moves(t)
	if err != nil {
		return Reply{}, err
	}
	if len(lines) == 0 {
		return Reply{Text: say("No move has been made yet.")}, nil
	}
	return Reply{Text: say(code(strings.Join(lines, "\n")))}, nil
}

// moves lists a game's moves, a line each: "3. Ann  8H HORN  14  41".
func moves(t table) ([]string, error) {
	s, err := t.at(1)
	if err != nil {
		return nil, err
	}
	set := t.Equipment.Tiles
	wide := 0
	for _, seat := range t.Seats {
		wide = max(wide, len([]rune(seat.Person.Name)))
	}
	var lines []string
	turn := 0
	add := func(seat int, what string, score int) {
		who := s.Seats[seat].Person.Name
		lines = append(lines, fmt.Sprintf("%3d. %s%s  %s %+d = %d", turn, who, strings.Repeat(" ", wide-len([]rune(who))), what, score, s.Seats[seat].Score+score))
	}
	for _, e := range t.Events[1:] {
		switch f := e.Fact.(type) {
		case game.Played:
			turn++
			add(f.Seat, f.Move.At.At(f.Move.Dir)+" "+set.Print(f.Words[0].Tiles), f.Score)
		case game.Exchanged:
			turn++
			add(f.Seat, "exchanges "+fmt.Sprint(len(f.Put)), 0)
		case game.Passed:
			turn++
			add(f.Seat, "passes", 0)
		case game.TurnLost:
			turn++
			add(f.Seat, "loses the turn", 0)
		case game.Challenged:
			switch {
			case len(f.Invalid) > 0:
				add(f.Player, "challenged off", -s.Latest.Score)
			case f.Bonus > 0:
				add(f.Player, "wrongly challenged", f.Bonus)
			}
		case game.Ended:
			for i, points := range f.Adjust {
				if points != 0 {
					add(i, "tiles left", points)
				}
			}
		}
		s.State = s.Apply(e)
	}
	return lines, nil
}

func (h *Host) help(_ context.Context, req Request) (Reply, error) {
	if name := strings.TrimPrefix(strings.ToLower(req.Args["command"]), "/"); name != "" {
		c, ok := FindCommand(name)
		if !ok {
			return refuse(unknownCommand(name)), nil
		}
		t := say(c.Help, ". ", usage(c))
		for _, o := range c.Options {
			t = say(t, "\n", code(o.Name), ": ", o.Help)
			var values []string
			for _, choice := range o.Choices {
				values = append(values, choice.Value)
			}
			if o.Name == "lexicon" {
				for _, l := range h.Lexicons {
					values = append(values, l.Name())
				}
			}
			if len(values) > 0 {
				t = say(t, " (", strings.Join(values, ", "), ")")
			}
		}
		return Reply{Text: t}, nil
	}
	t := say("What you can do:")
	for _, c := range Commands() {
		t = say(t, "\n", code("/"+c.Name), " ", c.Help)
	}
	return Reply{Text: t}, nil
}

// answer is what a person whose request changed the table is told in private:
// everybody reads what happened; the rack is theirs alone.
func (h *Host) answer(t table, from int, req Request) (Reply, error) {
	seat, seated := t.SeatOf(req.User.ID)
	before, err := t.at(from)
	if err != nil {
		return Reply{}, err
	}
	if seated && t.Phase != game.Over && racksOf(before.State)[req.User.ID] != racksOf(t.State)[req.User.ID] {
		return h.rackReply(t, seat, req)
	}
	switch t.Events[from].Fact.(type) {
	case game.Opened:
		return Reply{Text: say("Your table is open.")}, nil
	case game.Joined:
		return Reply{Text: say("You have a seat.")}, nil
	}
	return Reply{Text: say("Done.")}, nil
}

// Complete lists what could be meant by the option being typed, best first, at
// most 25. req.Args has the options typed so far, that one included.
func (h *Host) Complete(ctx context.Context, req Request, option string) []Choice {
	const most = 25
	typed := strings.ToLower(req.Args[option])
	var all []Choice
	switch {
	case option == "lexicon":
		for _, l := range h.Lexicons {
			all = append(all, Choice{l.Name(), fmt.Sprintf("%s: %d words", l.Name(), l.Len())})
		}
	case option == "command":
		for _, c := range Commands() {
			all = append(all, Choice{c.Name, c.Name + ": " + c.Help})
		}
	case option == "at":
		all = h.squares(ctx, req)
	case option == "words" && req.Command == "challenge":
		if t, err := h.table(ctx, req); err == nil && t.Latest != nil {
			for _, w := range t.Latest.Words {
				word := plainWord(t.Equipment.Tiles, w.Tiles)
				all = append(all, Choice{word, fmt.Sprintf("%s (%d points)", word, w.Score)})
			}
		}
	}
	all = slices.DeleteFunc(all, func(c Choice) bool { return !strings.HasPrefix(strings.ToLower(c.Value), typed) })
	return all[:min(len(all), most)]
}

// squares are the places that the typed word can go to, best score first:
// "8D across · 74 · also EX, AT".
func (h *Host) squares(ctx context.Context, req Request) []Choice {
	t, err := h.table(ctx, req)
	if err != nil {
		return nil
	}
	seat, err := t.seat(req)
	if err != nil {
		return nil
	}
	word, err := game.ParseSpelling(t.Equipment.Tiles, req.Args["word"])
	if err != nil {
		return nil
	}
	spots, _, err := h.spots(t, t.Seats[seat].Rack, word)
	if err != nil {
		return nil
	}
	var all []Choice
	for _, s := range spots {
		at := s.Move.At.At(s.Move.Dir)
		label := fmt.Sprintf("%s %s · %d", at, s.Move.Dir, s.Tally.Total)
		if others := s.Tally.Words[1:]; len(others) > 0 {
			var also []string
			for _, w := range others {
				also = append(also, plainWord(t.Equipment.Tiles, w.Tiles))
			}
			label += " · also " + strings.Join(also, ", ")
		}
		all = append(all, Choice{at, label})
	}
	return all
}
