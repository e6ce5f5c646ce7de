package variants

import (
	"context"
	"strconv"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// A doubleBag adds a command that sets how a player draws, and an option of /play.
type doubleBag struct{ desk feature.Desk }

// DoubleBag returns the feature of double-bag games, in which players choose what they
// draw.
func DoubleBag(d feature.Desk) feature.Feature {
	f := doubleBag{d}
	return feature.Feature{Commands: f.commands, Extensions: f.extensions(), Variant: new(f.variant())}
}

// commands returns the variant's commands.
func (f doubleBag) commands() []feature.Command {
	return []feature.Command{{Command: bot.Command{Name: "draw", Help: "Set how many vowels you like to hold, in a double-bag game", Example: "/draw 3", Options: []bot.Option{
		{Name: "vowels", Help: "How many vowels to have on your rack after a draw", Kind: bot.Pick, Required: true, Question: text.Say("How many vowels?"), Choices: numbers(7)},
	}}, Run: f.draw}}
}

// extensions returns the option that the variant adds to /play.
func (f doubleBag) extensions() map[string]feature.Extension {
	return map[string]feature.Extension{"play": {Options: []bot.Option{drawOption()}}}
}

// variant returns the variant.
func (f doubleBag) variant() table.Variant {
	return table.Variant{
		Name:  "double-bag",
		Label: text.Say("Double-bag: vowels and consonants in separate bags; you choose how many of each to draw"),
		Help: text.Lines(
			text.Say("The ordinary game, with the vowels in one bag, the consonants in another, and a blank in each. With a play, say how many of the new tiles should be vowels: {draw}. If you don't, you draw so that you hold {n}, or as many as you chose with {set}. If one bag has too few, the other makes up the rest.", text.Code("draw:2"), game.DefaultVowels, text.Code("/draw")),
			text.Say("A turn: {play} scores 14 and draws a vowel and three consonants.", text.Code("/play horn 8h draw:1"))),
		Tell: tellDoubleBag,
		Wish: parseWish,
		// A player's preference is private until they draw.
		Private: func(_ game.State, f game.Fact) bool { _, ok := f.(game.Preferred); return ok },
		Explain: func(t table.Table, e *game.RuleError) text.Text {
			if e.Code == game.WrongCount {
				return text.Say("You can draw up to {most, plural, one {# vowel} other {# vowels}} there, not {n}. Nothing was done. Try another number.", e.Need, e.N)
			}
			return nil
		},
	}
}

// drawOption returns the option of a play that sets how to draw the new tiles.
func drawOption() bot.Option {
	return bot.Option{Name: "draw", Help: "In a double-bag game: how many of the new tiles should be vowels", Kind: bot.Pick, Choices: numbers(7), Rare: true}
}

// numbers returns the choices from 0 to n.
func numbers(n int) []bot.Choice {
	var all []bot.Choice
	for i := range n + 1 {
		all = append(all, bot.Choice{Value: strconv.Itoa(i), Label: text.Plain(strconv.Itoa(i))})
	}
	return all
}

// parseWish parses the wish for the draw from a request's arguments.
func parseWish(args map[string]string) (game.Wish, error) {
	said := args["draw"]
	if said == "" {
		return game.Wish{}, nil
	}
	n, err := strconv.Atoi(said)
	if err != nil {
		return game.Wish{}, words.Refusing("I can't read {typed} as a number of vowels. Try {draw} to draw two.", text.Code(text.Shorten(said, bot.MaxName)), text.Code("draw:2"))
	}
	return game.Wish{Given: true, Vowels: n}, nil
}

func (f doubleBag) draw(ctx context.Context, req bot.Request) (bot.Reply, error) {
	return f.desk.Change(ctx, req, func(table.Table) (game.Action, error) {
		n, err := strconv.Atoi(req.Args["vowels"])
		if err != nil {
			return nil, words.Refusing("I can't read {typed} as a number of vowels. Try {draw} to hold three.", text.Code(text.Shorten(req.Args["vowels"], bot.MaxName)), text.Code("/draw vowels:3"))
		}
		return game.Prefer{Vowels: n}, nil
	})
}

func tellDoubleBag(before game.State, f game.Fact) (table.Telling, bool) {
	switch f := f.(type) {
	case game.BagSplit:
		return table.Telling{Sentence: text.Say("The vowels go into one bag, the consonants into another.")}, true
	case game.Preferred:
		return table.Telling{
			Reply: text.Say("From now on you'll draw so that you hold {n, plural, one {# vowel} other {# vowels}}, if there are enough, unless you choose otherwise with a play.", f.Vowels),
		}, true
	}
	return table.Telling{}, false
}
