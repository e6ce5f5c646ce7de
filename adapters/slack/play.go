package slack

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/slack-go/slack"

	"github.com/rackmate/rackmate/adapters/tasks"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file implements the Play form: the rack, a word and its square, and a preview of the
// score while the person types. Its state is in its metadata.

const playID = "play"

// The fields of the form, which are the options of /play and /try.
const (
	wordField   = "word"
	squareField = "at"
	drawField   = "draw" // for a game with two bags
)

// playForm returns the form for the current input. If the person has no rack to play from,
// ok is false, and the host explains why.
func (f *forms) playForm(ctx context.Context, who member, m meta, word, square string) (v slack.ModalViewRequest, ok bool) {
	to := f.people.locale(ctx, who)
	req := bot.Request{ID: "look", Channel: bot.ChannelID(m.Channel), Table: m.Table, User: bot.User{ID: who.player()}, Locale: to.Code()}
	sight, err := f.Host.Sight(ctx, req)
	if err != nil || sight.Own == nil || sight.Own.Lays != "play" && sight.Own.Lays != "submit" {
		return v, false
	}
	own := sight.Own
	if len(own.Rack) == 0 {
		return v, false
	}
	switch {
	case !own.Turn: // planned ahead, for the later state of the table
		if m.Command, m.Number = "try", 0; f.hasCommand("plan") {
			m.Command = "plan"
		}
	case m.Number == 0:
		m.Number = sight.Number
		fallthrough
	default:
		m.Command = own.Lays
	}
	seen := f.preview(ctx, to, req, m.Table, word, square)
	m.Table, m.Word, m.At = sight.Table, seen.word, seen.square
	v = modal(to, text.Say("Play").In(to).String(), m, playID)
	v.Submit = plainText(seen.submit(m.Command).In(to).String(), maxTitle)
	all := append(f.pictures.board(who.home, bot.ChannelID(m.Channel), sight, to), slack.NewHeaderBlock(plainText(faces(rackOf(sight)), maxHeader)))
	if !own.Turn {
		all = append(all, slack.NewContextBlock("", markdown(escape(text.Say("It isn't your turn yet.").In(to).String()))))
	}
	all = append(all,
		typedField(wordField, text.Say("Word").In(to).String(), text.Say("You can add a square: horn 8h").In(to).String(), true),
		typedField(squareField, text.Say("Square").In(to).String(), text.Say("Like 8H, or H8 to play down. Leave it out for the square that scores most.").In(to).String(), false))
	if own.Turn && own.Draws {
		if o, ok := f.option("play", drawField); ok {
			all = append(all, f.input(ctx, to, req, o))
		}
	}
	all = append(all,
		slack.NewContextBlock("", markdown(cut(escape(seen.says.In(to).String()), maxSection))))
	if row := f.alternatives(to, m, own); len(row) > 0 {
		all = append(all, slack.NewActionBlock("", row...))
	}
	v.Blocks.BlockSet = all
	return v, true
}

// rackOf returns a player's own rack.
func rackOf(s bot.Sight) (all []bot.Tile) {
	for _, tile := range s.Own.Rack {
		i := slices.IndexFunc(s.Tiles, func(l bot.Letter) bool { return l.Text == tile })
		if all = append(all, bot.Tile{Text: tile}); i >= 0 {
			all[len(all)-1].Value = s.Tiles[i].Value
		}
	}
	return all
}

// typedField returns a field for which Slack reports each letter.
func typedField(name, label, hint string, required bool) *slack.InputBlock {
	element := slack.NewPlainTextInputBlockElement(nil, name)
	element.MaxLength, element.FocusOnLoad = 60, required
	element.DispatchActionConfig = &slack.DispatchActionConfig{TriggerActionsOn: []string{"on_enter_pressed", "on_character_entered"}}
	field := slack.NewInputBlock(name, plainText(label, maxLabel), plainText(hint, maxLabel), element)
	field.DispatchAction, field.Optional = true, !required
	return field
}

