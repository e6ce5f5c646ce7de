package bolt

import (
	"errors"
	"fmt"
	"os"
)

// A GoneError means that a data file isn't where it was opened: it was removed or replaced. What is
// written to it now would be lost with the process.
type GoneError struct {
	Path string
	Err  error // nil if another file is in its place
}

func (e *GoneError) Error() string {
	what := "another file was put in its place"
	if e.Err != nil {
		what = e.Err.Error()
	}
	return fmt.Sprintf("the data file %s was taken away while the host runs (%s): nothing more is stored; rackmate backup FILE saves what is there, then stop the host and put the right file in place", e.Path, what)
}

func (e *GoneError) Unwrap() error { return e.Err }

// checkInPlace checks that the data file still is where it was opened.
func (d *DB) checkInPlace() error {
	is, err := d.file.Stat()
	if err != nil {
		return err // the file is closed
	}
	now, err := os.Stat(d.bolt.Path())
	if err != nil || !os.SameFile(now, is) {
		return &GoneError{d.bolt.Path(), err}
	}
	return nil
}

// openFile opens the data file for bbolt: first for the store itself, then again for each copy,
// which must be of the same file.
func (d *DB) openFile(name string, flag int, mode os.FileMode) (*os.File, error) {
	f, err := os.OpenFile(name, flag, mode)
	if d.file == nil {
		d.file = f
		return f, err
	}
	was, err1 := d.file.Stat()
	if err == nil && err1 == nil {
		if is, err := f.Stat(); err == nil && os.SameFile(is, was) {
			return f, nil
		}
		f.Close()
	}
	// On Linux the open file can be reached by another name too.
	return os.OpenFile(fmt.Sprintf("/proc/self/fd/%d", d.file.Fd()), flag, 0)
}

// Trouble lists what has been found wrong with the file since it was opened: that it is gone, and
// damaged rows that were met.
func (d *DB) Trouble() []error {
	found := d.troubles.Trouble()
	if err := d.checkInPlace(); err != nil {
		found = append([]error{err}, found...)
	}
	return found
}

// noteDamage records an error that is damage, so that health reports it as long as the process runs.
// It returns the error.
func (d *DB) noteDamage(err error) error {
	if found := new(DamagedError); errors.As(err, &found) {
		d.troubles.Note(found)
	}
	return err
}

// passOver runs a function that reads a row on which many others depend. If the row is damaged,
// that is recorded and the others go on.
func (d *DB) passOver(fn func() error) (passed bool, err error) {
	err = try(fn)
	if errors.As(err, new(damage)) {
		d.troubles.Note(err)
		return true, nil
	}
	return false, err
}
