package notes

import (
	"context"
	"fmt"
	"io"

	"github.com/rackmate/rackmate/bot"
)

// keysShelf holds the host's own secrets by purpose.
const keysShelf = "keys"

// Secret returns a secret of the host, 32 bytes from random, generated when first needed.
func Secret(ctx context.Context, n bot.Notes, random io.Reader, of string) (key []byte, err error) {
	if key, err = n.Get(ctx, keysShelf, of); err != nil {
		return nil, fmt.Errorf("read the key of %s: %w", of, err)
	}
	if key != nil {
		return key, nil
	}
	fresh := make([]byte, 32)
	if _, err := io.ReadFull(random, fresh); err != nil {
		return nil, err
	}
	err = n.Change(ctx, func(rows bot.Rows) error {
		if key, err = rows.Get(keysShelf, of); err != nil || key != nil {
			return err
		}
		key = fresh
		return rows.Put(keysShelf, of, fresh)
	})
	if err != nil {
		return nil, fmt.Errorf("read the key of %s: %w", of, err)
	}
	return key, nil
}
