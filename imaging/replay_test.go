package imaging_test

import (
	"bytes"
	"image"
	"image/draw"
	"image/gif"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/imaging"
)

// TestReplay checks that a replay's frames, laid over one another, show the game's positions, and
// that it is small enough to send.
func TestReplay(t *testing.T) {
	views := positions(t)
	for _, theme := range imaging.Themes() {
		if theme != imaging.Dark && !gametest.Long() {
			continue
		}
		r := renderer(t, theme)
		b, err := r.Replay(t.Context(), views)
		gametest.Must(t, err)
		if len(b) > 300_000 {
			t.Errorf("%v: %d bytes", theme, len(b))
		}
		if theme != imaging.Dark {
			continue // decoding takes long
		}
		whole := decodeGIF(t, b)
		if len(whole) != len(views) {
			t.Fatalf("%v: %d pictures for %d positions", theme, len(whole), len(views))
		}
		for _, i := range []int{0, 1, len(views) / 2, len(views) - 1} {
			alone, err := r.Replay(t.Context(), views[i:i+1])
			gametest.Must(t, err)
			if !bytes.Equal(decodeGIF(t, alone)[0].Pix, whole[i].Pix) {
				t.Errorf("%v: picture %d is not that of its position", theme, i)
			}
		}
	}
}

// decodeGIF returns an animation's frames as displayed.
func decodeGIF(t testing.TB, b []byte) []*image.RGBA {
	t.Helper()
	g, err := gif.DecodeAll(bytes.NewReader(b))
	gametest.Must(t, err)
	var all []*image.RGBA
	seen := image.NewRGBA(image.Rect(0, 0, g.Config.Width, g.Config.Height))
	for i, m := range g.Image {
		if g.Delay[i] < 20 || g.Disposal[i] != gif.DisposalNone {
			t.Errorf("picture %d is seen for %d/100 s, then %d", i, g.Delay[i], g.Disposal[i])
		}
		draw.Draw(seen, m.Rect, m, m.Rect.Min, draw.Over)
		all = append(all, &image.RGBA{Pix: bytes.Clone(seen.Pix), Stride: seen.Stride, Rect: seen.Rect})
	}
	return all
}

func TestReplayOfNothing(t *testing.T) {
	r := renderer(t, imaging.Light)
	views := kinds(t)
	for name, vs := range map[string][]imaging.View{
		"no views": nil, "no board": {{}}, "two boards": {views["two"], views["13x13"]}, "players come": {views["none"], views["two"]},
	} {
		if _, err := r.Replay(t.Context(), vs); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	// The two frames are equal.
	b, err := r.Replay(t.Context(), []imaging.View{views["two"], views["two"]})
	if err != nil || len(decodeGIF(t, b)) != 2 {
		t.Errorf("twice the same: %v", err)
	}
}

func BenchmarkReplay(b *testing.B) {
	views := positions(b)
	r := renderer(b, imaging.Dark)
	benchmark(b, 1, func(int) (int, error) {
		gif, err := r.Replay(b.Context(), views)
		return len(gif), err
	})
}
