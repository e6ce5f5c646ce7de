package storetest

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

func (s *subject) namedAt(p game.PlayerID, want ...bot.TableID) {
	s.Helper()
	got, err := s.TablesNaming(s.Context(), p)
	s.must(err)
	s.mustEqual(fmt.Sprintf("tables that name %s", p), got, want)
}

func testNamed(s *subject) {
	s.namedAt(ann)
	s.play(parlour, 2)
	s.play(den, 9)
	p, d := s.has(parlour, 2), s.has(den, 9)
	s.namedAt(ann, min(p, d), max(p, d))
	s.namedAt(ben, min(p, d), max(p, d)) // invited here, seated there
	s.namedAt("web:an")
	s.namedAt("web:annie")
	s.restart()
	s.namedAt(ben, min(p, d), max(p, d))
}

func testRenamed(s *subject) {
	gone := game.Person{ID: "former:1", Name: "former player"}
	s.post(den, ben, everybody, ben, ann)
	s.play(den, 9)
	first := s.has(den, 10)
	s.must(s.Update(s.Context(), den, "", func(r *bot.Room) error {
		r.Append = log("again", 0, 5)
		r.Posts = []bot.Post{{From: 0, To: 5, For: ben}}
		r.Seated = []game.PlayerID{ann, ben}
		return nil
	}))
	second := s.has(den, 5)
	s.namedAt(ben, first, second)
	_, before, err := s.Events(s.Context(), second, -1)
	s.must(err)
	told := fmt.Sprintf("%+v", before)

	for range 2 { // the second time there is nothing left to do
		s.must(s.Rename(s.Context(), second, ben, gone))
		s.namedAt(ben, first)
		s.namedAt(gone.ID, second)
		s.namedAt(ann, first, second)
		for p, want := range map[game.PlayerID][]bot.TableID{ann: {second}, ben: nil, gone.ID: {second}} {
			got, err := s.TablesPlayed(s.Context(), p)
			s.must(err)
			s.mustEqual(fmt.Sprintf("where %s plays", p), got, want)
		}
		running, err := s.TablesPlayed(s.Context(), "")
		s.must(err)
		s.mustEqual("where anyone plays", running, []bot.TableID{second})
		_, events, err := s.Events(s.Context(), second, -1)
		s.must(err)
		if text := fmt.Sprintf("%+v", events); strings.Contains(text, "web:ben") || strings.Contains(text, "Ben") {
			s.Errorf("the events still name ben: %s", text)
		}
		s.mustEqual("who was invited", events[0].Fact.(game.Opened).Invited, []game.Person{gone})
		s.mustEqual("who joined", events[2].Fact, game.Joined{Person: gone})
		s.mustEqual("who joined first", events[1].Fact, log("", 1, 2)[0].Fact)
		s.mustEqual("what somebody had read before", fmt.Sprintf("%+v", before), told)
		s.restart()
	}
	_, events, err := s.Events(s.Context(), first, -1)
	s.must(err)
	s.mustEqual("events of the other table", events, append(log("post", 0, 1), log("play", 1, 10)...))
	// Posts for ben about the other table still wait, and nothing else is lost.
	s.mustEqual("posts", s.send(), []string{"web:den 0 for web:ben", "web:den 0", "web:den 0 for web:ann", "web:den 0 for web:ben"})
	if err := s.Rename(s.Context(), second+100, ben, gone); !errors.Is(err, bot.ErrNoTable) {
		s.Errorf("Rename at no table returned %v, want ErrNoTable", err)
	}

	// The table goes on with the replacement.
	s.must(s.Update(s.Context(), den, "", func(r *bot.Room) error {
		r.Append = log("on", 5, 6)
		r.Seated = []game.PlayerID{ann, gone.ID}
		return nil
	}))
	s.has(den, 6)
}

// testNewName checks that a player's new name replaces the old one in a table's events, while their
// seat, their posts and their other tables stay.
func testNewName(s *subject) {
	s.play(parlour, 2)
	s.play(den, 3)
	table := s.has(den, 3)
	s.must(s.Update(s.Context(), den, "", func(r *bot.Room) error {
		r.Append = log("on", 3, 5)
		r.Posts = []bot.Post{{From: 3, To: 5, For: ben}, {From: 3, To: 5}}
		r.Seated = []game.PlayerID{ann, ben}
		return nil
	}))
	_, before, err := s.Events(s.Context(), table, -1)
	s.must(err)
	now := game.Person{ID: ben, Name: "Benjamin"}
	for range 2 { // the second time there is nothing left to do
		s.must(s.Rename(s.Context(), table, ben, now))
		_, events, err := s.Events(s.Context(), table, -1)
		s.must(err)
		s.mustEqual("who joined", events[2].Fact, game.Joined{Person: now})
		for i, e := range before {
			s.mustEqual("an event under the new name", events[i], e.Rename(ben, now))
		}
		s.namedAt(ben, s.has(parlour, 2), table)
		for _, p := range []game.PlayerID{ann, ben, ""} {
			got, err := s.TablesPlayed(s.Context(), p)
			s.must(err)
			s.mustEqual("where "+string(p)+" plays", got, []bot.TableID{table})
		}
		s.restart()
	}
	s.mustEqual("posts", s.send(), []string{"web:den 3 for web:ben", "web:den 3"})
}

