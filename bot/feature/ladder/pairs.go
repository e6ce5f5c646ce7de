package ladder

import (
	"cmp"
	"context"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
)

// This file marks pairs of players for the managers of a place: pairs that play one another very
// often, or of which one keeps resigning. Nothing else follows from a mark.

const (
	mostMeetings = 6 // games a week of an unmarked pair
	fewestMarked = 3 // games in a month before resignations mark a pair
)

// A pairRecord is what two players did in their games together in the last month.
type pairRecord struct {
	names  [2]string
	games  int
	inWeek int    // games in the last week
	gaveUp [2]int // games that each player resigned or lost on time
}

// line describes a marked pair. It returns nil if the pair isn't marked.
func (p *pairRecord) line() text.Text {
	loser := 0
	if p.gaveUp[1] > p.gaveUp[0] {
		loser = 1
	}
	switch gaveUp := p.gaveUp[loser]; {
	case p.games >= fewestMarked && 2*gaveUp > p.games:
		return text.Item("{loser} gave up {n} of {games} games against {winner} in the last 30 days", text.Plain(p.names[loser]), gaveUp, p.games, text.Plain(p.names[1-loser]))
	case p.inWeek > mostMeetings:
		return text.Item("{one} and {other} played {n} games in the last 7 days", text.Plain(p.names[0]), text.Plain(p.names[1]), p.inWeek)
	}
	return nil
}

// markedPairs returns a line for each marked pair among the rated games of a home, or of a channel
// without one.
func (f *Feature) markedPairs(ctx context.Context, home string, ch bot.ChannelID) (lines []text.Text, err error) {
	now := f.desk.Now()
	results, err := f.resultsSince(ctx, now.Add(-monthAway))
	if err != nil {
		return nil, err
	}
	type key = [2]game.PlayerID
	pairs := map[key]*pairRecord{}
	var order []key
	for _, r := range results {
		if r.Pool == "" || !r.isIn(home, ch) {
			continue
		}
		for i, a := range r.Seats {
			for _, b := range r.Seats[:i] {
				if b.ID > a.ID {
					a, b = b, a
				}
				k := key{b.ID, a.ID}
				p := pairs[k]
				if p == nil {
					p = &pairRecord{}
					pairs[k], order = p, append(order, k)
				}
				p.names = [2]string{b.Name, a.Name}
				p.games++
				if now.Sub(r.Ended) < weekSpan {
					p.inWeek++
				}
				p.gaveUp[0] += b.Forfeits
				p.gaveUp[1] += a.Forfeits
			}
		}
	}
	slices.SortStableFunc(order, func(a, b key) int { return cmp.Compare(pairs[b].games, pairs[a].games) })
	for _, k := range order {
		if line := pairs[k].line(); line != nil && len(lines) < mostPlaces {
			lines = append(lines, line)
		}
	}
	return lines, nil
}

// withMarks adds the marked pairs of a place to a leaderboard that a manager of the place sees.
func (f *Feature) withMarks(ctx context.Context, req bot.Request, home string, r bot.Reply) (bot.Reply, error) {
	if !req.Manager {
		return r, nil
	}
	ch, err := f.settings.OpenChannel(ctx, req.Channel)
	if err != nil {
		return bot.Reply{}, err
	}
	lines, err := f.markedPairs(ctx, home, ch)
	if err != nil || len(lines) == 0 {
		return r, err
	}
	r.Text = text.Lines(append([]text.Text{r.Text, text.Say("Only managers see this. You may want to look at these pairs:")}, lines...)...)
	return r, nil
}
