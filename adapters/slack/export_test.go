package slack

import (
	"context"
	"errors"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// What tests set: waiting is not what they are about.
func (a *Adapter) SetGap(d time.Duration)                              { a.out.setGap(d) }
func (a *Adapter) SetAfter(after func(time.Duration) <-chan time.Time) { a.after = after }

// What tests look at.
var (
	Verify    = verify
	Escape    = escape
	Markup    = names{all: true}.mrkdwn
	Scopes    = needed
	AllScopes = func() []string { return scopes(true) }
	Reserved  = reserved
	Pieces    = func(t text.Text) []string { return names{}.pieces(t, maxSection) }
	WhileHeld = whileHeld
	AsOptions = asOptions
)

// Moment is after how long the words of an answer go ahead of its picture, and
// AckTime how long a form waits for its answer.
const (
	Moment  = moment
	AckTime = ackTime
)

// Receive hands a payload in, as both transports do.
func (a *Adapter) Receive(k string, raw []byte) (any, error) {
	return a.in.receive(context.Background(), kind(k), raw)
}

// Message is a post as Slack gets it, where it has tables.
func Message(m bot.Message, file string) any { return names{tables: true}.message(m, file) }

// LinkTo is a link to a place where nothing was posted.
func LinkTo(ch bot.ChannelID) string {
	at, err := placeOf(ch)
	if err != nil {
		return ""
	}
	return at.link()
}

// CheckKeys is what Run begins with.
func (a *Adapter) CheckKeys(ctx context.Context) error { return a.tokens.check(ctx) }

// Addressed is what a message that names the app asks.
func (a *Adapter) Addressed(message string) (line string, meant bool) { return a.in.addressed(message) }

// MarkupAt is Markup at a time.
func MarkupAt(now time.Time, t text.Text) string {
	return names{now: func() time.Time { return now }}.mrkdwn(t)
}

// RefusePictures has a workspace refuse a picture by its address, and ShowsByAddress reports
// whether one is shown pictures so.
func (a *Adapter) RefusePictures(team string) {
	a.pictures.refuse(home(team), byAddress, errors.New("downloading image failed"))
}
func (a *Adapter) ShowsByAddress(team string) bool { return a.pictures.shows(home(team), byAddress) }
