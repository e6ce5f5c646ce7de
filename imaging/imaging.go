// Package imaging draws what people see of a game: PNG pictures of the board, a rack or a game's
// result, a whole game as an animated GIF, their alternative texts, and the board as text.
//
// A [View] is what everyone at a table may see. It has no field for a rack, so nothing made from one
// can reveal a rack; the same holds for [FinalCard] and [ReviewCard]. A [RackCard] is only for its
// owner.
//
// Pictures have one of several themes and at most 256 colours. All is drawn by gg. [Renderer.Plain]
// draws a board as a whole; the quick ways draw every square, tile and letter once and then only
// place them, which gives the same pixels. Package compose explains how that takes a fraction of a
// millisecond. Text in pictures is set rune by rune, without the shaping that Indic scripts need: see
// [Fonts].
package imaging

import (
	"slices"

	"github.com/rackmate/rackmate/data/sentences"
	"github.com/rackmate/rackmate/game"
)

// say returns a sentence or phrase in a locale: a template and its values, as
// [sentences.Locale.Say] takes them.
func say(to *sentences.Locale, template string, values ...any) string {
	return to.Say(template, values...)
}

// morePlayers returns a phrase about players without room.
func morePlayers(to *sentences.Locale, n int) string {
	return say(to, "{n, plural, one {# more player} other {# more players}}", n)
}

// numberedName returns the name of a player whose own name can't be shown.
func numberedName(to *sentences.Locale, n int) string { return say(to, "Player {n}", n) }

// A View is a game as everyone may see it.
type View struct {
	Equipment game.Equipment
	Board     game.Board
	// New lists the squares of the last play's tiles. A picture highlights them. The tiles are
	// on Board.
	New []game.Square
	// Printed holds letters printed on the board for tiles to cover. They are visible where there
	// is no tile.
	Printed game.Board
	// Gone lists the squares from which the last turn took tiles. A picture highlights
	// them.
	Gone []game.Square
	// Preview is set if the tiles on New are proposed but not yet played; they get another
	// highlight.
	Preview bool
	Players []Player
	Caption string // one line about what happened: "Ann played HORN at 8H for 14"
	Bag     int    // tiles in the bag; negative to hide the number
	Over    bool   // the game is over and no one is to move
	// Locale is the language of its words; nil is English.
	Locale *sentences.Locale
}

// A Player holds what a view shows about a player.
type Player struct {
	Name   string
	Score  int // points
	ToMove bool
	Note   string // a few words below the name: a clock, "resigned", "won"
}

// toMove reports whether a player is shown as the one to move.
func (v *View) toMove(p Player) bool { return p.ToMove && !v.Over }

// latest returns the squares that the last turn changed.
func (v *View) latest() []game.Square { return slices.Concat(v.New, v.Gone) }

// mark returns the highlight of the tile on a square.
func (v *View) mark(sq game.Square) mark {
	switch {
	case !slices.Contains(v.New, sq):
		return plainTile
	case v.Preview:
		return proposedTile
	}
	return lastTile
}

// A RackCard is a rack as its owner sees it. It must not be sent to anyone else.
type RackCard struct {
	Tiles   *game.TileSet
	Rack    game.Tiles // in display order
	Caption string     // line below, such as "Your score is 208"
	Note    string     // end of that line, such as "30 unseen"
	// Locale is the language of its words; nil is English.
	Locale *sentences.Locale
}
