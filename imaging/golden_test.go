package imaging_test

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/imaging"
)

var update = flag.Bool("update", false, "write the golden pictures anew; look at them before you commit them")

func decode(t testing.TB, b []byte) *image.Paletted {
	t.Helper()
	m, err := png.Decode(bytes.NewReader(b))
	gametest.Must(t, err)
	p, ok := m.(*image.Paletted)
	if !ok {
		t.Fatalf("the picture is %T, want a palette", m)
	}
	return p
}

// TestGolden checks that pictures look as they did when a person last checked them. It compares
// pixels, so that the encoder may change.
func TestGolden(t *testing.T) {
	views := kinds(t)
	for _, g := range []struct {
		view  string
		theme imaging.Theme
	}{
		{"two", imaging.Light}, {"four", imaging.Dark}, {"preview", imaging.ColourSafe}, {"scripts", imaging.Dark}, {"13x13", imaging.Light},
		{"21x21", imaging.Dark}, {"printed", imaging.Light}, {"gone", imaging.ColourSafe},
	} {
		t.Run(g.view, func(t *testing.T) {
			b, err := renderer(t, g.theme).PNG(views[g.view])
			gametest.Must(t, err)
			golden(t, g.view+"-"+g.theme.String(), b)
		})
	}
	// Clock texts are short enough for four cards, or are cut between words.
	t.Run("clocks", func(t *testing.T) {
		v := imaging.View{Equipment: standard(), Caption: "Ann plays", Bag: 12}
		for i, note := range []string{"9:05 left", "24:57 left", "−3:12", "−10:00"} {
			v.Players = append(v.Players, imaging.Player{Name: []string{"Ann", "Bartholomew", "Cat", "Dan"}[i], Score: 123 + 100*i, Note: note, ToMove: i == 1})
		}
		b, err := renderer(t, imaging.Light).PNG(v)
		gametest.Must(t, err)
		golden(t, "clocks-light", b)
	})
	t.Run("rack", func(t *testing.T) {
		b, err := renderer(t, imaging.Dark).Rack(rackCard(t, "AQUEN?Z"))
		gametest.Must(t, err)
		golden(t, "rack-dark", b)
	})
	t.Run("final", func(t *testing.T) {
		b, err := renderer(t, imaging.Light).Final(finals()["four"])
		gametest.Must(t, err)
		golden(t, "final-light", b)
	})
	t.Run("season", func(t *testing.T) {
		b, err := renderer(t, imaging.Light).Season(seasons()["usual"])
		gametest.Must(t, err)
		golden(t, "season-light", b)
	})
	t.Run("review", func(t *testing.T) {
		b, err := renderer(t, imaging.Dark).Review(reviews()["two"])
		gametest.Must(t, err)
		golden(t, "review-dark", b)
	})
}

func golden(t *testing.T, name string, b []byte) {
	t.Helper()
	file := filepath.Join("testdata", name+".png")
	if *update {
		gametest.Must(t, os.WriteFile(file, b, 0o666))
		return
	}
	got, want := decode(t, b), decode(t, readFile(t, file))
	if got.Rect == want.Rect && slices.Equal(coloured(got), coloured(want)) {
		return
	}
	diff := image.NewRGBA(got.Rect.Union(want.Rect))
	differ := 0
	for y := range diff.Rect.Max.Y {
		for x := range diff.Rect.Max.X {
			r1, g1, b1, _ := got.At(x, y).RGBA()
			r2, g2, b2, _ := want.At(x, y).RGBA()
			if r1 != r2 || g1 != g2 || b1 != b2 || !image.Pt(x, y).In(got.Rect) || !image.Pt(x, y).In(want.Rect) {
				differ++
				diff.Set(x, y, color.RGBA{R: 255, A: 255})
			} else {
				diff.Set(x, y, color.RGBA{uint8(r1 >> 9), uint8(g1 >> 9), uint8(b1 >> 9), 255})
			}
		}
	}
	var d bytes.Buffer
	gametest.Must(t, png.Encode(&d, diff))
	for prefix, b := range map[string][]byte{"got-": b, "diff-": d.Bytes()} {
		if err := os.WriteFile(filepath.Join("testdata", prefix+name+".png"), b, 0o666); err != nil {
			t.Error(err)
		}
	}
	t.Errorf("%s: %d pixels differ; see got- and diff-%s.png beside it, and run with -update when that is right", file, differ, name)
}
