package shelf

import (
	"maps"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/bot"
)

// Draft returns a transaction on no rows, whose writes are stored nowhere, to prepare data
// before it replaces what is stored.
func (o *Owner) Draft() Tx { return Tx{draft{}, o, nil} }

// A draft holds rows in memory, by shelf and key.
type draft map[string]map[string][]byte

func (d draft) Get(shelf, key string) ([]byte, error) { return d[shelf][key], nil }

func (d draft) GetAll(shelf string, keys ...string) ([][]byte, error) {
	return bot.Each(keys, func(key string) ([]byte, error) { return d.Get(shelf, key) })
}

func (d draft) Put(shelf, key string, value []byte) error {
	switch {
	case value == nil:
		delete(d[shelf], key)
		return nil
	case d[shelf] == nil:
		d[shelf] = map[string][]byte{}
	}
	d[shelf][key] = value
	return nil
}

func (d draft) Scan(shelf, prefix, after string, limit int) (rows []bot.Row, err error) {
	for _, key := range slices.Sorted(maps.Keys(d[shelf])) {
		if strings.HasPrefix(key, prefix) && (after == "" || key > after) && len(rows) < limit {
			rows = append(rows, bot.Row{Key: key, Value: d[shelf][key]})
		}
	}
	return rows, nil
}
