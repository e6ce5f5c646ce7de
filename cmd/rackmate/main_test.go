package main

import (
	"strings"
	"testing"

	"github.com/rackmate/rackmate/cmd/internal/cli"
)

// command runs a command line and returns its exit status and what it printed.
func command(t *testing.T, stdin string, args ...string) (status int, out, err string) {
	t.Helper()
	var o, e strings.Builder
	status = run(t.Context(), cli.Std{In: strings.NewReader(stdin), Out: &o, Err: &e}, args)
	return status, o.String(), e.String()
}

// A flag that isn't there, has no value, or one that it can't have, is told with the dashes
// that people type.
func TestBadFlags(t *testing.T) {
	for args, want := range map[string]string{
		"moves --nope":            "there is no flag --nope",
		"export --data":           "--data needs a value",
		"moves --top many x":      `--top can't be "many"`,
		"invite --for never":      `--for can't be "never"`,
		"serve --keep x --listen": `--keep can't be "x"`,
	} {
		if status, _, err := command(t, "", strings.Fields(args)...); status != 2 || !strings.Contains(err, want) {
			t.Errorf("%s: %d, %s", args, status, err)
		}
	}
}
