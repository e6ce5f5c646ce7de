package outbox_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/adapters/outbox"
	"github.com/rackmate/rackmate/adapters/tasks"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game/gametest"
)

// A wall is a platform with one place, whose posts are strings.
type wall struct {
	mu     sync.Mutex
	posts  map[string]string // by id
	keys   map[string]string // of the posts, by id
	files  []string          // existing files
	n      int
	faults map[string][]error // errors of the next calls, by operation
	calls  map[string]int
	reads  bool   // supports searching
	flat   bool   // has no threads
	onFold func() // called once during the next fold
}

var (
	errLater = errors.New("later")
	errLost  = errors.New("the answer is lost")
	errNever = errors.New("never")
)

func newWall() *wall {
	return &wall{posts: map[string]string{}, keys: map[string]string{}, faults: map[string][]error{}, calls: map[string]int{}}
}

func (w *wall) fault(call string) error {
	w.calls[call]++
	if all := w.faults[call]; len(all) > 0 {
		w.faults[call] = all[1:]
		return all[0]
	}
	return nil
}

func (w *wall) Post(ctx context.Context, at outbox.Place, m bot.Message, begin func(context.Context) error) (p outbox.Post, again bool, err error) {
	if err := begin(ctx); err != nil {
		return p, false, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	err = w.fault("post")
	if err == nil || errors.Is(err, errLost) {
		w.n++
		p.ID = fmt.Sprint("p", w.n)
		w.posts[p.ID], w.keys[p.ID] = m.Text.String(), m.Key
		if at.ID != "x" {
			w.posts[p.ID] = at.ID + ": " + m.Text.String()
		}
		if m.Picture != nil {
			p.File = "of " + m.Key
			w.files = append(w.files, p.File)
		}
	}
	return p, false, err
}

func (w *wall) put(call, id, said string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.fault(call); err != nil {
		return err
	}
	if _, there := w.posts[id]; !there {
		return errNever
	}
	w.posts[id] = said
	return nil
}

func (w *wall) Edit(_ context.Context, _ outbox.Place, p outbox.Post, m bot.Message) (string, error) {
	if err := w.put("edit", p.ID, m.Text.String()); err != nil || m.Picture == nil {
		return "", err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.files = append(w.files, "of "+m.Key)
	return "of " + m.Key, nil
}

func (w *wall) Reword(_ context.Context, _ outbox.Place, p outbox.Post, m bot.Message) error {
	return w.put("reword", p.ID, m.Text.String())
}

func (w *wall) Fold(_ context.Context, _ outbox.Place, p outbox.Post) error {
	if meanwhile := w.onFold; meanwhile != nil {
		w.onFold = nil
		meanwhile()
	}
	return w.put("fold", p.ID, p.Line.String())
}

func (w *wall) Delete(_ context.Context, _ outbox.Place, p outbox.Post) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.fault("delete"); err != nil {
		return err
	}
	delete(w.posts, p.ID)
	return nil
}

func (w *wall) DeleteFile(_ context.Context, _ outbox.Place, file string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.files = slices.DeleteFunc(w.files, func(f string) bool { return f == file })
}

func (w *wall) Find(ctx context.Context, at outbox.Place, m bot.Message) (p outbox.Post, found bool, err error) {
	for _, id := range w.Copies(ctx, at, m.Key) {
		return outbox.Post{ID: id}, true, nil
	}
	return p, false, nil
}

func (w *wall) Copies(_ context.Context, _ outbox.Place, key string) (all []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for id, k := range w.keys {
		if _, there := w.posts[id]; there && k == key && w.reads {
			all = append(all, id)
		}
	}
	return all
}

func (w *wall) Notifies(m bot.Message) bool              { return m.Text.Calls() }
func (w *wall) IsBuried(outbox.Place, outbox.Entry) bool { return false }
func (w *wall) CanReplace(outbox.Post) bool              { return true }
func (w *wall) PlaceOf(note string) (outbox.Place, bool) {
	return outbox.Place{ID: "x", Note: note}, true
}
func (w *wall) ParseFormer([]byte) (outbox.Entry, error) { return outbox.Entry{}, errNever }
func (w *wall) Thread(_ context.Context, _ outbox.Place, p outbox.Post, _ bot.Message) (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, there := w.posts[p.ID]; w.flat || !there {
		return "", w.fault("thread")
	}
	return "below " + p.ID, w.fault("thread")
}

func (w *wall) Allowance(_ outbox.Place, work outbox.Work) (string, outbox.Rate) {
	return string(work), outbox.Rate{Most: 5, In: time.Minute}
}

func (w *wall) Classify(err error) outbox.Fault {
	return outbox.Fault{Temporary: errors.Is(err, errLater) || errors.Is(err, errLost), Answered: errors.Is(err, errNever)}
}

// says lists the posts on the wall, oldest first.
func (w *wall) says() (all []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := 1; i <= w.n; i++ {
		if said, there := w.posts[fmt.Sprint("p", i)]; there {
			all = append(all, said)
		}
	}
	return all
}

// A process is an outbox with its dependencies.
type process struct {
	*outbox.Outbox
	t    *testing.T
	all  tasks.Tasks
	stop func()
}

func start(t *testing.T, w *wall, notes bot.Notes, change func(*outbox.Outbox)) *process {
	p := &process{t: t}
	ended, stop := context.WithCancel(context.Background())
	p.Outbox = &outbox.Outbox{
		Platform: w, Notes: notes, Shelf: "last", Within: "/", Log: slog.New(slog.DiscardHandler), Tasks: &p.all, Ended: ended,
		Pace: &outbox.Pace{Now: time.Now, Held: func(time.Duration) {}, Sleep: func(ctx context.Context, d time.Duration) error {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-ended.Done():
				return ended.Err()
			case <-time.After(d):
				return nil
			}
		}},
	}
	if change != nil {
		change(p.Outbox)
	}
	p.stop = func() { stop(); p.all.Wait() }
	t.Cleanup(p.stop)
	return p
}

