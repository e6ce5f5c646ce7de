package lab

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/record"
	"github.com/rackmate/rackmate/imaging"
	"github.com/rackmate/rackmate/lexicon"
)

// galleryGame is a game that two robots played with the word list en.
//
//go:embed gallery.gcg
var galleryGame []byte

// galleryCommand returns the command that draws pictures of every kind, in every theme, and
// prints their names.
func galleryCommand() *cobra.Command {
	return &cobra.Command{
		Use: "gallery FOLDER", Short: "draws a picture of every kind, to look at",
		Example: "rackmate gallery pictures\nrackmate gallery /tmp/gallery && xdg-open /tmp/gallery",
		Args:    cli.Args(1, 1, "name one folder"), ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs),
		RunE: func(c *cobra.Command, args []string) error {
			return drawGallery(c.OutOrStdout(), args[0], imaging.Themes())
		},
	}
}

// drawGallery draws the gallery in some themes into a folder, and prints the names of its pictures.
func drawGallery(out io.Writer, dir string, themes []imaging.Theme) error {
	eq, err := cli.StandardEquipment()
	if err != nil {
		return err
	}
	g := gallery{eq: eq}
	if g.positions, g.final, err = galleryPositions(eq); err != nil {
		return err
	}
	if g.views, err = galleryViews(g.positions); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, theme := range themes {
		r, err := cli.NewRenderer(theme.String())
		if err != nil {
			return err
		}
		save := func(name, ext string, picture []byte, err error) error {
			if err != nil {
				return fmt.Errorf("draw %s: %w", name, err)
			}
			file := filepath.Join(dir, name+"-"+theme.String()+ext)
			fmt.Fprintln(out, file)
			return os.WriteFile(file, picture, 0o644)
		}
		if err := g.draw(r, save); err != nil {
			return err
		}
	}
	return nil
}

// A gallery holds the subjects of its pictures.
type gallery struct {
	eq        game.Equipment
	positions []imaging.View // positions of its game
	views     []galleryView
	final     imaging.FinalCard
}

// draw draws a picture of every kind and saves each.
func (g gallery) draw(r *imaging.Renderer, save func(name, ext string, picture []byte, err error) error) error {
	var errs []error
	draw := func(name string, picture []byte, err error) { errs = append(errs, save(name, ".png", picture, err)) }
	for _, v := range g.views {
		picture, err := r.PNG(v.View)
		draw(v.name, picture, err)
	}
	board := g.views[0].View
	picture, err := r.Zoom(board)
	draw("zoom", picture, err)
	picture, err = r.Print(board)
	draw("print", picture, err)
	rack, err := g.eq.Tiles.Parse("AQUEN?Z")
	if err != nil {
		return err
	}
	for name, n := range map[string]int{"rack": len(rack), "rack-short": 3, "rack-empty": 0} {
		picture, err := r.Rack(imaging.RackCard{Tiles: g.eq.Tiles, Rack: rack[:n], Caption: "Your score is 208", Note: "30 unseen"})
		draw(name, picture, err)
	}
	picture, err = r.Final(g.final)
	draw("final", picture, err)
	picture, err = r.Final(finalOfFour(g.final))
	draw("final-four", picture, err)
	picture, err = r.Review(galleryReview(g.final))
	draw("review", picture, err)
	picture, err = r.Replay(context.Background(), g.positions)
	return errors.Join(append(errs, save("replay", ".gif", picture, err))...)
}

// galleryPositions returns the positions of the gallery's game and its final card.
func galleryPositions(eq game.Equipment) ([]imaging.View, imaging.FinalCard, error) {
	g, err := record.ParseGCG(galleryGame)
	if err != nil {
		return nil, imaging.FinalCard{}, err
	}
	return recordedViews(recording{GCG: g, rules: game.Club(), eq: eq, named: true})
}

type galleryView struct {
	name string
	imaging.View
}

// but returns a copy of the view with a change, under another name.
func (g galleryView) but(name string, change func(v *imaging.View)) galleryView {
	g.name, g.Players = name, slices.Clone(g.Players)
	change(&g.View)
	return g
}

