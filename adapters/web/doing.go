package web

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// doingFor limits how long an answer is reused.
const doingFor = 10 * time.Second

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

func (ds *occupations) list(ctx context.Context, _ person, _ struct{}) (any, error) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	if ds.now().Sub(ds.latest.at) < doingFor {
		return ds.latest, nil
	}
	waiting, err := ds.notes.Scan(ctx, waitingShelf, "", "", mostWaiting)
	if err != nil {
		return nil, err
	}
	d := occupation{Plays: []string{}, Waits: []string{}, at: ds.now()}
	for _, p := range ds.listeners.samplePeople() {
		if slices.ContainsFunc(waiting, func(row bot.Row) bool { return row.Key == p.ID }) {
			d.Waits = append(d.Waits, p.ID)
			continue
		}
		games, err := ds.host.Games(ctx, p.player())
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(games, func(g bot.Game) bool { return !g.Invited }) {
			d.Plays = append(d.Plays, p.ID)
		}
	}
	ds.latest = d
	return d, nil
}
