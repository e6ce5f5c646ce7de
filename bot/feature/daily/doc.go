// Package daily posts one board a day in a channel. Everybody gets the same position and the same
// rack, answers in private, and learns the next day how the others did.
//
// A place is a channel whose managers have set an hour; in other channels each person plays alone.
// A place's day begins when its message is posted and ends when the next one is due, in the place's
// time zone. Boards are numbered by date, so a board has the same number everywhere.
//
// The best play is computed when it is needed, and kept only in memory until the day is over.
// Everything else follows from the stored rows: the tries of each person and the outcome of each
// day of a place. Streaks are updated along the way, and [Recount] rebuilds them from these rows.
package daily
