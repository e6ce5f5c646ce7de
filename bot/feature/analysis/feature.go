package analysis

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/record"
	"github.com/rackmate/rackmate/game/robot"
	"github.com/rackmate/rackmate/lexicon"
)

// A Feature analyses positions.
type Feature struct {
	desk  feature.Desk
	mind  func(*lexicon.Lexicon) *robot.Mind // nil if there are no robots
	guard feature.Guard
	// running lists the tables where anyone is playing.
	running func(ctx context.Context) ([]bot.TableID, error)
	// unsolved returns an error for a board that the person has yet to solve alone.
	unsolved func(ctx context.Context, who game.PlayerID, on game.Board) error
}

// New returns the feature.
func New(d feature.Desk, m feature.Resources, g feature.Guard, running func(ctx context.Context) ([]bot.TableID, error), unsolved func(ctx context.Context, who game.PlayerID, on game.Board) error) *Feature {
	return &Feature{d, m.Mind, g, running, unsolved}
}

// Hooks returns what the feature adds to a host.
//
// Its page lets anyone analyse positions. The position is in the page's
// address, after "#"; it isn't stored.
func (f *Feature) Hooks() feature.Feature {
	return feature.Feature{Pages: []bot.Pages{
		{Path: "/analyse", Show: f.show, Ask: map[string]bot.Ask{"ask": bot.AskFunc(f.analyse), "game": bot.AskFunc(f.positions)}},
	}}
}

func (f *Feature) show(_ context.Context, v bot.Visit) (bot.Page, error) {
	return bot.Page{
		Title: text.Say("Analyse a position"), About: text.Say("All plays of any position, the best with reasons, and endings solved."),
		Blocks: []bot.Block{bot.Board{Script: "analyse", Label: text.Say("The position"), Data: map[string]string{"lists": strings.Join(f.lists(v.Request), " ")}}},
	}, nil
}

// A setup holds what is needed to read and judge positions.
type setup struct {
	list  *lexicon.Lexicon
	rules game.Rules
	eq    game.Equipment
	mind  *robot.Mind
}

// lists returns the names of the available word lists, the default first.
func (f *Feature) lists(req bot.Request) (names []string) {
	usual := f.desk.Lists().UsualLexicon(req.Channel.Platform())
	for _, l := range f.desk.Lists().Available() {
		names = append(names, l.Name())
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(order(a, usual), order(b, usual)) })
	return names
}

func order(name, usual string) int {
	if strings.EqualFold(name, usual) {
		return 0
	}
	return 1
}

// setup returns the setup of a word list, by default the usual one.
func (f *Feature) setup(ctx context.Context, req bot.Request, name string) (s setup, err error) {
	if f.mind == nil {
		return s, refuse(text.Say("There's no robot here to analyse positions."))
	}
	lists := f.desk.Lists()
	if name == "" {
		name = lists.UsualLexicon(req.Channel.Platform())
	}
	i := slices.IndexFunc(lists.Available(), func(l *lexicon.Lexicon) bool { return strings.EqualFold(l.Name(), name) })
	if i < 0 {
		return s, refuse(text.Say("There's no word list called {name} here.", text.Shorten(name, bot.MaxName)))
	}
	s.list = lists.Available()[i]
	s.rules, s.eq = lists.Equip(game.Classic(), lists.LanguageOf(s.list.Name()))
	s.list.Prepare()
	s.mind = f.mind(s.list)
	return s, nil
}

func refuse(t text.Text) error { return &bot.PageError{Text: t} }

// A writtenGame is a recorded game from which to take positions, in GCG or in Woogles'
// format.
type writtenGame struct {
	List    string `json:"list"`
	Written string `json:"written"`
}

// positions returns the positions of a recorded game.
func (f *Feature) positions(ctx context.Context, v bot.Visit, in writtenGame) (any, error) {
	s, err := f.setup(ctx, v.Request, in.List)
	if err != nil {
		return nil, err
	}
	g, err := record.Read([]byte(in.Written), func(string) *game.TileSet { return s.eq.Tiles })
	if err != nil {
		return nil, refuse(text.Say("I can't read that game: {why}.", err.Error()))
	}
	all, err := s.positions(g)
	return map[string]any{"positions": all}, err
}

// positions returns the positions before each play, exchange and pass of a record, up to
// the record's first mistake.
func (s setup) positions(g record.GCG) ([]Position, error) {
	var all []Position
	totals := make([]int, len(g.Players))
	played, err := record.Replay(s.rules, s.eq, g)
	var board game.Board
	for i, t := range g.Turns {
		if i >= len(played.Boards) {
			break
		}
		if t.Kind == record.Play || t.Kind == record.Exchange || t.Kind == record.Pass {
			p := record.Position{Board: board}
			for k := range max(len(g.Players), 2) {
				who, rack, score := (t.Player+k)%max(len(g.Players), 2), game.Tiles(""), 0
				if k == 0 {
					rack = played.Racks[i]
				}
				if who < len(totals) {
					score = totals[who]
				}
				p.Racks, p.Scores = append(p.Racks, rack), append(p.Scores, score)
			}
			one := Position{CGP: p.CGP(s.eq), Player: g.Players[t.Player].Name, Score: t.Score}
			switch m := played.Made[i]; m.Kind {
			case game.PlayTiles:
				one.Move = m.Text(s.eq.Tiles)
			case game.ExchangeTiles:
				one.Move = "−" + s.eq.Tiles.Print(m.Tiles)
			}
			all = append(all, one)
		}
		board, totals[t.Player] = played.Boards[i], t.Total
	}
	if len(all) == 0 && err != nil {
		return nil, refuse(text.Say("I can't read that game: {why}.", err.Error()))
	}
	return all, nil
}
