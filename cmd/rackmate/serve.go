package main

import (
	"context"
	"errors"
)

func runServe(ctx context.Context, std stdio, args []string) error {
	return errors.New("being written")
}
