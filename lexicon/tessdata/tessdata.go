// Package tessdata lists the words that the text recognition Tesseract knows of a
// language: hundreds of thousands, as they stand in texts of the web, misspellings and
// names among them. They are in the files .traineddata, which Debian packages for a
// hundred languages (tesseract-ocr-hun).
package tessdata

import (
	"bytes"
	"encoding/binary"
	"errors"
	"iter"
	"math/bits"
	"strconv"
	"strings"
)

// The parts of a file that words are in, by their numbers: the graph of the words, and
// the characters that its letters stand for.
const (
	wordGraph  = 19 // lstm-word-dawg
	characters = 21 // lstm-unicharset
	mostParts  = 64
)

// ErrNoWords says that a file is no .traineddata of Tesseract 4 or later, or has no words.
var ErrNoWords = errors.New("it has no words of Tesseract 4 or later")

// Words goes through the words in a file. The error is [ErrNoWords].
func Words(file []byte) (iter.Seq[string], error) {
	graph, names := part(file, wordGraph), part(file, characters)
	letters := readLetters(names)
	d, ok := readDawg(graph)
	if !ok || len(letters) == 0 {
		return nil, ErrNoWords
	}
	return func(yield func(string) bool) {
		w := walk{d, letters, mostSteps, yield}
		w.on(0, make([]string, 0, longest))
	}, nil
}

// part returns one part of a file, nil where there is none: a table at the beginning says at
// which byte each begins, and they end where another does.
func part(file []byte, number int) []byte {
	if len(file) < 4 {
		return nil
	}
	n := int(binary.LittleEndian.Uint32(file))
	table := file[4:]
	if n <= number || n > mostParts || len(table) < 8*n {
		return nil
	}
	at := func(i int) int64 { return int64(binary.LittleEndian.Uint64(table[8*i:])) } // below 0 for none
	from, to := at(number), int64(len(file))
	for i := range n {
		if next := at(i); next > from && next < to {
			to = next
		}
	}
	if from < 0 || from > to {
		return nil
	}
	return file[from:to]
}

// readLetters returns the characters by their numbers: how many there are on the first line,
// and one on each of the others, with what is told of it behind.
func readLetters(text []byte) []string {
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	n, err := strconv.Atoi(string(bytes.TrimSpace(first)))
	if err != nil {
		return nil
	}
	var all []string
	for line := range bytes.Lines(rest) {
		name, _, _ := strings.Cut(strings.TrimRight(string(line), "\r\n"), " ")
		if all = append(all, name); len(all) == n {
			return all
		}
	}
	return nil
}

// A dawg is a graph of words. Its edges lie one after another, those from one place
// together and the last of them marked; a place is the number of its first edge.
type dawg struct {
	edges  []byte // of 8 bytes each
	letter int    // bits of an edge that say which letter it is; flags come next, then the place that it leads to
}

const (
	magic    = 42
	isLast   = 1 << 0 // flags of an edge
	endsWord = 1 << 2
	flagBits = 3
	longest  = 64 // letters of a word
)

func readDawg(b []byte) (d dawg, ok bool) {
	const header = 2 + 4 + 4
	if len(b) < header || binary.LittleEndian.Uint16(b) != magic {
		return dawg{}, false
	}
	letters, edges := binary.LittleEndian.Uint32(b[2:]), binary.LittleEndian.Uint32(b[6:])
	if b = b[header:]; letters == 0 || edges == 0 || uint64(len(b)) < 8*uint64(edges) {
		return dawg{}, false
	}
	return dawg{b[:8*int(edges)], bits.Len32(letters)}, true // the bits of a number up to letters, which isn't one
}

// A walk goes through the words of a graph.
type walk struct {
	dawg
	letters []string
	steps   int // steps left; bounds the walk if the graph has a cycle
	yield   func(string) bool
}

const mostSteps = 1 << 26

// on yields the words that begin with some letters and go on from a place; false says that
// nobody wants more.
func (w *walk) on(place int, word []string) bool {
	for at := place; 8*at < len(w.edges) && w.steps > 0; at++ {
		w.steps--
		edge := binary.LittleEndian.Uint64(w.edges[8*at:])
		letter, flags, next := int(edge&(1<<w.letter-1)), edge>>w.letter, int(edge>>(w.letter+flagBits))
		if letter < len(w.letters) && len(word) < longest {
			word := append(word, w.letters[letter])
			if flags&endsWord != 0 && !w.yield(strings.Join(word, "")) {
				return false
			}
			if next > 0 && !w.on(next, word) {
				return false
			}
		}
		if flags&isLast != 0 {
			return true
		}
	}
	return true
}
