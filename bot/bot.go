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

// A ChannelID identifies a place where people talk, across platforms: the platform's name, a colon,
// and the platform's id ("web:general"). A thread is a channel of its own.
type ChannelID string

// Platform returns the platform's name.
func (c ChannelID) Platform() string {
	p, _, _ := strings.Cut(string(c), ":")
	return p
}

// A TableID numbers the tables of a store from 1. 0 means no table.
type TableID uint64

// A PlayerID identifies a person across platforms: the platform's name, a colon and the platform's
// id for them.
type PlayerID = game.PlayerID

// A User is a person: their PlayerID and their name.
type User = game.Person

// A Host carries out commands. It is package host as adapters see it. Its methods are safe for
// concurrent use.
type Host interface {
	// Commands lists the commands that people can use.
	Commands() Commands
	// Handle carries out a request. It always answers.
	Handle(ctx context.Context, req Request) Reply
	// Complete lists possible values for the option being typed, best first, at most 25. req.Args
	// has the options typed so far, including that one.
	Complete(ctx context.Context, req Request, option string) []Choice
	// Usual returns the values that apply in a channel to options of a new table that aren't given.
	Usual(ctx context.Context, req Request) (map[string]string, error)
	// Picture draws the picture of a message again, for a platform that doesn't keep pictures. dark
	// is whether the viewer has a dark screen. It returns ErrNoPicture if there is none: no such
	// table in the channel, no such number, nothing dealt yet, or no seat. The caller must have
	// authenticated p.To.
	Picture(ctx context.Context, p Posted, dark bool) (*Picture, error)
	// Sight returns the table in a channel, or the one that the request names, as the requester
	// sees it. It returns ErrNoTable if there is none.
	Sight(ctx context.Context, req Request) (Sight, error)
	// LocaleFor returns the language for what a platform itself says to the requester.
	LocaleFor(ctx context.Context, req Request) *text.Locale
	// Draft returns what a play would form and score, for the player only.
	Draft(ctx context.Context, req Request) (Draft, error)
	// Games lists the games that a person is playing, those in which they are to move first, and
	// then the tables that wait for them because they were invited.
	Games(ctx context.Context, who PlayerID) ([]Game, error)
	// MaySay refuses what a muted person wants others to read in a home. It returns nil if they may
	// say it. Only our own platforms call it; others have their own mutes.
	MaySay(ctx context.Context, home string, who PlayerID) (refusal text.Text, err error)
	// Blocks reports whether one person blocks another.
	Blocks(ctx context.Context, who, whom PlayerID) (bool, error)
	// Same merges two identities into one person, as /link does. The caller has verified that the
	// person owns both.
	Same(ctx context.Context, a, b PlayerID) error
	// Joined records that we were added to a channel, or to a home of which this is the first channel
	// where we may post. homeLocale is the home's language, if known. It may be called again.
	Joined(ctx context.Context, ch ChannelID, home, homeLocale string) error
	// MemberLeft records that a person has left a home, such as a server, for good.
	MemberLeft(ctx context.Context, home string, who PlayerID) error
	// MemberRenamed records that a person has another name in a home now, or may have: their running
	// games there take it over.
	MemberRenamed(ctx context.Context, home string, who User) error
	// ChannelGone records that a channel was deleted, or that we were removed from it, for good;
	// HomeGone does the same for a home with all its channels. Games played there end.
	ChannelGone(ctx context.Context, ch ChannelID) error
	HomeGone(ctx context.Context, home string) error
	// Retry retries the postponed posts to some channels at once, because the problem there seems
	// to be fixed.
	Retry(ctx context.Context, there func(ChannelID) bool)
}

