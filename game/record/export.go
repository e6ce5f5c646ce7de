package record

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// ErrNotOver reports a game that isn't over or was never played: its record would reveal racks and
// future draws.
var ErrNotOver = errors.New("the game is not over")

// ErrNoGCG reports a variant whose moves GCG can't represent. Its [Proof] has the whole game.
var ErrNoGCG = errors.New("GCG can't hold this variant")

// variantPragma is the pragma for a game's variant, which determines board and tiles. Other
// programs don't know it.
const variantPragma = "rackmate-variant"

// Variant returns the variant recorded by FromEvents, or "" for ordinary play.
func (g GCG) Variant() string {
	name, _ := g.Pragma(variantPragma)
	return name
}

// FromEvents returns a finished game as GCG. Player1 is the player who moved first. A turn lost to
// a challenge is a pass. Notes record what GCG has no line for, such as a resignation. The error is
// [ErrNotOver], [ErrNoGCG], or describes a broken log.
func FromEvents(events []game.Event) (GCG, error) {
	end, err := replayFinished(events)
	if err != nil {
		return GCG{}, err
	}
	v, _ := game.FindVariant(end.Rules.Variant)
	if !v.GCG {
		return GCG{}, ErrNoGCG
	}
	if v.Shared {
		return masterGame(events, end), nil
	}
	x := exporter{set: end.Equipment.Tiles, place: make([]int, len(end.Seats))}
	x.g.Pragmas = aboutGame(end)
	for i := range end.Seats {
		seat := (end.First + i) % len(end.Seats)
		x.place[seat] = i
		x.g.Players = append(x.g.Players, x.player(end.Seats[seat].Person))
	}
	for _, e := range events {
		before := x.s
		x.s = x.s.Apply(e)
		x.event(before, e)
	}
	return x.g, nil
}

// aboutGame returns the pragmas about a whole game.
func aboutGame(end game.State) []Pragma {
	ps := []Pragma{{"lexicon", end.Lexicon.Name}}
	if name, _, _ := strings.Cut(end.Equipment.Tiles.Name(), " "); name != "english" {
		ps = append(ps, Pragma{"tile-distribution", name})
	}
	ps = append(ps, longTiles(end.Equipment.Tiles)...)
	if name := end.Rules.Variant; name != "" {
		ps = append(ps, Pragma{variantPragma, name})
	}
	return ps
}

// longTiles returns a pragma for each multi-character tile, in the form of macondo: its notation,
// and its notation as a blank.
func longTiles(set *game.TileSet) (ps []Pragma) {
	for i := range set.Alphabet().Len() {
		l := lexicon.Letter(i + 1)
		if utf8.RuneCountInString(set.Alphabet().Text(l)) > 1 {
			tile, blank := set.Print(game.TilesOf(game.LetterTile(l))), set.Print(game.TilesOf(game.BlankAs(l)))
			ps = append(ps, Pragma{"tile", tile + " " + blank})
		}
	}
	return ps
}

// replayFinished replays the log of a game and returns its state. It fails if the game wasn't played to
// an end.
func replayFinished(events []game.Event) (game.State, error) {
	s, err := game.Replay(events)
	if err != nil {
		return s, err
	}
	if s.Phase != game.Over || s.End == nil {
		return s, ErrNotOver
	}
	return s, nil
}

// An exporter converts events to GCG one by one.
type exporter struct {
	g     GCG
	set   *game.TileSet
	s     game.State
	place []int // index of each seat's player
}

// player returns a player with a unique one-word nick made from the name.
func (x *exporter) player(p game.Person) Player {
	name := oneLine(p.Name)
	nick := strings.ReplaceAll(strings.ReplaceAll(name, " ", "_"), ":", "")
	if nick == "" {
		nick = fmt.Sprintf("player%d", len(x.g.Players)+1)
	}
	for i := 0; i < len(x.g.Players); i++ {
		if strings.EqualFold(x.g.Players[i].Nick, nick) {
			nick += "_"
			i = -1 // check the longer one again
		}
	}
	return Player{nick, name}
}

// oneLine returns a text from outside in a form that fits a pragma.
func oneLine(s string) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(s, "?")), " ")
}

