package pages

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	g "maragu.dev/gomponents"
	"maragu.dev/gomponents/html"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file draws pages made of blocks.

// A drawing turns a page into markup, in one language.
type drawing struct {
	ctx    context.Context
	to     *text.Locale
	room   Room
	base   string // the page's address
	of     string // the page's player as in its path, or ""
	within int    // number of sections around the current block
	err    error  // the first error
}

// page returns a page as a document, and the parts of it that change.
func (d *drawing) page(page bot.Page, live bool) (Document, g.Node) {
	title := page.Title.In(d.to).String()
	doc := Document{
		locale: d.to, title: title, description: d.describe(page), hidden: true,
		styles: []string{"board.css", "page.css", "blocks.css"}, script: "page.js", Head: d.preview(page),
	}
	board, blocks := boardOf(page.Blocks)
	class, seen := "page-blocks", g.Node(nil)
	if board.Script != "" {
		doc.script = "boardpage.js"
		class, seen = "page-main", g.If(board.Script == "table" || board.Script == "analyse", html.Class("unseen"))
		if !slices.ContainsFunc(page.Blocks, isEmptyGames) {
			class += " awaits-board"
		}
		if style, has := boardStyles[board.Script]; has {
			doc.styles = append(doc.styles, style)
		}
	}
	parts := g.Group{
		html.Div(html.Class("page-news"),
			html.H1(html.ID("page-title"), seen, face(d.of), g.El("bdi", g.Text(title))),
			html.P(html.ID("page-said"), html.Class("page-said"), html.Role("status")),
			html.Div(html.ID("offline"), html.Class("offline"), html.Role("status"), hidden, TextIn(d.to, text.Say("Reconnecting…"))),
		),
		g.If(board.Script != "", d.board(board)),
		html.Div(html.Class("page-aside"), g.Map(blocks, d.block)),
	}
	look := "page"
	if page.Screen {
		look += " screen"
	}
	if page.Clear {
		look += " clear"
	}
	doc.body = html.Body(html.Class(look), html.Data("base", d.base), g.If(live && board.Script != "table", html.Data("live", "")),
		g.Iff(!page.Screen, func() g.Node { return d.head(page.Head) }),
		g.If(board.Script != "", html.NoScript(html.P(html.Class("noscript"), g.Text(doc.description), g.Text(" "), TextIn(d.to, text.Say("The board itself needs JavaScript."))))),
		html.Main(html.ID("blocks"), html.Class(class), parts),
		html.Div(html.ID("announce"), html.Class("unseen"), html.Role("status"), html.Aria("live", "polite"), html.Aria("atomic", "false")),
	)
	return doc, parts
}

// face draws a player's tile, on the pages of players.
func face(player string) g.Node {
	name, is := strings.CutPrefix(player, "@")
	letter, _ := utf8.DecodeRuneInString(name)
	if !is || letter == utf8.RuneError {
		return nil
	}
	return html.Span(html.Class("tile face-tile"), html.Aria("hidden", "true"), g.Text(strings.ToUpper(string(letter))))
}

// describe returns a sentence that describes a page.
func (d *drawing) describe(page bot.Page) string {
	if page.About == nil {
		return About.In(d.to).String()
	}
	return page.About.In(d.to).String()
}

// preview returns the tags that other sites read for a link's preview.
func (d *drawing) preview(page bot.Page) g.Node {
	card, alt := "", ""
	if page.Preview != "" {
		card, alt = d.room.URL+d.base+"/"+page.Preview, page.Alt.In(d.to).String()
	}
	return LinkPreview(d.room.URL, page.Title.In(d.to).String(), d.describe(page), card, alt)
}

// boardStyles maps the purpose of a board to the style of its script, if it has one.
var boardStyles = map[string]string{"try": "daily.css", "analyse": "analyse.css"}

