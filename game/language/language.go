// Package language reads language files, which define how the game is played in a language: its tiles,
// how text becomes tiles, and the sources of the numbers.
//
// A file is JSON; data/languages has the shipped ones, and an operator can add others.
// [Language.Check] reports what is wrong with one.
package language

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// A Language is a language in which the game is played. It is immutable.
type Language struct {
	Code   string // such as "es", as in the names of word lists
	Name   string // English name
	Native string // native name
	Layout string // name of the board
	Rack   int    // tiles
	Bingo  int    // points for a whole rack
	Tiles  *game.TileSet
	Source string // source of the numbers

	box    box
	always []string
	seams  []seam
}

// A box holds the totals of the boxed game's tiles, to check a file.
type box struct {
	Tiles  int `json:"tiles"`
	Points int `json:"points"`
}

// A file is a language in stored form.
type file struct {
	Code   string `json:"code"`
	Name   string `json:"name"`
	Native string `json:"native"`
	Tiles  string `json:"tiles"` // name of the tile set
	Board  string `json:"board"`
	Rack   int    `json:"rack"`
	Bingo  int    `json:"bingo"`
	Reads  string `json:"reads"` // "left to right" or "right to left"
	Box    box    `json:"box"`
	Source string `json:"source"`

	// Accents is "fold" if É is E unless there is a tile É, and "own" if every accented letter is
	// distinct.
	Accents string            `json:"accents"`
	Fold    map[string]string `json:"fold,omitempty"`
	Typed   map[string]string `json:"typed,omitempty"`
	// Tiles of several letters that also exist as single tiles. Those in Always must be used
	// for their letters in every word, unless the word is marked; those in Both may be replaced
	// by single tiles.
	Always []string `json:"always,omitempty"`
	Both   []string `json:"both,omitempty"`
	// Words in which the letters of such a tile meet without forming it, marked with "|": see
	// Language.Mark.
	Seams []string `json:"seams,omitempty"`

	Letters []letter `json:"letters"`
	Blank   letter   `json:"blank"`
}

type letter struct {
	Tile  string `json:"tile,omitempty"`
	Count int    `json:"count"`
	Value int    `json:"value"`
	Vowel bool   `json:"vowel,omitempty"`
}

const rightToLeft, leftToRight = "right to left", "left to right"

var codeForm = regexp.MustCompile(`^[a-z]{2,3}(-[a-z0-9]{1,8})*$`)

// Parse parses a file. A valid file may still have errors: see [Language.Check].
func Parse(text []byte) (*Language, error) {
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		return nil, errors.New("language file: it is in UTF-16: save it as UTF-8")
	}
	var f file
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return nil, fmt.Errorf("language file: %w", err)
	}
	if !codeForm.MatchString(f.Code) {
		return nil, fmt.Errorf("language file: the code %q is not like es, or pt-br", f.Code)
	}
	fail := func(format string, args ...any) (*Language, error) {
		return nil, fmt.Errorf("language %s: %s", f.Code, fmt.Sprintf(format, args...))
	}
	if f.Accents != "fold" && f.Accents != "own" {
		return fail(`accents are "fold" or "own", not %q`, f.Accents)
	}
	if f.Reads != rightToLeft && f.Reads != leftToRight {
		return fail("reads is %q or %q, not %q", leftToRight, rightToLeft, f.Reads)
	}
	var letters []game.Kind
	for _, l := range f.Letters {
		letters = append(letters, game.Kind{Text: l.Tile, Count: l.Count, Value: l.Value, Vowel: l.Vowel})
	}
	tiles, err := game.NewTileSet(f.Tiles, letters, game.Kind{Count: f.Blank.Count, Value: f.Blank.Value})
	if err != nil {
		return fail("%v", err)
	}
	tiles = tiles.WithFolding(lexicon.Folding{Own: f.Accents == "own", Map: f.Fold, Typed: f.Typed, Both: f.Both})
	if tiles.RightToLeft() != (f.Reads == rightToLeft) {
		return fail("its letters aren't written %s", f.Reads)
	}
	var seams []seam
	for _, text := range f.Seams {
		seams = append(seams, newSeam(tiles.Alphabet(), text))
	}
	return &Language{
		Code: f.Code, Name: f.Name, Native: f.Native, Layout: f.Board, Rack: f.Rack, Bingo: f.Bingo,
		Tiles: tiles, Source: f.Source, box: f.Box, always: f.Always, seams: seams,
	}, nil
}

// Of returns the language of a word list, by the list's name: "es" for "es" and "es-clean". It
// returns nil if all lacks it.
func Of(list string, all []*Language) *Language {
	codes := make([]string, len(all))
	for i, l := range all {
		codes[i] = l.Code
	}
	if i := slices.Index(codes, CodeOf(list, codes)); i >= 0 {
		return all[i]
	}
	return nil
}

// CodeOf returns the longest of codes that a word list's name starts with, or "".
func CodeOf(list string, codes []string) string {
	for name := list; name != ""; name = name[:max(0, strings.LastIndexByte(name, '-'))] {
		if slices.Contains(codes, name) {
			return name
		}
	}
	return ""
}

