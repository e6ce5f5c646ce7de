package imaging

import (
	"fmt"
	"image/color"
	"strconv"
	"strings"
)

// A Theme is a set of colours for pictures.
type Theme uint8

// The themes.
const (
	Light Theme = iota + 1
	Dark
	// ColourSafe keeps squares and tiles distinct for every kind of colour vision; it is based on
	// the colours of Okabe and Ito (2008).
	ColourSafe
)

// themes holds the names, titles and colours of the themes; colours are in the order of the inks.
// Theme 1 is the first.
var themes = []struct{ name, title, colours string }{
	{"light", "Light", lightColours},
	{"dark", "Dark", darkColours},
	{"cb", "Colours that nearly everybody can tell apart", safeColours},
}

// Themes returns all themes.
func Themes() []Theme {
	var all []Theme
	for i := range themes {
		all = append(all, Theme(i+1))
	}
	return all
}

// isValid reports whether the theme exists.
func (t Theme) isValid() bool { return t >= 1 && int(t) <= len(themes) }

// String returns the theme's name as [ParseTheme] accepts it.
func (t Theme) String() string {
	if !t.isValid() {
		return "Theme(" + strconv.Itoa(int(t)) + ")"
	}
	return themes[t-1].name
}

// Title returns the theme's title for people.
func (t Theme) Title() string { return themes[t-1].title }

// ThemeNames returns the names of the themes: "light, dark or cb".
func ThemeNames() string {
	var names []string
	for _, t := range themes {
		names = append(names, t.name)
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// ParseTheme returns the theme with a name, ignoring case.
func ParseTheme(s string) (Theme, error) {
	for _, t := range Themes() {
		if strings.EqualFold(strings.TrimSpace(s), t.String()) {
			return t, nil
		}
	}
	return 0, fmt.Errorf("unknown theme %q: choose one of %s", s, ThemeNames())
}

// An ink is the purpose of a colour.
type ink uint8

const (
	page     ink = iota // background
	panel               // a player's card
	raised              // card of a player to move
	text                // on page, panel and raised
	muted               // the same for less important text
	gap                 // lines between the squares
	square              // a square without a premium
	accent              // what stands out: the player to move
	onAccent            // text on accent
	tripleWord
	doubleWord
	tripleLetter
	doubleLetter
	onTripleWord
	onDoubleWord
	onTripleLetter
	onDoubleLetter
	tile
	tileEdge // lower edge of a tile
	tileInk  // letter and value
	newTile  // a tile of the last play
	newEdge  // outline of such a tile
	blankInk // letter and ring of a blank, on tile and newTile
	inks     = iota
)

// The colours of the themes.
const (
	lightColours = `#F7F5F0 #ECE8DF #FFFFFF #1F2328 #5C6370 #CFC8B8 #F3F0E8 #1F6FEB #FFFFFF
		#C8402F #F2B8AE #2F78B7 #B9DDF0 #FFFFFF #8A2A1C #FFFFFF #1B5480
		#F3D699 #D3AE62 #2A1F14 #FFC233 #A03C08 #962F00`
	darkColours = `#1E1F22 #2B2D31 #3A3D44 #F2F3F5 #A9AEB8 #1E1F22 #3A3D43 #5B9DFF #0B1524
		#C24A3C #7E4640 #2F74B5 #3B5D78 #FFFFFF #FFD9D2 #FFFFFF #CDE7F8
		#E9D3A1 #B99F64 #1C1710 #FFC233 #FFFFFF #8F2C00`
	safeColours = `#FFFFFF #EFEFEF #FFFFFF #000000 #4A4A4A #B4B4B4 #F7F7F7 #000000 #FFFFFF
		#B84E00 #E6B3CF #0072B2 #A9DAF5 #FFFFFF #5A1440 #FFFFFF #003B5C
		#EBCB86 #8C6D2A #000000 #FFF36B #000000 #000000`
)

// colours returns the theme's colours, by ink.
func (t Theme) colours() (c [inks]color.RGBA, err error) {
	if !t.isValid() {
		return c, fmt.Errorf("%v isn't a theme", t)
	}
	fields := strings.Fields(themes[t-1].colours)
	if len(fields) != inks {
		return c, fmt.Errorf("theme %v has %d colours, not %d", t, len(fields), inks)
	}
	for i, f := range fields {
		n, err := strconv.ParseUint(f[1:], 16, 24)
		if err != nil {
			return c, fmt.Errorf("theme %v: colour %s: %w", t, f, err)
		}
		c[i] = color.RGBA{R: uint8(n >> 16), G: uint8(n >> 8), B: uint8(n), A: 255}
	}
	return c, nil
}
