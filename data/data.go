// Package data holds the files that come inside the program: word lists, how
// common words are, leave values, languages, tile sets, board layouts, fonts, and
// the licences of those that are not our own. SOURCES.md says where each comes
// from. The package imports nothing of ours; cmd reads the files here and hands
// them to the packages that know them.
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

// What is large has a variable of its own, here and in inplace.go, so that a program which
// doesn't ask for it (a test, as a rule) doesn't carry it.
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

// Sentences returns the catalogues of what people read, a file for each language: see
// sentences/README.md.
func Sentences() fs.FS {
	sub, err := fs.Sub(sentences, "sentences")
	if err != nil {
		panic(err) // the name is valid
	}
	return catalogues{sub}
}

// catalogues are a folder without the file of what they lack.
type catalogues struct{ fs.FS }

func (c catalogues) ReadDir(name string) ([]fs.DirEntry, error) {
	all, err := fs.ReadDir(c.FS, name)
	return slices.DeleteFunc(all, func(e fs.DirEntry) bool { return e.Name() == "lacks.json" }), err
}

// Lacks returns the English sentences that catalogues lack which say that they are
// complete, by language: the ones written since they were last translated.
func Lacks() (map[string][]string, error) {
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

// Vocabulary returns the text that says how common the words of a tile set's
// language are ("english"), for lexicon.ReadVocabulary.
func Vocabulary(name string) ([]byte, error) {
	return unzip(read(words, "vocabularies", name, ".txt.gz"))
}

// Vocabularies lists the names that Vocabulary takes.
func Vocabularies() []string { return names(words, "vocabularies", ".txt.gz") }

// Declaration returns how often each word, in lower case, stands in the Universal Declaration
// of Human Rights in a language ("es"); nil where it isn't known.
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

// Languages lists the codes that Language takes.
func Languages() []string { return names(files, "languages", ".json") }

// TileSet returns the text of a tile set ("english"), for game.ParseTileSet.
func TileSet(name string) (string, error) {
	b, err := read(files, "tilesets", name, ".tsv")
	return string(b), err
}

// Confusables returns the characters that look like others, for names: a line has a
// character, a tab, and what it looks like (UTS 39).
func Confusables() string { return confusables }

// Layout returns the text of a board layout ("standard-15"), for game.ParseLayout.
func Layout(name string) (string, error) {
	b, err := read(files, "layouts", name, ".txt")
	return string(b), err
}

// Layouts lists the names that Layout takes.
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
	return fmt.Errorf("no %q among the %s that come with the program (%s): %w", name, dir, strings.Join(there, ", "), fs.ErrNotExist)
}

func names(from embed.FS, dir, ext string) []string {
	entries, _ := from.ReadDir(dir) // an embedded folder is always there
	var out []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ext); ok {
			out = append(out, name)
		}
	}
	return out
}
