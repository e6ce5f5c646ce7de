package notify_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// This file checks a simulated month: it derives the expected notifications from the games'
// logs and the players' settings, and compares them with the messages sent.

// A turn is a player's turn and the messages about it.
type turn struct {
	what    string
	player  *monthPerson
	from    time.Time
	until   time.Time // end of the turn, or of the month if the turn goes on
	states  []stated  // states of the table from the turn's begin on
	told    []time.Time
	remind  []time.Time
	timeOut []time.Time
}

// A stated is a state of the table and the time it began.
type stated struct {
	at time.Time
	game.State
}

// at returns the state of the table at a time during the turn.
func (t *turn) at(at time.Time) game.State {
	s := t.states[0].State
	for _, later := range t.states[1:] {
		if !later.at.After(at) {
			s = later.State
		}
	}
	return s
}

// awayAt returns until when the player is away, as known at a given time.
func (t *turn) awayAt(at time.Time) (until time.Time, away bool) {
	s := t.at(at)
	for _, span := range s.Seats[s.Turn].Away {
		if !at.Before(span.From) && at.Before(span.Until) {
			return span.Until, true
		}
	}
	return time.Time{}, false
}

// wall returns the minute of the person's local day.
func (p *monthPerson) wall(at time.Time) int {
	local := at.In(p.location)
	return local.Hour()*60 + local.Minute()
}

func (p *monthPerson) isQuiet(at time.Time) bool {
	if p.quiet == "off" {
		return false
	}
	var h1, m1, h2, m2 int
	from, to, _ := strings.Cut(p.quiet, "-")
	fmt.Sscanf(from, "%d:%d", &h1, &m1)
	fmt.Sscanf(to, "%d:%d", &h2, &m2)
	begin, end, now := h1*60+m1, h2*60+m2, p.wall(at)
	if begin < end {
		return begin <= now && now < end
	}
	return begin <= now || now < end
}

// quietEnd returns the first time from at on outside the quiet hours.
func (p *monthPerson) quietEnd(at time.Time) time.Time {
	for p.isQuiet(at) {
		at = at.Truncate(time.Minute).Add(time.Minute)
	}
	return at
}

// nextDigest returns the first time for a digest after at.
func (p *monthPerson) nextDigest(at time.Time) time.Time {
	for {
		at = at.Truncate(time.Minute).Add(time.Minute)
		if now := p.wall(at); now == 8*60 || p.ping == "digest2" && now == 18*60 {
			return p.quietEnd(at)
		}
	}
}

// runs reports whether the clock of the player to move runs at a time.
func runs(s game.State, at time.Time) bool {
	for _, span := range s.Seats[s.Turn].Away {
		if !at.Before(span.From) && at.Before(span.Until) {
			return false
		}
	}
	if s.Pace.Weekend != nil {
		day := at.In(s.Pace.Weekend).Weekday()
		return day != time.Saturday && day != time.Sunday
	}
	return true
}

// ran returns when the clock of a turn has run for d, counted minute by minute. It may be
// off by a minute for each time the clock stood.
func ran(s game.State, d time.Duration) time.Time {
	at := s.Began
	for ; d > 0; at = at.Add(time.Minute) {
		if runs(s, at) {
			d -= time.Minute
		}
	}
	return at.Add(d)
}

// whole returns how long a turn may take on its player's clock.
func whole(s game.State) time.Duration {
	if s.Pace.Turn == 0 {
		return 7 * 24 * time.Hour
	}
	return s.Pace.Turn + s.Pace.Bank - s.Seats[s.Turn].BankUsed
}

// reminders returns when a player should be reminded: with a quarter of the turn left and
// with two hours left. A reminder in quiet hours moves to their end, or to before their
// begin if less than an hour would remain. Two reminders are at least an hour apart.
func (p *monthPerson) reminders(s game.State) (all []time.Time) {
	if s.Pace.Turn == 0 || s.Late {
		return nil
	}
	deadline := ran(s, whole(s))
	for _, left := range []time.Duration{s.Pace.Turn / 4, 2 * time.Hour} {
		at := ran(s, whole(s)-left)
		if p.isQuiet(at) {
			if after := p.quietEnd(at); deadline.Sub(after) >= time.Hour {
				at = after
			} else {
				for at = at.Truncate(time.Minute); p.isQuiet(at); {
					at = at.Add(-time.Minute)
				}
			}
		}
		if at.After(s.Began) && (len(all) == 0 || at.Sub(all[len(all)-1]) >= time.Hour) {
			all = append(all, at)
		}
	}
	return all
}

