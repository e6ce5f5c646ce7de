package web

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// occupationLife limits how long the latest list is reused.
const occupationLife = 10 * time.Second

// occupations lists the people present who play or wait. Every browser polls it.
type occupations struct {
	*homes
	mu     sync.Mutex
	latest occupation
}

// An occupation lists the people present by what they do, by their ids.
type occupation struct {
	Plays []string `json:"plays"` // in a running game
	Waits []string `json:"waits"` // for any opponent
	at    time.Time
}

func (oc *occupations) list(ctx context.Context, _ person, _ struct{}) (any, error) {
	oc.mu.Lock()
	defer oc.mu.Unlock()
	if oc.now().Sub(oc.latest.at) < occupationLife {
		return oc.latest, nil
	}
	waiting, err := oc.notes.Scan(ctx, waitingShelf, "", "", mostWaiting)
	if err != nil {
		return nil, err
	}
	d := occupation{Plays: []string{}, Waits: []string{}, at: oc.now()}
	for _, p := range oc.listeners.samplePeople() {
		if slices.ContainsFunc(waiting, func(row bot.Row) bool { return row.Key == p.ID }) {
			d.Waits = append(d.Waits, p.ID)
			continue
		}
		games, err := oc.host.Games(ctx, p.player())
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(games, func(g bot.Game) bool { return !g.Invited }) {
			d.Plays = append(d.Plays, p.ID)
		}
	}
	oc.latest = d
	return d, nil
}
