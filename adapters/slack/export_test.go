package slack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// SetGap sets the time between two posts, for tests that aren't about waiting.
func (a *Adapter) SetGap(d time.Duration)                              { a.out.setGap(d) }
func (a *Adapter) SetAfter(after func(time.Duration) <-chan time.Time) { a.after = after }

// Internals that tests need.
var (
	Verify    = verify
	Escape    = escape
	Markup    = names{all: true}.mrkdwn
	Scopes    = requiredScopes
	AllScopes = func() []string { return scopes(true, false) }
	Handled   = func() []string { return slices.Sorted(maps.Keys(eventHandlers)) }
	Reserved  = isReserved
	Pieces    = func(t text.Text) []string { return names{}.pieces(t, maxSection) }
	Sections  = func(t text.Text) any { return names{}.sections(t) }
	WhileHeld = sendIfHeld
	AsOptions = rewriteOptions
)

// Moment is the delay after which an answer's text precedes its picture, and AckTime how
// long a form waits for its answer.
const (
	Moment  = pictureWait
	AckTime = ackTime
)

// IsSlacks reports whether an answer may be sent to an address.
func (a *Adapter) IsSlacks(address string) bool { return a.in.answers.isSlackURL(address) }

// Send posts nothing to an address as an answer is posted, and returns the status.
func (a *Adapter) Send(address string) (status int, err error) {
	req, err := http.NewRequest("POST", address, nil)
	if err != nil {
		return 0, err
	}
	resp, err := a.http.Do(req)
	if err != nil {
		return 0, err
	}
	return resp.StatusCode, resp.Body.Close()
}

// Receive handles a payload as both transports do.
func (a *Adapter) Receive(k string, raw []byte) (any, error) {
	return a.in.receive(context.Background(), kind(k), raw)
}

// Message returns the blocks of a post for a place that accepts tables.
func Message(m bot.Message, file string) any { return names{tables: true}.message(m, file) }

// LinkTo returns the link to a place without posts.
func LinkTo(ch bot.ChannelID) string {
	at, err := placeOf(ch)
	if err != nil {
		return ""
	}
	return at.link()
}

// CheckKeys does what Run does first.
func (a *Adapter) CheckKeys(ctx context.Context) error { return a.tokens.check(ctx) }

// Addressed returns the command in a message that mentions the app.
func (a *Adapter) Addressed(message string) (line string, meant bool) { return a.in.commandIn(message) }

// MarkupAt returns Markup's result at a given time.
func MarkupAt(now time.Time, t text.Text) string {
	return names{now: func() time.Time { return now }}.mrkdwn(t)
}

// RefusePictures makes a workspace refuse pictures by address, and ShowsByAddress reports
// whether it accepts them.
func (a *Adapter) RefusePictures(team string) {
	a.pictures.refuse(home(team), byAddress, errors.New("downloading image failed"))
}
func (a *Adapter) ShowsByAddress(team string) bool { return a.pictures.accepts(home(team), byAddress) }

// Intended returns the intent of a message in plain words, or the line that it means.
func (a *Adapter) Intended(message string) string {
	of, line := a.in.phrases().match(message)
	return cmp.Or(line, string(of))
}

// Misunderstood returns the phrases of all languages that don't mean their intent.
func (a *Adapter) Misunderstood() (all []string) {
	book := a.in.phrases()
	for _, p := range book.phrases {
		said := strings.Join(p.words, " ")
		if p.more {
			said += map[intent]string{"exchange": " Q E", "play": " horn 8H", greets: " friend", thanks: " friend"}[p.intent]
		}
		if of, _ := book.match(said); of != p.intent {
			all = append(all, fmt.Sprintf("%q means %q, want %q", said, of, p.intent))
		}
	}
	return all
}
