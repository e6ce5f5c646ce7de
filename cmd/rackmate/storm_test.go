package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/discord/discordtest"
	"github.com/rackmate/rackmate/adapters/slack/slacktest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store/postgres"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// An away is a table on a platform whose people get no answer while the hosts are disrupted, and
// then repeat the command as a new request, so that one of the two may be rejected.
type away struct {
	channel  bot.ChannelID
	t        *testing.T
	platform string
	ours     func(bot.ChannelID) bool
	// give sends a command from one of the two players. answered is false if no answer came.
	give  func(who int, command string) (text string, answered bool)
	keyed bool          // the platform recognizes a message by its key
	pause time.Duration // pause after each pass
	// posted returns the delivered posts.
	posted func() []delivered

	tried, made int // passes sent, and passes confirmed
}

// A delivered value is a post as a platform has it. Its key identifies what it announces.
type delivered struct {
	key     string
	process string // the process that posted it, if the platform has no keys
	at      time.Time
}

const (
	// impatient limits how long people wait for an answer.
	impatient = 3 * time.Second
	// posting sets how long people look at the board on Slack before they continue. Slack accepts
	// one message a second in a channel.
	posting = 1500 * time.Millisecond
)

// standins returns tables on Discord and Slack, and the flags that connect hosts to them.
func standins(t *testing.T) (tables []*away, flags func(process string) []string) {
	d := discordtest.New(excusing{t})
	general := d.Guild("club").Channel("general")
	dan := []*discordtest.User{d.User("Dan"), d.User("Eve")}
	s := slacktest.New(slacktest.Options{AckTime: impatient})
	t.Cleanup(s.Close)
	onDiscord := &away{
		t: t, platform: "discord", keyed: true, channel: bot.ChannelID("discord:" + general.ID),
		ours: func(ch bot.ChannelID) bool { return ch == bot.ChannelID("discord:"+general.ID) },
		give: func(who int, command string) (string, bool) {
			if times, _ := d.Registered(); times == 0 {
				return "", false
			}
			name, _, _ := strings.Cut(command, " ")
			options := map[string][]string{"new": {"seats", "2", "challenge", "void"}, "pass": {"sure", "true"}}[name]
			return dan[who].Gives(general, name, options...).Within(impatient)
		},
		posted: func() (all []delivered) {
			for _, m := range dan[0].Sees(general) {
				if m.For == "" && m.Nonce != "" {
					all = append(all, delivered{key: m.Nonce})
				}
			}
			return all
		},
	}
	const games = "C0GAMES"
	people := []string{"U0ANN", "U0BOB"}
	onSlack := &away{
		t: t, platform: "slack", pause: posting, channel: "slack:T0SLACK/" + games,
		ours: func(ch bot.ChannelID) bool { return ch.Platform() == "slack" && strings.Contains(string(ch), games) },
		give: func(who int, command string) (string, bool) {
			before := len(s.Private(people[who]))
			if err := s.Slash(people[who], games, "/rackmate", command); err != nil {
				return "", false
			}
			for end := time.Now().Add(impatient); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
				if told := s.Private(people[who]); len(told) > before {
					return told[before].Text, true
				}
			}
			return "", false
		},
		posted: func() (all []delivered) {
			for _, m := range s.Messages(games) {
				if payload, _ := m.Metadata["event_payload"].(map[string]any); payload != nil {
					all = append(all, delivered{fmt.Sprint(payload["key"]), m.Via, m.At})
				}
			}
			return all
		},
	}
	return []*away{onDiscord, onSlack}, func(process string) []string {
		return []string{"--discord-api", d.URL, "--slack-api", s.Via(process)}
	}
}

// An excusing test tolerates a late or missing bot.
type excusing struct{ *testing.T }

func (e excusing) Errorf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if strings.Contains(text, "was answered after") {
		return
	}
	e.T.Error(text)
}

// play lets the two players pass repeatedly until a few passes were confirmed.
func (a *away) play(playing func() bool) {
	few := gametest.Rounds(2, 3)
	goesOn := func() bool { return !a.t.Failed() && (playing() || a.made < few) }
	for began := time.Now(); goesOn(); {
		if time.Since(began) > 15*time.Minute {
			a.t.Errorf("%s: only %d passes came through", a.platform, a.made)
			return
		}
		before, answers := a.made, 0
		for who := range 2 {
			text, answered := a.give(who, "pass sure:yes")
			a.tried++
			if answered {
				answers++
			} else {
				time.Sleep(100 * time.Millisecond) // no host is there
			}
			if strings.Contains(text, "You pass.") {
				a.made++
				if !goesOn() {
					return
				}
				time.Sleep(a.pause)
			}
		}
		if answers == 2 && a.made == before { // the game is over
			a.give(0, "new seats:2 challenge:void")
			a.give(1, "join")
		}
	}
}

