package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/robot"
	"github.com/rackmate/rackmate/imaging"
	"github.com/rackmate/rackmate/lexicon"
)

// standard is the board and tiles that everything is played with by default.
func standard() (game.Equipment, error) {
	text, err := data.Layout("standard-15")
	if err != nil {
		return game.Equipment{}, err
	}
	layout, err := game.ParseLayout("standard-15", text)
	if err != nil {
		return game.Equipment{}, err
	}
	if text, err = data.TileSet("english"); err != nil {
		return game.Equipment{}, err
	}
	tiles, err := game.ParseTileSet("english", text)
	return game.Equipment{Layout: layout, Tiles: tiles}, err
}

// layouts are all the boards that come with the program.
func layouts() ([]game.Layout, error) {
	var all []game.Layout
	for _, name := range data.Layouts() {
		text, err := data.Layout(name)
		if err != nil {
			return nil, err
		}
		l, err := game.ParseLayout(name, text)
		if err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	return all, nil
}

// defaultLexicon is the list that is used where none is named.
const defaultLexicon = "en"

// workLexicon is the list that is used instead where people play at work: the
// same without vulgar words.
const workLexicon = "en-clean"

// openLexicon opens a list that comes with the program, by its name, or one
// that "rackmate lexicon build" made, by its file.
func openLexicon(nameOrFile string) (*lexicon.Lexicon, error) {
	var file []byte
	var err error
	if slices.Contains(data.Lexicons(), nameOrFile) {
		file, err = data.Lexicon(nameOrFile)
	} else if file, err = os.ReadFile(nameOrFile); os.IsNotExist(err) {
		return nil, fmt.Errorf("there is no word list %q: name one of %v, or a file that \"rackmate lexicon build\" made", nameOrFile, data.Lexicons())
	}
	if err != nil {
		return nil, fmt.Errorf("read word list: %w", err)
	}
	lex, err := lexicon.Open(file)
	if err != nil {
		return nil, fmt.Errorf("open word list %s: %w", filepath.Base(nameOrFile), err)
	}
	return lex, nil
}

// openLexicons opens the lists that come with the program, and those in files.
func openLexicons(files []string) ([]*lexicon.Lexicon, error) {
	var all []*lexicon.Lexicon
	for _, name := range slices.Concat([]string{defaultLexicon}, data.Lexicons(), files) {
		lex, err := openLexicon(name)
		if err != nil {
			return nil, err
		}
		switch i := slices.IndexFunc(all, func(l *lexicon.Lexicon) bool { return l.Name() == lex.Name() }); {
		case i < 0:
			all = append(all, lex)
		case all[i].Hash() != lex.Hash():
			return nil, fmt.Errorf("%s holds a word list called %q, and there is another of that name: build it under a name of its own", name, lex.Name())
		}
	}
	return all, nil
}

// newMind makes the mind of the robots that play by a list.
func newMind(nameOrFile string, eq game.Equipment) (*robot.Mind, error) {
	lex, err := openLexicon(nameOrFile)
	if err != nil {
		return nil, err
	}
	known, err := vocabulary(eq.Tiles)
	if err != nil {
		return nil, err
	}
	minds, err := newMinds([]*lexicon.Lexicon{lex}, eq, known)
	if err != nil {
		return nil, err
	}
	return minds(lex), nil
}

// newMinds makes the minds of the robots that play by lists: one for each.
// Where v is nil nothing is known of how common words are.
func newMinds(lists []*lexicon.Lexicon, eq game.Equipment, v *lexicon.Vocabulary) (func(*lexicon.Lexicon) *robot.Mind, error) {
	leaves, err := openLeaves(eq.Tiles)
	if err != nil {
		return nil, err
	}
	minds := map[*lexicon.Lexicon]*robot.Mind{}
	for _, lex := range lists {
		known := v
		if !lex.Alphabet().Equal(eq.Tiles.Alphabet()) {
			known = nil // it is of another language
		}
		minds[lex] = robot.NewMind(lex, known, leaves)
	}
	return func(lex *lexicon.Lexicon) *robot.Mind { return minds[lex] }, nil
}

// vocabulary says how common the words of a tile set's language are, where that
// comes with the program; otherwise it is nil.
func vocabulary(set *game.TileSet) (*lexicon.Vocabulary, error) {
	text, err := data.Vocabulary(set.Name())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return lexicon.ReadVocabulary(set.Alphabet(), bytes.NewReader(text))
}

// common lists a word list's words to print on a board. Where v is nil there are
// none.
func common(v *lexicon.Vocabulary) func(*lexicon.Lexicon) []lexicon.Word {
	return func(lex *lexicon.Lexicon) []lexicon.Word {
		if v == nil {
			return nil
		}
		return v.Common(lex, lexicon.Everyday, game.ShortestPrinted, game.LongestPrinted)
	}
}

// openLeaves opens the leave values of a tile set that come with the program;
// where there are none it is nil.
func openLeaves(set *game.TileSet) (*robot.Leaves, error) {
	file, err := data.Leaves(set.Name())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return robot.OpenLeaves(set, file)
}

// newRenderer makes a renderer with the fonts that come with the program.
func newRenderer(theme string) (*imaging.Renderer, error) {
	t, err := imaging.ParseTheme(theme)
	if err != nil {
		return nil, err
	}
	fonts, err := fonts()
	if err != nil {
		return nil, err
	}
	return imaging.NewRenderer(t, fonts)
}

// fonts are the fonts that come with the program.
func fonts() (f imaging.Fonts, err error) {
	read := func(name string) []byte {
		b, e := data.Font(name)
		err = errors.Join(err, e)
		return b
	}
	f = imaging.Fonts{
		Tile:   read("AtkinsonHyperlegibleNext-Bold"),
		Text:   read("Inter-SemiBold"),
		Bold:   read("Inter-Bold"),
		Others: [][]byte{read("NotoSansHebrew-SemiBold"), read("NotoSansArabic-SemiBold"), read("NotoSansThai-SemiBold")},
		Light:  [][]byte{read("DroidSansFallback")},
	}
	return f, err
}