// testErased checks that Erase leaves nothing that names a person outside the tables' events, and all that
// names others, whose ids may begin alike.
func testErased(s *subject) {
	const quix, other = "web:quixotina-7341", "web:quixotina-73412"
	talk, club := bot.ChannelID("web:dm.ann.quixotina-7341"), bot.ChannelID("web:den")
	for _, ch := range []bot.ChannelID{talk, club} {
		for _, request := range []string{"r1", "left:" + quix + ":net", "left:" + other + ":net"} {
			s.must(s.Update(s.Context(), ch, request, func(r *bot.Room) error {
				n := len(r.Events)
				r.Append = log("said", n, n+1)
				r.Posts = []bot.Post{{From: n, To: n + 1, For: quix}, {From: n, To: n + 1, For: other}}
				r.Timers = []bot.Timer{{At: start}}
				r.File = &bot.Receipt{From: n, To: n + 1}
				return nil
			}))
		}
	}
	table := s.has(talk, 3)
	n := s.Notes("web")
	for _, row := range [][3]string{
		{"read/quixotina-7341", "general", "7"}, {"read/quixotina-73412", "general", "8"}, {"people", "quixotina-7341", "{}"},
		{"made", "den", `{"by":"quixotina-7341"}`}, {"made", "hall", `{"by":"quixotina-73412"}`},
	} {
		s.must(n.Put(s.Context(), row[0], row[1], []byte(row[2])))
	}
	s.must(s.Notes("host").Put(s.Context(), "places", "channel web:den", []byte(`{"all":["web:quixotina-7341","web:quixotina-73412"]}`)))
	for range 2 { // the second time there is nothing left to do
		s.must(s.Erase(s.Context(), quix, "former:1"))
		for shelf, want := range map[string]string{"read/quixotina-7341": "[]", "read/quixotina-73412": "[general=8]", "people": "[]", "made": `[den={"by":"former:1"} hall={"by":"quixotina-73412"}]`} {
			rows, err := n.Scan(s.Context(), shelf, "", "", 9)
			s.must(err)
			all := []string{}
			for _, row := range rows {
				all = append(all, row.Key+"="+string(row.Value))
			}
			s.mustEqual("the rows of "+shelf, fmt.Sprint(all), want)
		}
		places, err := s.Notes("host").Get(s.Context(), "places", "channel web:den")
		s.must(err)
		s.mustEqual("a shared row", string(places), `{"all":["former:1","web:quixotina-73412"]}`)
		due, _, err := s.DueTimers(s.Context(), start, 9)
		s.must(err)
		s.mustEqual("timers", len(due), 3)
		id, events, err := s.Table(s.Context(), "web:dm.ann.former:1")
		s.must(err)
		s.mustEqual("the table of the conversation", fmt.Sprint(id, len(events)), fmt.Sprint(table, 3))
		ch, _, err := s.Events(s.Context(), table, 0)
		s.must(err)
		s.mustEqual("its channel", ch, bot.ChannelID("web:dm.ann.former:1"))
		s.has(talk, 0)
		for request, want := range map[string]bool{"r1": true, "left:" + quix + ":net": false, "left:" + other + ":net": true} {
			s.must(s.Update(s.Context(), club, request, func(r *bot.Room) error {
				s.mustEqual("a receipt of "+request, r.Receipt != nil, want)
				return nil
			}))
		}
		s.restart()
		n = s.Notes("web")
	}
	s.mustEqual("posts", s.send(), []string{"web:den 0 for " + other, "web:den 1 for " + other, "web:den 2 for " + other})
}

func (s *subject) mustScan(n bot.Notes, prefix, after string, limit int, want string) {
	s.Helper()
	rows, err := n.Scan(s.Context(), "shelf", prefix, after, limit)
	s.must(err)
	var got []string
	for _, r := range rows {
		got = append(got, r.Key+"="+string(r.Value))
	}
	if strings.Join(got, " ") != want {
		s.Errorf("Scan of %q after %q, up to %d: %q, want %q", prefix, after, limit, got, want)
	}
}

