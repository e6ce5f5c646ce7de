// Package daily is one board a day for a whole place: everybody has the same position
// and the same rack, answers in private, and reads the day after how the others did.
//
// A place is a channel where those who manage it have set an hour, or the channel that
// somebody plays in where nobody has. A day is a place's: it begins when its message
// is posted and ends when the next one is due, by the place's zone. Boards are numbered
// by dates, and a board's number is the same everywhere.
//
// What is best is computed when it is needed and kept in memory alone, until the day is
// over. Everything else follows from what is stored: the tries of each person, and
// what became of each day of a place. Streaks are counted along, and [Recount] makes
// them again from that.
package daily
