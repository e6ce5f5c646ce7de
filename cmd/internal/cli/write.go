package cli

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Unfinished follows the name of a file that is still being written.
const Unfinished = ".unfinished-"

// WriteNew writes a new file, which only its owner can read, completely or not at all. It fails if the
// file exists.
func WriteNew(name string, write func(*os.File) error) error {
	if _, err := os.Stat(name); err == nil {
		return fmt.Errorf("%s already exists: choose another name, or move it away", name)
	}
	return writeWhole(name, 0o600, write)
}

// Replace writes a file completely or not at all. Programs that have the old one open keep it. Something
// else that has the name, such as a pipe, is written to.
func Replace(name string, mode os.FileMode, write func(*os.File) error) error {
	info, err := os.Stat(name)
	if err != nil {
		return writeWhole(name, mode, write)
	}
	if !info.Mode().IsRegular() {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	}
	if name, err = filepath.EvalSymlinks(name); err != nil { // /dev/stdout is a link, which must stay
		return err
	}
	return writeWhole(name, mode, write)
}

// writeWhole writes a file under another name, and renames it once it is complete.
func writeWhole(name string, mode os.FileMode, write func(*os.File) error) error {
	f, err := os.OpenFile(name+Unfinished+rand.Text(), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	err = errors.Join(write(f), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
