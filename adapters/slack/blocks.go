package slack

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/slack-go/slack"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// Block Kit's limits that our blocks could reach.
// https://docs.slack.dev/reference/block-kit
const (
	maxSection     = 3000
	maxHeader      = 150
	maxAlt         = 2000
	maxButtonText  = 75
	maxValue       = 2000
	maxBlockID     = 255
	mostElements   = 25
	maxOptionText  = 75
	maxOptionID    = 150 // value of an option
	mostBoxes      = 10  // checkboxes
	mostOptions    = 100 // of a select
	maxPlaceholder = 150
	maxTitle       = 24
	maxConfirm     = 100 // title of a confirmation
	maxQuestion    = 300 // its text

	mostRows    = 100 // of a table
	mostColumns = 20
	maxTable    = 10_000 // characters in all cells

	maxConfirmButton = 30
	maxFallback      = 4000 // text of a message, which notifications show

	// maxMessage limits the bytes of a message's blocks as JSON. Slack doesn't document
	// it; from about 13,200 it answers msg_blocks_too_long.
	maxMessage = 13_000
)

// Prefixes of our action ids, followed by a number, because ids must differ within a block.
const (
	pressAction  = "press"  // the value is a bot.Button's id
	openAction   = "open"   // a link, which Slack opens and reports to us
	chooseAction = "choose" // a button whose value is a bot.Menu's id, or a choice; the block is "menu:"+id
	boxesAction  = "boxes"  // ticking alone has no effect
	menuAction   = "menu"   // opens the launcher
	doAction     = "do"     // the value is a command's name
	soloAction   = "solo"   // the value is a robot to play against in the direct messages
	moreAction   = "more"   // opens the rest of the launcher or a form

	// overflowAction is an overflow menu of buttons: an option's value is a bot.Button's
	// id, or menuAction.
	overflowAction = "rest"
)

const menuBlock = "menu:"

// sections converts a text to as many sections as it needs. Its first table becomes a table
// block if the message can have one.
func (n names) sections(t text.Text) (all []slack.Block) {
	t = t.In(nil)
	if i := slices.IndexFunc(t, func(s text.Span) bool { return s.Table != nil }); n.tables && i >= 0 && fits(t[i].Table) {
		table, end := t[i].Table, i
		for end < len(t) && t[end].Table == table {
			end++
		}
		n.tables = false // a message can have one
		return slices.Concat(n.sections(t[:i]), []slack.Block{n.table(table)}, n.sections(t[end:]))
	}
	if i := slices.IndexFunc(t, func(s text.Span) bool { return s.Small }); i >= 0 {
		end := i
		for end < len(t) && t[end].Small {
			end++
		}
		small := slack.NewContextBlock("", markdown(cut(n.mrkdwn(t[i:end]), maxSection)))
		return slices.Concat(n.sections(t[:i]), []slack.Block{small}, n.sections(t[end:]))
	}
	for _, piece := range n.pieces(t, maxSection) {
		if piece = strings.Trim(piece, "\n"); piece != "" {
			all = append(all, slack.NewSectionBlock(markdown(piece), nil, nil))
		}
	}
	return all
}

// fits reports whether Slack accepts a table with its headings.
func fits(t *text.Table) bool {
	chars := 0
	for _, row := range t.Rows {
		for _, cell := range row {
			chars += max(1, cell.Len())
		}
	}
	for _, c := range t.Columns {
		chars += max(1, c.Head.Len())
	}
	return len(t.Rows) < mostRows && len(t.Columns) <= mostColumns && chars <= maxTable
}

// table converts a table. Its numbers become text cells, because raw_number cells are new
// and not accepted everywhere.
func (n names) table(t *text.Table) slack.Block {
	b := slack.NewTableBlock("")
	var heads []slack.TableCell
	for _, c := range t.Columns {
		align := slack.ColumnAlignmentLeft
		if c.Right {
			align = slack.ColumnAlignmentRight
		}
		b.ColumnSettings = append(b.ColumnSettings, slack.ColumnSetting{Align: align, IsWrapped: !c.Right})
		heads = append(heads, boldCell(cellText(c.Head)))
	}
	b.AddRow(heads...)
	for _, row := range t.Rows {
		var cells []slack.TableCell
		for _, cell := range row {
			if said := cellText(cell); slices.ContainsFunc(cell, func(s text.Span) bool { return s.Strong }) {
				cells = append(cells, boldCell(said))
			} else {
				cells = append(cells, slack.NewTableRawTextCell(said))
			}
		}
		b.AddRow(cells...)
	}
	return b
}

// cellText returns the text of a cell, which mustn't be empty.
func cellText(t text.Text) string { return cmp.Or(strings.TrimSpace(t.String()), "–") }

