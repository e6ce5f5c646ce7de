package lab

import (
	"bytes"
	"flag"
	"image"
	_ "image/gif"
	_ "image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/imaging"
)

func TestGallery(t *testing.T) {
	t.Parallel()
	dir, themes := filepath.Join(t.TempDir(), "new"), imaging.Themes()
	var out string
	if gametest.Long() {
		var status int
		var errs string
		if status, out, errs = command(t, "", "gallery", dir); status != 0 {
			t.Fatalf("status %d: %s", status, errs)
		}
	} else {
		var printed strings.Builder
		themes = themes[:2]
		gametest.Must(t, drawGallery(&printed, dir, themes))
		out = printed.String()
	}
	files := strings.Fields(out)
	kinds := map[string]int{}
	for _, file := range files {
		b, err := os.ReadFile(file)
		gametest.Must(t, err)
		_, format, err := image.DecodeConfig(bytes.NewReader(b))
		if err != nil || "."+format != filepath.Ext(file) {
			t.Errorf("%s: %s, %v", file, format, err)
		}
		kind, _, _ := strings.Cut(filepath.Base(file), "-")
		kinds[kind]++
	}
	for _, kind := range []string{"board", "preview", "four", "scripts", "13x13", "21x21", "zoom", "print", "rack", "final", "review", "day", "daycard", "link", "season", "replay"} {
		if kinds[kind] < len(themes) {
			t.Errorf("%s is there %d times", kind, kinds[kind])
		}
	}
	for _, args := range [][]string{{"gallery"}, {"gallery", dir, dir}} {
		if status, _, _ := command(t, "", args...); status != 2 {
			t.Errorf("%v: status %d", args, status)
		}
	}
}

func TestRenderReplay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	good := save(t, dir, "good.gcg", "#player1 ann Ann\n#player2 bob Bob\n>ann: ADHNORS 8G HORN +14 14\n>bob: - +0 0\n>bob: (time) -20 -20\n")
	bad := save(t, dir, "bad.gcg", "#player1 ann Ann\n#player2 bob Bob\n>ann: ADHNORS 8G HORN +15 15\n")
	gif := filepath.Join(dir, "x.gif")
	if status, _, errs := command(t, "", "render", "--replay", good, "--theme", "dark", "-o", gif); status != 0 {
		t.Fatalf("status %d: %s", status, errs)
	}
	b, err := os.ReadFile(gif)
	gametest.Must(t, err)
	if _, format, err := image.DecodeConfig(bytes.NewReader(b)); format != "gif" || err != nil {
		t.Errorf("%s, %v", format, err)
	}
	for _, tt := range []struct {
		args   []string
		status int
		err    string
	}{
		{[]string{"--replay", bad}, 1, "bad.gcg: line 3: recorded 15, computed 14"},
		{[]string{"--replay", filepath.Join(dir, "none.gcg")}, 1, "none.gcg"},
		{[]string{"--replay", good, "15/15"}, 2, "or a recorded game"},
		{[]string{"--replay", good, "--plain"}, 2, "--plain draws a position"},
		{nil, 2, "give a position"},
	} {
		if status, _, errs := command(t, "", append([]string{"render"}, tt.args...)...); status != tt.status || !strings.Contains(errs, tt.err) {
			t.Errorf("%v: status %d, %s", tt.args, status, errs)
		}
	}
}

