// Package terminal plays at a table in one terminal, line by line or on a screen drawn in
// place: for people who share the terminal, or for one person and a robot. Line by line it
// is also the smallest adapter, to learn from: see [bot.Adapter] for what the host needs
// from one.
//
//	a line typed -> bot.ParseLine -> Host.Handle -> the answer, printed
//	a post of the host -> Post, which only says that there is something new
//	something new -> Host.Sight -> the board, printed
//
// Between two people's turns the rack is hidden: the screen is cleared, and the next person
// presses Enter. "Bob: end" sends a command for Bob when it isn't his turn.
package terminal

import (
	"bufio"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/gdamore/tcell/v2"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// Name is the platform's name: the prefix of its channel and user ids.
const Name = "terminal"

// table is the only channel.
const table = bot.ChannelID(Name + ":table")

// Config configures a terminal.
type Config struct {
	Host bot.Host
	// People lists the names of the people at the terminal, at least one.
	People []string
	// Open is the command that opens the table: "/new robots:strong".
	Open string
	// In is the input, and Out the output.
	In  io.Reader
	Out io.Writer
	// Locale is the terminal's language, such as "de_DE"; "" means English.
	Locale string
	// Clear is written to Out to clear the screen between two people's turns.
	Clear string
	// Random is the source of request ids: crypto/rand.Reader.
	Random io.Reader
	// Screen replaces In and Out, with its keys and mouse, unless it is nil.
	Screen tcell.Screen
	// Save stores a file that a command returned, such as an exported game.
	Save func(name string, data []byte) error
}

// An Adapter is a table in a terminal.
type Adapter struct {
	Config
	people []bot.User
	news   chan struct{} // holds an element if something was posted since the last read

	// What was last shown.
	again    bool // show it once more
	phase    string
	turns    int
	facing   int          // index in people of the person at the screen
	buttons  []bot.Button // numbered from 1
	answered []bot.Button // buttons of the last answer
	done     bool         // the people have quit
}

// New returns an adapter; Run plays.
func New(c Config) *Adapter {
	a := &Adapter{Config: c, news: make(chan struct{}, 1)}
	for i, name := range c.People {
		a.people = append(a.people, bot.User{ID: bot.PlayerID(fmt.Sprintf("%s:%d", Name, i+1)), Name: name})
	}
	return a
}

// Platform describes the terminal to the host: text only.
func (a *Adapter) Platform() bot.Platform {
	return bot.Platform{Name: Name, Title: text.Item("the terminal").String(), Plain: true}
}

// Post makes Run read the table again. It drops the message itself.
func (a *Adapter) Post(context.Context, bot.Message) error {
	select {
	case a.news <- struct{}{}:
	default: // the table will be read anyway
	}
	return nil
}

// Wait returns at once, because nothing continues after Run.
func (a *Adapter) Wait() {}

// Run plays until the input ends, a person types "quit", or ctx is done. It returns an
// error if the table can't be read or opened.
func (a *Adapter) Run(ctx context.Context) error {
	if a.Screen != nil {
		return a.runOnScreen(ctx)
	}
	lines, failed := a.read(ctx)
	if err := a.open(ctx); err != nil {
		return err
	}
	for !a.done {
		s, err := a.Host.Sight(ctx, bot.Request{Channel: table, User: a.people[0], Locale: a.Locale})
		if err != nil {
			return fmt.Errorf("look at the table: %w", err)
		}
		a.show(ctx, s.Scene)
		who, acts, err := a.toAct(ctx, s)
		if err != nil {
			return err
		}
		if !acts { // a robot is thinking
			select {
			case <-ctx.Done():
				return nil
			case <-a.news:
				continue
			}
		}
		if err := a.turn(ctx, who, lines); err != nil {
			return err
		}
	}
	return <-failed
}

// read sends the typed lines until they end, and then the error.
func (a *Adapter) read(ctx context.Context) (<-chan string, <-chan error) {
	lines, failed := make(chan string), make(chan error, 1)
	go func() {
		defer close(lines)
		in := bufio.NewScanner(a.In)
		for in.Scan() {
			select {
			case lines <- in.Text():
			case <-ctx.Done():
				failed <- nil
				return
			}
		}
		failed <- in.Err()
	}()
	return lines, failed
}

// open opens a table and seats everybody, unless a game is still on.
func (a *Adapter) open(ctx context.Context) error {
	s, err := a.Host.Sight(ctx, bot.Request{Channel: table, User: a.people[0], Locale: a.Locale})
	if err == nil && s.Phase != "over" {
		a.say(ctx, text.Say("The game goes on."))
		return nil
	}
	if err != nil && !errors.Is(err, bot.ErrNoTable) {
		return fmt.Errorf("look at the table: %w", err)
	}
	for i, who := range a.people {
		sits := a.join
		if i == 0 {
			sits = func(ctx context.Context, who bot.User) (bot.Reply, error) { return a.runCommand(ctx, who, a.Open) }
		}
		r, err := sits(ctx, who)
		if err != nil {
			return err
		} else if r.Refused {
			return errors.New(a.translate(ctx, r.Text))
		}
	}
	return nil
}

// join seats one more person. It skips the confirmation, because they chose the rules
// together.
func (a *Adapter) join(ctx context.Context, who bot.User) (bot.Reply, error) {
	req, err := a.request(who)
	req.Command, req.Args = "join", map[string]string{"sure": "yes"}
	if err != nil {
		return bot.Reply{}, err
	}
	return a.Host.Handle(ctx, req), nil
}

// toAct returns the person who has something to do: the one whose turn it is, or if the
// last play awaits a challenge, an opponent of the player who made it. Before and after the
// game it is the first person. While a robot thinks, acts is false.
func (a *Adapter) toAct(ctx context.Context, s bot.Sight) (who int, acts bool, err error) {
	switch s.Phase {
	case "playing":
		for i, p := range a.people {
			own, err := a.Host.Sight(ctx, bot.Request{Channel: table, User: p, Locale: a.Locale})
			if err != nil {
				return 0, false, fmt.Errorf("look at the table: %w", err)
			}
			if own.Own != nil && own.Own.Turn && own.Own.Submitted == nil {
				return i, true, nil
			}
		}
		return 0, false, nil
	case "closing":
		last := s.Turns[len(s.Turns)-1].Player
		for i, p := range a.people {
			if p.Name != last {
				return i, true, nil
			}
		}
		return 0, false, nil
	}
	return 0, true, nil
}

// turn shows a person their view and carries out what they type.
func (a *Adapter) turn(ctx context.Context, who int, lines <-chan string) error {
	line, ok := "", true
	if who != a.facing {
		fmt.Fprint(a.Out, a.Clear)
		a.say(ctx, text.Say("It's {who}'s turn. Press Enter when nobody else is looking.", a.people[who].Name))
		if line, ok = a.nextLine(ctx, lines); !ok {
			return nil
		}
		a.facing, a.again = who, a.Clear != ""
	}
	s, err := a.Host.Sight(ctx, bot.Request{Channel: table, User: a.people[who], Locale: a.Locale})
	if err != nil {
		return fmt.Errorf("look at the table: %w", err)
	}
	a.show(ctx, s.Scene)
	if s.Own != nil && s.Phase == "playing" {
		a.say(ctx, text.Say("Your rack: {tiles}", rackText(s)))
	}
	a.offer(s)
	fmt.Fprintf(a.Out, "%s> ", a.people[who].Name)
	if strings.TrimSpace(line) != "" { // typed instead of just Enter
		fmt.Fprint(a.Out, line)
	} else if line, ok = a.nextLine(ctx, lines); !ok {
		return nil
	}
	fmt.Fprintln(a.Out)
	return a.carryOut(ctx, a.people[who], strings.TrimSpace(line))
}

// nextLine returns the next typed line; ok is false if there are no more.
func (a *Adapter) nextLine(ctx context.Context, lines <-chan string) (line string, ok bool) {
	select {
	case line, ok = <-lines:
	case <-ctx.Done():
	}
	a.done = a.done || !ok
	return line, ok
}

// carryOut carries out typed input: a button's number, or a command with or without its
// slash.
func (a *Adapter) carryOut(ctx context.Context, who bot.User, line string) error {
	var reply bot.Reply
	var err error
	who, line = a.speaker(who, line)
	n, notNumber := strconv.Atoi(line)
	switch {
	case line == "":
		a.again = true
		return nil
	case line == "quit", line == "/quit":
		a.done = true
		return nil
	case notNumber == nil && (n < 1 || n > len(a.buttons)):
		reply = bot.Reply{Text: text.Say("There's no choice with that number.")}
	case notNumber == nil:
		reply, err = a.press(ctx, who, a.buttons[n-1])
	default:
		reply, err = a.runCommand(ctx, who, "/"+strings.TrimPrefix(line, "/"))
	}
	if err != nil {
		return err
	}
	return a.answer(ctx, reply)
}

// speaker returns the person and the content of a line: "Bob: end" is Bob's, regardless of
// the turn.
func (a *Adapter) speaker(who bot.User, line string) (bot.User, string) {
	name, said, ok := strings.Cut(line, ":")
	for _, p := range a.people {
		if ok && strings.EqualFold(name, p.Name) {
			return p, strings.TrimSpace(said)
		}
	}
	return who, line
}

// press presses a button.
func (a *Adapter) press(ctx context.Context, who bot.User, b bot.Button) (bot.Reply, error) {
	req, err := a.request(who)
	if err != nil {
		return bot.Reply{}, err
	}
	pressed, ok := req.Press(b.ID)
	if !ok {
		return bot.Reply{Refused: true, Text: text.Say("That choice is gone.")}, nil
	}
	return a.Host.Handle(ctx, pressed), nil
}

// runCommand carries out a typed command.
func (a *Adapter) runCommand(ctx context.Context, who bot.User, line string) (bot.Reply, error) {
	req, err := a.request(who)
	if err != nil {
		return bot.Reply{}, err
	}
	var refused text.Text
	if req.Command, req.Args, refused = a.Host.Commands().ParseLine(line, a.Host.LocaleFor(ctx, req)); refused != nil {
		return bot.Reply{Refused: true, Text: refused}, nil
	}
	return a.Host.Handle(ctx, req), nil
}

// request returns a request with an id of its own, but without a command.
func (a *Adapter) request(who bot.User) (bot.Request, error) {
	var id [12]byte
	if _, err := io.ReadFull(a.Random, id[:]); err != nil {
		return bot.Request{}, fmt.Errorf("make the id of a request: %w", err)
	}
	return bot.Request{ID: Name + ":" + hex.EncodeToString(id[:]), Channel: table, User: who, Locale: a.Locale}, nil
}

// say prints a text on a line of its own, in the terminal's language.
func (a *Adapter) say(ctx context.Context, t text.Text) { fmt.Fprintln(a.Out, a.translate(ctx, t)) }

// translate translates a text to the terminal's language, or to the one that the first person has
// chosen.
func (a *Adapter) translate(ctx context.Context, t text.Text) string {
	return t.In(a.Host.LocaleFor(ctx, bot.Request{Channel: table, User: a.people[0], Locale: a.Locale})).String()
}

// answer prints a private answer, and saves its files.
func (a *Adapter) answer(ctx context.Context, r bot.Reply) error {
	if len(r.Text) > 0 {
		a.say(ctx, r.Text)
	}
	for _, f := range r.Files {
		if err := a.Save(f.Name, f.Data); err != nil {
			return err
		}
		a.say(ctx, text.Say("Saved as {file}.", f.Name))
	}
	a.answered = r.Buttons
	return nil
}

// offer prints the numbered buttons: the last answer's, then the table's.
func (a *Adapter) offer(s bot.Sight) {
	a.buttons = a.answered
	a.answered = nil
	for _, b := range s.Buttons {
		a.buttons = append(a.buttons, bot.Button{ID: b.ID, Label: text.Plain(b.Label), Style: b.Style})
	}
	for i, b := range a.buttons {
		fmt.Fprintf(a.Out, "[%d] %s  ", i+1, b.Label)
	}
	if len(a.buttons) > 0 {
		fmt.Fprintln(a.Out)
	}
}

// show prints what has happened since the last call, and the board.
func (a *Adapter) show(ctx context.Context, s bot.Scene) {
	if len(s.Turns) == a.turns && s.Phase == a.phase && !a.again {
		return
	}
	if len(s.Turns) < a.turns {
		a.turns = 0 // another game has begun
	}
	for _, t := range s.Turns[a.turns:] {
		a.say(ctx, turnText(t))
	}
	a.again, a.phase, a.turns = false, s.Phase, len(s.Turns)
	if s.Phase == "lobby" || s.Phase == "voting" {
		return
	}
	fmt.Fprintf(a.Out, "\n%s\n\n", s.Text)
	for _, p := range s.Players {
		mark := "  "
		if p.ToMove {
			mark = "> "
		}
		fmt.Fprintf(a.Out, "%s%-20s %5d  %s\n", mark, p.Name, p.Score, p.Note)
	}
	fmt.Fprintf(a.Out, "%s\n\n", cmp.Or(s.Supply, s.Caption))
	if s.Phase == "over" {
		a.say(ctx, text.Say("The game is over. Look back at it with {history}, {review} or {export}. {rematch} plays again, and {quit} quits.",
			text.Code("history"), text.Code("review"), text.Code("export"), text.Code("rematch"), text.Code("quit")))
	}
}
