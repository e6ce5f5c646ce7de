// Package puzzle makes positions for everybody to solve: a board out of a game of
// robots, a rack, and one best play. A position follows from a secret and from the words
// that its day has to itself, and from nothing else, so anyone who knows these can make it
// again.
//
// # What a position is like
//
// One play is the best, and scores [Lead] points more than any other. Its word has
// three letters or more. Where a list without vulgar words is known, all words on the
// board and those of the ten best plays are in it. How hard it is follows from the day
// of the week; see [Difficulty].
//
// # Why no word comes twice
//
// The words of a list are dealt out to [Shares] shares, by a keyed hash, and each day
// has the share of its number to itself. So the best words of any two days of a year
// differ, though no day knows of any other, and a day's position can be made without
// those before it. (A list of a few hundred words has too few for that: its days take
// any word.)
package puzzle
