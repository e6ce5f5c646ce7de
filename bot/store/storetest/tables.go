package storetest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

func testFirstTable(s *subject) {
	id, events, err := s.Table(s.Context(), den)
	s.must(err)
	if id != 0 || len(events) != 0 {
		s.Fatalf("an empty store has table %d with %d events", id, len(events))
	}
	s.must(s.Update(s.Context(), den, "r1", func(r *bot.Room) error {
		s.mustEqual("a new channel's room", *r, bot.Room{Channel: den})
		r.Append = log("r1", 0, 3)
		return nil
	}))
	id, events, err = s.Table(s.Context(), den)
	s.must(err)
	if id == 0 {
		s.Error("the first table has the number 0, which is no table")
	}
	s.mustEqual("events", events, log("r1", 0, 3))
	ch, events, err := s.Events(s.Context(), id, -1)
	s.must(err)
	s.mustEqual("channel of the table", ch, den)
	s.mustEqual("events by table", events, log("r1", 0, 3))
}

func testEventsGoOn(s *subject) {
	s.play(den, 2)
	id := s.has(den, 2)
	s.must(s.Update(s.Context(), den, "r2", func(r *bot.Room) error {
		s.mustEqual("table in the room", r.Table, id)
		s.mustEqual("events in the room", r.Events, log("play", 0, 2))
		r.Append = log("r2", 2, 5)
		return nil
	}))
	s.mustEqual("table after more events", s.has(den, 5), id)
	for n, want := range map[int]int{0: 0, 1: 1, 4: 4, 5: 5, 6: 5, -1: 5} {
		_, events, err := s.Events(s.Context(), id, n)
		s.must(err)
		if len(events) != want {
			s.Errorf("the first %d events of 5 are %d, want %d", n, len(events), want)
		}
	}
	_, events, err := s.Events(s.Context(), id, 4)
	s.must(err)
	s.mustEqual("the first 4", events, append(log("play", 0, 2), log("r2", 2, 4)...))
}

func testEventOutOfPlace(s *subject) {
	s.post(den, "")
	s.play(den, 3)
	gap := log("bad", 4, 7)
	gap[1].Number = 6
	silent := log("bad", 4, 5)
	silent[0].Fact = nil
	for name, events := range map[string][]game.Event{
		"too late":           log("bad", 5, 6),
		"there already":      log("bad", 3, 4),
		"negative":           log("bad", -1, 0),
		"a gap":              gap,
		"twice":              append(log("bad", 4, 5), log("bad", 4, 5)...),
		"two tables at once": append(log("bad", 0, 2), log("bad", 0, 2)...),
		"no fact":            silent,
	} {
		err := s.Update(s.Context(), den, "bad", func(r *bot.Room) error {
			r.Append = events
			r.Posts = []bot.Post{{}}
			r.Timers = []bot.Timer{{At: start}}
			r.File = &bot.Receipt{}
			return nil
		})
		if err == nil {
			s.Errorf("%s: Update took it", name)
		}
	}
	if err := s.Update(s.Context(), parlour, "", func(r *bot.Room) error {
		r.Append = log("bad", 1, 2)
		return nil
	}); err == nil {
		s.Error("the store began a table with event 1")
	}
	s.unchanged(4)
}

// unchanged fails the test unless the den has n events and one post about the first, and there is
// nothing else, no receipt of "bad" either.
func (s *subject) unchanged(n int) {
	s.Helper()
	s.has(den, n)
	s.has(parlour, 0)
	s.ready(start, time.Time{}, "web:den 0")
	due, next, err := s.DueTimers(s.Context(), start.AddDate(1, 0, 0), 1000)
	s.must(err)
	if len(due) != 0 || !next.IsZero() {
		s.Errorf("timers %v, next %v, want none", due, next)
	}
	where, err := s.TablesPlayed(s.Context(), ann)
	s.must(err)
	if len(where) != 0 {
		s.Errorf("%s plays at %v, want nowhere", ann, where)
	}
	s.must(s.Update(s.Context(), den, "bad", func(r *bot.Room) error {
		if r.Receipt != nil {
			s.Errorf("there is a receipt: %+v", *r.Receipt)
		}
		return nil
	}))
}

