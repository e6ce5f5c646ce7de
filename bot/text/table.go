package text

import (
	"fmt"
	"slices"
)

// A Table shows a text's content in cells, for platforms with tables. Other platforms show
// the text.
type Table struct {
	Columns []Column
	Rows    [][]Text // a cell for each column
}

// A Column is a column's head, and whether its cells are right-aligned, as numbers are.
type Column struct {
	Head  Text
	Right bool
}

// InTable returns a text with a table of the same content.
func InTable(t Text, table *Table) Text {
	return Text{{Table: table, says: &phrase{values: []any{t}}}}
}

// translate returns the table in a language.
func (t *Table) translate(to *Locale) *Table {
	unsaid := func(t Text) bool { return t.Unsaid() }
	if t == nil || !slices.ContainsFunc(t.Columns, func(c Column) bool { return unsaid(c.Head) }) &&
		!slices.ContainsFunc(t.Rows, func(row []Text) bool { return slices.ContainsFunc(row, unsaid) }) {
		return t
	}
	said := &Table{}
	for _, c := range t.Columns {
		c.Head = c.Head.In(to)
		said.Columns = append(said.Columns, c)
	}
	for _, row := range t.Rows {
		cells := make([]Text, len(row))
		for i, cell := range row {
			cells[i] = cell.In(to)
		}
		said.Rows = append(said.Rows, cells)
	}
	return said
}

// GoString formats the table by its content rather than its address, so that equal tables
// look equal.
func (t *Table) GoString() string {
	if t == nil {
		return "nil"
	}
	return fmt.Sprintf("&%#v", *t)
}
