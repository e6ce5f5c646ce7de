package lexicon

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"unsafe"
)

// The file format of compiled lexicons:
//
//	magic     7 bytes
//	version   1 byte
//	check     4 bytes, CRC-32C of everything that follows
//	name      a text: its length in a byte, then its bytes
//	alphabet  the number of letters in a byte, then a text for each
//	words     4 bytes, the number of words
//	hash      32 bytes, see [Lexicon.Hash]
//	forward   4 bytes, the place of the DAWG's root; see graph
//	gaddag    4 bytes, the place of the GADDAG's root
//	cells     4 bytes, the number of cells
//	lengths   4 bytes each, the numbers of words of 2 to 21 letters
//	space     0 to 7 zero bytes, so that the next part starts at a multiple of 8
//	filter    8 bytes for each block of all lengths; see [Jumbles]
//	graph     4 bytes for each cell
//	buckets   4 bytes for each block and one more, for each length
//	tags      1 byte for each word
//	texts     the letters of each word, a byte each
//
// Numbers are little-endian. Version 2 has no lengths and ends with the graph, which starts at a
// multiple of 4; version 1 has no space either.
const (
	magic        = "rmwords"
	fileVersion  = 3
	withoutWords = 2 // last version that has only the graph
	firstVersion = 1
)

// beforeBody is the length of the part before the name: magic, version and check.
const beforeBody = len(magic) + 1 + 4

// padding returns the number of bytes that pad a length to a multiple.
func padding(before, multiple int) int { return -before & (multiple - 1) }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// WriteTo writes the lexicon as a file that [Open] reads.
func (x *Lexicon) WriteTo(w io.Writer) (int64, error) {
	x.ensureGaddag()
	j := x.Jumbles()
	le := binary.LittleEndian
	body := x.appendHead(make([]byte, 0, 4*len(x.cells)+j.size()+1<<10))
	for n := MinWord; n <= MaxWord; n++ {
		body = le.AppendUint32(body, uint32(j.of[n].words()))
	}
	body = append(body, make([]byte, padding(beforeBody+len(body), 8))...)
	for i := range j.of {
		for _, block := range j.of[i].blocks {
			body = le.AppendUint64(body, block)
		}
	}
	for _, c := range x.cells {
		body = le.AppendUint32(body, c)
	}
	for i := range j.of {
		for _, begin := range j.of[i].begins {
			body = le.AppendUint32(body, begin)
		}
	}
	for i := range j.of {
		body = append(body, j.of[i].tags...)
	}
	for i := range j.of {
		body = append(body, j.of[i].texts...)
	}
	head := le.AppendUint32([]byte(magic+string(rune(fileVersion))), crc32.Checksum(body, castagnoli))
	return bytes.NewReader(append(head, body...)).WriteTo(w)
}

// Size returns the number of bytes that [Lexicon.WriteTo] writes.
func (x *Lexicon) Size() int {
	var of lengths
	for w := range x.Spellings() {
		of[len(w)]++
	}
	head := beforeBody + len(x.appendHead(nil)) + 4*(MaxWord-MinWord+1)
	return head + padding(head, 8) + 4*x.count() + of.size()
}

// count returns the number of cells, including the cells of a GADDAG not made yet.
func (x *Lexicon) count() int {
	if p := x.forwards.Load(); p != nil {
		return int(p.cells)
	}
	return len(x.cells)
}

