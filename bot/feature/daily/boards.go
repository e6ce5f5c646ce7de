package daily

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/lexicons"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/puzzle"
	"github.com/rackmate/rackmate/game/robot"
	"github.com/rackmate/rackmate/lexicon"
)

// boards makes the positions of days and caches some of them in memory.
type boards struct {
	desk   feature.Desk
	lists  *lexicons.Lists
	mind   func(*lexicon.Lexicon) *robot.Mind // nil without robots
	secret func(context.Context) ([]byte, error)

	days     *shelf.Shelf[dayKey, dayRow]
	versions *shelf.Shelf[shelf.Mark, versionRow]

	mu     sync.Mutex
	from   *puzzle.Day                     // first day of the latest version; nil until it is read
	makers map[string]func() *puzzle.Maker // by the list's hash
	made   map[madeKey]func() (board, error)
}

type madeKey struct {
	list string // the list's hash
	day  puzzle.Day
}

// A boardID identifies a board.
type boardID struct {
	list, hash string // the word list and, if known, its hash
	day        puzzle.Day
}

// mostMade limits how many positions are cached.
const mostMade = 64

// A board is a day's position with the rules and words it is played with.
type board struct {
	puzzle.Position
	Maker    *puzzle.Maker
	Tomorrow string // commitment to the next board
	Proof    puzzle.Proof
}

// triesLeft returns how many tries remain after some were made.
func triesLeft(tries []attempt) int {
	if slices.ContainsFunc(tries, func(t attempt) bool { return t.Band == best }) {
		return 0
	}
	return max(0, mostTries-len(tries))
}

// errListGone is returned if a board's word list is no longer available.
type errListGone struct{ list string }

func (e errListGone) Error() string { return "the word list " + e.list + " is gone" }

// list returns the word list of a board, or nil if this version of it is no longer available.
func (b *boards) list(name, hash string) *lexicon.Lexicon {
	l := b.lists.Lexicon(game.LexiconID{Name: name, Hash: hash}, b.lists.TilesOf(name))
	if l == nil || hash != "" && l.Hash() != hash {
		return nil
	}
	return l
}

