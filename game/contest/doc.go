// Package contest implements competitions: who meets whom, who moves first, what a result
// is worth, the standings, and the places that are still possible. It covers rounds of
// entrants (players, or teams of boards) and seasons of a league. It reads no clock and
// draws no random numbers: both come in as values, so that the same Contest always yields
// the same pairings, byte for byte.
//
// # Numbers
//
// Entrants are numbered from 1 in the order in which they entered; numbers are never
// reused. 0 means nobody: the opponent in a bye. Points are counted in halves: a win is 2,
// a draw 1.
//
// # What results are worth
//
// A game that was played gives 2 halves to the player with the higher score, or 1 to each
// if the scores are equal, and the difference of the scores as spread. A win by forfeit is
// a win by 50, and the loss a loss by 50. A double forfeit is a loss by 50 for both. A bye
// is a win by 50, a missed round (before a late entry, or by an announced absence) a loss
// by 50. A void game doesn't count.
//
// A match of several games (best of N, or teams of boards) gives 2 halves to the side that
// won more of its games, or 1 to each if both won as many; its spread is the sum of the
// games' spreads.
//
// # Standings
//
// Entrants are ranked by points, then by game points (which differ from points only in
// matches), then by spread; entrants equal in all of them share the place. See Standings.
//
// # Pairing
//
// See Pair for the methods, and maxMeetings for the weights of the Swiss matching.
package contest