// alternatives returns buttons for the alternatives to a play.
func (f *forms) alternatives(to *text.Locale, m meta, own *bot.Own) (row []slack.BlockElement) {
	add := func(label text.Text, command string, number int, args map[string]string) {
		id := f.names.mark.On(bot.ButtonID(m.Table, number, command, args))
		row = append(row, button(pressAction+":"+command, id, label.In(to).String(), bot.Ordinary))
	}
	if own.Turn && own.Exchange > 0 {
		add(text.Say("Exchange…"), "exchange", m.Number, nil)
	}
	if own.Turn && own.Pass {
		add(text.Say("Pass…"), "pass", 0, nil)
	}
	return row
}

// A preview is the expected result of a play.
type preview struct {
	word, square string    // of the play, if it is possible
	score        int       // of the play
	says         text.Text // explanation
}

// submit returns the label of the button that submits the form.
func (p preview) submit(command string) text.Text {
	switch {
	case command == "plan":
		return text.Say("Plan it")
	case command == "try":
		return text.Say("Preview")
	case p.square != "":
		return text.Say("Play for {score}", p.score)
	}
	return text.Say("Play")
}

// preview returns the score of a play. Without a square it chooses the one where the word
// scores most.
func (f *forms) preview(ctx context.Context, to *text.Locale, req bot.Request, table bot.TableID, word, square string) (p preview) {
	if word, square = wordAndSquare(word, square); word == "" {
		return preview{says: text.Say("Type a word, and I'll tell what it scores.")}
	}
	req.Table = table
	req.Command, req.Args = "try", map[string]string{wordField: word, squareField: square}
	var others []bot.Choice
	if square == "" {
		squares := f.Host.Complete(ctx, req, squareField)
		if len(squares) > 0 {
			req.Args[squareField], others = squares[0].Value, squares[1:]
		}
	}
	d, err := f.Host.Draft(ctx, req)
	switch {
	case err != nil:
		f.Log.Error("can't preview a play", "channel", req.Channel, "error", err)
		return preview{says: text.Say("I can't tell what that scores. Please try again.")}
	case d.Problem != "":
		return preview{says: text.Plain(d.Problem)}
	}
	p = preview{word: word, square: req.Args[squareField], score: d.Score}
	var words []text.Text
	for _, w := range d.Words {
		if w.Invalid {
			return preview{says: text.Say("{word} isn't in the word list.", w.Text)}
		}
		words = append(words, text.Glue(w.Text, " ", w.Score))
	}
	p.says = text.Say("{square} scores {score, plural, one {# point} other {# points}}: {words}.", p.square, p.score, text.Join(words, ", "))
	if len(others) > 0 {
		var more []text.Text
		for _, c := range others[:min(len(others), mostSquares)] {
			more = append(more, c.Label.In(to))
		}
		p.says = text.Sentences(p.says, text.Say("It also fits elsewhere: {squares}.", text.Join(more, "; ")))
	}
	return p
}

// mostSquares limits the alternative squares for a word that the form lists.
const mostSquares = 4

// wordAndSquare splits a word and a square before or after it.
func wordAndSquare(word, square string) (string, string) {
	words := strings.Fields(word)
	if len(words) == 2 && square == "" {
		switch {
		case isSquare(words[1]):
			return words[0], words[1]
		case isSquare(words[0]):
			return words[1], words[0]
		}
	}
	return strings.Join(words, " "), strings.TrimSpace(square)
}

// isSquare reports whether a word is a square, such as 8H or H8.
func isSquare(s string) bool {
	s = strings.ToUpper(s)
	digits := strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTU")
	letters := strings.Trim(s, "0123456789")
	return len(letters) == 1 && len(digits) >= 1 && len(digits) <= 2 && len(s) == len(digits)+1 &&
		(s == letters+digits || s == digits+letters)
}

// playFields returns the input of the form.
func playFields(s state) (word, square string) {
	args := formValues(s)
	return args[wordField], args[squareField]
}

