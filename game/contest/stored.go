package contest

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
)

// storedVersion is the version of the stored form of contests. UnmarshalJSON refuses
// others.
const storedVersion = 1

// ErrStored reports data that isn't a stored contest of a known version.
var ErrStored = errors.New("no stored contest that this program knows")

// The stored form of a contest, separate from the working types so that those can change.
type (
	storedContest struct {
		Version  int             `json:"v"`
		Seed     string          `json:"seed"`
		Games    int             `json:"games,omitempty"`
		Boards   int             `json:"boards,omitempty"`
		Entrants []storedEntrant `json:"entrants"`
		Rounds   []storedRound   `json:"rounds,omitempty"`
	}
	storedPlayer struct {
		ID     string `json:"id,omitempty"`
		Name   string `json:"name"`
		Member string `json:"member,omitempty"`
		Rating int    `json:"rating,omitempty"`
	}
	storedEntrant struct {
		storedPlayer
		Team   []storedPlayer `json:"team,omitempty"`
		Seed   int            `json:"seed,omitempty"`
		From   int            `json:"from,omitempty"`
		Out    int            `json:"out,omitempty"`
		Away   []int          `json:"away,omitempty"`
		Avoids []No           `json:"avoids,omitempty"`
	}
	storedRound struct {
		Kind      Kind            `json:"kind"`
		NoRepeats bool            `json:"no_repeats,omitempty"`
		Imported  bool            `json:"taken,omitempty"`
		Pairings  []storedPairing `json:"pairings"`
	}
	storedPairing struct {
		A      No           `json:"a"`
		B      No           `json:"b,omitempty"`
		Missed bool         `json:"missed,omitempty"`
		Games  []storedGame `json:"games,omitempty"`
	}
	storedGame struct {
		Board  int    `json:"board,omitempty"`
		First  Side   `json:"first,omitempty"`
		How    string `json:"how,omitempty"` // empty if open
		Scores []int  `json:"scores,omitempty"`
	}
)

// howNames maps results to their names in the stored form.
var howNames = map[How]string{Played: "played", LostByA: "a", LostByB: "b", LostByBoth: "both", Void: "void"}

// MarshalJSON returns the stored form: the same bytes for the same contest.
func (c Contest) MarshalJSON() ([]byte, error) {
	out := storedContest{
		Version: storedVersion, Seed: hex.EncodeToString(c.Seed[:]), Games: c.Format.Games, Boards: c.Format.Boards,
		Entrants: []storedEntrant{},
	}
	for _, e := range c.Entrants {
		se := storedEntrant{storedPlayer: storedPlayer(e.Player), Seed: e.Seed, From: e.From, Out: e.Out, Away: e.Away, Avoids: e.Avoids}
		for _, p := range e.Team {
			se.Team = append(se.Team, storedPlayer(p))
		}
		out.Entrants = append(out.Entrants, se)
	}
	for _, r := range c.Rounds {
		sr := storedRound{Kind: r.Method.Kind, NoRepeats: r.Method.NoRepeats, Imported: r.Method.Imported, Pairings: []storedPairing{}}
		for _, p := range r.Pairings {
			sp := storedPairing{A: p.A, B: p.B, Missed: p.Missed}
			for _, g := range p.Games {
				sg := storedGame{Board: g.Board, First: g.First, How: howNames[g.Result.How]}
				if g.Result.How == Played {
					sg.Scores = g.Result.Scores[:]
				}
				sp.Games = append(sp.Games, sg)
			}
			sr.Pairings = append(sr.Pairings, sp)
		}
		out.Rounds = append(out.Rounds, sr)
	}
	return json.Marshal(out)
}

// UnmarshalJSON parses the output of MarshalJSON.
func (c *Contest) UnmarshalJSON(data []byte) error {
	var in storedContest
	if err := json.Unmarshal(data, &in); err != nil {
		return errors.Join(ErrStored, err)
	}
	if in.Version != storedVersion {
		return fmt.Errorf("%w: version %d", ErrStored, in.Version)
	}
	seed, err := hex.DecodeString(in.Seed)
	if err != nil || len(seed) != len(c.Seed) {
		return fmt.Errorf("%w: the seed isn't 32 bytes in hex", ErrStored)
	}
	out := Contest{Seed: Seed(seed), Format: Format{Games: in.Games, Boards: in.Boards}}
	for i, se := range in.Entrants {
		e := Entrant{No: No(i + 1), Player: Player(se.storedPlayer), Seed: se.Seed, From: se.From, Out: se.Out, Away: se.Away, Avoids: se.Avoids}
		for _, p := range se.Team {
			e.Team = append(e.Team, Player(p))
		}
		out.Entrants = append(out.Entrants, e)
	}
	for i, sr := range in.Rounds {
		r := Round{Method: Method{Kind: sr.Kind, NoRepeats: sr.NoRepeats, Imported: sr.Imported}}
		for _, sp := range sr.Pairings {
			p := Pairing{A: sp.A, B: sp.B, Missed: sp.Missed}
			if p.A < 0 || p.B < 0 || int(max(p.A, p.B)) > len(out.Entrants) {
				return fmt.Errorf("%w: round %d names an entrant that isn't there", ErrStored, i+1)
			}
			for _, sg := range sp.Games {
				g, err := sg.game()
				if err != nil {
					return fmt.Errorf("%w: round %d: %w", ErrStored, i+1, err)
				}
				p.Games = append(p.Games, g)
			}
			r.Pairings = append(r.Pairings, p)
		}
		out.Rounds = append(out.Rounds, r)
	}
	*c = out
	return nil
}

func (sg storedGame) game() (Game, error) {
	g := Game{Board: sg.Board, First: sg.First}
	if sg.First != A && sg.First != B {
		return g, fmt.Errorf("side %d", sg.First)
	}
	for how, name := range howNames {
		if name == sg.How {
			g.Result.How = how
		}
	}
	if sg.How != "" && g.Result.How == Open || (len(sg.Scores) == 2) != (g.Result.How == Played) {
		return g, fmt.Errorf("result %q", sg.How)
	}
	if g.Result.How == Played {
		g.Result.Scores = [2]int(sg.Scores)
	}
	return g, nil
}
