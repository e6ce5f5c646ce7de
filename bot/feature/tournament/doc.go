// Package tournament is tournaments in a channel: who enters, who meets whom, where
// they play, how it came out, and what the director is to do next.
//
// A tournament is one row. What somebody does to it is a transaction on that row, and
// leaves a deed in its log; what follows from that for others (tables to open, messages
// to post) is caught up with by a timer, which finds it in the row and marks it there
// when it is done. So a process may end at any moment, and several may see to the same
// tournament: what is there already is left as it is.
package tournament
