// Command mkicons draws the web room's icon.svg as PNG files for systems that don't support SVG: go
// run ./imaging/mkicons, from the root of the module.
package main

import (
	"log"
	"path/filepath"

	"github.com/fogleman/gg"
)

// An icon is a file with the tile, either as is, or on a ground that fills the square so that a
// system can cut its own shape.
type icon struct {
	name   string
	size   int     // pixels a side
	filled bool    // filled to the edges
	letter float64 // size of the letter relative to the SVG's
}

func main() {
	for _, i := range []icon{
		{"icon-192.png", 192, false, 1},
		{"icon-512.png", 512, false, 1},
		{"icon-maskable.png", 512, true, 0.8}, // the central four fifths are always visible
		{"apple-touch-icon.png", 180, true, 1},
	} {
		if err := draw(i).SavePNG(filepath.Join("adapters/web/static", i.name)); err != nil {
			log.Fatal(err)
		}
	}
}

// draw draws an icon. The measures come from the SVG, which is 64 a side.
func draw(i icon) *gg.Context {
	c := gg.NewContext(i.size, i.size)
	c.Scale(float64(i.size)/64, float64(i.size)/64)
	if i.filled {
		c.SetHexColor("#f3d598")
		c.Clear()
		c.Translate(0, 2)
	} else {
		c.SetHexColor("#c99b4a")
		c.DrawRoundedRectangle(4, 6, 56, 56, 12)
		c.Fill()
		c.SetHexColor("#f3d598")
		c.DrawRoundedRectangle(4, 2, 56, 56, 12)
		c.Fill()
	}
	c.ScaleAbout(i.letter, i.letter, 32, 30)
	c.SetHexColor("#2a2013")
	c.SetFillRuleEvenOdd()
	c.MoveTo(20, 46)
	c.LineTo(20, 14)
	c.LineTo(34, 14)
	c.CubicTo(41, 14, 45, 18, 45, 24)
	c.CubicTo(45, 28.5, 42.5, 31.7, 38.5, 33)
	c.LineTo(46, 46)
	c.LineTo(38, 46)
	c.LineTo(31.5, 34)
	c.LineTo(27, 34)
	c.LineTo(27, 46)
	c.ClosePath()
	c.MoveTo(27, 28)
	c.LineTo(33.3, 28)
	c.CubicTo(36.3, 28, 38, 26.5, 38, 24)
	c.CubicTo(38, 21.5, 36.3, 20, 33.3, 20)
	c.LineTo(27, 20)
	c.ClosePath()
	c.Fill()
	return c
}
