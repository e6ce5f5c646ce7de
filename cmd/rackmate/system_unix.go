//go:build linux || darwin || freebsd

package main

import (
	"io/fs"
	"os"
	"syscall"
)

// mapFile maps a file into memory for as long as the program runs: what is read of
// it comes from the disk, and the system can let go of it again. The file must not be
// written to; another may take its place.
func mapFile(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() == 0 {
		return os.ReadFile(name)
	}
	return syscall.Mmap(int(file.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
}

// giveToOwnerOf gives a file that root has made to the user whose folder it is in.
func giveToOwnerOf(dir string, f *os.File) error {
	if os.Geteuid() != 0 {
		return nil
	}
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	return f.Chown(int(s.Uid), int(s.Gid))
}

// ownerOf is the user that a file belongs to, where that is known.
func ownerOf(info fs.FileInfo) (uid int, known bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(s.Uid), true
}

// diskSpace is how many bytes there are still free where a folder is, for this
// user, where that is known.
func diskSpace(dir string) (free uint64, known bool) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, false
	}
	return uint64(s.Bavail) * uint64(s.Bsize), true
}
