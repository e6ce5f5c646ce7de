package game_test

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game"
)

func TestDigest(t *testing.T) {
	secret := game.Secret{1, 2, 3}
	sum := sha256.Sum256(secret[:])
	digest := game.Digest(secret.Commitment())
	letters := strings.ToUpper(strings.ReplaceAll(digest, "-", ""))
	if b, err := base32.StdEncoding.DecodeString(letters); err != nil || len(b)*8 < 160 || string(b) != string(sum[:len(b)]) {
		t.Errorf("%s is %x, %v; want the first 160 bits of %x", digest, b, err, sum)
	}
	for text, want := range map[string]string{
		digest:                  digest,
		strings.ToUpper(digest): digest,
		"Ann opens.\n-# Fair draws: `" + digest + "`": digest,
		"SHA-256: " + secret.Commitment() + ".":       digest,
		hex.EncodeToString(sum[:19]):                  "",
		digest[:30]:                                   "",
		"https://discord.com/channels/1/2/3":          "",
		"":                                            "",
	} {
		if got := game.FindDigest(text); got != want {
			t.Errorf("in %q stands %q, want %q", text, got, want)
		}
	}
	if got := game.Digest("beef"); got != "" {
		t.Errorf("no SHA-256 has the digest %q", got)
	}
}
