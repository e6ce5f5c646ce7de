package bot

import (
	"context"
	"github.com/rackmate/rackmate/bot/text"
	"time"
)

// A Steward is a platform on which the host keeps order, for nobody else does
// there: a room of our own.
type Steward interface {
	// Keeps is the home of the platform, and whether somebody keeps it.
	Keeps(ctx context.Context, who PlayerID) (home string, keeper bool, err error)
	// Said is the message of a number in a channel, and up to that many before it,
	// oldest first: none where there is no such message that who may read.
	Said(ctx context.Context, who PlayerID, ch ChannelID, number uint64, before int) ([]Said, error)
	// Unsay removes a message. It is done once it isn't there.
	Unsay(ctx context.Context, ch ChannelID, number uint64) error
	// Bar keeps somebody out, or lets them in again, and says what else it did.
	Bar(ctx context.Context, b Bar) (text.Text, error)
	// Bars are those that count, the latest first.
	Bars(ctx context.Context) ([]Bar, error)
	// Invite makes an invitation that leads to a channel, and gives its link. The
	// refusal is nil where it was made.
	Invite(ctx context.Context, by PlayerID, to ChannelID, uses int, life time.Duration) (link string, refusal text.Text, err error)
	// TellKeepers tells all who keep the place but one something in private, once
	// for each key.
	TellKeepers(ctx context.Context, but PlayerID, key string, said text.Text, buttons []Button) error
}

// A Said is something that somebody said.
type Said struct {
	Number uint64    `json:"number"`
	By     User      `json:"by"` // the zero User is the host
	At     time.Time `json:"at"`
	Text   string    `json:"text"`
}

// A Bar keeps people out of a room: a person, a network of addresses, or all who
// came by an invitation.
type Bar struct {
	Who        *User
	Network    string // "203.0.113.0/24"
	Invitation string // the first characters of its handle
	// Until is when it ends; the zero time is never.
	Until time.Time
	// Lift ends it now.
	Lift bool
	// Lightly is for somebody who may come back soon: it bars nothing but them.
	Lightly bool
}

// A Saying is something that somebody wants others to read.
type Saying struct {
	ID      string // of the request
	User    User   // without an id where they are nobody yet
	Home    string
	Channel ChannelID // "" where it is for no channel: a name
	Manager bool
	Text    string
	// Aloud says that it is a message in a channel, rather than a name, or for one
	// person.
	Aloud bool
}
