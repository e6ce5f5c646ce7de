package gametest

import "syscall"

// Memory returns a folder kept in memory that has at least that many bytes free, or "" if there is
// none. Test data needn't survive a restart, and a disk would take much of the tests' time.
func Memory(enough uint64) string {
	const dir = "/dev/shm"
	var is syscall.Statfs_t
	if err := syscall.Statfs(dir, &is); err != nil || is.Bavail*uint64(is.Bsize) < enough {
		return ""
	}
	return dir
}
