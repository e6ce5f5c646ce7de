package analysis

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/view"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/engine"
	"github.com/rackmate/rackmate/game/movegen"
	"github.com/rackmate/rackmate/game/record"
	"github.com/rackmate/rackmate/game/robot"
)

// Limits of a question and its answer.
const (
	mostSteps = 200 // as long as a game
	mostPlays = 200
	mostBest  = 5
)

// judgeTime is the longest search for the best moves, and solvePositions the number of
// positions searched to solve an ending.
const (
	judgeTime      = 8 * time.Second
	solvePositions = 300_000
)

// analyse returns the analysis of a position.
func (f *Feature) analyse(ctx context.Context, v bot.Visit, q Question) (any, error) {
	return f.answer(ctx, v.Request, q)
}

func (f *Feature) answer(ctx context.Context, req bot.Request, q Question) (a Analysis, err error) {
	to := f.desk.LocaleFor(ctx, req)
	s, err := f.setup(ctx, req, q.List)
	if err != nil {
		return a, err
	}
	p, err := s.read(q.CGP)
	if err != nil {
		return a, refuse(text.Say("I can't read that position: {why}.", err.Error()))
	}
	if len(q.Steps) > mostSteps {
		return a, refuse(text.Say("That's too long a line of moves: {most} are the limit.", mostSteps))
	}
	t := table.Table{}
	t.Rules, t.Equipment = s.rules, s.eq
	last, err := s.follow(&p, q.Steps)
	if err != nil {
		return a, explain(t, req, err)
	}
	v := engine.PositionView(s.rules, s.eq, p)
	if err := s.checkTiles(p); err != nil {
		return a, err
	}
	if err := f.mayAnalyse(ctx, req.User.ID, p.Board); err != nil {
		return a, err
	}
	if q.Try != nil {
		d, err := s.draft(t, p, *q.Try)
		if words.IsMistake(err) {
			d, err = bot.Draft{Problem: words.Explain(t, req, err).Text.In(to).String()}, nil
		}
		a.Draft = &d
		return a, err
	}
	if err := f.guard(ctx, req.User.ID, p.Racks[0]); err != nil {
		return a, err
	}
	a = Analysis{Sight: s.sight(p, v, to), CGP: p.CGP(s.eq), List: s.list.Name(), Last: last.In(to).String()}
	a.Over = len(p.Racks) == 2 && v.Bag == 0 && p.Racks[1] == "" && len(q.Steps) > 0 && !p.Board.Empty() && len(v.Unseen) == 0
	if p.Racks[0] == "" || a.Over {
		return a, nil
	}
	found, err := feature.Heavy(ctx, f.desk, answerKey{s.list.Hash(), a.CGP, q.Judge}, func(ctx context.Context) (results, error) {
		if q.Judge {
			return s.judge(ctx, v)
		}
		return s.plays(v)
	})
	if err != nil {
		return a, err
	}
	s.addResults(&a, v, found, to)
	return a, nil
}

// An answerKey is the cache key of an answer, and an answered the result.
type answerKey struct {
	list, cgp string
	judge     bool
}

type results struct {
	count               int
	plays, best, ending []robot.Choice
	proven              bool
	value               int
}

// read parses the first position; "" is an empty board.
func (s setup) read(cgp string) (record.Position, error) {
	if strings.TrimSpace(cgp) == "" {
		return record.Position{Racks: make([]game.Tiles, 2), Scores: make([]int, 2)}, nil
	}
	p, err := record.ParseCGP(s.eq, cgp)
	p.Ops = slices.DeleteFunc(p.Ops, func(op string) bool { return !strings.HasPrefix(op, "lm ") })
	return p, err
}

// checkTiles returns an error if a position has more tiles than the set, or too large a rack.
func (s setup) checkTiles(p record.Position) error {
	all := p.Board.Tiles().Faces()
	for i, r := range p.Racks {
		if all += r; i == 0 && len(r) > s.rules.RackSize {
			return refuse(text.Say("A rack has up to {n} tiles.", s.rules.RackSize))
		}
	}
	if _, ok := s.eq.Tiles.All().Minus(all); !ok {
		return refuse(text.Say("There are more tiles of a kind than the set has."))
	}
	return nil
}

// follow applies steps to a position, and describes the last one.
func (s setup) follow(p *record.Position, steps []string) (last text.Text, err error) {
	for _, step := range steps {
		if last, err = s.step(p, step); err != nil {
			return nil, err
		}
	}
	return last, nil
}

