// Package tessdata reads the words that the text recognition program Tesseract has for a language:
// hundreds of thousands from texts of the web, including misspellings and names. They are in
// .traineddata files, which Debian packages for a hundred languages (tesseract-ocr-hun).
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

// The numbers of the parts of a file that contain words: the word graph, and the characters of its
// letters.
const (
	wordGraph  = 19 // lstm-word-dawg
	characters = 21 // lstm-unicharset
	mostParts  = 64
)

// ErrNoWords reports a file that isn't a .traineddata of Tesseract 4 or later, or has no words.
var ErrNoWords = errors.New("it has no words of Tesseract 4 or later")

// Words returns an iterator over the words in a file. The error is [ErrNoWords].
func Words(file []byte) (iter.Seq[string], error) {
	graph, names := part(file, wordGraph), part(file, characters)
	letters := readLetters(names)
	d, ok := readDawg(graph)
	if !ok || len(letters) == 0 {
		return nil, ErrNoWords
	}
	return func(yield func(string) bool) {
		w := walk{d, letters, mostSteps, yield}
		w.walkFrom(0, make([]string, 0, longest))
	}, nil
}

// part returns one part of a file, or nil if it lacks it. A table at the start has the offset of
// each part; a part ends where another starts.
func part(file []byte, number int) []byte {
	if len(file) < 4 {
		return nil
	}
	n := int(binary.LittleEndian.Uint32(file))
	table := file[4:]
	if n <= number || n > mostParts || len(table) < 8*n {
		return nil
	}
	at := func(i int) int64 { return int64(binary.LittleEndian.Uint64(table[8*i:])) } // negative for none
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

// readLetters returns the characters by number. The first line has their count, and each other line
// one character followed by its properties.
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

// A dawg is a word graph. Its edges are stored in sequence; the edges of one place are adjacent,
// and the last of them is marked. A place is the number of its first edge.
type dawg struct {
	edges  []byte // 8 bytes each
	letter int    // bits of an edge for its letter, followed by flags and the place that it leads to
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
	return dawg{b[:8*int(edges)], bits.Len32(letters)}, true // bits of numbers below letters
}

// A walk visits the words of a graph.
type walk struct {
	dawg
	letters []string
	steps   int // steps left; bounds the walk if the graph has a cycle
	yield   func(string) bool
}

const mostSteps = 1 << 26

// walkFrom yields the words that start with some letters and continue from a place. It returns false if
// the caller has stopped.
func (w *walk) walkFrom(place int, word []string) bool {
	for at := place; 8*at < len(w.edges) && w.steps > 0; at++ {
		w.steps--
		edge := binary.LittleEndian.Uint64(w.edges[8*at:])
		letter, flags, next := int(edge&(1<<w.letter-1)), edge>>w.letter, int(edge>>(w.letter+flagBits))
		if letter < len(w.letters) && len(word) < longest {
			word := append(word, w.letters[letter])
			if flags&endsWord != 0 && !w.yield(strings.Join(word, "")) {
				return false
			}
			if next > 0 && !w.walkFrom(next, word) {
				return false
			}
		}
		if flags&isLast != 0 {
			return true
		}
	}
	return true
}