func (p *process) post(m bot.Message) error {
	return p.Post(p.t.Context(), outbox.Place{ID: "x", Note: "x", RateKey: "x"}, m)
}

func said(key string) bot.Message {
	return bot.Message{Key: key, Text: text.Text{{Text: "said " + key}}, Line: text.Text{{Text: key}}}
}

// board returns the state of a game, which calls a player.
func board(key string) bot.Message {
	m := said(key)
	m.Live, m.Table, m.Picture, m.Line = "board", 1, &bot.Picture{PNG: []byte("png")}, text.Text{{Text: key + "."}}
	m.Whole = text.Text{{Text: "state " + key}}
	m.Text = text.Text{{Text: "state " + key + "\n"}, {Text: "@ann", Person: "x:ann", Notify: true}}
	return m
}

// ringing returns a board that is posted again, because it calls a player.
func ringing(key string) bot.Message {
	m := board(key)
	m.Whole = m.Text
	return m
}

// TestFoldIsRetried checks that an earlier message is folded to its line, however often that fails
// at first, and that a permanent refusal ends the tries.
func TestFoldIsRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWall()
		p := start(t, w, memory.New().Notes("x"), nil)
		w.faults["fold"] = []error{errLater, errLater, errLater, nil, errNever}
		for _, key := range []string{"a", "b", "c", "d"} {
			gametest.Must(t, p.post(said(key)))
			gametest.Must(t, p.post(said(key)))
			p.all.Wait()
		}
		if got := w.says(); !slices.Equal(got, []string{"a", "said b", "c", "said d"}) {
			t.Errorf("there stands %q", got)
		}
	})
}

