// Package table replays a table: its seats, what can be done at it, and the buttons for
// that. A [Variant] holds what a variant changes. It does no I/O and has few words; package
// words describes the events.
package table
