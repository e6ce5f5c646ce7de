package text

import (
	"fmt"
	"slices"
)

// A Table is what a text says, in cells, for platforms that show tables. The others show
// the text.
type Table struct {
	Columns []Column
	Rows    [][]Text // a cell for each column
}

// A Column is what heads a column, and whether what stands below is set to the right, as
// numbers are.
type Column struct {
	Head  Text
	Right bool
}

// InTable is a text that a table says too.
func InTable(t Text, table *Table) Text {
	return Text{{Table: table, says: &phrase{values: []any{t}}}}
}

// in is the table in a tongue.
func (t *Table) in(to *Tongue) *Table {
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

// GoString is the table by what is in it, and not by where it is: two that say the same are
// the same.
func (t *Table) GoString() string {
	if t == nil {
		return "nil"
	}
	return fmt.Sprintf("&%#v", *t)
}