// galleryViews returns views of every kind, an ordinary one first.
func galleryViews(positions []imaging.View) ([]galleryView, error) {
	board := positions[25] // a play with a blank
	board.Players = slices.Clone(board.Players)
	for i := range board.Players {
		board.Players[i].Note = []string{"18:42", "07:05"}[i%2]
	}
	usual := galleryView{"board", board}
	players := func(name string, all ...imaging.Player) galleryView {
		return usual.but(name, func(v *imaging.View) { v.Players = all })
	}
	views := []galleryView{
		usual,
		{"empty", positions[0]},
		{"over", positions[len(positions)-1]},
		usual.but("preview", func(v *imaging.View) { v.Preview, v.Caption = true, "That would score 22" }),
		usual.but("nobody", func(v *imaging.View) { v.Players = nil }),
		players("one", imaging.Player{Name: "Ada", Score: 199, ToMove: true}),
		players("three", imaging.Player{Name: "Ann", Score: 212}, imaging.Player{Name: "Wilhelmina", Score: 1098, ToMove: true},
			imaging.Player{Name: "Jörg Müller-Lüdenscheidt", Score: -5, Note: "resigned"}),
		players("four", imaging.Player{Name: "Alexandra the Great of Macedon", Score: 212, Note: "12:01"}, imaging.Player{Name: "Bo", Score: 98, ToMove: true, Note: "03:10"},
			imaging.Player{Name: "Wilhelmina", Score: 305, Note: "22:45"}, imaging.Player{Name: "x_Dragon_x", Score: 7, Note: "out"}),
		players("scripts", imaging.Player{Name: "דנה כהן (2)", Score: 212}, imaging.Player{Name: "محمد علي", Score: 98, ToMove: true},
			imaging.Player{Name: "山田太郎 김철수", Score: 305}, imaging.Player{Name: "สมชาย ใจดี", Score: 7}),
		players("odd", imaging.Player{Name: "Боря Пастернак", Score: 212}, imaging.Player{Name: "सीता 🎉", Score: 98, ToMove: true},
			imaging.Player{Name: "🎉 𝓐𝓵𝓮𝔁 🎉", Score: 305}, imaging.Player{Name: "Z̷̢a̴l̶g̵o̶ Ñandú", Score: 7}),
	}
	sizes, err := gallerySizes(usual)
	return append(views, sizes...), err
}

// gallerySizes returns views of boards of other sizes, with multi-letter tiles.
func gallerySizes(usual galleryView) (views []galleryView, err error) {
	tiles, err := game.NewTileSet("gallery", []game.Kind{
		{Text: "A", Count: 12, Value: 1}, {Text: "CH", Count: 1, Value: 5}, {Text: "LL", Count: 1, Value: 8}, {Text: "L·L", Count: 1, Value: 10},
		{Text: "Ñ", Count: 1, Value: 8}, {Text: "Q", Count: 1, Value: 10}, {Text: "Ç", Count: 1, Value: 12}, {Text: "Å", Count: 1, Value: 3},
		{Text: "Ж", Count: 1, Value: 3}, {Text: "א", Count: 1, Value: 3}, {Text: "W", Count: 1, Value: 10}, {Text: "J", Count: 1},
	}, game.Kind{Count: 2})
	if err != nil {
		return nil, err
	}
	for _, n := range []int{13, 21} {
		layout, err := galleryLayout(usual.Equipment.Layout, n)
		if err != nil {
			return nil, err
		}
		v := usual.but(fmt.Sprintf("%dx%d", n, n), func(v *imaging.View) {
			v.Equipment, v.Board, v.New, v.Caption, v.Bag = game.Equipment{Layout: layout, Tiles: tiles}, game.Board{}, nil, "Tiles of several letters", 100
			for i := range 3 * (len(tiles.Kinds()) - 1) {
				sq, t := game.Square{Row: 2 + i%3*2, Col: i / 3}, game.LetterTile(lexicon.Letter(1+i/3))
				if i%3 == 1 {
					t |= game.Blank
				}
				if v.Board.Put(sq, t); i%3 == 2 {
					v.New = append(v.New, sq)
				}
			}
		})
		views = append(views, v)
	}
	return views, nil
}

// galleryLayout returns a layout cropped to n squares, or padded with plain squares.
func galleryLayout(l game.Layout, n int) (game.Layout, error) {
	var b strings.Builder
	shift := (l.Size() - n) / 2
	for i := range n * n {
		row, col := i/n+shift, i%n+shift
		if l.On(game.Square{Row: row, Col: col}) {
			b.WriteByte(l.Text[row*(l.Size()+1)+col])
		} else {
			b.WriteByte('.')
		}
		if i%n == n-1 {
			b.WriteByte('\n')
		}
	}
	return game.ParseLayout(fmt.Sprintf("gallery-%d", n), b.String())
}

// finalOfFour returns a final card of four players, made from a card of two.
func finalOfFour(card imaging.FinalCard) imaging.FinalCard {
	players := card.Players
	card.Players = slices.Clone(players)
	for i, name := range []string{"דנה כהן", "Alexandra the Great of Macedon"} {
		p := players[i%len(players)]
		p.Name, p.Note, p.Bingos, p.Totals = name, "", i+1, slices.Clone(p.Totals)
		for j := range p.Totals {
			p.Totals[j] = p.Totals[j] * (3 + i) / (5 + j%2)
		}
		p.Score = p.Totals[len(p.Totals)-1]
		card.Players = append(card.Players, p)
	}
	return card
}

// galleryReview returns a review card with made-up figures.
func galleryReview(final imaging.FinalCard) imaging.ReviewCard {
	card := imaging.ReviewCard{Caption: final.Caption}
	for i, p := range final.Players {
		card.Players = append(card.Players, imaging.Reviewed{Player: p.Player, Loss: 3.4 + 7*float64(i), Accuracy: 92 - 13*i, Phonies: []string{"QUARZ", "VEXT"}[:i%3]})
	}
	for i, play := range []string{"QUARTZ 8D", "RELIGION K5", "ZAX 4D"} {
		name := card.Players[i%len(card.Players)].Name
		card.Missed = append(card.Missed, imaging.Missed{Turn: 12 - 3*i, Player: name, Play: play, Score: 74 - 11*i, Loss: 31 - 6.5*float64(i)})
	}
	return card
}
