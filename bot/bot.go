package bot

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"image"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
)

// A ChannelID names a place where people talk, across platforms: the
// platform's name, a colon, and the platform's own id ("web:general"). A
// thread is a channel of its own.
type ChannelID string

// Platform is the platform's name.
func (c ChannelID) Platform() string {
	p, _, _ := strings.Cut(string(c), ":")
	return p
}

// A TableID numbers the tables of a store from 1. 0 is no table.
type TableID uint64

// A PlayerID names a person across platforms: the platform's name, a colon and
// the platform's id for them.
type PlayerID = game.PlayerID

// A User is a person: a PlayerID made of the platform's name, a colon and
// the platform's id for them, and what to call them.
type User = game.Person

// A Host carries out commands: package host's, as adapters see it. Its methods
// are safe for concurrent use.
type Host interface {
	// Commands lists what people can ask for.
	Commands() Commands
	// Handle carries out a request. It always answers.
	Handle(ctx context.Context, req Request) Reply
	// Complete lists what could be meant by the option being typed, best
	// first, at most 25. req.Args has the options typed so far, that one
	// included.
	Complete(ctx context.Context, req Request, option string) []Choice
	// Picture draws the picture of a message again, for a platform that
	// doesn't keep them. dark says that whoever looks has a dark screen. The
	// error is ErrNoPicture where there is none: no such table in the channel,
	// no such number, nothing dealt yet, no seat. It trusts p.To: the platform
	// makes sure that this is the person who asks.
	Picture(ctx context.Context, p Posted, dark bool) (*Picture, error)
	// Sight is the table in a channel, or the one that the request names, as
	// whoever asks sees it. The error is ErrNoTable where there is none.
	Sight(ctx context.Context, req Request) (Sight, error)
	// TongueFor is the language of what a platform says itself to whoever asks.
	TongueFor(ctx context.Context, req Request) *text.Tongue
	// Draft is what a play would form and score, for the player alone.
	Draft(ctx context.Context, req Request) (Draft, error)
	// Games lists the games that a person is in the middle of, those where
	// they are to move first.
	Games(ctx context.Context, who PlayerID) ([]Game, error)
	// MaySay refuses what a muted person wants others to read in a home; nil lets it
	// pass. Only platforms of our own ask: others have their own mutes.
	MaySay(ctx context.Context, home string, who PlayerID) (refusal text.Text, err error)
	// Blocks reports whether somebody wants to hear nothing from somebody else.
	Blocks(ctx context.Context, who, whom PlayerID) (bool, error)
	// Same makes two one person, as /link does: somebody has shown that they are
	// both.
	Same(ctx context.Context, a, b PlayerID) error
	// MemberLeft says that somebody has left a home, such as a server, for
	// good.
	MemberLeft(ctx context.Context, home string, who PlayerID) error
	// ChannelGone says that a channel was deleted, or that we were removed
	// from it, for good; HomeGone the same of a home with all its channels.
	// What is played there ends.
	ChannelGone(ctx context.Context, ch ChannelID) error
	HomeGone(ctx context.Context, home string) error
	// Retry tries at once the posts to some channels that were put off: what was
	// wrong there seems to be mended.
	Retry(ctx context.Context, there func(ChannelID) bool)
}

// A Request is a command that somebody gave, by typing or by a button.
type Request struct {
	// ID is the platform's id of the request. The same request delivered twice
	// has the same ID; it gets the same answer and changes nothing.
	ID      string
	Channel ChannelID
	User    User
	Command string            // a name of Commands
	Args    map[string]string // by the names of the command's options
	People  []User            // whom an option of the kind People names
	// Home is what the channel belongs to, across platforms: the platform's
	// name, a colon and its id of what its channels belong to, such as a server or
	// a workspace. It is "" where there is none, as in direct messages.
	Home string
	// Manager says that the platform lets this person manage the home, or the
	// channel where there is no home.
	Manager bool
	Zone    string // the person's time zone, of the IANA database, where the platform knows it
	Dark    bool   // whether the person's screen is dark, where the platform knows
	// Locale is the person's language, and HomeLocale that of the home, as the
	// platform knows them: "pt-BR". The first may be several, as in the header
	// Accept-Language.
	Locale, HomeLocale string

	// Table and Number are set by a button: the table it belongs to, and the
	// number of events there were when it was made. See Request.Press.
	Table  TableID
	Number int

	// Aside opens a place of its own beside the channel, such as a thread, and
	// returns its channel; the same request gets the same one. It is nil where
	// there can be none.
	Aside func(ctx context.Context, title string) (ChannelID, error)
}

// Reference is a short name of the request, to find it in the log by: the log has it,
// and so has what a person is told when something went wrong.
func (r Request) Reference() string {
	h := fnv.New32a()
	h.Write([]byte(r.ID))
	return fmt.Sprintf("%08x", h.Sum32())
}

// A Reply is the answer to a request, for the asking person's eyes only.
type Reply struct {
	Text    text.Text
	Picture *Picture
	Files   []File
	Buttons []Button
	Menus   []Menu
	// Refused says that the request was not carried out, and Text says why.
	Refused bool
	// Rack says that this is the person's rack as it is now: a platform that
	// can keep it in view does. Tiles are what is on it.
	Rack  bool
	Tiles []Tile
}

// A Tile is a tile of a rack, as it is printed: "?" is a blank.
type Tile struct {
	Text  string
	Value int
}

