package bolt

import (
	"encoding/binary"
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
// a fault of the memory ends the process.
func checkPages(tx *bbolt.Tx) error {
	f, err := os.Open(tx.DB().Path())
	if err != nil {
		return err
	}
	defer f.Close()
	size := int64(tx.DB().Info().PageSize)
	order := binary.NativeEndian
	seen := map[uint64]bool{}
	todo := []uint64{uint64(tx.Cursor().Bucket().Root())}
	for len(todo) > 0 {
		id := todo[len(todo)-1]
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
				todo = append(todo, order.Uint64(e[8:]))
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
				// The root of the bucket; 0 for one so small that it is in the value.
				if root := order.Uint64(page[at+int(pos)+int(key):]); root != 0 {
					todo = append(todo, root)
				}
			default:
				return fmt.Errorf("page %d is of no known kind (%d)", id, kind)
			}
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
