package feature_test

import (
	"errors"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// do runs a person's intent in the den's room for a cause, and returns the events.
func (d *desk) do(t *testing.T, cause, who string, want feature.Intent) (done []game.Event, err error) {
	t.Helper()
	err = d.Update(t.Context(), den, cause, func(r *feature.Room) error {
		done, err = r.Do(bot.Request{ID: cause, Channel: den, User: bottest.People[who]}, want)
		return err
	})
	return done, err
}

// A request takes effect once for its cause and is announced. A mistake changes and
// announces nothing, and a repeat of it is treated as already seen.
func TestRequestTakesEffectOnce(t *testing.T) {
	d := newDesk(t)
	open := feature.Always(game.Open{Rules: game.Classic(), Equipment: gametest.Equipment(t), Lexicon: game.LexiconID{Name: "small"}, Seats: 2})
	done, err := d.do(t, "open", "ann", open)
	if err != nil || len(done) == 0 {
		t.Fatalf("Ann wants to play: %v, %v", done, err)
	}
	if opened := done[0].Fact.(game.Opened); opened.Secret != (game.Secret{1, 2, 3}) || opened.Host.Name != "Ann" {
		t.Errorf("the table is opened by %+v", opened)
	}
	if again, err := d.do(t, "open", "ann", open); err != nil || again != nil {
		t.Errorf("asked again, Ann's request does %v, %v", again, err)
	}
	all, err := table.Variants(nil).Replay(den, 1, done)
	gametest.Must(t, err)
	d.tables[1] = all
	if posts := d.posts; len(posts) != 1 || posts[0].For != bottest.People["ann"].ID || posts[0].To != len(done) {
		t.Errorf("there is told %+v", d.posts)
	}
	for range 2 {
		if done, err := d.do(t, "again", "ann", feature.Always(game.Join{})); err != nil || done != nil {
			t.Errorf("Ann sits down twice: %v, %v", done, err)
		}
	}
	if done, err := d.do(t, "fails", "bob", func(table.Table) (game.Action, error) { return nil, errDown }); !errors.Is(err, errDown) || done != nil {
		t.Errorf("what can't be judged does %v, %v", done, err)
	}
	if len(d.posts) != 1 {
		t.Errorf("what wasn't done is told: %+v", d.posts)
	}
	// The failed request wasn't recorded, so it can be repeated.
	if done, err := d.do(t, "fails", "bob", feature.Always(game.Join{})); err != nil || len(done) == 0 {
		t.Errorf("Bob sits down: %v, %v", done, err)
	}
}

// A cause's posts and timers are recorded with it. Posts go to the room's channel unless
// they name another.
func TestCauseRecordsPostsAndTimers(t *testing.T) {
	d := newDesk(t)
	notice := func(r *feature.Room) error {
		if r.Receipt() != nil {
			return nil
		}
		if r.Filed() != nil {
			t.Error("a cause is filed before anything came of it")
		}
		r.Post(bot.Post{Kind: "news"}, bot.Post{Kind: "news elsewhere", Channel: "test:attic"})
		r.Timer(bot.Timer{Kind: "later", At: now})
		if filed := r.Filed(); filed == nil || filed.From != filed.To {
			t.Errorf("of posts and timers there is filed %+v", filed)
		}
		return nil
	}
	for range 2 {
		gametest.Must(t, d.Update(t.Context(), den, "notice", notice))
	}
	in := map[string]bot.ChannelID{}
	for _, p := range d.posts {
		in[p.Kind] = p.Channel
	}
	if len(d.posts) != 2 || in["news"] != den || in["news elsewhere"] != "test:attic" || len(d.timers(t)) != 1 {
		t.Errorf("there wait %+v and %+v", d.posts, d.timers(t))
	}
	d.lay(t, 1, lobby(t))
	quiet := func(r *feature.Room) error {
		done, err := r.Judge(bot.Request{Channel: den, User: bottest.People["bob"]}, feature.Always(game.Join{}))
		if err != nil || len(done) == 0 {
			t.Errorf("Bob sits down: %v, %v", done, err)
		}
		r.Fill("", nil)
		r.Untold()
		return nil
	}
	if err := d.Update(t.Context(), den, "quiet", quiet); err != nil || len(d.posts) != 2 {
		t.Errorf("what was to be untold waits: %+v, %v", d.posts, err)
	}
}

// A table's timer is handled once, and only while the table is its channel's latest.
func TestTableTimerIsHandledOnce(t *testing.T) {
	d := newDesk(t)
	d.lay(t, 1, lobby(t))
	seen := 0
	see := func(table bot.TableID, id uint64) {
		t.Helper()
		gametest.Must(t, feature.AtTable(t.Context(), d, bot.Timer{ID: id, Channel: den, Table: table}, func(r *feature.Room) error {
			seen++
			r.Timer(bot.Timer{Kind: "next", At: now})
			return nil
		}))
	}
	see(1, 7)
	see(1, 7)
	see(2, 8)
	if seen != 1 {
		t.Errorf("a timer of the table and one of another's are seen to %d times", seen)
	}
	see(1, 9)
	d.lay(t, 2, lobby(t))
	see(1, 10)
	if seen != 2 {
		t.Errorf("with the next of the table, and one that came too late for it, %d are seen to", seen)
	}
}
