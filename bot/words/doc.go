// Package words describes the events at a table and explains people's mistakes, with what
// to do next. It does no I/O.
package words