// updateForm updates the form for the current input. Slack reports each letter; an older
// report never replaces a newer one.
func (in *inbox) updateForm(ctx context.Context, i *interaction, q asker) {
	latest := i.Actions[0].TS
	in.keystrokes.record(i.View.ID, latest)
	defer in.keystrokes.Lock(i.View.ID)()
	if in.keystrokes.isOvertaken(i.View.ID, latest) {
		return
	}
	word, square := playFields(i.View.State)
	if v, ok := in.forms.playForm(ctx, q.member, metaOf(i.View), word, square); ok {
		in.early.note(q.member, i.View.ID, v, word, square)
		if err := in.answers.updateView(ctx, q.member.home, i.View.ID, v); err != nil {
			in.Log.Warn("can't show what a play scores", "user", q.member.id, "error", err)
		}
	}
}

// keystrokes records the latest reports, by form.
type keystrokes struct {
	tasks.Locks
	last cache
}

func (k *keystrokes) record(view, at string) {
	if known, ok := k.last.get(view); ok && known >= at {
		return
	}
	k.last.drop(view)
	k.last.add(view, at)
}

func (k *keystrokes) isOvertaken(view, at string) bool {
	known, ok := k.last.get(view)
	return ok && known > at
}

// openPlay opens the Play form if the person has a rack to play from, and reports whether
// it did.
func (in *inbox) openPlay(ctx context.Context, q asker, table bot.TableID) bool {
	m := meta{Channel: string(q.place.id()), Table: table}
	v, ok := in.forms.playForm(ctx, q.member, m, "", "")
	if !ok && table == 0 { // it may be their game elsewhere
		if games, err := in.Host.Games(ctx, q.member.player()); err == nil && len(games) > 0 && !games[0].Invited {
			m.Channel, m.Table = string(games[0].Channel), games[0].Table
			v, ok = in.forms.playForm(ctx, q.member, m, "", "")
		}
	}
	if ok {
		if view, err := in.answers.openView(ctx, q, v); err == nil { // it reports errors itself
			in.early.note(q.member, view, v, "", "")
		}
	}
	return ok
}

// earlyForms records the Play forms that people opened before their turn, by player and
// table.
type earlyForms struct{ cache }

// An earlyForm is such a form, with its input.
type earlyForm struct {
	View, Metadata, Word, Square string
}

func earlyKey(who member, table bot.TableID) string { return fmt.Sprintf("%s %d", who.player(), table) }

// note records a form with its input if it is early, and otherwise removes it.
func (e *earlyForms) note(who member, id string, v slack.ModalViewRequest, word, square string) {
	m := metaOf(&view{Metadata: v.PrivateMetadata})
	key := earlyKey(who, m.Table)
	e.drop(key)
	if m.Command == "plan" || m.Command == "try" {
		b, _ := json.Marshal(earlyForm{id, v.PrivateMetadata, word, square}) // can't fail: strings
		e.add(key, string(b))
	}
}

// updateEarlyForm updates a player's early form at a table, if they have one, for their
// turn.
func (in *inbox) updateEarlyForm(ctx context.Context, who member, table bot.TableID) {
	var had earlyForm
	if b, ok := in.early.get(earlyKey(who, table)); !ok || json.Unmarshal([]byte(b), &had) != nil {
		return
	}
	in.work(ctx, func(ctx context.Context) {
		defer in.keystrokes.Lock(had.View)()
		v, ok := in.forms.playForm(ctx, who, metaOf(&view{Metadata: had.Metadata}), had.Word, had.Square)
		if !ok || v.PrivateMetadata == had.Metadata {
			return
		}
		in.early.note(who, had.View, v, had.Word, had.Square)
		if err := in.answers.updateView(ctx, who.home, had.View, v); err != nil {
			in.Log.Warn("can't update a form for a turn", "user", who.id, "error", err)
		}
	})
}

// explainNoPlay explains why a person can't play a word now. A bystander is offered other actions.
func (in *inbox) explainNoPlay(ctx context.Context, who member, req bot.Request) bot.Reply {
	return in.carryOut(ctx, who, withCommand(req, "rack", nil))
}

