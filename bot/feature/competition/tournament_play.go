package competition

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/contest"
)

// This file contains the play: tables open, players sit down at them, and games are
// counted.
//
// Each pairing gets a thread of its own, if the platform has threads. The first player
// who presses Sit down opens the table there and keeps the other seat for the opponent;
// the game begins when the opponent presses it too. So everyone can see who is missing,
// and no clock runs against a player who hasn't arrived. The draws derive from both
// requests, as at every table.

// Kinds of timers, for players who don't sit down and for reports that nobody confirms.
const (
	waitKind      = "tournament wait"
	waitAgainKind = "tournament second wait"
)

// roundNumber is the factor that combines a round with another number in a timer or a post.
const roundNumber = 1000

// toRound returns the To of a post about a round.
func (e *event) toRound(round int) int { return round*roundNumber + e.No%roundNumber }

// seeTo carries out all pending consequences, except what is done already: it opens
// places, posts the news, and sets the timers of a round.
func (f *tournaments) seeTo(ctx context.Context, timer bot.Timer) error {
	e, found, err := f.findDue(ctx, timer)
	if err != nil || !found {
		return err // the request that was to create it failed
	}
	if e.Phase == under && e.Begun > 0 && !e.isPaired() && !e.Real {
		if err := f.openPlaces(ctx, &e); err != nil {
			return err
		}
	}
	upTo := len(e.News)
	if err := f.reword(ctx, &e); err != nil {
		return err
	}
	if err := f.tell(ctx, &e, upTo); err != nil {
		return err
	}
	n := len(e.Deeds)
	if n == 0 {
		return nil
	}
	switch d := e.Deeds[n-1]; {
	case d.Kind == didNudge:
		return f.postNudges(ctx, &e, d)
	case d.Kind == didUndo && d.Of == didResult:
		return f.continueAfter(ctx, &e, d.Spot)
	}
	return nil
}

// continueAfter records the result of a game that ended while a result entered by hand stood in
// its place, if that result has been undone since.
func (f *tournaments) continueAfter(ctx context.Context, e *event, s spot) error {
	p := e.place(s)
	if p == nil || p.Channel == "" || e.nextGame(s) != p.Game {
		return nil
	}
	t, err := f.desk.Load(ctx, bot.Request{Channel: p.Channel})
	if errors.Is(err, bot.ErrNoTable) {
		return nil
	}
	if err != nil || t.End == nil {
		return err
	}
	return f.gameOver(ctx, bot.Timer{Channel: p.Channel, Table: t.ID})
}

// openPlaces opens the places of the current round, and posts there who plays.
func (f *tournaments) openPlaces(ctx context.Context, e *event) error {
	aside := f.desk.Platform(e.Channel).Aside
	var failed error
	for i := range e.Places {
		p := &e.Places[i]
		if p.Round != e.Begun || e.nextGame(p.spot) < 0 || aside == nil {
			continue
		}
		if p.Channel == "" {
			if err := f.openTable(ctx, e, p); err != nil {
				if !f.isLastingRefusal(&e.head, err) {
					failed = err // will be retried; the others needn't wait for it
				}
				continue
			}
			p = &e.Places[i] // as stored
		}
		if p.Told > p.Game {
			continue
		}
		cause := fmt.Sprintf("tournament:%d:%d:%d:%d:%d", e.No, p.Round, p.Pairing, p.Board, p.Game)
		if err := feature.Once(ctx, f.desk, p.Channel, cause, func(r *feature.Room) {
			r.Post(bot.Post{From: e.No, To: p.Game, Kind: tablePost, At: e.BegunAt})
		}); err != nil {
			return err
		}
		told, s := p.Game+1, p.spot
		if err := f.record(ctx, e, func(e *event) {
			if p := e.place(s); p != nil {
				p.Told = max(p.Told, told)
			}
		}); err != nil {
			return err
		}
	}
	return failed
}

