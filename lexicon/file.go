package lexicon

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

// A compiled lexicon is a file of our own:
//
//	magic     7 bytes
//	version   1 byte
//	check     4 bytes, CRC-32C of all that follows
//	name      a text: its length in a byte, then its bytes
//	alphabet  the number of letters in a byte, then a text for each
//	words     4 bytes, how many there are
//	hash      32 bytes, see [Lexicon.Hash]
//	forward   4 bytes, the place of the node that words begin at; see graph
//	gaddag    4 bytes, the same in the GADDAG
//	cells     4 bytes, how many there are, and 4 bytes for each
//
// Numbers are little-endian.
const (
	magic       = "rmwords"
	fileVersion = 1
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// WriteTo saves the lexicon as a file that [Open] reads.
func (x *Lexicon) WriteTo(w io.Writer) (int64, error) {
	le := binary.LittleEndian
	body := appendText(nil, x.name)
	body = append(body, byte(x.alphabet.Len()))
	for _, t := range x.alphabet.texts {
		body = appendText(body, t)
	}
	body = le.AppendUint32(body, uint32(x.words))
	body = append(body, x.hash[:]...)
	for _, n := range []uint32{x.forward, x.gaddag, uint32(len(x.cells))} {
		body = le.AppendUint32(body, n)
	}
	for _, c := range x.cells {
		body = le.AppendUint32(body, c)
	}
	head := le.AppendUint32([]byte(magic+string(rune(fileVersion))), crc32.Checksum(body, castagnoli))
	return bytes.NewReader(append(head, body...)).WriteTo(w)
}

func appendText(b []byte, s string) []byte { return append(append(b, byte(len(s))), s...) }

// What can be wrong with a compiled lexicon.
var (
	ErrNotLexicon = errors.New("not a compiled lexicon: compile the word list first")
	ErrVersion    = errors.New("compiled by another version of the program: compile the word list again")
	ErrDamaged    = errors.New("the compiled lexicon is damaged: copy it or compile it again")
)

// Open reads a lexicon that [Lexicon.WriteTo] saved; it keeps nothing of the
// bytes. The error is [ErrNotLexicon], [ErrVersion] or [ErrDamaged].
func Open(file []byte) (*Lexicon, error) {
	x, err := OpenSound(file)
	if err == nil && !x.sound(x.alphabet.Len()) {
		return nil, ErrDamaged
	}
	return x, err
}

// OpenSound is Open for a file that Open has opened before, such as one that
// comes with the program and that a test has opened: it takes a quarter of the
// time, for it only looks whether the bytes are the same as when they were
// saved, and not whether they could lead a search astray.
func OpenSound(file []byte) (*Lexicon, error) {
	rest, ok := bytes.CutPrefix(file, []byte(magic))
	if !ok {
		return nil, ErrNotLexicon
	}
	r := reader{rest: rest}
	if v := r.byte(); !r.short && v != fileVersion {
		return nil, ErrVersion
	}
	if check := r.uint32(); r.short || check != crc32.Checksum(r.rest, castagnoli) {
		return nil, ErrDamaged
	}
	x := &Lexicon{name: r.text()}
	texts := make([]string, r.byte())
	for i := range texts {
		texts[i] = r.text()
	}
	x.words = int(r.uint32())
	copy(x.hash[:], r.take(len(x.hash)))
	a, err := NewAlphabet(texts)
	if err != nil || checkName(x.name) != nil {
		return nil, ErrDamaged
	}
	x.alphabet = a
	x.wide = a.Len() > narrowLetters
	x.forward, x.gaddag = r.uint32(), r.uint32()
	if cells := r.uint32(); r.short || uint64(len(r.rest)) != 4*uint64(cells) {
		return nil, ErrDamaged
	}
	x.cells = make([]uint32, len(r.rest)/4)
	for i := range x.cells {
		x.cells[i] = binary.LittleEndian.Uint32(r.rest[4*i:])
	}
	if len(x.cells) == 0 {
		return nil, ErrDamaged
	}
	return x, nil
}

// A reader takes a file apart. Past its end it gives zeros, and short is true.
type reader struct {
	rest  []byte
	short bool
}

func (r *reader) take(n int) []byte {
	if n > len(r.rest) {
		r.short = true
		r.rest = nil
		return make([]byte, n)
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) byte() byte     { return r.take(1)[0] }
func (r *reader) uint32() uint32 { return binary.LittleEndian.Uint32(r.take(4)) }
func (r *reader) text() string   { return string(r.take(int(r.byte()))) }
