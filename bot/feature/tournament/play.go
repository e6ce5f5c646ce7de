package tournament

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/contest"
)

// This file is what is played: the tables that open by themselves, who sits down at
// them, and how the games come out.
//
// Each pairing has a place of its own, where there are such places. Whoever presses
// Sit down first opens the table there and keeps the other seat for the opponent; the
// game begins when they press it too. So who hasn't come is known, and no clock runs
// against somebody who hasn't been seen. The draws come from both requests, as at every
// table.

// The kinds of the timers for games that have ended, and for who doesn't sit down.
const (
	overKind = "tournament game"
	waitKind = "tournament wait"
)

// roundNumber is a round in the number of a timer or a post.
const roundNumber = 1000

// seeTo does what follows from what was done: it opens places, posts the news, and sets
// the timers of a round. What is there already is left.
func (f *Feature) seeTo(ctx context.Context, timer bot.Timer) error {
	row, found, err := f.where.Get(ctx, shelf.Channel(timer.Channel))
	if err != nil || !found {
		return err // the request that was to make it came to nothing
	}
	no := timer.Number
	if no == 0 {
		no = row.No
	}
	e, found, err := f.events.Get(ctx, key(no))
	if err != nil || !found {
		return err
	}
	if e.Phase == under && e.Begun > 0 && !e.paired() {
		if err := f.openPlaces(ctx, &e); err != nil {
			return err
		}
	}
	if err := f.tellAll(ctx, &e); err != nil {
		return err
	}
	if err := f.reword(ctx, &e); err != nil {
		return err
	}
	if n := len(e.Deeds); n > 0 && e.Deeds[n-1].Kind == didNudge {
		return f.postNudges(ctx, &e, e.Deeds[n-1])
	}
	return nil
}

// openPlaces opens the places of the round that is on, and has each say who plays there.
func (f *Feature) openPlaces(ctx context.Context, e *event) error {
	aside := f.desk.Platform(e.Channel).Aside
	for i := range e.Places {
		p := &e.Places[i]
		if p.Round != e.Begun || e.next(p.spot) < 0 || aside == nil {
			continue
		}
		if p.Channel == "" {
			if err := f.openPlace(ctx, e, p); err != nil {
				var no *bot.PostError
				if errors.As(err, &no) && no.Permanent {
					f.desk.Log().Warn("a tournament's table has no place of its own", "channel", e.Channel, "error", err)
					continue
				}
				return err
			}
			p = &e.Places[i] // as it is noted
		}
		if p.Told > p.Game {
			continue
		}
		cause := fmt.Sprintf("tournament:%d:%d:%d:%d:%d", e.No, p.Round, p.Pairing, p.Board, p.Game)
		if err := f.desk.Update(ctx, p.Channel, cause, func(r *feature.Room) error {
			if r.Receipt() == nil {
				r.Post(bot.Post{From: e.No, To: p.Game, Kind: tablePost, At: e.BegunAt})
			}
			return nil
		}); err != nil {
			return err
		}
		told, s := p.Game+1, p.spot
		if err := f.note(ctx, e, func(e *event) {
			if p := e.place(s); p != nil {
				p.Told = max(p.Told, told)
			}
		}); err != nil {
			return err
		}
	}
	return nil
}

// openPlace opens one place, and notes which it is.
func (f *Feature) openPlace(ctx context.Context, e *event, p *place) error {
	to, err := f.Settings.TongueOf(ctx, e.Channel)
	if err != nil {
		return err
	}
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
	ch, err := f.desk.Platform(e.Channel).Aside(ctx, e.Channel, fmt.Sprintf("tournament/%d/%d/%d/%d", e.No, s.Round, s.Pairing, s.Board), title.In(to).String(), who)
	if err != nil {
		return err
	}
	if err := f.Settings.KeepBeside(ctx, ch, e.Channel); err != nil {
		return err
	}
	if err := f.Settings.KeepHome(ctx, bot.Request{Channel: ch, Home: e.Home}, to.Code); err != nil {
		return err
	}
	if err := f.where.Put(ctx, shelf.Channel(ch), whereRow{V: 1, No: e.No, spot: s}); err != nil {
		return err
	}
	return f.note(ctx, e, func(e *event) {
		if p := e.place(s); p != nil {
			p.Channel = ch
		}
	})
}

