package bot

import (
	"context"
	"net/url"

	"github.com/rackmate/rackmate/bot/text"
)

// Pages are pages in the browser that a feature has at one path. The room serves and draws
// all of them in the same way. Their functions are safe for concurrent use.
type Pages struct {
	// Path is the address: "/top"; "/e/{key}", whose key the visit has; or "/@{player}", the
	// name of a person of the room, whom the visit has in its People.
	Path string
	// Show returns the page for a visitor. The error is ErrNoTable if there is none.
	Show func(ctx context.Context, v Visit) (Page, error)
	// Members says that only those whom the room's door lets in see the page, and Live that
	// the page shows what changes as soon as something happens at a table.
	Members, Live bool
	// Missing says that there is no such page.
	Missing text.Text
}

// A Visit is a request for a page, or for what stands below its address.
type Visit struct {
	Request
	Key   string
	Query url.Values
	// Open reports whether everybody may read a channel.
	Open func(ChannelID) bool
}

// A Page is a page in the browser as one visitor sees it. Names in its texts become links to
// those who have a page.
type Page struct {
	Title  text.Text
	Blocks []Block
}

// A Block is a part of a page.
type Block interface{ block() }

// The blocks that there are.
type (
	// A Section puts blocks under a heading.
	Section struct {
		Title  text.Text
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
	// Games lists games, and shows the one where something happened last on a board.
	Games []ListedGame
)

// A Fact is a value with its name.
type Fact struct{ Name, Value text.Text }

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
