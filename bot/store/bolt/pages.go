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

// What a page of the file says of itself (bbolt's internal/common/page.go): a
// header of 16 bytes, then one element of 16 bytes for each key.
const (
	headSize    = 16
	elementSize = 16
	branchPage  = 1
	leafPage    = 2
	bucketEntry = 1 // the value of this key is a bucket
)

// order is the order of the bytes of a number on a page: this machine's.
var order = binary.NativeEndian

// checkPages follows the file's pages from the root, and reports the first that
// can't be: one that points out of itself or of the file, or that is reached
// twice. bbolt's own check reads such a page in a goroutine of its own, where
// a fault of the memory ends the process; its cursors go round in a circle of pages
// until there is no memory left.
func checkPages(tx *bbolt.Tx) error { return followPages(tx, false) }

// checkBranches is checkPages for the pages that lead to others, and for those with the
// first and the last keys: one page in a hundred of a large file. A circle has no others.
func checkBranches(tx *bbolt.Tx) error { return followPages(tx, true) }

// A pageRef is a page that is to be looked at, and whether it is a bucket's.
type pageRef struct {
	id       uint64
	inBucket bool
}

// followPages follows pages from the root: with branches, of those of buckets that lead to
// no others only the first and the last that each page leads to.
func followPages(tx *bbolt.Tx, branches bool) error {
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
		more, err := leadsTo(page, next.inBucket)
		if err != nil {
			return fmt.Errorf("page %d: %w", next.id, err)
		}
		for _, ref := range more {
			if err := reach(ref.id); err != nil {
				return err
			}
		}
		if branches && next.inBucket && len(more) > 2 {
			// All leaves of a bucket are as many pages away from its root.
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

// readPage reads a page with those that belong to it.
func readPage(f io.ReaderAt, id, size, pages int64) ([]byte, error) {
	page := make([]byte, size)
	if _, err := f.ReadAt(page, id*size); err != nil {
		return nil, fmt.Errorf("read page %d: %w", id, err)
	}
	if stated := order.Uint64(page); stated != uint64(id) {
		return nil, fmt.Errorf("page %d says that it is page %d", id, stated)
	}
	more := int64(order.Uint32(page[12:])) // pages that belong to this one
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

// leadsTo are the pages that a page leads to.
func leadsTo(page []byte, inBucket bool) (more []pageRef, err error) {
	kind, count, err := head(page)
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
			if next, err = follows(page, at, next, pos, key); err != nil {
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

// checkSmall checks the one page of a bucket so small that it is a value: keys and
// values, and no bucket.
func checkSmall(page []byte) error {
	if len(page) < headSize {
		return errors.New("the bucket's page is cut short")
	}
	kind, count, err := head(page)
	if err != nil {
		return err
	}
	if kind != leafPage {
		return fmt.Errorf("the bucket's page is of the kind %d", kind)
	}
	end, err := checkLeaf(page, count, func(flags uint32, _ []byte) error {
		if flags != 0 {
			return errors.New("it is no value")
		}
		return nil
	})
	if err == nil && end != uint64(len(page)) {
		err = errors.New("there is more than its keys")
	}
	return err
}

// head reads a page's kind and how many keys it has, which it must have room for.
func head(page []byte) (kind uint16, count int, err error) {
	kind, count = order.Uint16(page[8:]), int(order.Uint16(page[10:]))
	if headSize+count*elementSize > len(page) {
		err = fmt.Errorf("it can't hold %d keys", count)
	}
	return kind, count, err
}

// checkLeaf checks that the keys of a leaf and their values lie on it one after another,
// and calls fn with each value and its flags. end is where the last one does.
func checkLeaf(page []byte, count int, fn func(flags uint32, value []byte) error) (end uint64, err error) {
	end = uint64(headSize + count*elementSize)
	for i := range count {
		at := headSize + i*elementSize
		e := page[at:]
		pos, key, value := order.Uint32(e[4:]), order.Uint32(e[8:]), order.Uint32(e[12:])
		if end, err = follows(page, at, end, pos, key, value); err != nil {
			return 0, fmt.Errorf("key %d %w", i, err)
		}
		if err := fn(order.Uint32(e), page[at+int(pos)+int(key):][:value]); err != nil {
			return 0, fmt.Errorf("key %d: %w", i, err)
		}
	}
	return end, nil
}

// follows checks that pieces of these sizes, which begin pos bytes after the element
// at, lie on the page, just behind those of the element before, as bbolt writes them. So
// a page that says that it has fewer keys than it has is found.
func follows(page []byte, at int, before uint64, pos uint32, sizes ...uint32) (end uint64, err error) {
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

// What bbolt's meta pages have behind the header, of which there are two: fields of 56
// bytes, and their FNV-64a.
const metaSize = 56

// checkMetas checks both meta pages of a file. bbolt goes on with the other where one is
// damaged, and so with the file as it was before the latest commit.
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
