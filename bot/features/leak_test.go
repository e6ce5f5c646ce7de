package features_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/lexicon"
)

// TestNothingLeaks looks for leaks of hidden facts by comparing two stories that differ only in
// them. It takes random games, and at points of them makes another log, with a tile from some
// player's rack swapped for one in the bag. Then it asks for everything as everybody but that
// player. Every answer, post, completion and log line must be the same, byte for byte.
func TestNothingLeaks(t *testing.T) {
	compared, told := 0, 0
	for i, rules := range append(featuretest.EveryRules(), ownRacks()...) {
		varied, _ := gametest.EquipVariant(t, rules)
		seeds, one := []uint64{uint64(i), uint64(i) + 1000}, 8
		if !gametest.Long() {
			seeds, one = seeds[i%2:][:1], 80
		}
		for _, seed := range seeds {
			g := script(t, seed, min(2+int(seed)%3, varied.MaxPlayers), rules)
			rng := rand.New(rand.NewPCG(seed, 1))
			t.Run(g.name, func(t *testing.T) {
				for n, st := range g.steps {
					if rng.IntN(one) > 0 {
						continue
					}
					log := g.events[:st.end]
					owner, other, ok := otherStory(log, rng)
					if !ok {
						continue
					}
					from := log[len(log)-1].Number
					for _, before := range g.steps[:n] {
						from = before.end
					}
					draw := rng.IntN(20) == 0
					mine, theirs := hear(t, log, from, owner, draw), hear(t, other, from, owner, draw)
					compared++
					for k := range max(len(mine.public), len(theirs.public)) {
						if k >= len(mine.public) || k >= len(theirs.public) || mine.public[k] != theirs.public[k] {
							t.Fatalf("after event %d others can tell what %s holds:\n%.2000s\nor\n%.2000s", st.end-1, owner, at(mine.public, k), at(theirs.public, k))
						}
					}
					if mine.owner != theirs.owner {
						told++
					}
					secret := hex.EncodeToString(g.secret[:])
					if all := strings.Join(mine.public, "\n") + mine.owner; strings.Contains(all, secret) || strings.Contains(all, string(g.secret[:])) {
						t.Fatalf("after event %d the secret is out", st.end-1)
					}
				}
			})
		}
	}
	t.Logf("%d points compared", compared)
	// The owner must see the difference, or the stories wouldn't differ.
	if compared < gametest.Share(60) || told != compared {
		t.Errorf("%d points compared; the owner's rack differed at %d of them", compared, told)
	}
}

// ownRacks returns the variants in which everybody has a rack of their own.
func ownRacks() []game.Rules {
	var all []game.Rules
	for _, v := range game.Variants() {
		if r := game.Classic(); !v.Shared {
			r.Variant = v.Name
			all = append(all, r)
		}
	}
	return all
}

// TestPrivateCommandsDontLeak compares two stories that differ in what one player says to the host in
// private, by a command of a variant. Nobody else can tell them apart until something comes of it.
func TestPrivateCommandsDontLeak(t *testing.T) {
	for name, c := range map[string]struct{ opens, says, orSays string }{
		"double-bag": {"/new variant:double-bag seats:2", "/draw 2", "/draw 6"},
		"duplicate":  {"/new variant:duplicate seats:2", "/submit ear 8h", "/pass"},
	} {
		t.Run(name, func(t *testing.T) {
			var heard [2][]string
			var own [2]string
			for i, says := range []string{c.says, c.orSays} {
				synctest.Test(t, func(t *testing.T) {
					w := newWorld(t, func(c *host.Config) { c.Random = zeros{} })
					w.Run()
					w.Does(people["ann"], c.opens)
					w.Does(people["bob"], "/join")
					synctest.Wait()
					w.Posts.Take()
					own[i] = replySaid(w.Does(people["ann"], says))
					for _, who := range []bot.User{people["bob"], people["eve"]} {
						heard[i] = append(heard[i], inSight(t, w, who))
						for _, line := range []string{"/board", "/board text", "/unseen", "/history", "/rack", "/help", "/games", "/challenge", "/export"} {
							heard[i] = append(heard[i], line+"\n"+replySaid(w.Does(who, line)))
						}
					}
					time.Sleep(10 * time.Second)
					synctest.Wait()
					for _, m := range w.Posts.Take() {
						if m.To == nil || m.To.ID != people["ann"].ID {
							heard[i] = append(heard[i], messageSaid(m))
						}
					}
					heard[i] = append(heard[i], strings.ReplaceAll(w.Log.String(), "command=submit", "command=pass"))
				})
			}
			for k := range max(len(heard[0]), len(heard[1])) {
				if at(heard[0], k) != at(heard[1], k) {
					t.Fatalf("others can tell what was said:\n%s\nor\n%s", at(heard[0], k), at(heard[1], k))
				}
			}
			if own[0] == own[1] {
				t.Errorf("the player is told %q both times", own[0])
			}
		})
	}
}