// note marks in a tournament what was seen to.
func (f *Feature) note(ctx context.Context, e *event, fn func(*event)) error {
	return f.events.Change(ctx, key(e.No), func(now *event) (bool, error) {
		if now.V == 0 {
			return false, nil
		}
		fn(now)
		*e = *now
		return true, nil
	})
}

// tellAll queues the news that the channel hasn't been told, and what goes with it.
func (f *Feature) tellAll(ctx context.Context, e *event) error {
	deeds := len(e.Deeds) // of which the news tells
	for i := e.Told; i < len(e.News); i++ {
		n := e.News[i]
		cause := fmt.Sprintf("tournament:%d:news:%d", e.No, i)
		if err := f.desk.Update(ctx, e.Channel, cause, func(r *feature.Room) error {
			if r.Receipt() != nil {
				return nil
			}
			r.Post(bot.Post{From: e.No, To: i, Kind: newsPost, At: e.At})
			switch n.Kind {
			case newsPairings:
				at := n.Round*roundNumber + e.No%roundNumber
				for _, id := range e.playersOf(n.Round) {
					r.Post(bot.Post{From: e.No, To: at, For: id, Kind: yourPost, At: e.BegunAt})
				}
				if e.Wait > 0 {
					r.Timer(bot.Timer{At: e.BegunAt.Add(e.Wait), Kind: waitKind, Number: e.No*roundNumber + n.Round})
				}
			case newsStandings:
				for _, d := range e.Directors {
					r.Post(bot.Post{From: e.No, To: n.Round*roundNumber + e.No%roundNumber, For: d.ID, Kind: directorPost, At: e.BegunAt})
				}
			}
			return nil
		}); err != nil {
			return err
		}
		if err := f.note(ctx, e, func(e *event) { e.Told, e.Reworded = max(e.Told, i+1), max(e.Reworded, deeds) }); err != nil {
			return err
		}
	}
	return nil
}

