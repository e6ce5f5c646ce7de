package lexicon

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"unsafe"
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
//	cells     4 bytes, how many there are
//	space     0 to 3 bytes, zero, so that the cells begin at a multiple of 4
//	          4 bytes for each cell
//
// Numbers are little-endian. In files of version 1 there is no space.
const (
	magic        = "rmwords"
	fileVersion  = 2
	firstVersion = 1
)

// beforeBody is how long what comes before the name is: magic, version and check.
const beforeBody = len(magic) + 1 + 4

// space is how many bytes keep the cells at a multiple of 4, behind so many.
func space(before int) int { return -before & 3 }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// WriteTo saves the lexicon as a file that [Open] reads.
func (x *Lexicon) WriteTo(w io.Writer) (int64, error) {
	x.whole()
	le := binary.LittleEndian
	body := x.appendHead(nil)
	body = append(body, make([]byte, space(beforeBody+len(body)))...)
	for _, c := range x.cells {
		body = le.AppendUint32(body, c)
	}
	head := le.AppendUint32([]byte(magic+string(rune(fileVersion))), crc32.Checksum(body, castagnoli))
	return bytes.NewReader(append(head, body...)).WriteTo(w)
}

// Size is how many bytes [Lexicon.WriteTo] writes.
func (x *Lexicon) Size() int {
	head := beforeBody + len(x.appendHead(nil))
	return head + space(head) + 4*x.count()
}

// count is how many cells there are, or will be when the GADDAG is made.
func (x *Lexicon) count() int {
	if p := x.forwards.Load(); p != nil {
		return int(p.cells)
	}
	return len(x.cells)
}

// appendHead writes what comes before the cells.
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

// What can be wrong with a compiled lexicon.
var (
	ErrNotLexicon = errors.New("not a compiled lexicon: compile the word list first")
	ErrVersion    = errors.New("compiled by another version of the program: compile the word list again")
	ErrDamaged    = errors.New("the compiled lexicon is damaged: copy it or compile it again")
)

// Open reads a lexicon that [Lexicon.WriteTo] or [Lexicon.WritePackedTo] saved; it keeps nothing of the
// bytes. The error is [ErrNotLexicon], [ErrVersion] or [ErrDamaged].
func Open(file []byte) (*Lexicon, error) {
	x, err := OpenSound(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	if p := x.packed.Load(); p != nil && (x.unpack(p) != nil || x.addGaddag(p) != nil) || !x.sound(x.alphabet.Len()) {
		return nil, ErrDamaged
	}
	return x, nil
}

// OpenSound is Open for a file that Open has opened before, such as one that
// comes with the program and that a test has opened: it takes a small part of the
// time, for it only looks whether the bytes are the same as when they were
// saved, and not whether they could lead a search astray. The words of a packed one
// are unpacked when one is first asked for, which takes some hundredths of a second
// and needs the file open until then, if it is an [io.ReaderAt]; [Lexicon.Gaddag]
// takes a second for a million words the first time. The error can also be the
// reader's.
func OpenSound(file io.Reader) (*Lexicon, error) {
	// Cells are taken over a chunk at a time, which stays in the processor's
	// cache. All that comes before them is in the first chunk.
	chunk := make([]byte, 64<<10)
	n, err := io.ReadFull(file, chunk)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, fmt.Errorf("read compiled lexicon: %w", err)
	}
	if bytes.HasPrefix(chunk[:n], []byte(packedMagic)) {
		at, ok := file.(io.ReaderAt)
		if !ok {
			rest, err := io.ReadAll(file)
			if err != nil {
				return nil, fmt.Errorf("read compiled lexicon: %w", err)
			}
			at = bytes.NewReader(append(chunk[:n], rest...))
		}
		return openPacked(chunk[:n], at)
	}
	h, err := openHead(chunk[:n])
	if err != nil {
		return nil, err
	}
	x := h.lexicon
	sum := crc32.Checksum(chunk[beforeBody:n], castagnoli)
	x.cells = make([]uint32, h.cells)
	left := x.cells // to be read
	for rest := chunk[h.at:n]; ; {
		whole := len(rest) / 4
		if whole > len(left) {
			return nil, ErrDamaged
		}
		for i := range left[:whole] {
			left[i] = binary.LittleEndian.Uint32(rest[4*i:])
		}
		left = left[whole:]
		kept := copy(chunk, rest[4*whole:])
		n, err := io.ReadFull(file, chunk[kept:])
		sum = crc32.Update(sum, castagnoli, chunk[kept:kept+n])
		if rest = chunk[:kept+n]; n > 0 {
			continue
		}
		if err != io.EOF {
			return nil, fmt.Errorf("read compiled lexicon: %w", err)
		}
		if kept > 0 || len(left) > 0 || sum != h.check {
			return nil, ErrDamaged
		}
		return x, nil
	}
}

// A head of a compiled file is what comes before the cells.
type fileHead struct {
	lexicon *Lexicon // without cells
	check   uint32
	cells   uint32 // how many
	at      int    // where they begin
}

// openHead reads the head of a file from the beginning of it.
func openHead(file []byte) (h fileHead, err error) {
	rest, ok := bytes.CutPrefix(file, []byte(magic))
	if !ok {
		return h, ErrNotLexicon
	}
	r := reader{rest: rest}
	version := r.byte()
	if !r.short && (version < firstVersion || version > fileVersion) {
		return h, ErrVersion
	}
	h.check = r.uint32()
	if h.lexicon, h.cells, err = readHead(&r); err != nil {
		return h, err
	}
	if h.at = len(file) - len(r.rest); version != firstVersion {
		for _, b := range r.take(space(h.at)) {
			r.short = r.short || b != 0
		}
		h.at = len(file) - len(r.rest)
	}
	if r.short {
		return h, ErrDamaged
	}
	return h, nil
}

// OpenInPlace is [Open] for a file whose bytes stay as they are for as long as the
// lexicon is used, such as one mapped into memory: where the machine can, it reads
// the cells where they are and takes no memory for them. Where it can't (a file of
// version 1, a packed one), it is as Open.
func OpenInPlace(file []byte) (*Lexicon, error) {
	if !bytes.HasPrefix(file, []byte(magic)) {
		return Open(file)
	}
	h, err := openHead(file)
	if err != nil {
		return nil, err
	}
	cells := file[h.at:]
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 || len(cells) < 4 || uintptr(unsafe.Pointer(&cells[0]))%4 != 0 {
		return Open(file)
	}
	x := h.lexicon
	if len(cells) != 4*int(h.cells) || crc32.Checksum(file[beforeBody:], castagnoli) != h.check {
		return nil, ErrDamaged
	}
	x.cells = unsafe.Slice((*uint32)(unsafe.Pointer(&cells[0])), h.cells)
	if !x.sound(x.alphabet.Len()) {
		return nil, ErrDamaged
	}
	return x, nil
}

// readHead reads what comes before the cells, and how many there are.
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
