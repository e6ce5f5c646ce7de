// Package imaging makes what people see of a game: pictures of the board, of a
// rack, of a game's result as PNG, a whole game as an animated GIF, the
// alternative text that goes with them, and the board as text.
//
// A [View] is what everybody at a table may see, and has no place for a rack,
// so nothing made from one can give a rack away; nor have a [FinalCard] and a
// [ReviewCard]. A [RackCard] is for its owner's eyes.
//
// Pictures have one of three themes and at most 256 colours. All is drawn by gg.
// [Renderer.Plain] has it draw a board as a whole; the quick ways draw every square,
// tile and letter once, and then only place them, which gives the same pixels:
// package compose says how that is done in a fraction of a millisecond. Text in
// pictures is set rune by rune, without the shaping that Indic scripts need: see
// [Fonts].
package imaging

import (
	"slices"

	"github.com/rackmate/rackmate/data/sentences"
	"github.com/rackmate/rackmate/game"
)

// say returns a sentence in a tongue, or a few words of one: a template and its values,
// as [sentences.Tongue.Say] takes them.
func say(to *sentences.Tongue, template string, values ...any) string {
	return to.Say(template, values...)
}

// morePlayers returns how many players there is no room for.
func morePlayers(to *sentences.Tongue, n int) string {
	return say(to, "{n, plural, one {# more player} other {# more players}}", n)
}

// numbered returns what a player is called whose name can't be read.
func numbered(to *sentences.Tongue, n int) string { return say(to, "Player {n}", n) }

// A View is a game as everybody may see it.
type View struct {
	Equipment game.Equipment
	Board     game.Board
	// New are the squares of the last play's tiles, which a picture marks.
	// The tiles lie on Board.
	New []game.Square
	// Printed are letters on the board itself, for tiles to be laid on. They
	// are seen where no tile lies.
	Printed game.Board
	// Gone are the squares that the last turn took tiles from, which a picture
	// marks.
	Gone []game.Square
	// Preview says that the tiles on New are proposed and not yet played;
	// they get another mark.
	Preview bool
	Players []Player
	Caption string // one line of what happened: "Ann played HORN at 8H for 14"
	Bag     int    // tiles in the bag; negative when that is not to be shown
	Over    bool   // the game has ended; nobody is to move
	// Tongue is the language of the words on it; nil is English.
	Tongue *sentences.Tongue
}

// A Player is what a view shows of one.
type Player struct {
	Name   string
	Score  int // points
	ToMove bool
	Note   string // a few words below the name: a clock, "resigned", "won"
}

// toMove reports whether a player is to be shown as the one to move.
func (v *View) toMove(p Player) bool { return p.ToMove && !v.Over }

// latest returns the squares that the last turn changed.
func (v *View) latest() []game.Square { return slices.Concat(v.New, v.Gone) }

// mark returns how the tile on a square is shown.
func (v *View) mark(sq game.Square) mark {
	switch {
	case !slices.Contains(v.New, sq):
		return plainTile
	case v.Preview:
		return proposedTile
	}
	return lastTile
}

// A RackCard is a rack as its owner sees it. It must go to nobody else.
type RackCard struct {
	Tiles   *game.TileSet
	Rack    game.Tiles // in the order to show
	Caption string     // a line below, such as "Your score is 208"
	Note    string     // at the end of that line, such as "30 unseen"
	// Tongue is the language of the words on it; nil is English.
	Tongue *sentences.Tongue
}