// firstUp returns the first time from at on when a host was up.
func (m *month) firstUp(at time.Time) time.Time {
	for _, d := range m.downs {
		if !at.Before(d[0]) && at.Before(d[1]) {
			return d[1]
		}
	}
	return at
}

// near reports whether two times agree within two minutes: rounding takes one, and stopped
// clocks another.
func near(a, b time.Time) bool { return a.Sub(b).Abs() <= 2*time.Minute }

// free returns the first time from at on when the player of a turn may be notified: a host
// is up, and they are neither away nor in quiet hours. late reports whether the message was
// due while no host was up, for longer than it may be late.
func (m *month) free(t *turn, at time.Time) (when time.Time, late bool) {
	for {
		if up := m.firstUp(at); up.After(at) {
			// A short delay still sends a message of its own, but not after a night.
			late = up.Sub(at) > 15*time.Minute || t.player.isQuiet(up)
			at = up
		}
		if until, away := t.awayAt(at); away {
			at = until
		} else if p := t.player; p.isQuiet(at) {
			at = p.quietEnd(at)
		} else {
			return at, late
		}
	}
}

// A wanted is a message expected for a turn at a time.
type wanted struct {
	at  time.Time
	how string // "call", "remind", "digest"; with the prefix "late " a digest may replace it
}

// back returns when the player can be notified of a turn: at once, or when the absence in
// which it began ends or is ended.
func (t *turn) back() time.Time {
	at := t.from
	for _, span := range t.at(t.until).Seats[t.states[0].Turn].Away {
		if !at.Before(span.From) && at.Before(span.Until) {
			at = span.Until
		}
	}
	return at
}

// wants returns the messages expected for a turn, with their times.
func (m *month) wants(t *turn) (all []wanted) {
	p := t.player
	if p.ping == "silent" {
		return nil
	}
	add := func(at time.Time, how string, late bool) {
		if late && how != "digest" {
			how = "late " + how
		}
		if at.Before(t.until) {
			all = append(all, wanted{at, how})
		}
	}
	// The call to the turn.
	began := t.back()
	switch {
	case p.ping == "digest" || p.ping == "digest2":
		at := began
		for at.Before(t.until) {
			at = m.firstUp(at)
			if until, away := t.awayAt(at); away {
				at = until
				continue
			}
			at = p.nextDigest(at)
			if _, away := t.awayAt(at); !away {
				break
			}
		}
		at, late := m.free(t, at)
		add(at, "digest", late)
	default:
		at, late := m.free(t, began)
		add(at, "call", late)
	}
	// The reminders, by the clock as it was known at each time.
	for i, s := range t.states {
		until := t.until
		if i+1 < len(t.states) {
			until = t.states[i+1].at
		}
		for _, at := range p.reminders(s.State) {
			if at.Before(s.at) || !at.Before(until) {
				continue
			}
			when, late := m.free(t, at)
			if n := len(all); n > 0 && all[n-1].how == "late remind" && all[n-1].at.Equal(when) {
				if when.After(at) {
					continue // both fell due while no host was up
				}
				all = all[:n-1] // this message replaces the earlier one
			}
			switch {
			case when.Before(ran(s.State, whole(s.State))):
				add(when, "remind", late)
			case late: // such as at a second start
				add(when, "perhaps", false)
			}
		}
	}
	return all
}

// turnsOf collects the turns from a table's log.
func (m *month) turnsOf(id bot.TableID, events []game.Event, known map[bot.PlayerID]*monthPerson, turns map[string]*turn) (over bool) {
	var s game.State
	var open *turn
	for i, e := range events {
		s = s.Apply(e)
		if _, out := e.Fact.(game.TimedOut); out && open != nil {
			open.timeOut = append(open.timeOut, e.At)
		}
		if i+1 < len(events) && events[i+1].Cause == e.Cause {
			continue // between two events of one request
		}
		now := ""
		if s.Phase == game.Playing && s.Number > 0 && !s.Began.IsZero() && !s.Seats[s.Turn].Vacant {
			now = turnKey(id, s)
		}
		if open != nil && now != open.what {
			open.until = e.At
			open = nil
		}
		if now == "" {
			continue
		}
		if open == nil {
			open = &turn{what: now, player: known[s.Seats[s.Turn].Person.ID], from: s.Began, until: time.Now()}
			turns[now] = open
		}
		open.states = append(open.states, stated{e.At, s})
	}
	return s.Phase == game.Over
}

