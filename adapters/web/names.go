package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
)

// twins are letters, above, that look like the Latin ones below them, beside UTS 39's
// table of confusables, which tells capitals from small letters.
const (
	twins = "АВЕЅІЈКМНОРСТУХЬԌԚԜаеѕіјорсухһԁԛԝӏ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοανικυρ" + "ՏՍօսց" + "01|ıɑɡ"
	latin = "ABESIJKMHOPCTYXbGQWaesijopcyxhdqwl" + "ABEZHIKMNOPTYXoavikup" + "SUoug" + "Olliag"
)

// looks are what characters look like.
type looks map[rune]string

// readLooks reads UTS 39's table: a line is a character, a tab, and what it looks
// like; "#" begins a comment. Our twins come first.
func readLooks(table string) looks {
	all := looks{}
	for line := range strings.Lines(table) {
		from, to, found := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if c, size := utf8.DecodeRuneInString(from); found && size == len(from) {
			all[c] = to
		}
	}
	to := []rune(latin)
	for i, c := range []rune(twins) {
		all[c] = string(to[i])
	}
	return all
}

// skeleton is equal for names that are easily taken for each other.
func (l looks) skeleton(name string) string {
	var b strings.Builder
	for _, c := range norm.NFKD.String(name) {
		if like, ok := l[c]; ok {
			b.WriteString(like)
		} else {
			b.WriteRune(c)
		}
	}
	name = strings.Map(func(c rune) rune {
		if unicode.Is(unicode.Mn, c) || unicode.Is(unicode.Cf, c) || unicode.Is(unicode.Variation_Selector, c) {
			return -1
		}
		return c
	}, norm.NFKD.String(b.String()))
	return strings.NewReplacer("i", "l", "rn", "m", " ", "", "-", "", "_", "", ".", "", "'", "", "’", "").Replace(strings.ToLower(name))
}

// inName reports whether a character can be in a name: letters, digits, what
// joins names, and emoji with what they are made of.
func inName(c rune) bool {
	return unicode.In(c, unicode.L, unicode.M, unicode.Nd, unicode.So) || strings.ContainsRune(" -_.'’\u200d", c) || '🏻' <= c && c <= '🏿'
}

// restFor is how long a name that somebody gave up is for nobody else.
const restFor = 24 * time.Hour

// A storedRest is a name that was given up, in the notes' shelf "names-at-rest",
// by a hash of its skeleton: nobody's name stays there in words.
type storedRest struct {
	V  int       `json:"v"` // 1
	At time.Time `json:"at"`
	By string    `json:"by,omitempty"` // who may have it again; "" when they have left
}

const restShelf = "names-at-rest"

func (l looks) restKey(name string) string {
	sum := sha256.Sum256([]byte(l.skeleton(name)))
	return hex.EncodeToString(sum[:12])
}

// forgetRests takes somebody out of the notes of names that they gave up.
func (ms *members) forgetRests(ctx context.Context, id string) error {
	return ms.notes.Change(ctx, func(rows bot.Rows) error {
		return notes.EachOf(rows, restShelf, "", func(key string, old storedRest) error {
			if old.By != id {
				return nil
			}
			old.By = ""
			return notes.Put(rows, restShelf, key, old)
		})
	})
}
