package daily

import (
	"context"
	"sync"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/lexicons"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/puzzle"
	"github.com/rackmate/rackmate/game/robot"
	"github.com/rackmate/rackmate/lexicon"
)

// boards makes the positions of days, and remembers some in memory alone.
type boards struct {
	lists  *lexicons.Lists
	mind   func(*lexicon.Lexicon) *robot.Mind // nil where there are no robots
	secret func(context.Context) ([]byte, error)

	mu     sync.Mutex
	makers map[string]func() *puzzle.Maker // by the hash of a list
	made   map[madeKey]func() (madeBoard, error)
}

type madeKey struct {
	list string // its hash
	day  puzzle.Day
}

type madeBoard struct {
	puzzle.Position
	tomorrow string // the commitment
	today    puzzle.Proof
}

// mostMade is how many positions are remembered.
const mostMade = 64

// A Board is a day's position, and what it is played with.
type Board struct {
	puzzle.Position
	Maker    *puzzle.Maker
	Tomorrow string // the commitment to the next day's
	Proof    puzzle.Proof
}

// errListGone says that a board's word list isn't there any more.
type errListGone struct{ list string }

func (e errListGone) Error() string { return "the word list " + e.list + " is gone" }

// list is the word list of a board, nil where it isn't there as it was.
func (b *boards) list(name, hash string) *lexicon.Lexicon {
	l := b.lists.Lexicon(game.LexiconID{Name: name, Hash: hash}, b.lists.TilesOf(name))
	if l == nil || hash != "" && l.Hash() != hash {
		return nil
	}
	return l
}

// isMade reports whether a position is remembered.
func (b *boards) isMade(list, hash string, d puzzle.Day) bool {
	lex := b.list(list, hash)
	if lex == nil {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	_, made := b.made[madeKey{lex.Hash(), d}]
	return made
}

// board is the position of a day with a word list. What isn't remembered is made in its
// turn, as all that takes a processor for long.
func (f *Feature) board(ctx context.Context, list, hash string, d puzzle.Day) (Board, error) {
	if f.boards.isMade(list, hash, d) {
		return f.boards.of(ctx, list, hash, d)
	}
	type position struct {
		list, hash string
		day        puzzle.Day
	}
	return feature.Heavy(ctx, f.desk, position{list, hash, d}, func(ctx context.Context) (Board, error) { return f.boards.of(ctx, list, hash, d) })
}

// of is the position of a day with a word list.
func (b *boards) of(ctx context.Context, list, hash string, d puzzle.Day) (Board, error) {
	lex := b.list(list, hash)
	if lex == nil {
		return Board{}, errListGone{list}
	}
	secret, err := b.secret(ctx)
	if err != nil {
		return Board{}, err
	}
	maker, made := b.making(lex, secret, d)
	m, err := made()
	if err != nil {
		return Board{}, err
	}
	return Board{m.Position, maker(), m.tomorrow, m.today}, nil
}

func (b *boards) making(lex *lexicon.Lexicon, secret []byte, d puzzle.Day) (func() *puzzle.Maker, func() (madeBoard, error)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	hash := lex.Hash()
	maker, ok := b.makers[hash]
	if !ok {
		maker = sync.OnceValue(func() *puzzle.Maker { return b.makerOf(lex) })
		b.makers[hash] = maker
	}
	key := madeKey{hash, d}
	made, ok := b.made[key]
	if !ok {
		if len(b.made) == mostMade {
			clear(b.made)
		}
		made = sync.OnceValues(func() (madeBoard, error) {
			m, source := maker(), puzzle.NewSource(secret, lex)
			p, err := m.Make(source.Day(d), d, m.Share(source.Deal(), d))
			if err != nil {
				return madeBoard{}, err
			}
			share := m.Share(source.Deal(), d+1)
			return madeBoard{p, puzzle.Commitment(source.Day(d+1), d+1, share, lex.Alphabet()), m.Prove(source, d, p)}, nil
		})
		b.made[key] = made
	}
	return maker, made
}

func (b *boards) makerOf(lex *lexicon.Lexicon) *puzzle.Maker {
	_, eq := b.lists.Equipped(game.Classic(), b.lists.LanguageOf(lex.Name()))
	clean := b.lists.Lexicon(game.LexiconID{Name: lex.Name() + "-clean"}, eq.Tiles)
	if b.mind == nil {
		return puzzle.NewMaker(puzzle.Words{List: lex, Clean: clean}, eq)
	}
	return puzzle.NewMaker(puzzle.Known(b.mind(lex), clean), eq)
}

// table is a board as a table where somebody sits alone and is to move. Where plays are
// looked for on it, nothing is said of which words are valid.
func (b Board) table(ch bot.ChannelID, list string, who bot.User) table.Table {
	rules := b.Maker.Rules()
	for _, c := range game.ChallengeRules() {
		if c != game.Void {
			rules.Challenge = c
			break
		}
	}
	return table.Table{Channel: ch, State: game.State{
		Phase: game.Playing, Rules: rules, Equipment: b.Maker.Equipment(), Lexicon: game.LexiconID{Name: list, Hash: b.Maker.List().Hash()},
		Board: b.Board, Seats: []game.Seat{{Person: who, Rack: b.Rack}}, Number: int(b.Day),
	}}
}

// name is the best play as people say it: "QUARTZ at 8D".
func (b Board) name() text.Text {
	set := b.Maker.Equipment().Tiles
	return text.Item("{word} at {square}", text.Strong(set.Alphabet().String(b.Word())), b.Best.At.At(b.Best.Dir))
}

// rack is the rack letter by letter.
func (b Board) rack() string { return words.Spaced(b.Maker.Equipment().Tiles, b.Rack) }
