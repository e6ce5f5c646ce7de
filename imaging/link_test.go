package imaging_test

import (
	"testing"

	"github.com/rackmate/rackmate/imaging"
)

// TestLinkPictureSize checks that a link's picture has the size that sites show uncropped, whatever the board.
func TestLinkPictureSize(t *testing.T) {
	views := kinds(t)
	for name, theme := range map[string]imaging.Theme{"two": imaging.Light, "21x21": imaging.Dark} {
		v := views[name]
		b, err := renderer(t, theme).Link(imaging.LinkCard{View: v})
		if err != nil {
			t.Fatal(name, err)
		}
		if at := decode(t, b).Bounds(); at.Dx() != 1200 || at.Dy() != 630 {
			t.Errorf("%s: the picture is %v", name, at)
		}
		if name == "two" {
			golden(t, "link-light", b)
		}
	}
	over := views["two"]
	over.Over, over.Caption = true, "Emely_93 wins because Doug Fraser resigned"
	facts := []string{"Doug Fraser: Best play RELIGION at K5 for 78 · 2 bingos", "Emely_93: Best play ZAX at 4D for 45"}
	for name, theme := range map[string]imaging.Theme{"link-over-light": imaging.Light, "link-over-dark": imaging.Dark} {
		b, err := renderer(t, theme).Link(imaging.LinkCard{View: over, Facts: facts})
		if err != nil {
			t.Fatal(name, err)
		}
		golden(t, name, b)
	}
	if _, err := renderer(t, imaging.Light).Link(imaging.LinkCard{}); err == nil {
		t.Error("a view without a board is drawn")
	}
}
