package words

import (
	"slices"

	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
)

// matchLine describes the standing or the result of a match. It returns nil if the table
// plays no match or its first game isn't over.
func matchLine(s game.State) text.Text {
	all := s.Standings()
	if all == nil || s.End == nil && len(s.Earlier) == 0 {
		return nil
	}
	var parts []text.Text
	for _, st := range all {
		parts = append(parts, text.Say("{who} {wins, plural, one {# win} other {# wins}}, {n, plural, one {# point} other {# points}}", text.PlainName(st.Player), st.Wins, st.Points))
	}
	standing := text.Join(parts, " · ")
	switch won := matchWinners(s); {
	case s.End == nil:
		return text.Say("The match before this game: {standing}.", standing)
	case s.MatchGoesOn():
		return text.Say("The match after the first game: {standing}. The second game opens now.", standing)
	case len(won) == 1:
		return text.Say("{result}: {standing}.", text.Strong(text.Say("{who} wins the match", won[0])), standing)
	case len(won) > 1:
		return text.Say("{result}: {standing}.", text.Strong(text.Say("The match is tied")), standing)
	}
	return nil
}

// matchWinners returns the names of a match's winners.
func matchWinners(s game.State) []text.Span {
	var won []text.Span
	for _, i := range s.MatchWinners() {
		won = append(won, text.PlainName(s.Seats[i].Person))
	}
	return won
}

// FinalCaption describes the result of a game for its final card, and the result of the
// match if the game decided one.
func FinalCaption(t table.Table) text.Text {
	switch won := matchWinners(t.State); {
	case len(won) == 1:
		return text.Say("Game over: {result}, and {who} wins the match", Caption(t), won[0])
	case slices.Contains(t.MatchWinners(), 0):
		return text.Say("Game over: {result}, and the match is tied", Caption(t))
	}
	return text.Say("Game over: {result}", Caption(t))
}