// zeros returns only zero bytes.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

func at(s []string, i int) string {
	if i < len(s) {
		return s[i]
	}
	return "(nothing)"
}

// otherStory swaps one tile of a player's last draw that they still hold completely. ok is false if
// nobody has such a draw or the log would not replay.
func otherStory(log []game.Event, rng *rand.Rand) (owner game.PlayerID, other []game.Event, ok bool) {
	s, err := game.Replay(log)
	if err != nil || s.Phase != game.Playing && s.Phase != game.Closing {
		return "", nil, false
	}
	seat := rng.IntN(len(s.Seats))
	if s.Seats[seat].Out || s.Seats[seat].Rack == "" {
		return "", nil, false
	}
	other = append([]game.Event(nil), log...)
	for k := len(log) - 1; k >= 0; k-- {
		drawn := func(drew game.Tiles) (game.Tiles, bool) {
			if drew == "" || s.Bag == "" {
				return "", false
			}
			i, j := rng.IntN(len(drew)), rng.IntN(len(s.Bag))
			return drew[:i] + s.Bag[j:j+1] + drew[i+1:], drew[i] != s.Bag[j]
		}
		changed := false
		switch f := log[k].Fact.(type) {
		case game.Dealt:
			f.Racks = append([]game.Tiles(nil), f.Racks...)
			f.Racks[seat], changed = drawn(f.Racks[seat])
			other[k].Fact = f
		case game.Played:
			if f.Seat != seat {
				continue
			}
			f.Drew, changed = drawn(f.Drew)
			other[k].Fact = f
		case game.Exchanged:
			if f.Seat != seat {
				continue
			}
			f.Drew, changed = drawn(f.Drew)
			other[k].Fact = f
		default:
			continue
		}
		after, err := game.Replay(other)
		differs := err == nil && after.Seats[seat].Rack.Sorted() != s.Seats[seat].Rack.Sorted() && len(after.Bag) == len(s.Bag)
		return s.Seats[seat].Person.ID, other, changed && differs
	}
	return "", nil, false
}

// heard collects the replies to all questions.
type heard struct {
	public []string // for everybody but the owner
	owner  string   // the owner's rack
}

