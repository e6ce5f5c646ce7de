package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/imaging"
)

// completionCommand returns the command that prints a shell's completion script.
func completionCommand() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use: "completion " + strings.Join(shells, "|"), Short: "prints the script by which a shell completes commands", GroupID: Program,
		Example:   "source <(rackmate completion bash)\nrackmate completion fish > ~/.config/fish/completions/rackmate.fish",
		ValidArgs: shells,
		Args:      Args(1, 1, "name the shell: bash, zsh, fish or powershell"),
		RunE: func(c *cobra.Command, args []string) error {
			out, root := c.OutOrStdout(), c.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(out, true)
			case "zsh":
				return root.GenZshCompletion(out)
			case "fish":
				return root.GenFishCompletion(out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(out)
			}
			return UsageError(fmt.Sprintf("no completion script for %q: name bash, zsh, fish or powershell", args[0]))
		},
	}
}

// Choices makes a flag complete to fixed values.
func Choices(c *cobra.Command, flag string, values ...string) {
	must(c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)))
}

// FileFlag makes a flag complete to files, only those with the extensions if any are given.
func FileFlag(c *cobra.Command, flag string, extensions ...string) {
	must(c.RegisterFlagCompletionFunc(flag, Files(extensions...)))
}

// FolderFlag makes a flag complete to folders.
func FolderFlag(c *cobra.Command, flag string) {
	must(c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)))
}

// Files returns a completion of files, only those with the extensions if any are given.
func Files(extensions ...string) cobra.CompletionFunc {
	if len(extensions) == 0 {
		return cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault)
	}
	return cobra.FixedCompletions(extensions, cobra.ShellCompDirectiveFilterFileExt)
}

// Lists completes the names of word lists and files.
func Lists(_ *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return data.Lexicons(), cobra.ShellCompDirectiveDefault
}

// Themes returns the names of the boards' themes.
func Themes() (names []string) {
	for _, t := range imaging.Themes() {
		names = append(names, t.String())
	}
	return names
}

// LexiconFlag adds the flag that selects a word list.
func LexiconFlag(c *cobra.Command, list *string, usual string) {
	c.Flags().StringVar(list, "lexicon", usual, "the word list: a `LIST` that comes along, such as fr, or a file that \"rackmate lexicon build\" made")
	must(c.RegisterFlagCompletionFunc("lexicon", Lists))
}

// LanguageFlag adds the flag that selects a language.
func LanguageFlag(c *cobra.Command, code *string, usage string) {
	c.Flags().StringVar(code, "language", "", usage)
	Choices(c, "language", data.Languages()...)
}

// must panics on an error, which means that a completion was registered for a missing flag, or
// twice.
func must(err error) {
	if err != nil {
		panic(err)
	}
}
