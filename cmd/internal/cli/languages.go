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

// ReadLanguage reads the file of a language.
func ReadLanguage(file string) (*language.Language, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return language.Parse(text)
}

// OpenLanguages opens the languages that come with the program, and those in
// files, which come before one of the same code. English is the first.
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
			return nil, fmt.Errorf("%s: %s \"rackmate language check\" says more", file, wrong[0])
		}
		put(l)
	}
	return all, nil
}

// shipped caches the languages that come with the program, by code, as functions that read a
// language when they are first called.
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

// openLanguageOf opens the language of a word list alone: English, unless its name begins with
// another's code.
func openLanguageOf(list string) (*language.Language, error) {
	return openLanguage(cmp.Or(language.CodeOf(list, data.Languages()), DefaultLanguage))
}

// DefaultLanguage is the code of the language that games are played in by default.
const DefaultLanguage = "en"

// ListLanguage returns the language that a list is built for, by its code or its file, and the
// list's name, which begins with the code. Without either it is the language of the name, or
// English.
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
		return nil, "", fmt.Errorf("no language %q comes along, and there is no such file: \"rackmate language list\" names them", codeOrFile)
	} else if err != nil {
		return nil, "", err
	}
	if language.Of(name, []*language.Language{l}) == nil {
		name = l.Code + "-" + name
	}
	return l, name, nil
}
