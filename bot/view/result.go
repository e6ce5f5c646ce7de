package view

import (
	"slices"

	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// mostInResult is the number of players up to which a result names all, with their best plays. Of
// more it names the leaders and the game's best play.
const mostInResult = 4

// Result returns a finished game in two lines: who won and by how much, then the scores, the number
// of moves and the best plays.
func Result(t table.Table) text.Text {
	headline := text.Glue(text.Strong(words.Caption(t)), ".")
	if by := margin(t.State); by > 0 {
		headline = text.Text{text.Strong(text.Say("{who} wins by {n, plural, one {# point} other {# points}}.", text.PlainName(t.Seats[t.End.Winners[0]].Person), by))}
	}
	best := bestPlays(t)
	of := func(play game.Played) text.Text {
		return text.Item("best: {word} {score}", words.PlainWord(t.Equipment.Tiles, play.Words[0].Tiles), play.Score)
	}
	var line []text.Text
	seats := t.Ranking()
	for _, seat := range seats[:min(len(seats), mostInResult)] {
		score := text.Glue(text.PlainName(t.Seats[seat].Person), " ", t.Seats[seat].Score)
		if slices.Contains(t.End.Winners, seat) {
			score = text.Text{text.Strong(score)}
		}
		if best[seat].Score > 0 && len(seats) <= mostInResult && len(seats) > 1 {
			score = text.Join([]text.Text{score, of(best[seat])}, ", ")
		}
		line = append(line, score)
	}
	if more := len(seats) - mostInResult; more > 0 {
		line = append(line, text.Item("{n} others", more))
	}
	line = append(line, text.Item("{n, plural, one {# move} other {# moves}}", t.Turns))
	if len(seats) > mostInResult || len(seats) == 1 {
		if top := slices.MaxFunc(best, func(a, b game.Played) int { return a.Score - b.Score }); top.Score > 0 {
			line = append(line, of(top))
		}
	}
	return text.Lines(headline, text.Join(line, " · "))
}

// bestPlays returns the highest-scoring play of each seat that stood. Its score is 0 if there is
// none.
func bestPlays(t table.Table) []game.Played {
	best := make([]game.Played, len(t.Seats))
	for seat, plays := range standingPlays(t) {
		for _, p := range plays {
			if p.Score > best[seat].Score {
				best[seat] = p
			}
		}
	}
	return best
}

// standingPlays returns the plays of each seat that weren't challenged off.
func standingPlays(t table.Table) [][]game.Played {
	plays := make([][]game.Played, len(t.Seats))
	for _, e := range t.Events {
		switch f := e.Fact.(type) {
		case game.Played:
			plays[f.Seat] = append(plays[f.Seat], f)
		case game.Challenged:
			if len(f.Invalid) > 0 {
				plays[f.Player] = plays[f.Player][:len(plays[f.Player])-1]
			}
		}
	}
	return plays
}
