// Package game has the rules of crossword-tile games. It is pure: it reads no
// clock, draws no random number, opens no file.
//
// A table is its [Event]s. [Decide] judges what a person wants to do and says
// what happens; [State.Apply] takes it in; [Replay] does that for a whole log.
// So a State is always derived, and a log that was stored replays for ever.
//
// What a reader needs first:
//
//   - [Event], and the facts that it carries: [Opened], [Played], [Challenged] ...
//   - [State], a table as its events have made it: seats, racks, board, bag.
//   - [Action], what a person asks for: [Play], [Exchange], [Pass] ...
//   - [Rules], what a table plays by; [RuleSets] are those with names, and
//     [ChallengeRules] and its like the tables behind their parts.
//   - [Equipment], what it is played with: a [TileSet] and a [Layout].
//
// # Caveats
//
// A State, and the events, hold everybody's racks, the bag's order-free
// content and the secret that the draws come from. What goes to more than one
// person is made from a type without them (imaging.View).
//
// [Tiles] and lexicon.Word are strings of tile numbers, not text: print them
// with a [TileSet].
package game
