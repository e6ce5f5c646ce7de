package bot

import (
	"context"

	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
)

// A Platform describes a place where people chat, as far as the host treats platforms differently.
// The zero value of each field is the usual case.
type Platform struct {
	// Name begins the ids of its channels and people: "web".
	Name string
	// Title is its name within a sentence: "the web room".
	Title string
	// Lexicon is the word list of tables that name none; "" means the host's default.
	Lexicon string
	// Theme is the default look of boards, and Dark the look for people known to have a dark
	// screen. "" means light, and the same as Theme.
	Theme, Dark string
	// Plain means that it shows no pictures.
	Plain bool
	// AsksLater means that pictures of posts are drawn only when people look at them; the platform
	// then calls Host.Picture.
	AsksLater bool
	// Cards means that each player of a game has a private message with their rack, which is kept
	// up to date, because the rack isn't always in view.
	Cards bool
	// Aside opens a place of its own beside a channel, such as a thread, for some players, and
	// returns its channel. The same key always gets the same one. A permanent *PostError means that
	// there can be none. Aside is nil if the platform has no such places; [Request.Aside] opens one
	// for a request.
	Aside func(ctx context.Context, beside ChannelID, key, title string, players []PlayerID) (ChannelID, error)
	// Link returns a URL that opens a channel at its board, or "" if there is none. home is the
	// channel's Request.Home, if known. Link is nil if channels have no addresses.
	Link func(ctx context.Context, ch ChannelID, home string) string
	// Obstacle returns what keeps us from posting in a channel, and what to do about it, or nil
	// if no obstacle is known. The function is nil if the platform can't refuse posts.
	Obstacle func(ctx context.Context, ch ChannelID) text.Text
	// Pin pins a channel's standing message by its name. It returns what keeps us from pinning it,
	// and what to do about it, or nil once it is pinned. It is nil if we can't pin messages there.
	Pin func(ctx context.Context, ch ChannelID, standing string) (obstacle text.Text, err error)
	// Owner returns the person who owns a home, or "" if the platform doesn't tell. It is nil if
	// homes have no owners there.
	Owner func(ctx context.Context, home string) (PlayerID, error)
	// Locale returns the language that a person reads according to the platform, or "": it is used
	// for private messages. It is nil if the platform knows the language only from requests.
	Locale func(ctx context.Context, who game.PlayerID) string
	// OneBoard means that a game has one board there, which is kept up to date, unless people
	// choose otherwise.
	OneBoard bool
	// Front returns a URL that opens a table's board in the platform's own client, by the key of
	// the table's page, or "" while that is unknown. It is nil if the client shows no boards. If it
	// does, pressing a button for the board opens it too.
	Front func(key string) string
	// Typed returns how a command is typed there, such as "rackmate stats", if its name isn't
	// enough; it replaces "/stats" in texts. It is nil if texts stay as they are.
	Typed func(c Command, to *text.Locale) string
	// CurrentNames means that a request has the name that others in its home see at that time, so
	// that running games take it over. Without it, the adapter calls Host.MemberRenamed.
	CurrentNames bool
	// Colleagues means that people there know each other, so that a seat needs no second press
	// where the rules are unusual.
	Colleagues bool
	// Boards means that people play on a board there, not only by pictures.
	Boards bool
	// Keeper stores personal data besides the host; nil if there is none.
	Keeper Keeper
	// Steward moderates the platform if the host is responsible for that; else nil.
	Steward Steward
	// Path is the http.ServeMux pattern for the requests that the host's HTTP server passes to the
	// adapter, which is then an http.Handler. It is "" if there are none.
	Path string
}

// LocaleOf returns the language that a person reads according to the platform, or "".
func (p Platform) LocaleOf(ctx context.Context, who game.PlayerID) string {
	if p.Locale == nil {
		return ""
	}
	return p.Locale(ctx, who)
}

// An Adapter connects the host with one platform.
type Adapter interface {
	Poster
	// Platform describes the platform. It always returns the same.
	Platform() Platform
	// Run stays connected until ctx is done. If it returns an error, the host ends.
	Run(ctx context.Context) error
	// Wait returns when everything begun has been answered. It is called after Run has ended and no
	// more HTTP requests arrive.
	Wait()
}
