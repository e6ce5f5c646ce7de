//go:build linux

package main

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

const (
	emptyBoard = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15"
	anEnding   = "B2QUERN7/O1TURM9/U1WO11/G1IT11/I1GAS4BAP3/ED2W2KAED4/1A2O1JAIL5/1I1ZOEAE4FIX/CLOOP7A2/AY1REH6N2/R2IDE6F2/L2L1U6O2/I2SECT1V3l2/N4HEMATOID2/E5TYG3S2 EINNRV?/ENRST 210/230 0"
)

// BenchmarkCommands measures commands until they have answered: processor time in milliseconds, and
// peak memory in MB, including the program itself, which all its processes share. A packed list is
// unpacked once before.
func BenchmarkCommands(b *testing.B) {
	b.Setenv("XDG_CACHE_HOME", b.TempDir())
	for _, bb := range []struct{ name, args, in string }{
		{"version", "version", ""},
		{"engine", "engine", ""},
		{"engine static", "engine --level static", emptyBoard + " AEINRST/ 0/0 0\n"},
		{"moves", "moves --count --stdin", emptyBoard + " AEINRST/ 0/0 0\n"},
		{"moves es", "moves --lexicon es --count --stdin", emptyBoard + " AEINRST/ 0/0 0\n"},
		{"moves nl", "moves --lexicon nl --count --stdin", emptyBoard + " AEINRST/ 0/0 0\n"},
		{"solve", "solve --positions 1 " + anEnding, ""},
	} {
		b.Run(bb.name, func(b *testing.B) {
			start := func() *syscall.Rusage {
				cmd := exec.Command(os.Args[0], strings.Fields(bb.args)...)
				cmd.Env = append(os.Environ(), asRackmate+"=1")
				cmd.Stdin = strings.NewReader(bb.in)
				if out, err := cmd.CombinedOutput(); err != nil {
					b.Fatalf("%v: %s", err, out)
				}
				return cmd.ProcessState.SysUsage().(*syscall.Rusage)
			}
			start()
			cpu, most := int64(0), int64(0)
			for b.Loop() {
				u := start()
				cpu += u.Utime.Nano() + u.Stime.Nano()
				most = max(most, u.Maxrss)
			}
			b.ReportMetric(float64(cpu)/1e6/float64(b.N), "cpu-ms")
			b.ReportMetric(float64(most)/1024, "MB")
		})
	}
}
