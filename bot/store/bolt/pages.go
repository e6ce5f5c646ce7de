package bolt

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"

	"go.etcd.io/bbolt"
)

// The layout of a page (bbolt's internal/common/page.go): a header of 16 bytes, then one element of
// 16 bytes for each key.
const (
	headSize    = 16
	elementSize = 16
	branchPage  = 1
	leafPage    = 2
	bucketEntry = 1 // the value of this key is a bucket
)

// order is the byte order of numbers on a page: this machine's.
var order = binary.NativeEndian

// checkPages follows the file's pages from the root, and returns an error for the first impossible
// one: one that points outside itself or the file, or that is reached twice. bbolt's own check
// reads such a page in its own goroutine, where a memory fault ends the process, and its cursors
// follow a cycle of pages until memory runs out.
func checkPages(tx *bbolt.Tx) error { return followPages(tx, false, func(int64, int) {}) }

// checkBranches works like checkPages for the pages that lead to others, and for the pages with the
// first and the last keys: one page in a hundred of a large file. A cycle can contain no others.
func checkBranches(tx *bbolt.Tx) error { return followPages(tx, true, func(int64, int) {}) }

// A pageRef is a page to check, and whether it belongs to a bucket.
type pageRef struct {
	id       uint64
	inBucket bool
}

// followPages follows pages from the root, and calls fn with the first of each run of pages and their
// number. With branches, it reads only the first and the last leaf below each page of a bucket.
func followPages(tx *bbolt.Tx, branches bool, fn func(first int64, n int)) error {
	f, err := os.Open(tx.DB().Path())
	if err != nil {
		return err
	}
	defer f.Close()
	size := int64(tx.DB().Info().PageSize)
	pages := tx.Size() / size
	reached := make([]bool, pages)
	reach := func(id uint64) error {
		switch {
		case id >= uint64(pages):
			return fmt.Errorf("page %d is beyond the file's end", id)
		case reached[id]:
			return fmt.Errorf("page %d is reached twice", id)
		}
		reached[id] = true
		return nil
	}
	todo := []pageRef{{uint64(tx.Cursor().Bucket().Root()), false}}
	if err := reach(todo[0].id); err != nil {
		return err
	}
	for len(todo) > 0 {
		next := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		page, err := readPage(f, int64(next.id), size, pages)
		if err != nil {
			return err
		}
		fn(int64(next.id), len(page)/int(size))
		more, err := childPages(page, next.inBucket)
		if err != nil {
			return fmt.Errorf("page %d: %w", next.id, err)
		}
		for _, ref := range more {
			if err := reach(ref.id); err != nil {
				return err
			}
		}
		if branches && next.inBucket && len(more) > 2 {
			// All leaves of a bucket have the same distance from its root.
			first, err := readPage(f, int64(more[0].id), size, pages)
			if err != nil {
				return err
			}
			if order.Uint16(first[8:]) == leafPage {
				more = []pageRef{more[0], more[len(more)-1]}
			}
		}
		todo = append(todo, more...)
	}
	return nil
}

// A withoutFree writes a file's pages, with zeros in place of the free ones, which may hold
// removed data.
type freePageEraser struct {
	io.Writer
	size int
	used []bool // by page
	page int    // the page to write next
	rest []byte // the beginning of it
	free int64  // the first page of the list of free pages
}

// omitFree returns a writer for the copy of a transaction's file.
func omitFree(tx *bbolt.Tx, w io.Writer) (*freePageEraser, error) {
	size := tx.DB().Info().PageSize
	used := make([]bool, tx.Size()/int64(size))
	used[0], used[1] = true, true
	out := &freePageEraser{Writer: w, size: size, used: used}
	return out, followPages(tx, false, out.use)
}

func (w *freePageEraser) use(first int64, n int) {
	for i := range int64(n) {
		if at := first + i; at < int64(len(w.used)) {
			w.used[at] = true
		}
	}
}

// Write implements [io.Writer].
func (w *freePageEraser) Write(b []byte) (int, error) {
	w.rest = append(w.rest, b...)
	whole := w.rest[:len(w.rest)/w.size*w.size]
	for at := 0; at < len(whole); at += w.size {
		page := whole[at : at+w.size]
		if w.page == 0 {
			w.free = int64(order.Uint64(page[headSize+freeAt:]))
			w.use(w.free, 1)
		} else if int64(w.page) == w.free { // the list may continue on the pages behind
			w.use(w.free, 1+int(order.Uint32(page[12:])))
		}
		if w.page < len(w.used) && !w.used[w.page] {
			clear(page)
		}
		w.page++
	}
	if _, err := w.Writer.Write(whole); err != nil {
		return 0, err
	}
	w.rest = append(w.rest[:0], w.rest[len(whole):]...)
	return len(b), nil
}

// readPage reads a page with its overflow pages.
func readPage(f io.ReaderAt, id, size, pages int64) ([]byte, error) {
	page := make([]byte, size)
	if _, err := f.ReadAt(page, id*size); err != nil {
		return nil, fmt.Errorf("read page %d: %w", id, err)
	}
	if stated := order.Uint64(page); stated != uint64(id) {
		return nil, fmt.Errorf("page %d says that it is page %d", id, stated)
	}
	more := int64(order.Uint32(page[12:])) // overflow pages
	if id+more >= pages {
		return nil, fmt.Errorf("page %d goes on beyond the file's end", id)
	}
	if more > 0 {
		page = make([]byte, (more+1)*size)
		if _, err := f.ReadAt(page, id*size); err != nil {
			return nil, fmt.Errorf("read page %d: %w", id, err)
		}
	}
	return page, nil
}