// A Request is a command that a person gave, by typing or by a button.
type Request struct {
	// ID is the platform's id of the request. If the same request is delivered twice, it has the
	// same ID, gets the same answer and changes nothing.
	ID      string
	Channel ChannelID
	User    User
	Command string            // a name in Commands
	Args    map[string]string // by option name
	People  []User            // named by an option of kind People
	// Home is what the channel belongs to, such as a server or a workspace: the platform's name, a
	// colon and its id. It is "" if there is none, as in direct messages.
	Home string
	// Manager is whether the platform lets this person manage the home, or the channel if there is
	// no home.
	Manager bool
	// Readers is the number of people who can read the channel, if it is a private conversation; else
	// it is 0.
	Readers int
	Zone    string // the person's IANA time zone, if known
	Dark    bool   // whether the person's screen is dark, if known
	// Locale is the person's language, and HomeLocale the home's, as the platform knows them:
	// "pt-BR". Locale may list several, like the header Accept-Language.
	Locale, HomeLocale string

	// Table and Number are set by a button: the table it belongs to, and the number of events when
	// it was made. See Request.Press.
	Table  TableID
	Number int

	// Aside opens a place of its own beside the channel, such as a thread, and returns its channel.
	// The same request always gets the same one. Aside is nil if there can be none.
	Aside func(ctx context.Context, title string) (ChannelID, error)
}

// Reference returns a short name for the request. It is logged, and shown to the person if
// something goes wrong, so that the operator can find the request.
func (r Request) Reference() string {
	h := fnv.New32a()
	h.Write([]byte(r.ID))
	return fmt.Sprintf("%08x", h.Sum32())
}

// A Reply is the private answer to a request.
type Reply struct {
	Text    text.Text
	Picture *Picture
	Files   []File
	Buttons []Button
	Menus   []Menu
	// Refused is whether the request was refused; Text then says why.
	Refused bool
	// Rack is whether this shows the person's current rack, which a platform keeps in view if it
	// can. Tiles are the tiles on it.
	Rack  bool
	Tiles []Tile
}

// A Tile is a tile of a rack as it is printed; "?" is a blank.
type Tile struct {
	Text  string
	Value int
}

// A Picture is a PNG with a description of at most 1000 characters.
type Picture struct {
	Alt text.Text
	PNG []byte // nil if only the description is shown
	// Size is the size in pixels if PNG is nil because the platform AsksLater.
	Size image.Point

	// draws draws the picture in a language, if that hasn't been done.
	draws func(*text.Locale) Picture
}

// LazyPicture returns a picture that is drawn once its language is known.
func LazyPicture(draw func(*text.Locale) Picture) *Picture { return &Picture{draws: draw} }

// A File is a file for people to keep.
type File struct {
	Name string
	Type string    // MIME type
	Alt  text.Text // a picture's description
	Data []byte
	Text text.Text // of a text file: becomes Data in the reader's language
}

// A Button is a button under a message. Its ID has everything needed to carry it out, in at most
// MaxButtonID characters, so that it works after a restart.
type Button struct {
	ID    string
	Label text.Text // at most 30 characters; longer ones are cut
	Style Style
	// Link is a URL that the button opens. Such a button is never pressed here, and has no ID.
	Link string
}

// A Style is how much a button stands out.
type Style uint8

// The styles of buttons.
const (
	Ordinary Style = iota
	Primary        // the most likely choice
	Danger         // can't be undone
)

