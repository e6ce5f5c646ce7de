package notes

import (
	"context"
	"fmt"
	"io"

	"github.com/rackmate/rackmate/bot"
)

// Secret returns the secret of a shelf's row, 32 bytes from random, generated when first needed.
func Secret(ctx context.Context, n bot.Notes, random io.Reader, shelf, of string) (key []byte, err error) {
	if key, err = n.Get(ctx, shelf, of); err != nil {
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
		if key, err = rows.Get(shelf, of); err != nil || key != nil {
			return err
		}
		key = fresh
		return rows.Put(shelf, of, fresh)
	})
	if err != nil {
		return nil, fmt.Errorf("read the key of %s: %w", of, err)
	}
	return key, nil
}
