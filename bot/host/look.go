package host

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// This file has the commands that look and change nothing.

// try previews a play in private. Where challenges are on it says nothing of
// whether the words are valid: that is the player's risk.
func (h *Host) try(ctx context.Context, req bot.Request) (bot.Reply, error) {
	t, err := h.table(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	m, err := h.placed(t, req)
	if err != nil {
		return h.orExplain(t, req, err)
	}
	tally, err := t.Tally(m)
	if err != nil {
		return h.orExplain(t, req, err)
	}
	set := t.Equipment.Tiles
	at := m.At.At(m.Dir)
	r := bot.Reply{Text: bot.Say(bot.Strong(plainWord(set, tally.Words[0].Tiles)), " at ", at, " would score ", bot.Strong(fmt.Sprint(tally.Total)), sums(set, game.Played{Move: m, Words: tally.Words, Score: tally.Total}), ".")}
	playable := true
	if t.Rules.Challenge == game.Void {
		dict, err := h.dictionary(t.State)
		if err != nil {
			return h.orExplain(t, req, err)
		}
		if bad := tally.Phonies(dict); len(bad) > 0 {
			r.Text = bot.Say(r.Text, " But ", notWords(set, bad), " not in the word list ", bot.Code(t.Lexicon.Name), ", so you can't play it.")
			playable = false
		}
	} else {
		r.Text = bot.Say(r.Text, " Whether that is valid is for you to judge.")
	}
	label := "Play it for %d"
	if t.Variant.lay != nil {
		label = "Submit it for %d"
	}
	if seat, _ := t.SeatOf(req.User.ID); playable && t.Phase == game.Playing && (t.Turn == seat || t.Variant.lay != nil) {
		args := map[string]string{"word": spelling(set, m), "at": at}
		if t.Variant.place != nil {
			args = map[string]string{"word": req.Args["word"]}
		}
		r.Buttons = append(r.Buttons, bot.Button{
			ID:    bot.ButtonID(t.ID, t.Number, "play", args),
			Label: fmt.Sprintf(label, tally.Total), Style: bot.Primary,
		})
	}
	r.Picture = h.boardPicture(h.renderer(ctx, t.Channel, req.Dark), preview(t, m, tally))
	return r, nil
}

// spelling writes a play so that game.ParseSpelling reads the very same tiles,
// in few characters: "." where it goes through a tile on the board.
func spelling(set *game.TileSet, m game.Move) string {
	var b strings.Builder
	for i := range len(m.Tiles) {
		tile := m.Tiles.At(i)
		text := set.Alphabet().Text(tile.Letter())
		switch {
		case tile == game.NoTile:
			text = "."
		case utf8.RuneCountInString(text) > 1:
			text = "[" + text + "]"
		}
		if tile.IsBlank() {
			text = "?" + text
		}
		b.WriteString(text)
	}
	return b.String()
}

func (h *Host) rack(ctx context.Context, req bot.Request) (bot.Reply, error) {
	t, err := h.table(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	seat, err := t.seat(req)
	if err != nil {
		return h.orExplain(t, req, err)
	}
	return h.rackReply(ctx, t, seat, req), nil
}

// rackReply shows a player their rack, in the order that the request asks for.
func (h *Host) rackReply(ctx context.Context, t table, seat int, req bot.Request) bot.Reply {
	rack := t.RackOf(seat)
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
	r := bot.Reply{
		Text:    bot.Say("Your rack: ", bot.Strong(spaced(t.Equipment.Tiles, rack))),
		Picture: h.rackPicture(h.renderer(ctx, t.Channel, req.Dark), t, seat, rack),
		Buttons: rackButtons(t),
		Rack:    true,
		Menus:   exchangeMenus(t, seat),
	}
	for i := range len(rack) {
		r.Tiles = append(r.Tiles, bot.Tile{Text: t.Equipment.Tiles.Text(rack.At(i)), Value: t.Equipment.Tiles.Value(rack.At(i))})
	}
	if rack == "" {
		r.Text, r.Buttons = bot.Say("Your rack is empty: you have played all your tiles."), nil
	}
	if own := t.Variant.rack; own != nil && t.Phase == game.Playing {
		return own(t, seat, r)
	}
	return r
}

// exchangeMenus lets a player choose what to put back, where they can. The
// values are places in the sorted rack, for a rack may have two tiles alike.
func exchangeMenus(t table, seat int) []bot.Menu {
	rack := t.Seats[seat].Rack.Sorted()
	if t.Phase != game.Playing || t.Turn != seat || rack == "" || len(t.Bag) < max(t.Rules.ExchangeMin, 1) {
		return nil
	}
	m := bot.Menu{ID: bot.ButtonID(t.ID, t.Number, "exchange", map[string]string{"tiles": ""}), Label: "Exchange tiles", Most: min(len(rack), len(t.Bag))}
	for i := range len(rack) {
		text := t.Equipment.Tiles.Text(rack.At(i))
		if rack.At(i).IsBlank() {
			text = "? (blank)"
		}
		m.Choices = append(m.Choices, bot.Choice{Value: strconv.Itoa(i + 1), Label: text})
	}
	return []bot.Menu{m}
}

func rackButtons(t table) []bot.Button {
	return []bot.Button{
		{ID: bot.ButtonID(t.ID, t.Number, "rack", map[string]string{"order": "shuffle"}), Label: "Shuffle"},
		{ID: bot.ButtonID(t.ID, t.Number, "rack", map[string]string{"order": "sort"}), Label: "Sort"},
	}
}

// spaced is a rack letter by letter: "A E I ?".
func spaced(set *game.TileSet, ts game.Tiles) string {
	var out []string
	for i := range len(ts) {
		out = append(out, set.Text(ts.At(i)))
	}
	return strings.Join(out, " ")
}

// boardKind is the kind of posts that bring the board down again.
const boardKind = "board"

// board shows how a game stands: who plays brings the board down to the end of
// the channel, where everybody sees it, and who watches or wants another form
// of it is shown it alone.
func (h *Host) board(ctx context.Context, req bot.Request) (bot.Reply, error) {
	t, err := h.begun(ctx, req)
	if err != nil {
		return h.orExplain(t, req, err)
	}
	if seat, seated := t.SeatOf(req.User.ID); seated && !t.Seats[seat].Out && t.Phase != game.Over && req.Channel == t.Channel && req.Args["as"] == "" {
		return h.bringDown(ctx, req)
	}
	v := view(t)
	r := bot.Reply{Text: standing(t)}
	draw := h.renderer(ctx, t.Channel, req.Dark)
	switch req.Args["as"] {
	case "zoom":
		r.Picture = h.picture(draw, v.Alt(), func() ([]byte, error) { return draw.Zoom(v) })
		return r, nil
	case "print":
		onPaper := h.renderer(ctx, t.Channel, false)
		r.Picture = h.picture(onPaper, v.Alt(), func() ([]byte, error) { return onPaper.Print(v) })
		return r, nil
	case "text":
		r.Text = bot.Say(r.Text, "\n", bot.Code(v.Text()))
		if alt := v.Alt(); r.Text.Len()+len(alt) < bot.MaxText {
			r.Text = bot.Say(r.Text, "\n", alt)
		}
		return r, nil
	}
	r.Picture = h.boardPicture(draw, v)
	return r, nil
}

// bringDown queues a post of the board as it is; the one before it folds.
func (h *Host) bringDown(ctx context.Context, req bot.Request) (bot.Reply, error) {
	err := h.Store.Update(ctx, req.Channel, req.ID, func(r *bot.Room) error {
		if r.Receipt == nil {
			n := len(r.Events)
			r.Posts = append(r.Posts, bot.Post{Channel: r.Channel, From: n, To: n, Kind: boardKind, At: h.Now()})
			r.File = &bot.Receipt{From: n, To: n}
		}
		return nil
	})
	if err != nil {
		return bot.Reply{}, err
	}
	h.committed(req.Channel)
	return bot.Reply{Text: bot.Say("Here it comes, for everybody. ", bot.Code("/board picture"), " shows it to you alone.")}, nil
}

// boardMessage is the post that brings the board down, where nothing has
// happened since that did.
func (h *Host) boardMessage(ctx context.Context, _ bot.Post, t, now table, m bot.Message) (bot.Message, error) {
	if now.Number != t.Number {
		return m, errNothingToTell
	}
	m.Text = standing(t)
	m.Line = bot.Say("The board: ", scoreLine(t), ".")
	m.Picture = h.postedBoard(ctx, t, false)
	m.Buttons, m.Menus = publicButtons(t), pollMenus(t)
	return m, nil
}

// standing is how a game stands: the scores, and what is to come.
func standing(t table) bot.Text {
	switch t.Phase {
	case game.Playing:
		if status := t.Variant.status; status != nil {
			return status(t, len(t.Events), t.State)
		}
		return bot.Say(scoreLine(t), "\n", bot.Name(t.Seats[t.Turn].Person), " is to move.")
	case game.Closing:
		return bot.Say(scoreLine(t), "\nThe last play is open to a challenge until ", clock(t.Until), ".")
	}
	return bot.Say("The game is over. ", caption(t), ".")
}

// begun loads a table whose tiles have been dealt. Otherwise the error is the
// *game.RuleError that says so.
func (h *Host) begun(ctx context.Context, req bot.Request) (table, error) {
	t, err := h.table(ctx, req)
	switch {
	case err != nil || t.played():
		return t, err
	case t.Phase == game.Over:
		return t, &game.RuleError{Code: game.GameOver} // closed before the start
	}
	return t, &game.RuleError{Code: game.NotStarted}
}

func (h *Host) unseen(ctx context.Context, req bot.Request) (bot.Reply, error) {
	t, err := h.begun(ctx, req)
	if err == nil && t.Phase == game.Over {
		err = &game.RuleError{Code: game.GameOver}
	}
	if err != nil {
		return h.orExplain(t, req, err)
	}
	seat, ok := t.SeatOf(req.User.ID)
	if !ok || t.Seats[seat].Out {
		seat = -1 // who watches sees no rack
	}
	unseen := t.unseen(seat)
	var parts []string
	vowels := 0
	for i, k := range t.Equipment.Tiles.Kinds() {
		tile := game.LetterTile(lexicon.Letter(i + 1))
		if k.Text == "?" {
			tile = game.Blank
		}
		if n := unseen.Count(tile); n > 0 {
			// No line ends between a letter and its number.
			parts = append(parts, fmt.Sprintf("%s\u00a0%d", k.Text, n))
			if k.Vowel {
				vowels += n
			}
		}
	}
	text := bot.Say(count(len(unseen), "tile"), verb(len(unseen), " is", " are"), " unseen, ", number(vowels), " of them ", verb(vowels, "a vowel", "vowels"), "; ", bagWords(t), ".")
	if n := len(t.Lost()); n > 0 {
		text = bot.Say(text, " ", n, " of the unseen left play.")
	}
	return bot.Reply{Text: bot.Say(text, "\n", bot.Code(strings.Join(parts, "  ")))}, nil
}

func (h *Host) check(ctx context.Context, req bot.Request) (bot.Reply, error) {
	lex, _, err := h.wordList(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	typed := bot.Listed(req.Args["words"])
	if len(typed) == 0 {
		c, _ := h.Commands().Find("check")
		return refuse(bot.Missing(c, c.Options[0])), nil
	}
	const most = 25
	var lines []string
	for _, w := range typed[:min(len(typed), most)] {
		mark, is := "✗ ", " is not valid"
		if word, err := lex.Alphabet().Parse(w); err == nil && lex.Has(word) {
			mark, is = "✓ ", " is valid"
		}
		lines = append(lines, mark+bot.Shorten(strings.ToUpper(w), bot.MaxName)+is)
	}
	if more := len(typed) - most; more > 0 {
		lines = append(lines, fmt.Sprintf("I look %d words up at a time: ask again for the other %d.", most, more))
	}
	return bot.Reply{Text: bot.Say("In the word list ", bot.Code(lex.Name()), ":\n", strings.Join(lines, "\n"))}, nil
}

func (h *Host) history(ctx context.Context, req bot.Request) (bot.Reply, error) {
	t, err := h.begun(ctx, req)
	if err != nil {
		return h.orExplain(t, req, err)
	}
	lines := moves(t)
	if len(lines) == 0 {
		return bot.Reply{Text: bot.Say("Nobody has moved yet. ", bot.Code("/board"), " shows the board.")}, nil
	}
	// A long game has its beginning in a file.
	first, room := len(lines), bot.MaxText-100
	for first > 0 && room > utf8.RuneCountInString(lines[first-1]) {
		first--
		room -= utf8.RuneCountInString(lines[first]) + 1
	}
	r := bot.Reply{Text: bot.Say(bot.Code(strings.Join(lines[first:], "\n")))}
	if first > 0 {
		r.Text = bot.Say("The latest moves; the file has them all.\n", r.Text)
		r.Files = []bot.File{{Name: fmt.Sprintf("rackmate-%d-moves.txt", t.ID), Type: "text/plain; charset=utf-8", Data: []byte(strings.Join(lines, "\n") + "\n")}}
	}
	if t.End != nil {
		card, draw := finalCard(t), h.renderer(ctx, t.Channel, req.Dark)
		r.Picture = h.picture(draw, card.Alt(), func() ([]byte, error) { return draw.Final(card) })
	}
	return r, nil
}

// moves lists a game's moves, a line each: "3. Ann  8H HORN  14  41".
func moves(t table) []string {
	if history := t.Variant.history; history != nil {
		return history(t)
	}
	wide := 0
	for _, seat := range t.Seats {
		wide = max(wide, len([]rune(seat.Person.Name)))
	}
	var lines []string
	n := 0
	_, turns := turnsOf(t)
	for _, turn := range turns {
		n = max(n, turn.Number)
		if turn.Number == 0 && turn.Score == 0 {
			lines = append(lines, "     "+strings.TrimSpace(turn.Player+" "+turn.Text))
			continue
		}
		pad := strings.Repeat(" ", max(0, wide-len([]rune(turn.Player))))
		lines = append(lines, fmt.Sprintf("%3d. %s%s  %s %+d = %d", n, turn.Player, pad, turn.Text, turn.Score, turn.Total))
	}
	return lines
}