// boardOf takes the board out of a page's blocks. A list of games gets a board to watch
// them.
func boardOf(all []bot.Block) (board bot.Board, rest []bot.Block) {
	for _, b := range all {
		switch b := b.(type) {
		case bot.Board:
			board = b
			continue
		case bot.Games:
			board = bot.Board{Script: "watch", Label: text.Say("The game")}
		}
		rest = append(rest, b)
	}
	return board, rest
}

// isEmptyGames reports whether a block is a list of no games, whose board is hidden.
func isEmptyGames(b bot.Block) bool {
	games, ok := b.(bot.Games)
	return ok && len(games) == 0
}

// board draws a board for its script to fill, and a place beside it. Both survive when the
// page is redrawn.
func (d *drawing) board(b bot.Board) g.Node {
	data := g.Group{}
	for _, name := range slices.Sorted(maps.Keys(b.Data)) {
		data = append(data, html.Data(name, b.Data[name]))
	}
	watch := b.Script == "watch"
	return g.Group{
		html.Section(html.Class("game page-game"), html.Data("keep", "board"), html.Data("does", b.Script), html.Aria("label", b.Label.In(d.to).String()), data, g.If(watch, hidden),
			html.Div(html.ID("board"), html.Class("board-box")),
			g.If(watch, html.P(html.A(html.Class("button"), TextIn(d.to, text.Say("Watch this game"))))),
		),
		html.Div(html.ID("beside"), html.Class("page-beside"), html.Data("keep", "beside")),
	}
}

// head draws the head of a page: its actions, or the links to the public pages.
func (d *drawing) head(actions []bot.Action) g.Node {
	if len(actions) == 0 {
		return pageHead(d.to)
	}
	return html.Header(html.Class("page-head"), pageHome(), g.Map(actions, func(a bot.Action) g.Node { return d.action(a, "button small") }))
}

// action draws a link or a button.
func (d *drawing) action(a bot.Action, class string) g.Node {
	if a.Primary {
		class += " primary"
	}
	if a.Link != "" {
		return html.A(html.Class(class), html.Href(a.Link), g.If(a.Saves, g.Attr("download")), d.text(a.Label))
	}
	return html.Button(html.ID(a.ID), html.Class(class), html.Type("button"), d.text(a.Label))
}

// pageHome draws the link to the room.
func pageHome() g.Node {
	return html.A(html.Class("page-home"), html.Href("/"), html.Span(html.Class("brand"), html.Aria("hidden", "true")), g.Text("Rackmate"))
}

// pageHead draws the links to the public pages.
func pageHead(to *text.Locale) g.Node {
	link := func(path string, label text.Text) g.Node { return html.A(html.Href(path), TextIn(to, label)) }
	return html.Header(html.Class("page-head"),
		pageHome(),
		html.Nav(html.Class("page-nav"), html.Aria("label", text.Say("Pages").In(to).String()),
			link(LivePath, text.Say("Live")), link("/top", text.Say("Players")), link("/analyse", text.Say("Analyse")),
		),
	)
}

// block draws a block.
func (d *drawing) block(b bot.Block) g.Node {
	switch b := b.(type) {
	case bot.Section:
		id := g.If(b.ID != "", html.ID(b.ID))
		if b.Fold {
			return html.Details(html.Class("block fold"), id, html.Summary(d.text(b.Title)), g.Map(b.Blocks, d.block))
		}
		heading := html.H2
		if d.within > 0 {
			heading = html.H3
		}
		d.within++
		defer func() { d.within-- }()
		return html.Section(html.Class("block"), id, heading(d.text(b.Title)), g.Map(b.Blocks, d.block))
	case bot.Paragraph:
		return html.P(g.If(b.Quiet, html.Class("quiet")), d.text(b.Text))
	case bot.Facts:
		return html.Dl(html.Class("facts"), g.Map(b, func(f bot.Fact) g.Node {
			return html.Div(html.Class("fact"), html.Dt(d.text(f.Name)), html.Dd(d.text(f.Value)))
		}))
	case bot.Badges:
		return html.Ul(html.Class("badges"), g.Map(b, d.item))
	case bot.List:
		return html.Ol(html.Class("list"), g.Map(b, d.item))
	case bot.Table:
		return d.table(b)
	case bot.Curve:
		return d.curve(b)
	case bot.Games:
		return d.games(b)
	case bot.Boards:
		return d.boards(b)
	case bot.Plays:
		return d.drawPlays(b)
	case bot.Stills:
		return html.Div(html.Class("stills"), g.Map(b, d.drawStill))
	case bot.Actions:
		return html.Div(html.Class("after-buttons"), g.Map(b, func(a bot.Action) g.Node { return d.action(a, "button") }))
	}
	return nil
}

