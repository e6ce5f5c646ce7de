package host

import (
	"slices"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/imaging"
)

// A variant is what people can do, see and are told at a table of one of
// [game.Variants]. The rules are package game's; what isn't set here is as in
// ordinary play. Each stands in a file of its own and in the list of variants,
// and nothing else in the host knows it by name.
type variant struct {
	name  string // game.Variant's
	label string // to choose it by, at most 100 characters
	// help is how it is played, for "/help NAME".
	help bot.Text

	// turn is what a player can do now, in a sentence.
	turn func(t table) bot.Text
	// tell puts a fact into words; ok is false to leave that to the host.
	tell func(before game.State, f game.Fact) (told telling, ok bool)
	// explain says how to mend a mistake; nil leaves that to the host.
	explain func(t table, e *game.RuleError) bot.Text
	// show adds to what everybody sees.
	show func(t table, v *imaging.View)
	// buttons are those under a public message while the game is on.
	buttons func(t table) []bot.Button
	// rules reads the options that it adds to /new.
	rules func(r game.Rules, args map[string]string) (game.Rules, error)
	// challenge is what becomes of invalid words, in the line of settings.
	challenge func(game.ChallengeRule) string
	// wish reads what a play says of the draw.
	wish func(args map[string]string) (game.Wish, error)
	// lay is the action that laying tiles is.
	lay func(game.Move) game.Action
	// lays is the command that one gives by laying or taking tiles; "" is play.
	lays string
	// place reads a play that was typed, where that isn't a word to lay on the
	// board.
	place func(t table, seat int, args map[string]string) (game.Move, error)
	// private reports whether a fact is between a player and the host alone; s
	// is a state that it is about to happen in, or has happened in.
	private func(s game.State, f game.Fact) bool
	// rack adds to what a player is told of their rack.
	rack func(t table, seat int, r bot.Reply) bot.Reply
	// lobby, status and caption are how a table stands before the game, at the
	// end of a message during it, and below a picture.
	lobby   func(t table) bot.Text
	status  func(t table, from int, now game.State) bot.Text
	caption func(t table) string
	// supply is what is left to play with, where that isn't in the bag.
	supply func(s game.State) string
	// history lists the moves.
	history func(t table) []string
	// final sums up a game that is over.
	final func(t table) imaging.FinalCard
	// files are what an export has beside the game and the proof.
	files func(id bot.TableID, events []game.Event) ([]bot.File, error)
}

// shared reports whether everybody at the table has one rack, and can sit down
// at any time.
func (t table) shared() bool {
	v, _ := game.FindVariant(t.Rules.Variant)
	return v.Shared
}

// A variantList is the variants there are.
type variantList []variant

// of is the variant of some rules, the zero one for ordinary play.
func (vs variantList) of(r game.Rules) variant { return vs.named(r.Variant) }

func (vs variantList) named(name string) variant {
	i := slices.IndexFunc(vs, func(v variant) bool { return strings.EqualFold(v.name, name) })
	if i < 0 {
		return variant{}
	}
	return vs[i]
}

// replay is a table as its events leave it.
func (vs variantList) replay(ch bot.ChannelID, id bot.TableID, events []game.Event) (table, error) {
	t := table{Channel: ch, ID: id, Events: events}
	if len(events) > 0 {
		if opened, ok := events[0].Fact.(game.Opened); ok {
			t.Variant = vs.of(opened.Rules)
		}
	}
	return t.replayed()
}

// A telling is a fact in words.
type telling struct {
	Sentence bot.Text // for the channel; empty says nothing
	Reply    bot.Text // for who did it; nil says what the host says
	Caption  string   // the same below a picture, "" for what doesn't show there
	// Move is the fact in the list of moves, after the player's name, "" for
	// what is no turn. Seat is whose turn it was, Score what it gave them.
	Move  string
	Seat  int
	Score int
}

// told is what a variant says of a fact.
func (v variant) told(before game.State, f game.Fact) (telling, bool) {
	if v.tell == nil {
		return telling{}, false
	}
	return v.tell(before, f)
}

// whatToDo is what can be done at the table, for whom something else was
// refused.
func whatToDo(t table) bot.Text {
	if v := t.Variant; v.turn != nil {
		return v.turn(t)
	}
	return bot.Say("Play a word with ", bot.Code("/play"), ", or ", bot.Code("/exchange"), " tiles, or ", bot.Code("/pass"), ".")
}

// variantChoices are the choices of /new.
func variantChoices(vs variantList) []bot.Choice {
	all := []bot.Choice{{Value: "ordinary", Label: "Ordinary: the game as everybody knows it"}}
	for _, v := range vs {
		all = append(all, bot.Choice{Value: v.name, Label: v.label})
	}
	return all
}

// varied are rules and equipment as the variant that /new names, with its options, changes them.
func (h *Host) varied(rules game.Rules, eq game.Equipment, args map[string]string) (game.Rules, game.Equipment, error) {
	name := args["variant"]
	if strings.EqualFold(name, "ordinary") {
		name = ""
	}
	v, ok := game.FindVariant(strings.ToLower(name))
	if !ok {
		return rules, eq, badChoice("variant", name)
	}
	if err := senseless(v, args); err != nil {
		return rules, eq, err
	}
	rules, eq, err := v.Vary(rules, eq, h.Layouts)
	if read := h.variants.of(rules).rules; err == nil && read != nil {
		rules, err = read(rules, args)
	}
	return rules, eq, err
}

// senseless refuses options of /new that mean nothing where turns end by
// themselves or everybody plays at once, or where there is nobody to wait for.
func senseless(v game.Variant, args map[string]string) error {
	var why bot.Text
	no := []string{"order", "pace", "bank", "weekend", "late"}
	switch {
	case v.OwnTime:
		why = bot.Say("In ", v.Name, " everybody plays at once, and ", bot.Code("turn:3m"), " says how long a turn lasts")
		no = append(no, "clock")
	case v.Rules != nil && v.Rules(game.Classic()).MaxPlayers == 1:
		why = bot.Say("In ", v.Name, " you play alone, and nobody waits for you")
	default:
		return nil
	}
	for _, option := range no {
		if value := args[option]; value != "" && value != "none" && value != "off" {
			return refusing(why, ", so there is no ", bot.Code(option), ". Leave it out.")
		}
	}
	return nil
}

// noRobots refuses robots where they don't know how to play.
func noRobots(r game.Rules) error {
	return refusing("Robots don't play ", r.Variant, ". Play it with people, or leave the robots out.")
}
