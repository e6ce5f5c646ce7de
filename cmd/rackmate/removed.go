package main

import (
	"fmt"
	"os"

	"github.com/spf13/pflag"
)

// A removedFlag accepts a setting of an earlier release that has no effect any more, so that the
// host still starts. It isn't listed in help or among the settings.
type removedFlag struct{ name, why string }

// registerRemoved registers a setting that was removed, so that using it, with or without a value, only
// warns.
func registerRemoved(flags *pflag.FlagSet, name, why string) {
	f := flags.VarPF(&removedFlag{name, why}, name, "", "")
	f.Hidden, f.NoOptDefVal = true, "true"
}

func (f *removedFlag) String() string { return "" }
func (f *removedFlag) Type() string   { return "removed" }

// Set warns that the setting has no effect.
func (f *removedFlag) Set(string) error {
	fmt.Fprintf(os.Stderr, "rackmate: the setting %s has no effect any more: %s\n", f.name, f.why)
	return nil
}
