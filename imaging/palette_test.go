package imaging

import (
	"image/color"
	"math"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
)

func inksOf(t *testing.T, theme Theme) [inks]color.RGBA {
	t.Helper()
	c, err := theme.colours()
	gametest.Must(t, err)
	return c
}

// linear returns a colour channel as linear light, reversing sRGB's curve.
func linear(c uint8) float64 {
	v := float64(c) / 255
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

func light(c color.RGBA) [3]float64 {
	return [3]float64{linear(c.R), linear(c.G), linear(c.B)}
}

// contrast returns the contrast of WCAG 2.2, 1 to 21.
func contrast(a, b color.RGBA) float64 {
	luminance := func(c color.RGBA) float64 {
		l := light(c)
		return 0.2126*l[0] + 0.7152*l[1] + 0.0722*l[2] + 0.05
	}
	x, y := luminance(a), luminance(b)
	return max(x, y) / min(x, y)
}

// TestContrast checks that all text is readable: WCAG requires 4.5:1, and 3:1 for meaningful
// shapes.
func TestContrast(t *testing.T) {
	const forText, forShapes = 4.5, 3
	pairs := []struct {
		blend
		least float64
	}{
		{blend{page, text}, forText}, {blend{page, muted}, forText},
		{blend{panel, text}, forText}, {blend{panel, muted}, forText},
		{blend{raised, text}, forText}, {blend{raised, muted}, forText},
		{blend{tripleWord, onTripleWord}, forText}, {blend{doubleWord, onDoubleWord}, forText},
		{blend{tripleLetter, onTripleLetter}, forText}, {blend{doubleLetter, onDoubleLetter}, forText},
		{blend{tile, tileInk}, forText}, {blend{tile, blankInk}, forText},
		{blend{newTile, tileInk}, forText}, {blend{newTile, blankInk}, forText},
		{blend{square, muted}, forShapes}, {blend{raised, accent}, forShapes}, {blend{tile, tripleLetter}, forShapes},
		{blend{page, tripleLetter}, forShapes}, {blend{page, tripleWord}, forShapes},
	}
	for _, theme := range Themes() {
		c := inksOf(t, theme)
		for _, p := range pairs {
			if got := contrast(c[p.from], c[p.to]); got < p.least {
				t.Errorf("%v: %v on %v has contrast %.2f, want %.1f", theme, c[p.to], c[p.from], got, p.least)
			}
		}
	}
}

// lab returns linear light as CIE L*a*b* for white D65.
func lab(l [3]float64) [3]float64 {
	f := func(v float64) float64 {
		if v > 216.0/24389 {
			return math.Cbrt(v)
		}
		return (24389.0/27*v + 16) / 116
	}
	x := f((0.4124564*l[0] + 0.3575761*l[1] + 0.1804375*l[2]) / 0.95047)
	y := f(0.2126729*l[0] + 0.7151522*l[1] + 0.0721750*l[2])
	z := f((0.0193339*l[0] + 0.1191920*l[1] + 0.9503041*l[2]) / 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// visions holds the kinds of colour vision as matrices on linear light: Machado, Oliveira and
// Fernandes (2009), severity 1.
var visions = map[string][3][3]float64{
	"normal": {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protan": {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deutan": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritan": {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

// difference returns the CIE76 difference between two colours for a kind of colour vision.
func difference(a, b color.RGBA, vision [3][3]float64) float64 {
	seen := func(c color.RGBA) [3]float64 {
		l, out := light(c), [3]float64{}
		for i, row := range vision {
			out[i] = min(max(row[0]*l[0]+row[1]*l[1]+row[2]*l[2], 0), 1)
		}
		return lab(out)
	}
	x, y := seen(a), seen(b)
	return math.Sqrt((x[0]-y[0])*(x[0]-y[0]) + (x[1]-y[1])*(x[1]-y[1]) + (x[2]-y[2])*(x[2]-y[2]))
}

// TestColourVision checks that squares and tiles stay distinct for every kind of colour vision. The
// minimum for each is what the palettes reached when they were chosen. The closest pair of all,
// double word and new tile for tritan vision in light, also has an outline.
func TestColourVision(t *testing.T) {
	surfaces := []ink{tripleWord, doubleWord, tripleLetter, doubleLetter, square, tile, newTile}
	least := map[Theme]map[string]float64{
		Light:      {"normal": 20.8, "protan": 17.3, "deutan": 17.6, "tritan": 6.7},
		Dark:       {"normal": 19.9, "protan": 15.6, "deutan": 19.9, "tritan": 14.2},
		ColourSafe: {"normal": 24.2, "protan": 11.4, "deutan": 15.6, "tritan": 9.2},
	}
	for _, theme := range Themes() {
		c := inksOf(t, theme)
		for name, vision := range visions {
			for i, a := range surfaces {
				for _, b := range surfaces[i+1:] {
					if d := difference(c[a], c[b], vision); d < least[theme][name]-0.05 {
						t.Errorf("%v, %s: %v and %v differ by %.1f, want %.1f", theme, name, c[a], c[b], d, least[theme][name])
					}
				}
			}
		}
	}
}
