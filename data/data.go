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
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

//go:generate go run ./mkwords
//go:generate go run ./mkvocabulary
//go:generate go run ./mkleaves

//go:embed SOURCES.md
//go:embed languages/*.json
//go:embed lexicons/*.lex tilesets/*.tsv layouts/*.txt fonts/*.ttf
//go:embed vocabularies/*.txt.gz leaves/*.leaves
//go:embed licenses/*.txt
var files embed.FS

// Lexicon is a compiled word list ("en"), for lexicon.Open. The error wraps
// [fs.ErrNotExist] and names the lists there are.
func Lexicon(name string) ([]byte, error) { return read("lexicons", name, ".lex") }

// LexiconFile is the file of that, for lexicon.OpenSound.
func LexiconFile(name string) (fs.File, error) { return files.Open("lexicons/" + name + ".lex") }

// Lexicons lists the names that Lexicon takes.
func Lexicons() []string { return names("lexicons", ".lex") }

// Vocabulary is the text that says how common the words of a tile set's
// language are ("english"), for lexicon.ReadVocabulary.
func Vocabulary(name string) ([]byte, error) {
	packed, err := read("vocabularies", name, ".txt.gz")
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// Leaves are the leave values of a tile set ("english"), for robot.OpenLeaves.
func Leaves(name string) ([]byte, error) { return read("leaves", name, ".leaves") }

// Language is the file of a language ("es"), for language.Parse.
func Language(code string) ([]byte, error) { return read("languages", code, ".json") }

// Languages lists the codes that Language takes.
func Languages() []string { return names("languages", ".json") }

// TileSet is the text of a tile set ("english"), for game.ParseTileSet.
func TileSet(name string) (string, error) {
	b, err := read("tilesets", name, ".tsv")
	return string(b), err
}

// Layout is the text of a board layout ("standard-15"), for game.ParseLayout.
func Layout(name string) (string, error) {
	b, err := read("layouts", name, ".txt")
	return string(b), err
}

// Layouts lists the names that Layout takes.
func Layouts() []string { return names("layouts", ".txt") }

// Font is a font file ("Inter-Bold"), for imaging.Fonts.
func Font(name string) ([]byte, error) { return read("fonts", name, ".ttf") }

func read(dir, name, ext string) ([]byte, error) {
	b, err := files.ReadFile(path.Join(dir, name+ext))
	if err != nil {
		return nil, fmt.Errorf("no %q among the %s that come with the program (%s): %w", name, dir, strings.Join(names(dir, ext), ", "), fs.ErrNotExist)
	}
	return b, nil
}

func names(dir, ext string) []string {
	entries, _ := files.ReadDir(dir) // an embedded folder is always there
	var out []string
	for _, e := range entries {
		out = append(out, strings.TrimSuffix(e.Name(), ext))
	}
	return out
}