func testNeedsTable(s *subject) {
	for name, add := range map[string]bot.Room{
		"a rack":  {Posts: []bot.Post{{For: ann}}},
		"a post":  {Posts: []bot.Post{{To: 1}}},
		"a timer": {Timers: []bot.Timer{{At: start}}},
	} {
		if err := s.Update(s.Context(), den, "", func(r *bot.Room) error {
			r.Posts, r.Timers = add.Posts, add.Timers
			return nil
		}); err == nil {
			s.Errorf("%s in a channel without a table: Update took it", name)
		}
	}
	s.ready(start, time.Time{})
}

// testKindNeedsNoTable checks that posts and timers with a Kind need no table.
func testKindNeedsNoTable(s *subject) {
	for range 2 {
		s.must(s.Update(s.Context(), den, "notice", func(r *bot.Room) error {
			if r.Receipt == nil {
				r.Posts, r.File = []bot.Post{{For: ann, Kind: "notice", At: start}, {Kind: "news", From: 7, To: 9}}, &bot.Receipt{}
				r.Timers = []bot.Timer{{At: start, Kind: "look", Number: 7}}
			}
			return nil
		}))
	}
	s.stay(fox)
	posts, _, err := s.ClaimPosts(s.Context(), fox, den.Platform(), nil, start, 9)
	s.must(err)
	want := []bot.Post{{Channel: den, For: ann, Kind: "notice", At: start}, {Channel: den, Kind: "news", From: 7, To: 9}}
	if len(posts) != len(want) {
		s.Fatalf("there are %d posts, want %d: %+v", len(posts), len(want), posts)
	}
	for i, p := range posts {
		want[i].ID, want[i].Fence, want[i].Last = p.ID, p.Fence, p.Last
		if p != want[i] {
			s.Errorf("the post is %+v, want %+v", p, want[i])
		}
		s.must(s.RemovePost(s.Context(), p))
	}
	s.ready(start, time.Time{})
	timers, _, err := s.ClaimTimers(s.Context(), fox, bot.Kinds{Only: []string{"look"}}, start, 9)
	s.must(err)
	if len(timers) != 1 || timers[0].Table != 0 || timers[0].Channel != den || timers[0].Number != 7 {
		s.Fatalf("the timers are %+v, want one of no table", timers)
	}
	s.must(s.RemoveTimers(s.Context(), timers...))
}

// fill adds something of each kind to a room.
func fill(r *bot.Room) {
	n := len(r.Events)
	r.Append = log("bad", n, n+2)
	r.Posts = []bot.Post{{From: n, To: n + 2}, {For: ben}}
	r.Timers = []bot.Timer{{At: start}}
	r.Seated = []game.PlayerID{ann, ben}
	r.File = &bot.Receipt{From: n, To: n + 2}
}

func testErrorChangesNothing(s *subject) {
	s.post(den, "")
	mistake := errors.New("a mistake")
	for _, ch := range []bot.ChannelID{den, parlour} {
		err := s.Update(s.Context(), ch, "bad", func(r *bot.Room) error {
			fill(r)
			return mistake
		})
		if err != mistake {
			s.Errorf("Update of %s returned %v, want fn's error as it is", ch, err)
		}
	}
	s.unchanged(1)
}

func testPanicChangesNothing(s *subject) {
	s.post(den, "")
	for _, ch := range []bot.ChannelID{den, parlour} {
		func() {
			defer func() {
				if p := recover(); p != "oh" {
					s.Errorf("Update of %s: the panic came out as %v", ch, p)
				}
			}()
			s.Update(s.Context(), ch, "bad", func(r *bot.Room) error {
				fill(r)
				panic("oh")
			})
		}()
	}
	s.unchanged(1)
	s.play(den, 1)
	s.unchanged(2)
}