// step applies a step to a position, and describes it.
func (s setup) step(p *record.Position, step string) (text.Text, error) {
	kind, rest, _ := strings.Cut(strings.TrimSpace(step), " ")
	rest = strings.TrimSpace(rest)
	switch kind {
	case "rack":
		rack, err := s.tiles(rest)
		if err != nil {
			return nil, err
		}
		p.Racks[0], p.Ops = rack, nil
		return text.Item("rack {tiles}", s.eq.Tiles.Print(rack)), nil
	case "pass":
		p.Scoreless++
		turn(p)
		return text.Item("pass"), nil
	case "exchange":
		put, err := s.tiles(rest)
		if err != nil {
			return nil, err
		}
		left, ok := p.Racks[0].Minus(put)
		if !ok || put == "" {
			return nil, &game.RuleError{Code: game.NotOnRack}
		}
		p.Racks[0] = left
		p.Scoreless++
		turn(p)
		return text.Item("exchange {tiles}", s.eq.Tiles.Print(put)), nil
	}
	m, tally, err := s.place(*p, rest, kind)
	if err != nil {
		return nil, err
	}
	laid := view.NewTiles(m).Faces()
	p.Racks[0], _ = p.Racks[0].Minus(laid)
	p.Board.Lay(m)
	p.Scores[0] += tally.Total
	p.Scoreless = 0
	turn(p)
	return text.Plain(s.eq.Tiles.Print(tally.Words[0].Tiles) + " " + m.At.At(m.Dir)), nil
}

// turn passes the turn to the next side.
func turn(p *record.Position) {
	p.Racks = append(p.Racks[1:], p.Racks[0])
	p.Scores = append(p.Scores[1:], p.Scores[0])
	p.Ops = nil
}

// tiles parses the tiles of a rack, in any case.
func (s setup) tiles(typed string) (game.Tiles, error) {
	return table.TypedTiles(s.eq.Tiles, typed, func(game.Tiles) bool { return true })
}

// place returns a play from the rack of the side to move, with its score.
func (s setup) place(p record.Position, word, at string) (m game.Move, tally game.Tally, err error) {
	sp, err := game.ParseSpelling(s.eq.Tiles, word)
	if err != nil {
		return m, tally, err
	}
	sq, dir, err := game.ParseAt(at)
	if err != nil {
		return m, tally, words.Refusing("{at} isn't a square. Type {across} for row 8, column H, reading across, or {down} for the same square, reading down.", text.Code(text.Shorten(at, bot.MaxName)), text.Code("8H"), text.Code("H8"))
	}
	if m, err = game.Place(s.eq, &p.Board, p.Racks[0], sq, dir, sp); err != nil {
		return m, tally, err
	}
	tally, err = s.rules.Tally(s.eq, &p.Board, m)
	return m, tally, err
}

func (s setup) draft(t table.Table, p record.Position, try view.Attempt) (bot.Draft, error) {
	_, tally, err := s.place(p, try.Word, try.At)
	if err != nil {
		return bot.Draft{}, err
	}
	return view.Draft(t, tally, tally.Phonies(s.list)), nil
}

// explain turns a mistake in a step into an error for the page.
func explain(t table.Table, req bot.Request, err error) error {
	if words.IsMistake(err) {
		return refuse(words.Explain(t, req, err).Text)
	}
	return err
}

// plays returns the possible plays, the highest scores first.
func (s setup) plays(v robot.View) (found results, err error) {
	gen, err := movegen.New(s.list, s.eq, s.rules)
	if err != nil {
		return found, err
	}
	all := slices.Clone(gen.Plays(&v.Board, v.Rack))
	slices.SortStableFunc(all, func(a, b movegen.Play) int { return cmp.Compare(b.Score, a.Score) })
	found.count = len(all)
	for _, p := range all[:min(len(all), mostPlays)] {
		found.plays = append(found.plays, robot.Choice{Move: p.Move(), Points: int(p.Score), Equity: math.NaN()})
	}
	return found, nil
}

