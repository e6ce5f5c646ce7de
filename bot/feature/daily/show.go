package daily

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// passDays sets how many days a browser stays signed in to daily boards. A board may be open on
// three dates.
const passDays = 3

// all returns the pages of boards, at /d/ and a key. /d leads to today's board.
func (p pages) all() []bot.Pages {
	missing := text.Say("There's no such board, or it isn't open yet.")
	pass := &bot.Pass{Cookie: "daily", Days: passDays, Everywhere: true, Enter: p.enter}
	return []bot.Pages{
		{Path: "/d", Show: p.showToday, Pass: pass, Framed: true, Ask: map[string]bot.Ask{"today": bot.AskFunc(p.tellToday)}, Missing: missing},
		{
			Path: "/d/{key}", Find: p.find, Show: p.show, File: p.file, Pass: pass, Framed: true,
			Ask:     map[string]bot.Ask{"table": bot.AskFunc(p.look), "draft": bot.AskFunc(p.draft), "act": bot.AskFunc(p.act)},
			Missing: missing,
		},
	}
}

// find returns the place whose day a key identifies, so that access can be checked. The board of
// all places is open to everybody.
func (p pages) find(ctx context.Context, key string) (bot.Subject, error) {
	l, err := p.resolveKey(ctx, key)
	return bot.Subject{Channel: l.place, Over: l.place == ""}, err
}

// showToday redirects to today's board.
func (p pages) showToday(ctx context.Context, v bot.Visit) (bot.Page, error) {
	key, err := p.keyFor(ctx, v)
	return bot.Page{Go: "/d/" + key}, err
}

// tellToday returns the address and state of today's board, for pages that show it among other
// things.
func (p pages) tellToday(ctx context.Context, v bot.Visit, _ struct{}) (any, error) {
	key, err := p.keyFor(ctx, v)
	if err != nil {
		return nil, err
	}
	v.Key = key
	l, err := p.resolveKey(ctx, key)
	if err != nil {
		return nil, err
	}
	v.Channel = cmp.Or(l.place, v.Channel)
	d, err := p.page(ctx, v)
	return struct {
		Path  string    `json:"path"`
		Table boardPage `json:"table"`
	}{"/d/" + key, d}, err
}

// keyFor returns the key of today's board for a visitor: of the board for all places if they can't
// read the place.
func (p pages) keyFor(ctx context.Context, v bot.Visit) (string, error) {
	key, err := p.todayKey(ctx, v.Request)
	if err != nil {
		return "", err
	}
	l, err := p.resolveKey(ctx, key)
	if err != nil {
		return "", err
	}
	if l.place != "" && !v.Reads(l.place) {
		key, _, _ = strings.Cut(key, "~")
	}
	return key, nil
}

func (p pages) show(ctx context.Context, v bot.Visit) (bot.Page, error) {
	d, err := p.page(ctx, v)
	if err != nil {
		return bot.Page{}, err
	}
	page := bot.Page{
		Title: text.Plain(d.Title), About: text.Say("Which play scores most? Everybody has six tries."),
		Preview: fmt.Sprintf("picture.png?%d", d.Number), Alt: text.Plain(d.Title),
		Blocks: []bot.Block{
			bot.Board{Script: "try", Label: text.Say("The board")},
			bot.Section{ID: "fair", Title: text.Say("Fair boards"), Fold: true, Blocks: []bot.Block{
				bot.Paragraph{Text: text.Say("The next board is fixed already: its digest stands in small type under today's message. Compare that one: here it is only the host's word. When a board is over, anybody can make it again from its proof.")},
				bot.Paragraph{Text: text.Text{text.Code(d.Digest)}, Quiet: true},
			}},
		},
	}
	if v.User.ID == "" {
		page.Head = []bot.Action{{Label: text.Say("Come in"), Link: "/", Primary: true}}
	}
	return page, nil
}

func (p pages) look(ctx context.Context, v bot.Visit, _ struct{}) (any, error) {
	return p.page(ctx, v)
}

// A play is a word and its square.
type play struct {
	Word string `json:"word"`
	At   string `json:"at"`
}

func (pl play) args() map[string]string { return map[string]string{"word": pl.Word, "at": pl.At} }

func (p pages) draft(ctx context.Context, v bot.Visit, in play) (any, error) {
	v.Command, v.Args = "daily", in.args()
	return p.score(ctx, v.Key, v.Request)
}

// A tryAction is the player's action on the board.
type tryAction struct {
	ID      string `json:"id"`
	Command string `json:"command"`
	Args    play   `json:"args"`
	Dark    bool   `json:"dark"`
	Zone    string `json:"zone"`
}

