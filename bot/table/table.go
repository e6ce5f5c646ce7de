package table

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// IsDeserted reports whether no one has come or gone in a lobby for a day. Its players may
// never come back to close it, so it doesn't stop others from opening another table.
func (t Table) IsDeserted(now time.Time) bool {
	life := 24 * time.Hour
	if t.Begins.ID != "" {
		life = rematchLife
	}
	return t.Phase == game.Lobby && now.Sub(t.Events[len(t.Events)-1].At) >= life
}

// IsOpen reports whether a table waits for players or its game is on.
func (t Table) IsOpen(now time.Time) bool {
	return t.Phase != game.NoTable && t.Phase != game.Over && !t.IsDeserted(now)
}

// News returns the number of events up to the last public one.
func (t Table) News() int {
	n := len(t.Events)
	for n > 0 && Private(t, t.Events[n-1:n]) {
		n--
	}
	return n
}

// Private reports whether all events concern only their player.
func Private(t Table, events []game.Event) bool {
	own := t.Variant.Private
	return !slices.ContainsFunc(events, func(e game.Event) bool {
		_, hint := e.Fact.(game.Hinted)
		return !hint && (own == nil || !own(t.State, e.Fact))
	})
}

// A Table is a channel's table as it stands.
type Table struct {
	Channel bot.ChannelID
	ID      bot.TableID
	Events  []game.Event
	game.State
	// Variant describes what a variant changes; the zero Variant is ordinary play.
	Variant Variant

	replays *Replays
	was     *Table // before the latest events, if known
}

// replay returns the table with the state that its events give.
func (t Table) replay() (Table, error) {
	s, err := t.replays.replay(t.ID, t.Events)
	if err != nil {
		return t, fmt.Errorf("replay table %d: %w", t.ID, err)
	}
	t.State = s
	return t, nil
}

// With returns the table after more events.
func (t Table) With(more []game.Event) Table {
	if len(more) == 0 {
		return t
	}
	was := t
	// Replays knows events by their place in memory, so it can't cache the states of this
	// copy.
	t.was, t.replays = &was, nil
	t.Events = append(slices.Clip(t.Events), more...)
	for _, e := range more {
		t.State = t.State.Apply(e)
	}
	return t
}

// At returns the table when it had n events.
func (t Table) At(n int) (Table, error) {
	switch {
	case n == len(t.Events) && n == t.Number:
		return t, nil
	case t.was != nil && n <= len(t.was.Events):
		return t.was.At(n)
	}
	t.Events = t.Events[:n]
	return t.replay()
}

// IsDealt reports whether tiles have been dealt.
func (t Table) IsDealt() bool {
	return t.Phase == game.Playing || t.Phase == game.Closing || t.End != nil
}

