package imaging_test

import (
	"testing"

	"github.com/rackmate/rackmate/imaging"
)

// BenchmarkPNG draws the positions of a whole game, one after another.
func BenchmarkPNG(b *testing.B) {
	views := positions(b)
	for _, theme := range imaging.Themes() {
		b.Run(theme.String(), func(b *testing.B) {
			r := renderer(b, theme)
			for _, v := range views { // draw the sprites
				if _, err := r.PNG(v); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportAllocs()
			n, size, largest := 0, 0, 0
			for b.Loop() {
				png, err := r.PNG(views[n%len(views)])
				if err != nil {
					b.Fatal(err)
				}
				n++
				size += len(png)
				largest = max(largest, len(png))
			}
			b.ReportMetric(float64(size)/float64(n), "bytes/picture")
			b.ReportMetric(float64(largest), "max-bytes")
		})
	}
}

// BenchmarkStart makes a renderer and its first picture.
func BenchmarkStart(b *testing.B) {
	views := positions(b)
	f := fonts(b)
	for b.Loop() {
		r, err := imaging.NewRenderer(imaging.Dark, f)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := r.PNG(views[len(views)-1]); err != nil {
			b.Fatal(err)
		}
	}
}
