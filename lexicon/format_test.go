package lexicon_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/bits"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/lexicon"
)

var partRow = regexp.MustCompile(`(?m)^\| ([a-z]+) \| ([^|]+) \| ([^|]*) \|$`)

// TestFormatPageMatchesFiles parses compiled lists part by part as the table in
// data/formats/lexicon.md says and checks their words, with few letters and with many.
func TestFormatPageMatchesFiles(t *testing.T) {
	page, err := os.ReadFile("../data/formats/lexicon.md")
	gametest.Must(t, err)
	rows := partRow.FindAllStringSubmatch(string(page), -1)
	rows = slices.DeleteFunc(rows, func(row []string) bool { return row[1] == "part" }) // skip the heading
	if len(rows) < 10 {
		t.Fatalf("the page has %d parts", len(rows))
	}
	many := make([]string, 45)
	for i := range many {
		many[i] = fmt.Sprintf("%c%c", 'A'+i/26, 'A'+i%26)
	}
	for _, list := range []struct{ letters, words []string }{
		{strings.Split("ABCDEFGHIJKLMNOPQRSTUVWXYZ", ""), strings.Fields("AA AB ABA CAB CABS HORN HORNS SHORN ZA")},
		{many, []string{"AAAB", "AABS", "BSBSBS", "ABAAAB"}},
	} {
		alphabet, err := lexicon.NewAlphabet(list.letters)
		gametest.Must(t, err)
		x, err := lexicon.Build("small", alphabet, strings.NewReader(strings.Join(list.words, "\n")))
		gametest.Must(t, err)
		var file bytes.Buffer
		if _, err := x.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		r := pageReader{rest: file.Bytes(), size: file.Len(), texts: map[string][]string{}, numbers: map[string]uint32{}, bytes: map[string][]byte{}}
		for _, row := range rows {
			if err := r.part(row[1], row[2]); err != nil {
				t.Fatalf("%s: %v", row[1], err)
			}
			if row[1] == "check" {
				if got := crc32.Checksum(r.rest, crc32.MakeTable(crc32.Castagnoli)); got != r.numbers["check"] {
					t.Errorf("the check is %x, %x in the file", got, r.numbers["check"])
				}
			}
		}
		if len(r.rest) > 0 {
			t.Errorf("%d bytes are left, of which the page says nothing", len(r.rest))
		}
		for part, want := range map[string]string{"magic": string(r.bytes["magic"]), "version": fmt.Sprint(r.numbers["version"])} {
			i := slices.IndexFunc(rows, func(row []string) bool { return row[1] == part })
			if i < 0 || rows[i][3] != "`"+want+"`" {
				t.Errorf("the %s is %s, the page says otherwise", part, want)
			}
		}
		if got := r.texts["alphabet"]; !slices.Equal(got, list.letters) || r.texts["name"][0] != "small" {
			t.Errorf("%q, with the letters %q", r.texts["name"], got)
		}
		var forward, outwards []string
		r.walk(r.numbers["forward"], nil, func(w []int) { forward = append(forward, r.spelled(w)) })
		r.walk(r.numbers["gaddag"], nil, func(w []int) {
			turn := slices.Index(w, 0)
			if turn < 0 {
				turn = len(w)
			}
			head, tail := slices.Clone(w[:turn]), w[min(turn+1, len(w)):]
			slices.Reverse(head)
			outwards = append(outwards, r.spelled(append(head, tail...)))
		})
		var want []string
		ways := 0
		for w := range x.Words() {
			want = append(want, alphabet.String(w))
			ways += len(w)
		}
		slices.Sort(forward)
		slices.Sort(want)
		if !slices.Equal(forward, want) || int(r.numbers["words"]) != len(want) {
			t.Errorf("%q come out, the list has %q", forward, want)
		}
		if n := len(outwards); n != ways {
			t.Errorf("%d ways through the GADDAG, want %d", n, ways)
		}
		slices.Sort(outwards)
		if !slices.Equal(slices.Compact(outwards), want) {
			t.Errorf("%q come out of the GADDAG, the list has %q", outwards, want)
		}
		if got := slices.Sorted(slices.Values(r.jumbles())); !slices.Equal(got, want) {
			t.Errorf("%q come out by their letters, the list has %q", got, want)
		}
		sum := sha256.New()
		for w := range x.Words() {
			sum.Write([]byte(alphabet.String(w) + "\n"))
		}
		if !bytes.Equal(sum.Sum(nil), r.bytes["hash"]) {
			t.Errorf("the hash is %x", r.bytes["hash"])
		}
	}
}

// A pageReader parses a file as a page describes it.
type pageReader struct {
	rest    []byte
	size    int // size of the file
	texts   map[string][]string
	numbers map[string]uint32
	bytes   map[string][]byte
	cells   []uint32
}