// drawStill draws the picture of a board.
func (d *drawing) drawStill(s bot.Still) g.Node {
	return html.Div(html.Class("still"),
		html.H3(d.text(s.Title)), html.P(html.Class("quiet"), d.text(s.About)),
		html.Img(html.Src(d.base+"/"+s.File), html.Alt(s.Caption.In(d.to).String()), g.Attr("loading", "lazy")),
		html.P(html.Class("still-last"), d.text(s.Caption)),
		g.Iff(s.Action.Label != nil, func() g.Node { return html.P(d.action(s.Action, "")) }),
	)
}

func (d *drawing) item(t text.Text) g.Node { return html.Li(d.text(t)) }

// text draws a text. Names link to the players' pages, if they have one.
func (d *drawing) text(t text.Text) g.Node {
	return g.Map(t.In(d.to), func(s text.Span) g.Node {
		switch {
		case s.Person != "":
			return d.player(s)
		case s.Link != "":
			return html.A(html.Href(s.Link), g.Text(s.Text))
		case s.Strong:
			return html.B(g.Text(s.Text))
		case s.Code:
			return html.Code(g.Text(s.Text))
		case !s.Time.IsZero():
			return html.Time(html.DateTime(s.Time.UTC().Format(time.RFC3339)), g.Text(s.Text))
		}
		return g.Text(s.Text)
	})
}

// player draws a player's current name, with a link if they have a page here.
func (d *drawing) player(s text.Span) g.Node {
	name, found, err := d.room.Name(d.ctx, s.Person)
	d.err = cmp.Or(d.err, err)
	if !found {
		return g.El("bdi", g.Text(s.Text))
	}
	return html.A(html.Href("/@"+url.PathEscape(name)), g.El("bdi", g.Text(name)))
}

// table draws a table, which scrolls if it is wider than the screen.
func (d *drawing) table(b bot.Table) g.Node {
	return html.Div(html.Class("block-scroll"), html.Table(g.If(b.Cards, html.Class("cards")),
		html.THead(html.Tr(g.Map(b.Columns, func(c bot.Column) g.Node { return html.Th(html.Scope("col"), d.text(c.Title)) }))),
		html.TBody(g.Map(b.Rows, func(cells []text.Text) g.Node {
			var row g.Group
			for i, cell := range cells {
				c := b.Columns[i]
				row = append(row, html.Td(g.If(c.Number, html.Class("number")), g.If(b.Cards, html.Data("label", c.Title.In(d.to).String())), d.text(cell)))
			}
			return html.Tr(row)
		})),
	))
}

