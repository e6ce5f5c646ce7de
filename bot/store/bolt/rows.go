package bolt

import (
	"encoding/json"
	"fmt"
	"time"

	"go.etcd.io/bbolt"
)

// rowVersion is the version of all the rows here. A change that an older row
// can't be read through as it is makes another, and a migration.
const rowVersion = 1

type version struct {
	V int `json:"v"`
}

func (v *version) set()        { v.V = rowVersion }
func (v *version) number() int { return v.V }

// A row is a pointer to one of the types below.
type row interface {
	set()
	number() int
}

type tableRow struct {
	version
	Channel string   `json:"channel"`
	Seated  []string `json:"seated,omitempty"`
}

type receiptRow struct {
	version
	Table uint64    `json:"table,omitempty"`
	From  int       `json:"from"`
	To    int       `json:"to"`
	Filed time.Time `json:"filed"`
}

type postRow struct {
	version
	Channel string    `json:"channel"`
	Table   uint64    `json:"table"`
	From    int       `json:"from"`
	To      int       `json:"to"`
	For     string    `json:"for,omitempty"`
	Kind    string    `json:"kind,omitempty"`
	At      time.Time `json:"at,omitzero"`
	Tries   int       `json:"tries,omitempty"`
	Until   time.Time `json:"until,omitzero"`
}

type timerRow struct {
	version
	At      time.Time `json:"at"`
	Channel string    `json:"channel"`
	Table   uint64    `json:"table"`
	Number  int       `json:"number,omitempty"`
	Kind    string    `json:"kind,omitempty"`
}

func putRow(b *bbolt.Bucket, key []byte, r row) error {
	r.set()
	v, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return b.Put(key, v)
}

// getRow reads a row; ok is false where there is none.
func getRow(b *bbolt.Bucket, key []byte, r row) (ok bool, err error) {
	v := b.Get(key)
	if v == nil {
		return false, nil
	}
	if err := json.Unmarshal(v, r); err != nil {
		return false, fmt.Errorf("read row %x: %w", key, err)
	}
	if r.number() != rowVersion {
		return false, fmt.Errorf("read row %x: its version is %d, not %d", key, r.number(), rowVersion)
	}
	return true, nil
}

// mustRow reads a row that another one, or a key of an index, points to.
func mustRow(b *bbolt.Bucket, key []byte, r row) error {
	ok, err := getRow(b, key, r)
	if err == nil && !ok {
		err = fmt.Errorf("read row %x: it is missing; the data file is damaged", key)
	}
	return err
}
