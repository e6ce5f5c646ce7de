package competition

import (
	"cmp"
	"context"
	"encoding/hex"
	"slices"
	"strconv"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game/contest"
)

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

// act carries out what somebody does to a tournament, once for a request. fn returns what
// goes into the log; a deed without a kind does not.
func (f *tournaments) act(ctx context.Context, no int, cause string, by bot.User, fn func(e *event) (deed, error)) (event, error) {
	return f.acts(ctx, no, cause, by, func(e *event) ([]deed, error) {
		d, err := fn(e)
		if d.Kind == "" {
			return nil, err
		}
		return []deed{d}, err
	})
}

// acts is act for several deeds at once.
func (f *tournaments) acts(ctx context.Context, no int, cause string, by bot.User, fn func(e *event) ([]deed, error)) (event, error) {
	return f.change(ctx, no, cause, func(e *event) error {
		if _, again := e.did(cause); again {
			return nil
		}
		begun := e.Begun
		all, err := fn(e)
		for _, d := range all {
			d.By, d.At, d.Cause, d.Begun = by, f.desk.Now().UTC(), cause, begun
			e.Deeds = append(e.Deeds, d)
		}
		return err
	})
}

// secret makes what the lots of a tournament come from. A request that is made again
// makes the same.
func (f *tournaments) secret(ctx context.Context, no int, cause string) (string, error) {
	own, err := f.own.Secret(ctx, "tournaments")
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(sign(own, strconv.Itoa(no), cause)), nil
}

// enterResult writes a result, with the news and what else follows. get gives the game
// among those of the spot's pairing, negative for none.
func (f *tournaments) enterResult(ctx context.Context, no int, cause string, by bot.User, s spot, get func(*event) (int, contest.Result, error)) error {
	_, err := f.act(ctx, no, cause, by, func(e *event) (deed, error) {
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

// playerOf is somebody as a tournament has them: under the name that was typed, or else
// that of the club, or else their own.
func (f *tournaments) playerOf(ctx context.Context, e event, u bot.User, typed string) (contest.Player, error) {
	known, err := f.Member(ctx, e.Home, e.Channel, bot.User{ID: u.ID, Name: cmp.Or(typed, u.Name)})
	return contest.Player{ID: string(u.ID), Name: cmp.Or(typed, known.Name, u.Name), Member: known.Number, Rating: known.Rating}, err
}
