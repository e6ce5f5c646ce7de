// Package competition runs competitions in channels: tournaments in rounds, leagues in
// seasons, and the club whose roster both draw on.
//
// A league or a tournament is one row. A request or a game's result changes that row in a
// transaction. A timer does what follows for others (tables to open, messages to post): it
// finds that in the row and marks it there when it is done. So a process may end at any
// moment, and several processes may handle the same competition.
//
// A tournament: people enter, the director pairs a round, its tables open, and the
// director's one message says what to do next. Each act is logged with what it takes to
// undo it.
//
// A season of a league: registration is open for some days, then divisions are made
// (package contest has the rules), and games open by themselves, a few of each player at
// once; the next begins when one ends. A game that isn't over when the season ends is lost
// by the player who used more time. Then registration for the next season opens.
//
// A club is the roster of a place: ratings, groups, times away, and whom members don't want
// to meet. People join and leave by themselves; managers add others, also such as have no
// account there.
package competition
