// Package competition runs competitions in channels: tournaments in rounds, leagues in
// seasons, and the club whose roster both draw on.
//
// A league or a tournament is one row. A request or a game's result changes that row in a
// transaction. A timer then carries out the consequences (tables to open, messages to
// post): it finds them in the row and marks each as done there. So a process may stop at
// any moment, and several processes may handle the same competition.
//
// A tournament: people enter, the director pairs a round, its tables open, and the
// director's one message says what to do next. Each action is logged with what it takes to
// undo it.
//
// A season of a league: registration is open for some days, then divisions are made
// (package contest has the rules). Games open by themselves, a few per player at once; when
// one ends, the next begins. A game still running when the season ends is lost by the
// player who used more time. Then registration for the next season opens.
//
// A club is the roster of a server or channel: ratings, groups, absences, and opponents
// whom members want to avoid. People join and leave by themselves; managers can add others,
// including people without an account there.
//
// Each file is named for what it belongs to: a club, a league or a tournament. What leagues
// and tournaments share is in book.go and export.go.
package competition