// TestRootIsEditedInPlace checks that a game has one post, edited in place, and a thread with a line for each
// call; that its lobby becomes the board and the board the result, which stays whatever comes
// next; and that unused pictures are deleted.
func TestRootIsEditedInPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWall()
		p := start(t, w, memory.New().Notes("x"), nil)
		post := func(m bot.Message) {
			t.Helper()
			gametest.Must(t, p.post(m))
			p.all.Wait()
		}
		check := func(what string, want ...string) {
			t.Helper()
			if got := w.says(); !slices.Equal(got, want) {
				t.Errorf("%s: there stands %q, want %q", what, got, want)
			}
		}
		lobby := said("l")
		lobby.Live, lobby.Table = "lobby", 1
		post(lobby)
		post(board("a"))
		post(board("b"))
		check("two moves", "state b", "below p1: a.\n@ann", "below p1: b.\n@ann")
		// A reply that fails doesn't edit the board again.
		w.faults["post"] = []error{errLater}
		edits := w.calls["edit"]
		if err := p.post(board("c")); !errors.Is(err, errLater) {
			t.Error(err)
		}
		post(board("c"))
		if n := w.calls["edit"] - edits; n != 1 || w.calls["thread"] != 1 || !slices.Equal(w.files, []string{"of c"}) {
			t.Errorf("%d edits, %d threads, files %q", n, w.calls["thread"], w.files)
		}
		for _, key := range []string{"quiet", "news"} {
			quiet := said(key)
			quiet.Live, quiet.Table, quiet.Picture, quiet.News = "board", 1, &bot.Picture{PNG: []byte("png")}, key == "news"
			post(quiet)
		}
		reminder := said("r")
		reminder.Table, reminder.Kind = 1, "remind"
		post(reminder)
		// Beyond the platform's limit the edit follows later, with the newest state.
		for i := range 6 {
			gametest.Must(t, p.post(board(fmt.Sprint(i))))
		}
		p.all.Wait()
		over := said("over")
		over.Table, over.Over, over.Picture, over.Line, over.Whole = 1, true, &bot.Picture{}, nil, text.Text{{Text: "ann wins"}}
		post(over)
		again := lobby
		again.Key, again.Table, again.Text = "m", 2, text.Text{{Text: "another game"}}
		post(again)
		check("the end", "ann wins", "below p1: a.\n@ann", "below p1: b.\n@ann", "below p1: c.\n@ann", "below p1: news", "below p1: said r",
			"below p1: 0.\n@ann", "below p1: 1.\n@ann", "below p1: 2.\n@ann", "below p1: 3.\n@ann", "below p1: 4.\n@ann", "below p1: 5.\n@ann",
			"below p1: said over", "another game")
		if !p.HasThread(t.Context(), "x", "below p1") {
			t.Log("the thread of an ended game isn't the channel's any more")
		}
	})
}

// TestDeletedRootIsPostedAgain checks that a board which was deleted, or whose thread was, is posted again and
// calls the player itself.
func TestDeletedRootIsPostedAgain(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*wall)
		want  []string
	}{
		"the board":  {func(w *wall) { delete(w.posts, "p1") }, []string{"below p1: b.\n@ann", "state c\n@ann"}},
		"its thread": {func(w *wall) { w.faults["post"] = []error{errNever} }, []string{"below p1: b.\n@ann", "state c\n@ann"}},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := newWall()
			p := start(t, w, memory.New().Notes("x"), nil)
			gametest.Must(t, p.post(board("a")))
			gametest.Must(t, p.post(board("b")))
			c.spoil(w)
			gametest.Must(t, p.post(ringing("c")))
			p.all.Wait()
			if got := w.says(); !slices.Equal(got, c.want) {
				t.Errorf("%s: there stands %q, want %q", name, got, c.want)
			}
		})
	}
}

// TestThreadPostBecomesBoard checks that a table's lobby, board and result appear in the post that its thread
// hangs on, and only calls in the thread.
func TestThreadPostBecomesBoard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWall()
		w.posts["root"] = "a table"
		p := start(t, w, memory.New().Notes("x"), nil)
		gametest.Must(t, p.Open(t.Context(), outbox.Place{ID: "thread", Note: "thread"}, outbox.Post{ID: "root", In: "x"}))
		post := func(m bot.Message) {
			t.Helper()
			m.Table = 1
			gametest.Must(t, p.Post(t.Context(), outbox.Place{ID: "thread", Note: "thread"}, m))
			p.all.Wait()
		}
		lobby := said("l")
		lobby.Live = "lobby"
		post(lobby)
		if got := w.posts["root"]; got != "said l" {
			t.Errorf("the lobby: %q", got)
		}
		post(board("a"))
		over := said("over")
		over.Over, over.Whole = true, text.Text{{Text: "ann wins"}}
		post(over)
		if got := w.says(); !slices.Equal(got, []string{"thread: a.\n@ann", "thread: said over"}) || w.posts["root"] != "ann wins" || w.calls["thread"] > 0 {
			t.Errorf("in the thread stands %q, above it %q", got, w.posts["root"])
		}
	})
}

// TestBoardIsRepostedWithoutThread checks that a board whose post can't have a thread is posted again below for
// each call, and that the platform is asked once a game.
func TestBoardIsRepostedWithoutThread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWall()
		w.flat = true
		p := start(t, w, memory.New().Notes("x"), nil)
		for _, key := range []string{"a", "b", "c", "d"} {
			gametest.Must(t, p.post(board(key)))
			p.all.Wait()
		}
		over := said("over")
		over.Table, over.Over = 1, true
		gametest.Must(t, p.post(over))
		p.all.Wait()
		if got := w.says(); !slices.Equal(got, []string{"d.", "said over"}) || w.calls["thread"] != 1 {
			t.Errorf("after %d questions there stands %q", w.calls["thread"], got)
		}
	})
}

