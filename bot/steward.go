package bot

import (
	"context"
	"time"

	"github.com/rackmate/rackmate/bot/text"
)

// A Steward is a platform on which the host keeps order, for nobody else does
// there: a room of our own.
type Steward interface {
	// Keeps returns the platform's home, and whether a person keeps it.
	Keeps(ctx context.Context, who PlayerID) (home string, keeper bool, err error)
	// Said is the message of a number in a channel, and up to that many before it,
	// oldest first: none where there is no such message that who may read.
	Said(ctx context.Context, who PlayerID, ch ChannelID, number uint64, before int) ([]Said, error)
	// Unsay removes a message. It is done once it isn't there.
	Unsay(ctx context.Context, ch ChannelID, number uint64) error
	// Ban bans a person, or lets them in again, and returns what else followed from it.
	Ban(ctx context.Context, b Ban) (text.Text, error)
	// Bans lists the bans in force.
	Bans(ctx context.Context) ([]Ban, error)
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

// A Ban keeps a person out of a room. For a week at most it also refuses newcomers from
// the network, and by the invitation, that the person came by.
type Ban struct {
	Who   User
	Until time.Time // when it ends; the zero time means never
	Lift  bool      // ends it now
}
