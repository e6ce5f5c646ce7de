package bot

import (
	"context"

	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
)

// A Platform is where people chat, as far as the host treats one differently
// from another. The zero value of each field is what is usual.
type Platform struct {
	// Name begins the ids of its channels and people: "web".
	Name string
	// Title is what people call it, in the middle of a sentence: "the web room".
	Title string
	// Lexicon names the word list of tables that name none; "" is the host's
	// default.
	Lexicon string
	// Theme names how boards look where nobody chose, and Dark how they look to
	// people who are known to have a dark screen. "" is light, and the same as
	// Theme.
	Theme, Dark string
	// Plain says that it shows no pictures.
	Plain bool
	// AsksLater says that it draws nothing of a post until somebody looks at it, and
	// asks Host.Picture then.
	AsksLater bool
	// TurnRacks says that players are sent their rack whenever their turn comes,
	// and not only when it changed without their asking: the rack isn't always
	// in view.
	TurnRacks bool
	// Aside opens a place of its own beside a channel, such as a thread, for some
	// people who play there, and returns its channel; the same key gets the same one.
	// A *PostError that is Permanent says that there can be none. It is nil where
	// there are no such places; [Request.Aside] opens one for a request.
	Aside func(ctx context.Context, beside ChannelID, key, title string, players []PlayerID) (ChannelID, error)
	// Link is a URL that opens a channel at its board, "" where there is none;
	// home is the channel's Request.Home, where that is known. It is nil where
	// channels have no addresses.
	Link func(ctx context.Context, ch ChannelID, home string) string
	// Locale is the language that the platform knows somebody to read, "" where it
	// doesn't: for what they are sent in private. It is nil where a platform knows
	// it of requests alone.
	Locale func(ctx context.Context, who game.PlayerID) string
	// OneBoard says that a game has one board there, kept as it is now, unless people
	// have chosen otherwise.
	OneBoard bool
	// Front is a URL that opens the board of a table in the platform's own client, by the
	// key of the table's page; "" while that isn't known. It is nil where the client shows
	// no boards. Where it does, pressing a button for the board opens it too.
	Front func(key string) string
	// Typed is how somebody types a command there, such as "rackmate stats", where that
	// isn't by one of its names alone; "/stats" in a text becomes that. It is nil where
	// texts stay as they are.
	Typed func(c Command, to *text.Tongue) string
	// Boards says that one plays there on a board, and not by pictures alone.
	Boards bool
	// Keeper keeps things of people beside the host; nil where nothing is kept.
	Keeper Keeper
	// Steward is the platform itself where the host keeps order on it; nil where
	// that is others' business.
	Steward Steward
	// Path is what the host's HTTP server hands to the adapter, which is an
	// http.Handler: a pattern of http.ServeMux. It is "" where nothing calls it.
	Path string
}

// LocaleOf is the language that the platform knows somebody to read, "" for none.
func (p Platform) LocaleOf(ctx context.Context, who game.PlayerID) string {
	if p.Locale == nil {
		return ""
	}
	return p.Locale(ctx, who)
}

// An Adapter connects the host with one platform.
type Adapter interface {
	Poster
	// Platform tells what the host must know of the platform. It is always the
	// same.
	Platform() Platform
	// Run stays connected until ctx is done. An error ends the host.
	Run(ctx context.Context) error
	// Wait returns when all that was begun is answered. It is called after Run
	// has ended and nothing comes by HTTP any more.
	Wait()
}
