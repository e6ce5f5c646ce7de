package bot

import (
	"context"
	"encoding/json"
	"net/url"

	"github.com/rackmate/rackmate/bot/text"
)

// Pages are pages in the browser that a feature has at one path. The room serves and draws
// all of them in the same way. Their functions are safe for concurrent use; all but Show may
// be nil.
type Pages struct {
	// Path is the address: "/top"; "/e/{key}", whose key the visit has; or "/@{player}", the
	// name of a person of the room, whom the visit has in its People.
	Path string
	// Find returns the table that the page with a key shows. The error is ErrNoTable if there
	// is no such page.
	Find func(ctx context.Context, key string) (Subject, error)
	// Show returns the page for a visitor. The error is ErrNoTable if there is none.
	Show func(ctx context.Context, v Visit) (Page, error)
	// Ask answers what the page's scripts ask for, by the last part of the address. Without a
	// "table" among it the room answers for the board of the page's subject.
	Ask map[string]Ask
	// File returns what stands below the page's address under a name, such as a picture. The
	// error is ErrNoPicture if there is nothing.
	File func(ctx context.Context, v Visit, name string) (File, error)
	// Pass makes the visitor somebody of another platform.
	Pass *Pass
	// Members says that only those whom the room's door lets in see the page, and Live that
	// the page shows what changes as soon as something happens at a table.
	Members, Live bool
	// Missing says that there is no such page.
	Missing text.Text
}

// An Ask answers a question in JSON. An answer that is a Request is carried out, and what the
// host replies is the answer. Its error is a *PageError if the visitor can mend it.
type Ask func(ctx context.Context, v Visit, in []byte) (any, error)

// Asking makes an Ask of a function that takes a question of type In.
func Asking[In any](do func(ctx context.Context, v Visit, in In) (any, error)) Ask {
	return func(ctx context.Context, v Visit, b []byte) (any, error) {
		var in In
		if err := json.Unmarshal(b, &in); err != nil {
			return nil, &PageError{Text: text.Say("The room couldn't read that. Please reload the page.")}
		}
		return do(ctx, v, in)
	}
}

// A Pass is how somebody of another platform comes to pages as themselves: by a link that is
// theirs alone.
type Pass struct {
	Cookie string // the end of the name of what their browser keeps
	Days   int    // how long it serves
	// Everywhere says that it serves on all pages of the path, for those who are nobody in the
	// room; else on the one page alone.
	Everywhere bool
	// Enter takes the pass out of a link, and returns who they are and where they asked for it.
	// It takes each pass once. The error is a *PageError if the pass doesn't serve.
	Enter func(ctx context.Context, v Visit, pass string) (User, ChannelID, error)
}

// A Visit is a request for a page, or for what stands below its address. Its channel and
// table are those of the page's subject.
type Visit struct {
	Request
	Key   string
	Query url.Values
	// Open reports whether everybody may read a channel, and Reads whether the visitor may.
	Open, Reads func(ChannelID) bool
}

// A Page is a page in the browser as one visitor sees it. Names in its texts become links to
// those who have a page.
type Page struct {
	Go     string // the path of another page to go to, "" to stay
	Title  text.Text
	About  text.Text // a sentence for search engines, and for sites that show a preview
	Blocks []Block
	// Head are actions that stand in place of the links to the pages for everybody.
	Head []Action
	// Screen makes the page one for a television or a stream: large, and without a head. Clear
	// makes its ground transparent.
	Screen, Clear bool
	// Preview is the name of a file: what sites show beside a link to the page, with the same
	// in words; "" is nothing.
	Preview string
	Alt     text.Text
}

// A Block is a part of a page.
type Block interface{ block() }

// The blocks that there are.
type (
	// A Section puts blocks under a heading. A folded one is opened by its reader, or by "#"
	// and its id in the address.
	Section struct {
		ID     string
		Title  text.Text
		Fold   bool
		Blocks []Block
	}
	// A Paragraph is a line of text. A quiet one stands back.
	Paragraph struct {
		Text  text.Text
		Quiet bool
	}
	// Facts are values with their names.
	Facts []Fact
	// Badges are short texts, one beside the other.
	Badges []text.Text
	// A List has an item a line, numbered.
	List []text.Text
	// A Table has columns with headings.
	Table struct {
		Columns []Column
		Rows    [][]text.Text
	}
	// A Curve shows how a value changed, and says the same in its caption.
	Curve struct {
		Values  []int
		Caption text.Text
	}
	// Actions are links and buttons, one beside the other.
	Actions []Action
	// A Board is laid on by the visitor. It stands first on its page, beside the other blocks.
	Board struct {
		// Script says what for: "table" to play at the page's subject, "try" to try plays, "analyse" to put
		// positions together.
		Script string
		Label  text.Text
		Data   map[string]string // what the script knows beside
	}
	// Stills are pictures of boards, one beside the other.
	Stills []Still
	// Games lists games, and shows the one where something happened last on a board.
	Games []ListedGame
)

// A Fact is a value with its name.
type Fact struct{ Name, Value text.Text }

// An Action is a link, or a button that a script of the page knows by its id.
type Action struct {
	Label   text.Text
	ID      string
	Link    string
	Saves   bool // the link is to a file to keep
	Primary bool
}

// A Still is the picture of a board: a file below the page's address, what it is of, and what
// happened last.
type Still struct {
	Title, About text.Text
	File         string
	Caption      text.Text
	Action       Action // a way on; without a label there is none
}

// A ListedGame is a game in a list: the path of its page, and the game as the visitor sees it.
type ListedGame struct {
	Path  string
	Sight Sight
}

// A Column is the heading of a table's column. That of numbers is aligned.
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
func (Actions) block()   {}
func (Board) block()     {}
func (Stills) block()    {}
