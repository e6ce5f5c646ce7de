// Package words puts what happened at a table, and what people did wrong, into
// sentences. Each mistake's says what to do next. It does no I/O.
package words