// reword has the latest messages say how things are now: who has entered, and the
// results of the round that is on.
func (f *Feature) reword(ctx context.Context, e *event) error {
	now := len(e.Deeds)
	if e.Reworded >= now {
		return nil
	}
	latest := -1
	for i, n := range e.News[:e.Told] {
		if n.Kind == newsOpen && e.Phase == entering || n.Round == e.Begun && e.Begun > 0 && !e.paired() {
			latest = i
		}
	}
	changes := slices.ContainsFunc(e.Deeds[e.Reworded:], func(d deed) bool {
		return d.Kind == didEnter || d.Kind == didWithdraw || d.Kind == didResult || d.Kind == didUndo && d.Of != didBegin
	})
	if latest >= 0 && changes {
		if err := f.desk.Update(ctx, e.Channel, fmt.Sprintf("tournament:%d:reworded:%d", e.No, now), func(r *feature.Room) error {
			if r.Receipt() == nil {
				r.Post(bot.Post{From: e.No, To: latest, Kind: editPost, At: e.Deeds[now-1].At})
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return f.note(ctx, e, func(e *event) { e.Reworded = max(e.Reworded, now) })
}

// playersOf are who plays in a round, and has an account here.
func (e *event) playersOf(round int) (all []game.PlayerID) {
	for i, p := range e.Contest.Rounds[round-1].Pairings {
		if p.B == 0 && p.A != 0 {
			x, _ := e.Contest.Entrant(p.A)
			for _, p := range players(x) {
				all = append(all, game.PlayerID(p.ID))
			}
		}
		for _, s := range e.spots(round, i+1) {
			all = append(all, game.PlayerID(e.player(s, contest.A).ID), game.PlayerID(e.player(s, contest.B).ID))
		}
	}
	return slices.DeleteFunc(all, func(id game.PlayerID) bool { return id == "" || bot.IsFormer(id) })
}

func (f *Feature) postNudges(ctx context.Context, e *event, d deed) error {
	_, missing := e.idle()
	return f.desk.Update(ctx, e.Channel, "tournament:"+d.Cause+":nudges", func(r *feature.Room) error {
		if r.Receipt() != nil {
			return nil
		}
		for _, p := range missing {
			r.Post(bot.Post{From: e.No, To: e.Begun*roundNumber + e.No%roundNumber, For: game.PlayerID(p.ID), Kind: nudgePost, At: d.At})
		}
		return nil
	})
}

// sit has a player sit down at their table: it opens it, or joins it.
func (f *Feature) sit(ctx context.Context, req bot.Request) (bot.Reply, error) {
	e, err := f.there(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	a, err := f.asker(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	s := readSpot(req.Args)
	p := e.at(s)
	switch {
	case p == nil || e.place(s) == nil:
		return bot.Reply{}, words.Refusing("That round was taken back. You are told when it begins anew.")
	case e.Phase != under:
		return bot.Reply{}, words.Refusing("{name} is over.", text.Strong(e.Name))
	case e.next(s) < 0:
		return bot.Reply{}, words.Refusing("The games at that table are over.")
	case e.place(s).Channel == "":
		return bot.Reply{}, words.Refusing("That table has no place here. Play elsewhere, and report the result: {result}.", text.Code("/tournament result score:400-380"))
	}
	side, ok := e.side(s, a.ids)
	if !ok {
		return bot.Reply{}, words.Refusing("That table is for {a} and {b}.", text.Name(person(e.player(s, contest.A))), text.Name(person(e.player(s, contest.B))))
	}
	me, other := person(e.player(s, side)), person(e.player(s, side.Other()))
	if other.ID == "" {
		return bot.Reply{}, words.Refusing("{who} has no account here. Play on a real board, and report the result: {result}.", text.Strong(other.Name), text.Code("/tournament result score:400-380"))
	}
	if bot.IsFormer(other.ID) {
		return bot.Reply{}, words.Refusing("Your opponent has left for good. The director can have them forfeit the game.")
	}
	var n int
	if e, err = f.changeQuietly(ctx, e.No, func(e *event) error {
		p := e.place(s)
		if p == nil || e.next(s) < 0 {
			return words.Refusing("The games at that table are over.")
		}
		n = e.next(s)
		if p.Game != n {
			p.Game, p.Sat = n, nil
		}
		if !slices.Contains(p.Sat, string(me.ID)) {
			p.Sat = append(p.Sat, string(me.ID))
		}
		if !slices.Contains(p.Causes, req.ID) {
			p.Causes = append(p.Causes, req.ID)
		}
		return nil
	}); err != nil {
		return bot.Reply{}, err
	}
	at := *e.place(s)
	first := me
	if e.at(s).Games[n].First != side {
		first = other
	}
	req.User, req.Channel, req.Table, req.Number = me, at.Channel, 0, 0
	o, err := f.opening(ctx, &e, req)
	if err != nil {
		return bot.Reply{}, err
	}
	ours := func(t table.Table) bool { return len(t.Events) > 0 && slices.Contains(at.Causes, t.Events[0].Cause) }
	joined := false // by the same request
	err = f.desk.Update(ctx, req.Channel, req.ID, func(r *feature.Room) error {
		if was := r.Receipt(); was != nil {
			if joined = was.From > 0; joined {
				return errThere
			}
			return nil
		}
		if ours(r.Table) && r.Table.Phase != game.Over {
			return errThere
		}
		open := o.Open
		open.Seats, open.Invited, open.First = 2, []bot.User{other}, first
		if _, err := r.Do(req, feature.Always(open)); err != nil {
			return err
		}
		r.Untold() // the place says already who plays there
		return nil
	})
	if err != nil && !errors.Is(err, errThere) {
		return bot.Reply{}, err
	}
	t, failed := f.desk.Load(ctx, bot.Request{Channel: req.Channel})
	if failed != nil {
		return bot.Reply{}, failed
	}
	_, seated := t.SeatOf(me.ID)
	switch {
	case joined || err != nil && t.Phase == game.Lobby && !seated:
		return f.desk.Change(ctx, req, feature.Always(game.Join{}))
	case err != nil && t.Phase != game.Lobby:
		return bot.Reply{}, words.Refusing("Your game is on: {board} shows it.", text.Code("/board"))
	case !ours(t):
		return bot.Reply{}, words.Refusing("Another game is on at that table. It has to end first.")
	}
	return bot.Reply{
		Text:    text.Say("You have sat down at table {n}. The game begins when {who} has too.", s.Pairing, text.Name(other)),
		Buttons: f.wayTo(ctx, &e, at.Channel),
	}, nil
}

// errThere says that a table is open already.
var errThere = errors.New("the table is open")

// wayTo is a button that leads to a place.
func (f *Feature) wayTo(ctx context.Context, e *event, ch bot.ChannelID) []bot.Button {
	link := f.desk.Platform(ch).Link
	if link == nil || ch == "" {
		return nil
	}
	if url := link(ctx, ch, e.Home); url != "" {
		return []bot.Button{{Label: text.Say("To the table"), Link: url}}
	}
	return nil
}

// changeQuietly changes a tournament by what isn't a deed.
func (f *Feature) changeQuietly(ctx context.Context, no int, fn func(*event) error) (e event, err error) {
	err = f.events.Change(ctx, key(no), func(now *event) (bool, error) {
		if now.V == 0 {
			return false, nil
		}
		if err := fn(now); err != nil {
			return true, err
		}
		e = *now
		return true, nil
	})
	return e, err
}

// gameOver takes the result of a game that has ended at one of the tables.
func (f *Feature) gameOver(ctx context.Context, timer bot.Timer) error {
	row, found, err := f.where.Get(ctx, shelf.Channel(timer.Channel))
	if err != nil || !found || row.Round == 0 {
		return err
	}
	t, err := feature.LoadTable(ctx, f.desk, timer.Table)
	if err != nil || t.End == nil {
		return err
	}
	e, err := f.load(ctx, row.No)
	if err != nil {
		return err
	}
	p := e.place(row.spot)
	if p == nil || !slices.Contains(p.Causes, t.Events[0].Cause) {
		return nil // another game than the tournament's
	}
	r, ok := e.resultOf(row.spot, t)
	return f.enterResult(ctx, row.No, fmt.Sprintf("table:%d", t.ID), bot.User{}, row.spot, func(e *event) (int, contest.Result, error) {
		p := e.place(row.spot)
		if p != nil && !slices.Contains(p.Tables, t.ID) {
			p.Tables = append(p.Tables, t.ID)
		}
		if n := e.next(row.spot); ok && p != nil && n == p.Game {
			return n, r, nil
		}
		if p != nil {
			p.Sat = nil // it was stopped: they can sit down again
		}
		return -1, r, nil
	})
}

// resultOf is how a game came out between the two sides of a spot. It is false where
// nobody won or lost.
//
// Who resigned, or lost by the clock, loses by the scores where those say so by more
// than a forfeit is worth; else by forfeit. So nobody saves spread by resigning.
func (e *event) resultOf(s spot, t table.Table) (r contest.Result, ok bool) {
	var seats [2]int
	for _, side := range []contest.Side{contest.A, contest.B} {
		seat, seated := t.SeatOf(game.PlayerID(e.player(s, side).ID))
		if !seated {
			return r, false
		}
		seats[side] = seat
	}
	won := func(side contest.Side) bool { return slices.Contains(t.End.Winners, seats[side]) }
	r = contest.Result{How: contest.Played, Scores: [2]int{t.Seats[seats[0]].Score, t.Seats[seats[1]].Score}}
	switch {
	case len(t.End.Winners) == 0:
		return r, false
	case won(contest.A) && won(contest.B):
		return r, true
	}
	winner := contest.A
	if won(contest.B) {
		winner = contest.B
	}
	lead := r.Scores[winner] - r.Scores[winner.Other()]
	early := t.End.Reason == game.ResignationEnd || t.End.Reason == game.OvertimeEnd || t.End.Reason == game.TripleEnd
	if lead <= 0 || early && lead < contest.ForfeitSpread {
		return contest.Forfeit(winner.Other()), true
	}
	return r, true
}

// enterResult writes a result, with the news and what else follows. get gives the game
// among those of the spot's pairing, negative for none.
func (f *Feature) enterResult(ctx context.Context, no int, cause string, by bot.User, s spot, get func(*event) (int, contest.Result, error)) error {
	_, err := f.change(ctx, no, cause, by, func(e *event) (deed, error) {
		n, r, err := get(e)
		if err != nil || n < 0 {
			return deed{Kind: didResult, Spot: s}, err
		}
		return e.write(s, n, r), nil
	})
	return err
}

// write writes a result, and says what was done.
func (e *event) write(s spot, n int, r contest.Result) deed {
	was := e.at(s).Games[n].Result
	if e.settle(s, n, r) && s.Round == e.Begun && !e.told(newsStandings, s.Round) {
		e.tell(newsStandings, s.Round)
	}
	return deed{Kind: didResult, Spot: s, Game: n, Was: &was, Is: &r}
}

// told reports whether the channel has, or is to have, news of a kind of a round.
func (e *event) told(k newsKind, round int) bool { return slices.Contains(e.News, news{k, round}) }

// waited has those forfeit who haven't sat down in time.
func (f *Feature) waited(ctx context.Context, timer bot.Timer) error {
	no, round := timer.Number/roundNumber, timer.Number%roundNumber
	e, err := f.load(ctx, no)
	if err != nil {
		return nil
	}
	for _, p := range e.Places {
		if p.Round != round || e.Phase != under || e.Begun != round || e.paired() || p.Game != 0 || p.Channel == "" || len(p.Sat) > 1 || e.next(p.spot) != 0 {
			continue
		}
		s := p.spot
		cause := fmt.Sprintf("wait:%d:%d:%d", s.Round, s.Pairing, s.Board)
		if err := f.enterResult(ctx, no, cause, bot.User{}, s, func(e *event) (int, contest.Result, error) {
			p := e.place(s)
			if p == nil || e.Begun != round || len(p.Sat) > 1 || e.next(s) != 0 {
				return -1, contest.Result{}, nil
			}
			r := contest.Result{How: contest.LostByBoth}
			for _, side := range []contest.Side{contest.A, contest.B} {
				if len(p.Sat) == 1 && p.Sat[0] == e.player(s, side).ID {
					r = contest.Forfeit(side.Other())
				}
			}
			return 0, r, nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// readScore reads "412-377".
func readScore(typed string) (scores [2]int, ok bool) {
	a, b, cut := strings.Cut(strings.NewReplacer(":", "-", "–", "-", " ", "").Replace(typed), "-")
	x, err1 := strconv.Atoi(a)
	y, err2 := strconv.Atoi(b)
	return [2]int{x, y}, cut && err1 == nil && err2 == nil && x >= 0 && y >= 0 && x < 2000 && y < 2000
}

// result takes a result by hand: a player's own, which the opponent confirms, or what a
// director says.
func (f *Feature) result(ctx context.Context, req bot.Request) (bot.Reply, error) {
	e, err := f.there(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	a, err := f.asker(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	typed := req.Args["score"]
	if _, ok := readScore(req.Args["name"]); ok && typed == "" {
		typed, req.Args["name"] = req.Args["name"], ""
	}
	scores, ok := readScore(typed)
	if !ok {
		return bot.Reply{}, words.Refusing("How did it end? Your points first, then the opponent's: {example}.", text.Code("/tournament result score:412-377"))
	}
	directs := a.may(&e) == nil
	if directs && (len(req.People) > 0 || req.Args["name"] != "" || req.Args["table"] != "") {
		return f.directorsResult(ctx, req, &e, scores)
	}
	s, side, on := e.spotOf(a.ids)
	switch {
	case !on && directs:
		return bot.Reply{}, words.Refusing("Whose game? Name one of the players, whose points come first: {example}.", text.Code("/tournament result who:@Ann score:412-377"))
	case !on || e.Phase != under || e.paired():
		return bot.Reply{}, words.Refusing("You have no game in a round that is open. Results are taken while the round is on.")
	}
	n := e.next(s)
	if n < 0 {
		return bot.Reply{}, words.Refusing("Your games of this round are over. If a result is wrong, tell the director: {who}.", text.List(named(e.Directors)))
	}
	other := e.player(s, side.Other())
	if side == contest.B {
		scores[0], scores[1] = scores[1], scores[0]
	}
	if directs && other.ID == "" {
		return f.directorsResult(ctx, withWho(req, a.User), &e, [2]int{scores[side], scores[side.Other()]})
	}
	if other.ID == "" {
		return bot.Reply{}, words.Refusing("{who} has no account here to confirm that. Ask the director to enter it: {director}.", text.Strong(other.Name), text.List(named(e.Directors)))
	}
	e, err = f.changeQuietly(ctx, e.No, func(e *event) error {
		if e.next(s) != n {
			return words.Refusing("That game has a result by now.")
		}
		e.Claims = slices.DeleteFunc(e.Claims, func(c claim) bool { return c.spot == s && c.Game == n })
		e.Claims = append(e.Claims, claim{spot: s, Game: n, Side: side, By: e.player(s, side).ID, Scores: scores})
		return nil
	})
	if err != nil {
		return bot.Reply{}, err
	}
	if err := f.desk.Update(ctx, e.Channel, "tournament:"+req.ID+":claim", func(r *feature.Room) error {
		if r.Receipt() == nil {
			r.Post(bot.Post{From: e.No, To: s.Round*roundNumber + s.Pairing, For: game.PlayerID(other.ID), Kind: claimPost, At: f.desk.Now().UTC()})
		}
		return nil
	}); err != nil {
		return bot.Reply{}, err
	}
	return bot.Reply{Text: text.Say("{who} is asked to confirm {mine} to {theirs}. It counts then, or when the director enters it.", text.Name(person(other)), scores[side], scores[side.Other()])}, nil
}

func withWho(req bot.Request, u bot.User) bot.Request {
	req.People = []bot.User{u}
	return req
}

// directorsResult is a result that a director enters: of the game that is open, or in
// place of the one that is there.
func (f *Feature) directorsResult(ctx context.Context, req bot.Request, e *event, scores [2]int) (bot.Reply, error) {
	s, side, err := f.spotMeant(ctx, e, req)
	if err != nil {
		return bot.Reply{}, err
	}
	return f.direct(ctx, req, func(e *event, a asker) (deed, error) {
		p := e.at(s)
		if p == nil || s.Round > e.Begun {
			return deed{}, words.Refusing("That round isn't open: it hasn't started.")
		}
		n := e.next(s)
		if n < 0 {
			n = e.last(s)
		}
		if e.Kind == contest.Knockout && p.Over(e.Contest.Format) && p.Games[n].Result.Over() {
			if _, won := p.Winner(e.Contest.Format); !won { // another game after a draw
				p.Games = append(p.Games, contest.Game{First: p.Games[n].First.Other()})
				n = len(p.Games) - 1
			}
		}
		r := contest.Result{How: contest.Played, Scores: scores}
		if side == contest.B {
			r.Scores = [2]int{scores[1], scores[0]}
		}
		return e.write(s, n, r), nil
	})
}

// last is the latest game of a spot that is over.
func (e *event) last(s spot) int {
	n := 0
	for i, g := range e.at(s).Games {
		if g.Board == s.Board && g.Result.Over() {
			n = i
		}
	}
	return n
}

// spotMeant is where a director means: by one of the players, or by a table's number, in
// the round that is on.
func (f *Feature) spotMeant(ctx context.Context, e *event, req bot.Request) (spot, contest.Side, error) {
	if e.Begun == 0 {
		return spot{}, 0, words.Refusing("That round isn't open: it hasn't started.")
	}
	if n := req.Args["table"]; n != "" && len(req.People) == 0 && req.Args["name"] == "" {
		i, err := strconv.Atoi(n)
		if all := e.Contest.Rounds[e.Begun-1].Pairings; err != nil || i < 1 || i > len(all) || all[i-1].B == 0 {
			return spot{}, 0, words.Refusing("There is no table {n} in round {round}.", text.Code(text.Shorten(n, bot.MaxName)), e.Begun)
		}
		return e.spots(e.Begun, i)[0], contest.A, nil
	}
	if e.teams() && len(req.People) > 0 { // the board of a player of the team
		ids, err := f.desk.Identities(ctx, req.People[0].ID)
		if err != nil {
			return spot{}, 0, err
		}
		if s, side, ok := e.spotOf(ids); ok {
			return s, side, nil
		}
	}
	no, err := f.someone(ctx, e, req)
	if err != nil {
		return spot{}, 0, err
	}
	for i, p := range e.Contest.Rounds[e.Begun-1].Pairings {
		if p.Has(no) && p.B != 0 {
			side := contest.A
			if p.B == no {
				side = contest.B
			}
			return e.spots(e.Begun, i+1)[0], side, nil
		}
	}
	return spot{}, 0, words.Refusing("{who} has no game in round {n}.", e.called(no), e.Begun)
}

// agree confirms, or disputes, what the opponent reported.
func (f *Feature) agree(ctx context.Context, req bot.Request) (bot.Reply, error) {
	e, err := f.there(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	a, err := f.asker(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	s := readSpot(req.Args)
	i := slices.IndexFunc(e.Claims, func(c claim) bool { return c.spot == s })
	side, ok := e.side(s, a.ids)
	switch {
	case e.did(req.ID):
		return bot.Reply{Text: text.Say("Confirmed. The result counts.")}, nil
	case i < 0:
		return bot.Reply{}, words.Refusing("Nothing waits to be confirmed there any more.")
	case !ok || side == e.Claims[i].Side:
		return bot.Reply{}, words.Refusing("That is for the other player to confirm.")
	}
	c := e.Claims[i]
	if req.Args["say"] == "no" {
		_, err := f.changeQuietly(ctx, e.No, func(e *event) error {
			e.Claims = slices.DeleteFunc(e.Claims, func(o claim) bool { return o == c })
			return nil
		})
		return bot.Reply{Text: text.Say("Then it doesn't count. Report what you have, or tell the director: {who}.", text.List(named(e.Directors)))}, err
	}
	if got := strconv.Itoa(c.Scores[0]) + "-" + strconv.Itoa(c.Scores[1]); req.Args["score"] != got {
		return bot.Reply{}, words.Refusing("Another result has been reported since. Look at the latest message.")
	}
	err = f.enterResult(ctx, e.No, req.ID, req.User, s, func(e *event) (int, contest.Result, error) {
		if e.next(s) != c.Game {
			return -1, contest.Result{}, words.Refusing("That game has a result by now.")
		}
		return c.Game, contest.Result{How: contest.Played, Scores: c.Scores}, nil
	})
	if err != nil {
		return bot.Reply{}, err
	}
	return bot.Reply{Text: text.Say("Confirmed. The result counts.")}, nil
}

// forfeit has somebody forfeit the game of the round, or both players.
func (f *Feature) forfeit(ctx context.Context, req bot.Request) (bot.Reply, error) {
	e, err := f.there(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	s, side, err := f.spotMeant(ctx, &e, req)
	if err != nil {
		return bot.Reply{}, err
	}
	r := contest.Forfeit(side)
	if len(req.People) > 1 || req.Args["table"] != "" && len(req.People) == 0 && req.Args["name"] == "" {
		r = contest.Result{How: contest.LostByBoth}
	}
	return f.direct(ctx, req, func(e *event, a asker) (deed, error) {
		n := e.next(s)
		if n < 0 {
			return deed{}, words.Refusing("That game has a result. To change it: {result}.", text.Code("/tournament result who:@Ann score:412-377"))
		}
		return e.write(s, n, r), nil
	})
}

// idsOf are the ids of those who play for an entrant.
func idsOf(e event, no contest.No) (ids []game.PlayerID) {
	x, _ := e.Contest.Entrant(no)
	for _, p := range players(x) {
		if p.ID != "" {
			ids = append(ids, game.PlayerID(p.ID))
		}
	}
	return ids
}