// Mark returns a word of a list with "|" at its seams, where letters meet that would be read as
// one: DAN|GOS for the Welsh DANGOS. It knows the seams in the language's file. It leaves a word
// with marks or brackets unchanged.
func (l *Language) Mark(word string) string {
	if len(l.seams) == 0 || strings.ContainsAny(word, "|[") {
		return word
	}
	a := l.Tiles.Alphabet()
	folded := a.Fold(a.Upper(word))
	for _, seam := range l.seams {
		folded = seam.mark(folded)
	}
	if !strings.Contains(folded, "|") {
		return word
	}
	return folded
}

// A seam is a sequence of letters with marks, and where in a word it applies.
type seam struct {
	text, marked   string // in upper case, without and with marks
	inside, onward bool   // letters may precede it, or follow it
}

// newSeam parses a seam of a language's file: "dan|gos" is only that word, "in|jek*" all that start
// with it, "*dan|gos*" all that contain it.
func newSeam(a *lexicon.Alphabet, text string) seam {
	text, inside := strings.CutPrefix(text, "*")
	text, onward := strings.CutSuffix(text, "*")
	marked := a.Upper(text)
	return seam{strings.ReplaceAll(marked, "|", ""), marked, inside, onward}
}

func (s seam) String() string { return strings.ToLower(s.marked) }

// mark returns a word with the seam's marks if it applies.
func (s seam) mark(word string) string {
	switch {
	case s.inside && s.onward:
		return strings.ReplaceAll(word, s.text, s.marked)
	case s.inside && strings.HasSuffix(word, s.text):
		return strings.TrimSuffix(word, s.text) + s.marked
	case s.onward && strings.HasPrefix(word, s.text):
		return s.marked + strings.TrimPrefix(word, s.text)
	case word == s.text:
		return s.marked
	}
	return word
}

// Check returns the errors in a language, one sentence each: tiles that don't match the box's
// totals; letters that can't be typed or written in a record; words that can be read in two ways
// without a rule for it.
func (l *Language) Check() []string {
	var wrong []string
	add := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	if l.Name == "" || l.Native == "" || l.Source == "" {
		add("It has no name, no name in the language itself, or no source.")
	}
	all := l.Tiles.All()
	if got := (box{len(all), l.Tiles.Sum(all)}); got != l.box {
		add("Its tiles are %d with %d points; its box has %d with %d.", got.Tiles, got.Points, l.box.Tiles, l.box.Points)
	}
	if l.Rack < 2 || l.Rack > 12 || len(all) < 4*l.Rack {
		add("A rack of %d tiles can't be filled for four players out of %d.", l.Rack, len(all))
	}
	if l.Bingo < 0 || l.Bingo > 1000 {
		add("A bonus of %d points isn't possible: want 0 to 1000.", l.Bingo)
	}
	a := l.Tiles.Alphabet()
	for i := range a.Len() {
		l.checkLetter(lexicon.Letter(i+1), add)
	}
	for _, seam := range l.seams {
		apart, err := a.Parse(seam.marked)
		if together, err2 := a.Parse(seam.text); err != nil || err2 != nil || apart == together {
			add("The seam %s separates no letters that would be read as one.", seam)
		}
	}
	for what, table := range map[string]map[string]string{"fold": a.Folding().Map, "typed": a.Folding().Typed} {
		for from, to := range table {
			if _, err := a.Parse(to); err != nil && from != to {
				add("%s: %q stands for %q, which no tile has.", what, from, to)
			}
		}
	}
	slices.Sort(wrong)
	return wrong
}

// checkLetter reports the errors of a letter.
func (l *Language) checkLetter(n lexicon.Letter, add func(format string, args ...any)) {
	a := l.Tiles.Alphabet()
	text := a.Text(n)
	for _, typed := range []string{text, a.Lower(n)} {
		if w, err := a.Parse(typed); err != nil || w != lexicon.Word([]byte{byte(n)}) {
			add("The tile %s can't be typed: %q isn't read as it alone.", text, typed)
		}
	}
	for _, t := range []game.Tile{game.LetterTile(n), game.BlankAs(n)} {
		written := l.Tiles.Print(game.TilesOf(t))
		if back, err := l.Tiles.Parse(written); err != nil || back != game.TilesOf(t) {
			add("The tile %s can't be written: %q doesn't read as it.", text, written)
		}
	}
	if utf8.RuneCountInString(text) == 1 {
		return
	}
	single := true
	for _, r := range text {
		single = single && slices.ContainsFunc(l.Tiles.Kinds(), func(k game.Kind) bool { return k.Text == string(r) })
	}
	always, both := slices.Contains(l.always, text), slices.Contains(a.Folding().Both, text)
	switch {
	case single && always == both:
		add("A word with %s can be read in two ways: name it either among those that are always one tile, or among those that may be laid both ways.", text)
	case !single && both:
		add("%s can't be laid with single tiles, because one of them is missing.", text)
	}
}
