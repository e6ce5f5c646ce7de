package bot

import (
	"context"
	"errors"
)

// An Activity is a platform whose client shows the board in a frame, to people who
// are there together. What the frame says of itself is a hint; the platform is asked
// who somebody is, and where. Its methods are safe for concurrent use.
type Activity interface {
	// Frame is what the board is shown in, the zero Frame while that isn't known.
	Frame() Frame
	// Open returns nil where there is an instance, and ErrNotPresent where there is
	// none. Before it asks the platform, which is a request that anybody can cause, it
	// calls ask with whom to count that for: a channel that the bot is known in, or ""
	// for whoever sent the request. An error of ask's is returned.
	Open(ctx context.Context, instance string, ask func(countFor string) error) error
	// Enter takes the code that the client gave one person's frame, once, and
	// says who that is. The error is ErrNotPresent where they aren't in that
	// instance, or somebody forged something.
	Enter(ctx context.Context, instance, code string, h Header) (Presence, error)
	// Present says where somebody who entered is, as long as they are there. The
	// error is ErrNotPresent once they aren't.
	Present(ctx context.Context, instance string, who PlayerID, h Header) (Presence, error)
	// Share makes a link that shows a picture, for somebody who has entered, by the
	// access they had then. It returns the link's id.
	Share(ctx context.Context, access string, s Shared) (link string, err error)
}

// A Header is what a request says of itself, as http.Header has it.
type Header interface{ Get(key string) string }

// A Frame is what the board is shown in.
type Frame struct {
	Application string   // the platform's id of ours
	Origin      string   // where its pages come from, for the browser
	Within      []string // the origins of the pages around it
	Pictures    []string // where its pictures of people are
}

// A Presence is somebody in an instance of an activity.
type Presence struct {
	User    User // without a name, where they had entered before
	Channel ChannelID
	Home    string     // as in Request
	Here    []PlayerID // everybody in the instance

	// These are known of those who enter. Table is the one under which they pressed Play, 0
	// where they didn't; Locale is their language. Access is the platform's word to them
	// that they let us know who they are: their client takes it for the same.
	Table  TableID
	Locale string
	Access string
}

// A Shared is what somebody shares with others from an activity.
type Shared struct {
	Custom             string // what the link leads to
	Title, Description string
	PNG                []byte
}

// ErrNotPresent says that somebody isn't in an instance of an activity.
var ErrNotPresent = errors.New("not in that instance of the activity")