func testCancelled(s *subject) {
	s.post(den, "")
	ids := s.ready(start, time.Time{}, "web:den 0")
	ctx, cancel := context.WithCancel(s.Context())
	cancel()
	notes := s.Notes("web")
	for name, call := range map[string]func() error{
		"Update": func() error {
			return s.Update(ctx, den, "bad", func(r *bot.Room) error { fill(r); return nil })
		},
		"Table":        func() error { _, _, err := s.Table(ctx, den); return err },
		"Events":       func() error { _, _, err := s.Events(ctx, 1, -1); return err },
		"TablesPlayed": func() error { _, err := s.TablesPlayed(ctx, ann); return err },
		"TablesNaming": func() error { _, err := s.TablesNaming(ctx, ann); return err },
		"Rename":       func() error { return s.Rename(ctx, 1, ann, game.Person{ID: "gone", Name: "Gone"}) },
		"Erase":        func() error { return s.Erase(ctx, ann, "gone") },
		"Scan":         func() error { _, err := notes.Scan(ctx, "a", "", "", 1); return err },
		"Change":       func() error { return notes.Change(ctx, func(r bot.Rows) error { return r.Put("a", "b", []byte("c")) }) },
		"PendingPosts": func() error { _, _, err := s.PendingPosts(ctx, "web", start); return err },
		"RemovePost":   func() error { return s.RemovePost(ctx, ids["web:den 0"]) },
		"Defer":        func() error { return s.Defer(ctx, ids["web:den 0"], start.Add(time.Hour)) },
		"DueTimers":    func() error { _, _, err := s.DueTimers(ctx, start, 1000); return err },
		"RemoveTimers": func() error { return s.RemoveTimers(ctx, bot.Timer{ID: 1}) },
		"Stay":         func() error { return s.Stay(ctx, fox, start) },
		"Leave":        func() error { return s.Leave(ctx, fox) },
		"Elect":        func() error { _, err := s.Elect(ctx, fox, "a job", start); return err },
		"Holders":      func() error { _, err := s.Holders(ctx, start); return err },
		"Claim posts":  func() error { _, _, err := s.ClaimPosts(ctx, fox, "web", nil, start, 1); return err },
		"Claim timers": func() error { _, _, err := s.ClaimTimers(ctx, fox, bot.Kinds{}, start, 1); return err },
		"Tell":         func() error { return notes.Tell(ctx, "a") },
		"Get":          func() error { _, err := notes.Get(ctx, "a", "b"); return err },
		"Put":          func() error { return notes.Put(ctx, "a", "b", []byte("c")) },
		"Keys":         func() error { _, err := notes.Keys(ctx, "a"); return err },
	} {
		if err := call(); !errors.Is(err, context.Canceled) {
			s.Errorf("%s returned %v, want context.Canceled", name, err)
		}
	}
	s.unchanged(1)
}

func testNextTable(s *subject) {
	s.play(den, 5)
	first := s.has(den, 5)
	s.play(parlour, 3)
	s.must(s.Update(s.Context(), den, "again", func(r *bot.Room) error {
		r.Append = log("again", 0, 2)
		r.Posts = []bot.Post{{From: 0, To: 2}}
		r.Timers = []bot.Timer{{At: start}}
		r.File = &bot.Receipt{From: 0, To: 2}
		return nil
	}))
	second := s.has(den, 2)
	if second == first || second == s.has(parlour, 3) {
		s.Errorf("the second table has the number %d, which is another's", second)
	}
	posts, _, err := s.PendingPosts(s.Context(), "web", start)
	s.must(err)
	timers, _, err := s.DueTimers(s.Context(), start, 1000)
	s.must(err)
	if len(posts) != 1 || len(timers) != 1 {
		s.Fatalf("%d posts and %d timers, want one of each", len(posts), len(timers))
	}
	s.mustEqual("table of the post", posts[0].Table, second)
	s.mustEqual("table of the timer", timers[0].Table, second)

	ch, events, err := s.Events(s.Context(), first, -1)
	s.must(err)
	s.mustEqual("channel of the old table", ch, den)
	s.mustEqual("events of the old table", events, log("play", 0, 5))
	s.play(den, 1)
	s.mustEqual("table that events go on at", s.has(den, 3), second)
	_, events, err = s.Events(s.Context(), first, -1)
	s.must(err)
	s.mustEqual("events of the old table", events, log("play", 0, 5))
}

