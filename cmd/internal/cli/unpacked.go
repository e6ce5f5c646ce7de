package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rackmate/rackmate/lexicon"
)

// A packed list takes a second or more to unpack for the first move generation. So the first
// process to do so stores the unpacked list in the user's cache folder, and later processes of the
// user map that file into memory. Without such a folder, or room in it, each process unpacks the
// list again.

// unpackedFile returns the path of the file for an unpacked list.
func unpackedFile(x *lexicon.Lexicon) (string, error) {
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "rackmate", fmt.Sprintf("%s-%.16s.lex", x.Name(), x.Hash())), err
}

// UnpackedFile returns the path of the file for an unpacked list, and its size, or 0 if it doesn't
// exist yet.
func UnpackedFile(x *lexicon.Lexicon) (name string, size int64, err error) {
	if name, err = unpackedFile(x); err != nil {
		return "", 0, err
	}
	if info, err := os.Stat(name); err == nil {
		size = info.Size()
	}
	return name, size, nil
}

// openUnpacked opens a list from its unpacked file, or returns nil if there is none.
func openUnpacked(x *lexicon.Lexicon) *lexicon.Lexicon {
	name, err := unpackedFile(x)
	if err != nil {
		return nil
	}
	file, err := mapFile(name)
	if err != nil {
		return nil
	}
	kept, err := lexicon.OpenSound(file) // it was complete when it was renamed
	if err != nil || kept.Name() != x.Name() || kept.Hash() != x.Hash() {
		return nil
	}
	return kept
}

// keepUnpacked stores a packed list unpacked and returns the stored list, or the list itself if
// that fails.
func keepUnpacked(x *lexicon.Lexicon) *lexicon.Lexicon {
	if !x.IsPacked() {
		return x
	}
	name, err := unpackedFile(x)
	if err != nil || os.MkdirAll(filepath.Dir(name), 0o700) != nil {
		return x
	}
	part, err := os.CreateTemp(filepath.Dir(name), "part-*")
	if err != nil {
		return x
	}
	_, err = x.WriteTo(part)
	if err = errors.Join(err, part.Sync(), part.Close()); err == nil {
		err = os.Rename(part.Name(), name)
	}
	if err != nil {
		os.Remove(part.Name())
		return x
	}
	if kept := openUnpacked(x); kept != nil {
		return kept
	}
	return x
}