func boldCell(said string) slack.TableCell {
	return slack.NewTableRichTextCell(slack.NewRichTextSection(slack.NewRichTextSectionTextElement(said, &slack.RichTextSectionTextStyle{Bold: true})))
}

func markdown(text string) *slack.TextBlockObject {
	return &slack.TextBlockObject{Type: slack.MarkdownType, Text: text, Verbatim: true}
}

func plainText(text string, most int) *slack.TextBlockObject {
	return &slack.TextBlockObject{Type: slack.PlainTextType, Text: cut(text, most)}
}

// image returns a block with a picture, by uploaded file or address. Without either it
// returns none: the message's text describes it.
func image(file, alt string) []slack.Block {
	if file == "" {
		return nil
	}
	if isURL(file) {
		return []slack.Block{slack.NewImageBlock(file, cut(alt, maxAlt), "", nil)}
	}
	return []slack.Block{slack.NewImageBlockSlackFile(&slack.SlackFileObject{ID: file}, cut(alt, maxAlt), "", nil)}
}

// fileIn returns the uploaded picture in blocks, or "" if there is none.
func fileIn(blocks []slack.Block) string {
	for _, b := range blocks {
		if i, ok := b.(*slack.ImageBlock); ok && i.SlackFile != nil {
			return i.SlackFile.ID
		}
	}
	return ""
}

// buttons arranges buttons in one row, followed by other elements.
func (n names) buttons(bs []bot.Button, more ...slack.BlockElement) []slack.Block {
	var row []slack.BlockElement
	for i, b := range bs {
		if b.Link != "" {
			one := button(fmt.Sprintf("%s:%d", openAction, i), "", b.Label.String(), b.Style)
			one.URL = b.Link
			row = append(row, one)
			continue
		}
		if b.ID == "" || len(b.Label) == 0 || len(b.ID) > maxValue {
			continue
		}
		one := button(fmt.Sprintf("%s:%d", pressAction, i), n.mark.On(b.ID), b.Label.String(), b.Style)
		if req, ok := (bot.Request{}).Press(b.ID); n.public && ok && b.Style == bot.Danger && len(req.Args) == 0 && len(n.commands.Asks(req)) == 0 {
			one.Confirm = confirm(n.to, b.Label)
		}
		row = append(row, one)
	}
	row = append(row, more...)
	if len(row) == 0 {
		return nil
	}
	return []slack.Block{slack.NewActionBlock("", row[:min(len(row), mostElements)]...)}
}

// mostOverflow limits the options of an overflow menu.
const mostOverflow = 5

// publicButtons returns the buttons under a post: the most popular ones, and an overflow
// menu with the rest. If the player can lay tiles, Play comes first.
func (n names) publicButtons(m bot.Message) []slack.Block {
	var shown, rest []bot.Button
	i := slices.IndexFunc(m.Buttons, func(b bot.Button) bool { return requestOf(b).Command == "try" })
	if i >= 0 {
		try := requestOf(m.Buttons[i])
		at := func(label text.Text, command string, number int, style bot.Style) bot.Button {
			return bot.Button{ID: bot.ButtonID(try.Table, number, command, nil), Label: label.In(n.to), Style: style}
		}
		shown = append(shown, at(text.Say("Play"), "play", try.Number, bot.Primary))
		// A pass without a turn number needs a confirmation.
		rest = append(rest, at(text.Say("Exchange…"), "exchange", try.Number, bot.Ordinary), at(text.Say("Pass…"), "pass", 0, bot.Ordinary))
	}
	for k, b := range m.Buttons {
		if b.Style == bot.Primary && i >= 0 {
			b.Style = bot.Ordinary
		}
		switch command := requestOf(b).Command; {
		case k == i || command == "help" && requestOf(b).Args["command"] == "":
			// The form previews plays, and the launcher has the other commands.
		case slices.Contains(inOverflow, command), command == "challenge" && i >= 0, command == "join" && b.Style != bot.Primary:
			rest = append(rest, b)
		default:
			shown = append(shown, b)
		}
	}
	if room := mostOverflow - 1; len(rest) > room {
		shown, rest = append(shown, rest[room:]...), rest[:room]
	}
	all := text.Say("All commands…").In(n.to).String()
	if len(rest) == 0 {
		return n.buttons(shown, button(menuAction, fmt.Sprint(m.Table), all, bot.Ordinary))
	}
	var options []*slack.OptionBlockObject
	for _, b := range rest {
		options = append(options, slack.NewOptionBlockObject(n.mark.On(b.ID), plainText(b.Label.String(), maxOptionText), nil))
	}
	options = append(options, slack.NewOptionBlockObject(menuAction+":"+fmt.Sprint(m.Table), plainText(all, maxOptionText), nil))
	return n.buttons(shown, slack.NewOverflowBlockElement(overflowAction, options...))
}