// act turns a try on the page into a request.
func (p pages) act(ctx context.Context, v bot.Visit, in tryAction) (any, error) {
	if in.Command != "daily" || in.Args.Word == "" || in.Args.At == "" {
		return nil, &bot.PageError{Text: text.Say("The room couldn't read that. Please reload the page.")}
	}
	l, err := p.resolveKey(ctx, v.Key)
	if err != nil {
		return nil, err
	}
	if v.MayEnter && !l.over {
		return p.judgeAnonymously(ctx, v, l, in.Args)
	}
	return bot.Request{
		ID: "daily:" + in.ID, Channel: cmp.Or(l.place, v.Channel), User: v.User, Locale: v.Locale, Dark: in.Dark, Zone: in.Zone,
		Command: "daily", Number: int(l.day), Args: in.Args.args(),
	}, nil
}

// judgeAnonymously judges a play of a visitor without a name, and keeps nothing: the page then asks
// for the name, and sends the play again.
func (p pages) judgeAnonymously(ctx context.Context, v bot.Visit, l pageSubject, pl play) (bot.Reply, error) {
	b, err := p.boards.board(ctx, l.boardID())
	if err != nil {
		return bot.Reply{}, err
	}
	req := v.Request
	req.Command, req.Args = "daily", pl.args()
	j, refused, err := judge(p.desk, req, l.today, b)
	if refused != nil || err != nil {
		return cmp.Or(refused, &bot.Reply{}).In(p.desk.LocaleFor(ctx, req)), err
	}
	return bot.Reply{Text: j.describe().In(p.desk.LocaleFor(ctx, req))}, nil
}

// file returns a finished board's proof, or the picture that sites show beside a link.
func (p pages) file(ctx context.Context, v bot.Visit, name string) (f bot.File, err error) {
	switch name {
	case "picture.png":
		picture, err := p.picture(ctx, v.Key, p.desk.LocaleFor(ctx, v.Request))
		if err != nil {
			return f, err
		}
		return bot.File{Type: "image/png", Alt: picture.Alt, Data: picture.PNG}, nil
	case "proof":
		if f, err = p.proof(ctx, v.Key); errors.Is(err, bot.ErrNoTable) {
			err = &bot.PageError{Text: text.Say("The proof gives the best play away, so you get it once the board is over.")}
		}
		return f, err
	}
	return f, bot.ErrNoTable
}

// enter redeems a pass, and returns its owner and the channel where they asked for it.
func (p pages) enter(ctx context.Context, v bot.Visit, said string) (u bot.User, ch bot.ChannelID, err error) {
	if _, err := p.resolveKey(ctx, v.Key); err != nil {
		return u, "", err
	}
	return p.links.enter(ctx, said)
}

// A boardPage is a board's page as its script gets it, for one person and in their language.
type boardPage struct {
	Sight  bot.Sight   `json:"sight"`
	Number int         `json:"number"` // of the board
	Title  string      `json:"title"`
	Date   string      `json:"date"` // 2026-11-25
	Over   bool        `json:"over"`
	State  text.Text   `json:"state"` // the board's state for the visitor
	Tries  []pageTry   `json:"tries,omitempty"`
	Streak string      `json:"streak,omitempty"`
	Share  string      `json:"share,omitempty"` // result to show to others
	Facts  []text.Text `json:"facts,omitempty"` // how it went, once it is over
	// Plays lists the best plays, and Results the players, once it is over.
	Plays   []bestPlay   `json:"plays,omitempty"`
	Results []pageResult `json:"results,omitempty"`
	// Before and After are the keys of the neighbouring days' pages, "" if there is none.
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	Digest string `json:"digest,omitempty"` // of the next board
	Proof  bool   `json:"proof,omitempty"`  // whether a proof can be downloaded
	Left   int    `json:"left"`             // tries that the visitor has left
	// Stranger means that the visitor has no name yet and may give one after a first try.
	Stranger bool `json:"stranger,omitempty"`
}

// A pageTry is a play that the player has tried.
type pageTry struct {
	Level int    `json:"level"` // number of its band: 0 is the best play
	Band  string `json:"band"`  // in words
	Play  string `json:"play"`
	Score int    `json:"score"`
}

// A bestPlay is one of the best plays of a daily board.
type bestPlay struct {
	Play    string   `json:"play"` // "8H HORN"
	Score   int      `json:"score"`
	Squares []int    `json:"squares"` // on which it lays tiles
	Tiles   []string `json:"tiles"`
}

// A pageResult is a player's result on a place's day.
type pageResult struct {
	Place   int       `json:"place"`
	Name    string    `json:"name"`
	Score   int       `json:"score"`
	Percent int       `json:"percent"` // of the best play's score
	Own     bool      `json:"own,omitempty"`
	Tries   []pageTry `json:"tries"`
}
