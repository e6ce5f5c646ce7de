package host_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
)

// A page's requests cost the visitor as much as commands do, and a visitor who has used up their
// share of the host is asked to wait; else the feature answers.
func TestPageRequestsCostVisitor(t *testing.T) {
	at := bot.Request{ID: "page", User: burnAnn, Table: 9}
	asks := func(ctx context.Context, w *world) map[string]error {
		tables := w.Host.TablePages()
		all := map[string]error{}
		_, all["page"] = tables.Page(ctx, "none")
		_, all["picture"] = tables.Picture(ctx, 9, false)
		for _, p := range w.Host.Pages() {
			v := bot.Visit{Request: at, Key: "none"}
			switch p.Path {
			case "/g/{key}":
				_, all["game"] = p.Show(ctx, v)
				_, all["files"] = p.File(ctx, v, "files/moves")
				_, all["review"] = p.Ask["review"](ctx, v, []byte("{}"))
				_, all["try"] = p.Ask["try"](ctx, v, []byte(`{"turn":1}`))
			case "/d/{key}":
				_, all["daily"] = p.Show(ctx, v)
				_, all["daily draft"] = p.Ask["draft"](ctx, v, []byte("{}"))
				_, all["daily picture"] = p.File(ctx, v, "picture.png")
				_, all["daily proof"] = p.File(ctx, v, "proof")
			case "/analyse":
				_, all["analyse"] = p.Ask["ask"](ctx, v, []byte(`{"list":"none"}`))
				_, all["positions"] = p.Ask["game"](ctx, v, []byte(`{"list":"none"}`))
			}
		}
		_, all["sight"] = w.Host.Sight(ctx, at)
		_, all["draft"] = w.Host.Draft(ctx, at)
		_, all["drawn again"] = w.Host.Picture(ctx, bot.Posted{Channel: "test:x", Table: 9, Number: 3}, false)
		return all
	}
	synctest.Test(t, func(t *testing.T) {
		w, _ := burning(t, .04)
		ctx := bot.AskedBy(t.Context(), bot.Asker{Person: burnAnn.ID})
		var busy *bot.BusyError
		for what, err := range asks(ctx, w) {
			if err == nil || errors.As(err, &busy) && strings.Contains(busy.Text.String(), "Try again in") {
				t.Errorf("%s of what isn't there: %v", what, err)
			}
		}
		for n := 0; n < 1000 && !w.burns(burnAnn, "burn", "own").Refused; n++ {
		}
		for what, err := range asks(ctx, w) {
			if !errors.As(err, &busy) || !strings.Contains(busy.Text.String(), "Try again in") || busy.Wait <= 0 {
				t.Errorf("%s of somebody who is to wait: %v", what, err)
			}
		}
		if offers := w.Host.Complete(ctx, bot.Request{User: burnAnn, Command: "new", Args: map[string]string{"rules": ""}}, "rules"); len(offers) > 0 {
			t.Errorf("somebody who is to wait is offered %v", offers)
		}
		time.Sleep(time.Hour)
		for what, err := range asks(ctx, w) {
			if errors.As(err, &busy) && busy.Wait > 0 {
				t.Errorf("an hour later %s: %v", what, err)
			}
		}
		if offers := w.Host.Complete(ctx, bot.Request{User: burnAnn, Command: "new", Args: map[string]string{"rules": "fam"}}, "rules"); len(offers) != 1 || offers[0].Value != "family" {
			t.Errorf("an hour later Ann is offered %v", offers)
		}
	})
}

// A place that is gone has no game any more, and a person who accepts no private messages gets no
// more of them.
func TestPermanentRefusals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		twoPlay(w.World)
		w.Posts.Fail = func(m bot.Message) error {
			return &bot.PostError{Permanent: true, Gone: m.To == nil, Closed: m.To != nil, Err: errors.New("no such channel")}
		}
		w.Run()
		time.Sleep(time.Minute)
		synctest.Wait()
		for _, who := range []string{"ann", "bob"} {
			if games, err := w.Host.Games(t.Context(), bottest.People[who].ID); err != nil || len(games) > 0 {
				t.Errorf("%s still plays %v, %v", who, games, err)
			}
		}
		if s, _ := w.Replayed(featuretest.Parlour); s.End == nil || len(s.End.Winners) > 0 {
			t.Errorf("the game in the channel that is gone: %+v", s.End)
		}
	})
}
