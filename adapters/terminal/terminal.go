// Package terminal is a table in one terminal, line by line or on a screen that is drawn
// in place: for people who share the terminal, or for one person and a robot. Line by line
// it is also the smallest adapter, to learn from: see [bot.Adapter] for what the host asks
// of one.
//
//	a line typed -> bot.ParseLine -> Host.Handle -> the answer, printed
//	a post of the host -> Post, which only says that there is something new
//	something new -> Host.Sight -> the board, printed
//
// Between two people's turns the rack goes out of sight: the screen is cleared,
// and the next one presses Enter. "Bob: end" says something for Bob when it isn't
// his turn.
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

// Name is the platform's name: the start of its channel's and people's ids.
const Name = "terminal"

// table is the one channel that there is.
const table = bot.ChannelID(Name + ":table")

// Config is what a terminal needs.
type Config struct {
	Host bot.Host
	// People are the names of those who share the terminal, one or more.
	People []string
	// Open is the line that opens the table: "/new robots:strong".
	Open string
	// In is what is typed, and Out what is shown.
	In  io.Reader
	Out io.Writer
	// Locale is the language that the terminal speaks, as in "de_DE"; "" is English.
	Locale string
	// Clear is written to Out to clear the screen between two people's turns.
	Clear string
	// Random is where requests' ids come from: crypto/rand.Reader.
	Random io.Reader
	// Screen is what is drawn on instead, with its keys and its mouse; nil for In and Out.
	Screen tcell.Screen
	// Save keeps a file that a command gave, such as an exported game.
	Save func(name string, data []byte) error
}

// An Adapter is a table in a terminal.
type Adapter struct {
	Config
	people []bot.User
	news   chan struct{} // has one when something was posted since it was read

	// What was last shown.
	again    bool // or is to be shown once more
	phase    string
	turns    int
	facing   int          // of people: who sees the screen
	buttons  []bot.Button // by their numbers from 1
	answered []bot.Button // of the last answer
	done     bool         // nobody wants to go on
}

// New makes an adapter; Run plays.
func New(c Config) *Adapter {
	a := &Adapter{Config: c, news: make(chan struct{}, 1)}
	for i, name := range c.People {
		a.people = append(a.people, bot.User{ID: bot.PlayerID(fmt.Sprintf("%s:%d", Name, i+1)), Name: name})
	}
	return a
}

// Platform is the terminal as the host treats it: words alone.
func (a *Adapter) Platform() bot.Platform {
	return bot.Platform{Name: Name, Title: text.Item("the terminal").String(), Plain: true}
}

// Post takes a message of the host's: the table is looked at anew.
func (a *Adapter) Post(context.Context, bot.Message) error {
	select {
	case a.news <- struct{}{}:
	default: // it will be looked at anyway
	}
	return nil
}

// Wait returns at once: nothing goes on when Run has ended.
func (a *Adapter) Wait() {}

// Run plays until the input ends, somebody types "quit", or ctx is done.
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
		if !acts { // a robot thinks
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

// read gives the lines that are typed until they end, and then why.
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

// open opens a table and lets everybody sit down, unless there is one that goes
// on.
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
			sits = func(ctx context.Context, who bot.User) (bot.Reply, error) { return a.give(ctx, who, a.Open) }
		}
		r, err := sits(ctx, who)
		if err != nil {
			return err
		} else if r.Refused {
			return errors.New(a.in(ctx, r.Text))
		}
	}
	return nil
}

// join seats one more. They chose the rules together, so nobody is asked whether they are sure.
func (a *Adapter) join(ctx context.Context, who bot.User) (bot.Reply, error) {
	req, err := a.request(who)
	req.Command, req.Args = "join", map[string]string{"sure": "yes"}
	if err != nil {
		return bot.Reply{}, err
	}
	return a.Host.Handle(ctx, req), nil
}

// toAct is which of the people has something to do: whose turn it is, or when the
// last play waits for a challenge, an opponent of the player who made it. Before and
// after the game it is the first. Nobody has while a robot thinks.
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

// turn shows one of the people what they have and carries out what they type.
func (a *Adapter) turn(ctx context.Context, who int, lines <-chan string) error {
	line, ok := "", true
	if who != a.facing {
		fmt.Fprint(a.Out, a.Clear)
		a.say(ctx, text.Say("It's {who}'s turn. Press Enter when nobody else is looking.", a.people[who].Name))
		if line, ok = a.next(ctx, lines); !ok {
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
	if strings.TrimSpace(line) != "" { // typed instead of Enter
		fmt.Fprint(a.Out, line)
	} else if line, ok = a.next(ctx, lines); !ok {
		return nil
	}
	fmt.Fprintln(a.Out)
	return a.carryOut(ctx, a.people[who], strings.TrimSpace(line))
}

// next is the next line that is typed; ok is false when there will be none.
func (a *Adapter) next(ctx context.Context, lines <-chan string) (line string, ok bool) {
	select {
	case line, ok = <-lines:
	case <-ctx.Done():
	}
	a.done = a.done || !ok
	return line, ok
}

// carryOut does what somebody typed: a button's number, or a command with its
// slash or without.
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
		reply, err = a.give(ctx, who, "/"+strings.TrimPrefix(line, "/"))
	}
	if err != nil {
		return err
	}
	return a.answer(ctx, reply)
}

// speaker is who says a line, and what: "Bob: end" is Bob's, whoever's turn it
// is.
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

// give carries out a typed command.
func (a *Adapter) give(ctx context.Context, who bot.User, line string) (bot.Reply, error) {
	req, err := a.request(who)
	if err != nil {
		return bot.Reply{}, err
	}
	var refused text.Text
	if req.Command, req.Args, refused = a.Host.Commands().ParseLine(line, a.Host.TongueFor(ctx, req)); refused != nil {
		return bot.Reply{Refused: true, Text: refused}, nil
	}
	return a.Host.Handle(ctx, req), nil
}

// request is a request without its command, with an id of its own.
func (a *Adapter) request(who bot.User) (bot.Request, error) {
	var id [12]byte
	if _, err := io.ReadFull(a.Random, id[:]); err != nil {
		return bot.Request{}, fmt.Errorf("make the id of a request: %w", err)
	}
	return bot.Request{ID: Name + ":" + hex.EncodeToString(id[:]), Channel: table, User: who, Locale: a.Locale}, nil
}

// say prints a text on a line of its own, in the terminal's language.
func (a *Adapter) say(ctx context.Context, t text.Text) { fmt.Fprintln(a.Out, a.in(ctx, t)) }

// in is a text in the terminal's language, or in the one that the first person there
// has chosen.
func (a *Adapter) in(ctx context.Context, t text.Text) string {
	return t.In(a.Host.TongueFor(ctx, bot.Request{Channel: table, User: a.people[0], Locale: a.Locale})).String()
}

// answer prints a private answer, and keeps its files.
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

// offer lists what can be pressed by its number: the last answer's buttons, then
// the table's.
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

// show prints what has happened since it was last called, and the board.
func (a *Adapter) show(ctx context.Context, s bot.Scene) {
	if len(s.Turns) == a.turns && s.Phase == a.phase && !a.again {
		return
	}
	if len(s.Turns) < a.turns {
		a.turns = 0 // another game
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
