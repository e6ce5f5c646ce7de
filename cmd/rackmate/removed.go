package main

import (
	"flag"
	"fmt"
	"os"
)

// A removedFlag accepts a setting of an earlier release, which has no effect any more, so
// that nobody's start is refused over it. It is in no help and no list of settings.
type removedFlag struct {
	name, why string
	boolean   bool // it takes no value
}

// removed accepts a setting that was removed, and warns of it.
func removed(flags *flag.FlagSet, name string, boolean bool, why string) {
	flags.Var(&removedFlag{name, why, boolean}, name, "")
}

func (f *removedFlag) String() string   { return "" }
func (f *removedFlag) IsBoolFlag() bool { return f.boolean }

// Set warns that the setting has no effect.
func (f *removedFlag) Set(string) error {
	fmt.Fprintf(os.Stderr, "rackmate: the setting %s has no effect any more: %s\n", f.name, f.why)
	return nil
}

// eachFlag calls fn for each flag that still has an effect.
func eachFlag(flags *flag.FlagSet, fn func(*flag.Flag)) {
	flags.VisitAll(func(f *flag.Flag) {
		if _, gone := f.Value.(*removedFlag); !gone {
			fn(f)
		}
	})
}
