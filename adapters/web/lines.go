package web

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// A storedLine is a message in a stream's log.
type storedLine struct {
	V       int            `json:"v"` // 1
	At      time.Time      `json:"at"`
	ID      string         `json:"id,omitempty"`   // id given by the browser
	From    *person        `json:"from,omitempty"` // nil means the host
	Text    []span         `json:"text"`
	Line    []span         `json:"line,omitempty"` // the same text in one line
	Picture *storedPicture `json:"picture,omitempty"`
	Buttons []button       `json:"buttons,omitempty"`

	// For posts of the host: the table, the number of its events at that time, and for
	// private posts the stream they are about.
	Table  bot.TableID `json:"table,omitempty"`
	Events int         `json:"events,omitempty"`
	About  stream      `json:"about,omitempty"`
	Kind   string      `json:"kind,omitempty"` // kind of the post
	// Standing is the name of a standing message, whose buttons stay valid whatever follows.
	Standing string `json:"standing,omitempty"`

	// Only is the only person who sees the line: its author, if the recipient has blocked them.
	Only string `json:"only,omitempty"`
}

// A span is a text.Span in JSON. Person is the id within the room, without the platform.
type span struct {
	Text   string `json:"text"`
	Person string `json:"person,omitempty"`
	Notify bool   `json:"notify,omitempty"`
	Strong bool   `json:"strong,omitempty"`
	Code   bool   `json:"code,omitempty"`
	Small  bool   `json:"small,omitempty"`
	Time   int64  `json:"time,omitempty"` // milliseconds since 1970
	Link   string `json:"link,omitempty"`
}

// A button is a bot.Button in JSON.
type button struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	Style string `json:"style,omitempty"` // primary, danger or none
	// Type is the command that the button types into the message box if an argument is
	// missing.
	Type string `json:"type,omitempty"`
	// Ask is set if the person types the one missing value beside the button.
	Ask  bool   `json:"ask,omitempty"`
	Link string `json:"link,omitempty"` // opened instead
}

// A menu is a bot.Menu of one choice in JSON. Its id is completed like a button's with Ask.
type menu struct {
	ID      string       `json:"id"`
	Label   string       `json:"label"`
	Choices []choiceInfo `json:"choices"`
}

// A message is a line as sent to the page.
type message struct {
	Stream   stream      `json:"stream,omitempty"`
	Number   uint64      `json:"number,omitempty"`
	ID       string      `json:"id,omitempty"`
	At       int64       `json:"at,omitempty"` // milliseconds since 1970
	From     *person     `json:"from,omitempty"`
	Text     []span      `json:"text"`
	Line     []span      `json:"line,omitempty"`
	Picture  *picture    `json:"picture,omitempty"`
	Buttons  []button    `json:"buttons,omitempty"`
	Table    bot.TableID `json:"table,omitempty"`
	Events   int         `json:"events,omitempty"`
	About    stream      `json:"about,omitempty"`
	Kind     string      `json:"kind,omitempty"`
	Standing string      `json:"standing,omitempty"`
	Menus    []menu      `json:"menus,omitempty"`   // private answers only
	Files    []file      `json:"files,omitempty"`   // private answers only
	Refused  bool        `json:"refused,omitempty"` // private answers only
	Rack     bool        `json:"rack,omitempty"`    // private answers only; see bot.Reply
}

// A file is a download for the person.
type file struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Alt  string `json:"alt,omitempty"`
	Data []byte `json:"data"` // base64 in JSON
}

func (l storedLine) message(s stream, n uint64) message {
	return message{Stream: s, Number: n, ID: l.ID, At: l.At.UnixMilli(), From: l.From, Text: l.Text, Line: l.Line, Picture: l.picture(s, n), Buttons: l.Buttons, Table: l.Table, Events: l.Events, About: l.About, Kind: l.Kind, Standing: l.Standing}
}

// notifies reports whether a line notifies anybody by name.
func (l storedLine) notifies() bool {
	return slices.ContainsFunc(l.Text, func(s span) bool { return s.Notify })
}

// mentions reports whether a line notifies a person by name.
func (l storedLine) mentions(p person) bool {
	for _, s := range l.Text {
		if s.Notify && s.Person == p.ID {
			return true
		}
	}
	return false
}

// isShownTo reports whether a person may see a line.
func (l storedLine) isShownTo(id string) bool { return l.Only == "" || l.Only == id }

// plainText returns a line's text without formatting.
func (l storedLine) plainText() string {
	var b strings.Builder
	for _, s := range l.Text {
		b.WriteString(s.Text)
	}
	return b.String()
}

func spans(t text.Text) []span {
	t = t.In(nil)
	all := make([]span, len(t))
	for i, s := range t {
		id, _ := memberID(s.Person)
		all[i] = span{Text: s.Text, Person: id, Notify: s.Notify, Strong: s.Strong, Code: s.Code, Small: s.Small, Link: s.Link}
		if !s.Time.IsZero() {
			all[i].Time = s.Time.UnixMilli()
		}
	}
	return all
}

// menus converts the menus of a private answer that allow one choice. The page shows others
// elsewhere, such as the tiles to exchange.
func menus(ms []bot.Menu) (all []menu) {
	for _, m := range ms {
		if m.Most > 1 {
			continue
		}
		shown := menu{ID: m.ID, Label: m.Label.String()}
		for _, c := range m.Choices {
			shown.Choices = append(shown.Choices, choiceInfo{Value: c.Value, Label: c.Label.String()})
		}
		all = append(all, shown)
	}
	return all
}

type choiceInfo struct {
	Value   string   `json:"value"`
	Label   string   `json:"label"`
	Without []string `json:"without,omitempty"` // options that make no sense with it
}

// picture returns the picture of the line with number n in a stream, or nil.
func (l storedLine) picture(s stream, n uint64) *picture {
	p := l.Picture
	if p == nil {
		return nil
	}
	shown := &picture{Alt: p.Alt, Width: p.Width, Height: p.Height}
	if p.Width > 0 {
		shown.Src = "/pictures/" + string(s) + "/" + l.pictureFile(n)
		shown.Dark = shown.Src + "?dark"
	}
	return shown
}

// pictureFile returns the file name of the picture of line n. Browsers cache it forever, so
// the name changes with an edit, and includes the time in case the room is set up again with
// the same numbers.
func (l storedLine) pictureFile(n uint64) string {
	return fmt.Sprintf("%d-%d-%d.png", n, l.At.UnixMilli(), l.Events)
}
