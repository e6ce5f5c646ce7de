package competition

import (
	"cmp"
	"context"
	"encoding/hex"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/contest"
)

// This file is how tournaments are kept, and the one way in which they change.

// A registry is the tournaments that there are, and the one way in which they change.
type registry struct {
	shared
	events feature.Numbered[event]
	where  *shelf.Shelf[shelf.Channel, whereRow] // the latest of a channel, and what is played in one beside it
}

// A whereRow says which tournament a channel is of.
type whereRow struct {
	V  int `json:"v"` // 1
	No int `json:"no"`
	spot
}

// load is a tournament by its number.
func (f *registry) load(ctx context.Context, no int) (event, error) {
	e, found, err := f.events.Get(ctx, no)
	if err == nil && !found {
		err = words.Refusing("That tournament is gone.")
	}
	return e, err
}

// meant is the tournament that a request is about: the one that its button names, or
// that of its channel, or of the channel beside which that is. found is false where there
// is none.
func (f *registry) meant(ctx context.Context, req bot.Request) (e event, found bool, err error) {
	if no, err := strconv.Atoi(req.Args["e"]); err == nil {
		e, err = f.load(ctx, no)
		return e, err == nil, err
	}
	row, found, err := f.where.Get(ctx, shelf.Channel(req.Channel))
	if err != nil || !found {
		return e, false, err
	}
	e, found, err = f.events.Get(ctx, row.No)
	return e, found, err
}

// there is meant, where there has to be one.
func (f *registry) there(ctx context.Context, req bot.Request) (event, error) {
	e, found, err := f.meant(ctx, req)
	if err == nil && !found {
		err = words.Refusing("There is no tournament in this channel. {new} begins one.", text.Code("/tournament new"))
	}
	return e, err
}

// An asker is somebody who asks, under all their names, and what they may do.
type asker struct {
	bot.User
	ids     []game.PlayerID
	manages bool
}

func (f *registry) asker(ctx context.Context, req bot.Request) (asker, error) {
	ids, err := f.desk.Identities(ctx, req.User.ID)
	return asker{req.User, ids, req.Manager}, err
}

// asked is the tournament of a request's channel, and who asks.
func (f *registry) asked(ctx context.Context, req bot.Request) (event, asker, error) {
	e, err := f.there(ctx, req)
	if err != nil {
		return e, asker{}, err
	}
	a, err := f.asker(ctx, req)
	return e, a, err
}

// may refuses what only directors may do. Those who manage the place may too, so that a
// tournament goes on when its director has gone.
func (a asker) may(e *event) error {
	if e.directs(a.ids) || a.manages {
		return nil
	}
	return words.Refusing("Only the director can do that: {who}.", text.List(named(e.Directors)))
}

func named(all []bot.User) (spans []text.Span) {
	for _, u := range all {
		spans = append(spans, text.Name(u))
	}
	return spans
}

// change carries out what somebody does to a tournament, once for a request, and has
// seen to what follows. fn says what was done.
func (f *registry) change(ctx context.Context, no int, cause string, by bot.User, fn func(e *event) (deed, error)) (e event, err error) {
	if e, err = f.load(ctx, no); err != nil {
		return e, err
	}
	if err := f.events.Look(ctx, e, cause+":net", f.desk.Now().Add(net)); err != nil {
		return e, err
	}
	if err := f.own.Change(ctx, func(tx shelf.Tx) error {
		var found bool
		if e, found, err = f.events.In(tx, no); err != nil || !found {
			return err
		}
		if _, again := e.did(cause); again {
			return nil
		}
		begun := e.Begun
		d, err := fn(&e)
		if err != nil {
			return err
		}
		d.By, d.At, d.Cause, d.Begun = by, f.desk.Now().UTC(), cause, begun
		e.Deeds = append(e.Deeds, d)
		return f.events.Put(tx, e)
	}); err != nil {
		return e, err
	}
	return e, f.events.Look(ctx, e, cause+":look", f.desk.Now())
}

// lookKind is the kind of the timers that see to what follows from what was done, and
// net how long after it that is looked at once more, lest a process ended in between.
const (
	lookKind = "tournament"
	net      = time.Minute
)

// secret makes what the lots of a tournament come from. A request that is made again
// makes the same.
func (f *registry) secret(ctx context.Context, no int, cause string) (string, error) {
	own, err := f.own.Secret(ctx, "tournaments")
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(sign(own, strconv.Itoa(no), cause)), nil
}

// enterResult writes a result, with the news and what else follows. get gives the game
// among those of the spot's pairing, negative for none.
func (f *registry) enterResult(ctx context.Context, no int, cause string, by bot.User, s spot, get func(*event) (int, contest.Result, error)) error {
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

// overrule writes a result that comes by hand, and says what was done. A game that is on
// for it at the table counts for nothing from then on.
func (e *event) overrule(s spot, n int, r contest.Result) deed {
	var on []string
	if p := e.place(s); p != nil && p.Game == n && len(p.Sat) > 1 && !e.at(s).Games[n].Result.Over() {
		on, p.Causes = p.Causes, nil
	}
	d := e.write(s, n, r)
	d.Causes = on
	return d
}

// told reports whether the channel has, or is to have, news of a kind of a round.
func (e *event) told(k newsKind, round int) bool { return slices.Contains(e.News, news{k, round}) }

// opening is a table of a tournament on its way.
func (f *registry) opening(ctx context.Context, e *event, req bot.Request) (o feature.Opening, err error) {
	req.Args, req.Home = maps.Clone(e.Table), e.Home
	delete(req.Args, "hints")
	channel := req.Channel
	req.Channel = e.Channel
	o, err = feature.OpeningOf(ctx, f.desk, f.Settings, f.Read, req)
	o.Request.Channel = channel
	return o, err
}

// playerOf is somebody as a tournament has them: under the name that was typed, or else
// that of the club, or else their own.
func (f *registry) playerOf(ctx context.Context, e event, u bot.User, typed string) (contest.Player, error) {
	known, err := f.Member(ctx, e.Home, e.Channel, bot.User{ID: u.ID, Name: cmp.Or(typed, u.Name)})
	return contest.Player{ID: string(u.ID), Name: cmp.Or(typed, known.Name, u.Name), Member: known.Number, Rating: known.Rating}, err
}
