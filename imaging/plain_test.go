package imaging_test

import (
	"fmt"
	"image"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/language"
	"github.com/rackmate/rackmate/imaging"
	"github.com/rackmate/rackmate/lexicon"
)

// samePixels checks that the quick way gives the same picture as gg drawing it as a whole.
func samePixels(t *testing.T, r *imaging.Renderer, v imaging.View) {
	t.Helper()
	quick, err := r.PNG(v)
	gametest.Must(t, err)
	plain, err := r.Plain(v)
	gametest.Must(t, err)
	got, want := decode(t, quick), decode(t, plain)
	if got.Rect != want.Rect {
		t.Fatalf("the quick picture is %v, the plain one %v", got.Rect, want.Rect)
	}
	gotColours, wantColours := colours(got), colours(want)
	differ, where := 0, image.Rectangle{}
	for i := range got.Pix {
		if gotColours[got.Pix[i]] != wantColours[want.Pix[i]] {
			x, y := i%got.Stride, i/got.Stride
			differ++
			where = where.Union(image.Rect(x, y, x+1, y+1))
		}
	}
	if differ > 0 {
		t.Errorf("%d pixels differ between the quick picture and the plain one, within %v", differ, where)
	}
}

// equipments returns the equipment of every language and variant, with names.
func equipments(t *testing.T) (all []game.Equipment, names []string) {
	t.Helper()
	var layouts []game.Layout
	for _, name := range data.Layouts() {
		text, err := data.Layout(name)
		gametest.Must(t, err)
		l, err := game.ParseLayout(name, text)
		gametest.Must(t, err)
		layouts = append(layouts, l)
	}
	for _, code := range data.Languages() {
		text, err := data.Language(code)
		gametest.Must(t, err)
		l, err := language.Parse(text)
		gametest.Must(t, err)
		at := slices.IndexFunc(layouts, func(of game.Layout) bool { return of.Name == l.Layout })
		ordinary := game.Equipment{Layout: layouts[at], Tiles: l.Tiles}
		all, names = append(all, ordinary), append(names, code)
		for _, v := range game.Variants() {
			_, eq, err := v.Vary(game.Classic(), ordinary, layouts)
			if err != nil {
				continue // double-bag needs vowels
			}
			all, names = append(all, eq), append(names, code+" "+v.Name)
		}
	}
	return all, names
}

// called lists names in many scripts, with letters that touch and letters that join.
var called = []string{
	"Ann", "Bartholomew_77", "Alexandra the Great of Macedon", "ffi ffl Wytt rf AVA", "Jörg Ñandú Łódź", "Боря Пастернак", "Καίτη", "Nguyễn Văn Việt",
	"דנה כהן (2)", "محمد علي", "لا إله", "山田太郎 김철수", "สมชาย ใจดี ผู้ใหญ่", "सीता 🎉", "Z̷̢a̴l̶g̵o̶", "Ægir þór",
}

// position returns a random board: words beside and across each other, with blanks, a last play or
// a proposal, printed letters and removed tiles.
func position(rng *rand.Rand, eq game.Equipment) imaging.View {
	v := imaging.View{Equipment: eq, Bag: rng.IntN(100) - 1, Preview: rng.IntN(4) == 0, Over: rng.IntN(6) == 0}
	n, letters := eq.Layout.Size(), eq.Tiles.Alphabet().Len()
	some := func() game.Tile {
		tile := game.LetterTile(lexicon.Letter(1 + rng.IntN(letters)))
		if rng.IntN(12) == 0 {
			tile |= game.Blank
		}
		return tile
	}
	for words := rng.IntN(30); words > 0; words-- {
		sq, dir := game.Square{Row: rng.IntN(n), Col: rng.IntN(n)}, game.Dir(1+rng.IntN(2))
		for range 2 + rng.IntN(7) {
			if eq.Layout.On(sq) && v.Board.Tile(sq) == game.NoTile {
				v.Board.Put(sq, some())
				if words == 1 {
					v.New = append(v.New, sq)
				}
			}
			sq = sq.Step(dir, 1)
		}
	}
	for i := rng.IntN(2) * rng.IntN(40); i > 0; i-- {
		if sq := (game.Square{Row: rng.IntN(n), Col: rng.IntN(n)}); rng.IntN(3) == 0 {
			v.Gone = append(v.Gone, sq)
		} else {
			v.Printed.Put(sq, some()&^game.Blank)
		}
	}
	for i := range rng.IntN(7) {
		p := imaging.Player{Name: called[rng.IntN(len(called))], Score: rng.IntN(700) - 20, ToMove: i == 0}
		p.Note = []string{"", "−3:12", "24:57 left", "won"}[rng.IntN(4)]
		v.Players = append(v.Players, p)
	}
	v.Caption = fmt.Sprintf("%s played %s at %d%c for %d", called[rng.IntN(len(called))], eq.Tiles.Print(eq.Tiles.All()[:rng.IntN(9)]), 1+rng.IntN(n), 'A'+rng.IntN(n), rng.IntN(200))
	return v
}

// TestPlacedLooksAsDrawn checks that the quick way gives what gg draws, in all themes, variants and
// languages, including those read from the right.
func TestPlacedLooksAsDrawn(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	eqs, names := equipments(t)
	if len(eqs) < 200 {
		t.Fatalf("%d languages and variants", len(eqs))
	}
	n := gametest.Rounds(8, 2000)
	order := rng.Perm(len(eqs))
	for i := range n {
		at, theme := order[i%len(order)], imaging.Themes()[(i+i/len(order))%len(imaging.Themes())]
		v := position(rng, eqs[at])
		t.Run(fmt.Sprintf("%d %s %v", i, names[at], theme), func(t *testing.T) { samePixels(t, renderer(t, theme), v) })
		if t.Failed() {
			break
		}
	}
}

// TestEveryKindLooksAsDrawn checks the same for each kind of picture.
func TestEveryKindLooksAsDrawn(t *testing.T) {
	theme := 0
	for name, v := range kinds(t) {
		theme++
		t.Run(name, func(t *testing.T) { samePixels(t, renderer(t, imaging.Themes()[theme%3]), v) })
	}
}
