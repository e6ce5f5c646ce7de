package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
)

// TestReplace checks that a write that fails midway leaves the old file and nothing else, and that a link
// stays while programs that have the old file open keep it.
func TestReplace(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "answers")
	write := func(said string, err error) error {
		return Replace(name, 0o600, func(f *os.File) error {
			_, errWrite := f.WriteString(said)
			return errors.Join(err, errWrite)
		})
	}
	wants := func(want string) {
		t.Helper()
		b, err := os.ReadFile(name)
		all, errAll := os.ReadDir(dir)
		if err := errors.Join(err, errAll); err != nil || string(b) != want || len(all) != 1 {
			t.Errorf("the file has %q, beside %v (%v); want %q", b, all, err, want)
		}
	}
	gametest.Must(t, write("one, two\n", nil))
	wants("one, two\n")
	if err := write("three", io.ErrShortWrite); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("a failed write ends with %v", err)
	}
	wants("one, two\n")
	gametest.Must(t, write("three\n", nil))
	wants("three\n")
	old, err := os.Open(name)
	gametest.Must(t, err)
	defer old.Close()
	link := filepath.Join(t.TempDir(), "link") // like /dev/stdout
	gametest.Must(t, os.Symlink(name, link))
	gametest.Must(t, Replace(link, 0o600, func(f *os.File) error { _, err := f.WriteString("four\n"); return err }))
	wants("four\n")
	if b, err := io.ReadAll(old); err != nil || string(b) != "three\n" {
		t.Errorf("the old file has %q (%v)", b, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode().IsRegular() {
		t.Errorf("the link is replaced by a file (%v)", err)
	}
}
