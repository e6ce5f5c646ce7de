package robot_test

import (
	"math/rand/v2"
	"testing"

	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/robot"
)

// shippedLeaves returns the leave values that ship with the program.
func shippedLeaves(tb testing.TB, set *game.TileSet) *robot.Leaves {
	tb.Helper()
	file, err := data.Leaves("english")
	if err != nil {
		tb.Fatal(err)
	}
	leaves, err := robot.OpenLeaves(set, file)
	if err != nil {
		tb.Fatal(err)
	}
	return leaves
}

// TestLeaveValuesMatchExperience checks facts about leaves that every player knows.
func TestLeaveValuesMatchExperience(t *testing.T) {
	set := gametest.Equipment(t).Tiles
	leaves := shippedLeaves(t, set)
	worth := func(text string) float64 {
		tiles, err := set.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return leaves.Value(tiles).Float()
	}
	for _, pair := range [][2]string{
		{"?", "S"}, {"S", "E"}, {"E", "U"}, {"R", "W"}, {"ERS", "IUU"}, {"QU", "Q"}, {"Q", "QV"},
		{"AEINST", "RST"}, {"E", "EEE"}, {"??", "?"}, {"?S", "?"}, {"Z", "V"}, {"", "UU"}, {"", "Q"}, {"NG", "GG"},
	} {
		if worth(pair[0]) <= worth(pair[1]) {
			t.Errorf("%q is worth %.2f, no more than %q with %.2f", pair[0], worth(pair[0]), pair[1], worth(pair[1]))
		}
	}
	if worth("") != 0 {
		t.Errorf("an empty leave is worth %v; the values are what is more than that", worth(""))
	}
	if v := worth("?"); v < 15 || v > 40 {
		t.Errorf("a blank is worth %.2f", v)
	}
}

func TestEveryLeaveHasValue(t *testing.T) {
	t.Parallel()
	set := gametest.Equipment(t).Tiles
	value := func(i int) robot.Equity { return robot.Equity(i%60_000-30_000) * 10 } // fits the file's sixteen bits
	var seen []game.Tiles
	leaves := robot.NewLeaves(set, robot.MaxLeave, func(leave game.Tiles) robot.Equity {
		if len(leave) > robot.MaxLeave || leave != leave.Sorted() {
			t.Fatalf("%q is no leave", leave)
		}
		seen = append(seen, leave)
		return value(len(seen) - 1)
	})
	// C(26+6, 6) multisets and so on, minus those the bag lacks tiles for.
	if len(seen) != 914_625 {
		t.Errorf("%d leaves; the English tiles make 914,624 and the empty one", len(seen))
	}
	again, err := robot.OpenLeaves(set, leaves.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for i, leave := range seen {
		if got, want := again.Value(leave), value(i); got != want {
			t.Fatalf("%q is worth %d, want %d, or it was asked for twice", leave, got, want)
		}
	}
}

func TestLeavesOfRack(t *testing.T) {
	set := gametest.Equipment(t).Tiles
	leaves := shippedLeaves(t, set)
	rng := rand.New(rand.NewPCG(3, 3))
	for range 200 {
		all := []byte(set.All())
		rng.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
		rack := game.Tiles(all[:rng.IntN(8)]).Sorted()
		var values [128]robot.Equity
		leaves.OfRack(rack, values[:])
		for i := range 1 << len(rack) {
			var kept []byte
			for k := range len(rack) {
				if i>>k&1 != 0 {
					kept = append(kept, rack[k])
				}
			}
			if want := leaves.Value(game.Tiles(kept)); len(kept) <= robot.MaxLeave && values[i] != want {
				t.Fatalf("rack %s: leave %s is worth %d, want %d", set.Print(rack), set.Print(game.Tiles(kept)), values[i], want)
			}
		}
	}
}

// TestLongLeavesAreEstimated checks that a leave without a value in the file is
// estimated from the smaller ones in it.
func TestLongLeavesAreEstimated(t *testing.T) {
	set := gametest.Equipment(t).Tiles
	parse := func(text string) game.Tiles {
		tiles, err := set.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return tiles.Sorted()
	}
	// One point for each tile, and two more for each pair of an A and a B.
	value := func(leave game.Tiles) robot.Equity {
		return robot.Points(len(leave) + 2*leave.Count(parse("A").At(0))*leave.Count(parse("B").At(0)))
	}
	made := robot.NewLeaves(set, 3, value)
	leaves, err := robot.OpenLeaves(set, made.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]robot.Equity{
		"": 0, "B": robot.Points(1), "ABC": robot.Points(5),
		"CDEF": robot.Points(4), "AACDEF": robot.Points(6),
		// The average over the six pairs: 3+3-2 for A and B, 6 for the others.
		"ABCD": (robot.Points(4) + 5*robot.Points(6)) / 6,
	} {
		if got := leaves.Value(parse(text)); got != want {
			t.Errorf("%s is worth %d, want %d", text, got, want)
		}
	}
}

func TestLeavesOfOtherTilesAreRefused(t *testing.T) {
	set := gametest.Equipment(t).Tiles
	small, err := game.NewTileSet("small", set.Kinds()[:5], game.Kind{Count: 2})
	if err != nil {
		t.Fatal(err)
	}
	file, _ := data.Leaves("english")
	for _, file := range [][]byte{file, {}, {0, 0}} {
		if _, err := robot.OpenLeaves(small, file); err == nil {
			t.Errorf("leave values of %d bytes were taken for five letters", len(file))
		}
	}
}

func BenchmarkLeavesOfRack(b *testing.B) {
	set := gametest.Equipment(b).Tiles
	leaves := shippedLeaves(b, set)
	rack, _ := set.Parse("?AEINRT")
	rack = rack.Sorted()
	var values [128]robot.Equity
	b.ReportAllocs()
	for b.Loop() {
		leaves.OfRack(rack, values[:])
	}
}
