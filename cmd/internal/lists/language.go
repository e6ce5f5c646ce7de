package lists

import (
	"github.com/rackmate/rackmate/cmd/internal/cli"

	"context"
	"fmt"

	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/data/sentences"
)

const languageUsage = "list | check [FILE...]"

// runLanguage lists the languages that come along, and checks files of others, or says
// what the catalogues of sentences lack.
func runLanguage(_ context.Context, std cli.Std, args []string) error {
	rest, err := cli.Parse(cli.NewFlags("language"), args)
	if err != nil {
		return err
	}
	switch {
	case len(rest) == 1 && rest[0] == "list":
		all, err := cli.OpenLanguages(nil)
		if err != nil {
			return err
		}
		for _, l := range all {
			fmt.Fprintf(std.Out, "%s %s (%s) tiles=%d points=%d\n", l.Code, l.Name, l.Native, len(l.Tiles.All()), l.Tiles.Sum(l.Tiles.All()))
		}
		return nil
	case len(rest) > 1 && rest[0] == "check":
		return checkLanguages(std, rest[1:])
	case len(rest) == 1 && rest[0] == "check":
		return checkSentences(std)
	}
	return cli.UsageError("say what to do: list, or check (files of languages, or without any the sentences that come along)")
}

// checkSentences says which sentences aren't translated yet into the languages that
// are said to have all.
func checkSentences(std cli.Std) error {
	tongues, err := sentences.Load(data.Sentences())
	if err != nil {
		return err
	}
	lacks, err := data.Lacks()
	if err != nil {
		return err
	}
	return printLacks(std, tongues, lacks)
}

func printLacks(std cli.Std, tongues *sentences.Tongues, lacks map[string][]string) error {
	var failed error
	for _, to := range tongues.All()[1:] {
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

// checkLanguages says what is wrong with language files.
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
