package web

import (
	"context"
	"errors"
	"net/http"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"maragu.dev/gomponents/html"
)

// This file has the page of the games that are on, at /live.

const livePath = "/live"

// livePages are those of the games that are on.
type livePages struct {
	host     bot.Host
	answers  *answers
	guests   *guests
	keys     pageKeys
	members  *members
	streams  *streams
	watching *watching
}

func (pg *livePages) routes(mux *http.ServeMux) {
	mux.HandleFunc("GET "+livePath, pg.serve)
	mux.HandleFunc("GET "+livePath+"/games", pg.serveGames)
	mux.HandleFunc("GET "+livePath+"/news", pg.serveNews)
}

// A liveGame is a game that everybody may watch.
type liveGame struct {
	path  string
	sight bot.Sight
}

// running are the games that are on in channels and in places beside them.
func (pg *livePages) running(ctx context.Context, who guest) (all []liveGame, err error) {
	channels, err := pg.streams.public(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range channels {
		sight, err := pg.host.Sight(ctx, pageRequest(bot.Subject{Channel: s.channelID()}, who, "", screen{}))
		if errors.Is(err, bot.ErrNoTable) || err == nil && sight.Phase != "playing" && sight.Phase != "closing" {
			continue
		}
		if err != nil {
			return nil, err
		}
		if err := pg.members.nameNow(ctx, &sight); err != nil {
			return nil, err
		}
		path, err := pg.keys.path(ctx, sight.Table)
		if err != nil {
			return nil, err
		}
		all = append(all, liveGame{path, sight})
	}
	return all, nil
}

func (pg *livePages) open(req *http.Request) ([]liveGame, error) {
	who, err := pg.guests.mayLook(req)
	if err != nil {
		return nil, err
	}
	who.locale = req.Header.Get("Accept-Language")
	return pg.running(req.Context(), who)
}

// serveGames lists the games for the page's script.
func (pg *livePages) serveGames(w http.ResponseWriter, req *http.Request) {
	all, err := pg.open(req)
	if err != nil {
		pg.answers.fail(w, req, err)
		return
	}
	type info struct {
		Page    string       `json:"page"`
		Number  int          `json:"number"`
		Caption string       `json:"caption"`
		Players []playerInfo `json:"players"`
	}
	games := []info{}
	for _, one := range all {
		game := info{one.path, one.sight.Number, one.sight.Caption, []playerInfo{}}
		for _, p := range one.sight.Players {
			game.Players = append(game.Players, playerInfo{p.Name, p.Score, p.ToMove, p.Robot, false})
		}
		games = append(games, game)
	}
	pg.answers.answer(w, http.StatusOK, map[string]any{"games": games})
}

func (pg *livePages) serve(w http.ResponseWriter, req *http.Request) {
	all, err := pg.open(req)
	if err != nil {
		pg.answers.fail(w, req, err)
		return
	}
	to := pg.answers.tongue(req)
	title := text.Say("Games being played")
	pg.answers.servePlace(w, req, title, "watch.js",
		html.H1(textIn(to, title)),
		html.Div(html.Class("live-main"),
			html.Section(html.ID("featured"), html.Class("game page-game"), html.Aria("label", text.Say("The game").In(to).String()), hidden, html.Div(html.ID("board"), html.Class("board-box")), html.P(html.A(html.ID("featured-link"), html.Class("button"), textIn(to, text.Say("Watch this game"))))),
			html.Div(html.ID("games"), liveList(to, all)),
		),
	)
}

// serveNews is a connection on which the page hears that there may be news.
func (pg *livePages) serveNews(w http.ResponseWriter, req *http.Request) {
	who, err := pg.guests.mayLook(req)
	if err != nil {
		pg.answers.fail(w, req, err)
		return
	}
	pg.watching.tell(w, req, anywhere, who.counted)
}
