package hunspell_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/rackmate/rackmate/lexicon/hunspell"
)

func TestWords(t *testing.T) {
	for name, test := range map[string]struct{ aff, dic, want string }{
		"endings by how the stem ends": {
			"SET UTF-8\nSFX A Y 2\nSFX A y ies [^aeiou]y\nSFX A 0 s [^y]\n",
			"3\ncity/A\nduck/A\nday/A\n",
			"cities city day duck ducks",
		},
		"a beginning and an ending at once, where both go together": {
			"SET UTF-8\nPFX U Y 1\nPFX U 0 un .\nSFX D Y 1\nSFX D 0 ed .\nSFX N N 1\nSFX N 0 ing .\n",
			"1\nlock/UDN\n",
			"lock locked locking unlock unlocked",
		},
		"an ending after an ending": {
			"SET UTF-8\nSFX A Y 1\nSFX A 0 ness/B .\nSFX B Y 1\nSFX B 0 es .\n",
			"1\nkind/A\n",
			"kind kindness kindnesses",
		},
		"flags by number, and flags of two characters behind a number": {
			"SET UTF-8\nFLAG long\nAF 1\nAF aabb\nSFX aa Y 1\nSFX aa 0 s .\nSFX bb Y 1\nSFX bb 0 er .\n",
			"1\nwalk/1\n",
			"walk walker walks",
		},
		"flags that are numbers": {
			"SET UTF-8\nFLAG num\nSFX 12 Y 1\nSFX 12 0 s .\nSFX 2 Y 1\nSFX 2 0 x .\n",
			"1\nhat/12\tpo:noun\n",
			"hat hats",
		},
		"stems that are no words, and words that must not be": {
			"SET UTF-8\nNEEDAFFIX !\nFORBIDDENWORD ?\nONLYINCOMPOUND *\nSFX A Y 2\nSFX A 0 s .\nSFX A 0 zz/* .\n",
			"4\nox/A!\nbad/A?\nfoo/*\nfine po:adj\n",
			"fine oxs",
		},
		"a rule that takes off the whole stem, where the dictionary allows it": {
			"FULLSTRIP\nSET UTF-8\nSFX A Y 2\nSFX A être sont être\nSFX A re s re\n",
			"1\nêtre/A\n",
			"sont être êts",
		},
		"a rule that takes off the whole stem elsewhere": {
			"SET UTF-8\nSFX A Y 2\nSFX A être sont être\nSFX A re s re\n",
			"1\nêtre/A\n",
			"être êts",
		},
		"another encoding": {
			"SET ISO8859-2\nSFX A Y 1\nSFX A 0 \xb1 .\n",
			"1\n\xbfab/A\n",
			"żab żabą",
		},
	} {
		d, err := hunspell.Read([]byte(test.aff), []byte(test.dic))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := slices.Compact(slices.Sorted(d.Words(hunspell.Limits{Most: hunspell.TwoEndings})))
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
	d, err := hunspell.Read([]byte("SET UTF-8\nPFX U Y 1\nPFX U 0 un .\nSFX A Y 1\nSFX A 0 ness/B .\nSFX B Y 1\nSFX B 0 es .\n"), []byte("1\nkind/AU\n"))
	if err != nil {
		t.Fatal(err)
	}
	for most, want := range map[int]string{
		hunspell.StemsAlone: "kind",
		hunspell.OneAffix:   "kind kindness unkind",
		hunspell.OneEnding:  "kind kindness unkind unkindness",
		hunspell.TwoEndings: "kind kindness kindnesses unkind unkindness unkindnesses",
	} {
		if got := strings.Join(slices.Compact(slices.Sorted(d.Words(hunspell.Limits{Most: most}))), " "); got != want {
			t.Errorf("with %d: %q, want %q", most, got, want)
		}
	}
	d, err = hunspell.Read([]byte("SET UTF-8\nPFX D Y 2\nPFX D 0 dell' .\nPFX D 0 ri .\nSFX A Y 2\nSFX A o i o\nSFX A o uccio/B o\nSFX B Y 1\nSFX B o ino o\n"), []byte("1\nanno/AD\n"))
	if err != nil {
		t.Fatal(err)
	}
	for want, l := range map[string]hunspell.Limits{
		"anni anno annucciino annuccio rianni rianno riannuccio": {Most: hunspell.TwoEndings, Spells: unicode.IsLetter, Longest: 10},
		"anni anno": {Most: hunspell.TwoEndings, Longest: 4},
	} {
		if got := slices.Compact(slices.Sorted(d.Words(l))); strings.Join(got, " ") != want {
			t.Errorf("within %+v: %q, want %q", l, got, want)
		}
	}
	for _, bad := range []string{"SET EBCDIC\n", "SET UTF-8\nSFX A Y 1\nSFX A 0\n", "SET UTF-8\nSFX A Y 1\nSFX A 0 s [ab\n"} {
		if _, err := hunspell.Read([]byte(bad), []byte("1\nx\n")); err == nil {
			t.Errorf("the affixes %q were read", bad)
		}
	}
}

// TestStudy checks that a text's words are analysed, that other stems form words in the same ways,
// and that the text's stems need fewer examples for that.
func TestStudy(t *testing.T) {
	d, err := hunspell.Read([]byte("SET UTF-8\nCOMPOUNDFLAG C\nNEEDAFFIX !\nPFX U Y 1\nPFX U 0 un .\nSFX D Y 2\nSFX D 0 ed [^e]\nSFX D 0 d e\nSFX N Y 1\nSFX N 0 ness/S .\nSFX S Y 1\nSFX S 0 es .\n"),
		[]byte("8\nlock/UDC\ntie/UD\npost/D\nkind/NU\nglad/N\nmad/N\nsmith/C\nabl/N!\n"))
	if err != nil {
		t.Fatal(err)
	}
	text := map[string]bool{}
	for _, w := range strings.Fields("locked untied kindness kindnesses locksmith smithlock postlock zebra abl ablness loo") {
		text[w] = true
	}
	s := d.Study(text)
	if got, want := strings.Join(s.Known(), " "), "ablness kindness kindnesses locked locksmith smithlock untied"; got != want {
		t.Errorf("known are %s, want %s", got, want)
	}
	words := func(ofText, ofOthers int) string {
		return strings.Join(slices.Sorted(s.Words(ofText, ofOthers, hunspell.Limits{Longest: 10})), " ")
	}
	if got, want := words(1, 1), "ablness ablnesses gladness gladnesses kindness kindnesses locked madness madnesses posted untied"; got != want {
		t.Errorf("words are %s, want %s", got, want)
	}
	if got, want := words(1, 2), "ablness ablnesses gladness kindness kindnesses locked madness untied"; got != want {
		t.Errorf("words of the text's stems are %s, want %s", got, want)
	}
}