func (r *pageReader) take(n int) []byte {
	n = min(n, len(r.rest))
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *pageReader) part(name, how string) error {
	text := func() {
		n := r.take(1)
		if len(n) == 1 {
			r.texts[name] = append(r.texts[name], string(r.take(int(n[0]))))
		}
	}
	switch how {
	case "text":
		text()
	case "a text each":
		for range r.numbers["letters"] {
			text()
		}
	case "0 to 7":
		r.bytes[name] = r.take(-(r.size - len(r.rest)) & 7)
	case "4 each", "8 each", "1 each", "letters":
		n := 0
		switch name {
		case "lengths":
			n = 4 * 20
		case "filter":
			n = 8 * r.blocks(22)
		case "graph":
			n = 4 * int(r.numbers["cells"])
		case "buckets":
			n = 4 * (r.blocks(22) + 22)
		case "tags":
			n = int(r.numbers["words"])
		case "texts":
			n = len(r.rest)
		}
		r.bytes[name] = r.take(n)
		for i := 0; name == "graph" && i < n; i += 4 {
			r.cells = append(r.cells, binary.LittleEndian.Uint32(r.bytes[name][i:]))
		}
	default:
		n, err := strconv.Atoi(how)
		if err != nil {
			return err
		}
		r.bytes[name] = r.take(n)
		if n == 1 || n == 4 {
			r.numbers[name] = binary.LittleEndian.Uint32(append(slices.Clone(r.bytes[name]), 0, 0, 0)[:4])
		}
	}
	return nil
}

// length returns the number of words of n letters.
func (r *pageReader) length(n int) int {
	if n < 2 {
		return 0
	}
	return int(binary.LittleEndian.Uint32(r.bytes["lengths"][4*(n-2):]))
}

// blocks returns the number of blocks for words of fewer than n letters.
func (r *pageReader) blocks(n int) int {
	sum := 0
	for i := range n {
		size := 1
		for size < r.length(i)/5 {
			size *= 2
		}
		sum += size
	}
	return sum
}

// jumbles returns the words found by their letters.
func (r *pageReader) jumbles() (all []string) {
	tags, texts := r.bytes["tags"], r.bytes["texts"]
	for n := range 22 {
		first, blocks := r.blocks(n), r.blocks(n+1)-r.blocks(n)
		begin := func(i int) int { return int(binary.LittleEndian.Uint32(r.bytes["buckets"][4*(first+n+i):])) }
		if begin(blocks) != r.length(n) {
			return nil
		}
		for i := range blocks {
			filter := binary.LittleEndian.Uint64(r.bytes["filter"][8*(first+i):])
			for k := begin(i); k < begin(i+1); k++ {
				sum := uint64(0)
				var word []int
				for _, l := range texts[k*n:][:n] {
					c := uint64(l+1) * 0x9e3779b97f4a7c15
					c = (c ^ c>>30) * 0xbf58476d1ce4e5b9
					c = (c ^ c>>27) * 0x94d049bb133111eb
					sum += c ^ c>>31
					word = append(word, int(l))
				}
				in, _ := bits.Mul64(sum, uint64(blocks)) // the highest bits
				if int(in) == i && byte(sum>>24) == tags[k] && filter>>(sum&63)&(filter>>(sum>>6&63))&(filter>>(sum>>12&63))&1 == 1 {
					all = append(all, r.spelled(word))
				}
			}
		}
		tags, texts = tags[r.length(n):], texts[n*r.length(n):]
	}
	return all
}

// walk visits the words that the nodes from a place on spell; 0 is a turn.
func (r *pageReader) walk(place uint32, before []int, word func([]int)) {
	c := r.cells
	var next, ends uint64
	var places []uint32
	switch {
	case r.numbers["letters"] > 29:
		next, ends = uint64(c[place])|uint64(c[place+1])<<32, uint64(c[place+2])|uint64(c[place+3])<<32
		places = c[place+4:]
	default:
		head := c[place]
		places = c[place+1:]
		if head>>31 == 1 {
			ends, places = uint64(c[place+1]), c[place+2:]
		}
		next = uint64(head & (1<<30 - 1))
		if head>>30&1 == 1 {
			next, places = 1<<(head>>24&31), []uint32{head}
		}
	}
	for l := range 64 {
		if ends>>l&1 == 1 {
			word(append(slices.Clone(before), l))
		}
		if next>>l&1 == 1 {
			nth := bits.OnesCount64(next & (1<<l - 1))
			r.walk(places[nth]&(1<<24-1), append(slices.Clone(before), l), word)
		}
	}
}

func (r *pageReader) spelled(letters []int) string {
	var b strings.Builder
	for _, l := range letters {
		b.WriteString(r.texts["alphabet"][l-1])
	}
	return b.String()
}
