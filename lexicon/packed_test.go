package lexicon_test

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/lexicon"
)

// many returns the shipped list in full runs, and every tenth word of it otherwise.
func many(tb testing.TB) *lexicon.Lexicon {
	tb.Helper()
	x := shipped(tb)
	if gametest.Long() {
		return x
	}
	var words []lexicon.Word
	n := 0
	for w := range x.Words() {
		if n++; n%10 == 0 {
			words = append(words, w)
		}
	}
	some, err := lexicon.New("some", x.Alphabet(), words)
	gametest.Must(tb, err)
	return some
}

// TestPackedListsUnpackToSameCells checks that packed lists unpack to exactly the same cells, with few
// letters and many, and with enough words to share nodes everywhere.
func TestPackedListsUnpackToSameCells(t *testing.T) {
	letters := func(text string) *lexicon.Alphabet {
		a, err := lexicon.NewAlphabet(strings.Fields(text))
		gametest.Must(t, err)
		return a
	}
	latin := letters("A B C D E F G H I J K L M N O P Q R S T U V W X Y Z")
	cyrillic := letters("А Б В Г Д Е Ё Ж З И Й К Л М Н О П Р С Т У Ф Х Ц Ч Ш Щ Ъ Ы Ь Э Ю Я")
	russian, err := lexicon.Build("ru", cyrillic, strings.NewReader("кот\nкоты\nток\nокот\nящик\nящики\nёж\nёжик\n"))
	gametest.Must(t, err)
	one, err := lexicon.Build("one", latin, strings.NewReader("aa\n"))
	gametest.Must(t, err)
	for _, x := range []*lexicon.Lexicon{one, russian, many(t)} {
		var plain, packed, again bytes.Buffer
		if _, err := x.WriteTo(&plain); err != nil {
			t.Fatal(err)
		}
		if _, err := x.WritePackedTo(&packed); err != nil {
			t.Fatal(err)
		}
		file := packed.Bytes()
		y, err := lexicon.OpenSound(file)
		gametest.Must(t, err)
		if y.Name() != x.Name() || y.Len() != x.Len() || y.Hash() != x.Hash() || !y.Alphabet().Equal(x.Alphabet()) {
			t.Errorf("%s comes back as %s, %d words, %s", x.Name(), y.Name(), y.Len(), y.Hash())
		}
		if _, err := y.WriteTo(&again); err != nil || !bytes.Equal(plain.Bytes(), again.Bytes()) {
			t.Errorf("%s unpacks to another graph (%v)", x.Name(), err)
		}
		t.Logf("%s: %d bytes, %d packed", x.Name(), plain.Len(), len(file))
		for n := range min(len(file), 64) {
			if _, err := lexicon.Open(file[:n]); err == nil {
				t.Errorf("the first %d bytes of %s were taken for a list", n, x.Name())
			}
		}
		for at := 8; at < len(file); at += 1 + len(file)/min(40, max(2, 4000/len(file))) {
			damaged := bytes.Clone(file)
			damaged[at] ^= 0x10
			z, err := lexicon.Open(damaged)
			if errors.Is(err, lexicon.ErrDamaged) {
				continue
			}
			// The last bits are unused.
			again.Reset()
			if z == nil {
				t.Errorf("%s with another bit in byte %d: %v", x.Name(), at, err)
			} else if _, err := z.WriteTo(&again); err != nil || !bytes.Equal(plain.Bytes(), again.Bytes()) {
				t.Errorf("%s with another bit in byte %d has other words", x.Name(), at)
			}
		}
		z, err := lexicon.OpenSound(file)
		gametest.Must(t, err)
		z.Prepare()
		z.Prepare()
		if z.Gaddag().Next != x.Gaddag().Next {
			t.Errorf("%s prepared in the background differs", x.Name())
		}
		if y, err := lexicon.Open(file); err != nil || y.Len() != x.Len() {
			t.Errorf("%s opened at once: %v", x.Name(), err)
		}
	}
}

func BenchmarkUnpack(b *testing.B) {
	var packed bytes.Buffer
	if _, err := shipped(b).WritePackedTo(&packed); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		x, err := lexicon.OpenSound(packed.Bytes())
		gametest.Must(b, err)
		x.Forward()
	}
}

// BenchmarkOpenPolish measures the time and additional memory to open the largest shipped list in
// place from a file. The first time, all of it is unpacked.
func BenchmarkOpenPolish(b *testing.B) {
	packed, err := os.ReadFile("../data/lexicons/pl.packed")
	gametest.Must(b, err)
	x, err := lexicon.OpenSound(packed)
	gametest.Must(b, err)
	file := saved(b, x)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := lexicon.OpenInPlace(file); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkGaddag measures what the first robot waits for with a packed list.
func BenchmarkGaddag(b *testing.B) {
	for _, name := range []string{"es", "ru", "pl"} {
		packed, err := os.ReadFile("../data/lexicons/" + name + ".packed")
		gametest.Must(b, err)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				x, err := lexicon.OpenSound(packed)
				gametest.Must(b, err)
				x.Gaddag()
			}
		})
	}
}