// appendHead appends the parts before the lengths.
func (x *Lexicon) appendHead(b []byte) []byte {
	b = append(appendText(b, x.name), byte(x.alphabet.Len()))
	for _, t := range x.alphabet.texts {
		b = appendText(b, t)
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(x.words))
	b = append(b, x.hash[:]...)
	for _, n := range []uint32{x.forward, x.gaddag, uint32(x.count())} {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return b
}

func appendText(b []byte, s string) []byte { return append(append(b, byte(len(s))), s...) }

// Errors about a compiled lexicon.
var (
	ErrNotLexicon = errors.New("not a compiled lexicon: compile the word list first")
	ErrVersion    = errors.New("compiled by another version of the program: compile the word list again")
	ErrDamaged    = errors.New("the compiled lexicon is damaged: copy it or compile it again")
)

// Open returns a lexicon saved by [Lexicon.WriteTo] or [Lexicon.WritePackedTo]; it copies the
// bytes. The error is [ErrNotLexicon], [ErrVersion] or [ErrDamaged].
func Open(file []byte) (*Lexicon, error) { return OpenInPlace(bytes.Clone(file)) }

// OpenInPlace opens a file whose bytes must not change while the lexicon is used, such as one
// mapped into memory. If the machine allows, it reads them in place and takes no memory for them.
// It unpacks a packed file.
func OpenInPlace(file []byte) (*Lexicon, error) {
	x, err := OpenSound(file)
	if err != nil {
		return nil, err
	}
	if p := x.packed.Load(); p != nil {
		if err = x.unpack(p); err == nil {
			err = x.addGaddag(p)
		}
	} else if crc32.Checksum(file[beforeBody:], castagnoli) != binary.LittleEndian.Uint32(file[beforeBody-4:]) {
		err = ErrDamaged
	}
	if err != nil || !x.isSound(x.alphabet.Len()) || x.jumbles != nil && !x.jumbles.isSound(x.alphabet.Len()) {
		return nil, ErrDamaged
	}
	return x, nil
}

// OpenSound opens in place a file that OpenSound or [Open] has opened before, such as a shipped one
// that a test has opened. It is nearly instant, because it doesn't verify that the bytes are
// unchanged or that they can't mislead a search. A packed file's words are unpacked on first use,
// which takes some hundredths of a second; the first [Lexicon.Gaddag] takes some tenths of a second
// for a million words.
func OpenSound(file []byte) (*Lexicon, error) {
	if bytes.HasPrefix(file, []byte(packedMagic)) {
		return openPacked(file)
	}
	rest, ok := bytes.CutPrefix(file, []byte(magic))
	if !ok {
		return nil, ErrNotLexicon
	}
	r := reader{rest: rest}
	version := r.byte()
	if !r.short && (version < firstVersion || version > fileVersion) {
		return nil, ErrVersion
	}
	r.uint32() // skip the check
	x, cells, err := readHead(&r)
	if err != nil {
		return nil, err
	}
	var of lengths
	multiple := map[byte]int{1: 1, 2: 4, 3: 8}[version]
	if version > withoutWords {
		words := 0
		for n := MinWord; n <= MaxWord; n++ {
			of[n] = int(r.uint32())
			words += of[n]
		}
		r.short = r.short || words != x.words
	}
	for _, b := range r.take(padding(len(file)-len(r.rest), multiple)) {
		r.short = r.short || b != 0
	}
	if version <= withoutWords {
		if r.short || len(r.rest) != 4*int(cells) {
			return nil, ErrDamaged
		}
		x.cells = uint32s(r.rest)
		return x, nil
	}
	if r.short || len(r.rest) != 4*int(cells)+of.size() {
		return nil, ErrDamaged
	}
	filter := uint64s(r.take(8 * of.blocks()))
	x.cells = uint32s(r.take(4 * int(cells)))
	buckets := uint32s(r.take(4 * of.begins()))
	tags := r.take(x.words)
	j := of.jumbles(filter, buckets, tags, r.rest)
	x.once.Do(func() { x.jumbles = j })
	return x, nil
}

// littleEndian is set if numbers have the same form in memory as in files.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// uint32s returns the numbers of a part of a file, in place if possible.
func uint32s(b []byte) []uint32 {
	if p := unsafe.Pointer(unsafe.SliceData(b)); littleEndian && uintptr(p)%4 == 0 {
		return unsafe.Slice((*uint32)(p), len(b)/4)
	}
	all := make([]uint32, len(b)/4)
	for i := range all {
		all[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return all
}

// uint64s returns the 64-bit numbers of a part of a file, in place if possible.
func uint64s(b []byte) []uint64 {
	if p := unsafe.Pointer(unsafe.SliceData(b)); littleEndian && uintptr(p)%8 == 0 {
		return unsafe.Slice((*uint64)(p), len(b)/8)
	}
	all := make([]uint64, len(b)/8)
	for i := range all {
		all[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return all
}

// readHead parses the parts before the lengths, and the number of cells.
func readHead(r *reader) (x *Lexicon, cells uint32, err error) {
	x = &Lexicon{name: r.text()}
	texts := make([]string, r.byte())
	for i := range texts {
		texts[i] = r.text()
	}
	x.words = int(r.uint32())
	copy(x.hash[:], r.take(len(x.hash)))
	x.forward, x.gaddag = r.uint32(), r.uint32()
	cells = r.uint32()
	a, err := NewAlphabet(texts)
	if err != nil || checkName(x.name) != nil || r.short || cells == 0 || cells > maxCells {
		return nil, 0, ErrDamaged
	}
	x.alphabet = a
	x.wide = a.Len() > narrowLetters
	return x, cells, nil
}

// A reader parses a file. Past its end it returns zeros and sets short.
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
