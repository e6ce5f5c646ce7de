package lab

import (
	"cmp"
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
	"github.com/rackmate/rackmate/game/movegen"
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
	g, err := newGallery(eq)
	if err != nil {
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
	day       imaging.DayBoard
	final     imaging.FinalCard
	review    imaging.ReviewCard
}

// shownTurn is the number of turns before the position that most pictures show.
const shownTurn = 21

func newGallery(eq game.Equipment) (g gallery, err error) {
	recorded, err := record.ParseGCG(galleryGame)
	if err != nil {
		return g, err
	}
	played := recording{GCG: recorded, rules: game.Club(), eq: eq, named: true}
	g.eq = eq
	if g.positions, g.final, err = recordedViews(played); err != nil {
		return g, err
	}
	if g.views, err = galleryViews(g.positions); err != nil {
		return g, err
	}
	result, err := played.replay()
	if err != nil {
		return g, err
	}
	g.day = imaging.DayBoard{View: g.positions[shownTurn], Rack: result.Racks[shownTurn]}
	g.day.Players, g.day.New, g.day.Bag, g.day.Caption = nil, nil, -1, "Board 332: which play scores most?"
	g.review, err = galleryReview(played, result, g.final)
	return g, err
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
	picture, err = r.Review(g.review)
	draw("review", picture, err)
	picture, err = r.Day(g.day)
	draw("day", picture, err)
	for name, card := range galleryDayCards() {
		picture, err = r.DayCard(card)
		draw(name, picture, err)
	}
	picture, err = r.Link(imaging.LinkCard{View: board})
	draw("link", picture, err)
	over := imaging.LinkCard{View: g.positions[len(g.positions)-1]}
	for _, p := range g.final.Players {
		over.Facts = append(over.Facts, p.Fact(nil))
	}
	picture, err = r.Link(over)
	draw("link-over", picture, err)
	picture, err = r.Season(gallerySeason(g.final))
	draw("season", picture, err)
	picture, err = r.Replay(context.Background(), g.positions)
	return errors.Join(append(errs, save("replay", ".gif", picture, err))...)
}

type galleryView struct {
	name string
	imaging.View
}

// withChange returns a copy of the view with a change, under another name.
func (g galleryView) withChange(name string, change func(v *imaging.View)) galleryView {
	g.name, g.Players = name, slices.Clone(g.Players)
	change(&g.View)
	return g
}

// galleryViews returns views of every kind, an ordinary one first.
func galleryViews(positions []imaging.View) ([]galleryView, error) {
	board := positions[shownTurn] // a play with a blank
	board.Players = slices.Clone(board.Players)
	for i := range board.Players {
		board.Players[i].Note = []string{"18:42", "07:05"}[i%2]
	}
	usual := galleryView{"board", board}
	players := func(name string, all ...imaging.Player) galleryView {
		return usual.withChange(name, func(v *imaging.View) { v.Players = all })
	}
	views := []galleryView{
		usual,
		{"empty", positions[0]},
		{"over", positions[len(positions)-1]},
		usual.withChange("preview", func(v *imaging.View) { v.Preview, v.Caption = true, "That would score 22" }),
		usual.withChange("nobody", func(v *imaging.View) { v.Players = nil }),
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
		v := usual.withChange(fmt.Sprintf("%dx%d", n, n), func(v *imaging.View) {
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

// galleryReview returns the review of the gallery's game by points alone: each play is compared
// with the one that scores most.
func galleryReview(g recording, result record.Result, final imaging.FinalCard) (card imaging.ReviewCard, err error) {
	list, err := cli.OpenLexicon("en")
	if err != nil {
		return card, err
	}
	plays, err := movegen.New(list, g.eq, g.rules)
	if err != nil {
		return card, err
	}
	made, best, turns := make([]int, len(g.Players)), make([]int, len(g.Players)), make([]int, len(g.Players))
	card.Caption = "Review by points, list en"
	for _, d := range recordedDecisions(g.rules, g.eq, g.GCG, result) {
		all := plays.Plays(&d.View.Board, d.View.Rack)
		if len(all) == 0 {
			continue
		}
		top := slices.MaxFunc(all, func(a, b movegen.Play) int { return cmp.Compare(a.Score, b.Score) })
		who, score, most := d.View.Me, g.Turns[d.Number].Score, int(top.Score)
		made[who], best[who], turns[who] = made[who]+score, best[who]+most, turns[who]+1
		if most > score {
			m, board := top.Move(), d.View.Board
			board.Lay(m)
			card.Missed = append(card.Missed, imaging.MissedPlay{
				Turn: d.Turn, Player: nameOf(g.Players[who]), Score: most, Loss: float64(most - score),
				Play: wordAt(g.eq, &board, m.At, m.Dir) + " " + m.At.At(m.Dir),
			})
		}
	}
	slices.SortStableFunc(card.Missed, func(a, b imaging.MissedPlay) int { return cmp.Compare(b.Loss, a.Loss) })
	for i, p := range final.Players {
		card.Players = append(card.Players, imaging.ReviewedPlayer{
			Player: p.Player, Loss: float64(best[i]-made[i]) / float64(max(1, turns[i])), Accuracy: 100 * made[i] / max(1, best[i]),
		})
	}
	return card, nil
}

// galleryDayCards returns results on daily boards: of a few tries, and of a game's rounds.
func galleryDayCards() map[string]imaging.DayCard {
	return map[string]imaging.DayCard{
		"daycard":        {Title: "Rackmate 332", Tries: []int{31, 50, 76, 92, 100}, Caption: "100 % of the best in 5 tries", Note: "12 days in a row"},
		"daycard-rounds": {Title: "Rackmate 332", Tries: []int{31, 50, 76, 92, 100, 100, 0, 64, 80, 99, 12, 100, 100, 77}, Caption: "70 % of the best total in 14 rounds"},
	}
}

// gallerySeason returns the season of a place where the gallery's game was played.
func gallerySeason(final imaging.FinalCard) imaging.SeasonCard {
	card := imaging.SeasonCard{Title: "The season, October to December 2026", Caption: "48 games played"}
	for i, name := range []string{final.Players[1].Name, final.Players[0].Name, "Jörg Müller-Lüdenscheidt", "דנה כהן"} {
		card.Lines = append(card.Lines, imaging.SeasonLine{Name: name, Won: 21 - 6*i, Games: 31 - 5*i, Note: fmt.Sprintf("%d a game", 312-17*i)})
	}
	for _, p := range final.Players {
		card.Facts = append(card.Facts, fmt.Sprintf("Best play of %s: %s", p.Name, p.Best))
	}
	return card
}
