package bolt

import (
	"encoding/binary"
	"errors"
	"fmt"
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

// checkPages follows the file's pages from the root, and reports the first that
// can't be: one that points out of itself or of the file, or that is reached
// twice. bbolt's own check reads such a page in a goroutine of its own, where
// a fault of the memory ends the process; its cursors go round in a circle of pages
// until there is no memory left.
func checkPages(tx *bbolt.Tx) error { return followPages(tx, false) }

// checkEnds is checkPages for what leads to the first and the last key of each
// bucket: a few pages, however large the file is.
func checkEnds(tx *bbolt.Tx) error { return followPages(tx, true) }

// A pageRef is a page that is to be looked at, and whether it is a bucket's.
type pageRef struct {
	id       uint64
	inBucket bool
}

// followPages follows pages from the root: of those of buckets, with ends, no more
// than the first and the last that each leads to.
func followPages(tx *bbolt.Tx, ends bool) error {
	f, err := os.Open(tx.DB().Path())
	if err != nil {
		return err
	}
	defer f.Close()
	size := int64(tx.DB().Info().PageSize)
	order := binary.NativeEndian
	seen := map[uint64]bool{}
	todo := []pageRef{{uint64(tx.Cursor().Bucket().Root()), false}}
	for len(todo) > 0 {
		id, inBucket := todo[len(todo)-1].id, todo[len(todo)-1].inBucket
		todo = todo[:len(todo)-1]
		if id >= uint64(tx.Size()/size) {
			return fmt.Errorf("page %d is beyond the file's end", id)
		}
		if seen[id] {
			return fmt.Errorf("page %d is reached twice", id)
		}
		seen[id] = true
		page := make([]byte, size)
		if _, err := f.ReadAt(page, int64(id)*size); err != nil {
			return fmt.Errorf("read page %d: %w", id, err)
		}
		more := int64(order.Uint32(page[12:])) // pages that belong to this one
		if int64(id)+more >= tx.Size()/size {
			return fmt.Errorf("page %d goes on beyond the file's end", id)
		}
		if more > 0 {
			page = make([]byte, (more+1)*size)
			if _, err := f.ReadAt(page, int64(id)*size); err != nil {
				return fmt.Errorf("read page %d: %w", id, err)
			}
		}
		kind, count := order.Uint16(page[8:]), int(order.Uint16(page[10:]))
		if stated := order.Uint64(page); stated != id {
			return fmt.Errorf("page %d says that it is page %d", id, stated)
		}
		if headSize+count*elementSize > len(page) {
			return fmt.Errorf("page %d can't hold %d keys", id, count)
		}
		for i := range count {
			at := headSize + i*elementSize
			e := page[at:]
			switch kind {
			case branchPage:
				if !within(page, at, order.Uint32(e), order.Uint32(e[4:])) {
					return fmt.Errorf("key %d of page %d lies outside it", i, id)
				}
				if !ends || !inBucket || i == 0 || i == count-1 {
					todo = append(todo, pageRef{order.Uint64(e[8:]), inBucket})
				}
			case leafPage:
				pos, key, value := order.Uint32(e[4:]), order.Uint32(e[8:]), order.Uint32(e[12:])
				if !within(page, at, pos, key, value) {
					return fmt.Errorf("key %d of page %d lies outside it", i, id)
				}
				if order.Uint32(e)&bucketEntry == 0 {
					continue
				}
				if value < headSize {
					return fmt.Errorf("bucket %d of page %d is cut short", i, id)
				}
				bucket := page[at+int(pos)+int(key):][:value]
				if root := order.Uint64(bucket); root != 0 {
					todo = append(todo, pageRef{root, true})
				} else if err := checkSmall(bucket[headSize:]); err != nil {
					return fmt.Errorf("bucket %d of page %d: %w", i, id, err)
				}
			default:
				return fmt.Errorf("page %d is of no known kind (%d)", id, kind)
			}
		}
	}
	return nil
}

// checkSmall checks the one page of a bucket so small that it is a value: keys and
// values, and no bucket.
func checkSmall(page []byte) error {
	order := binary.NativeEndian
	if len(page) < headSize {
		return errors.New("its page is cut short")
	}
	kind, count := order.Uint16(page[8:]), int(order.Uint16(page[10:]))
	if kind != leafPage || headSize+count*elementSize > len(page) {
		return fmt.Errorf("its page, of the kind %d, can't hold %d keys", kind, count)
	}
	for i := range count {
		at := headSize + i*elementSize
		if e := page[at:]; order.Uint32(e) != 0 || !within(page, at, order.Uint32(e[4:]), order.Uint32(e[8:]), order.Uint32(e[12:])) {
			return fmt.Errorf("key %d lies outside it", i)
		}
	}
	return nil
}

// within reports whether pieces of these sizes, which begin pos bytes after the
// element at, lie on the page.
func within(page []byte, at int, pos uint32, sizes ...uint32) bool {
	end := uint64(at) + uint64(pos)
	for _, n := range sizes {
		end += uint64(n)
	}
	return end <= uint64(len(page))
}
