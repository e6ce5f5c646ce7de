package bot

import (
	"context"
	"encoding/json"
	"net/url"

	"github.com/rackmate/rackmate/bot/text"
)

// Pages are a feature's pages in the browser at one path. The room serves and draws all of them in
// the same way. Their functions are safe for concurrent use; all but Show may be nil.
type Pages struct {
	// Path is the address: "/top"; "/e/{key}", with the key in the visit; or "/@{player}", the name
	// of a person in the room, who is in the visit's People.
	Path string
	// Find returns the table that the page with a key shows. It returns ErrNoTable if there is no
	// such page.
	Find func(ctx context.Context, key string) (Subject, error)
	// Show returns the page for a visitor. It returns ErrNoTable if there is none.
	Show func(ctx context.Context, v Visit) (Page, error)
	// Running returns the key and the title of the page of what runs in a channel, for a list of
	// such pages. The key is "" if nothing runs there.
	Running func(ctx context.Context, ch ChannelID) (key, title string, err error)
	// Ask handles requests of the page's scripts, by the last part of the address. Without a
	// "table" in it, the room answers for the board of the page's subject.
	Ask map[string]Ask
	// File returns a file below the page's address, such as a picture. It returns ErrNoPicture if
	// there is none.
	File func(ctx context.Context, v Visit, name string) (File, error)
	// Pass signs in visitors from another platform.
	Pass *Pass
	// Members restricts the page to people whom the room admits. Live means that the page updates
	// as soon as something happens at a table.
	Members, Live bool
	// Framed means that scripts in the frame of another platform's client can ask too; see
	// [Activity].
	Framed bool
	// Missing is shown if there is no such page.
	Missing text.Text
}

// An Ask answers a question in JSON. If the answer is a Request, it is carried out, and the host's
// reply is the answer; a Reply is the answer itself. The error is a *PageError if the visitor can fix it.
type Ask func(ctx context.Context, v Visit, in []byte) (any, error)

// AskFunc turns a function that takes a question of type In into an Ask.
func AskFunc[In any](do func(ctx context.Context, v Visit, in In) (any, error)) Ask {
	return func(ctx context.Context, v Visit, b []byte) (any, error) {
		var in In
		if err := json.Unmarshal(b, &in); err != nil {
			return nil, &PageError{Text: text.Say("The room couldn't read that. Please reload the page.")}
		}
		return do(ctx, v, in)
	}
}

// A Pass lets people of another platform use pages as themselves, by a personal link.
type Pass struct {
	Cookie string // suffix of the cookie's name
	Days   int    // how long it is valid
	// Everywhere makes the pass valid on all pages of the path, for visitors who aren't signed in
	// to the room; else it is valid on one page.
	Everywhere bool
	// Enter redeems the pass in a link, once, and returns the person and the channel where they
	// asked for it. The error is a *PageError if the pass is invalid.
	Enter func(ctx context.Context, v Visit, pass string) (User, ChannelID, error)
}

// A Visit is a request for a page or something below its address. Its channel and table are the
// page subject's.
type Visit struct {
	Request
	Key   string
	Query url.Values
	// Open reports whether everybody may read a channel, and Reads whether the visitor may.
	Open, Reads func(ChannelID) bool
	// MayEnter means that the visitor has no name yet, and may enter the room by choosing one.
	MayEnter bool
}

// A Page is a page in the browser as one visitor sees it. Names in its texts become links if the
// person has a page.
type Page struct {
	Go     string // path to redirect to, "" to stay
	Title  text.Text
	About  text.Text // a sentence for search engines and link previews
	Blocks []Block
	// Head replaces the links to the general pages with actions.
	Head []Action
	// Screen makes the page suitable for a television or a stream: large, without a head. Clear
	// makes its background transparent.
	Screen, Clear bool
	// Preview is the file name of the picture in link previews, and Alt its description; "" for
	// none.
	Preview string
	Alt     text.Text
}

// A Block is a part of a page.
type Block interface{ block() }

// The kinds of blocks.
type (
	// A Section puts blocks under a heading. A folded one is opened by the reader, or by "#" and
	// its id in the address.
	Section struct {
		ID     string
		Title  text.Text
		Fold   bool
		Blocks []Block
	}
	// A Paragraph is a line of text. A quiet one is less prominent.
	Paragraph struct {
		Text  text.Text
		Quiet bool
	}
	// Facts are named values.
	Facts []Fact
	// Badges are short texts side by side.
	Badges []text.Text
	// A List is a numbered list.
	List []text.Text
	// A Table has columns with headings. If Cards is set, each row of it stands by itself on a
	// phone, with the headings in it, because the columns don't fit side by side.
	Table struct {
		Columns []Column
		Rows    [][]text.Text
		Cards   bool
	}
	// A Curve shows how a value changed, and describes it in its caption.
	Curve struct {
		Values  []int
		Caption text.Text
	}
	// Actions are links and buttons side by side.
	Actions []Action
	// A Board is a board that the visitor can lay tiles on. It comes first on its page, beside the
	// other blocks.
	Board struct {
		// Script is its use: "table" to play at the page's subject, "try" to try plays, "analyse"
		// to set up positions.
		Script string
		Label  text.Text
		Data   map[string]string // further data for the script
	}
	// Stills are pictures of boards side by side.
	Stills []Still
	// Games lists games as small boards, and shows the most recently active one on a large board.
	Games []ListedGame
	// Boards lists games as small boards.
	Boards []ListedGame
	// Plays lists plays as tiles.
	Plays []ListedPlay
)

// A Fact is a named value.
type Fact struct{ Name, Value text.Text }

// An Action is a link, or a button that a script of the page knows by its id.
type Action struct {
	Label   text.Text
	ID      string
	Link    string
	Saves   bool // whether the link downloads a file
	Primary bool
}

// A Still is a picture of a board: a file below the page's address, its subject, and the latest
// move.
type Still struct {
	Title, About text.Text
	File         string
	Caption      text.Text
	Action       Action // a link to more; none without a label
}

// A ListedGame is a game in a list: the path of its page, and the game as the visitor sees it. The
// note stands below it; without one, the latest event does.
type ListedGame struct {
	Path  string
	Sight Sight
	Note  text.Text
}

// A ListedPlay is a word that was played, its score, and the path of its game's page.
type ListedPlay struct {
	Word  string
	Score int
	Path  string
}

// A Column is the heading of a table's column. Columns of numbers are right-aligned.
type Column struct {
	Title  text.Text
	Number bool
}

func (Section) block()   {}
func (Paragraph) block() {}
func (Facts) block()     {}
func (Badges) block()    {}
func (List) block()      {}
func (Table) block()     {}
func (Curve) block()     {}
func (Games) block()     {}
func (Boards) block()    {}
func (Plays) block()     {}
func (Actions) block()   {}
func (Board) block()     {}
func (Stills) block()    {}
