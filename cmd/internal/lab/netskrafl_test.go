package lab

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A netskrafl value is a game in the format of the tests of Netskrafl, an Icelandic server.
type netskrafl struct {
	Rack0 string `json:"irack0"` // at the start
	Rack1 string `json:"irack1"`
	Moves []struct {
		Player int
		Coord  string // row letter then column for across, column then row letter for down; "" if it isn't a play
		Tiles  string // letters of the whole word, with "?" before a blank's; or the kind of move
		Score  int
		Rack   string // rack after the move
	}
	Score0, Score1 int
	Left0          string `json:"rack0_final"`
	Left1          string `json:"rack1_final"`
	Resigned       bool   `json:"ends_with_resignation"`
}

// fromNetskrafl writes such a game as a GCG file, because the expected verdicts refer to GCG.
func fromNetskrafl(t *testing.T, text []byte, name string) (file string) {
	t.Helper()
	var g netskrafl
	if err := json.Unmarshal(text, &g); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	const rows = "ABCDEFGHIJKLMNO"
	gcg := []string{"#player1 A A", "#player2 B B"}
	var totals [2]int
	racks := [2]string{strings.ToUpper(g.Rack0), strings.ToUpper(g.Rack1)}
	board, latest := map[[2]int]bool{}, [][2]int(nil)
	write := func(player, points int, what string) {
		totals[player] += points
		gcg = append(gcg, fmt.Sprintf(">%c: %s %+d %d", 'A'+player, what, points, totals[player]))
	}
	for _, m := range g.Moves {
		who := racks[m.Player]
		switch at := strings.IndexAny(m.Coord, rows); {
		case at >= 0:
			row := strings.IndexByte(rows, m.Coord[at])
			column, err := strconv.Atoi(m.Coord[:at] + m.Coord[at+1:])
			if err != nil {
				t.Fatalf("%s: %q is no square", name, m.Coord)
			}
			place, step := fmt.Sprintf("%d%c", row+1, rows[column-1]), [2]int{0, 1}
			if at > 0 {
				place, step = fmt.Sprintf("%c%d", rows[column-1], row+1), [2]int{1, 0}
			}
			word, blank := "", false
			latest = nil
			for sq := [2]int{row, column}; m.Tiles != ""; {
				var tile string
				r := []rune(m.Tiles)
				tile, m.Tiles = string(r[:1]), string(r[1:])
				switch {
				case tile == "?":
					blank = true
					continue
				case board[sq]:
					tile = "."
				default:
					board[sq], latest = true, append(latest, sq)
					if !blank {
						tile = strings.ToUpper(tile)
					}
				}
				word, blank, sq = word+tile, false, [2]int{sq[0] + step[0], sq[1] + step[1]}
			}
			write(m.Player, m.Score, who+" "+place+" "+word)
		case strings.HasPrefix(m.Tiles, "EXCH "):
			write(m.Player, 0, who+" -"+strings.ToUpper(m.Tiles[len("EXCH "):]))
		case m.Tiles == "PASS":
			write(m.Player, 0, who+" -")
		case m.Tiles == "RESP" && m.Score < 0: // response to a challenge: the play comes off
			for _, sq := range latest {
				delete(board, sq)
			}
			write(m.Player, m.Score, strings.ToUpper(m.Rack)+" --")
		case m.Tiles == "RESP":
			write(m.Player, m.Score, strings.ToUpper(m.Rack)+" (challenge)")
		case m.Tiles == "CHALL", m.Tiles == "RSGN":
		default:
			t.Fatalf("%s: %q is nothing that is known", name, m.Tiles)
		}
		racks[m.Player] = strings.ToUpper(m.Rack)
	}
	left := [2]string{strings.ToUpper(g.Left0), strings.ToUpper(g.Left1)}
	for player, score := range [2]int{g.Score0, g.Score1} {
		switch more := score - totals[player]; {
		case g.Resigned, more == 0:
		case more > 0:
			write(player, more, "("+left[1-player]+")")
		default:
			write(player, more, left[player]+" ("+left[player]+")")
		}
	}
	return save(t, t.TempDir(), strings.TrimSuffix(filepath.Base(name), ".json")+".gcg", strings.Join(slices.Concat([]string{"#character-encoding UTF-8"}, gcg, []string{""}), "\n"))
}
