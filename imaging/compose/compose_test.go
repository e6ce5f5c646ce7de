package compose_test

import (
	"bytes"
	"image"
	"image/png"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/imaging/compose"
)

// grey returns a palette of n greys.
func grey(n int) []byte {
	var p []byte
	for i := range n {
		p = append(p, byte(i), byte(i), byte(i))
	}
	return p
}

// encoder returns an encoder with the code of some bands.
func encoder(t testing.TB, bands []compose.Band) *compose.Encoder {
	t.Helper()
	code, err := compose.Train([][]compose.Band{bands})
	gametest.Must(t, err)
	read, err := compose.ParseCode(code.String())
	gametest.Must(t, err)
	return compose.NewEncoder(read)
}

// check encodes bands both ways and decodes them with the standard library, which also verifies the
// checksums. It returns the quick file.
func check(t testing.TB, e *compose.Encoder, p *compose.Plain, bands []compose.Band) []byte {
	t.Helper()
	w := 0
	for _, s := range bands[0] {
		w += s.W
	}
	var want []uint8
	for _, b := range bands {
		for y := range b[0].H {
			for _, s := range b {
				want = append(want, s.Pix[y*s.W:(y+1)*s.W]...)
			}
		}
	}
	quick, err := e.Encode(bands, grey(256))
	gametest.Must(t, err)
	plain, err := p.Encode(bands, grey(256))
	gametest.Must(t, err)
	for name, b := range map[string][]byte{"quick": quick, "plain": plain} {
		m, err := png.Decode(bytes.NewReader(b))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, ok := m.(*image.Paletted)
		if !ok || got.Rect != image.Rect(0, 0, w, len(want)/w) || !bytes.Equal(got.Pix, want) {
			t.Fatalf("%s: read back as another picture", name)
		}
	}
	return quick
}

// randomBands returns a picture of a few recurring sprites, whose pixels often equal those beside
// or above.
func randomBands(rng *rand.Rand) []compose.Band {
	w, colours := 1+rng.IntN(40), 1+rng.IntN(256)
	if rng.IntN(10) == 0 {
		w = 600 + rng.IntN(600)
	}
	calm := rng.Float64()
	sprite := func(w, h int) *compose.Sprite {
		s := &compose.Sprite{W: w, H: h, Pix: make([]uint8, w*h)}
		for i := range s.Pix {
			switch {
			case i > 0 && rng.Float64() < calm:
				s.Pix[i] = s.Pix[i-1]
			case i >= w && rng.Float64() < calm:
				s.Pix[i] = s.Pix[i-w]
			default:
				s.Pix[i] = uint8(rng.IntN(colours))
			}
		}
		if rng.IntN(4) > 0 {
			s.Prepare()
		}
		return s
	}
	type shape struct{ w, h int }
	known := map[shape][]*compose.Sprite{}
	var bands []compose.Band
	for range 1 + rng.IntN(5) {
		var b compose.Band
		h := 1 + rng.IntN(12)
		for left := w; left > 0; {
			is := shape{min(left, 1+rng.IntN(max(w/3, 1))), h}
			if rng.IntN(2) == 0 {
				is.w = min(left, w/5+1)
			}
			if of := known[is]; len(of) == 0 || rng.IntN(3) == 0 {
				known[is] = append(of, sprite(is.w, is.h))
			}
			b = append(b, known[is][rng.IntN(len(known[is]))])
			left -= is.w
		}
		bands = append(bands, b)
	}
	return bands
}

func TestEncode(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	e := encoder(t, randomBands(rng))
	var p compose.Plain
	for range 500 {
		check(t, e, &p, randomBands(rng))
	}
}

func FuzzEncode(f *testing.F) {
	f.Add(uint64(1))
	f.Add(uint64(2))
	f.Fuzz(func(t *testing.T, seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 0))
		check(t, encoder(t, randomBands(rng)), new(compose.Plain), randomBands(rng))
	})
}

