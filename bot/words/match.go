package words

import (
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
)

// matchLine says how a match stands, or how it came out; it is nil at a table
// that plays none, and before the first game is over.
func matchLine(s game.State) bot.Text {
	all := s.Standings()
	if all == nil || s.End == nil && len(s.Earlier) == 0 {
		return nil
	}
	var parts []bot.Text
	for _, st := range all {
		parts = append(parts, bot.Say("{who} {wins, plural, one {# win} other {# wins}}, {n, plural, one {# point} other {# points}}", bot.Called(st.Player), st.Wins, st.Points))
	}
	standing := bot.Joined(parts, " · ")
	switch won := matchWinners(s); {
	case s.End == nil:
		return bot.Say("The match before this game: {standing}.", standing)
	case s.MatchGoesOn():
		return bot.Say("The match after its first game: {standing}. The second opens now.", standing)
	case len(won) == 1:
		return bot.Say("{result}: {standing}.", bot.Strong(bot.Say("{who} wins the match", won[0])), standing)
	case len(won) > 1:
		return bot.Say("{result}: {standing}.", bot.Strong(bot.Say("The match is a tie")), standing)
	}
	return nil
}

// matchWinners are the names of those who have won a match.
func matchWinners(s game.State) []bot.Span {
	var won []bot.Span
	for _, i := range s.MatchWinners() {
		won = append(won, bot.Called(s.Seats[i].Person))
	}
	return won
}

// FinalCaption is how a game came out, and the match where it decided one, for the
// card that sums the game up.
func FinalCaption(t table.Table) bot.Text {
	switch won := matchWinners(t.State); {
	case len(won) == 1:
		return bot.Say("Game over: {result}, and {who} wins the match", Caption(t), won[0])
	case slices.Contains(t.MatchWinners(), 0):
		return bot.Say("Game over: {result}, and the match is a tie", Caption(t))
	}
	return bot.Say("Game over: {result}", Caption(t))
}
