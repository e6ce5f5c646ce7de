package imaging

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/image/font/sfnt"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/language"
	"github.com/rackmate/rackmate/lexicon"
)

func mustRead(t *testing.T, elements ...string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(append([]string{"..", "data"}, elements...)...))
	gametest.Must(t, err)
	return b
}

func mustLanguage(t *testing.T, file string) *language.Language {
	t.Helper()
	l, err := language.Parse(mustRead(t, "languages", file))
	gametest.Must(t, err)
	return l
}

// TestEveryLanguageHasFontForTiles checks that one font has all letters of a set, because
// letters of two fonts side by side look wrong, and that every letter has ink and looks different
// from its neighbour.
func TestEveryLanguageHasFontForTiles(t *testing.T) {
	font := func(name string) []byte { return mustRead(t, "fonts", name+".ttf") }
	r, err := NewRenderer(Light, Fonts{
		Tile: font("AtkinsonHyperlegibleNext-Bold"), Tiles: [][]byte{font("IBMPlexSans-Bold")}, Text: font("Inter-SemiBold"), Bold: font("Inter-Bold"),
		Others: [][]byte{font("NotoSansHebrew-SemiBold")},
	})
	gametest.Must(t, err)
	files, err := os.ReadDir(filepath.Join("..", "data", "languages"))
	if err != nil || len(files) < 28 {
		t.Fatalf("%d languages, %v", len(files), err)
	}
	fonts := map[string][]string{}
	for _, f := range files {
		set := mustLanguage(t, f.Name()).Tiles
		lead := r.tile.preferFontFor(set.Alphabet())[:1]
		var buf sfnt.Buffer
		for i := range set.Alphabet().Len() {
			for _, c := range set.Alphabet().Text(lexicon.Letter(i + 1)) {
				if at, _ := lead.find(&buf, c); at < 0 {
					t.Errorf("%s: %c is in no font that has the others", set.Name(), c)
				}
			}
		}
		name, err := lead[0].font().Name(&buf, sfnt.NameIDFamily)
		gametest.Must(t, err)
		fonts[name] = append(fonts[name], set.Name())
		sheet := r.sheet(set, 36, gap)
		seen := map[string]bool{}
		for i := range set.Alphabet().Len() {
			for _, tile := range []game.Tile{game.LetterTile(lexicon.Letter(i + 1)), game.BlankAs(lexicon.Letter(i + 1))} {
				look := string(sheet.of(squareLook{tile: tile}).Pix)
				if seen[look] {
					t.Errorf("%s: %s looks like another tile", set.Name(), set.Text(tile))
				}
				seen[look] = true
			}
		}
	}
	if len(fonts["IBM Plex Sans"]) < 5 || len(fonts["Noto Sans Hebrew SemiBold"])+len(fonts["Noto Sans Hebrew"]) < 1 || len(fonts) != 3 {
		t.Errorf("fonts: %v", fonts)
	}
}

// TestHebrewRunsRightToLeft checks that column A is on the right in pictures and words.
func TestHebrewRunsRightToLeft(t *testing.T) {
	hebrew := mustLanguage(t, "he.json")
	layout, err := game.ParseLayout("standard-15", string(mustRead(t, "layouts", "standard-15.txt")))
	gametest.Must(t, err)
	v := View{Equipment: game.Equipment{Layout: layout, Tiles: hebrew.Tiles}, Bag: -1}
	if p := v.plan(1); p.column(0) != 14 || p.column(14) != 0 {
		t.Errorf("column %d is on the left, %d on the right", p.column(0), p.column(14))
	}
	tiles, err := hebrew.Tiles.Parse("של[?ו]ם")
	gametest.Must(t, err)
	for i := range len(tiles) {
		v.Board.Put(game.Square{Row: 7, Col: 6 + i}, tiles.At(i))
	}
	if got, want := v.Alt(), "Row 8: G \u2068של[?ו]מ\u2069. Column A is on the right. A letter after ? is a blank."; strings.TrimSpace(got) != want {
		t.Errorf("in words: %q, want %q", got, want)
	}
	// In text, a mark after each letter keeps it in its column.
	text := v.Text()
	for _, want := range []string{
		"   O  N  M  L  K  J  I  H  G  F  E  D  C  B  A\n",
		" 8 =  .  .  '  .  מ  ?ו ל  ש  .  .  '  .  .  =\n",
		"? blank",
	} {
		if !strings.Contains(strings.ReplaceAll(text, "\u200e", ""), want) {
			t.Errorf("in characters there is no %q:\n%s", want, text)
		}
	}
	for line := range strings.Lines(text) {
		if letters := strings.Count(line, "מ\u200e") + strings.Count(line, "ו\u200e") + strings.Count(line, "ל \u200e") + strings.Count(line, "ש \u200e"); strings.Contains(line, "מ") && letters != 3 || !strings.HasPrefix(line, "\u200e") && !strings.HasPrefix(line, "-") {
			t.Errorf("a letter can change places with the next: %q", line)
		}
	}
	v.Equipment.Tiles = mustLanguage(t, "ru.json").Tiles
	if p := v.plan(1); p.column(0) != 0 {
		t.Error("Russian is read from the left")
	}
}