// TestExtremes checks that symbols which never or always occur have codes too.
func TestExtremes(t *testing.T) {
	var p compose.Plain
	fill := func(w, h int, pix func(i int) uint8) *compose.Sprite {
		s := &compose.Sprite{W: w, H: h, Pix: make([]uint8, w*h)}
		for i := range s.Pix {
			s.Pix[i] = pix(i)
		}
		return s
	}
	// Fibonacci numbers give the deepest code.
	deep := fill(1<<15, 1, func(int) uint8 { return 0 })
	for i, a, b, colour := 0, 1, 1, uint8(1); i < 1<<15; colour++ {
		for range min(a, 1<<15-i) {
			deep.Pix[i] = colour
			i++
		}
		a, b = b, a+b
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(1<<15, func(i, j int) { deep.Pix[i], deep.Pix[j] = deep.Pix[j], deep.Pix[i] })
	for name, s := range map[string]*compose.Sprite{
		"one pixel":   fill(1, 1, func(int) uint8 { return 0 }),
		"one colour":  fill(700, 9, func(int) uint8 { return 2 }),
		"every step":  fill(256, 3, func(i int) uint8 { return uint8(i * i) }),
		"a deep code": deep,
	} {
		t.Run(name, func(t *testing.T) {
			e := encoder(t, []compose.Band{{s}})
			check(t, e, &p, []compose.Band{{s}})
			check(t, e, &p, []compose.Band{{s.Prepare()}, {s}})
		})
	}
}

func TestBadBands(t *testing.T) {
	s := func(w, h int) *compose.Sprite { return &compose.Sprite{W: w, H: h, Pix: make([]uint8, w*h)} }
	for name, bands := range map[string][]compose.Band{
		"nothing":      nil,
		"no sprites":   {{}},
		"no pixels":    {{s(3, 0)}},
		"too wide":     {{s(1<<15+1, 1)}},
		"two heights":  {{s(3, 4), s(3, 5)}},
		"two widths":   {{s(3, 4), s(3, 4)}, {s(3, 4)}},
		"pixels short": {{{W: 3, H: 3, Pix: make([]uint8, 8)}}},
	} {
		if _, err := compose.NewEncoder(nil).Encode(bands, grey(1)); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, err := new(compose.Plain).Encode(bands, grey(1)); err == nil {
			t.Errorf("%s, plain: no error", name)
		}
	}
}

// TestRepeats checks that adjacent copies of a sprite cost almost nothing.
func TestRepeats(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	noise := &compose.Sprite{W: 50, H: 50, Pix: make([]uint8, 2500)}
	for i := range noise.Pix {
		noise.Pix[i] = uint8(rng.Uint32())
	}
	e := encoder(t, []compose.Band{{noise.Prepare()}})
	var p compose.Plain
	one := len(check(t, e, &p, []compose.Band{{noise}}))
	ten := len(check(t, e, &p, []compose.Band{{noise, noise, noise, noise, noise, noise, noise, noise, noise, noise}}))
	if ten > one+one/4 {
		t.Errorf("a sprite takes %d bytes, ten times side by side %d", one, ten)
	}
}

// TestPngcheck uses a stricter reader than the standard library.
func TestPngcheck(t *testing.T) {
	tool, err := exec.LookPath("pngcheck")
	if err != nil {
		t.Skip("pngcheck is not installed")
	}
	rng := rand.New(rand.NewPCG(5, 6))
	e := encoder(t, randomBands(rng))
	var p compose.Plain
	dir, args := t.TempDir(), []string{"-q"}
	for i := range 50 {
		name := filepath.Join(dir, string(rune('A'+i))+".png")
		gametest.Must(t, os.WriteFile(name, check(t, e, &p, randomBands(rng)), 0o600))
		args = append(args, name)
	}
	if out, err := exec.Command(tool, args...).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

func TestParseCode(t *testing.T) {
	good := strings.Repeat("8", 226) + strings.Repeat("9", 60) + strings.Repeat("5", 28) + "44"
	if c, err := compose.ParseCode(good); err != nil || c.String() != good {
		t.Errorf("%s: %v", good, err)
	}
	for name, s := range map[string]string{
		"empty": "", "long": good + "4", "a zero": "0" + good[1:], "no digit": "x" + good[1:], "no tree": "9" + good[1:],
	} {
		if _, err := compose.ParseCode(s); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