// submitPlay builds the request of the Play form. Without a square it plays the previewed one;
// if there was no preview, it returns the form with one.
func (in *inbox) submitPlay(ctx context.Context, i *interaction, q asker, m meta, req *bot.Request) *slack.ViewSubmissionResponse {
	typedWord, typedSquare := playFields(i.View.State)
	word, square := wordAndSquare(typedWord, typedSquare)
	if square == "" && word == m.Word {
		square = m.At
	}
	if square == "" && m.Command != "try" {
		v, ok := in.forms.playForm(ctx, q.member, m, typedWord, typedSquare)
		if shown := metaOf(&view{Metadata: v.PrivateMetadata}); ok && shown.At != "" {
			return slack.NewUpdateViewSubmissionResponse(&v)
		}
	}
	req.Command, req.Number = cmp.Or(m.Command, "play"), m.Number
	req.Args = map[string]string{wordField: word}
	if square != "" {
		req.Args[squareField] = square
	}
	if vowels := formValues(i.View.State)[drawField]; vowels != "" && req.Command == "play" {
		req.Args[drawField] = vowels
	}
	return nil
}

// exchangeForm returns the form for choosing the tiles to exchange. If none can be
// exchanged, ok is false, and the host explains why.
func (f *forms) exchangeForm(ctx context.Context, who member, m meta) (v slack.ModalViewRequest, ok bool) {
	to := f.people.locale(ctx, who)
	req := bot.Request{ID: "look", Channel: bot.ChannelID(m.Channel), Table: m.Table, User: bot.User{ID: who.player()}, Locale: to.Code()}
	rack := f.Host.Handle(ctx, withCommand(req, "rack", nil))
	if rack.Refused || len(rack.Menus) == 0 || len(rack.Menus[0].Choices) > mostBoxes {
		return v, false
	}
	menu := rack.Menus[0]
	if press, read := (bot.Request{}).Choose(menu.ID, []string{"1"}); !read || press.Command != "exchange" {
		return v, false
	} else {
		m.Command, m.Table, m.Number = press.Command, press.Table, press.Number
	}
	v = modal(to, text.Say("Exchange").In(to).String(), m, exchangeID)
	v.Submit = plainText(text.Say("Exchange").In(to).String(), maxTitle)
	// The value of a box contains the tile, so ticking it leaves no questions.
	boxes := slack.NewCheckboxGroupsBlockElement(tilesField)
	for _, c := range menu.Choices {
		label := c.Label.In(to).String()
		tile := label
		if strings.HasPrefix(label, "?") {
			tile = "?"
		}
		boxes.Options = append(boxes.Options, slack.NewOptionBlockObject(c.Value+":"+tile, plainText(label, maxOptionText), nil))
	}
	field := slack.NewInputBlock(tilesField, plainText(text.Say("Tiles to put back").In(to).String(), maxLabel), plainText(text.Say("You draw as many new ones, and it takes your turn.").In(to).String(), maxLabel), boxes)
	v.Blocks.BlockSet = []slack.Block{field}
	return v, true
}

const (
	exchangeID = "exchange"
	tilesField = "tiles"
)

// fillExchange fills in the request of the Exchange form.
func fillExchange(i *interaction, m meta, req *bot.Request) {
	var tiles []string
	for _, box := range strings.Fields(formValues(i.View.State)[tilesField]) {
		_, tile, _ := strings.Cut(box, ":")
		tiles = append(tiles, tile)
	}
	req.Command, req.Number = m.Command, m.Number
	req.Args = map[string]string{tilesField: strings.Join(tiles, " ")}
}

func withCommand(req bot.Request, command string, args map[string]string) bot.Request {
	req.Command, req.Args = command, args
	return req
}

// option returns an option of a command.
func (f *forms) option(command, name string) (bot.Option, bool) {
	c, _ := f.Host.Commands().Find(command)
	i := slices.IndexFunc(c.Options, func(o bot.Option) bool { return o.Name == name })
	if i < 0 {
		return bot.Option{}, false
	}
	return c.Options[i], true
}

func (f *forms) hasCommand(command string) bool {
	_, ok := f.Host.Commands().Find(command)
	return ok
}
