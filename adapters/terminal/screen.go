package terminal

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/uniseg"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// A screen is a terminal drawn in place, in colour, with a mouse: the user clicks a tile of
// the rack, then its square, and presses what is in brackets. It accepts everything that
// can be typed in the line-by-line terminal.
type screen struct {
	*Adapter
	on      tcell.Screen
	said    bytes.Buffer // output of the adapter, not read yet
	news    []string     // its last lines
	typed   []rune       // the current input
	view    bot.Sight    // as seen by the person at the screen
	who     int          // index in people of the person at the screen
	covered bool         // the rack is hidden until the person confirms that nobody else is looking
	waits   bool         // a robot is thinking
	picked  int          // index in the rack of the clicked tile, -1 for none
	laid    []laidTile
	draft   bot.Draft
	spots   []spot // clickable areas
}

// A laidTile is a tile of the rack that lies on a square.
type laidTile struct {
	place, square int
	letter        string // "" for a blank without a letter
	blank         bool
}

// A spot is a clickable area and its action.
type spot struct {
	x, y, width int
	action      func(context.Context) error
}

// NewScreen opens the terminal that the program runs in.
func NewScreen() (tcell.Screen, error) {
	s, err := tcell.NewScreen()
	if err == nil {
		err = s.Init()
	}
	if err != nil {
		return nil, fmt.Errorf("draw on this terminal; try --plain: %w", err)
	}
	return s, nil
}