func turnKey(id bot.TableID, s game.State) string {
	return fmt.Sprintf("table %d, seat %d, turn %d since %v", id, s.Turn, s.Turns, s.Began.Format("2 Jan 15:04:05.000"))
}

func (m *month) judge() {
	known := map[bot.PlayerID]*monthPerson{}
	for _, p := range m.people {
		known[p.ID] = p
	}
	turns := map[string]*turn{}
	logs := map[bot.TableID][]game.Event{}
	var ended int
	for _, c := range m.clubs {
		for _, id := range c.tables {
			_, events, err := m.store.Events(m.Context(), id, -1)
			gametest.Must(m, err)
			logs[id] = events
			if m.turnsOf(id, events, known, turns) {
				ended++
			}
		}
	}
	digests := map[*monthPerson][]saying{}
	for _, said := range m.said {
		m.hear(said, logs[said.Table], known, turns, digests)
	}
	// Compare the digests sent with the digests due.
	due := map[*monthPerson][]time.Time{}
	var calls, reminders, late, lists int
	for _, t := range turns {
		calls += len(t.told)
		reminders += len(t.remind)
		late += len(t.timeOut)
		m.judgeTurn(t, digests[t.player], due)
		m.judgeDeadline(t)
	}
	for p, all := range digests {
		lists += len(all)
		for i, d := range all {
			where := fmt.Sprintf("%s (%s, quiet %s in %s): the digest at %v", p.ID, p.ping, p.quiet, p.zone, d.at.In(p.location))
			if !slices.ContainsFunc(due[p], func(at time.Time) bool { return near(at, d.at) }) {
				m.Errorf("%s is not due: %s", where, d.Text)
				for _, t := range turns {
					if t.player == p && !t.from.After(d.at) && t.until.After(d.at) {
						m.Logf("  %s: wanted %v; reminders %v; down %v", m.describe(t), m.wants(t), p.reminders(t.states[0].State), m.downsIn(t.from, t.until))
					}
				}
			}
			waiting, since := 0, false
			for _, t := range turns {
				if _, away := t.awayAt(d.at); t.player == p && !t.from.After(d.at) && t.until.After(d.at) && !away {
					waiting++
					since = since || i > 0 && t.from.After(all[i-1].at)
				}
			}
			if i > 0 && d.at.Sub(all[i-1].at) < time.Hour && !since {
				m.Errorf("%s comes after one at %v, and has nothing new", where, all[i-1].at.In(p.location))
			}
			if text := d.Text.String(); !strings.HasPrefix(text, fmt.Sprint(waiting, " games are waiting")) && (waiting != 1 || !strings.HasPrefix(text, "One game is waiting")) {
				m.Errorf("%s has not the %d games that wait: %s", where, waiting, text)
			}
		}
	}
	m.Logf("%d games, %d over; %d turns, %d calls, %d reminders, %d digests, %d late; down %d times", len(logs), ended, len(turns), calls, reminders, lists, late, len(m.downs))
	if len(m.people) >= 60 && (late == 0 || reminders == 0 || calls == 0 || lists == 0) {
		m.Error("nothing much happened")
	}
}