// isCached reports whether a position is cached.
func (b *boards) isCached(w boardID) bool {
	lex := b.list(w.list, w.hash)
	if lex == nil {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	_, made := b.made[madeKey{lex.Hash(), w.day}]
	return made
}

// board returns the position of a day with a word list. If the position isn't cached, it waits for
// its turn to compute it, as all heavy work does.
func (b *boards) board(ctx context.Context, w boardID) (board, error) {
	if b.isCached(w) {
		return b.boardFor(ctx, w)
	}
	return feature.Heavy(ctx, b.desk, w, func(ctx context.Context) (board, error) { return b.boardFor(ctx, w) })
}

// boardFor returns the position of a day from the cache, or makes it.
func (b *boards) boardFor(ctx context.Context, w boardID) (board, error) {
	lex := b.list(w.list, w.hash)
	if lex == nil {
		return board{}, errListGone{w.list}
	}
	secret, err := b.secret(ctx)
	if err != nil {
		return board{}, err
	}
	from, err := b.latestFrom(ctx)
	if err != nil {
		return board{}, err
	}
	return b.makeOnce(lex, secret, w.day, from)()
}

// maker returns a function that returns the maker of a list's positions, building it on the first
// call.
func (b *boards) maker(lex *lexicon.Lexicon) func() *puzzle.Maker {
	b.mu.Lock()
	defer b.mu.Unlock()
	maker, ok := b.makers[lex.Hash()]
	if !ok {
		maker = sync.OnceValue(func() *puzzle.Maker { return b.makerOf(lex) })
		b.makers[lex.Hash()] = maker
	}
	return maker
}

// committedDays is the number of days, from today's date in UTC, whose boards may be open or promised:
// a board opens at most a day ahead of its date, and its message promises the next.
const committedDays = 3

// latestFrom returns the first day whose board is made by the latest version. It is day 0 if the
// host had no boards before; otherwise the version starts after the boards that are open or promised.
// The host's first program of this version decides that for all others.
func (b *boards) latestFrom(ctx context.Context) (puzzle.Day, error) {
	b.mu.Lock()
	known := b.from
	b.mu.Unlock()
	if known != nil {
		return *known, nil
	}
	key := shelf.Mark(strconv.Itoa(int(puzzle.Latest)))
	row, decided, err := b.versions.Get(ctx, key)
	if err != nil {
		return 0, err
	}
	if !decided {
		first := versionRow{V: 1}
		had := errors.New("there was a day")
		switch err := b.days.Each(ctx, func(dayKey, dayRow) error { return had }); {
		case errors.Is(err, had):
			first.From = puzzle.DayOf(b.desk.Now().UTC()) + committedDays
		case err != nil:
			return 0, err
		}
		if err := b.versions.Change(ctx, key, func(there *versionRow) (keep bool, err error) {
			if there.V == 0 {
				*there = first
			}
			row = *there
			return true, nil
		}); err != nil {
			return 0, err
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.from = &row.From
	return row.From, nil
}

// makeOnce returns a function that makes a day's board on the first call.
func (b *boards) makeOnce(lex *lexicon.Lexicon, secret []byte, d, latestFrom puzzle.Day) func() (board, error) {
	maker := b.maker(lex)
	b.mu.Lock()
	defer b.mu.Unlock()
	key := madeKey{lex.Hash(), d}
	made, ok := b.made[key]
	if !ok {
		if len(b.made) == mostMade {
			clear(b.made)
		}
		made = sync.OnceValues(func() (board, error) {
			m, source := maker(), puzzle.NewSource(secret, lex)
			version := func(d puzzle.Day) puzzle.Version {
				if d >= latestFrom {
					return puzzle.Latest
				}
				return puzzle.Latest - 1
			}
			p, err := m.Make(version(d), source.DaySecret(d), d, m.Share(source.ShareKey(), d))
			if err != nil {
				return board{}, err
			}
			return board{p, m, m.Commitment(version(d+1), source, d+1), m.Prove(version(d), source, d, p)}, nil
		})
		b.made[key] = made
	}
	return made
}

func (b *boards) makerOf(lex *lexicon.Lexicon) *puzzle.Maker {
	_, eq := b.lists.Equip(game.Classic(), b.lists.LanguageOf(lex.Name()))
	clean := b.lists.Lexicon(game.LexiconID{Name: lex.Name() + "-clean"}, eq.Tiles)
	if b.mind == nil {
		return puzzle.NewMaker(puzzle.Words{List: lex, Clean: clean}, eq)
	}
	return puzzle.NewMaker(puzzle.KnownWords(b.mind(lex), clean), eq)
}

// table returns a board as a table with one player, who is to move. Its rules allow challenges
// where they can, so that searching for plays reveals nothing about which words are valid.
func (b board) table(ch bot.ChannelID, list string, who bot.User) table.Table {
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

// name returns the best play in the usual notation: "QUARTZ at 8D".
func (b board) name() text.Text {
	set := b.Maker.Equipment().Tiles
	return text.Item("{word} at {square}", text.Strong(set.Alphabet().String(b.Word())), b.Best.At.At(b.Best.Dir))
}

// rack returns the letters of the rack, spaced.
func (b board) rack() string { return words.SpacedTiles(b.Maker.Equipment().Tiles, b.Rack) }

// listOf returns the word list for a channel's boards: the one set there if it exists, else the
// platform's default.
func (b *boards) listOf(ctx context.Context, ch bot.ChannelID) (id game.LexiconID, err error) {
	name, err := b.desk.Rule(ctx, ch, "lexicon")
	if err != nil {
		return id, err
	}
	for _, name := range []string{name, b.lists.UsualLexicon(ch.Platform())} {
		if l := b.lists.Lexicon(game.LexiconID{Name: name}, b.lists.TilesOf(name)); l != nil {
			return game.LexiconID{Name: l.Name(), Hash: l.Hash()}, nil
		}
	}
	return id, fmt.Errorf("unknown word list %s", name)
}
