package web

import (
	"context"
	"errors"
	"net/http"

	g "maragu.dev/gomponents"
	"maragu.dev/gomponents/html"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file has the page on which anybody analyses positions. What is looked at stands in
// the page's address, behind "#"; nothing of it is kept here.

const analysePath = "/analyse"

// analysePages are where anybody analyses positions.
type analysePages struct {
	analyst   bot.Analyst // nil where there is none
	answers   *answers
	guests    *guests
	listeners *listeners
}

func (pg *analysePages) routes(mux *http.ServeMux) {
	ask := pg.listeners.limit(4, 40)
	mux.HandleFunc("GET "+analysePath, pg.serve)
	mux.HandleFunc("POST "+analysePath+"/ask", onPage(pg.answers, pg.open, ask, pg.ask))
	mux.HandleFunc("POST "+analysePath+"/game", onPage(pg.answers, pg.open, ask, pg.game))
}

// open says who asks.
func (pg *analysePages) open(req *http.Request) (bot.Subject, guest, error) {
	if pg.analyst == nil {
		return bot.Subject{}, guest{}, errNothing
	}
	who, err := pg.guests.guest(req, bot.Subject{Over: true})
	return bot.Subject{Channel: stream(general).channelID()}, who, err
}

func (pg *analysePages) serve(w http.ResponseWriter, req *http.Request) {
	page, who, err := pg.open(req)
	if err != nil {
		pg.answers.fail(w, req, err)
		return
	}
	who.locale = req.Header.Get("Accept-Language")
	pg.answers.serve(w, req, http.StatusOK, document{
		tongue: pg.answers.tongue(req), title: pg.answers.inTheirs(req, text.Say("Analyse a position")),
		description: pg.answers.inTheirs(req, text.Say("All plays of any position, the best with reasons, and endings solved.")),
		styles:      []string{"board.css", "page.css", "analyse.css"}, script: "analyse.js",
		body: html.Body(html.Class("page"), analyseBody(pg.answers.tongue(req), pg.analyst.Lists(req.Context(), pageRequest(page, who, "", screen{})))),
	})
}

// analyseBody is what the page's script works on.
func analyseBody(to *text.Tongue, lists []string) g.Group {
	field := func(label string, input g.Node) g.Node { return html.Label(html.Span(g.Text(label)), input) }
	off := g.Group{html.AutoComplete("off"), g.Attr("spellcheck", "false"), g.Attr("autocapitalize", "characters")}
	return g.Group{
		pageHead(to),
		html.Main(html.Class("page-main with-board"),
			html.H1(html.Class("unseen"), g.Text("Analyse a position")),
			html.Div(html.Class("page-news"), html.P(html.ID("page-said"), html.Class("page-said"), html.Role("status"))),
			html.Section(html.Class("game page-game"), html.Aria("label", "The position"),
				html.Div(html.ID("board"), html.Class("board-box")),
				html.Div(html.ID("palette"), html.Class("palette"), html.Role("group"), html.Aria("label", "Tiles to put on the board"), hidden),
			),
			html.Div(html.Class("page-aside"),
				html.Form(html.ID("setup"), html.Class("setup"),
					field("Rack to move", html.Input(html.ID("rack"), off)),
					field("Opponent's rack, if known", html.Input(html.ID("theirs"), off)),
					field("Score", html.Input(html.ID("score"), html.Type("number"), html.Value("0"))),
					field("Opponent's score", html.Input(html.ID("their-score"), html.Type("number"), html.Value("0"))),
					g.If(len(lists) > 1, field("Word list", html.Select(html.ID("list"), g.Map(lists, func(name string) g.Node { return html.Option(html.Value(name), g.Text(name)) })))),
					html.Div(html.Class("after-buttons"),
						html.Button(html.ID("lay"), html.Class("button small"), html.Type("button"), html.Aria("pressed", "false"), g.Text("Lay tiles")),
						html.Button(html.ID("clear"), html.Class("button small"), html.Type("button"), g.Text("Empty board")),
						html.Button(html.ID("share"), html.Class("button small"), html.Type("button"), g.Text("Copy link")),
					),
				),
				html.Section(html.ID("best"), html.Class("judged-box"), html.Aria("label", "The best moves")),
				html.Section(html.ID("tree"), html.Class("tree"), html.Aria("label", "Lines")),
				html.Details(html.ID("plays"), html.Class("fair"), html.Summary(g.Text("All legal plays")), html.Ol(html.Class("moves"))),
				html.Details(html.ID("open"), html.Class("fair"),
					html.Summary(g.Text("Open a position or a game")),
					html.P(html.Class("quiet"), g.Text("A position as CGP, or a whole game as GCG.")),
					html.Textarea(html.ID("written"), html.Rows("4"), html.Aria("label", "CGP or GCG"), off),
					html.P(html.Input(html.ID("file"), html.Type("file"), html.Accept(".gcg,.cgp,.txt,.json"), html.Aria("label", "A file to open"))),
					html.Button(html.ID("read"), html.Class("button small primary"), html.Type("button"), g.Text("Open")),
					html.Ol(html.ID("moves"), html.Class("moves"), html.Aria("label", "The game's moves")),
				),
			),
		),
		html.Div(html.ID("offline"), html.Class("offline"), hidden),
		html.Div(html.ID("announce"), html.Class("unseen"), html.Role("status"), html.Aria("live", "polite"), html.Aria("atomic", "false")),
	}
}

func (pg *analysePages) ask(ctx context.Context, page bot.Subject, who guest, in bot.Question) (any, error) {
	found, err := pg.analyst.Analyse(ctx, pageRequest(page, who, "", screen{}), in)
	return found, analyseErr(err)
}

func (pg *analysePages) game(ctx context.Context, page bot.Subject, who guest, in struct {
	List    string `json:"list"`
	Written string `json:"written"`
}) (any, error) {
	all, err := pg.analyst.Positions(ctx, pageRequest(page, who, "", screen{}), in.List, []byte(in.Written))
	return map[string]any{"positions": all}, analyseErr(err)
}

// analyseErr is what is wrong with a question as a refusal.
func analyseErr(err error) error {
	var no *bot.PageError
	if errors.As(err, &no) {
		return &refusal{http.StatusUnprocessableEntity, no.Text}
	}
	return err
}
