package lexicon_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/lexicon"
)

func saved(tb testing.TB, x *lexicon.Lexicon) []byte {
	tb.Helper()
	var b bytes.Buffer
	if _, err := x.WriteTo(&b); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

func TestSaveOpenRoundTrip(t *testing.T) {
	a := alphabet(t, "A", "L", "L·L", "LL", "M", "Ñ")
	x := build(t, a, "LLAMA", "AL·LA", "MAÑA")
	file := saved(t, x)
	y, err := lexicon.Open(file)
	gametest.Must(t, err)
	clear(file) // the lexicon must not use it
	if y.Name() != x.Name() || y.Hash() != x.Hash() || y.Len() != x.Len() || !y.Alphabet().Equal(a) ||
		!slices.Equal(slices.Collect(y.Words()), slices.Collect(x.Words())) {
		t.Errorf("%s %s %d came back", y.Name(), y.Hash(), y.Len())
	}
	if !bytes.Equal(saved(t, y), saved(t, x)) {
		t.Error("saved again, the file differs")
	}
}

func TestOpenErrors(t *testing.T) {
	file := saved(t, build(t, english(t), strings.Fields(animals)...))
	for n := range file {
		_, err := lexicon.Open(file[:n])
		want := lexicon.ErrDamaged
		if n < 7 {
			want = lexicon.ErrNotLexicon
		}
		if !errors.Is(err, want) {
			t.Fatalf("cut to %d bytes: %v; want %v", n, err, want)
		}
	}
	for n := range file {
		broken := bytes.Clone(file)
		broken[n] ^= 0x10
		want := lexicon.ErrDamaged
		switch {
		case n < 7:
			want = lexicon.ErrNotLexicon
		case n == 7:
			want = lexicon.ErrVersion
		}
		if _, err := lexicon.Open(broken); !errors.Is(err, want) {
			t.Fatalf("byte %d changed: %v; want %v", n, err, want)
		}
	}
	if _, err := lexicon.Open(append(file, 0)); !errors.Is(err, lexicon.ErrDamaged) {
		t.Errorf("with a byte more: %v", err)
	}
	if _, err := lexicon.Open([]byte("AA\nAAH\nAAHED\n")); !errors.Is(err, lexicon.ErrNotLexicon) {
		t.Errorf("the list itself: %v", err)
	}
}

// FuzzOpen checks that errors in a file are either detected on opening or harmless. It corrects the
// checksum, so that the rest is tested.
func FuzzOpen(f *testing.F) {
	seeds := [][]byte{
		saved(f, build(f, english(f), strings.Fields(animals)...)),
		saved(f, build(f, english(f))),
		saved(f, build(f, alphabet(f, "A", "L", "L·L", "LL"), "ALLA", "AL·LA")),
		saved(f, build(f, alphabet(f, strings.Split("ABCDEFGHIJKLMNOPQRSTUVWXYZÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏ", "")...), "AB", "ÎÏ", "AÏ")),
	}
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		if len(file) > 12 {
			binary.LittleEndian.PutUint32(file[8:], crc32.Checksum(file[12:], crc32.MakeTable(crc32.Castagnoli)))
		}
		x, err := lexicon.Open(file)
		if err != nil {
			if !errors.Is(err, lexicon.ErrNotLexicon) && !errors.Is(err, lexicon.ErrVersion) && !errors.Is(err, lexicon.ErrDamaged) {
				t.Errorf("unknown error %v", err)
			}
			return
		}
		n := 0
		for w := range x.Words() {
			if !x.Has(w) {
				t.Errorf("has no %q, which it lists", w)
			}
			x.Hooks(w)
			sum := uint64(0)
			for i := range len(w) {
				sum += x.Jumbles().Code(lexicon.Letter(w[i]))
			}
			spelt := x.Jumbles().Of(len(w)).Words(sum)
			for spelt.Next() != nil {
			}
			for range x.Anagrams(w, 0) {
				break
			}
			if n++; n == 100 {
				break
			}
		}
		if !bytes.Equal(saved(t, x), file) && file[7] == 3 {
			t.Error("saved again, the file differs")
		}
	})
}