// inOverflow lists the commands whose buttons under a post are rarely used.
var inOverflow = []string{"leave", "help", "history", "replay", "review", "export"}

// requestOf returns the request that a button makes. For a link it returns the zero
// Request.
func requestOf(b bot.Button) bot.Request {
	req, _ := (bot.Request{}).Press(b.ID)
	return req
}

// rackButtons adds Play to the buttons under a rack.
func (n names) rackButtons(r bot.Reply) bot.Reply {
	i := slices.IndexFunc(r.Buttons, func(b bot.Button) bool { return requestOf(b).Command == "rack" })
	if !r.Rack || i < 0 || slices.ContainsFunc(r.Buttons, func(b bot.Button) bool { return requestOf(b).Command == "play" }) {
		return r
	}
	at := requestOf(r.Buttons[i])
	play := bot.Button{ID: bot.ButtonID(at.Table, at.Number, "play", nil), Label: text.Say("Play").In(n.to), Style: bot.Primary}
	r.Buttons = append([]bot.Button{play}, r.Buttons...)
	return r
}

func button(action, value, label string, style bot.Style) *slack.ButtonBlockElement {
	b := slack.NewButtonBlockElement(action, value, plainText(label, maxButtonText))
	switch style {
	case bot.Primary:
		b.Style = slack.StylePrimary
	case bot.Danger:
		b.Style = slack.StyleDanger
	}
	return b
}

// confirm returns a confirmation for an action that everyone sees and no one can undo.
func confirm(to *text.Locale, what text.Text) *slack.ConfirmationBlockObject {
	say := func(t text.Text, most int) *slack.TextBlockObject { return plainText(t.In(to).String(), most) }
	return slack.NewConfirmationBlockObject(say(what, maxConfirm), say(text.Say("Everybody will see it, and it can't be undone."), maxQuestion), say(text.Say("Yes"), maxConfirmButton), say(text.Say("No"), maxConfirmButton))
}

// menus converts menus. If several choices are possible, they become checkboxes with a
// button that submits them.
func (n names) menus(ms []bot.Menu) []slack.Block {
	var all []slack.Block
	for i, m := range ms {
		m.ID = n.mark.On(m.ID)
		if len(m.Choices) == 0 || m.ID == "" || len(menuBlock+m.ID) > maxBlockID {
			continue
		}
		if m.Most == 1 {
			one := slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, plainText(m.Label.String(), maxPlaceholder), fmt.Sprintf("%s:%d", chooseAction, i), options(m.Choices)...)
			label := slack.NewSectionBlock(plainText(m.Label.String(), maxSection), nil, slack.NewAccessory(one))
			label.BlockID = menuBlock + m.ID
			all = append(all, label)
			continue
		}
		boxes := fmt.Sprintf("%s:%d", boxesAction, i)
		choose := button(fmt.Sprintf("%s:%d", chooseAction, i), m.ID, m.Label.String(), bot.Ordinary)
		if len(m.Choices) <= mostBoxes && m.Most > 1 {
			all = append(all, slack.NewActionBlock(menuBlock+m.ID, slack.NewCheckboxGroupsBlockElement(boxes, options(m.Choices)...), choose))
			continue
		}
		most := max(m.Most, 1)
		several := slack.NewOptionsMultiSelectBlockElement(slack.MultiOptTypeStatic, plainText(m.Label.String(), maxPlaceholder), boxes, options(m.Choices)...)
		several.MaxSelectedItems = &most
		label := slack.NewSectionBlock(plainText(m.Label.String(), maxSection), nil, slack.NewAccessory(several))
		label.BlockID = menuBlock + m.ID
		all = append(all, label, slack.NewActionBlock("", choose))
	}
	return all
}

func options(cs []bot.Choice) []*slack.OptionBlockObject {
	var all []*slack.OptionBlockObject
	for _, c := range cs[:min(len(cs), mostOptions)] {
		if c.Value != "" && len(c.Value) <= maxOptionID && len(c.Label) > 0 {
			all = append(all, slack.NewOptionBlockObject(c.Value, plainText(c.Label.String(), maxOptionText), nil))
		}
	}
	return all
}

// faces returns tiles in large letters with subscript values.
func faces(ts []bot.Tile) string {
	var all []string
	for _, t := range ts {
		face := t.Text
		if t.Value > 0 {
			face += strings.Map(func(r rune) rune { return '₀' + r - '0' }, strconv.Itoa(t.Value))
		}
		all = append(all, face)
	}
	return strings.Join(all, "  ")
}

