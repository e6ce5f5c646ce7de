package table

import (
	"slices"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/imaging"
	"github.com/rackmate/rackmate/lexicon"
)

// A Judge says what a play would score, by its options in a request.
type Judge func(t Table, req bot.Request, dict game.Dictionary) (int, error)

// A Variant is what people can do, see and are told at a table of one of
// [game.Variants]. The rules are package game's; what isn't set here is as in
// ordinary play. Each stands in a file of its own and in the list of variants,
// and nothing else in the host knows it by name.
type Variant struct {
	// Judge is what a play that lays no word would score, or why it can't be made.
	Judge Judge
	Name  string    // game.Variant's
	Label text.Text // to choose it by, at most 100 characters
	// Help is how it is played, for "/help NAME".
	Help text.Text

	// Turn is what a player can do now, in a sentence.
	Turn func(t Table) text.Text
	// Tell puts a fact into words; ok is false to leave that to the host.
	Tell func(before game.State, f game.Fact) (told Telling, ok bool)
	// Explain says how to mend a mistake; nil leaves that to the host.
	Explain func(t Table, e *game.RuleError) text.Text
	// Show adds to what everybody sees, in words of the view's tongue.
	Show func(t Table, v *imaging.View)
	// Buttons are those under a public message while the game is on.
	Buttons func(t Table) []bot.Button
	// Rules reads the options that it adds to /new.
	Rules func(r game.Rules, args map[string]string) (game.Rules, error)
	// Challenge is what becomes of invalid words, in the line of settings.
	Challenge func(game.ChallengeRule) text.Text
	// Wish reads what a play says of the draw.
	Wish func(args map[string]string) (game.Wish, error)
	// Lay is the action that laying tiles is.
	Lay func(game.Move) game.Action
	// Lays is the command that one gives by laying or taking tiles; "" is play.
	Lays string
	// Place reads a play that was typed, where that isn't a word to lay on the
	// board.
	Place func(t Table, seat int, args map[string]string) (game.Move, error)
	// Private reports whether a fact is between a player and the host alone; s
	// is a state that it is about to happen in, or has happened in.
	Private func(s game.State, f game.Fact) bool
	// Rack adds to what a player is told of their rack.
	Rack func(t Table, seat int, r bot.Reply) bot.Reply
	// Lobby, Status and Caption are how a table stands before the game, at the
	// end of a message during it, and below a picture.
	Lobby   func(t Table) text.Text
	Status  func(t Table, from int, now game.State) text.Text
	Caption func(t Table) text.Text
	// Supply is what is left to play with, where that isn't in the bag.
	Supply func(s game.State) text.Text
	// History lists the moves.
	History func(t Table) []text.Text
	// Final sums up a game that is over, in words of a tongue.
	Final func(t Table, to *text.Tongue) imaging.FinalCard
	// SetUp makes the position from which its games begin, where that isn't an empty
	// board.
	SetUp func(s game.State, dict *lexicon.Lexicon, seed game.Seed) (game.SetUp, error)
	// Files are what an export has beside the game and the proof.
	Files func(id bot.TableID, events []game.Event) ([]bot.File, error)
}

// A Variants is the variants there are.
type Variants []Variant

// Of is the variant of some rules, the zero one for ordinary play.
func (vs Variants) Of(r game.Rules) Variant { return vs.Named(r.Variant) }

// Choices are what /new offers.
func (vs Variants) Choices() []bot.Choice {
	all := []bot.Choice{{Value: "ordinary", Label: text.Say("Ordinary: the game everybody knows")}}
	for _, v := range vs {
		all = append(all, bot.Choice{Value: v.Name, Label: v.Label})
	}
	return all
}

// Named finds a variant by its name, in any case; the zero Variant is the ordinary
// game.
func (vs Variants) Named(name string) Variant {
	i := slices.IndexFunc(vs, func(v Variant) bool { return strings.EqualFold(v.Name, name) })
	if i < 0 {
		return Variant{}
	}
	return vs[i]
}

// Replay is a table as its events leave it.
func (vs Variants) Replay(ch bot.ChannelID, id bot.TableID, events []game.Event) (Table, error) {
	return (*Replays)(nil).Replay(vs, ch, id, events)
}

// A Telling is a fact in words.
type Telling struct {
	Sentence text.Text // for the channel; empty says nothing
	Reply    text.Text // for the person who did it; nil leaves that to the host
	Caption  text.Text // the same below a picture, nil for what doesn't show there
	// Move is the fact in the list of moves, after the player's name, nil for
	// what is no turn. Seat is whose turn it was, Score what it gave them.
	Move  text.Text
	Seat  int
	Score int
}

// Told is what a variant says of a fact.
func (v Variant) Told(before game.State, f game.Fact) (Telling, bool) {
	if v.Tell == nil {
		return Telling{}, false
	}
	return v.Tell(before, f)
}
