// Package cli provides what the program's parts share: the command line, progress, and the shipped
// word lists, languages, boards and fonts.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Std holds the streams of a command: output for scripts goes to Out, everything else to Err.
type Std struct {
	In       io.Reader
	Out, Err io.Writer
}

// StdOf returns the streams of a command.
func StdOf(c *cobra.Command) Std {
	return Std{In: c.InOrStdin(), Out: c.OutOrStdout(), Err: c.ErrOrStderr()}
}

// A UsageError is a mistake in the command line. The exit status is 2.
type UsageError string

func (e UsageError) Error() string { return string(e) }

// ErrFailed reports a failed check that was already printed. The exit status is 1, and nothing more
// is printed.
var ErrFailed = errors.New("a check failed")

// The groups of commands, in the order of the help.
const (
	Play    = "play"
	Host    = "host"
	Data    = "data"
	Words   = "words"
	Lab     = "lab"
	Program = "program"
)

// New returns the root command, to which other packages add theirs.
func New() *cobra.Command {
	root := &cobra.Command{
		Use:               "rackmate [SETTING]... | rackmate COMMAND ...",
		Short:             "hosts Scrabble-style games in chat channels",
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		Args:              refuseUnknown,

		SuggestionsMinimumDistance: 2,
	}
	root.AddGroup(
		&cobra.Group{ID: Play, Title: "Play"}, &cobra.Group{ID: Host, Title: "Host"}, &cobra.Group{ID: Data, Title: "Data"},
		&cobra.Group{ID: Words, Title: "Word lists"}, &cobra.Group{ID: Lab, Title: "Laboratory"}, &cobra.Group{ID: Program, Title: "This program"},
	)
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { writeHelp(c.OutOrStdout(), c) })
	root.SetHelpCommand(helpCommand())
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return FlagError(err) })
	root.AddCommand(completionCommand(), manCommand())
	cobra.MousetrapHelpText = "" // a double click on Windows starts the host
	return root
}

// Run runs a command line and returns the exit status: 0 for success, 1 for a failure, 2 for bad
// usage.
func Run(ctx context.Context, std Std, root *cobra.Command, args []string) int {
	root.SetIn(std.In)
	root.SetOut(std.Out)
	root.SetErr(std.Err)
	root.SetArgs(doubleDashes(root, args))
	c, err := root.ExecuteContextC(ctx)
	var usage UsageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &usage):
		help := strings.Replace(c.CommandPath(), root.Name(), root.Name()+" help", 1)
		fmt.Fprintf(std.Err, "%s: %v\nusage: %s\nhelp:  %s\n", c.CommandPath(), err, usageOf(c), help)
		return 2
	case !errors.Is(err, ErrFailed):
		fmt.Fprintf(std.Err, "rackmate: %s\n", strings.TrimSpace(err.Error()))
	}
	return 1
}

// doubleDashes adds the second dash to flags typed like -lexicon, because earlier releases used
// Go's flag package, which accepts either form.
func doubleDashes(root *cobra.Command, args []string) []string {
	known := map[string]bool{"help": true, "version": true}
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		for _, flags := range []*pflag.FlagSet{c.Flags(), c.PersistentFlags()} {
			flags.VisitAll(func(f *pflag.Flag) { known[f.Name] = true })
		}
		for _, sub := range c.Commands() {
			visit(sub)
		}
	}
	visit(root)
	args = slices.Clone(args)
	for i, arg := range args {
		if arg == "--" {
			break
		}
		name, _, _ := strings.Cut(arg, "=")
		if len(name) > 2 && name[0] == '-' && known[name[1:]] {
			args[i] = "-" + arg
		}
	}
	return args
}

// refuseUnknown returns an error for an unknown command, with similar ones as suggestions.
func refuseUnknown(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if near := root.SuggestionsFor(args[0]); len(near) > 0 {
		return UsageError(fmt.Sprintf("unknown command %q: do you mean %s? \"rackmate help\" lists them", args[0], strings.Join(near, " or ")))
	}
	return UsageError(fmt.Sprintf("unknown command %q: \"rackmate help\" lists the commands", args[0]))
}

// Many allows any number of arguments.
const Many = math.MaxInt

// Args returns a check for least to most arguments; wanted is the error text.
func Args(least, most int, wanted string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return UsageError(wanted)
		}
		return nil
	}
}

// NoArgs rejects arguments.
func NoArgs(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return UsageError(fmt.Sprintf("unexpected argument %q", args[0]))
	}
	return nil
}

// WithVerbs adds verbs to a command, one of which must be given.
func WithVerbs(c *cobra.Command, verbs ...*cobra.Command) *cobra.Command {
	c.AddCommand(verbs...)
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(c *cobra.Command, args []string) error {
		var say []string
		for _, v := range verbs {
			say = append(say, fmt.Sprintf("%s (%s)", v.Name(), v.Short))
		}
		if len(args) > 0 {
			return UsageError(fmt.Sprintf("there is no %q: say %s", args[0], strings.Join(say, ", ")))
		}
		return UsageError("say what to do: " + strings.Join(say, ", "))
	}
	return c
}

// FlagError rewords a flag's error for the person who typed it.
func FlagError(err error) error {
	var missing *pflag.NotExistError
	var bare *pflag.ValueRequiredError
	var bad *pflag.InvalidValueError
	switch {
	case errors.As(err, &missing):
		if short := missing.GetSpecifiedShortnames(); short != "" {
			return UsageError("unknown flag -" + short)
		}
		return UsageError("unknown flag --" + missing.GetSpecifiedName())
	case errors.As(err, &bare):
		if short := bare.GetSpecifiedShortnames(); short != "" {
			return UsageError("-" + short + " needs a value")
		}
		return UsageError("--" + bare.GetSpecifiedName() + " needs a value")
	case errors.As(err, &bad):
		return UsageError(fmt.Sprintf("--%s can't be %q: %s", bad.GetFlag().Name, bad.GetValue(), Reason(bad.GetFlag(), err)))
	}
	return UsageError(err.Error())
}

// Reason returns a short reason why a flag rejects a value.
func Reason(f *pflag.Flag, err error) string {
	var bad *pflag.InvalidValueError
	if errors.As(err, &bad) {
		err = bad.Unwrap()
	}
	switch f.Value.Type() {
	case "int":
		return "write a whole number"
	case "uint64":
		return "write a whole number, 0 or more"
	case "float64":
		return "write a number"
	case "bool":
		return "write true or false"
	case "duration":
		return "write a time, such as 90s or 6h"
	}
	return err.Error()
}