// A Picture is a PNG and the same in words, of at most 1000 characters.
type Picture struct {
	Alt text.Text
	PNG []byte // nil when there is no picture to show, but only the words
	// Size is how large it is, in pixels, where PNG is nil because the platform
	// AsksLater.
	Size image.Point

	// draws draws it, where it is in no language yet.
	draws func(*text.Tongue) Picture
}

// Drawn is a picture with words on it: it is drawn when it is put into a language.
func Drawn(draw func(*text.Tongue) Picture) *Picture { return &Picture{draws: draw} }

// A File is something to keep.
type File struct {
	Name string
	Type string    // MIME type
	Alt  text.Text // of a picture: the same in words
	Data []byte
	Text text.Text // of a file of words: it becomes Data when it is put into a language
}

// A Button is something to press. Its ID holds all that is needed to carry it
// out, in at most MaxButtonID characters, so that it works after a restart.
type Button struct {
	ID    string
	Label text.Text // at most 30 characters; longer ones are cut
	Style Style
	// Link is a URL that the button opens. Such a button is never pressed here, and
	// has no ID.
	Link string
}

// A Style is how much a button stands out.
type Style uint8

// The manners of a button.
const (
	Ordinary Style = iota
	Primary        // what one probably wants
	Danger         // what can't be undone
)

// A Message is a post on its way to a platform.
type Message struct {
	// Key is the same each time the same post is delivered, different for each
	// post: at most 25 characters of letters, digits and "-".
	Key string
	// Edit says that the message with this key is there, and its text is
	// another now. Where it isn't the latest of its channel any more, it may
	// stay as it is.
	Edit    bool
	Kind    string // the post's; see Posted
	Channel ChannelID
	To      *User // nil: everybody in the channel; else this person alone
	Table   TableID
	Number  int             // the table's events that the message tells of end before this one
	Players []game.PlayerID // who sits at the table
	Text    text.Text
	Picture *Picture
	Buttons []Button
	Menus   []Menu
	// Quiet says that a robot did what it tells of, or is to do what comes next: where it
	// calls nobody either, no bell need sound. Over says that the game is over.
	Quiet, Over bool
	// Live names what the message is the latest state of: the lobby, the live
	// board. Where the message before it in its channel has the same name and
	// table, this one takes its place there: it is edited to say Whole, or, when
	// that calls somebody or chat has pushed it out of sight, removed once this is
	// posted. A platform that shows all messages may show them all.
	Live  string
	Whole text.Text // where Live is set: what this message and those before it say
	// Standing names a message of which its channel has one, such as the list of its
	// games: a post of the same name is put into the one that stands there, however
	// much has been said since, and calls nobody. Where that one is gone, or with
	// Anew, it is posted, and the one before is left to its Line.
	Standing string
	Anew     bool
	// Line says the same in one line, for when a newer message has come. It is
	// nil where the message should stay as it is.
	Line text.Text
	// Ticker says how the game stands in one line, for the message in the
	// channel Beside on which this channel, a thread, hangs. It is nil where
	// that one has nothing new to say.
	Ticker text.Text
	Beside ChannelID
}

// A Poster delivers messages to one platform.
type Poster interface {
	// Post delivers a message. It returns nil when the message is there, even
	// if it was there before (the same Key). A *PostError says what to do
	// about a failure; any other error is tried again later.
	Post(ctx context.Context, m Message) error
}

// A Recaller is a Poster that can't always tell whether a message arrived: the
// program ended, or the answer was lost, while it was on its way.
type Recaller interface {
	// Recall is called instead of Post for a message with a Live that nobody needs
	// any more, as the next one of its channel tells the same. Where the message is
	// there already it counts as the latest, so that the next takes its place.
	Recall(ctx context.Context, m Message) error
}

// A PostError is a failed delivery.
type PostError struct {
	// Permanent: trying again won't help (the channel is gone, direct messages
	// are closed). The post is dropped.
	Permanent bool
	// Gone, with Permanent, says that the channel isn't there any more, or can't
	// be reached for good; Closed that the person takes no direct messages.
	Gone, Closed bool
	RetryAfter   time.Duration // what the platform asked for, or 0
	Err          error
}

func (e *PostError) Error() string { return "post message: " + e.Err.Error() }

func (e *PostError) Unwrap() error { return e.Err }

// What is kept of a person, for them to have and to have removed.

// A Keeper is somebody else who keeps things of people: an adapter.
type Keeper interface {
	// Kept is what is kept of a person, by what it is called.
	Kept(ctx context.Context, who PlayerID) (map[string]any, error)
	// Forget removes it. What others wrote or were told may go on speaking of
	// a former player. Somebody who has had several names is forgotten once
	// under each.
	Forget(ctx context.Context, who User, former User) error
}

// A Game is one of a person's games as it stands, for their eyes only.
type Game struct {
	Channel ChannelID
	Table   TableID
	Turn    bool      // it is theirs
	Text    text.Text // the scores, and who is to move
	Rack    Reply
}

// A Posted names the picture of a message that was posted, as the message has
// them: its channel, table, number, and whom it was for.
type Posted struct {
	Channel ChannelID
	Table   TableID
	Number  int
	To      PlayerID // "": everybody in the channel; else this person alone
	Kind    string
}

// ErrNoPicture is what Host.Picture returns where no message could have had
// such a picture.
var ErrNoPicture = errors.New("there is no such picture")
