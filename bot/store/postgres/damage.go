package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game/record"
)

// A DamagedError means that a table's events aren't as they were written.
type DamagedError struct {
	Table bot.TableID
	Err   error // the damage found
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("table %d is damaged in the database (%v): bring the latest sound backup into an empty database with rackmate copy, and look for the fault in this one", e.Table, e.Err)
}

func (e *DamagedError) Unwrap() error { return e.Err }

// Is reports whether a target is [bot.ErrUnreadable].
func (e *DamagedError) Is(target error) bool { return target == bot.ErrUnreadable }

// noteDamage records an error that is damage, so that health reports it as long as the process runs.
// It returns the error.
func (d *DB) noteDamage(err error) error {
	if found := new(DamagedError); errors.As(err, &found) {
		d.Note(found)
	}
	return err
}

// A chain checks row by row whether each of a table's events follows the one before it.
type chain struct {
	table  bot.TableID
	number int  // of the next event
	known  bool // whether the event before has a link
	link   record.Link
	next   func() record.Link // the next event's expected link; nil at the beginning
}

// follow checks the next event. linked means that the table's links are valid.
func (c *chain) follow(linked bool, number int, link, data []byte) error {
	if c.next != nil && number != c.number {
		return &DamagedError{c.table, fmt.Errorf("event %d is missing", c.number)}
	}
	had := linked && len(link) == len(c.link)
	switch {
	case !had:
	case number == 0 && !bytes.Equal(link, make([]byte, len(c.link))),
		c.next != nil && !c.known,
		c.next != nil && record.Link(link) != c.next():
		return &DamagedError{c.table, fmt.Errorf("event %d doesn't follow the one before it", number)}
	}
	c.number, c.known = number+1, had
	if had {
		c.link = record.Link(link)
	}
	is := c.link
	c.next = func() record.Link { return is.Next(data) }
	return nil
}

// add returns the link of an event that is appended, or nil if the one before lacks a link.
func (c *chain) add(data []byte) []byte {
	var link []byte
	if c.next == nil {
		c.known = true
		link = make([]byte, len(c.link))
	} else if c.known {
		is := c.next()
		link = is[:]
	}
	is := record.Link{}
	copy(is[:], link)
	c.next = func() record.Link { return is.Next(data) }
	return link
}

// ChecksumsPages reports whether the database keeps a checksum of each of its pages, and thus
// detects damaged ones itself.
func (d *DB) ChecksumsPages(ctx context.Context) (bool, error) {
	var on string
	err := d.conns.pool.QueryRow(ctx, "show data_checksums", pgx.QueryExecModeSimpleProtocol).Scan(&on)
	return on == "on", err
}
