// Package data holds the files embedded in the program: word lists, vocabularies, leave values,
// languages, tile sets, board layouts, fonts, and the licences of third-party files. SOURCES.md gives
// their origins. The package imports no other package of ours; cmd reads the files here and passes
// them to the packages that parse them.
package data

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

//go:generate go run ./mkwords
//go:generate go run ./mkvocabulary
//go:generate go run ./mkleaves
//go:generate go run ./mkleaves -lexicon es -longest 3 -racks 20000,30000,80000
//go:generate go run ./mkleaves -lexicon fr -longest 3 -racks 20000,30000,80000
//go:generate go run ./mkleaves -lexicon lt -longest 3 -racks 20000,30000,80000
//go:generate go run ./mkleaves -lexicon nl -longest 3 -racks 20000,30000,80000
//go:generate go run ./mkleaves -lexicon pl -longest 3 -racks 20000,30000,80000
//go:generate go run ./mkleaves -lexicon pt -longest 3 -racks 20000,30000,80000
//go:generate go run ./mkleaves -lexicon ru -longest 3 -racks 20000,30000,80000
//go:generate go run ./mkleaves -lexicon tr -longest 3 -racks 20000,30000,80000

// Large files have separate variables, here and in inplace.go, so that a program that doesn't use
// one (usually a test) doesn't contain it.
var (
	//go:embed SOURCES.md
	//go:embed languages/*.json tilesets/*.tsv layouts/*.txt
	//go:embed licenses/*.txt
	files embed.FS

	//go:embed confusables.txt
	confusables string

	//go:embed vocabularies/*.txt.gz texts/*.txt.gz
	words embed.FS

	//go:embed sentences/*.json
	sentences embed.FS
)

// Sentences returns the catalogues of translations, one file for each language: see
// sentences/README.md.
func Sentences() fs.FS {
	sub, err := fs.Sub(sentences, "sentences")
	if err != nil {
		panic(err) // can't fail: the name is valid
	}
	return catalogues{sub}
}

// catalogues is the folder without the file of missing translations.
type catalogues struct{ fs.FS }

func (c catalogues) ReadDir(name string) ([]fs.DirEntry, error) {
	all, err := fs.ReadDir(c.FS, name)
	return slices.DeleteFunc(all, func(e fs.DirEntry) bool { return e.Name() == "lacks.json" }), err
}

// MissingSentences returns the English sentences that catalogues marked as complete lack, by language.
// They were written since the last translation.
func MissingSentences() (map[string][]string, error) {
	text, err := sentences.ReadFile("sentences/lacks.json")
	if err != nil {
		return nil, err
	}
	var all map[string][]string
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("sentences/lacks.json: %w", err)
	}
	return all, nil
}

// Vocabulary returns the vocabulary of a tile set's language ("english"), for
// lexicon.ReadVocabulary.
func Vocabulary(name string) ([]byte, error) {
	return unzip(read(words, "vocabularies", name, ".txt.gz"))
}

// Vocabularies returns the names that Vocabulary accepts.
func Vocabularies() []string { return names(words, "vocabularies", ".txt.gz") }

// Declaration returns the number of times each word, in lower case, occurs in the Universal
// Declaration of Human Rights in a language ("es"), or nil if the text isn't included.
func Declaration(code string) (map[string]int, error) {
	text, err := unzip(read(words, "texts", "declaration", ".txt.gz"))
	if err != nil {
		return nil, err
	}
	_, part, ok := strings.Cut("\n"+string(text), "\n# "+code+"\n")
	if !ok {
		return nil, nil
	}
	part, _, _ = strings.Cut(part, "\n#")
	counts := map[string]int{}
	for line := range strings.Lines(part) {
		word, n, _ := strings.Cut(strings.TrimSpace(line), " ")
		if counts[word], err = strconv.Atoi(n); err != nil {
			return nil, err
		}
	}
	return counts, nil
}

// Language returns the file of a language ("es"), for language.Parse.
func Language(code string) ([]byte, error) { return read(files, "languages", code, ".json") }

// Languages returns the codes that Language accepts.
func Languages() []string { return names(files, "languages", ".json") }

// TileSet returns the text of a tile set ("english"), for game.ParseTileSet.
func TileSet(name string) (string, error) {
	b, err := read(files, "tilesets", name, ".tsv")
	return string(b), err
}

// Confusables returns the characters that look like others, for comparing names: each line has a
// character, a tab, and what it looks like (UTS 39).
func Confusables() string { return confusables }

// Layout returns the text of a board layout ("standard-15"), for game.ParseLayout.
func Layout(name string) (string, error) {
	b, err := read(files, "layouts", name, ".txt")
	return string(b), err
}

// Layouts returns the names that Layout accepts.
func Layouts() []string { return names(files, "layouts", ".txt") }

func unzip(zipped []byte, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

func read(from embed.FS, dir, name, ext string) ([]byte, error) {
	b, err := from.ReadFile(path.Join(dir, name+ext))
	if err != nil {
		return nil, missing(dir, name, names(from, dir, ext))
	}
	return b, nil
}

func missing(dir, name string, there []string) error {
	return fmt.Errorf("no %q among the built-in %s (%s): %w", name, dir, strings.Join(there, ", "), fs.ErrNotExist)
}

func names(from embed.FS, dir, ext string) []string {
	entries, _ := from.ReadDir(dir) // can't fail: an embedded folder exists
	var out []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ext); ok {
			out = append(out, name)
		}
	}
	return out
}
