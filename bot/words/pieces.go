package words

import (
	"fmt"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// This file has what glues sentences together, for the packages that do so still.

// Joined puts texts after one another, with sep between them.
func Joined(lines []bot.Text, sep string) bot.Text { return bot.Joined(lines, sep) }

// Sums says after a score how it came about, where that isn't plain: " (HORN 14, AH
// 5)".
func Sums(set *game.TileSet, f game.Played) bot.Text {
	if sums := SumsOf(set, f); sums != nil {
		return bot.Glue(" (", sums, ")")
	}
	return nil
}

// WordList is "EX, AT and QI".
func WordList(set *game.TileSet, words []game.Tiles) string { return Listing(WordTexts(set, words)) }

// NotWords is "QZX is" or "QZX and EXX are".
func NotWords(set *game.TileSet, words []game.Tiles) string {
	return WordList(set, words) + Verb(len(words), " is", " are")
}

// Verb is the form of a verb that goes with n.
func Verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Count is "1 tile" or "3 tiles".
func Count(n int, noun string) string {
	return fmt.Sprintf("%d %s", n, noun+Verb(n, "", "s"))
}

// Number is a number in a sentence.
func Number(n int) string {
	if n == 0 {
		return "none"
	}
	return fmt.Sprint(n)
}

// Listing is "A", "A and B", "A, B and C".
func Listing(items []string) string { return bot.List(items).String() }

// ListingOf lists texts in a sentence: "a, b and c".
func ListingOf(items []bot.Text) bot.Text { return bot.List(items) }