// TestEarlierBoardsBecomeRoots checks that boards of earlier releases become roots with their next post: one
// at the end of its channel, and one with a call beside it, which is deleted.
func TestEarlierBoardsBecomeRoots(t *testing.T) {
	for name, row := range map[string]string{
		"at the end":    `{"v":3,"key":"a","latest":{"id":"p1","live":"board","table":1,"line":[{"text":"a."}]}}`,
		"with its call": `{"v":3,"key":"a","latest":{"id":"p1","role":"board","live":"board","table":1},"call":{"id":"p2","role":"call"},"shows":"a"}`,
	} {
		synctest.Test(t, func(t *testing.T) {
			w, notes := newWall(), memory.New().Notes("x")
			w.posts["p1"], w.posts["p2"], w.n = "state a", "call a", 2
			if name == "at the end" {
				delete(w.posts, "p2")
			}
			gametest.Must(t, notes.Put(t.Context(), "last", "x", []byte(row)))
			p := start(t, w, notes, nil)
			gametest.Must(t, p.post(board("b")))
			gametest.Must(t, p.post(board("c")))
			p.all.Wait()
			if got := w.says(); !slices.Equal(got, []string{"state c", "below p1: b.\n@ann", "below p1: c.\n@ann"}) {
				t.Errorf("%s: there stands %q", name, got)
			}
		})
	}
}

// TestDigestStaysInFirstMessage checks that the digest in a table's first message stays in it: while it is
// edited, when it becomes the board, when another replaces it, and at the end of the game.
func TestDigestStaysInFirstMessage(t *testing.T) {
	digest := text.Text{text.Small(text.Say("Fair draws: {digest}", text.Code("abcd")))}
	lobby := func(key string, small text.Text) bot.Message {
		m := said(key)
		m.Live, m.Table, m.Text = "lobby", 7, text.Lines(m.Text, small)
		m.Whole = m.Text
		return m
	}
	over := said("over")
	over.Table, over.Over, over.Picture = 7, true, &bot.Picture{}
	ringing := lobby("b", nil)
	ringing.Whole = text.Glue(ringing.Text, text.Mention(bot.User{ID: "x:ann", Name: "ann"}))
	turn := board("c")
	turn.Table = 7
	for _, c := range []struct {
		name  string
		flat  bool
		posts []bot.Message
		want  []string
	}{
		{"an edited lobby", true, []bot.Message{lobby("a", digest), lobby("b", nil)}, []string{"said b\nFair draws: abcd"}},
		{"a lobby that is posted again", true, []bot.Message{lobby("a", digest), ringing}, []string{"Fair draws: abcd", "said bann"}},
		{"a folded lobby", true, []bot.Message{lobby("a", digest), said("x")}, []string{"a\nFair draws: abcd", "said x"}},
		{"a board", false, []bot.Message{lobby("a", digest), turn}, []string{"state c\nFair draws: abcd", "below p1: c.\n@ann"}},
		{"the end", false, []bot.Message{lobby("a", digest), turn, over}, []string{"said over\nFair draws: abcd", "below p1: c.\n@ann", "below p1: said over"}},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := newWall()
			w.flat = c.flat
			p := start(t, w, memory.New().Notes("x"), nil)
			for _, m := range c.posts {
				gametest.Must(t, p.post(m))
				p.all.Wait()
			}
			if got := w.says(); !slices.Equal(got, c.want) {
				t.Errorf("%s: there stands %q, want %q", c.name, got, c.want)
			}
		})
	}
}