func testScan(s *subject) {
	n := s.Notes("web")
	s.mustScan(n, "", "", 10, "")
	for _, key := range []string{"a", "b/1", "b/2", "b/22", "b/3", "c"} {
		s.must(n.Put(s.Context(), "shelf", key, []byte(key[len(key)-1:])))
	}
	s.must(n.Put(s.Context(), "shelf2", "b/4", []byte("no")))
	s.must(s.Notes("slack").Put(s.Context(), "shelf", "b/4", []byte("no")))
	s.mustScan(n, "", "", 10, "a=a b/1=1 b/2=2 b/22=2 b/3=3 c=c")
	s.mustScan(n, "b/", "", 10, "b/1=1 b/2=2 b/22=2 b/3=3")
	s.mustScan(n, "b/", "", 2, "b/1=1 b/2=2")
	s.mustScan(n, "b/", "b/2", 10, "b/22=2 b/3=3")
	s.mustScan(n, "b/", "b/21", 10, "b/22=2 b/3=3")
	s.mustScan(n, "b/", "a", 10, "b/1=1 b/2=2 b/22=2 b/3=3")
	s.mustScan(n, "b/", "b/3", 10, "")
	s.mustScan(n, "b/", "c", 10, "")
	s.mustScan(n, "b/", "", 0, "")
	s.mustScan(n, "d", "", 10, "")
	all, err := n.GetAll(s.Context(), "shelf", "b/3", "none", "a", "b/3")
	s.must(err)
	s.mustEqual("several keys", all, [][]byte{[]byte("3"), nil, []byte("a"), []byte("3")})
	none, err := n.GetAll(s.Context(), "shelf")
	if s.must(err); len(none) > 0 {
		s.Errorf("without keys there are %q", none)
	}
}

func testChange(s *subject) {
	n := s.Notes("web")
	s.must(n.Put(s.Context(), "shelf", "a", []byte("1")))
	s.must(n.Change(s.Context(), func(r bot.Rows) error {
		a, err := r.Get("shelf", "a")
		s.mustEqual("a", a, []byte("1"))
		all, err5 := r.GetAll("shelf", "z", "a")
		s.mustEqual("several keys in a change", all, [][]byte{nil, []byte("1")})
		nothing, err2 := r.Get("shelf", "z")
		if nothing != nil {
			s.Errorf("z is %q, want nil", nothing)
		}
		err3 := errors.Join(r.Put("shelf", "b", []byte("2")), r.Put("shelf", "c", []byte("3")), r.Put("shelf", "a", nil), r.Put("other", "d", []byte{}))
		rows, err4 := r.Scan("shelf", "", "", 10)
		s.mustEqual("rows in the midst", rows, []bot.Row{{Key: "b", Value: []byte("2")}, {Key: "c", Value: []byte("3")}})
		return errors.Join(err, err2, err3, err4, err5)
	}))
	s.mustScan(n, "", "", 10, "b=2 c=3")
	s.note(n, "other", "d", []byte{})

	spoil := func(r bot.Rows) {
		s.must(r.Put("shelf", "b", []byte("9")))
		s.must(r.Put("shelf", "b", []byte("99")))
		s.must(r.Put("shelf", "c", nil))
		s.must(r.Put("shelf", "e", []byte("9")))
	}
	mistake := errors.New("a mistake")
	if err := n.Change(s.Context(), func(r bot.Rows) error { spoil(r); return mistake }); err != mistake {
		s.Errorf("Change returned %v, want fn's error as it is", err)
	}
	s.mustScan(n, "", "", 10, "b=2 c=3")
	func() {
		defer func() { s.mustEqual("the panic", recover(), "oh") }()
		n.Change(s.Context(), func(r bot.Rows) error { spoil(r); panic("oh") })
	}()
	s.mustScan(n, "", "", 10, "b=2 c=3")
	s.must(n.Change(s.Context(), func(bot.Rows) error { return nil }))
	s.restart()
	s.mustScan(s.Notes("web"), "", "", 10, "b=2 c=3")
}

func testChangeCrowd(s *subject) {
	n := s.Notes("web")
	const writers = 50
	runTogether(writers, func(int) {
		err := n.Change(s.Context(), func(r bot.Rows) error {
			var left, right int
			for key, to := range map[string]*int{"left": &left, "right": &right} {
				b, err := r.Get("shelf", key)
				if err != nil {
					return err
				}
				fmt.Sscan(string(b), to)
			}
			return errors.Join(r.Put("shelf", "left", fmt.Append(nil, left+1)), r.Put("shelf", "right", fmt.Append(nil, right-1)))
		})
		if err != nil {
			s.Error(err)
		}
	})
	s.mustScan(n, "", "", 10, fmt.Sprintf("left=%d right=-%d", writers, writers))
}
