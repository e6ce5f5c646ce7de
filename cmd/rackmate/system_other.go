//go:build !linux && !darwin && !freebsd

package main

import (
	"io/fs"
	"os"
)

// giveToOwnerOf does nothing on this system.
func giveToOwnerOf(string, *os.File) error { return nil }

// ownerOf returns false; Windows has no sockets of other users.
func ownerOf(fs.FileInfo) (uid int, known bool) { return 0, false }

// diskSpace returns false; this system doesn't report it.
func diskSpace(string) (free uint64, known bool) { return 0, false }