// TestRenderPlain checks that --plain produces the same picture.
func TestRenderPlain(t *testing.T) {
	t.Parallel()
	cgp := "15/15/15/15/15/15/15/6HORN5/15/15/15/15/15/15/15 ABC/ 14/0 0"
	themes := imaging.Themes()
	for _, theme := range themes[:gametest.Rounds(2, len(themes))] {
		var pictures []image.Image
		for _, args := range [][]string{{"--plain"}, nil} {
			file := filepath.Join(t.TempDir(), "x.png")
			args = append([]string{"render", "--theme", theme.String(), "-o", file}, append(args, cgp)...)
			if status, _, errs := command(t, "", args...); status != 0 {
				t.Fatalf("%v: status %d: %s", args, status, errs)
			}
			b, err := os.ReadFile(file)
			gametest.Must(t, err)
			m, _, err := image.Decode(bytes.NewReader(b))
			gametest.Must(t, err)
			pictures = append(pictures, m)
		}
		plain, quick := pictures[0], pictures[1]
		for i := range quick.Bounds().Dx() * quick.Bounds().Dy() {
			x, y := i%quick.Bounds().Dx(), i/quick.Bounds().Dx()
			if plain.Bounds() != quick.Bounds() || plain.At(x, y) != quick.At(x, y) {
				t.Fatalf("%v: at %d,%d there is %v, and with --plain %v", theme, x, y, quick.At(x, y), plain.At(x, y))
			}
		}
	}
}

// redraw makes TestReadmePictures draw README's pictures.
var redraw = flag.Bool("redraw", false, "draw README's pictures")

// TestReadmePictures checks that README shows pictures as the program draws them. If that was changed
// on purpose, go test ./cmd/internal/lab -run TestReadmePictures -redraw draws them again.
func TestReadmePictures(t *testing.T) {
	t.Parallel()
	const folder = "../../../.github/pictures"
	shown, err := os.ReadDir(folder)
	gametest.Must(t, err)
	dir := t.TempDir()
	gametest.Must(t, drawGallery(io.Discard, dir, []imaging.Theme{imaging.Light, imaging.Dark}))
	readme, err := os.ReadFile("../../../README.md")
	gametest.Must(t, err)
	for _, file := range shown {
		if !bytes.Contains(readme, []byte(file.Name())) {
			t.Errorf("README doesn't show %s", file.Name())
		}
		if !strings.Contains(file.Name(), "-") {
			continue // a game on a platform, which tests of cmd/rackmate draw
		}
		drawn, err := os.ReadFile(filepath.Join(dir, file.Name()))
		if err != nil {
			t.Errorf("the gallery has no %s", file.Name())
			continue
		}
		path := filepath.Join(folder, file.Name())
		if *redraw {
			gametest.Must(t, os.WriteFile(path, drawn, 0o644))
		}
		is, err := os.ReadFile(path)
		gametest.Must(t, err)
		if !bytes.Equal(is, drawn) {
			t.Errorf("README's %s isn't what the program draws", file.Name())
		}
	}
}

// TestRecordedViews checks the descriptions of the gallery game's moves.
func TestRecordedViews(t *testing.T) {
	t.Parallel()
	eq, err := cli.StandardEquipment()
	gametest.Must(t, err)
	g, err := newGallery(eq)
	gametest.Must(t, err)
	views, card := g.positions, g.final
	for i, want := range map[int]string{
		0: "", 1: "Ada played AILED at 8H for 16", 12: "Grace played PLUNGERS at 3G for 78", 25: "Grace gets 10 for the tiles left",
	} {
		if got := views[i].Caption; got != want {
			t.Errorf("view %d: %q, want %q", i, got, want)
		}
	}
	if v := views[2]; len(v.New) != 4 || v.Bag != 100-9-14 || !v.Players[0].ToMove || v.Players[1].Score != 18 {
		t.Errorf("the second play: %+v", v)
	}
	if last := views[len(views)-1]; len(views) != 26 || !last.Over || last.Players[1].Score != 434 {
		t.Errorf("%d views, the last with %+v", len(views), last.Players)
	}
	const want = "Ada won. Ada 437, won. Best play DATELINE at C3 for 82, 3 bingos. Grace 434. Best play PLUNGERS at 3G for 78, 1 bingo."
	if got := card.Alt(); got != want {
		t.Errorf("the card: %s", got)
	}
	if m := g.review.Missed; len(m) < 5 || m[0].Loss < m[4].Loss || m[4].Loss <= 0 {
		t.Errorf("the review's missed plays: %+v", m)
	}
	if n := len(g.day.Rack); n != 7 {
		t.Errorf("the day's rack has %d tiles", n)
	}
}
