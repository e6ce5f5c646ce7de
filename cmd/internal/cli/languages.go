package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"

	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/game/language"
)

// ReadLanguage returns the language in a file.
func ReadLanguage(file string) (*language.Language, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return language.Parse(text)
}

// OpenLanguages returns the shipped languages, English first, and those in files, which replace
// shipped ones with the same code.
func OpenLanguages(files []string) ([]*language.Language, error) {
	all := make([]*language.Language, 1)
	put := func(l *language.Language) {
		i := slices.IndexFunc(all, func(other *language.Language) bool { return other != nil && other.Code == l.Code })
		switch {
		case l.Code == DefaultLanguage:
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
		l, err := ReadLanguage(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if wrong := l.Check(); len(wrong) > 0 {
			return nil, fmt.Errorf("%s: %s; \"rackmate language check\" lists the mistakes", file, wrong[0])
		}
		put(l)
	}
	return all, nil
}

// shipped caches functions that read the shipped languages on first use, by code.
var shipped sync.Map

// openLanguage returns a shipped language.
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

// openLanguageOf returns only the language of a word list: the one whose code starts its name, or
// else English.
func openLanguageOf(list string) (*language.Language, error) {
	return openLanguage(cmp.Or(language.CodeOf(list, data.Languages()), DefaultLanguage))
}

// DefaultLanguage is the code of the default language.
const DefaultLanguage = "en"

// ListLanguage returns the language that a list is built for, by its code or file, and the list's
// name, which starts with the code. If both are empty it is the language of the name, or English.
func ListLanguage(codeOrFile, name string) (*language.Language, string, error) {
	all, err := OpenLanguages(nil)
	if err != nil {
		return nil, "", err
	}
	if codeOrFile == "" {
		if l := language.Of(name, all); l != nil {
			return l, name, nil
		}
		return all[0], name, nil
	}
	i := slices.IndexFunc(all, func(l *language.Language) bool { return l.Code == codeOrFile })
	var l *language.Language
	if i >= 0 {
		l = all[i]
	} else if l, err = ReadLanguage(codeOrFile); errors.Is(err, fs.ErrNotExist) {
		return nil, "", fmt.Errorf("unknown language %q, and no file of that name: \"rackmate language list\" names the languages", codeOrFile)
	} else if err != nil {
		return nil, "", err
	}
	if language.Of(name, []*language.Language{l}) == nil {
		name = l.Code + "-" + name
	}
	return l, name, nil
}
