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

// A Judge returns the score of the play that a request's options describe.
type Judge func(t Table, req bot.Request, dict game.Dictionary) (int, error)

// A Variant is the presentation of one of [game.Variants]: what people can do, see and read
// at its tables. The rules are in package game; unset fields are as in ordinary play. Each
// variant has a file of its own and an entry in the list of variants, and nothing else in
// the host names it.
type Variant struct {
	// Judge returns the score of a play that lays no word, or why it can't be made.
	Judge Judge
	Name  string    // name of the game.Variant
	Label text.Text // label to choose it by, at most 100 characters
	// Help explains how it is played, for "/help NAME".
	Help text.Text

	// Turn says what a player can do now, in a sentence.
	Turn func(t Table) text.Text
	// Tell describes a fact; ok is false to leave that to the host.
	Tell func(before game.State, f game.Fact) (told Telling, ok bool)
	// Explain says how to correct a mistake; nil leaves that to the host.
	Explain func(t Table, e *game.RuleError) text.Text
	// Show adds to the public view, in the view's language.
	Show func(t Table, v *imaging.View)
	// Buttons returns the buttons of a public message during the game.
	Buttons func(t Table) []bot.Button
	// Rules applies the options that it adds to /new.
	Rules func(r game.Rules, args map[string]string) (game.Rules, error)
	// Challenge describes what happens to invalid words, for the line of settings.
	Challenge func(game.ChallengeRule) text.Text
	// Wish parses a play's option about the draw.
	Wish func(args map[string]string) (game.Wish, error)
	// Lay returns the action for laying tiles.
	Lay func(game.Move) game.Action
	// Lays is the command for laying or taking tiles; "" means play.
	Lays string
	// Place parses a typed play that isn't a word to lay on the board.
	Place func(t Table, seat int, args map[string]string) (game.Move, error)
	// Private reports whether a fact is between a player and the host. s is the state right
	// before or right after it.
	Private func(s game.State, f game.Fact) bool
	// Rack adds to the reply that shows a player's rack.
	Rack func(t Table, seat int, r bot.Reply) bot.Reply
	// Lobby, Status and Caption describe a table before the game, at the end of a message
	// during it, and below a picture.
	Lobby   func(t Table) text.Text
	Status  func(t Table, from int, now game.State) text.Text
	Caption func(t Table) text.Text
	// Supply describes the remaining tiles if they aren't in the bag.
	Supply func(s game.State) text.Text
	// History lists the moves.
	History func(t Table) []text.Text
	// Final returns the final card of a finished game, worded in a language.
	Final func(t Table, to *text.Locale) imaging.FinalCard
	// SetUp returns the position from which its games begin, if that isn't an empty board.
	SetUp func(s game.State, dict *lexicon.Lexicon, seed game.Seed) (game.SetUp, error)
	// Files returns the files of an export besides the game and the proof.
	Files func(id bot.TableID, events []game.Event) ([]bot.File, error)
}

// Variants is a list of variants.
type Variants []Variant

// Of returns the variant of some rules, or the zero Variant for ordinary play.
func (vs Variants) Of(r game.Rules) Variant { return vs.Named(r.Variant) }

// Choices returns the variants as /new offers them.
func (vs Variants) Choices() []bot.Choice {
	all := []bot.Choice{{Value: "ordinary", Label: text.Say("Ordinary: the game everybody knows")}}
	for _, v := range vs {
		all = append(all, bot.Choice{Value: v.Name, Label: v.Label})
	}
	return all
}

// Named returns the variant with a name, in any case. It returns the zero Variant, the
// ordinary game, if there is none.
func (vs Variants) Named(name string) Variant {
	i := slices.IndexFunc(vs, func(v Variant) bool { return strings.EqualFold(v.Name, name) })
	if i < 0 {
		return Variant{}
	}
	return vs[i]
}

// Replay returns a table as its events leave it.
func (vs Variants) Replay(ch bot.ChannelID, id bot.TableID, events []game.Event) (Table, error) {
	return (*Replays)(nil).Replay(vs, ch, id, events)
}

// A Telling describes a fact.
type Telling struct {
	Sentence text.Text // for the channel; empty if nothing is posted
	Reply    text.Text // for the person who acted; nil leaves it to the host
	Caption  text.Text // below a picture; nil if the fact doesn't show there
	// Move describes the fact in the list of moves, after the player's name; nil if it
	// isn't a turn. Seat is whose turn it was, and Score the points it gave.
	Move  text.Text
	Seat  int
	Score int
}

// Describe returns the variant's description of a fact. It returns false if the host has to
// describe it.
func (v Variant) Describe(before game.State, f game.Fact) (Telling, bool) {
	if v.Tell == nil {
		return Telling{}, false
	}
	return v.Tell(before, f)
}