// hear assigns a message to the turn it belongs to.
func (m *month) hear(said saying, log []game.Event, known map[bot.PlayerID]*monthPerson, turns map[string]*turn, digests map[*monthPerson][]saying) {
	text := said.Text.String()
	quiet := func(p *monthPerson) {
		if p != nil && p.isQuiet(said.at) && !said.Amends {
			m.Errorf("%s was told something at %v, within %s in %s: %s", p.ID, said.at, p.quiet, p.zone, text)
		}
	}
	for _, span := range said.Text {
		if span.Notify {
			quiet(known[span.Person])
		}
	}
	if said.To != nil {
		quiet(known[said.To.ID])
		if said.Kind == "digest" {
			p := known[said.To.ID]
			digests[p] = append(digests[p], said)
			return
		}
	}
	s, err := game.Replay(log[:said.Number])
	gametest.Must(m, err)
	if s.Phase != game.Playing {
		return
	}
	t := turns[turnKey(said.Table, s)]
	if t == nil {
		return
	}
	notified := said.To != nil && said.To.ID == t.player.ID && !said.Amends
	for _, span := range said.Text {
		notified = notified || span.Notify && span.Person == t.player.ID
	}
	if _, away := t.awayAt(said.at); away && notified && said.at.Before(t.until) && said.Channel.Platform() != "web" {
		m.Errorf("%s is away at %v and is told: %s", m.describe(t), said.at, text)
	}
	switch {
	case !notified:
	case strings.Contains(text, "nearly up"):
		t.remind = append(t.remind, said.at)
	case !strings.Contains(text, "it's your turn"):
	default:
		t.told = append(t.told, said.at)
	}
}

// judgeTurn compares the messages about a turn with the expected ones, and adds the times
// of expected digests to due.
func (m *month) judgeTurn(t *turn, digests []saying, due map[*monthPerson][]time.Time) {
	p := t.player
	calls, reminders := slices.Clone(t.told), slices.Clone(t.remind)
	take := func(list *[]time.Time, at time.Time) bool {
		i := slices.IndexFunc(*list, func(b time.Time) bool { return near(at, b) })
		if i >= 0 {
			*list = slices.Delete(*list, i, i+1)
		}
		return i >= 0
	}
	digest := func(at time.Time) bool {
		due[p] = append(due[p], at)
		return slices.ContainsFunc(digests, func(d saying) bool {
			return near(d.at, at) || d.at.Before(at) && at.Sub(d.at) <= time.Hour && !d.at.Before(t.from)
		})
	}
	for _, w := range m.wants(t) {
		done := false
		switch w.how {
		case "call":
			done = take(&calls, w.at)
		case "remind":
			done = take(&reminders, w.at)
		case "late call":
			done = take(&calls, w.at) || digest(w.at)
		case "late remind":
			done = digest(w.at) || take(&reminders, w.at)
		case "perhaps":
			digest(w.at)
			done = true
		case "digest":
			done = digest(w.at)
		}
		// A message due as the turn ends is optional.
		if !done && !near(w.at, t.until) {
			m.Errorf("%s: no %s at %v; calls %v, reminders %v; wanted %v; down %v", m.describe(t), w.how, w.at.In(p.location), t.told, t.remind, m.wants(t), m.downsIn(t.from, t.until))
		}
	}
	if len(calls)+len(reminders) > 0 {
		m.Errorf("%s: calls at %v and reminders at %v are not due; wanted %v", m.describe(t), calls, reminders, m.wants(t))
	}
}

func (m *month) describe(t *turn) string {
	p := t.player
	return fmt.Sprintf("%s (%s, quiet %s in %s), %s until %v, away %v", p.ID, p.ping, p.quiet, p.zone, t.what, t.until, t.at(t.until).Seats[t.states[0].Turn].Away)
}

// judgeDeadline compares the end of a turn's time with the calendar.
func (m *month) judgeDeadline(t *turn) {
	if len(t.timeOut) > 1 {
		m.Errorf("%s: its time was up at %v", m.describe(t), t.timeOut)
	}
	var last game.State // before it was late
	for _, s := range t.states {
		if !s.Late {
			last = s.State
		}
	}
	if len(last.Active()) < 2 {
		return
	}
	deadline := ran(last, whole(last))
	when := m.firstUp(deadline)
	switch {
	case len(t.timeOut) == 1 && !near(t.timeOut[0], when):
		m.Errorf("%s: its time was up at %v, and to be at %v", m.describe(t), t.timeOut[0], when)
	case len(t.timeOut) == 0 && t.until.After(when.Add(2*time.Minute)):
		m.Errorf("%s: the deadline at %v was missed", m.describe(t), when)
	}
}

// downsIn returns the outages that overlap a period.
func (m *month) downsIn(from, to time.Time) (all [][2]time.Time) {
	for _, d := range m.downs {
		if d[0].Before(to) && d[1].After(from) {
			all = append(all, d)
		}
	}
	return all
}
