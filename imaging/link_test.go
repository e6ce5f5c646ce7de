package imaging_test

import (
	"testing"

	"github.com/rackmate/rackmate/imaging"
)

// A link's picture has the size that sites show whole, whatever the board.
func TestLink(t *testing.T) {
	views := kinds(t)
	for name, theme := range map[string]imaging.Theme{"two": imaging.Light, "21x21": imaging.Dark} {
		v := views[name]
		b, err := renderer(t, theme).Link(v)
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
	if _, err := renderer(t, imaging.Light).Link(imaging.View{}); err == nil {
		t.Error("a view without a board is drawn")
	}
}
