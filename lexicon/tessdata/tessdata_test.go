package tessdata_test

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/lexicon/tessdata"
)

// An edge is an edge of a word graph.
type edge struct {
	letter, next int
	ends, last   bool
}

// traineddata returns a file with the words of a graph, between parts that this package doesn't
// read.
func traineddata(letters string, edges ...edge) []byte {
	names := strings.Split(letters, " ")
	size := 0 // bits of a letter
	for 1<<size <= len(names) {
		size++
	}
	graph := binary.LittleEndian.AppendUint16(nil, 42)
	graph = binary.LittleEndian.AppendUint32(graph, uint32(len(names)))
	graph = binary.LittleEndian.AppendUint32(graph, uint32(len(edges)))
	for _, e := range edges {
		word := uint64(e.letter) | uint64(e.next)<<(size+3)
		if e.last {
			word |= 1 << size
		}
		if e.ends {
			word |= 4 << size
		}
		graph = binary.LittleEndian.AppendUint64(graph, word)
	}
	const parts = 24
	file := binary.LittleEndian.AppendUint32(nil, parts)
	var body []byte
	for i := range parts {
		part := map[int][]byte{17: []byte("net"), 19: graph, 21: []byte(string(rune('0'+len(names))) + "\n" + strings.Join(names, " 3 Latin\n") + " 3 Latin\n"), 23: []byte("4.0")}[i]
		if part == nil {
			file = binary.LittleEndian.AppendUint64(file, ^uint64(0))
			continue
		}
		file = binary.LittleEndian.AppendUint64(file, uint64(4+8*parts+len(body)))
		body = append(body, part...)
	}
	return append(file, body...)
}

// small has hat, ház, házak and á alone: á is a separate letter, and "NULL" stands for no text.
func small() []byte {
	return traineddata("NULL h a t á z k",
		edge{letter: 1, next: 2}, edge{letter: 4, ends: true, last: true},
		edge{letter: 2, next: 4}, edge{letter: 4, next: 5, last: true},
		edge{letter: 3, ends: true, last: true},
		edge{letter: 5, next: 6, ends: true, last: true},
		edge{letter: 2, next: 7, last: true},
		edge{letter: 6, ends: true, last: true})
}

func TestWords(t *testing.T) {
	words, err := tessdata.Words(small())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(slices.Collect(words), " "), "hat ház házak á"; got != want {
		t.Errorf("the words are %s, want %s", got, want)
	}
	for w := range words {
		if w != "hat" {
			t.Errorf("the first is %s", w)
		}
		break
	}
}

// TestOtherFilesAreRejected checks that other files are rejected, and that a graph with a cycle
// terminates.
func TestOtherFilesAreRejected(t *testing.T) {
	whole := small()
	for n := range whole {
		if words, err := tessdata.Words(whole[:n]); err == nil && len(slices.Collect(words)) != 4 {
			t.Errorf("%d bytes of %d were read: %v", n, len(whole), slices.Collect(words))
		}
	}
	for name, file := range map[string][]byte{"text": []byte("a list of words\nof any sort\n"), "no parts": make([]byte, 400)} {
		if _, err := tessdata.Words(file); err != tessdata.ErrNoWords {
			t.Errorf("%s: %v", name, err)
		}
	}
	round, err := tessdata.Words(traineddata("NULL a", edge{letter: 1, ends: true, last: true, next: 1}, edge{letter: 1, next: 1, ends: true, last: true}))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(slices.Collect(round)); n != 64 {
		t.Errorf("a graph that leads back to itself has %d words", n)
	}
}

func FuzzWords(f *testing.F) {
	f.Add(small())
	f.Fuzz(func(t *testing.T, file []byte) {
		words, err := tessdata.Words(file)
		if err != nil {
			return
		}
		n := 0
		for range words {
			if n++; n == 1000 {
				break
			}
		}
	})
}
