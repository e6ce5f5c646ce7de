package game

import (
	"encoding/base32"
	"encoding/hex"
	"regexp"
	"strings"
)

// digestBytes sets how many bytes of a SHA-256 a digest contains.
const digestBytes = 20

// Digest returns the digest of a commitment, a SHA-256 in hex: its first 160 bits in base32, in
// groups of four letters, which fit in one line of a message and can be compared by eye. It returns
// "" if the commitment isn't a SHA-256.
func Digest(commitment string) string {
	sum, err := hex.DecodeString(commitment)
	if err != nil || len(sum) != 32 {
		return ""
	}
	letters := strings.ToLower(base32.StdEncoding.EncodeToString(sum[:digestBytes]))
	var b strings.Builder
	for i := 0; i < len(letters); i += 4 {
		if i > 0 {
			b.WriteByte('-')
		}
		b.WriteString(letters[i : i+4])
	}
	return b.String()
}

// digestForm matches a digest in a text, and the whole SHA-256 in hex that earlier releases posted.
var digestForm = regexp.MustCompile(`\b(?:(?:[a-z2-7]{4}-){7}[a-z2-7]{4}|[0-9a-f]{64})\b`)

// FindDigest returns the digest in a text, such as a whole message that someone copied. It
// returns "" if there is none, for example in a link to the message.
func FindDigest(text string) string {
	found := digestForm.FindString(strings.ToLower(text))
	if len(found) == 64 {
		return Digest(found)
	}
	return found
}