// openTable opens the place of a game, and records which game it is.
func (f *tournaments) openTable(ctx context.Context, e *event, p *place) error {
	title := text.Say("{name}, round {n}, table {table}", e.Name, p.Round, p.Pairing)
	if p.Board > 0 {
		title = text.Say("{name}, round {n}, table {table}, board {board}", e.Name, p.Round, p.Pairing, p.Board)
	}
	var who []bot.PlayerID
	for _, side := range []contest.Side{contest.A, contest.B} {
		if id := e.player(p.spot, side).ID; id != "" {
			who = append(who, game.PlayerID(id))
		}
	}
	s := p.spot
	key := fmt.Sprintf("tournament/%d/%d/%d/%d", e.No, s.Round, s.Pairing, s.Board)
	ch, err := f.openPlace(ctx, &e.head, key, title, who, whereRow{spot: s})
	if err != nil {
		return err
	}
	return f.record(ctx, e, func(e *event) {
		if p := e.place(s); p != nil {
			p.Channel = ch
		}
	})
}

// tell queues the first upTo news that haven't been posted, and the private messages that
// go with them.
func (f *tournaments) tell(ctx context.Context, e *event, upTo int) error {
	for i := e.Told; i < upTo; i++ {
		n := e.News[i]
		cause := fmt.Sprintf("tournament:%d:news:%d", e.No, i)
		if err := feature.Once(ctx, f.desk, e.Channel, cause, func(r *feature.Room) {
			if i == upTo-1 { // the last writes how it stands
				r.Post(bot.Post{From: e.No, To: i, Kind: newsPost, At: e.At})
			}
			switch n.Kind {
			case newsPairings:
				for _, id := range e.playersOf(n.Round) {
					r.Post(bot.Post{From: e.No, To: e.toRound(n.Round), For: id, Kind: yourPost, At: e.BegunAt})
				}
				if e.Wait > 0 {
					r.Timer(bot.Timer{At: e.BegunAt.Add(e.Wait), Kind: waitKind, Number: e.No*roundNumber + n.Round})
				}
			case newsOpen, newsStandings:
				e.postDirectors(r, directorPost, e.toRound(n.Round), e.At)
			}
		}); err != nil {
			return err
		}
		if err := f.record(ctx, e, func(e *event) { e.Told = max(e.Told, i+1) }); err != nil {
			return err
		}
	}
	return nil
}

// reword updates the channel's message and the directors' next steps. It runs before the news of
// the same actions is posted, so that a concurrent run doesn't edit a message that has only just
// been posted.
func (f *tournaments) reword(ctx context.Context, e *event) error {
	now := len(e.Deeds)
	if e.Reworded >= now {
		return nil
	}
	if err := f.tellOverruled(ctx, e); err != nil {
		return err
	}
	stale := e.isStale(e.Deeds[e.Reworded:])
	if err := feature.Once(ctx, f.desk, e.Channel, fmt.Sprintf("tournament:%d:reworded:%d", e.No, now), func(r *feature.Room) {
		untold := e.News[e.Told:]
		if stale && len(untold) == 0 { // else the news writes it
			r.Post(bot.Post{From: e.No, To: e.Told - 1, Kind: editPost, At: e.Deeds[now-1].At})
		}
		if !slices.ContainsFunc(untold, func(n news) bool { return n.Kind == newsOpen || n.Kind == newsStandings }) {
			e.postDirectors(r, aheadPost, 0, e.Deeds[now-1].At)
		}
	}); err != nil {
		return err
	}
	return f.record(ctx, e, func(e *event) { e.Reworded = max(e.Reworded, now) })
}

// isStale reports whether some actions change the channel's message. News that follows an action
// writes the message itself.
func (e *event) isStale(done []change) bool {
	return slices.ContainsFunc(done, func(d change) bool {
		kind := d.Kind
		if kind == didUndo {
			kind = d.Of
		}
		switch kind {
		case didEnter, didWithdraw, didReturn, didClose, didReopen, didSeed:
			return e.Begun == 0
		case didBegin, didEnd, didOff:
			return d.Kind == didUndo
		}
		return kind == didResult
	})
}

