package web

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"github.com/rackmate/rackmate/adapters/web/signin"
	"github.com/rackmate/rackmate/bot"
)

// Config holds the settings and dependencies of a room.
type Config struct {
	Host  bot.Host
	Notes bot.Notes
	// Tables provides the pages of the host's games; nil if there are none.
	Tables bot.TablePages
	// Pages lists the pages of the host's features.
	Pages []bot.Pages
	Now   func() time.Time
	// Random is the source of the cookies' key and of people's ids, usually
	// crypto/rand.Reader. Requests read it concurrently.
	Random io.Reader
	Log    *slog.Logger
	// Observer receives the number of connected windows; it may be nil.
	Observer bot.Observer
	// URL is the public address of the room, without a trailing slash:
	// "https://play.example.org".
	URL string
	// Hosts lists the accepted host names without port, besides localhost and loopback
	// addresses: "play.example.org". "*" accepts any name. The check stops a foreign page
	// that points its own domain at this computer.
	Hosts []string
	// NoPush turns off push notifications.
	NoPush bool
	// PushHosts lists allowed push services besides the browsers' own: "push.example.org",
	// "127.0.0.1:8443".
	PushHosts []string
	// PushClient connects to the push services; nil means http.DefaultClient.
	PushClient *http.Client
	// Proxies lists the addresses of reverse proxies whose X-Forwarded-For is trusted.
	Proxies []netip.Prefix
	// Door decides who may enter; "" means DoorOpen. Password is for DoorPassword.
	Door     Door
	Password string
	SignIn   []*signin.Provider // for DoorSignIn
	// FirstKeeps makes the first person to enter a keeper, and the longest-standing member
	// when no keeper is left. It suits a room that only this computer can reach. Elsewhere, see
	// [SetKeeper].
	FirstKeeps bool
	// Sentences holds the catalogues of the pages' texts, one file per language; nil means
	// English only.
	Sentences fs.FS
	// Keeps lists everything that the host stores, for the privacy page. Contact is the
	// operator's contact, or "".
	Keeps   func() []bot.Keeping
	Contact string
	// Demo makes every page say that the people are robots and nothing is kept.
	Demo bool
	// Confusables is UTS 39's table of lookalike characters; see readLooks.
	Confusables string
}

// A Door decides who may choose a name and enter the room. Members stay members when the
// door changes.
type Door string

const (
	DoorOpen     Door = "open"     // anyone who reaches the room
	DoorInvite   Door = "invite"   // people with an invitation
	DoorPassword Door = "password" // people who know the room's password
	DoorSignIn   Door = "oidc"     // people who sign in with another service
)

// Doors lists all doors.
var Doors = []Door{DoorOpen, DoorInvite, DoorPassword, DoorSignIn}

// MinPassword is the minimum length of a room's password, in characters.
const MinPassword = 8

// checkDoor returns an error if the configured door is unknown or lacks a setting. An empty
// door becomes DoorOpen.
func (c *Config) checkDoor() error {
	switch {
	case c.Door == "":
		c.Door = DoorOpen
	case !slices.Contains(Doors, c.Door):
		return fmt.Errorf("unknown door %q: choose open, invite, password or oidc", c.Door)
	case c.Door == DoorSignIn && len(c.SignIn) == 0:
		return errors.New("the door oidc needs at least one service to sign in with")
	case c.Door == DoorPassword && len([]rune(c.Password)) < MinPassword:
		return fmt.Errorf("the room's password must have at least %d characters", MinPassword)
	}
	return nil
}