func testNoTable(s *subject) {
	s.play(den, 1)
	id := s.has(den, 1)
	for _, id := range []bot.TableID{0, id + 1, 1 << 40, 1<<64 - 1} {
		for _, n := range []int{-1, 0, 1} {
			if _, _, err := s.Events(s.Context(), id, n); !errors.Is(err, bot.ErrNoTable) {
				s.Errorf("Events of table %d returned %v, want ErrNoTable", id, err)
			}
		}
	}
}

func testAppends(s *subject) {
	s.play(den, 3)
	id := s.has(den, 3)
	s.must(s.Update(s.Context(), den, "", func(r *bot.Room) error {
		_ = append(r.Events, log("stray", 3, 5)...)
		return nil
	}))
	_, all, err := s.Table(s.Context(), den)
	s.must(err)
	_ = append(all, log("stray", 3, 4)...)
	_, events, err := s.Events(s.Context(), id, 2)
	s.must(err)
	_ = append(events, log("stray", 2, 3)...)
	s.mustEqual("what was read, after more was put behind what others read", all, log("play", 0, 3))
	_, events, err = s.Table(s.Context(), den)
	s.must(err)
	s.mustEqual("events after readers put more behind theirs", events, log("play", 0, 3))
}

func testReadersDontWait(s *subject) {
	s.post(den, "")
	id := s.has(den, 1)
	s.must(s.Update(s.Context(), den, "", func(r *bot.Room) error {
		r.Append = log("slow", 1, 2)
		read := make(chan error, 1)
		go func() {
			_, events, err := s.Table(s.Context(), den)
			if len(events) != 1 {
				err = errors.Join(err, fmt.Errorf("%d events are seen, want the 1 before the update", len(events)))
			}
			_, _, err1 := s.Events(s.Context(), id, -1)
			_, _, err2 := s.PendingPosts(s.Context(), "web", start)
			_, _, err3 := s.DueTimers(s.Context(), start, 1000)
			_, err4 := s.TablesPlayed(s.Context(), ann)
			read <- errors.Join(err, err1, err2, err3, err4)
		}()
		select {
		case err := <-read:
			return err
		case <-time.After(2 * time.Minute):
			return errors.New("readers wait for the update")
		}
	}))
	s.has(den, 2)
}

func testCrowd(s *subject) {
	const n = 200
	runTogether(n, func(i int) {
		if err := s.Update(s.Context(), den, fmt.Sprint(i), func(r *bot.Room) error {
			at := len(r.Events)
			r.Append = log(fmt.Sprint(i), at, at+1)
			r.Posts = []bot.Post{{From: at, To: at + 1}}
			r.File = &bot.Receipt{From: at, To: at + 1}
			return nil
		}); err != nil {
			s.Error(err)
		}
	})
	s.has(den, n)
	_, events, err := s.Table(s.Context(), den)
	s.must(err)
	causes := map[string]bool{}
	var want []string
	for i, e := range events {
		causes[e.Cause] = true
		want = append(want, fmt.Sprintf("%s %d", den, i))
	}
	if len(causes) != n {
		s.Errorf("the events have %d causes, want %d", len(causes), n)
	}
	s.mustEqual("posts", s.send(), want)
}

func testSideBySide(s *subject) {
	const channels, each = 10, 10
	name := func(i int) bot.ChannelID { return bot.ChannelID(fmt.Sprint("web:", i%channels)) }
	runTogether(channels*each, func(i int) {
		if err := s.Update(s.Context(), name(i), "", func(r *bot.Room) error {
			r.Append = log(string(r.Channel), len(r.Events), len(r.Events)+1)
			return nil
		}); err != nil {
			s.Error(err)
		}
	})
	ids := map[bot.TableID]bool{}
	for i := range channels {
		ids[s.has(name(i), each)] = true
		_, events, err := s.Table(s.Context(), name(i))
		s.must(err)
		s.mustEqual("events", events, log(string(name(i)), 0, each))
	}
	if len(ids) != channels {
		s.Errorf("%d channels have %d tables", channels, len(ids))
	}
}