// check compares the posts with the stored events: no confirmed pass is missing or stored twice,
// and each was announced exactly once.
func (a *away) check(db *postgres.DB, troubles []trouble) {
	a.t.Helper()
	passes := map[string]int{}
	var last []string // last event of each pass, as announced in posts
	for _, id := range tablesIn(a.t, db, a.ours) {
		_, events, err := db.Events(a.t.Context(), id, -1)
		gametest.Must(a.t, err)
		for n, e := range events {
			if _, ok := e.Fact.(game.Passed); !ok {
				continue
			}
			passes[e.Cause]++
			for n+1 < len(events) && events[n+1].Cause == e.Cause {
				n++
			}
			last = append(last, fmt.Sprintf("%d-%d-", id, n+1))
		}
	}
	// Check only now, because a request that people gave up on may still run: another process gets
	// it when the lease of the first has expired.
	awaitPosts(a.t, db, a.platform)
	posted := map[string][]delivered{}
	for _, p := range a.posted() {
		posted[p.key] = append(posted[p.key], p)
	}
	for _, begin := range last {
		told := 0
		for key := range posted {
			if strings.HasPrefix(key, begin) {
				told++
			}
		}
		if told != 1 && (a.keyed || told == 0) {
			a.t.Errorf("%s: %d posts tell of what ends with %s", a.platform, told, begin)
		}
	}
	for cause, n := range passes {
		if n != 1 {
			a.t.Errorf("%s: %s was carried out %d times", a.platform, cause, n)
		}
	}
	for key, all := range posted {
		switch {
		case len(all) == 1:
			continue
		case !a.keyed && stoodStill(all, troubles):
			a.t.Logf("%s, which has no keys: %s was posted twice, by a process that stood still on the last step", a.platform, key)
		default:
			a.t.Errorf("%s: %s was posted %d times", a.platform, key, len(all))
		}
		for _, p := range all {
			a.t.Logf("by process %s at %s", p.process, p.at)
		}
		for _, tr := range troubles {
			a.t.Logf("process %s %s from %s to %s", tr.process, tr.what, tr.from, tr.to)
		}
	}
	a.t.Logf("%s: %d passes were tried, %d answered, %d are in the log", a.platform, a.tried, a.made, len(passes))
	if n := len(passes); n < a.made || n > a.tried {
		a.t.Errorf("%s: %d passes are in the log", a.platform, n)
	}
}

// frozen is the trouble of a process that pauses for longer than its lease.
const frozen = "stood still"

// stoodStill reports whether a duplicate post was unavoidable on a platform without keys: a process
// was paused between checking that it still owned the post and the request, and posted as soon as
// it resumed.
func stoodStill(twice []delivered, troubles []trouble) bool {
	const soon = 2 * time.Second // allows for a busy machine
	return len(twice) == 2 && slices.ContainsFunc(twice, func(p delivered) bool {
		return slices.ContainsFunc(troubles, func(tr trouble) bool {
			return tr.what == frozen && tr.process == p.process && tr.to.Before(p.at) && p.at.Sub(tr.to) < soon
		})
	})
}

// late limits how late a timer may be: another process takes over a dead one's work after its lease
// of ten seconds, on a busy machine.
const late = time.Minute

// punctual watches the timers until ctx is done, and fails the test if one is overdue by more than
// a lease. It doesn't count time when the database is away.
func punctual(ctx context.Context, t *testing.T, db *postgres.DB) {
	reachable := time.Now()
	for ctx.Err() == nil {
		asked := time.Now()
		due, _, err := db.DueTimers(ctx, asked.Add(-late), 1)
		switch {
		case ctx.Err() != nil:
		case err != nil || time.Since(asked) > time.Second:
			reachable = time.Now()
		case len(due) > 0 && time.Since(reachable) > late:
			t.Errorf("a timer of kind %q waits since %s", due[0].Kind, asked.Sub(due[0].At))
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}