// TestLostAnswerPostsOnce checks that a post whose answer was lost appears once: the platform
// reports it before or after a retry, a person presses on it, or it is found when the next
// is posted.
func TestLostAnswerPostsOnce(t *testing.T) {
	at := outbox.Place{ID: "x", Note: "x", RateKey: "x"}
	for name, find := range map[string]func(*testing.T, *wall, *process){
		"told before": func(t *testing.T, _ *wall, p *process) {
			gametest.Must(t, p.RecordArrival(t.Context(), at, "b", outbox.Post{ID: "p2"}))
			gametest.Must(t, p.post(ringing("b")))
		},
		"told after": func(t *testing.T, _ *wall, p *process) {
			gametest.Must(t, p.post(ringing("b")))
			gametest.Must(t, p.RecordArrival(t.Context(), at, "b", outbox.Post{ID: "p2"}))
		},
		"pressed": func(t *testing.T, _ *wall, p *process) {
			gametest.Must(t, p.post(ringing("b")))
			gametest.Must(t, p.DeletePressedCopy(t.Context(), at, "p2", 1))
		},
		"looked for": func(t *testing.T, w *wall, p *process) {
			w.reads = true
			gametest.Must(t, p.post(ringing("b")))
		},
		"found with the next": func(t *testing.T, w *wall, p *process) {
			gametest.Must(t, p.post(ringing("b")))
			w.reads = true
			gametest.Must(t, p.post(ringing("c")))
		},
		"told when nobody needs it": func(t *testing.T, _ *wall, p *process) {
			gametest.Must(t, p.Recall(t.Context(), at, ringing("b")))
			gametest.Must(t, p.post(ringing("c")))
			gametest.Must(t, p.RecordArrival(t.Context(), at, "b", outbox.Post{ID: "p2"}))
		},
		"told when another was posted": func(t *testing.T, _ *wall, p *process) {
			gametest.Must(t, p.post(ringing("c")))
			gametest.Must(t, p.RecordArrival(t.Context(), at, "b", outbox.Post{ID: "p2"}))
		},
		"told, and another was posted": func(t *testing.T, _ *wall, p *process) {
			gametest.Must(t, p.RecordArrival(t.Context(), at, "b", outbox.Post{ID: "p2"}))
			gametest.Must(t, p.post(ringing("c")))
		},
		"nobody needs it": func(t *testing.T, w *wall, p *process) {
			w.reads = true
			gametest.Must(t, p.Recall(t.Context(), at, ringing("b")))
			gametest.Must(t, p.post(ringing("c")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWall()
				w.flat = true
				p := start(t, w, memory.New().Notes("x"), nil)
				gametest.Must(t, p.post(ringing("a")))
				w.faults["post"] = []error{errLost}
				if err := p.post(ringing("b")); !errors.Is(err, errLost) {
					t.Fatal(err)
				}
				find(t, w, p)
				p.all.Wait()
				if got := w.says(); len(got) != 1 {
					t.Errorf("there stands %q", got)
				}
			})
		})
	}
}

// TestNextProcessResumesFolds checks that if a process stops at any step, the next one folds the
// posts that it still had to fold.
func TestNextProcessResumesFolds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, notes := newWall(), memory.New().Notes("x")
		p := start(t, w, notes, nil)
		w.faults["fold"] = []error{errLater}
		gametest.Must(t, p.post(said("a")))
		gametest.Must(t, p.post(said("b")))
		synctest.Wait()
		p.stop()
		if got := w.says(); got[0] != "said a" {
			t.Fatalf("it is folded already: %q", got)
		}
		p = start(t, w, notes, nil)
		gametest.Must(t, p.TidyAll(t.Context()))
		p.all.Wait()
		if got := w.says(); got[0] != "a" {
			t.Errorf("there stands %q", got)
		}
	})
}

// TestStandingPostIsEdited checks that a standing post is edited regardless of later posts, and posted
// again if it was deleted.
func TestStandingPostIsEdited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWall()
		p := start(t, w, memory.New().Notes("x"), nil)
		list := func(says string) bot.Message {
			return bot.Message{Key: says, Standing: "games", Text: text.Text{{Text: says}}}
		}
		gametest.Must(t, p.post(list("one")))
		gametest.Must(t, p.post(said("a")))
		gametest.Must(t, p.post(list("two")))
		if got := w.says(); !slices.Equal(got, []string{"two", "said a"}) {
			t.Errorf("there stands %q", got)
		}
		delete(w.posts, "p1")
		gametest.Must(t, p.post(list("three")))
		p.all.Wait()
		if got := w.says(); !slices.Equal(got, []string{"said a", "three"}) {
			t.Errorf("there stands %q", got)
		}
	})
}