// Spelling returns a play's shortest spelling that game.ParseSpelling reads as the same
// tiles. It has "." for tiles on the board.
func Spelling(set *game.TileSet, m game.Move) string {
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

// LookAt returns when the host must check a game next if nothing happens before.
func LookAt(s game.State) (time.Time, bool) {
	if at, ok := s.Expires(); ok {
		return at, true
	}
	return s.AbandonedAt()
}

// longTurn is the time of a turn in which all play at once from which people don't wait for the
// next one at their screens.
const longTurn = 10 * time.Minute

// HasLongTurns reports whether all play at once by these rules, in turns so long that people don't
// wait for the next one at their screens.
func HasLongTurns(r game.Rules) bool { return r.Duplicate.TurnTime >= longTurn }

// SameTurn reports whether a table is still in the turn that it was in when it had n
// events.
func (t Table) SameTurn(n int) bool {
	then, err := t.At(min(n, len(t.Events)))
	return err == nil && t.Phase == game.Playing && then.Phase == game.Playing && then.Turn == t.Turn && then.Turns == t.Turns && then.Began.Equal(t.Began)
}

// A rematch is a table with the settings of the previous one, with seats reserved for the
// same players, where another player begins. The first to ask opens it and waits, and the
// game begins when the others have accepted too, whenever that is.

// rematchLife limits how long the offer of a rematch stops others from opening another
// table in the channel.
const rematchLife = 3 * 24 * time.Hour

// RobotsKnow reports whether robots can play by the rules.
func RobotsKnow(r game.Rules) bool {
	v, _ := game.FindVariant(r.Variant)
	return v.Robots
}

// Seat returns the sender's seat in a running game.
func (t Table) Seat(req bot.Request) (int, error) {
	switch t.Phase {
	case game.NoTable, game.Lobby:
		return 0, &game.RuleError{Code: game.NotStarted}
	case game.Voting:
		return 0, &game.RuleError{Code: game.OrderOpen}
	case game.Over:
		return 0, &game.RuleError{Code: game.GameOver}
	}
	seat, ok := t.SeatOf(req.User.ID)
	if !ok || t.Seats[seat].Out {
		return 0, &game.RuleError{Code: game.NotPlaying}
	}
	return seat, nil
}

// TypedTiles parses tiles in any case, with "?" for a blank. If they can be read in several
// ways, such as Spanish LL as one tile or two, it returns the first reading that fits, or
// else the first. A space separates tiles. If set is nil, because there never was a table,
// the error is NotStarted.
func TypedTiles(set *game.TileSet, text string, fits func(game.Tiles) bool) (game.Tiles, error) {
	if set == nil {
		return "", &game.RuleError{Code: game.NotStarted}
	}
	first, err := typedTiles(set, text)
	if err != nil || fits(first) {
		return first, err
	}
	for _, parted := range set.Alphabet().OtherReadings(text) {
		if tiles, err := typedTiles(set, parted); err == nil && fits(tiles) {
			return tiles, nil
		}
	}
	return first, nil
}

func typedTiles(set *game.TileSet, text string) (game.Tiles, error) {
	var all []byte
	parts := strings.FieldsFunc(set.Alphabet().Fold(text), func(r rune) bool { return r == '|' || unicode.IsSpace(r) })
	for _, part := range parts {
		tiles, err := set.Parse(part)
		if err != nil || tiles.Count(game.NoTile) > 0 {
			return "", &game.RuleError{Code: game.BadWord, Text: text}
		}
		for i := range len(tiles) {
			t := tiles.At(i)
			if t != game.Blank {
				t = game.LetterTile(t.Letter()) // lower case doesn't mean a blank here, since phones write it
			}
			all = append(all, byte(t))
		}
	}
	return game.Tiles(all), nil
}

// ShowsLatest reports whether the latest play, still open to a challenge, is what a person
// saw when the table had n events.
func (t Table) ShowsLatest(n int) bool {
	return t.Latest != nil && t.Latest.Number < n
}

// ChangedSince reports whether a request's button is out of date because something has
// happened at the table since. Hints don't count.
func (t Table) ChangedSince(req bot.Request) bool {
	return req.Number != 0 && (req.Number > t.Number || !Private(t, t.Events[req.Number:]))
}

// OccupiedSquares returns the squares with tiles, row by row.
func OccupiedSquares(b *game.Board) []game.Square {
	var all []game.Square
	for row := range game.MaxSize {
		for col := range game.MaxSize {
			if sq := (game.Square{Row: row, Col: col}); b.Tile(sq) != game.NoTile {
				all = append(all, sq)
			}
		}
	}
	return all
}

// SharesRack reports whether all players have one rack and can join at any time.
func (t Table) SharesRack() bool {
	v, _ := game.FindVariant(t.Rules.Variant)
	return v.Shared
}

// IsRated reports whether the game counts for ratings by its rules and players: people alone
// play it, each with their own rack, in no variant.
func (t Table) IsRated() bool {
	return !t.Rules.Unrated && t.Rules.Variant == "" && len(t.Seats) > 1 && !t.SharesRack() &&
		!slices.ContainsFunc(t.Seats, func(s game.Seat) bool { return s.Person.ID.IsRobot() || s.Hints > 0 })
}

// PlayerNames returns the players, for [bot.Reading.About]. It returns none for a table with a
// shared rack, which has too many.
func (t Table) PlayerNames() (names []string) {
	for _, seat := range t.Seats {
		if who := seat.Person.ID; !who.IsRobot() && !t.SharesRack() {
			names = append(names, string(who))
		}
	}
	return names
}

// UnseenBy returns the tiles that a seat, or with -1 a watcher, can't see. They include
// tiles that left play with a player, which no one was shown.
func (t Table) UnseenBy(seat int) game.Tiles {
	return (t.Unseen(seat) + t.LostTiles()).Sorted()
}

// OrderedRack returns a player's rack in the order that a request asks for.
func OrderedRack(t Table, seat int, req bot.Request) game.Tiles {
	rack := t.RackOf(seat)
	switch req.Args["order"] {
	case "sort":
		rack = rack.Sorted()
	case "shuffle":
		// Seed the shuffle with the request's ID, so that a repeat gets the same answer.
		hash := fnv.New64a()
		hash.Write([]byte(req.ID))
		b := []byte(rack)
		rand.New(rand.NewPCG(hash.Sum64(), uint64(t.Number))).Shuffle(len(b), func(i, j int) { b[i], b[j] = b[j], b[i] })
		rack = game.Tiles(b)
	}
	return rack
}
