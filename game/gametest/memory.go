package gametest

import "os"

// TempInMemory moves a test program's temporary folders into memory if a gigabyte is free. TestMain
// calls it before the tests run.
func TempInMemory() {
	if dir := Memory(1 << 30); dir != "" {
		os.Setenv("TMPDIR", dir)
	}
}
