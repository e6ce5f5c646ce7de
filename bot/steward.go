package bot

import (
	"context"
	"time"

	"github.com/rackmate/rackmate/bot/text"
)

// A Steward is a platform that the host moderates because nobody else does: a room of our own.
type Steward interface {
	// Keeps returns the platform's home, and whether a person is a keeper of it.
	Keeps(ctx context.Context, who PlayerID) (home string, keeper bool, err error)
	// Said returns the message with a number in a channel, and up to before messages preceding it,
	// oldest first. It returns none if there is no such message that the person may read.
	Said(ctx context.Context, who PlayerID, ch ChannelID, number uint64, before int) ([]ChatMessage, error)
	// Unsay removes a message. It succeeds if the message is already gone.
	Unsay(ctx context.Context, ch ChannelID, number uint64) error
	// Ban bans a person, or lifts the ban, and returns what else followed from it.
	Ban(ctx context.Context, b Ban) (text.Text, error)
	// Bans lists the bans in force.
	Bans(ctx context.Context) ([]Ban, error)
	// Invite makes an invitation that leads to a channel, and returns its link. refusal is nil if
	// it succeeded.
	Invite(ctx context.Context, by PlayerID, to ChannelID, uses int, life time.Duration) (link string, refusal text.Text, err error)
	// TellKeepers sends a private message to all keepers of the place but one, once for each key.
	TellKeepers(ctx context.Context, but PlayerID, key string, said text.Text, buttons []Button) error
}

// A ChatMessage is a message that a person wrote.
type ChatMessage struct {
	Number uint64    `json:"number"`
	By     User      `json:"by"` // the zero User is the host
	At     time.Time `json:"at"`
	Text   string    `json:"text"`
}

// A Ban keeps a person out of a room. For at most a week it also keeps out newcomers from the
// person's network, and with the invitation by which they came.
type Ban struct {
	Who   User
	Until time.Time // when it ends; zero means never
	Lift  bool      // whether to end it now
}
