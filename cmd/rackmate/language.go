package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/data/sentences"
	"github.com/rackmate/rackmate/game/language"
)

const languageUsage = "list | check [FILE...]"

// runLanguage lists the languages that come along, and checks files of others, or says
// what the catalogues of sentences lack.
func runLanguage(_ context.Context, std stdio, args []string) error {
	rest, err := parse(newFlags("language"), args)
	if err != nil {
		return err
	}
	switch {
	case len(rest) == 1 && rest[0] == "list":
		all, err := openLanguages(nil)
		if err != nil {
			return err
		}
		for _, l := range all {
			fmt.Fprintf(std.out, "%s %s (%s) tiles=%d points=%d\n", l.Code, l.Name, l.Native, len(l.Tiles.All()), l.Tiles.Sum(l.Tiles.All()))
		}
		return nil
	case len(rest) > 1 && rest[0] == "check":
		return checkLanguages(std, rest[1:])
	case len(rest) == 1 && rest[0] == "check":
		return checkSentences(std)
	}
	return usageError("say what to do: list, or check (files of languages, or without any the sentences that come along)")
}

// checkSentences says which sentences aren't translated yet into the languages that
// are said to have all.
func checkSentences(std stdio) error {
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

func printLacks(std stdio, tongues *sentences.Tongues, lacks map[string][]string) error {
	var failed error
	for _, to := range tongues.All()[1:] {
		for _, english := range lacks[to.Code()] {
			fmt.Fprintf(std.out, "lacks %s %q\n", to.Code(), english)
			failed = errFailed
		}
		if n := len(lacks[to.Code()]); n == 0 {
			fmt.Fprintf(std.out, "ok %s sentences=%d\n", to.Code(), len(to.Keys()))
		}
	}
	return failed
}

// checkLanguages says what is wrong with language files.
func checkLanguages(std stdio, files []string) error {
	var failed error
	for _, file := range files {
		l, err := readLanguage(file)
		if err != nil {
			fmt.Fprintf(std.out, "bad %s: %v\n", file, err)
			failed = errFailed
			continue
		}
		wrong := l.Check()
		for _, text := range wrong {
			fmt.Fprintf(std.out, "bad %s: %s\n", file, text)
			failed = errFailed
		}
		if len(wrong) == 0 {
			fmt.Fprintf(std.out, "ok %s %s tiles=%d points=%d\n", file, l.Code, len(l.Tiles.All()), l.Tiles.Sum(l.Tiles.All()))
		}
	}
	return failed
}

func readLanguage(file string) (*language.Language, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return language.Parse(text)
}

// openLanguages opens the languages that come with the program, and those in
// files, which come before one of the same code. English is the first.
func openLanguages(files []string) ([]*language.Language, error) {
	all := make([]*language.Language, 1)
	put := func(l *language.Language) {
		i := slices.IndexFunc(all, func(other *language.Language) bool { return other != nil && other.Code == l.Code })
		switch {
		case l.Code == defaultLanguage:
			all[0] = l
		case i > 0:
			all[i] = l
		default:
			all = append(all, l)
		}
	}
	for _, code := range data.Languages() {
		l, err := openLanguage(code)
		if err != nil {
			return nil, err
		}
		put(l)
	}
	for _, file := range files {
		l, err := readLanguage(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if wrong := l.Check(); len(wrong) > 0 {
			return nil, fmt.Errorf("%s: %s \"rackmate language check\" says more", file, wrong[0])
		}
		put(l)
	}
	return all, nil
}

// shipped are the languages that come with the program, by code: functions that read a
// language when it is first asked for.
var shipped sync.Map

// openLanguage opens a language that comes with the program.
func openLanguage(code string) (*language.Language, error) {
	open, _ := shipped.LoadOrStore(code, sync.OnceValues(func() (*language.Language, error) {
		text, err := data.Language(code)
		if err != nil {
			return nil, err
		}
		return language.Parse(text)
	}))
	return open.(func() (*language.Language, error))()
}

// openLanguageOf opens the language of a word list alone: English where its name begins
// with no other's code.
func openLanguageOf(list string) (*language.Language, error) {
	return openLanguage(cmp.Or(language.CodeOf(list, data.Languages()), defaultLanguage))
}

// defaultLanguage is what is played in where nothing else is said.
const defaultLanguage = "en"
