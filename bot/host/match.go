package host

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// This file has matches of two games. When the first is over a timer opens the
// table of the second. One of the players sits there already; the other takes
// their seat with a button, and so the draws come from something that nobody
// knew when the table's secret was settled, as at every table.

// matchKind is the kind of the timers that open the second game.
const matchKind = "match"

// matchTimer opens the second game, when these events ended the first.
func matchTimer(after game.State, done []game.Event) []bot.Timer {
	if !after.MatchGoesOn() {
		return nil
	}
	return []bot.Timer{{At: done[len(done)-1].At, Kind: matchKind}}
}

// openNext opens the second game of a match at the channel's table.
func (h *Host) openNext(ctx context.Context, timer bot.Timer) error {
	secret, err := h.newSecret()
	if err != nil {
		return err
	}
	return h.atTable(ctx, timer, func(r *bot.Room, t table, env game.Env) error {
		if !t.MatchGoesOn() {
			return nil
		}
		// Who was first opens it, unless that is a robot: who begins now then
		// has the turn as soon as they sit.
		opener := t.Seats[t.First].Person
		if bot.IsRobot(opener.ID) {
			opener = t.Seats[(t.First+1)%len(t.Seats)].Person
		}
		var robots []game.Person
		for _, seat := range t.Seats {
			switch {
			case isFormer(seat.Person.ID):
				return nil // they play no more
			case bot.IsRobot(seat.Person.ID):
				robots = append(robots, seat.Person)
			}
		}
		env.Secret, env.Posted = secret, env.Now
		done, err := h.judge(t, bot.Request{User: opener}, always(seating{Action: t.NextGame(), robots: robots}), env)
		if err != nil {
			return err
		}
		h.fill(r, t, "", done)
		return nil
	})
}

// matchLine says how a match stands, or how it came out; it is nil at a table
// that plays none, and before the first game is over.
func matchLine(s game.State) bot.Text {
	all := s.Standings()
	if all == nil || s.End == nil && len(s.Earlier) == 0 {
		return nil
	}
	var parts []string
	for _, st := range all {
		parts = append(parts, fmt.Sprintf("%s %s, %s", st.Player.Name, count(st.Wins, "win"), count(st.Points, "point")))
	}
	standing := strings.Join(parts, " · ")
	switch won := matchWinners(s); {
	case s.End == nil:
		return bot.Say("The match before this game: ", standing, ".")
	case s.MatchGoesOn():
		return bot.Say("The match after its first game: ", standing, ". The second opens now.")
	case len(won) == 1:
		return bot.Say(bot.Strong(won[0]+" wins the match"), ": ", standing, ".")
	case len(won) > 1:
		return bot.Say(bot.Strong("The match is a tie"), ": ", standing, ".")
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

// matchCaption is the outcome of a match for the card that sums a game up.
func matchCaption(s game.State) string {
	switch won := matchWinners(s); {
	case len(won) == 1:
		return ", and " + won[0] + " wins the match"
	case slices.Contains(won, s.Seats[0].Person.Name):
		return ", and the match is a tie"
	}
	return ""
}
