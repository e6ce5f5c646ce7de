package competition

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/contest"
)

// This file draws the lots of a tournament, or of a league's season, so that everybody can check
// them: a digest of the secret is published first, and the secret at the end.

// sign returns the HMAC of some texts with a secret.
func sign(secret []byte, what ...string) []byte {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(strings.Join(what, "\x00")))
	return mac.Sum(nil)
}

// seedOf mixes a secret, in hexadecimal, with the ids of the requests by which people entered: those
// were unknown when the digest of the secret was published.
func seedOf(secret string, requests []string) contest.Seed {
	return sha256.Sum256([]byte(secret + "\n" + strings.Join(requests, "\n")))
}

// digestOf returns the SHA-256 of a secret, both in hexadecimal.
func digestOf(secret string) string {
	b, _ := hex.DecodeString(secret) // we encoded it ourselves
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// digestLine returns the small line with the digest of a secret.
func digestLine(secret string) text.Text {
	return text.Text{text.Small(text.Say("Fair pairings: {digest}", text.Code(game.Digest(digestOf(secret)))))}
}

// secretLine returns the line that publishes a secret.
func secretLine(secret string) text.Text {
	return text.Say("The secret behind the pairings: {secret}", text.Code(secret))
}

// proofOf returns the data for drawing the lots again. event is what they are drawn for.
func proofOf(event, secret string, requests []string) ([]byte, error) {
	digest := digestOf(secret)
	return json.MarshalIndent(struct {
		About    string   `json:"about"`
		Digest   string   `json:"digest"`
		Posted   string   `json:"posted"`
		Secret   string   `json:"secret"`
		Requests []string `json:"requests"`
		Seed     string   `json:"seed"`
	}{
		"digest is the SHA-256 of the secret; the message that opened the " + event + " has posted, its first 160 bits in base32. seed is the SHA-256 of the secret in hexadecimal and, each after a line feed, the requests by which people entered.",
		digest, game.Digest(digest), secret, requests, fmt.Sprintf("%x", seedOf(secret, requests)),
	}, "", "  ")
}