// tellOverruled informs the players at a table that a result was entered by hand while
// their game was under way or after it was over.
func (f *tournaments) tellOverruled(ctx context.Context, e *event) error {
	for i := e.Reworded; i < len(e.Deeds); i++ {
		d := e.Deeds[i]
		p := e.place(d.Spot)
		if p == nil || p.Channel == "" || d.Undone || d.By.ID == "" || d.Kind != didResult || d.Is == nil || len(d.Causes) == 0 && !d.Was.Over() {
			continue
		}
		if err := feature.Once(ctx, f.desk, p.Channel, fmt.Sprintf("tournament:%d:by-hand:%d", e.No, i), func(r *feature.Room) {
			r.Post(bot.Post{From: e.No, To: i, Kind: handPost, At: d.At})
		}); err != nil {
			return err
		}
	}
	return nil
}

func (f *tournaments) postNudges(ctx context.Context, e *event, d change) error {
	_, missing := e.idleSpots()
	return feature.Once(ctx, f.desk, e.Channel, "tournament:"+d.Cause+":nudges", func(r *feature.Room) {
		for _, p := range missing {
			r.Post(bot.Post{From: e.No, To: e.toRound(e.Begun), For: game.PlayerID(p.ID), Kind: nudgePost, At: d.At})
		}
	})
}

// A sitting is a player who sits down at their table.
type sitting struct {
	event     event
	at        spot
	side      contest.Side // the player's
	me, other bot.User
	game      int
}