// TestRewordReachesNewestPost checks that a new text for a message reaches its post while that is the
// newest, if not now then later.
func TestRewordReachesNewestPost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWall()
		p := start(t, w, memory.New().Notes("x"), nil)
		edit := func(key, says string) {
			m := said(key)
			m.Edit, m.Text = true, text.Text{{Text: says}}
			gametest.Must(t, p.post(m))
		}
		gametest.Must(t, p.post(said("a")))
		w.faults["reword"] = []error{errLater, errLater}
		edit("a", "first")
		edit("a", "second")
		p.all.Wait()
		if got := w.says(); !slices.Equal(got, []string{"second"}) {
			t.Errorf("there stands %q", got)
		}
		gametest.Must(t, p.post(said("b")))
		edit("a", "too late")
		p.all.Wait()
		if got := w.says(); !slices.Equal(got, []string{"a", "said b"}) {
			t.Errorf("there stands %q", got)
		}
	})
}

// TestForgetRemovesName checks that a person's name is removed from the lines that posts are folded
// to, and that posts sent to them are withdrawn.
func TestForgetRemovesName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, notes := newWall(), memory.New().Notes("x")
		p := start(t, w, notes, nil)
		m := said("a")
		m.Line = text.Text{{Text: "Annabella", Person: "x:ann"}}
		gametest.Must(t, p.post(m))
		gametest.Must(t, p.Forget(t.Context(), "x", bot.User{ID: "x:ann", Name: "Annabella"}, bot.User{ID: "former:1", Name: "former player"}))
		b, err := notes.Get(t.Context(), "last", "x")
		if gametest.Must(t, err); strings.Contains(string(b), "Annabella") || !json.Valid(b) {
			t.Errorf("it is still there: %s", b)
		}
		gametest.Must(t, p.Withdraw(t.Context(), outbox.Place{ID: "x", Note: "x"}))
		if b, err := notes.Get(t.Context(), "last", "x"); b != nil || err != nil || len(w.says()) > 0 {
			t.Errorf("there is %s, and %q stands", b, w.says())
		}
	})
}

// TestCallsKeepPace checks that calls keep the platform's distance, even if one takes long.
func TestCallsKeepPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &outbox.Pace{Now: time.Now, Held: func(time.Duration) {}, Sleep: func(_ context.Context, d time.Duration) error { time.Sleep(d); return nil }}
		began, each := time.Now(), outbox.Rate{Most: 1, In: time.Second}
		gametest.Must(t, p.Take(t.Context(), "a", each))
		time.Sleep(300 * time.Millisecond)
		p.Done("a")
		gametest.Must(t, p.Take(t.Context(), "b", each))
		gametest.Must(t, p.Take(t.Context(), "a", each))
		if took := time.Since(began); took != 1300*time.Millisecond {
			t.Errorf("the second call came after %s", took)
		}
		few := outbox.Rate{Most: 2, In: time.Minute}
		for i, want := range []bool{true, true, false} {
			if got := p.TakeNow("c", few, 1); got != want {
				t.Errorf("call %d of a minute was let through: %t", i+1, got)
			}
		}
		began = time.Now()
		gametest.Must(t, p.Take(t.Context(), "c", few))
		if took := time.Since(began); took != time.Minute {
			t.Errorf("the third waited %s", took)
		}
	})
}

// TestRefusedPostIsRetriedForADay checks that a message for a place where the app may not post is retried,
// soon at first, until that has lasted for a day.
func TestRefusedPostIsRetriedForADay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &outbox.Refusals{Notes: memory.New().Notes("x"), Shelf: "blocked", Now: time.Now, First: 10 * time.Second, Most: 2 * time.Minute}
		var waits []time.Duration
		for i := 0; ; i++ {
			first, err := r.PutOff(t.Context(), "x", 24*time.Hour, errNever)
			var off *bot.PostError
			if !errors.As(err, &off) || !errors.Is(err, errNever) || first != (i == 0) {
				t.Fatalf("%d: %v, %v", i, first, err)
			}
			if off.Permanent {
				break
			}
			waits = append(waits, off.RetryAfter)
			time.Sleep(off.RetryAfter)
		}
		if waits[0] != 10*time.Second || slices.Max(waits) != 2*time.Minute || len(waits) < 700 {
			t.Errorf("%d tries, the first after %s, at most %s", len(waits), waits[0], slices.Max(waits))
		}
		gametest.Must(t, r.Lift(t.Context(), "x"))
		if first, err := r.PutOff(t.Context(), "x", 24*time.Hour, errNever); !first || err == nil {
			t.Errorf("after that was mended: %v, %v", first, err)
		}
	})
}