// TestInPlaceAndOldFiles checks that a file can be used in place without memory for its
// cells, and that versions 1 and 2, which have only the graph, can be read.
func TestInPlaceAndOldFiles(t *testing.T) {
	x := many(t)
	file := saved(t, x)
	same := func(what string, y *lexicon.Lexicon, err error) {
		t.Helper()
		if err != nil || y.Name() != x.Name() || y.Hash() != x.Hash() || y.Len() != x.Len() || !bytes.Equal(saved(t, y), file) {
			t.Errorf("%s: %v", what, err)
		}
	}
	var y *lexicon.Lexicon
	var err error
	took := uint64(math.MaxUint64) // minimum of several, because the runtime allocates now and then
	for range 5 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		y, err = lexicon.OpenInPlace(file)
		runtime.ReadMemStats(&after)
		took = min(took, after.TotalAlloc-before.TotalAlloc)
	}
	if took > uint64(len(file))/8 {
		t.Errorf("a file of %d bytes takes %d more", len(file), took)
	}
	same("in place", y, err)
	cells := int(binary.LittleEndian.Uint32(file[headLen(x)-4:]))
	graph := file[len(file)-afterGraph(x)-4*cells:][:4*cells]
	for version, space := range map[byte]int{1: 0, 2: -headLen(x) & 3} {
		old := slices.Concat(file[:headLen(x)], make([]byte, space), graph)
		old[7] = version
		binary.LittleEndian.PutUint32(old[8:], crc32.Checksum(old[12:], crc32.MakeTable(crc32.Castagnoli)))
		y, err = lexicon.Open(old)
		same(fmt.Sprintf("of version %d", version), y, err)
		y, err = lexicon.OpenInPlace(old)
		same(fmt.Sprintf("of version %d, in place", version), y, err)
	}

	for _, at := range []int{1, 9, 40, len(file) / 2, len(file) - 1} {
		broken := bytes.Clone(file)
		broken[at] ^= 0x10
		if _, err := lexicon.OpenInPlace(broken); err == nil {
			t.Errorf("byte %d changed, and nobody saw", at)
		}
		if _, err := lexicon.OpenInPlace(file[:at]); err == nil {
			t.Errorf("cut to %d bytes, and nobody saw", at)
		}
	}
	for at, with := range map[int]byte{
		len(file) - 1:                 0,    // not a letter
		len(file) - 2:                 0x7f, // not a letter of the alphabet
		len(file) - afterGraph(x) + 1: 1,    // the first bucket starts after its words
		headLen(x):                    1,    // other lengths
		headLen(x) + 3:                0x7f,
		len(file) - afterGraph(x) + 4*(1<<15) + 3: 0xff,
	} {
		broken := bytes.Clone(file)
		broken[at] = with
		binary.LittleEndian.PutUint32(broken[8:], crc32.Checksum(broken[12:], crc32.MakeTable(crc32.Castagnoli)))
		if _, err := lexicon.Open(broken); !errors.Is(err, lexicon.ErrDamaged) {
			t.Errorf("byte %d of %d is %d: %v", at, len(file), with, err)
		}
	}
	var packed bytes.Buffer
	if _, err := x.WritePackedTo(&packed); err != nil {
		t.Fatal(err)
	}
	y, err = lexicon.OpenInPlace(packed.Bytes())
	same("packed", y, err)
}

// headLen returns the size of the part of a file before the lengths of words.
func headLen(x *lexicon.Lexicon) int {
	n := 12 + 1 + len(x.Name()) + 1 + 4 + 32 + 4 + 4 + 4
	for l := range x.Alphabet().Len() {
		n += 1 + len(x.Alphabet().Text(lexicon.Letter(l+1)))
	}
	return n
}

// afterGraph returns the size of the part of a file after the graph: the words by their letters,
// without the filter.
func afterGraph(x *lexicon.Lexicon) int {
	blocks, letters := 0, 0
	var lengths [lexicon.MaxWord + 1]int
	for w := range x.Words() {
		lengths[len(w)]++
		letters += len(w)
	}
	for _, n := range lengths {
		size := 1
		for size < n/5 {
			size *= 2
		}
		blocks += size
	}
	return 4*(blocks+len(lengths)) + x.Len() + letters
}

// FuzzBuild checks that a list is rejected with a line number, or has all its words.
func FuzzBuild(f *testing.F) {
	f.Add("AE\nFARM\n")
	f.Add("\ufeff# x\r\nhorn\r\n\r\nhorns")
	f.Add("ALLA\nAL·LA\n[l][l]A")
	f.Add("A\n")
	f.Fuzz(func(t *testing.T, list string) {
		a := alphabet(t, append(strings.Split("ABCDEFGHIJKLMNOPQRSTUVWXYZ", ""), "LL", "L·L")...)
		x, err := lexicon.Build("fuzz", a, strings.NewReader(list))
		if err != nil {
			var bad *lexicon.LineError
			if !errors.As(err, &bad) || bad.Line < 1 || bad.Line > strings.Count(list, "\n")+1 {
				t.Errorf("%v", err)
			}
			return
		}
		want := map[lexicon.Word]bool{}
		for line := range strings.SplitSeq(strings.TrimPrefix(list, "\ufeff"), "\n") {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				want[parse(t, a, line)] = true
			}
		}
		got := slices.Collect(reopen(t, x).Words())
		if len(got) != len(want) || !slices.IsSorted(got) {
			t.Errorf("%d words, want %d", len(got), len(want))
		}
		for _, w := range got {
			if !want[w] {
				t.Errorf("%q was not in the list", w)
			}
		}
	})
}
