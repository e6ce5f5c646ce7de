package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// twins are letters, above, that look like the Latin ones below them: those of
// UTS 39's table of confusables that people use to pass for somebody.
const (
	twins = "АВЕЅІЈКМНОРСТУХЬԌԚԜаеѕіјорсухһԁԛԝӏ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοανικυρ" + "ՏՍօսց" + "01|ıɑɡ"
	latin = "ABESIJKMHOPCTYXbGQWaesijopcyxhdqwl" + "ABEZHIKMNOPTYXoavikup" + "SUoug" + "Olliag"
)

var unmask = func() map[rune]rune {
	to, all := []rune(latin), map[rune]rune{}
	for i, c := range []rune(twins) {
		all[c] = to[i]
	}
	return all
}()

// skeleton is equal for names that are easily taken for each other.
func skeleton(name string) string {
	name = strings.Map(func(c rune) rune {
		if t, ok := unmask[c]; ok {
			c = t
		}
		if unicode.Is(unicode.Mn, c) || unicode.Is(unicode.Cf, c) || unicode.Is(unicode.Variation_Selector, c) {
			return -1
		}
		return c
	}, norm.NFKD.String(name))
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

func restKey(name string) string {
	sum := sha256.Sum256([]byte(skeleton(name)))
	return hex.EncodeToString(sum[:12])
}

// rest keeps a name from others for a while, and lets go of those whose while is
// over.
func (r *Room) rest(ctx context.Context, name, by string) error {
	keys, err := r.Notes.Keys(ctx, restShelf)
	if err != nil {
		return err
	}
	for _, key := range keys {
		if old, err := r.resting(ctx, key); err != nil {
			return err
		} else if old == nil {
			if err := r.Notes.Put(ctx, restShelf, key, nil); err != nil {
				return err
			}
		}
	}
	b, err := json.Marshal(storedRest{1, r.Now(), by})
	if err != nil {
		return err
	}
	return r.Notes.Put(ctx, restShelf, restKey(name), b)
}

// forgetRests takes somebody out of the notes of names that they gave up.
func (r *Room) forgetRests(ctx context.Context, id string) error {
	keys, err := r.Notes.Keys(ctx, restShelf)
	if err != nil {
		return err
	}
	for _, key := range keys {
		old, err := r.resting(ctx, key)
		if err != nil {
			return err
		}
		if old == nil || old.By != id {
			continue
		}
		old.By = ""
		b, err := json.Marshal(old)
		if err != nil {
			return err
		}
		if err := r.Notes.Put(ctx, restShelf, key, b); err != nil {
			return err
		}
	}
	return nil
}

// resting is the note of a name that was given up lately, nil where there is
// none.
func (r *Room) resting(ctx context.Context, key string) (*storedRest, error) {
	b, err := r.Notes.Get(ctx, restShelf, key)
	if err != nil || b == nil {
		return nil, err
	}
	var s storedRest
	if err := json.Unmarshal(b, &s); err != nil {
		return nil, err
	}
	if r.Now().Sub(s.At) >= restFor {
		return nil, nil
	}
	return &s, nil
}

// free refuses a name that looks like somebody else's, or that somebody else
// gave up a short while ago.
func (r *Room) free(ctx context.Context, id, name string) error {
	people, err := r.people(ctx)
	if err != nil {
		return err
	}
	for _, p := range people {
		if p.ID != id && skeleton(p.Name) == skeleton(name) {
			return refuse("Somebody else goes by %s here, which looks like %s. Please choose another name.", p.Name, name)
		}
	}
	old, err := r.resting(ctx, restKey(name))
	if err != nil {
		return err
	}
	if old != nil && old.By != id {
		return refuse("Somebody went by %s here until lately. Please choose another name, so that nobody takes you for them.", name)
	}
	return nil
}
