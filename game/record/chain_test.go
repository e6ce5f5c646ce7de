package record_test

import (
	"crypto/sha256"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/record"
)

// TestChainMatchesFormat checks that a link matches data/formats/file.md and changes with every event before it.
func TestChainMatchesFormat(t *testing.T) {
	lines, err := record.MarshalLog(gametest.Log(t, 30))
	gametest.Must(t, err)
	link := make([]byte, sha256.Size)
	for _, line := range lines {
		sum := sha256.Sum256(append(link, line...))
		link = sum[:]
	}
	was := record.Chain(lines)
	if was != record.Link(link) {
		t.Errorf("the chain is %s, want %x", was, link)
	}
	for n := range lines {
		lines[n][len(lines[n])/2] ^= 1
		if record.Chain(lines) == was {
			t.Errorf("with another event %d the chain is the same", n)
		}
		lines[n][len(lines[n])/2] ^= 1
	}
}