// rackLine removes the line with the rack from a text, and returns it in large letters, so
// that the rack appears once.
func (n names) rackLine(t text.Text, tiles []bot.Tile) (rest text.Text, rack string) {
	if len(tiles) == 0 {
		return t, ""
	}
	var letters []string
	for _, tile := range tiles {
		letters = append(letters, tile.Text)
	}
	lines := t.In(nil).Lines()
	for i, line := range lines {
		before, behind, found := strings.Cut(n.plain(line), strings.Join(letters, " "))
		if found && strings.TrimSpace(behind) == "" {
			return text.Lines(slices.Delete(lines, i, i+1)...), before + faces(tiles)
		}
	}
	return t, faces(tiles)
}

// fit returns blocks small enough for a message: if necessary without tables, then with
// less text, then with fewer menus and buttons.
func (n names) fit(blocks func(n names) []slack.Block) []slack.Block {
	all := blocks(n)
	if fitsMessage(all) {
		return all
	}
	n.tables = false
	all = blocks(n)
	for !fitsMessage(all) {
		last, words := -1, 0
		for i, b := range all {
			if s, ok := b.(*slack.SectionBlock); ok && s.Accessory == nil && s.Text != nil {
				last, words = i, words+1
			}
		}
		if words < 2 {
			break
		}
		all = slices.Delete(all, last, last+1)
		for i, b := range slices.Backward(all[:last]) {
			if s, ok := b.(*slack.SectionBlock); ok && s.Accessory == nil && s.Text != nil {
				shorter := *s
				shorter.Text = markdown(withEllipsis(s.Text.Text))
				all[i] = &shorter
				break
			}
		}
	}
	for len(all) > 1 && !fitsMessage(all) {
		all = all[:len(all)-1]
	}
	return all
}

func fitsMessage(blocks []slack.Block) bool {
	b, err := json.Marshal(blocks)
	return err != nil || len(b) <= maxMessage // encoding errors surface on send
}

// withEllipsis returns the text of a section with "…" added, unless that makes it too
// long.
func withEllipsis(said string) string {
	const more = "\n…"
	said = strings.TrimSuffix(strings.TrimRight(said, "\n"), more)
	if size(said)+size(more) > maxSection {
		return said
	}
	return said + more
}

// reply returns the blocks of a private answer, with its picture if that has been uploaded.
func (n names) reply(r bot.Reply, file string) []slack.Block {
	return n.fit(func(n names) []slack.Block { return append(n.parts(r, file), n.homeLink()...) })
}

// parts returns the blocks of an answer of any length, for a form or the home page, which
// have room for them.
func (n names) parts(r bot.Reply, file string) []slack.Block {
	said, rack := n.rackLine(r.Text, r.Tiles)
	all := n.sections(said)
	if rack != "" {
		all = append(all, slack.NewHeaderBlock(plainText(rack, maxHeader)))
	}
	switch {
	case r.Picture == nil, r.Rack: // the text already contains the rack
	default:
		all = append(all, image(file, r.Picture.Alt.String())...)
	}
	all = append(all, n.buttons(n.rackButtons(r).Buttons)...)
	return append(all, n.menus(r.Menus)...)
}

// message returns the blocks of a post, with extra blocks between its text and its buttons.
func (n names) message(m bot.Message, file string, between ...slack.Block) []slack.Block {
	n.public = m.To == nil
	return n.fit(func(n names) []slack.Block { return n.post(m, file, between) })
}

func (n names) post(m bot.Message, file string, between []slack.Block) []slack.Block {
	var all []slack.Block
	if at, err := placeOf(m.Channel); err == nil && m.To != nil {
		// Nothing else in a direct message shows its channel.
		all = append(all, slack.NewContextBlock("", markdown("<#"+escape(at.channel)+">")))
	}
	all = append(all, n.sections(m.Text)...)
	if m.Picture != nil {
		all = append(all, image(file, m.Picture.Alt.String())...)
	}
	all = append(all, between...)
	if m.To == nil && !m.IsLine() {
		all = append(all, n.publicButtons(m)...)
	} else {
		all = append(all, n.buttons(m.Buttons)...)
	}
	return append(all, n.menus(m.Menus)...)
}

// fallback returns the text for notifications and screen readers, which read it first: the
// same text as in the blocks.
func (n names) fallback(t text.Text) string {
	const more = " …"
	pieces := n.pieces(t, maxFallback-len(more))
	if len(pieces) == 0 {
		return ""
	}
	if len(pieces) > 1 {
		return pieces[0] + more
	}
	return pieces[0]
}

// cut shortens a text to at most n characters.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}