// childPages returns the pages that a page leads to.
func childPages(page []byte, inBucket bool) (more []pageRef, err error) {
	kind, count, err := readHead(page)
	if err != nil {
		return nil, err
	}
	switch kind {
	case branchPage:
		next := uint64(headSize + count*elementSize)
		if count == 0 {
			return nil, errors.New("it leads nowhere")
		}
		for i := range count {
			at := headSize + i*elementSize
			e := page[at:]
			pos, key := order.Uint32(e), order.Uint32(e[4:])
			if next, err = checkFollows(page, at, next, pos, key); err != nil {
				return nil, fmt.Errorf("key %d %w", i, err)
			}
			more = append(more, pageRef{order.Uint64(e[8:]), inBucket})
		}
	case leafPage:
		if count == 0 && inBucket {
			return nil, errors.New("it is empty, and bbolt keeps no such page")
		}
		_, err = checkLeaf(page, count, func(flags uint32, value []byte) error {
			switch {
			case flags&bucketEntry == 0:
				return nil
			case len(value) < headSize:
				return errors.New("the bucket is cut short")
			}
			root := order.Uint64(value)
			if root == 0 {
				return checkSmall(value[headSize:])
			}
			more = append(more, pageRef{root, true})
			return nil
		})
	default:
		if count > 0 {
			err = fmt.Errorf("it is of no known kind (%d)", kind)
		}
	}
	return more, err
}

// checkSmall checks the only page of a bucket that is so small that it is stored as a value: keys
// and values, but no bucket.
func checkSmall(page []byte) error {
	if len(page) < headSize {
		return errors.New("the bucket's page is cut short")
	}
	kind, count, err := readHead(page)
	if err != nil {
		return err
	}
	if kind != leafPage {
		return fmt.Errorf("the bucket's page is of the kind %d", kind)
	}
	end, err := checkLeaf(page, count, func(flags uint32, _ []byte) error {
		if flags != 0 {
			return errors.New("it isn't a value")
		}
		return nil
	})
	if err == nil && end != uint64(len(page)) {
		err = errors.New("there is more than its keys")
	}
	return err
}

// readHead reads a page's kind and the number of its keys, which must fit on the page.
func readHead(page []byte) (kind uint16, count int, err error) {
	kind, count = order.Uint16(page[8:]), int(order.Uint16(page[10:]))
	if headSize+count*elementSize > len(page) {
		err = fmt.Errorf("it can't hold %d keys", count)
	}
	return kind, count, err
}

// checkLeaf checks that a leaf's keys and values lie on it one after another, and calls fn with
// each value and its flags. end is the end of the last one.
func checkLeaf(page []byte, count int, fn func(flags uint32, value []byte) error) (end uint64, err error) {
	end = uint64(headSize + count*elementSize)
	for i := range count {
		at := headSize + i*elementSize
		e := page[at:]
		pos, key, value := order.Uint32(e[4:]), order.Uint32(e[8:]), order.Uint32(e[12:])
		if end, err = checkFollows(page, at, end, pos, key, value); err != nil {
			return 0, fmt.Errorf("key %d %w", i, err)
		}
		if err := fn(order.Uint32(e), page[at+int(pos)+int(key):][:value]); err != nil {
			return 0, fmt.Errorf("key %d: %w", i, err)
		}
	}
	return end, nil
}

// checkFollows checks that pieces of these sizes, which begin pos bytes after the element at, lie on the
// page directly behind the pieces of the element before, as bbolt writes them. This also detects a
// page that claims to have fewer keys than it has.
func checkFollows(page []byte, at int, before uint64, pos uint32, sizes ...uint32) (end uint64, err error) {
	end = uint64(at) + uint64(pos)
	if end != before {
		return 0, errors.New("doesn't follow what is before it")
	}
	for _, n := range sizes {
		end += uint64(n)
	}
	if end > uint64(len(page)) {
		return 0, errors.New("lies outside it")
	}
	return end, nil
}

// freeAt is the offset, in a meta page's fields, of the number of the page that begins the list of
// free pages.
const freeAt = 32

// metaSize is the size of a meta page's fields, which follow its header and are followed by their
// FNV-64a. A file has two meta pages.
const metaSize = 56

// checkMetas checks both meta pages of a file. If one is damaged, bbolt uses the other, and thus
// the file as it was before the latest commit.
func checkMetas(path string, pageSize int) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	for n := range 2 {
		page := make([]byte, headSize+metaSize+8)
		if _, err := f.ReadAt(page, int64(n*pageSize)); err != nil {
			return fmt.Errorf("read page %d: %w", n, err)
		}
		hash := fnv.New64a()
		hash.Write(page[headSize:][:metaSize])
		if hash.Sum64() != order.Uint64(page[headSize+metaSize:]) {
			return &DamagedError{path, fmt.Errorf("page %d isn't as it was written; what was stored last may be missing", n)}
		}
	}
	return nil
}
