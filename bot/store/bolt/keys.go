package bolt

import (
	"bytes"
	"encoding/binary"
	"time"
)

// A key is a sequence of parts. Numbers and times sort correctly. Names are preceded by their
// length, so that no name is a prefix of another; the last name of a key has no length, and sorts
// by its bytes.

func appendName[S ~string](key []byte, s S) []byte {
	return append(binary.AppendUvarint(key, uint64(len(s))), s...)
}

func appendNumber(key []byte, n uint64) []byte { return binary.BigEndian.AppendUint64(key, n) }

// appendTime appends any time, to the nanosecond.
func appendTime(key []byte, t time.Time) []byte {
	key = binary.BigEndian.AppendUint64(key, uint64(t.Unix())^1<<63)
	return binary.BigEndian.AppendUint32(key, uint32(t.Nanosecond()))
}

const timeSize = 12 // bytes

func name[S ~string](s S) []byte { return appendName(nil, s) }
func number(n uint64) []byte     { return appendNumber(nil, n) }

// cutTime splits a time from the beginning of a key.
func cutTime(key []byte) (t time.Time, rest []byte) {
	sec := int64(binary.BigEndian.Uint64(key) ^ 1<<63)
	return time.Unix(sec, int64(binary.BigEndian.Uint32(key[8:]))).UTC(), key[timeSize:]
}

// lastNumber returns the number at the end of a key.
func lastNumber(key []byte) uint64 { return binary.BigEndian.Uint64(key[len(key)-8:]) }

// firstNumber returns the number at the end of the first key with a prefix.
func firstNumber(b *bucket, prefix []byte) (n uint64, ok bool) {
	k, _ := b.Cursor().Seek(prefix)
	if !bytes.HasPrefix(k, prefix) {
		return 0, false
	}
	return lastNumber(k), true
}

// seekBefore moves a cursor to the last key before the given one.
func seekBefore(c *cursor, key []byte) (k, v []byte) {
	if k, _ := c.Seek(key); k == nil {
		return c.Last()
	}
	return c.Prev()
}
