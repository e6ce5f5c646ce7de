package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rackmate/rackmate/lexicon"
)

// A packed list that comes with the program takes a second and more to unpack for the
// first play. So whoever has looked for plays in it keeps what it unpacks to in a file of the
// user's cache, and from then on all of the user's processes map that file into memory.
// Where there is no such folder, or no room in it, each process unpacks the list anew.

// unpackedFile returns where a packed list is kept.
func unpackedFile(x *lexicon.Lexicon) (string, error) {
	dir, err := os.UserCacheDir()
	return filepath.Join(dir, "rackmate", fmt.Sprintf("%s-%.16s.lex", x.Name(), x.Hash())), err
}

// UnpackedFile returns where a packed list is kept once it was unpacked, and how large that
// file is; 0 if it isn't there.
func UnpackedFile(x *lexicon.Lexicon) (name string, size int64, err error) {
	if name, err = unpackedFile(x); err != nil {
		return "", 0, err
	}
	if info, err := os.Stat(name); err == nil {
		size = info.Size()
	}
	return name, size, nil
}

// unpacked opens a list from the file that it was kept in. If there is none it returns nil.
func unpacked(x *lexicon.Lexicon) *lexicon.Lexicon {
	name, err := unpackedFile(x)
	if err != nil {
		return nil
	}
	file, err := mapFile(name)
	if err != nil {
		return nil
	}
	kept, err := lexicon.OpenSound(file) // it was whole when it got its name
	if err != nil || kept.Name() != x.Name() || kept.Hash() != x.Hash() {
		return nil
	}
	return kept
}

// keepUnpacked keeps a packed list, and returns it as it is kept. If it can't be kept it returns
// the list itself.
func keepUnpacked(x *lexicon.Lexicon) *lexicon.Lexicon {
	if !x.Packed() {
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
	if kept := unpacked(x); kept != nil {
		return kept
	}
	return x
}
