package lists

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/data/sentences"
)

// languageCommand returns the command that lists and checks languages.
func languageCommand() *cobra.Command {
	return cli.WithVerbs(&cobra.Command{
		Use: "language list | check [FILE]...", Short: "lists the languages of tables; checks the file of another",
		Long:    "lists the languages that tables can choose, and checks the file of another.",
		Example: "rackmate language list\nrackmate language check data/languages/fo.json",
	}, &cobra.Command{
		Use: "list", Short: "lists the languages that come along", Args: cli.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) error { return listLanguages(cli.StdOf(c)) },
	}, &cobra.Command{
		Use: "check [FILE]...", Short: "checks files of languages, or without any the sentences", ValidArgsFunction: cli.Files("json"),
		Long: "checks files of languages, or without any which sentences aren't translated yet.",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return checkSentences(cli.StdOf(c))
			}
			return checkLanguages(cli.StdOf(c), args)
		},
	})
}

// listLanguages prints the shipped languages.
func listLanguages(std cli.Std) error {
	all, err := cli.OpenLanguages(nil)
	if err != nil {
		return err
	}
	for _, l := range all {
		fmt.Fprintf(std.Out, "%s %s (%s) tiles=%d points=%d\n", l.Code, l.Name, l.Native, len(l.Tiles.All()), l.Tiles.Sum(l.Tiles.All()))
	}
	return nil
}

// checkSentences prints the sentences that lack a translation into a language that should have all.
func checkSentences(std cli.Std) error {
	locales, err := sentences.Load(data.Sentences())
	if err != nil {
		return err
	}
	lacks, err := data.MissingSentences()
	if err != nil {
		return err
	}
	return printLacks(std, locales, lacks)
}

func printLacks(std cli.Std, locales *sentences.Locales, lacks map[string][]string) error {
	var failed error
	for _, to := range locales.All()[1:] {
		for _, english := range lacks[to.Code()] {
			fmt.Fprintf(std.Out, "lacks %s %q\n", to.Code(), english)
			failed = cli.ErrFailed
		}
		if n := len(lacks[to.Code()]); n == 0 {
			fmt.Fprintf(std.Out, "ok %s sentences=%d\n", to.Code(), len(to.Keys()))
		}
	}
	return failed
}

// checkLanguages prints the errors in language files.
func checkLanguages(std cli.Std, files []string) error {
	var failed error
	for _, file := range files {
		l, err := cli.ReadLanguage(file)
		if err != nil {
			fmt.Fprintf(std.Out, "bad %s: %v\n", file, err)
			failed = cli.ErrFailed
			continue
		}
		wrong := l.Check()
		for _, text := range wrong {
			fmt.Fprintf(std.Out, "bad %s: %s\n", file, text)
			failed = cli.ErrFailed
		}
		if len(wrong) == 0 {
			fmt.Fprintf(std.Out, "ok %s %s tiles=%d points=%d\n", file, l.Code, len(l.Tiles.All()), l.Tiles.Sum(l.Tiles.All()))
		}
	}
	return failed
}
