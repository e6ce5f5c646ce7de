package settings

import (
	"context"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// The ways to be notified of a turn.
const (
	PingHere   = "here"
	PingDM     = "dm"
	PingSilent = "silent"
	PingOnce   = "digest"
	PingTwice  = "digest2"
)

// Wishes holds how a person wants to be notified of turns at a table.
type Wishes struct {
	Ping  string
	Chose bool // whether they set it, in general or for this table
	Quiet daySpan
	Zone  *time.Location
	Dm    string // on, off, or "" if they never set it
}

// Racks reports whether the person wants their rack by direct message. By default
// they do, unless they turned off all calls to their turns.
func (w Wishes) Racks() bool { return w.Dm == "on" || w.Dm == "" && w.Ping != PingSilent }

// Wishes returns how a person wants to be notified of turns at a table.
func (s *Settings) Wishes(ctx context.Context, who game.PlayerID, t bot.TableID) (Wishes, error) {
	p, err := s.Of(ctx, who)
	if err != nil {
		return Wishes{}, err
	}
	w := Wishes{Ping: p.Ping, Zone: p.Location(), Dm: p.dm()}
	w.Quiet, _ = parseDaySpan(p.Quiet)
	if own, ok := p.Games[t]; ok {
		w.Ping = own
	}
	w.Chose = w.Ping != ""
	if !w.Chose {
		w.Ping = PingHere
	}
	if who.IsRobot() {
		w.Ping = PingSilent
	}
	return w, nil
}

// IsQuiet reports whether a time is in the person's quiet hours, in their own zone.
func (w Wishes) IsQuiet(at time.Time) bool { return w.Quiet.has(at, w.Zone) }

// Digests reports whether the person is notified once or twice a day of all their games
// together.
func (w Wishes) Digests() bool { return w.Ping == PingOnce || w.Ping == PingTwice }

// NextDigest returns when the next digest is due.
func (w Wishes) NextDigest(now time.Time) time.Time {
	times := []int{8 * 60}
	if w.Ping == PingTwice {
		times = append(times, 18*60)
	}
	return w.Quiet.End(nextTimeOfDay(now, w.Zone, times...), w.Zone)
}
