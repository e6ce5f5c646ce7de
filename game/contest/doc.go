// Package contest is competition: who meets whom, who moves first, what a result
// is worth, who stands where and where they may still end. It knows rounds of
// entrants (players, or teams of boards) and seasons of a league. It reads no
// clock and draws no random number: both come in as values, so that a round is
// paired the same, to the byte, by whoever pairs it from the same Contest.
//
// # Numbers
//
// Entrants have numbers from 1 in the order in which they entered; a number is
// never given again. 0 is nobody: the opponent in a bye. Points are counted in
// halves: a win is 2, a draw 1.
//
// # What results are worth
//
// A game that was played gives 2 halves to who scored more, or 1 to each, and the
// difference of the scores as spread. A win by forfeit is a win by 50, and the
// loss a loss by 50. A double forfeit is a loss by 50 for both. A bye is a win by
// 50, a round that was missed (before a late entry, or by an absence that was
// announced) a loss by 50. A void game counts for nothing.
//
// A match of several games (best of N, or teams of boards) gives 2 halves to who
// won more of its games, 1 to each where both won as many; its spread is the sum.
//
// # Standings
//
// By points, then by points of games (which differ from points in matches alone),
// then by spread; who is equal in all of them shares the place. See Standings.
//
// # Pairing
//
// See Pair for the methods, and Swiss for the weights of its matching.
package contest