// hear gives a host the story so far, with the latest request's posts still to be delivered, and
// collects what it says.
func hear(t *testing.T, log []game.Event, from int, owner game.PlayerID, draw bool) (h heard) {
	t.Helper()
	s, err := game.Replay(log)
	gametest.Must(t, err)
	posts := []bot.Post{{From: from, To: len(log)}}
	for _, seat := range s.Seats {
		posts = append(posts, bot.Post{From: from, To: len(log), For: seat.Person.ID})
	}
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(log[len(log)-1].At))
		w := newWorld(t, func(c *host.Config) {
			if draw {
				pictures(t)(c)
			}
			c.Lexicons = []*lexicon.Lexicon{bottest.Small(t)}
		})
		put(t, w.Config.Store, parlour, log, posts...)
		w.Run()
		listen := func() {
			synctest.Wait()
			for _, m := range w.Posts.Take() {
				if m.To == nil || m.To.ID != owner {
					h.public = append(h.public, messageSaid(m))
				} else if !strings.HasPrefix(m.Text.String(), "Your rack") {
					t.Errorf("to %s alone: %s", owner, m.Text)
				}
			}
		}
		listen()
		h.owner = replySaid(w.Does(bot.User{ID: owner}, "/rack sort"))
		others := []bot.User{people["eve"]}
		for _, seat := range s.Seats {
			if seat.Person.ID != owner {
				others = append(others, seat.Person)
			}
		}
		for _, who := range others {
			h.public = append(h.public, inSight(t, w, who))
			for _, line := range []string{
				"/board", "/board picture", "/board text", "/board zoom", "/unseen", "/history", "/replay", "/help", "/help challenge", "/rack", "/rack shuffle", "/export", "/resign",
				"/check qi za", "/hint", "/anagram qi?", "/hooks qi", "/pattern q*", "/join robot:beginner", "/try horn 8h", "/try quiz", "/try an", "/try e", "/exchange qqqq", "/join", "/leave", "/start", "/new",
			} {
				r := w.Does(who, line)
				h.public = append(h.public, fmt.Sprintf("%s: %s\n%s", who.Name, line, replySaid(r)))
				if line == "/board" {
					listen() // because a player's board comes down
				}
				for _, b := range r.Buttons {
					if req, _ := (bot.Request{ID: "press " + b.ID, Channel: parlour, User: who}).Press(b.ID); req.Command == "try" || req.Command == "rack" {
						h.public = append(h.public, replySaid(w.Host.Handle(t.Context(), req)))
					}
				}
			}
			for _, typed := range []struct{ command, option, word string }{
				{"play", "at", "AN"}, {"play", "at", "QI"}, {"try", "at", "TRAIN"}, {"challenge", "words", ""}, {"new", "lexicon", ""}, {"help", "command", ""},
			} {
				req := bot.Request{Channel: parlour, User: who, Command: typed.command, Args: map[string]string{"word": typed.word}}
				h.public = append(h.public, fmt.Sprint(w.Host.Complete(t.Context(), req, typed.option)))
			}
		}
		// These commands change the table, until the end shows the racks.
		for _, line := range []string{"/challenge", "/end", "/pass"} {
			for _, who := range others {
				reply := w.Does(who, line)
				if now, err := game.Replay(events(t, w.Config.Store, parlour)); err != nil || now.Phase == game.Over {
					gametest.Must(t, err)
					return
				}
				h.public = append(h.public, replySaid(reply))
				listen()
			}
		}
		h.public = append(h.public, w.Log.String())
	})
	return h
}

// inSight returns everything that a page's board gets: the table, and the scores of drafts.
func inSight(t *testing.T, w *world, who bot.User) string {
	t.Helper()
	var b strings.Builder
	sight, err := w.Host.Sight(t.Context(), bot.Request{Channel: parlour, User: who})
	gametest.Must(t, err)
	gametest.Must(t, json.NewEncoder(&b).Encode(sight))
	for _, args := range []map[string]string{{"word": "horn", "at": "8H"}, {"word": "e", "at": "H8"}, {"word": "quiz"}} {
		draft, err := w.Host.Draft(t.Context(), bot.Request{Channel: parlour, User: who, Command: "play", Args: args})
		fmt.Fprintf(&b, "%+v %v\n", draft, err)
	}
	return b.String()
}

// TestLogsAreDiscreet looks for tiles and secrets in everything that a host logs during games with
// every kind of trouble.
func TestLogsAreDiscreet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.Posts.Fail = func(m bot.Message) error {
			if m.To != nil {
				return &bot.PostError{Permanent: true, Err: fmt.Errorf("no direct messages")}
			}
			return nil
		}
		w.Run()
		put(t, w.Config.Store, parlour, dealt(t, "", "classic", "single", []string{"bag:EEEEEEEEEE", "ann:ZZYXWVU", "bob:ZZYXWVU"}))
		for _, line := range []string{"/play zyzzyva 8h", "/try wyvuxzz 8h", "/exchange zzyxwvu", "/exchange zzyxwvu", "/rack", "/unseen"} {
			w.Does(people["ann"], line)
		}
		synctest.Wait()
		var broken bytes.Buffer
		broken.WriteString(w.Log.String())
		if log := strings.ToUpper(broken.String()); log == "" || strings.Contains(log, "ZYX") || strings.Contains(log, "ZZY") || strings.Contains(log, "Z Z Y") || strings.Contains(log, "010203") {
			t.Errorf("the log:\n%s", log)
		}
	})
}
