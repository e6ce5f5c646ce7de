package contest

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
)

// TestStoredContestsPairTheSame checks that a contest stored halfway is paired identically
// afterwards.
func TestStoredContestsPairTheSame(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 11))
		c := field(2+rng.IntN(30), seed)
		c.Format.Games = rng.IntN(4)
		c.Entrants[0].Team = []Player{{Name: "Ada", Member: "AA000123"}}
		c.Entrants[1].Away = []int{2}
		for range 4 {
			m := Method{Kind: []Kind{Swiss, Australian, KingOfTheHill}[rng.IntN(3)]}
			stored, err := json.Marshal(c)
			gametest.Must(t, err)
			var read Contest
			gametest.Must(t, json.Unmarshal(stored, &read))
			if !reflect.DeepEqual(*c, read) {
				t.Fatalf("seed %d: stored %+v, read %+v", seed, *c, read)
			}
			r, err := c.Pair(m)
			again, err2 := read.Pair(m)
			if err != nil || err2 != nil {
				break // only two players, of whom one is away
			}
			c.Rounds, read.Rounds = append(c.Rounds, r), append(read.Rounds, again)
			one, _ := json.Marshal(c)
			two, _ := json.Marshal(read)
			if !bytes.Equal(one, two) {
				t.Fatalf("seed %d: paired\n%s\nand after a restart\n%s", seed, one, two)
			}
			play(c, rng)
		}
	}
}

func TestInvalidStoredContests(t *testing.T) {
	seed := `"seed":"` + string(bytes.Repeat([]byte("00"), 32)) + `"`
	for _, data := range []string{
		`[]`, `{}`, `{"v":2,` + seed + `}`, `{"v":1,"seed":"ab"}`,
		`{"v":1,` + seed + `,"rounds":[{"kind":"swiss","pairings":[{"a":1,"b":2}]}]}`,
		`{"v":1,` + seed + `,"entrants":[{"name":"x"}],"rounds":[{"kind":"swiss","pairings":[{"a":1,"games":[{"how":"won"}]}]}]}`,
		`{"v":1,` + seed + `,"entrants":[{"name":"x"}],"rounds":[{"kind":"swiss","pairings":[{"a":1,"games":[{"how":"played","scores":[1]}]}]}]}`,
		`{"v":1,` + seed + `,"entrants":[{"name":"x"}],"rounds":[{"kind":"swiss","pairings":[{"a":1,"games":[{"first":2}]}]}]}`,
	} {
		var c Contest
		if err := json.Unmarshal([]byte(data), &c); err == nil {
			t.Errorf("%s is read as %+v", data, c)
		}
	}
	var c Contest
	if err := json.Unmarshal([]byte(`{"v":1,`+seed+`}`), &c); err != nil {
		t.Errorf("an empty one: %v", err)
	}
}