// curve draws a curve with a dot at its end, or nothing if there are fewer than two values.
func (d *drawing) curve(b bot.Curve) g.Node {
	if len(b.Values) < 2 {
		return nil
	}
	const wide, high = 600, 120
	low, top := slices.Min(b.Values), slices.Max(b.Values)
	var line strings.Builder
	for i, v := range b.Values {
		fmt.Fprintf(&line, "%.1f,%.1f ", float64(i)*wide/float64(len(b.Values)-1), high-float64(v-low)*high/float64(max(top-low, 1)))
	}
	return html.Figure(html.Class("chart"),
		g.El("svg", g.Attr("viewBox", fmt.Sprintf("-6 -6 %d %d", wide+12, high+12)), html.Aria("hidden", "true"), g.Attr("preserveAspectRatio", "none"),
			g.El("polyline", g.Attr("points", strings.TrimSpace(line.String())), g.Attr("vector-effect", "non-scaling-stroke")),
			g.El("path", html.Class("end"), g.Attr("d", fmt.Sprintf("M%d %.1fh0", wide, high-float64(b.Values[len(b.Values)-1]-low)*high/float64(max(top-low, 1)))), g.Attr("vector-effect", "non-scaling-stroke")),
		),
		g.El("figcaption", html.Class("quiet"), d.text(b.Caption)),
	)
}

// games lists games as small boards. The page's script draws them, and shows one of them on the
// watched board.
func (d *drawing) games(b bot.Games) g.Node {
	if len(b) == 0 {
		return html.P(TextIn(d.to, text.Say("No game is being played just now.")), g.Text(" "), html.A(html.Href("/"), TextIn(d.to, text.Say("Play one"))))
	}
	return d.boards(b)
}

// boards draws games as small boards with their players and scores; see static/mini.js.
func (d *drawing) boards(b []bot.ListedGame) g.Node {
	return html.Ul(html.Class("boards"), g.Map(b, func(one bot.ListedGame) g.Node {
		board, err := json.Marshal(SmallBoardOf(one.Sight.Scene))
		d.err = cmp.Or(d.err, err, d.room.NameNow(d.ctx, &one.Sight))
		best := 0
		for _, p := range one.Sight.Players {
			best = max(best, p.Score)
		}
		note := g.Node(g.Text(one.Sight.Caption))
		if one.Note != nil {
			note = d.text(one.Note)
		}
		return html.Li(html.Data("path", one.Path), html.Data("number", strconv.Itoa(one.Sight.Number)),
			html.A(html.Class("board-card"), html.Href(one.Path),
				html.Span(html.Class("mini"), html.Data("mini", string(board))),
				html.Span(html.Class("board-players"), g.Map(one.Sight.Players, func(p bot.Player) g.Node {
					class := "board-player"
					if p.ToMove {
						class += " to-move"
					}
					if one.Sight.Phase == "over" && p.Score == best {
						class += " won"
					}
					return html.Span(html.Class(class), g.El("bdi", g.Text(p.Name)), html.B(g.Text(strconv.Itoa(p.Score))))
				})),
				html.Span(html.Class("board-note"), note),
			))
	}))
}

// drawPlays draws plays as tiles.
func (d *drawing) drawPlays(b bot.Plays) g.Node {
	return html.Ul(html.Class("laid-plays"), g.Map(b, func(p bot.ListedPlay) g.Node {
		return html.Li(html.A(html.Href(p.Path), html.Aria("label", p.Word+" "+strconv.Itoa(p.Score)),
			html.Span(html.Class("laid-word"), html.Aria("hidden", "true"), g.Map([]rune(p.Word), func(r rune) g.Node { return html.Span(html.Class("tile"), g.Text(string(r))) })),
			html.B(html.Aria("hidden", "true"), g.Text(strconv.Itoa(p.Score)))))
	}))
}

// A SmallBoard is what a small picture of a board shows; see static/mini.js.
type SmallBoard struct {
	Size    int            `json:"size"`
	Squares string         `json:"squares"`
	Board   map[int]string `json:"board"` // by square
	Fresh   []int          `json:"fresh,omitempty"`
}

// SmallBoardOf returns the small picture of a table's board.
func SmallBoardOf(s bot.Scene) SmallBoard {
	small := SmallBoard{s.Size, s.Squares, map[int]string{}, s.Fresh}
	for square, tile := range s.Board {
		if tile != "" {
			small.Board[square] = tile
		}
	}
	return small
}
