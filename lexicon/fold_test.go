package lexicon

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func letters(all string) []string { return strings.Fields(all) }

// TestFoldTypedText checks that text from people, phones and word lists becomes
// tiles.
func TestFoldTypedText(t *testing.T) {
	english := mustAlphabet(t, strings.Split("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "")...)
	spanish := mustAlphabet(t, letters("A B C CH D E H I L LL M N Ñ O P R RR S T U")...)
	catalan := mustAlphabet(t, letters("A C Ç E G I L L·L M N NY O P QU R S T U")...).WithFolding(Folding{Typed: map[string]string{"l.l": "l·l", "l-l": "l·l"}})
	german := mustAlphabet(t, letters("A Ä E F L M N O Ö R S T U Ü")...)
	finnish := mustAlphabet(t, letters("A Ä K L N O Ö T")...).WithFolding(Folding{Map: map[string]string{"å": "å"}})
	polish := mustAlphabet(t, letters("A Ą C E F K Ł N O Ó")...).WithFolding(Folding{Own: true})
	croatian := mustAlphabet(t, letters("A D DŽ E L LJ N NJ O Ž")...)
	turkish := mustAlphabet(t, letters("A I İ K L N Ş")...)
	greek := mustAlphabet(t, letters("Α Ε Η Ι Κ Λ Ν Ο Ρ Σ Τ Υ Ω")...)
	russian := mustAlphabet(t, letters("А Е Ё И Й К О Р С Т")...).WithFolding(Folding{Own: true})
	ukrainian := mustAlphabet(t, letters("А Б І Ї М О П Р Т ' Я")...).WithFolding(Folding{Own: true})
	esperanto := mustAlphabet(t, letters("A C Ĉ I O S Ŝ U Ŭ")...).WithFolding(Folding{Own: true, Typed: map[string]string{"cx": "ĉ", "ux": "ŭ"}})
	hebrew := mustAlphabet(t, letters("א ב ה ו י כ ל מ נ פ צ ש")...).WithFolding(Folding{Map: map[string]string{"ך": "כ", "ם": "מ", "ן": "נ", "ף": "פ", "ץ": "צ"}})
	for _, tt := range []struct {
		a    *Alphabet
		text string
		want string // letters separated by dots; empty if rejected
	}{
		{english, "café", "C.A.F.E"},
		{english, "cafe\u0301", "C.A.F.E"},
		{english, "ﬁne", "F.I.N.E"},
		{english, "Œuf", "O.E.U.F"},
		{english, "САT", "C.A.T"}, // Cyrillic С and А in a Latin word
		{english, "САХАР", ""},    // a Cyrillic word
		{spanish, "nin\u0303o", "N.I.Ñ.O"},
		{spanish, "CHÁCHARA", "CH.A.CH.A.R.A"},
		{spanish, "churro", "CH.U.RR.O"},
		{spanish, "pin[g]uino", ""},
		{catalan, "col·legi", "C.O.L·L.E.G.I"},
		{catalan, "COL.LEGI", "C.O.L·L.E.G.I"},
		{catalan, "col-legi", "C.O.L·L.E.G.I"},
		{catalan, "coŀlegi", "C.O.L·L.E.G.I"},
		{catalan, "col•legi", "C.O.L·L.E.G.I"},
		{catalan, "qüestió", "QU.E.S.T.I.O"},
		{catalan, "plaça", "P.L.A.Ç.A"},
		{german, "Straße", "S.T.R.A.S.S.E"},
		{german, "ÄRE", "Ä.R.E"},
		{german, "a\u0308ra", "Ä.R.A"},
		{finnish, "Åland", ""},
		{finnish, "ÄLÄ", "Ä.L.Ä"},
		{polish, "kofe\u0301", ""},
		{polish, "ŁA\u0328KA", "Ł.Ą.K.A"},
		{croatian, "ǆǉǌ", "DŽ.LJ.NJ"},
		{croatian, "nad|živ", ""},
		{croatian, "od|žena", "O.D.Ž.E.N.A"},
		{turkish, "kış", "K.I.Ş"},
		{turkish, "kil", "K.İ.L"},
		{turkish, "KÂNİ", "K.A.N.İ"},
		{turkish, "kâni", "K.A.N.İ"},
		{greek, "καλός", "Κ.Α.Λ.Ο.Σ"},
		{greek, "ΐΐ", "Ι.Ι"},
		{greek, "KΑΛΟ", "Κ.Α.Λ.Ο"}, // Latin K
		{russian, "йёти", "Й.Ё.Т.И"},
		{russian, "и\u0306", "Й"},
		{ukrainian, "п’ята", "П.'.Я.Т.А"},
		{ukrainian, "пʼят", "П.'.Я.Т"},
		{esperanto, "cxiu", "Ĉ.I.U"},
		{esperanto, "CXIU", "Ĉ.I.U"},
		{esperanto, "aux", "A.Ŭ"},
		{hebrew, "שָׁלוֹם", "ש.ל.ו.מ"},
		{hebrew, "\u200fכלב\u200e", "כ.ל.ב"},
	} {
		w, err := tt.a.Parse(tt.text)
		var got []string
		for i := range len(w) {
			got = append(got, tt.a.Text(Letter(w[i])))
		}
		if text := strings.Join(got, "."); text != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%q reads %q (%v), want %q", tt.text, text, err, tt.want)
		}
	}
}

func TestOtherScriptsLettersAreNamed(t *testing.T) {
	english := mustAlphabet(t, strings.Split("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "")...)
	_, err := english.Parse("САХАР")
	if want := "'С' is a Cyrillic letter, and only looks like the Latin C: type it with another keyboard"; !errors.Is(err, ErrNoLetter) || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if _, err := english.Parse("ЖУК"); err.Error() != "'Ж' not in the alphabet" {
		t.Error(err)
	}
}

// TestComposeChangesNoLetter checks that recorded games are only composed: there É is a mistake,
// and L.L three squares.
func TestComposeChangesNoLetter(t *testing.T) {
	catalan := mustAlphabet(t, letters("A C L L·L O")...).WithFolding(Folding{Typed: map[string]string{"l.l": "l·l"}})
	for text, want := range map[string]string{"COL.LA": "COL.LA", "É": "É", "E\u0301": "É", "aŀla": "al·la", "а": "а", "\u200eCO": "CO"} {
		if got := catalan.Compose(text); got != want {
			t.Errorf("%q is composed %q, want %q", text, got, want)
		}
	}
}

// TestReadingsOfLongTiles checks that Hungarian CS may be laid as one tile or two, but not other languages'
// long tiles.
func TestReadingsOfLongTiles(t *testing.T) {
	a := mustAlphabet(t, letters("A C CS GY S SZ Y Z ZS")...).WithFolding(Folding{Both: []string{"CS", "SZ", "ZS"}})
	for text, want := range map[string]string{
		"CSA": "CSA C|SA", "CSASZ": "CSASZ CSAS|Z C|SASZ C|SAS|Z", "GYA": "GYA",
		// At the joints of compounds: RÉZ and SZÖG, MÉSZ and SÚLY.
		"AZSZA": "AZSZA AZ|S|ZA AZ|SZA", "ASZSA": "ASZSA AS|Z|SA AS|ZSA", "AZ|SZA": "AZ|SZA AZ|S|ZA",
		"CSZS": "CSZS CSZ|S C|S|ZS C|S|Z|S C|SZ|S",
	} {
		w, err := a.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		var all []Word
		for f := range strings.FieldsSeq(want) {
			r, err := a.Parse(f)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, r)
		}
		if got := a.readings(w); !slices.Equal(got, all) {
			t.Errorf("%s is read %q, want %s", text, got, want)
		}
	}
}

func TestOtherReadings(t *testing.T) {
	welsh := mustAlphabet(t, letters("A D DD G L LL N NG O S")...)
	catalan := mustAlphabet(t, letters("A L L·L N NY O QU U")...)
	for text, want := range map[string]string{
		"dangos": "dan|gos", "LLANGO": "L|LANGO LLAN|GO L|LAN|GO", "da[ng]os": "", "dan|gos": "", "gos": "", "(ll)a?ng": "(l|l)a?ng (ll)a?n|g (l|l)a?n|g",
	} {
		if got := strings.Join(welsh.OtherReadings(text), " "); got != want {
			t.Errorf("%s can be parted %q, want %q", text, got, want)
		}
	}
	if got := catalan.OtherReadings("l·lanyaqu"); len(got) > 0 { // the alphabet has no Y, point or Q
		t.Errorf("parted %q", got)
	}
}
