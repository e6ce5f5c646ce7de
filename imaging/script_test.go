package imaging

import (
	"testing"

	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/game/gametest"
)

func shippedFonts(t *testing.T) Fonts {
	t.Helper()
	read := func(name string) []byte {
		b, err := data.Font(name)
		gametest.Must(t, err)
		return b
	}
	return Fonts{
		Tile: read("AtkinsonHyperlegibleNext-Bold"), Text: read("Inter-SemiBold"), Bold: read("Inter-Bold"),
		Others: [][]byte{read("NotoSansHebrew-SemiBold"), read("NotoSansArabic-SemiBold"), read("NotoSansThai-SemiBold")},
		Light:  []func() ([]byte, error){func() ([]byte, error) { return data.Font("DroidSansFallback") }},
	}
}

func shipped(t *testing.T) family {
	t.Helper()
	_, text, _, err := shippedFonts(t).parse()
	gametest.Must(t, err)
	return text
}

func TestReadable(t *testing.T) {
	f := shipped(t)
	for _, c := range []struct{ name, want string }{
		{"Ann", "Ann"},
		{"  Ann \t of\nKent ", "Ann of Kent"},
		{"Jörg Ñandú Łódź", "Jörg Ñandú Łódź"},
		{"Jo\u0308rg", "Jörg"},
		{"Καίτη Боря Việt", "Καίτη Боря Việt"},
		{"山田 김철수 สมชาย", "山田 김철수 สมชาย"},
		{"🎉 Bo 🎉🏳️‍🌈", "Bo"},
		{"𝓐𝓵𝓮𝔁 ①②", "Alex ①②"},
		{"Z̷̢̛a̴l̶g̵o̶", "Zalgo"},
		{"a\u202eb\u200dc\x00", "abc"},
		{"ㅤ\u2800 x", "x"},
		{"सीता", ""},
		{"\xff\xfe", ""},
		{"שָׁלוֹם", "שלום"},
		{"محمد", "\uFEE3\uFEA4\uFEE4\uFEAA"},
		{"لا", "\uFEFB"},
		{"علاء", "\uFECB\uFEFC\u0621"},
		{"علي", "\uFECB\uFEE0\uFEF2"},
	} {
		if got := string(f.readable(c.name)); got != c.want {
			t.Errorf("%q is shown as %+q, want %+q", c.name, got, c.want)
		}
	}
}

func TestVisualOrder(t *testing.T) {
	// The wanted text is left to right.
	for _, c := range []struct {
		text string
		rtl  bool
		want string
	}{
		{"Ann (2)", false, "Ann (2)"},
		{"\u05d0\u05d1", true, "\u05d1\u05d0"},
		{"\u05d0\u05d1 \u05d2", true, "\u05d2 \u05d1\u05d0"},
		{"\u05d0\u05d1 (12)", true, "(12) \u05d1\u05d0"},
		{"\u05d0\u05d1 at 8H for 12", false, "\u05d1\u05d0 at 8H for 12"},
		{"\u05d0 12 \u05d1 won", false, "\u05d1 12 \u05d0 won"},
		{"won: \u05d0\u05d1!", false, "won: \u05d1\u05d0!"},
		{"\u05d0 Ann \u05d1", true, "\u05d1 Ann \u05d0"},
		{"\u05d0\u05d1\u05d2…", true, "…\u05d2\u05d1\u05d0"},
	} {
		if got := string(visualOrder([]rune(c.text), c.rtl)); got != c.want {
			t.Errorf("%q is seen as %q, want %q", c.text, got, c.want)
		}
	}
}

// TestFit checks that a text is cut to the available width, without a trailing space, and only if
// necessary.
func TestFit(t *testing.T) {
	st := newStyle(shipped(t), 29)
	name := []rune("Alexandra the Great")
	full := st.width(name)
	for room := full + 10; room > 60; room-- {
		got := st.fit(name, room)
		if w := st.width(got); w > room {
			t.Fatalf("%q is %d wide in a room of %d", string(got), w, room)
		}
		if (room >= full) != (string(got) == string(name)) {
			t.Fatalf("a room of %d shows %q", room, string(got))
		}
	}
	if got := string(st.fit(name, st.width([]rune("Alexandra t…")))); got != "Alexandra t…" {
		t.Errorf("cut as %q", got)
	}
	if got := string(st.fit(name, st.width([]rune("Alexandra …")))); got != "Alexandra…" {
		t.Errorf("cut as %q", got)
	}
}
