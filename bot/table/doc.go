// Package table is a table replayed: its seats, what can be done at it, and the
// buttons for that. A [Variant] is what another way of playing changes of it. It
// does no I/O and has few words; package words says what happened.
package table
