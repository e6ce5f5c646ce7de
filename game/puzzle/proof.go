package puzzle

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// epoch is the date of day 1.
var epoch = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// A Day is the number of a date; day 1 is 1 January 2026.
type Day int

// DayOf returns the day of t's date in t's location.
func DayOf(t time.Time) Day {
	y, m, d := t.Date()
	return Day(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Sub(epoch)/(24*time.Hour)) + 1
}

// Date returns the day's midnight in UTC.
func (d Day) Date() time.Time { return epoch.AddDate(0, 0, int(d)-1) }

// A Source determines the positions of a list: the host's secret, and the list.
type Source struct {
	secret []byte
	list   string
}

// NewSource returns the source of a list's positions.
func NewSource(secret []byte, lex *lexicon.Lexicon) Source {
	return Source{secret, lex.Name() + " " + lex.Hash()}
}

func (s Source) sign(what string) (sum [sha256.Size]byte) {
	mac := hmac.New(sha256.New, s.secret)
	mac.Write([]byte(what + "\n" + s.list))
	return [sha256.Size]byte(mac.Sum(nil))
}

// DaySecret returns the secret of a day. It reveals nothing about other days.
func (s Source) DaySecret(d Day) game.Secret { return s.sign(fmt.Sprint("day ", int(d))) }

// ShareKey returns the key that divides the words among the days; see [Maker.Share].
func (s Source) ShareKey() [sha256.Size]byte { return s.sign("deal") }

// format returns the line with which a commitment and a proof begin: "rackmate daily 2".
func (v Version) format() string { return fmt.Sprint("rackmate daily ", int(v)) }

// commitment returns the SHA-256 that commits a host to a position before its day. It hashes the
// version's line "rackmate daily 2\n", the secret, the number of the day as eight big-endian bytes,
// and the words of its share in order, a line each.
func commitment(v Version, secret game.Secret, d Day, share []lexicon.Word, a *lexicon.Alphabet) string {
	h := sha256.New()
	h.Write([]byte(v.format() + "\n"))
	h.Write(secret[:])
	h.Write(binary.BigEndian.AppendUint64(nil, uint64(d)))
	for _, w := range share {
		h.Write([]byte(a.Spell(w) + "\n"))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Commitment returns the commitment to a day's position.
func (m *Maker) Commitment(v Version, s Source, d Day) string {
	return commitment(v, s.DaySecret(d), d, m.Share(s.ShareKey(), d), m.words.List.Alphabet())
}

// A Proof has everything needed to make a day's position again, once the day is over.
type Proof struct {
	Format     string   `json:"format"`         // the version's: "rackmate daily 2"
	Form       string   `json:"form,omitempty"` // kind of game that it proves, in earlier versions
	Number     Day      `json:"number"`
	Date       string   `json:"date"`
	Lexicon    string   `json:"lexicon"`
	Hash       string   `json:"hash"` // of the list
	Commitment string   `json:"commitment"`
	Secret     string   `json:"secret"`   // in hex
	Words      []string `json:"words"`    // of the day's share
	Position   string   `json:"position"` // as [Position.String] writes it
}

// Prove returns the proof of a position.
func (m *Maker) Prove(v Version, s Source, d Day, p Position) Proof {
	secret, share := s.DaySecret(d), m.Share(s.ShareKey(), d)
	a := m.words.List.Alphabet()
	proof := Proof{
		Format: v.format(), Number: d, Date: d.Date().Format(time.DateOnly), Lexicon: m.words.List.Name(), Hash: m.words.List.Hash(),
		Commitment: commitment(v, secret, d, share, a), Secret: hex.EncodeToString(secret[:]), Position: p.String(),
	}
	for _, w := range share {
		proof.Words = append(proof.Words, a.Spell(w))
	}
	return proof
}

// ParseProof parses a proof. It returns an error if data isn't one.
func ParseProof(data []byte) (Proof, error) {
	var p Proof
	if json.Unmarshal(data, &p) != nil || p.version() == 0 {
		return p, errors.New("not the proof of a daily board")
	}
	return p, nil
}

// version returns the version of a proof's position, or 0 if it is unknown.
func (p Proof) version() Version {
	for v := Latest; v > 0; v-- {
		if p.Format == v.format() {
			return v
		}
	}
	return 0
}

// Check makes the position again. The error says what is wrong with the proof.
func (m *Maker) Check(p Proof) (Position, error) {
	if p.Form != "" {
		return Position{}, errors.New("it proves a daily game, and this version only checks boards: use the release before it")
	}
	secret, err := m.secretOf(p)
	if err != nil {
		return Position{}, err
	}
	a := m.words.List.Alphabet()
	share := make([]lexicon.Word, len(p.Words))
	for i, w := range p.Words {
		if share[i], err = a.Parse(w); err != nil {
			return Position{}, fmt.Errorf("the word %q of its share: %w", w, err)
		}
	}
	if got := commitment(p.version(), secret, p.Number, share, a); got != p.Commitment {
		return Position{}, fmt.Errorf("the commitment is %s, the secret and the words give %s", p.Commitment, got)
	}
	pos, err := m.Make(p.version(), secret, p.Number, share)
	if err != nil {
		return Position{}, err
	}
	if got := pos.String(); got != p.Position {
		return Position{}, fmt.Errorf("the position is %s, the secret and the words give %s", p.Position, got)
	}
	return pos, nil
}

// secretOf returns the secret of a proof. It fails if the proof was made with another list.
func (m *Maker) secretOf(p Proof) (game.Secret, error) {
	if p.Hash != m.words.List.Hash() {
		return game.Secret{}, fmt.Errorf("it was made with another word list, %s with the hash %s", p.Lexicon, p.Hash)
	}
	b, err := hex.DecodeString(p.Secret)
	if err != nil || len(b) != len(game.Secret{}) {
		return game.Secret{}, errors.New("the secret isn't 32 bytes in hex")
	}
	return game.Secret(b), nil
}