// judge finds the best moves, and the continuation of an ending.
func (s setup) judge(ctx context.Context, v robot.View) (found results, err error) {
	ctx, stop := context.WithTimeout(ctx, judgeTime)
	defer stop()
	if found.best, err = s.mind.Best(ctx, v, mostBest); err != nil {
		return found, err
	}
	if v.Bag > 0 || len(v.Seats) != 2 {
		return found, nil
	}
	e, err := s.mind.Solve(ctx, v, solvePositions)
	switch {
	case errors.Is(err, robot.ErrNoEnding), err != nil && ctx.Err() != nil:
		return found, nil
	case err != nil:
		return found, err
	}
	found.ending, found.proven, found.value = e.Moves, e.Proven, e.Value
	return found, nil
}

// sight returns a position as a board shows it.
func (s setup) sight(p record.Position, v robot.View, to *text.Locale) bot.Sight {
	sight := bot.Sight{Scene: view.Position(s.eq, p.Board)}
	for i, score := range p.Scores {
		name := text.Item("To move")
		if i > 0 {
			name = text.Item("Opponent")
		}
		sight.Players = append(sight.Players, bot.Player{Seat: i, Name: name.In(to).String(), Score: score})
	}
	sight.Seats = len(p.Scores)
	sight.Supply = text.Item("{n, plural, =0 {the bag is empty} one {# tile in the bag} other {# tiles in the bag}}", v.Bag).In(to).String()
	sight.Own = &bot.Own{Seat: -1, Rack: view.TileTexts(s.eq.Tiles, p.Racks[0]), Lays: "play", Turn: p.Racks[0] != "", Pass: p.Racks[0] != ""}
	if v.Bag >= s.rules.ExchangeMin {
		sight.Own.Exchange = min(len(p.Racks[0]), v.Bag)
	}
	return sight
}

// addResults adds the results to the answer.
func (s setup) addResults(a *Analysis, v robot.View, found results, to *text.Locale) {
	a.Count, a.Proven, a.Value = found.count, found.proven, found.value
	for _, c := range found.plays {
		a.Plays = append(a.Plays, s.worth(v, c, false, to))
	}
	for _, c := range found.best {
		a.Best = append(a.Best, s.worth(v, c, true, to))
	}
	for _, c := range found.ending {
		a.Ending = append(a.Ending, s.worth(v, c, false, to))
		v.Board.Lay(c.Move)
	}
}

// worth describes a move and its value, with a reason if why is true.
func (s setup) worth(v robot.View, c robot.Choice, why bool, to *text.Locale) view.Worth {
	w := view.WorthOf(v, c, to)
	w.Step = s.stepOf(c.Move)
	if why {
		w.Reason = s.reason(v, c).In(to).String()
	}
	return w
}

// stepOf returns a move as a step; see step.
func (s setup) stepOf(m game.Move) string {
	switch m.Kind {
	case game.PassTurn:
		return "pass"
	case game.ExchangeTiles:
		return "exchange " + s.eq.Tiles.Print(m.Tiles)
	}
	return m.At.At(m.Dir) + " " + table.Spelling(s.eq.Tiles, m)
}

// reason explains a move's value.
func (s setup) reason(v robot.View, c robot.Choice) text.Text {
	laid := c.Move.Tiles
	if c.Move.Kind == game.PlayTiles {
		laid = view.NewTiles(c.Move).Faces()
	}
	keeps, _ := v.Rack.Minus(laid)
	print, rest := s.eq.Tiles.Print(keeps.Sorted()), text.Tenths(view.Tenths(c.Equity-float64(c.Points)))
	switch {
	case c.Move.Kind == game.PlayTiles && keeps == "" && v.Bag == 0:
		return text.Say("Goes out, and gets the points of the tiles that are left.")
	case v.Bag == 0 && len(v.Seats) == 2 && c.Sure == robot.Plain:
		return text.Say("Gains {n} by the end of the game.", text.Tenths(c.Equity))
	case v.Bag == 0 && len(v.Seats) == 2:
		return text.Say("Gains about {n} by the end of the game.", text.Tenths(c.Equity))
	case c.Move.Kind == game.PlayTiles && keeps == "" && s.rules.Bonus > 0 && len(laid) >= s.rules.BonusTiles:
		return text.Say("Plays all {n} tiles, for {bonus} points more.", len(laid), s.rules.Bonus)
	case keeps == "":
		return text.Say("Keeps nothing, and draws a whole rack.")
	case c.Equity >= float64(c.Points):
		return text.Say("Keeps {tiles}, which are worth {n}.", print, rest)
	}
	return text.Say("Keeps {tiles}, which cost {n}.", print, text.Tenths(-float64(rest)))
}