// A Message is a post on its way to a platform.
type Message struct {
	// Key identifies the post, however often it is delivered: at most 25 letters, digits and "-".
	Key string
	// Edit means that the message with this key has been posted and its text has changed. If it
	// isn't the latest in its channel any more, it may stay as it is.
	Edit    bool
	Kind    string // the post's kind; see Posted
	Channel ChannelID
	To      *User // nil for everybody in the channel, else the only recipient
	Table   TableID
	Number  int             // the message covers the table's events before this one
	Players []game.PlayerID // people and robots at the table
	Text    text.Text
	Picture *Picture
	Buttons []Button
	Menus   []Menu
	// Quiet means that the message is about a robot's move or before one: unless it calls a person,
	// no notification is needed. Over means that the game is over.
	Quiet, Over bool
	// Live names the thing whose latest state the message shows, such as the lobby or the live
	// board. If the previous message in the channel has the same name and table, this one replaces
	// it: the old one is edited to say Whole, or, if this one calls a person or chat has pushed the
	// old one out of sight, removed once this one is posted. A platform that shows all messages may
	// show them all.
	Live  string
	Whole text.Text // if Live is set: the text of this message and the previous ones together
	// Standing names a message that a channel has only once, such as the list of its games. A post
	// with the same name edits the existing one, however old that is, and calls nobody. If it is
	// gone, or Anew is set, a new one is posted and the old one folds to its Line.
	Standing string
	Anew     bool
	// Amends means that the message with the name Standing about the same table is only edited: if
	// there is none, nothing is posted.
	Amends bool
	// Line is the message in one line, for when a newer message has come. It is nil if the message
	// should stay as it is.
	Line text.Text
	// Title names the game, for the thread of its board; nil before it starts.
	Title text.Text
	// Result is the end of a game in one line; nil before. Where the game has one post, that says
	// Whole in the end.
	Result text.Text
	// News means that the message matters to people whom it doesn't call, such as the next turn of a
	// game in which all play at once: where the game has one post, a reply makes it unread.
	News bool
}

// IsLine reports whether a message is only text, like that of a finished turn: the buttons are
// under the next one.
func (m Message) IsLine() bool { return len(m.Buttons) == 0 && len(m.Menus) == 0 && m.Picture == nil }

// A Poster delivers messages to one platform.
type Poster interface {
	// Post delivers a message. It returns nil once the message has been posted, even by an earlier
	// call with the same Key. A *PostError says what to do about a failure; after any other error
	// the post is retried later.
	Post(ctx context.Context, m Message) error
}

// A Recaller is a Poster that can't always know whether a message arrived: the program may have
// ended, or lost the answer, while the message was on its way.
type Recaller interface {
	// Recall is called instead of Post for a Live message that isn't needed any more because the
	// next one in its channel says the same. If the message was already posted, it counts as the
	// latest, so that the next one replaces it.
	Recall(ctx context.Context, m Message) error
}

// A PostError is a failed delivery.
type PostError struct {
	// Permanent means that a retry won't help: the channel is gone, or direct messages are closed.
	// The post is dropped.
	Permanent bool
	// Gone, with Permanent, means that the channel doesn't exist any more or is unreachable for
	// good; Closed means that the person accepts no direct messages.
	Gone, Closed bool
	// Blocked means that the platform has just begun to refuse posts in the channel;
	// [Platform.Obstacle] returns why. The host informs the managers of the channel's home.
	Blocked    bool
	RetryAfter time.Duration // as requested by the platform, or 0
	Err        error
}

func (e *PostError) Error() string { return "post message: " + e.Err.Error() }

func (e *PostError) Unwrap() error { return e.Err }

// Personal data, for export and erasure.

// A Keeper is an adapter that stores personal data.
type Keeper interface {
	// Kept returns what is stored about a person, by title.
	Kept(ctx context.Context, who PlayerID) (map[string]any, error)
	// Forget erases it. What others wrote or received may go on mentioning a former player. A
	// person who has had several names is erased once for each.
	Forget(ctx context.Context, who User, former User) error
}

// A Game is one of a person's games as it stands, for them only.
type Game struct {
	Channel ChannelID
	Table   TableID
	Turn    bool      // whether it is their turn
	Invited bool      // whether it hasn't begun, and a seat is reserved for them
	Text    text.Text // the scores and who is to move, or who invites them
	Rack    Reply     // the rack, or the button that takes the seat
}

// A Posted identifies the picture of a posted message: its channel, table, number and recipient.
type Posted struct {
	Channel ChannelID
	Table   TableID
	Number  int
	To      PlayerID // "" for everybody in the channel, else the only recipient
	Kind    string
}

// ErrNoPicture is returned by Host.Picture if no message can have had such a picture.
var ErrNoPicture = errors.New("there is no such picture")