// runOnScreen does the work of Run on a screen.
func (a *Adapter) runOnScreen(ctx context.Context) error {
	on := a.Screen
	defer on.Fini()
	on.EnableMouse()
	s := &screen{Adapter: a, on: on, picked: -1}
	a.Out = &s.said
	events, done := make(chan tcell.Event), make(chan struct{})
	defer close(done)
	go on.ChannelEvents(events, done)
	if err := a.open(ctx); err != nil {
		return err
	}
	second := time.NewTicker(time.Second)
	defer second.Stop()
	if err := s.refresh(ctx); err != nil {
		return err
	}
	for !a.done {
		s.draw(ctx)
		var err error
		select {
		case <-ctx.Done():
			return nil
		case <-a.news:
			err = s.refresh(ctx)
		case <-second.C:
			if slices.ContainsFunc(s.view.Players, func(p bot.Player) bool { return p.Clock != nil && p.Clock.Runs }) {
				err = s.refresh(ctx)
			}
		case e, ok := <-events:
			if !ok {
				return nil
			}
			err = s.handleEvent(ctx, e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// refresh loads the state of the table, for the person who has something to do.
func (s *screen) refresh(ctx context.Context) error {
	first, err := s.sightOf(ctx, 0)
	if err != nil {
		return err
	}
	who, acts, err := s.toAct(ctx, first)
	if err != nil {
		return err
	}
	if s.waits = !acts; s.waits {
		who = s.who
	}
	if who != s.who {
		s.who, s.covered = who, true
		s.typed, s.news = nil, nil
	}
	before := s.view
	if s.view, err = s.sightOf(ctx, s.who); err != nil {
		return err
	}
	if before.Table != s.view.Table || before.Number != s.view.Number {
		s.recall()
		if s.view.Phase == "over" && before.Phase != "over" {
			s.say(ctx, text.Say("The game is over. Look back at it with {history}, {review} or {export}. {rematch} plays again, and {quit} quits.",
				text.Code("history"), text.Code("review"), text.Code("export"), text.Code("rematch"), text.Code("quit")))
		}
	}
	return nil
}

func (s *screen) sightOf(ctx context.Context, who int) (bot.Sight, error) {
	v, err := s.Host.Sight(ctx, bot.Request{Channel: table, User: s.people[who], Locale: s.Locale})
	if err != nil {
		return v, fmt.Errorf("look at the table: %w", err)
	}
	return v, nil
}

// recall takes all tiles back.
func (s *screen) recall() { s.laid, s.picked, s.draft = nil, -1, bot.Draft{} }

// handleEvent handles a key or a mouse event.
func (s *screen) handleEvent(ctx context.Context, e tcell.Event) error {
	switch e := e.(type) {
	case *tcell.EventResize:
		s.on.Sync()
	case *tcell.EventMouse:
		if e.Buttons()&tcell.Button1 == 0 {
			return nil
		}
		x, y := e.Position()
		for _, spot := range s.spots {
			if y == spot.y && x >= spot.x && x < spot.x+spot.width {
				return spot.action(ctx)
			}
		}
	case *tcell.EventKey:
		return s.key(ctx, e)
	}
	return nil
}

func (s *screen) key(ctx context.Context, e *tcell.EventKey) error {
	blank := slices.IndexFunc(s.laid, func(l laidTile) bool { return l.letter == "" })
	switch {
	case e.Key() == tcell.KeyCtrlC, e.Key() == tcell.KeyCtrlD && len(s.typed) == 0:
		s.done = true
	case e.Key() == tcell.KeyCtrlL:
		s.on.Sync()
	case e.Key() == tcell.KeyEscape:
		s.typed = nil
		s.recall()
	case s.covered && e.Key() == tcell.KeyEnter:
		s.covered = false
	case s.covered:
	case blank >= 0 && e.Key() == tcell.KeyRune:
		letter := strings.ToUpper(string(e.Rune()))
		if slices.ContainsFunc(s.view.Tiles, func(t bot.Letter) bool { return t.Text == letter }) {
			s.laid[blank].letter = letter
			return s.tryScore(ctx)
		}
	case e.Key() == tcell.KeyBackspace || e.Key() == tcell.KeyBackspace2:
		s.typed = s.typed[:max(0, len(s.typed)-1)]
	case e.Key() == tcell.KeyRune:
		s.typed = append(s.typed, e.Rune())
	case e.Key() == tcell.KeyEnter && len(s.typed) == 0 && len(s.laid) > 0:
		return s.play(ctx)
	case e.Key() == tcell.KeyEnter && len(s.typed) > 0:
		line := string(s.typed)
		s.typed = nil
		return s.perform(ctx, func() error { return s.carryOut(ctx, s.people[s.who], strings.TrimSpace(line)) })
	}
	return nil
}

// perform runs an action, and shows its result.
func (s *screen) perform(ctx context.Context, do func() error) error {
	s.news = nil
	if err := do(); err != nil {
		return err
	}
	if s.done {
		return nil
	}
	return s.refresh(ctx)
}

// play plays the laid tiles.
func (s *screen) play(ctx context.Context) error {
	word, at, ok := s.word()
	if !ok {
		s.say(ctx, text.Say("The tiles must be next to each other in one line."))
		return nil
	}
	return s.perform(ctx, func() error {
		return s.carryOut(ctx, s.people[s.who], s.view.Own.Lays+" "+word+" "+at)
	})
}

// tryScore asks what the laid tiles would score.
func (s *screen) tryScore(ctx context.Context) error {
	s.draft = bot.Draft{}
	word, at, ok := s.word()
	if !ok {
		return nil
	}
	var err error
	s.draft, err = s.Host.Draft(ctx, bot.Request{Channel: table, User: s.people[s.who], Locale: s.Locale, Command: "try", Args: map[string]string{"word": word, "at": at}})
	return err
}

// canLay reports whether tiles can be laid with the mouse.
func (s *screen) canLay() bool {
	own := s.view.Own
	return own != nil && own.Turn && !s.covered && (own.Lays == "play" || own.Lays == "submit")
}

// clickSquare lays the clicked tile on a square, or takes a tile back from there.
func (s *screen) clickSquare(ctx context.Context, square int) error {
	if i := slices.IndexFunc(s.laid, func(l laidTile) bool { return l.square == square }); i >= 0 {
		s.laid = slices.Delete(s.laid, i, i+1)
		return s.tryScore(ctx)
	}
	if s.picked < 0 || s.view.Board[square] != "" {
		return nil
	}
	tile := s.view.Own.Rack[s.picked]
	l := laidTile{place: s.picked, square: square, letter: tile, blank: tile == "?"}
	if l.blank {
		l.letter = ""
	}
	s.laid, s.picked = append(s.laid, l), -1
	return s.tryScore(ctx)
}

// word returns the laid tiles as they would be typed, such as "HORN" and "8H". A dot stands
// for a tile on the board.
func (s *screen) word() (word, at string, ok bool) {
	if len(s.laid) == 0 {
		return "", "", false
	}
	on := map[int]laidTile{}
	for _, l := range s.laid {
		if l.letter == "" {
			return "", "", false
		}
		on[l.square] = l
	}
	size := s.view.Size
	lies := func(square int) bool { _, own := on[square]; return own || s.view.Board[square] != "" }
	for _, down := range []bool{false, true} {
		step, place := 1, func(square int) int { return square % size }
		if down {
			step, place = size, func(square int) int { return square / size }
		}
		first := s.laid[0].square
		for place(first) > 0 && lies(first-step) {
			first -= step
		}
		var typed strings.Builder
		n, own := 0, 0
		for square := first; lies(square); square += step {
			n++
			if l, mine := on[square]; !mine {
				typed.WriteByte('.')
			} else {
				own++
				if l.blank {
					typed.WriteByte('?')
				}
				if len([]rune(l.letter)) > 1 {
					fmt.Fprintf(&typed, "[%s]", l.letter)
				} else {
					typed.WriteString(l.letter)
				}
			}
			if place(square) == size-1 {
				break
			}
		}
		if own == len(s.laid) && (n > 1 || down) {
			row, column := fmt.Sprint(first/size+1), string(rune('A'+first%size))
			if at = row + column; down {
				at = column + row
			}
			return typed.String(), at, true
		}
	}
	return "", "", false
}

// ---- drawing

var (
	plain  = tcell.StyleDefault
	strong = plain.Bold(true)
	quiet  = plain.Dim(true)
	tiles  = plain.Foreground(tcell.NewRGBColor(43, 29, 14)).Background(tcell.NewRGBColor(240, 217, 168))
	fresh  = tiles.Background(tcell.NewRGBColor(255, 196, 61)).Bold(true)
	drafts = tiles.Background(tcell.NewRGBColor(166, 222, 160)).Bold(true)
	press  = plain.Reverse(true)
	empty  = plain.Background(tcell.NewRGBColor(58, 62, 66))
	// kinds maps special squares to their labels and styles.
	kinds = map[byte]struct {
		label string
		style tcell.Style
	}{
		'd': {"2L", square(70, 130, 180)}, 't': {"3L", square(30, 80, 160)}, 'D': {"2W", square(190, 105, 105)}, 'T': {"3W", square(190, 50, 40)},
		'*': {"★", square(190, 105, 105)}, '+': {"★", empty},
	}
)

func square(r, g, b int32) tcell.Style {
	return plain.Foreground(tcell.ColorWhite).Background(tcell.NewRGBColor(r, g, b))
}

// write draws as much of a text as fits in most cells, and returns how many it took.
func (s *screen) write(x, y, most int, what string, style tcell.Style) (width int) {
	for all := uniseg.NewGraphemes(what); all.Next(); {
		if width+all.Width() > most {
			break
		}
		r := all.Runes()
		s.on.SetContent(x+width, y, r[0], r[1:], style)
		width += all.Width()
	}
	return width
}

// drawWrapped draws as much of a text as fits in most lines, and returns how many it
// took.
func (s *screen) drawWrapped(x, y, width, most int, what string, style tcell.Style) (n int) {
	line := ""
	flush := func() {
		if n < most {
			s.write(x, y+n, width, line, style)
			n++
		}
		line = ""
	}
	for word := range strings.FieldsSeq(what) {
		if line != "" && uniseg.StringWidth(line+" "+word) > width {
			flush()
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	flush()
	return n
}

// button draws a button, and returns how many cells it took.
func (s *screen) button(x, y int, label string, does func(context.Context) error) int {
	w := s.write(x, y, 40, " "+label+" ", press)
	s.spots = append(s.spots, spot{x, y, w, does})
	return w + 1
}

// The least space beside and below the board.
const (
	besideWidth = 28
	belowHeight = 7
)

func (s *screen) draw(ctx context.Context) {
	for line := range strings.Lines(s.said.String()) {
		if line = strings.TrimSpace(line); line != "" {
			s.news = append(s.news, line)
		}
	}
	s.said.Reset()
	s.on.Clear()
	s.spots = s.spots[:0]
	defer s.on.Show()
	width, height := s.on.Size()
	size := s.view.Size
	cell := 3
	if 3+3*size+1+besideWidth > width {
		cell = 2
	}
	if 3+cell*size+1+besideWidth > width || 1+size+belowHeight > height {
		s.drawWrapped(0, 0, width, height, s.translate(ctx, text.Say("This window is too small for the board: it takes {wide} by {high} characters. Make it larger, or start with {plain}.", 3+2*size+1+besideWidth, 1+size+belowHeight, text.Code("--plain"))), plain)
		return
	}
	if s.covered {
		s.drawWrapped(2, height/2, width-4, 4, s.translate(ctx, text.Say("It's {who}'s turn. Press Enter when nobody else is looking.", s.people[s.who].Name)), strong)
		s.on.HideCursor()
		return
	}
	s.drawBoard(cell)
	s.drawBeside(ctx, 3+cell*size+2, width, height)
	s.drawBelow(ctx, 1+size, width, height)
}

func (s *screen) drawBoard(cell int) {
	v := s.view
	on := map[int]laidTile{}
	for _, l := range s.laid {
		on[l.square] = l
	}
	played := v.Phase == "playing" || v.Phase == "closing" || v.Phase == "over"
	// column returns the position of a column, counted from the right in right-to-left
	// languages.
	column := func(i int) int { return 3 + cell*i }
	if fromRight(v) {
		column = func(i int) int { return 3 + cell*(v.Size-1-i) }
	}
	for i := range v.Size {
		s.write(column(i)+cell/2, 0, 2, string(rune('A'+i)), quiet)
		s.write(0, 1+i, 2, fmt.Sprintf("%2d", i+1), quiet)
	}
	kindsOf := strings.ReplaceAll(v.Squares, "\n", "")
	for i := range v.Board {
		x, y := column(i%v.Size), 1+i/v.Size
		label, style := "", empty
		if i < len(kindsOf) {
			if k, is := kinds[kindsOf[i]]; is {
				label, style = k.label, k.style
			}
		}
		l, mine := on[i]
		switch {
		case mine:
			label, style = cmp.Or(l.letter, "?"), drafts
		case played && v.Board[i] != "":
			label, style = face(v.Board[i]), tiles
			if slices.Contains(v.Fresh, i) {
				style = fresh
			}
			if strings.HasPrefix(v.Board[i], "?") {
				style = style.Italic(true).Underline(true)
			}
		}
		s.write(x, y, cell, strings.Repeat(" ", cell), style)
		s.write(x+(cell-min(cell, uniseg.StringWidth(label)))/2, y, cell, label, style)
		if s.canLay() {
			s.spots = append(s.spots, spot{x, y, cell, func(ctx context.Context) error { return s.clickSquare(ctx, i) }})
		}
	}
}

// fromRight reports whether a table's language is read from the right.
func fromRight(v bot.Sight) bool {
	return slices.ContainsFunc(v.Tiles, func(t bot.Letter) bool {
		return strings.ContainsFunc(t.Text, func(r rune) bool { return unicode.In(r, unicode.Hebrew, unicode.Arabic) })
	})
}

// face returns the text of a tile; a blank is its letter in lower case.
func face(tile string) string {
	if letter, blank := strings.CutPrefix(tile, "?"); blank {
		return cmp.Or(strings.ToLower(letter), "?")
	}
	return tile
}

// drawBeside draws the players and the moves.
func (s *screen) drawBeside(ctx context.Context, x, width, height int) {
	w, y := width-x, 0
	for _, p := range s.view.Players {
		style, mark := plain, "  "
		if p.ToMove {
			style, mark = strong, "▸ "
		}
		score := fmt.Sprint(p.Score)
		s.write(x, y, w-len(score)-1, mark+p.Name, style)
		s.write(x+w-len(score), y, len(score), score, strong)
		y++
		note := p.Note
		if p.Clock != nil {
			left := max(-time.Hour, time.Duration(p.Clock.Left)*time.Millisecond).Round(time.Second)
			note = strings.TrimSpace(clock(left) + " " + note)
		}
		if note != "" {
			s.write(x+2, y, w-2, note, quiet)
			y++
		}
	}
	y++
	y += s.drawWrapped(x, y, w, 2, cmp.Or(s.view.Supply, s.view.Caption), quiet) + 1
	// The latest moves that fit.
	room := 1 + s.view.Size - y
	for _, t := range s.view.Turns[max(0, len(s.view.Turns)-max(0, room)):] {
		line := t.Text
		if t.Player != "" {
			line = t.Player + " " + line
		}
		score := ""
		if t.Score != 0 {
			score = fmt.Sprintf(" %+d", t.Score)
		}
		s.write(x, y, w-len(score), line, plain)
		s.write(x+w-len(score), y, len(score), score, strong)
		y++
	}
}

// clock formats a time on a clock: "12:31".
func clock(left time.Duration) string {
	sign := ""
	if left < 0 {
		sign, left = "-", -left
	}
	return fmt.Sprintf("%s%d:%02d", sign, int(left.Minutes()), int(left.Seconds())%60)
}

// drawBelow draws the rack, the buttons, the latest output, and the current input.
func (s *screen) drawBelow(ctx context.Context, y, width, height int) {
	if own := s.view.Own; own != nil && s.view.Phase == "playing" {
		x := 3
		for n := range own.Rack {
			i := n
			if fromRight(s.view) {
				i = len(own.Rack) - 1 - n
			}
			tile := own.Rack[i]
			if slices.ContainsFunc(s.laid, func(l laidTile) bool { return l.place == i }) {
				s.write(x, y, 3, " · ", quiet)
			} else {
				style := tiles
				if i == s.picked {
					style = fresh.Reverse(true)
				}
				s.write(x, y, 3, "   ", style)
				s.write(x+1, y, 2, tile, style)
				if s.canLay() {
					s.spots = append(s.spots, spot{x, y, 3, func(context.Context) error { s.picked = i; return nil }})
				}
			}
			x += 4
		}
		if len(s.laid) > 0 {
			label := s.translate(ctx, text.Say("Play"))
			if s.draft.Score != 0 && s.draft.Problem == "" {
				label += fmt.Sprint(" ", s.draft.Score)
			}
			x += 1 + s.button(x+1, y, label, s.play)
			s.button(x+1, y, s.translate(ctx, text.Say("Recall")), func(context.Context) error { s.recall(); return nil })
		}
	}
	y++
	s.drawButtons(y, width)
	y += 2
	lines := s.news
	switch {
	case slices.ContainsFunc(s.laid, func(l laidTile) bool { return l.letter == "" }):
		lines = []string{s.translate(ctx, text.Say("Type the blank's letter."))}
	case len(s.laid) > 1 && s.draft.Problem != "":
		lines = []string{s.draft.Problem}
	case s.waits:
		lines = append(lines, s.translate(ctx, text.Say("Waiting for the others…")))
	}
	for _, line := range lines[max(0, len(lines)-3):] {
		if y >= height-1 {
			break
		}
		y += s.drawWrapped(0, y, width, height-1-y, line, plain)
	}
	prompt := s.people[s.who].Name + "> "
	w := s.write(0, height-1, width, prompt, strong)
	w += s.write(w, height-1, width-w-1, string(s.typed), plain)
	s.on.ShowCursor(w, height-1)
}

// drawButtons draws the numbered buttons below the rack: the last answer's, then the
// table's.
func (s *screen) drawButtons(y, width int) {
	s.buttons = slices.Clone(s.answered)
	for _, b := range s.view.Buttons {
		s.buttons = append(s.buttons, bot.Button{ID: b.ID, Label: text.Plain(b.Label), Style: b.Style})
	}
	x := 0
	for i, b := range s.buttons {
		label := fmt.Sprintf("%d %s", i+1, b.Label)
		if x > 0 && x+uniseg.StringWidth(label)+2 > width {
			x, y = 0, y+1
		}
		x += s.button(x, y, label, func(ctx context.Context) error {
			return s.perform(ctx, func() error { return s.carryOut(ctx, s.people[s.who], fmt.Sprint(i+1)) })
		})
	}
}
