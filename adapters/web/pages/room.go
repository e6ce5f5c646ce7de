package pages

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/limit"
)

// Platform is the room's platform name: the prefix of its channels' and people's ids.
const Platform = "web"

// Home is the host's id of the room.
const Home = Platform + ":room"

// LivePath is the path of the page of running games.
const LivePath = "/live"

// Beat is the interval of heartbeats on a live connection. The page considers a connection
// dead after three of them; see static/live.js.
const Beat = 15 * time.Second

// A Room holds the settings and functions of the room that its pages need.
type Room struct {
	Host    bot.Host
	Log     *slog.Logger
	Now     func() time.Time
	URL     string         // the public address, without a trailing slash
	Open    bool           // whether anyone may enter
	Tables  bot.TablePages // nil if there are none
	Channel bot.ChannelID  // the channel of pages that belong to no other
	// Keeps lists everything that the host stores; nil means nothing. Contact is the operator's
	// contact, or "".
	Keeps   func() []bot.Keeping
	Contact string

	// Member returns the member who sent a request, and the channel of the host's messages to
	// them. For strangers the error is [ErrNoName].
	Member func(*http.Request) (bot.User, bot.ChannelID, error)
	// MayRead reports whether a person may read a channel of the room; "" is a stranger.
	MayRead func(bot.ChannelID, bot.PlayerID) bool
	// Name returns a player's current name. found is false unless they are a member.
	Name func(context.Context, bot.PlayerID) (name string, found bool, err error)
	// NameNow replaces the names of a table's players by their current ones.
	NameNow func(context.Context, *bot.Sight) error
	// Find returns the member with a name.
	Find func(context.Context, string) (who bot.User, found bool, err error)
	// Private converts an answer to the JSON value that its reader's browser gets.
	Private func(bot.Reply) any
	// Limit returns buckets that all processes share; Entries limits newcomers.
	Limit   func(rate, burst float64) *Buckets
	Entries *Buckets
}

// isRooms reports whether a channel is the room's, rather than another platform's.
func isRooms(ch bot.ChannelID) bool { return strings.HasPrefix(string(ch), Platform+":") }

// Buckets limits how often something happens, by person or network.
type Buckets = limit.Buckets[string]
