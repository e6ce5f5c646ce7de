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

// may refuses people other than directors. Managers of the place may do the same, so that a
// tournament continues when its director has left.
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

// act applies an action to a tournament, once per request. fn returns the entry for the
// log; one without a kind isn't logged.
func (f *tournaments) act(ctx context.Context, no int, cause string, by bot.User, fn func(e *event) (deed, error)) (event, error) {
	return f.acts(ctx, no, cause, by, func(e *event) ([]deed, error) {
		d, err := fn(e)
		if d.Kind == "" {
			return nil, err
		}
		return []deed{d}, err
	})
}

// acts applies an action that makes several log entries.
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

// secret derives the secret of a tournament's lots. A repeated request gets the same
// secret.
func (f *tournaments) secret(ctx context.Context, no int, cause string) (string, error) {
	own, err := f.own.Secret(ctx, "tournaments")
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(sign(own, strconv.Itoa(no), cause)), nil
}

// enterResult records a result and the news that follows. get returns the game's index
// within the spot's pairing, negative for none.
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

// write records a result and returns the log entry.
func (e *event) write(s spot, n int, r contest.Result) deed {
	was := e.at(s).Games[n].Result
	if e.settle(s, n, r) && s.Round == e.Begun && !e.told(newsStandings, s.Round) {
		e.tell(newsStandings, s.Round)
	}
	return deed{Kind: didResult, Spot: s, Game: n, Was: &was, Is: &r}
}

// overrule records a result entered by hand and returns the log entry. A game that is under
// way for it no longer counts.
func (e *event) overrule(s spot, n int, r contest.Result) deed {
	var on []string
	if p := e.place(s); p != nil && p.Game == n && len(p.Sat) > 1 && !e.at(s).Games[n].Result.Over() {
		on, p.Causes = p.Causes, nil
	}
	d := e.write(s, n, r)
	d.Causes = on
	return d
}

// told reports whether the news of a kind and round has been queued for the channel.
func (e *event) told(k newsKind, round int) bool { return slices.Contains(e.News, news{k, round}) }

// playerOf returns a person as a player of a tournament. Their name is the one typed, else
// the one in the club, else their own.
func (f *tournaments) playerOf(ctx context.Context, e event, u bot.User, typed string) (contest.Player, error) {
	known, err := f.Member(ctx, e.Home, e.Channel, bot.User{ID: u.ID, Name: cmp.Or(typed, u.Name)})
	return contest.Player{ID: string(u.ID), Name: cmp.Or(typed, known.Name, u.Name), Member: known.Number, Rating: known.Rating}, err
}