func testOddNames(s *subject) {
	for i, w := range words() {
		ch := bot.ChannelID("web:" + w)
		s.must(s.Update(s.Context(), ch, w, func(r *bot.Room) error {
			s.mustEqual("the room of "+w, *r, bot.Room{Channel: ch})
			r.Append = log(w, 0, 1)
			r.Posts = []bot.Post{{For: game.PlayerID(w)}}
			r.Seated = []game.PlayerID{game.PlayerID(w)}
			r.File = &bot.Receipt{To: i}
			return nil
		}))
	}
	for i, w := range words() {
		ch := bot.ChannelID("web:" + w)
		id := s.has(ch, 1)
		where, _, err := s.Events(s.Context(), id, 0)
		s.must(err)
		s.mustEqual("channel of the table", where, ch)
		tables, err := s.TablesPlayed(s.Context(), game.PlayerID(w))
		s.must(err)
		s.mustEqual("tables of the player", tables, []bot.TableID{id})
		s.must(s.Update(s.Context(), ch, w, func(r *bot.Room) error {
			s.mustEqual("receipt", r.Receipt, &bot.Receipt{Table: id, To: i})
			return nil
		}))
	}
	posts, _, err := s.PendingPosts(s.Context(), "web", start)
	s.must(err)
	for i, w := range words() {
		if len(posts) != len(words()) {
			s.Fatalf("%d posts are ready, want %d: each has a queue of its own", len(posts), len(words()))
		}
		s.mustEqual("channel of the post", posts[i].Channel, bot.ChannelID("web:"+w))
		s.mustEqual("player of the post", posts[i].For, game.PlayerID(w))
	}
}

func testNoText(s *subject) {
	const bad = "web:\xff"
	for name, add := range map[string]bot.Room{
		"channel": {Channel: bad},
		"post":    {Channel: den, Posts: []bot.Post{{For: bad}}},
		"seat":    {Channel: den, Seated: []game.PlayerID{bad}},
	} {
		if err := s.Update(s.Context(), add.Channel, "", func(r *bot.Room) error {
			r.Append = log("", 0, 1)
			r.Posts, r.Seated = add.Posts, add.Seated
			return nil
		}); err == nil {
			s.Errorf("%s %q: Update took it, and may give back another", name, bad)
		}
	}
	s.has(den, 0)
}

func testPlaying(s *subject) {
	at := func(want ...bot.TableID) {
		s.Helper()
		for _, p := range []game.PlayerID{ann, ben} {
			got, err := s.TablesPlayed(s.Context(), p)
			s.must(err)
			s.mustEqual(fmt.Sprintf("tables of %s", p), got, want)
		}
	}
	seat := func(ch bot.ChannelID, first bool, players ...game.PlayerID) {
		s.Helper()
		s.must(s.Update(s.Context(), ch, "", func(r *bot.Room) error {
			n := len(r.Events)
			if first {
				n = 0
			}
			r.Append = log("seat", n, n+1)
			r.Seated = players
			return nil
		}))
	}
	at()
	seat(parlour, true, ann, ben)
	seat(den, true, ben, ann)
	p, d := s.has(parlour, 1), s.has(den, 1)
	if p > d {
		p, d = d, p
	}
	at(p, d)

	// Without new events the list stays.
	s.must(s.Update(s.Context(), den, "", func(r *bot.Room) error {
		r.Posts = []bot.Post{{}}
		r.File = &bot.Receipt{}
		return nil
	}))
	at(p, d)
	seat(parlour, false)
	at(s.has(den, 1))
	seat(parlour, true, ann, ann, ben)
	at(s.has(den, 1), s.has(parlour, 1))
	seat(den, false)
	seat(parlour, false, "web:annie", "web:an")
	at()
}

func testReceiptFound(s *subject) {
	filed := &bot.Receipt{From: 0, To: 2}
	s.must(s.Update(s.Context(), den, "r1", func(r *bot.Room) error {
		r.Append = log("r1", 0, 2)
		r.File = filed
		return nil
	}))
	want := bot.Receipt{Table: s.has(den, 2), From: 0, To: 2}
	s.mustEqual("the receipt that was filed, its table set", *filed, want)
	s.must(s.Update(s.Context(), den, "r2", func(r *bot.Room) error {
		if r.Receipt != nil {
			s.Errorf("a new request has the receipt %+v", *r.Receipt)
		}
		r.File = &bot.Receipt{From: 2, To: 2}
		return nil
	}))
	for range 2 {
		s.must(s.Update(s.Context(), den, "r1", func(r *bot.Room) error {
			s.mustEqual("the receipt found", r.Receipt, &want)
			return nil
		}))
		s.must(s.Update(s.Context(), den, "r2", func(r *bot.Room) error {
			s.mustEqual("the receipt of a request refused", r.Receipt, &bot.Receipt{Table: want.Table, From: 2, To: 2})
			return nil
		}))
		s.restart()
	}
	s.must(s.Update(s.Context(), den, "r3", func(r *bot.Room) error {
		r.Append = log("r3", 0, 1) // the next table
		return nil
	}))
	s.must(s.Update(s.Context(), den, "r1", func(r *bot.Room) error {
		s.mustEqual("the receipt found after the next table has begun", r.Receipt, &want)
		return nil
	}))
}

