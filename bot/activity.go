package bot

import (
	"context"
	"errors"
)

// An Activity is a platform that shows the board in a frame of its client, to everybody who is
// there. What the frame says about itself is only a hint; the platform confirms who a person is
// and where. Its methods are safe for concurrent use.
type Activity interface {
	// Frame returns the frame that shows the board, or the zero Frame while it is unknown.
	Frame() Frame
	// Open asks the platform whether an instance exists, and returns ErrNotPresent if it
	// doesn't. Otherwise it returns the person that the platform confirms in the request's
	// header, or "" if it confirms none. Anybody can cause this question, so Open first calls
	// ask with the channel that it counts for, or "" if it counts for the sender. If ask
	// returns an error, Open returns it.
	Open(ctx context.Context, instance string, h Header, ask func(countFor string) error) (vouched PlayerID, err error)
	// Enter redeems the code that the client gave one person's frame, once, and returns who that
	// is. It returns ErrNotPresent if they aren't in that instance or something was forged.
	Enter(ctx context.Context, instance, code string, h Header) (Presence, error)
	// Present returns where a person who entered is now. It returns ErrNotPresent once they have
	// left.
	Present(ctx context.Context, instance string, who PlayerID, h Header) (Presence, error)
	// Share makes a link that shows a picture, with the access of a person who has entered. It
	// returns the link's id.
	Share(ctx context.Context, access string, s SharedPicture) (link string, err error)
}

// A Header is a request's header, like http.Header.
type Header interface{ Get(key string) string }

// A Frame describes the frame that shows the board.
type Frame struct {
	Application string   // our id on the platform
	Origin      string   // origin of its pages, for the browser
	Within      []string // origins of the pages around it
	Pictures    []string // origins of people's pictures
}

// A Presence is a person in an instance of an activity.
type Presence struct {
	User    User // without a name if they had entered before
	Channel ChannelID
	Home    string     // as in Request
	Here    []PlayerID // everybody in the instance

	// Set for a person who enters. Table is the table where they pressed Play, or 0. Locale is
	// their language. Access is their access token at the platform; their client accepts it as
	// proof of who they are.
	Table  TableID
	Locale string
	Access string
}

// A SharedPicture is something that a person shares from an activity.
type SharedPicture struct {
	Custom             string // what the link leads to
	Title, Description string
	PNG                []byte
}

// ErrNotPresent is returned if a person isn't in an instance of an activity.
var ErrNotPresent = errors.New("not in that instance of the activity")
