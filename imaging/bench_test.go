package imaging_test

import (
	"fmt"
	"image"
	"image/png"
	"testing"
	"time"

	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/imaging"
)

// BenchmarkPNG draws the positions of a whole game and, for comparison, draws each as a whole and
// encodes its pixels with the standard library. Best is the quickest time for a picture, averaged
// over the positions, which is least affected by other work on the machine.
func BenchmarkPNG(b *testing.B) {
	views := positions(b)
	for _, theme := range imaging.Themes() {
		r := renderer(b, theme)
		b.Run("quick/"+theme.String(), func(b *testing.B) {
			benchmark(b, len(views), func(i int) (int, error) {
				png, err := r.PNG(views[i])
				return len(png), err
			})
		})
	}
	r := renderer(b, imaging.Light)
	b.Run("plain", func(b *testing.B) {
		benchmark(b, len(views), func(i int) (int, error) {
			png, err := r.Plain(views[i])
			return len(png), err
		})
	})
	b.Run("std", func(b *testing.B) {
		var pictures []*image.Paletted
		for _, v := range views {
			file, err := r.PNG(v)
			gametest.Must(b, err)
			pictures = append(pictures, decode(b, file))
		}
		buffer := &pool{}
		encoder := png.Encoder{BufferPool: buffer}
		benchmark(b, len(views), func(i int) (int, error) {
			var n counter
			err := encoder.Encode(&n, pictures[i])
			return int(n), err
		})
	})
	b.Run("parallel", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			for i := 0; pb.Next(); i++ {
				if _, err := r.PNG(views[i%len(views)]); err != nil {
					b.Error(err)
				}
			}
		})
	})
}

type counter int

func (c *counter) Write(b []byte) (int, error) { *c += counter(len(b)); return len(b), nil }

type pool struct{ b *png.EncoderBuffer }

func (p *pool) Get() *png.EncoderBuffer  { return p.b }
func (p *pool) Put(b *png.EncoderBuffer) { p.b = b }

func benchmark(b *testing.B, n int, draw func(i int) (size int, err error)) {
	best := make([]time.Duration, n)
	size, largest := 0, 0
	for i := range n { // draw the sprites first
		if _, err := draw(i); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	count := 0
	for b.Loop() {
		i := count % n
		start := time.Now()
		s, err := draw(i)
		if d := time.Since(start); best[i] == 0 || d < best[i] {
			best[i] = d
		}
		gametest.Must(b, err)
		count++
		size += s
		largest = max(largest, s)
	}
	sum := time.Duration(0)
	for _, d := range best {
		sum += d
	}
	b.ReportMetric(float64(sum.Microseconds())/float64(min(n, count)), "best-µs")
	b.ReportMetric(float64(size)/float64(count), "bytes/picture")
	b.ReportMetric(float64(largest), "max-bytes")
}

// BenchmarkRack draws racks with varying scores and numbers of unseen tiles, as in many games.
func BenchmarkRack(b *testing.B) {
	r := renderer(b, imaging.Light)
	cards := make([]imaging.RackCard, 200)
	for i := range cards {
		cards[i] = rackCard(b, "AEINRST")
		cards[i].Caption, cards[i].Note = fmt.Sprintf("Your score is %d", 2*i), fmt.Sprintf("%d unseen", i%87)
	}
	benchmark(b, len(cards), func(i int) (int, error) {
		png, err := r.Rack(cards[i])
		return len(png), err
	})
}

// BenchmarkFirstPicture creates a renderer and draws its first picture.
func BenchmarkFirstPicture(b *testing.B) {
	views := positions(b)
	f := fonts(b)
	for b.Loop() {
		r, err := imaging.NewRenderer(imaging.Dark, f)
		gametest.Must(b, err)
		if _, err := r.PNG(views[len(views)-1]); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkZoom draws zoomed views, which are rare, including their sprites.
func BenchmarkZoom(b *testing.B) {
	views := positions(b)
	r := renderer(b, imaging.Dark)
	for name, draw := range map[string]func(imaging.View) ([]byte, error){"zoom": r.Zoom, "print": r.Print} {
		b.Run(name, func(b *testing.B) {
			benchmark(b, 1, func(int) (int, error) {
				png, err := draw(views[len(views)-1])
				return len(png), err
			})
		})
	}
}
