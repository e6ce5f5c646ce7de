package movegen_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/movegen"
	"github.com/rackmate/rackmate/lexicon"
)

// This example lists all plays of a rack on a small empty board.
func ExampleGenerator_Plays() {
	layout, err := game.ParseLayout("pocket", "T...T\n.d.d.\n..*..\n.d.d.\nT...T")
	if err != nil {
		panic(err)
	}
	tiles, err := game.ParseTileSet("pocket", "A\t6\t1\tv\nE\t6\t1\tv\nN\t4\t1\nS\t4\t1\nT\t4\t1\n?\t2\t0")
	if err != nil {
		panic(err)
	}
	eq := game.Equipment{Layout: layout, Tiles: tiles}
	words, err := lexicon.Build("pocket", tiles.Alphabet(), strings.NewReader("ant\nants\nneat\n"))
	if err != nil {
		panic(err)
	}
	g, err := movegen.New(words, eq, game.Classic())
	if err != nil {
		panic(err)
	}
	rack, err := tiles.Parse("AENTT")
	if err != nil {
		panic(err)
	}
	var board game.Board
	var lines []string
	for _, p := range g.Plays(&board, rack) {
		lines = append(lines, fmt.Sprintf("%s %d", p.Move().Text(tiles), p.Score))
	}
	slices.Sort(lines)
	fmt.Println(strings.Join(lines, "\n"))
	// Output:
	// 3A ANT 6
	// 3A NEAT 8
	// 3B ANT 6
	// 3B NEAT 8
	// 3C ANT 6
}