// sit lets a player sit down at their table: it opens the table, or joins it.
func (f *tournaments) sit(ctx context.Context, req bot.Request) (bot.Reply, error) {
	s, err := f.sitting(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	if err := f.note(ctx, &s, req.ID); err != nil {
		return bot.Reply{}, err
	}
	req.User, req.Channel, req.Table, req.Number = s.me, s.event.place(s.at).Channel, 0, 0
	joined, err := f.open(ctx, &s, req)
	if err != nil && !errors.Is(err, errThere) {
		return bot.Reply{}, err
	}
	t, failed := f.desk.Load(ctx, bot.Request{Channel: req.Channel})
	if failed != nil {
		return bot.Reply{}, failed
	}
	// Read after the table, so that it has the request of the player who opened it.
	e, _, failed := f.get(ctx, s.event.No)
	if failed != nil {
		return bot.Reply{}, failed
	}
	place := e.place(s.at)
	ours := place != nil && len(t.Events) > 0 && slices.Contains(place.Causes, t.Events[0].Cause)
	_, seated := t.SeatOf(s.me.ID)
	switch {
	case !joined && !ours:
		return bot.Reply{}, words.Refusing("Another game is on at that table. It has to end first.")
	case joined || err != nil && t.Phase == game.Lobby && !seated:
		return f.desk.Change(ctx, req, feature.Always(game.Join{}))
	case err != nil && t.Phase != game.Lobby:
		return bot.Reply{}, words.Refusing("Your game is on: {board} shows it.", text.Code("/board"))
	}
	return bot.Reply{
		Text:    text.Say("You have sat down at table {n}. The game begins when {who} has too.", s.at.Pairing, text.Name(s.other)),
		Buttons: f.wayTo(ctx, &e, req.Channel),
	}, nil
}

// sitting returns the seat that a request is about, and refuses the request if the player
// can't sit down there.
func (f *tournaments) sitting(ctx context.Context, req bot.Request) (s sitting, err error) {
	e, a, err := f.requireAsker(ctx, req)
	if err != nil {
		return s, err
	}
	at := readSpot(req.Args)
	switch {
	case e.pairingAt(at) == nil || e.place(at) == nil:
		return s, words.Refusing("That round was undone. I'll tell you when it begins again.")
	case e.Phase != under:
		return s, words.Refusing("{name} is over.", text.Strong(e.Name))
	case e.nextGame(at) < 0:
		return s, words.Refusing("The games at that table are over.")
	case e.Real:
		return s, words.Refusing("{name} is played at real boards. Report the result when you have played.", text.Strong(e.Name))
	case e.place(at).Channel == "":
		return s, words.Refusing("That table isn't open yet. Try again in a moment, or play elsewhere and report the result: {result}.", text.Code("/tournament result score:400-380"))
	}
	side, ok := e.side(at, a.ids)
	if !ok {
		return s, words.Refusing("That table is for {a} and {b}.", text.Name(person(e.player(at, contest.A))), text.Name(person(e.player(at, contest.B))))
	}
	s = sitting{event: e, at: at, side: side, me: person(e.player(at, side)), other: person(e.player(at, side.Other()))}
	if s.other.ID == "" {
		return s, words.Refusing("{who} has no account here. Play on a real board, and report the result: {result}.", text.Strong(s.other.Name), text.Code("/tournament result score:400-380"))
	}
	if bot.IsFormer(s.other.ID) {
		return s, words.Refusing("Your opponent has left for good. The director can have them forfeit the game.")
	}
	return s, nil
}

// note records in the tournament who has sat down, and for which game.
func (f *tournaments) note(ctx context.Context, s *sitting, cause string) (err error) {
	if s.event, err = f.update(ctx, s.event.No, func(e *event) error {
		p := e.place(s.at)
		if p == nil || e.nextGame(s.at) < 0 {
			return words.Refusing("The games at that table are over.")
		}
		s.game = e.nextGame(s.at)
		if p.Game != s.game {
			p.Game, p.Sat = s.game, nil
		}
		if !slices.Contains(p.Sat, string(s.me.ID)) {
			p.Sat = append(p.Sat, string(s.me.ID))
		}
		if !slices.Contains(p.Causes, cause) {
			p.Causes = append(p.Causes, cause)
		}
		return nil
	}); err != nil {
		return err
	}
	return feature.Once(ctx, f.desk, s.event.Channel, "tournament:"+cause+":sat", func(r *feature.Room) { s.event.postDirectors(r, aheadPost, 0, f.desk.Now().UTC()) })
}

// open opens the table for both players. If a table is open there already, the error is errThere;
// joined reports whether an earlier try of the request joined it.
func (f *tournaments) open(ctx context.Context, s *sitting, req bot.Request) (joined bool, err error) {
	first := s.me
	if s.event.pairingAt(s.at).Games[s.game].First != s.side {
		first = s.other
	}
	o, err := f.opening(ctx, &s.event.head, req)
	if err != nil {
		return false, err
	}
	err = f.desk.Update(ctx, req.Channel, req.ID, func(r *feature.Room) error {
		if was := r.Receipt(); was != nil {
			if joined = was.From > 0; joined {
				return errThere
			}
			return nil
		}
		if r.Table.Phase != game.NoTable && r.Table.Phase != game.Over {
			return errThere
		}
		open := o.Open
		open.Seats, open.Invited, open.First = 2, []bot.User{s.other}, first
		if _, err := r.Do(req, feature.Always(open)); err != nil {
			return err
		}
		r.Untold() // the thread already says who plays there
		return nil
	})
	return joined, err
}

// errThere reports that a table is open already.
var errThere = errors.New("the table is open")

// wayTo returns a button that leads to a place, or none if the platform has no links.
func (f *tournaments) wayTo(ctx context.Context, e *event, ch bot.ChannelID) []bot.Button {
	if url := f.linkTo(ctx, &e.head, ch); url != "" {
		return []bot.Button{{Label: text.Say("To the table"), Link: url}}
	}
	return nil
}

// gameOver records the result of a game that has ended at a table of a tournament.
func (f *tournaments) gameOver(ctx context.Context, timer bot.Timer) error {
	row, t, ok, err := f.endedGame(ctx, timer)
	if err != nil || !ok {
		return err
	}
	e, found, err := f.get(ctx, row.No)
	if err != nil || !found {
		return err
	}
	p := e.place(row.spot)
	if p == nil || !slices.Contains(p.Causes, t.Events[0].Cause) {
		return nil // a game that doesn't belong to the tournament
	}
	r, ok := resultOf(e.player(row.spot, contest.A), e.player(row.spot, contest.B), t)
	_, err = f.act(ctx, row.No, fmt.Sprintf("table:%d", t.ID), bot.User{}, func(e *event) (change, error) {
		none := change{Kind: didResult, Spot: row.spot}
		p := e.place(row.spot)
		if p == nil {
			return none, nil
		}
		if !slices.Contains(p.Tables, t.ID) {
			p.Tables = append(p.Tables, t.ID)
		}
		if ok && p.Game >= 0 && e.nextGame(row.spot) == p.Game {
			return e.write(row.spot, p.Game, r), nil
		}
		p.Sat = nil // the game was stopped: they can sit down again
		return none, nil
	})
	return err
}
