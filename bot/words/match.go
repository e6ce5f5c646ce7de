package words

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// matchLine says how a match stands, or how it came out; it is nil at a table
// that plays none, and before the first game is over.
func matchLine(s game.State) bot.Text {
	all := s.Standings()
	if all == nil || s.End == nil && len(s.Earlier) == 0 {
		return nil
	}
	var parts []string
	for _, st := range all {
		parts = append(parts, fmt.Sprintf("%s %s, %s", st.Player.Name, Count(st.Wins, "win"), Count(st.Points, "point")))
	}
	standing := strings.Join(parts, " · ")
	switch won := matchWinners(s); {
	case s.End == nil:
		return bot.Glue("The match before this game: ", standing, ".")
	case s.MatchGoesOn():
		return bot.Glue("The match after its first game: ", standing, ". The second opens now.")
	case len(won) == 1:
		return bot.Glue(bot.Strong(won[0]+" wins the match"), ": ", standing, ".")
	case len(won) > 1:
		return bot.Glue(bot.Strong("The match is a tie"), ": ", standing, ".")
	}
	return nil
}

// matchWinners are the names of those who have won a match.
func matchWinners(s game.State) []string {
	var won []string
	for _, i := range s.MatchWinners() {
		won = append(won, s.Seats[i].Person.Name)
	}
	return won
}

// MatchCaption is the outcome of a match for the card that sums a game up.
func MatchCaption(s game.State) string {
	switch won := matchWinners(s); {
	case len(won) == 1:
		return ", and " + won[0] + " wins the match"
	case slices.Contains(won, s.Seats[0].Person.Name):
		return ", and the match is a tie"
	}
	return ""
}
