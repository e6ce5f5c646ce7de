package gametest

import "os"

// TempInMemory puts the temporary folders of a test program into memory, where a gigabyte
// is free. TestMain calls it before the tests run.
func TempInMemory() {
	if dir := Memory(1 << 30); dir != "" {
		os.Setenv("TMPDIR", dir)
	}
}
