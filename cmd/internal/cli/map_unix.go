//go:build linux || darwin || freebsd

package cli

import (
	"os"
	"syscall"
)

// mapFile maps a file into memory until the program ends. The system loads pages on demand and can
// drop them again. The file must not be modified, but may be replaced by another.
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
