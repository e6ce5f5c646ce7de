package ladder

import (
	"context"

	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
)

// Badges are computed from a player's counts and never stored, so a recount restores them.
// They appear in replies and on pages, and are never posted.

// badgeCounts holds the counts that badges are awarded for.
type badgeCounts struct {
	feats
	days, inARow int // days with a daily board: the total, and the longest streak
}

// A badge is an achievement of a player.
type badge struct {
	name   string // for tests
	what   text.Text
	earned func(d badgeCounts) bool
}

// badges lists every badge; keep it to thirty at most.
var badges = []badge{
	{"first game", text.Say("First rated game"), func(d badgeCounts) bool { return d.Games >= 1 }},
	{"100 games", text.Say("A hundred rated games"), func(d badgeCounts) bool { return d.Games >= 100 }},
	{"1000 games", text.Say("A thousand rated games"), func(d badgeCounts) bool { return d.Games >= 1000 }},
	{"first win", text.Say("First win"), func(d badgeCounts) bool { return d.Wins >= 1 }},
	{"100 wins", text.Say("A hundred wins"), func(d badgeCounts) bool { return d.Wins >= 100 }},
	{"first bingo", text.Say("First bingo"), func(d badgeCounts) bool { return d.Bingos >= 1 }},
	{"10 bingos", text.Say("Ten bingos"), func(d badgeCounts) bool { return d.Bingos >= 10 }},
	{"100 bingos", text.Say("A hundred bingos"), func(d badgeCounts) bool { return d.Bingos >= 100 }},
	{"two triples", text.Say("A play across two triple words"), func(d badgeCounts) bool { return d.Triples >= 1 }},
	{"100 points", text.Say("A play of 100 points"), func(d badgeCounts) bool { return d.Best != nil && d.Best.Score >= 100 }},
	{"10 letters", text.Say("A word of ten letters"), func(d badgeCounts) bool { return d.Longest != nil && d.Longest.Size >= 10 }},
	{"400 points", text.Say("A game of 400 points"), func(d badgeCounts) bool { return d.High >= 400 }},
	{"500 points", text.Say("A game of 500 points"), func(d badgeCounts) bool { return d.High >= 500 }},
	{"first phony", text.Say("First phony challenged off"), func(d badgeCounts) bool { return d.Caught >= 1 }},
	{"25 phonies", text.Say("25 phonies challenged off"), func(d badgeCounts) bool { return d.Caught >= 25 }},
	{"100 whole", text.Say("A hundred games in a row without a forfeit"), func(d badgeCounts) bool { return d.MostWhole >= 100 }},
	{"3 languages", text.Say("Tiles of three languages"), func(d badgeCounts) bool { return len(d.Tiles) >= 3 }},
	{"10 languages", text.Say("Tiles of ten languages"), func(d badgeCounts) bool { return len(d.Tiles) >= 10 }},
	{"first board", text.Say("First daily board"), func(d badgeCounts) bool { return d.days >= 1 }},
	{"7 boards", text.Say("Daily boards on seven days in a row"), func(d badgeCounts) bool { return d.inARow >= 7 }},
	{"30 boards", text.Say("Daily boards on thirty days"), func(d badgeCounts) bool { return d.days >= 30 }},
	{"365 boards", text.Say("Daily boards on 365 days"), func(d badgeCounts) bool { return d.days >= 365 }},
}

// badgesOf returns the badges of a player, who has the totals done and the given identities.
func (f *Feature) badgesOf(ctx context.Context, done feats, names ...game.PlayerID) (all []text.Text, err error) {
	d := badgeCounts{feats: done}
	for _, who := range names {
		days, inARow, err := f.Boards(ctx, who)
		if err != nil {
			return nil, err
		}
		d.days, d.inARow = d.days+days, max(d.inARow, inARow)
	}
	for _, b := range badges {
		if b.earned(d) {
			all = append(all, b.what)
		}
	}
	return all, nil
}

// badgeLine returns a line that lists badges, or nil if there are none.
func badgeLine(all []text.Text) text.Text {
	if len(all) == 0 {
		return nil
	}
	return text.Say("Badges: {badges}", text.Join(all, " · "))
}

// crossesTriples reports whether a play lays tiles on two triple words.
func crossesTriples(l game.Layout, m game.Move) bool {
	triples := 0
	for _, sq := range m.LaidSquares() {
		if l.Premium(sq) == game.TripleWord {
			triples++
		}
	}
	return triples >= 2
}