// testRefusalKept checks that a refused request gets the same answer whatever comes after it.
func testRefusalKept(s *subject) {
	s.play(den, 2)
	want := bot.Receipt{Table: s.has(den, 2), From: 2, To: 2}
	found := func() {
		s.Helper()
		for i := range 120 {
			s.must(s.Update(s.Context(), den, fmt.Sprint("r", i), func(r *bot.Room) error {
				s.mustEqual("the receipt of a request refused", r.Receipt, &want)
				return nil
			}))
		}
	}
	for i := range 120 {
		s.must(s.Update(s.Context(), den, fmt.Sprint("r", i), func(r *bot.Room) error {
			r.File, r.Refused = &bot.Receipt{From: 2, To: 2}, true
			return nil
		}))
	}
	found()
	s.play(den, 1)
	found()
	s.restart()
	found()
}

// testReceiptOfChannel checks that another channel's request can have the same id, since ids are a
// platform's own.
func testReceiptOfChannel(s *subject) {
	s.play(den, 1)
	s.play(parlour, 1)
	for i, ch := range []bot.ChannelID{den, parlour, "slack:den"} {
		s.must(s.Update(s.Context(), ch, "r", func(r *bot.Room) error {
			if r.Receipt != nil {
				s.Errorf("%s has a receipt of another channel: %+v", ch, *r.Receipt)
			}
			r.File = &bot.Receipt{From: i, To: i}
			return nil
		}))
	}
	s.must(s.Update(s.Context(), parlour, "r", func(r *bot.Room) error {
		s.mustEqual("receipt", r.Receipt, &bot.Receipt{Table: s.has(parlour, 1), From: 1, To: 1})
		return nil
	}))
}

func testReceiptKept(s *subject) {
	file := func(request string) {
		s.must(s.Update(s.Context(), den, request, func(r *bot.Room) error {
			r.File = &bot.Receipt{From: 7, To: 7}
			return nil
		}))
	}
	file("early")
	for i := range 24 {
		s.clock.pass(time.Hour)
		file(fmt.Sprint(i))
	}
	s.restart()
	file("late")
	found := func(what string) {
		s.Helper()
		s.must(s.Update(s.Context(), den, "early", func(r *bot.Room) error {
			s.mustEqual(what, r.Receipt, &bot.Receipt{From: 7, To: 7})
			return nil
		}))
	}
	found("receipt after a day")

	// A receipt that is filed again is kept for a day from then.
	for i := range 10 {
		s.clock.pass(24 * time.Hour)
		file("early")
		file(fmt.Sprint("more", i))
	}
	s.clock.pass(24 * time.Hour)
	file("last")
	found("receipt a day after it was filed again")
}

func testNoRequest(s *subject) {
	for range 2 {
		s.must(s.Update(s.Context(), den, "", func(r *bot.Room) error {
			if r.Receipt != nil {
				s.Errorf("an update without a request found %+v", *r.Receipt)
			}
			r.File = &bot.Receipt{}
			return nil
		}))
	}
}

func testSameRequest(s *subject) {
	runTogether(20, func(int) {
		if err := s.Update(s.Context(), den, "click", func(r *bot.Room) error {
			if r.Receipt == nil {
				r.Append = log("click", len(r.Events), len(r.Events)+1)
				r.File = &bot.Receipt{From: len(r.Events), To: len(r.Events) + 1}
			}
			return nil
		}); err != nil {
			s.Error(err)
		}
	})
	s.has(den, 1)
}
