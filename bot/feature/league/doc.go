// Package league is leagues in a channel: seasons by correspondence, in divisions in
// which all play all, with promotion and relegation.
//
// A league is one row. What somebody does to it, and what came of a game, is a change of
// that row; what follows for others (games to open, messages to post) is caught up with
// by a timer, which finds it in the row and marks it there when it is done. So a process
// may end at any moment, and several may see to the same league.
//
// A season: registration is open for some days, then divisions are made (package contest
// has the rules), and games open by themselves, a few of each player at once; the next
// begins when one ends. At the end a game that isn't over is lost by the player who used
// more time. Then registration for the next season opens.
package league
