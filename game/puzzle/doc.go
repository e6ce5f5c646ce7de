// Package puzzle makes positions to solve: a board from a game between robots, a rack, and one best
// play. A position depends only on a version, a secret and the words reserved for its day, so anyone
// who knows these can make it again.
//
// # Positions
//
// One play is the best, and scores at least [Lead] points more than any other. Its word has three
// letters or more. Each band below has a play of another word; see [BandOf]. If a list without
// vulgar words is known, it contains all words on the board and all words of the ten best plays.
// The day of the week decides how hard the position is; see [Difficulty].
//
// # Why no word repeats
//
// A keyed hash divides the words of a list into [Shares] shares, and each day has one share to
// itself. So the best words of any two days of a year differ, although each day's position can be
// made without knowing the others. (A list with too few words isn't divided: its days use any
// word, and may leave bands empty.)
package puzzle
