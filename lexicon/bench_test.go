package lexicon_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/lexicon"
)

func shipped(tb testing.TB) *lexicon.Lexicon {
	tb.Helper()
	return gametest.ShippedList(tb, "en")
}

// The words looked up are spread over the whole list and adjacent in memory, so that the graph is
// measured and not the benchmark.
const lookups = 1 << 14

func BenchmarkHasValid(b *testing.B) {
	x := shipped(b)
	all := slices.Collect(x.Words())
	rng := rand.New(rand.NewPCG(1, 1))
	words := make([]lexicon.Word, lookups)
	for i := range words {
		words[i] = all[rng.IntN(len(all))]
	}
	benchmarkHas(b, x, pack(words))
}

func BenchmarkHasRandom(b *testing.B) {
	x := shipped(b)
	rng := rand.New(rand.NewPCG(1, 2))
	words := make([]lexicon.Word, lookups)
	for i := range words {
		w := make([]byte, 2+rng.IntN(14))
		for k := range w {
			w[k] = byte(1 + rng.IntN(26))
		}
		words[i] = lexicon.Word(w)
	}
	benchmarkHas(b, x, pack(words))
}

// pack returns copies of words that are adjacent in memory.
func pack(words []lexicon.Word) []lexicon.Word {
	var all []byte
	for _, w := range words {
		all = append(all, w...)
	}
	text, packed := lexicon.Word(all), make([]lexicon.Word, len(words))
	for i, w := range words {
		packed[i], text = text[:len(w)], text[len(w):]
	}
	return packed
}

func benchmarkHas(b *testing.B, x *lexicon.Lexicon, words []lexicon.Word) {
	i, found := 0, 0
	for b.Loop() {
		if x.Has(words[i%lookups]) {
			found++
		}
		i++
	}
	b.ReportMetric(100*float64(found)/float64(i), "%valid")
}

// BenchmarkOpen measures the time from the embedded file until the list is ready; heap-MB is the
// memory of a list after the file's own bytes are freed.
func BenchmarkOpen(b *testing.B) {
	file, err := data.Lexicon("en")
	gametest.Must(b, err)
	var x *lexicon.Lexicon
	for b.Loop() {
		if x, err = lexicon.Open(file); err != nil {
			b.Fatal(err)
		}
	}
	with := heap()
	runtime.KeepAlive(x)
	x = nil
	b.ReportMetric(float64(with-heap())/1e6, "heap-MB")
	b.ReportMetric(float64(len(file))/1e6, "file-MB")
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func BenchmarkBuild(b *testing.B) {
	x := shipped(b)
	var list bytes.Buffer
	for w := range x.Words() {
		list.WriteString(x.Alphabet().String(w) + "\n")
	}
	for b.Loop() {
		if _, err := lexicon.Build("en", x.Alphabet(), bytes.NewReader(list.Bytes())); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkVocabulary measures what a robot of a level pays once: reading how common words are, and
// building the list that it knows.
func BenchmarkVocabulary(b *testing.B) {
	x := shipped(b)
	text, err := data.Vocabulary("english")
	gametest.Must(b, err)
	v, err := lexicon.ReadVocabulary(x.Alphabet(), bytes.NewReader(text))
	gametest.Must(b, err)
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := lexicon.ReadVocabulary(x.Alphabet(), bytes.NewReader(text)); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, tier := range []int{lexicon.Familiar, lexicon.Educated, lexicon.Unusual} {
		b.Run(fmt.Sprintf("within %d", tier), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				v.Sublist(x, tier, 4)
			}
		})
	}
}

// BenchmarkFirstUse measures what a start waits for, and what the first best play then waits for:
// the words by their letters, which are in the file, or must be built for a file of version 2.
func BenchmarkFirstUse(b *testing.B) {
	file, err := data.Lexicon("en")
	gametest.Must(b, err)
	for _, to := range []struct {
		name  string
		asked func(*lexicon.Lexicon)
	}{
		{"look-up", func(x *lexicon.Lexicon) { x.Has("\x01") }},
		{"best play", func(x *lexicon.Lexicon) { x.Jumbles() }},
	} {
		b.Run(to.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				x, err := lexicon.OpenSound(file)
				gametest.Must(b, err)
				to.asked(x)
			}
		})
	}
}
