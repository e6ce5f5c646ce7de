// Package game implements the rules of crossword-tile games. It is pure: it reads no clock, draws no
// random numbers and opens no files.
//
// A table is a log of [Event]s. [Decide] judges an action and returns the resulting events,
// [State.Apply] applies one, and [Replay] applies a whole log. So a State is always derived, and a
// stored log replays forever.
//
// Where to start:
//
//   - [Event] and the facts it carries: [Opened], [Played], [Challenged] ...
//   - [State], a table after some events: seats, racks, board, bag.
//   - [Action], what a person wants to do: [Play], [Exchange], [Pass] ...
//   - [Rules], the rules of a table; [RuleSets] returns the named ones, and [ChallengeRules] and
//     similar functions the choices for their parts.
//   - [Equipment], what a game is played with: a [TileSet] and a [Layout].
//
// # Caveats
//
// A State and its events contain everyone's racks, the tiles in the bag and the secret behind the
// draws. Anything shown to more than one person must be made from a type without them
// (imaging.View).
//
// [Tiles] and lexicon.Word are strings of tile numbers, not text: print them with a [TileSet].
package game