func (x *exporter) event(before game.State, e game.Event) {
	switch f := e.Fact.(type) {
	case game.Played:
		x.turn(before, f.Seat, Turn{Kind: Play, At: f.Move.At, Dir: f.Move.Dir, Tiles: x.set.Print(f.Move.Tiles), Score: f.Score})
	case game.Exchanged:
		x.turn(before, f.Seat, Turn{Kind: Exchange, Tiles: x.set.Print(f.Put)})
	case game.Passed:
		x.turn(before, f.Seat, Turn{Kind: Pass})
	case game.TurnLost:
		x.turn(before, f.Seat, Turn{Kind: Pass})
		x.note("The turn was lost for a wrong challenge.")
	case game.Challenged:
		x.addChallenge(before, f)
	case game.Hinted:
		x.note(x.nick(f.Seat) + " asked for a hint.")
	case game.Resigned:
		x.note(x.nick(f.Seat) + " resigned.")
	case game.TimedOut:
		x.note("The time of " + x.nick(f.Seat) + "'s turn was up.")
	case game.Claimed:
		x.note(x.nick(f.By) + " claimed the game from " + x.nick(f.Seat) + ".")
	case game.Vacated:
		x.note(x.nick(f.Seat) + " left the game; the seat waits for another player.")
	case game.Adopted:
		x.note(oneLine(f.Person.Name) + " plays on for " + x.nick(f.Seat) + ".")
	case game.Ended:
		x.addLeftovers(before, f)
	}
}

// turn adds a line with the rack before the turn and the total after it.
func (x *exporter) turn(before game.State, seat int, t Turn) {
	t.Player = x.place[seat]
	t.Rack = x.set.Print(before.Seats[seat].Rack.Sorted())
	t.Total = x.s.Seats[seat].Score
	x.g.Turns = append(x.g.Turns, t)
}

func (x *exporter) note(text string) {
	to := &x.g.Pragmas
	if n := len(x.g.Turns); n > 0 {
		to = &x.g.Turns[n-1].Pragmas
	}
	*to = append(*to, Pragma{"note", text})
}

func (x *exporter) nick(seat int) string { return x.g.Players[x.place[seat]].Nick }

func (x *exporter) addChallenge(before game.State, f game.Challenged) {
	words := func(all []game.Tiles) string {
		var out []string
		for _, w := range all {
			out = append(out, x.set.Print(w))
		}
		return strings.Join(out, ", ")
	}
	if len(f.Invalid) > 0 {
		x.turn(x.s, f.Player, Turn{Kind: Withdrawn, Score: -before.Latest.Score})
		x.note(fmt.Sprintf("%s challenged: not valid: %s.", x.nick(f.By), words(f.Invalid)))
		if f.LosesGame {
			x.note(x.nick(f.Player) + " lost the game by it.")
		}
		return
	}
	if f.Bonus > 0 {
		x.turn(before, f.Player, Turn{Kind: ChallengeBonus, Score: f.Bonus})
	}
	if f.Cost > 0 {
		x.turn(before, f.By, Turn{Kind: ChallengeBonus, Score: -f.Cost})
	}
	x.note(fmt.Sprintf("%s challenged: valid: %s.", x.nick(f.By), words(f.Words)))
	if f.LosesGame {
		x.note(x.nick(f.By) + " lost the game by it.")
	}
}

// addLeftovers adds the lines for leftover tiles: one for the player who went out, with all the others'
// tiles, and one for each player who loses points for their own.
func (x *exporter) addLeftovers(before game.State, f game.Ended) {
	var left game.Tiles
	for seat, rack := range f.Racks {
		if !before.Seats[seat].Out {
			left += rack
		}
	}
	for i := range f.Racks {
		seat := (before.First + i) % len(f.Racks)
		if f.Overtime != nil && f.Overtime[seat] > 0 {
			x.turn(before, seat, Turn{Kind: TimePenalty, Score: -f.Overtime[seat]})
			x.g.Turns[len(x.g.Turns)-1].Total -= f.Adjust[seat]
		}
		if before.Seats[seat].Out || f.Adjust[seat] == 0 {
			continue
		}
		tiles := f.Racks[seat]
		if tiles == "" {
			tiles = left
		}
		x.turn(before, seat, Turn{Kind: EndRack, Tiles: x.set.Print(tiles.Sorted()), Score: f.Adjust[seat]})
	}
	if f.Reason == game.OvertimeEnd {
		for i, seat := range before.Seats {
			if before.HasLostOnTime(i) {
				x.note(seat.Person.Name + " took too much time and loses.")
			}
		}
	}
	if f.Reason == game.AgreementEnd {
		x.note("The players agreed to end the game.")
	}
}
