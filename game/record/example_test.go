package record_test

import (
	"fmt"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/record"
)

// This example parses a position, inspects it and writes it again.
func ExampleParseCGP() {
	layout, err := game.ParseLayout("pocket", "T...T\n.d.d.\n..*..\n.d.d.\nT...T")
	if err != nil {
		panic(err)
	}
	tiles, err := game.ParseTileSet("pocket", "A\t6\t1\tv\nE\t6\t1\tv\nN\t4\t1\nS\t4\t1\nT\t4\t1\n?\t2\t0")
	if err != nil {
		panic(err)
	}
	eq := game.Equipment{Layout: layout, Tiles: tiles}
	p, err := record.ParseCGP(eq, "5/5/1ANt1/5/5 AEST?/ 0/4 0 lex pocket;")
	if err != nil {
		panic(err)
	}
	fmt.Println("to move:", tiles.Print(p.Racks[0]))
	last := p.Board.Tile(game.Square{Row: 2, Col: 3})
	fmt.Println("the last tile of ANT:", tiles.Text(last), "blank:", last.IsBlank())
	fmt.Println(p.CGP(eq))
	// Output:
	// to move: AEST?
	// the last tile of ANT: t blank: true
	// 5/5/1ANt1/5/5 AEST?/ 0/4 0 lex pocket;
}
