// Package lists has the tools for word lists and languages.
package lists

import "github.com/rackmate/rackmate/cmd/internal/cli"

// Subcommands returns the subcommands for word lists and languages.
func Subcommands() []cli.Subcommand {
	return []cli.Subcommand{
		{Name: "lexicon", Usage: lexiconUsage, Help: "compiles word lists (a word a line, # begins a note; --strict refuses a list with a line that can't be played, --rejected writes those lines to a file) and joins them; saves one as a file; looks words up; prints a list, or what differs between two", Run: runLexicon},
		{Name: "language", Usage: languageUsage, Help: "lists the languages that tables can choose; checks the file of another", Run: runLanguage},
	}
}
