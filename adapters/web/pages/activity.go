package pages

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	g "maragu.dev/gomponents"
	"maragu.dev/gomponents/html"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file serves the board that another platform's client shows in a frame: see
// [bot.Activity]. All its paths are below activityPath, which the platform's proxy serves
// as a site of its own.
//
// A bearer that the page keeps in memory identifies the frame's user: the person named by
// the platform, in one instance and its channel, for as long as they are present.

// activityPages serves the pages that a platform's own client shows.
type activityPages struct {
	platform bot.Activity // nil if there is none
	host     bot.Host
	log      *slog.Logger
	now      func() time.Time
	games    bot.TablePages // nil if there are none
	answers  *Answers
	boards   *boards
	clients  *Clients
	cookies  *Cookies
	room     Room
	watching *watching
}

// isFrom reports whether a request comes from the frame's own page, as far as the browser
// tells. Another application's proxy could lead here too.
func (pg *activityPages) isFrom(req *http.Request) bool {
	origin := req.Header.Get("Origin")
	return origin == "" || pg.platform != nil && origin == pg.platform.Frame().Origin
}

// An activitySession is the content of a frame's bearer.
type activitySession struct {
	Player   bot.PlayerID  `json:"p"`
	Name     string        `json:"n"`
	Instance string        `json:"i"`
	Channel  bot.ChannelID `json:"c"`
	// Table is the table that the person came for, and At its channel. 0 means the channel's current table.
	Table bot.TableID   `json:"t,omitempty"`
	At    bot.ChannelID `json:"a,omitempty"`
	Until int64         `json:"u"` // seconds since 1970
}

// activityTime is the longest validity of a bearer. The page gets another when the frame is
// opened again.
const activityTime = 24 * time.Hour

// session returns the session of a request. ok is false unless its bearer is ours and
// valid.
func (pg *activityPages) session(req *http.Request) (s activitySession, ok bool) {
	sealed, bearer := strings.CutPrefix(req.Header.Get("Authorization"), "Bearer ")
	if !bearer || !inActivity(req) || !pg.cookies.Unseal("activity", sealed, &s) {
		return activitySession{}, false
	}
	return s, pg.now().Unix() < s.Until
}

// player returns the player whom a request's bearer names, or "".
func (pg *activityPages) player(req *http.Request) bot.PlayerID {
	s, ok := pg.session(req)
	if !ok {
		return ""
	}
	return s.Player
}

var (
	errNoActivity = &Refusal{http.StatusNotFound, text.Say("This kind of board isn't available here.")}
	errNotPresent = &Refusal{http.StatusUnauthorized, text.Say("You've been signed out here. Close the board and open it again.")}
)

// routes adds the routes below activityPath. The handler files serves static files; all are
// the pages of features, of which the frame uses some.
func (pg *activityPages) routes(mux *http.ServeMux, files http.Handler, all []bot.Pages) {
	act, ask := pg.room.Limit(2, 20), pg.room.Limit(20, 60)
	failures, look := pg.room.Limit(1, 200), pg.room.Limit(2, 40)
	mux.HandleFunc("GET "+activityPath, pg.serve)
	mux.HandleFunc("GET "+activityPath+"/{$}", pg.serve)
	mux.Handle("GET "+activityPath+"/static/", http.StripPrefix(activityPath, files))
	mux.Handle("GET "+activityPath+"/texts/", http.StripPrefix(activityPath, files))
	mux.HandleFunc("POST "+activityPath+"/enter", pg.serveEnter(failures, look))
	mux.HandleFunc("GET "+activityPath+"/live", pg.serveLive)
	mux.HandleFunc("POST "+activityPath+"/table", onPage(pg.answers, pg.open, ask, pg.table))
	mux.HandleFunc("POST "+activityPath+"/draft", onPage(pg.answers, pg.open, ask, pg.boards.draft))
	mux.HandleFunc("POST "+activityPath+"/act", onPage(pg.answers, pg.open, act, pg.act))
	mux.HandleFunc("POST "+activityPath+"/press", onPage(pg.answers, pg.open, act, pg.press))
	mux.HandleFunc("POST "+activityPath+"/share", onPage(pg.answers, pg.open, act, pg.share))
	mux.HandleFunc("POST "+activityPath+"/lobby", onPage(pg.answers, pg.open, act, pg.lobby))
	mux.HandleFunc("POST "+activityPath+"/turn", pg.serveTurn(act))
	for _, p := range all {
		if !p.Framed {
			continue
		}
		for name, answer := range p.Ask {
			mux.HandleFunc("POST "+activityPath+p.Path+"/"+name, func(w http.ResponseWriter, req *http.Request) { pg.serveAsk(w, req, p, ask, answer) })
		}
	}
}

// serve writes the page, which only the platform's pages may embed.
func (pg *activityPages) serve(w http.ResponseWriter, req *http.Request) {
	var f bot.Frame
	if pg.platform != nil {
		f = pg.platform.Frame()
	}
	if f.Application == "" {
		pg.answers.Fail(w, req, errNoActivity)
		return
	}
	h := w.Header()
	h.Del("X-Frame-Options")
	h.Set("Content-Security-Policy", strings.NewReplacer(
		"frame-ancestors 'none'", "frame-ancestors "+f.Origin+" "+strings.Join(f.Within, " "),
		"img-src", strings.Join(append([]string{"img-src"}, f.Pictures...), " "),
	).Replace(policy))
	h.Set("X-Robots-Tag", "noindex")
	pg.answers.Serve(w, req, http.StatusOK, Document{
		title: "Rackmate", description: About.In(pg.answers.Locale(req)).String(), hidden: true,
		styles: []string{"board.css", "page.css", "activity.css"}, script: "activity.js", kept: true, body: activityBody(f.Application),
	})
}

func activityBody(application string) g.Node {
	button := func(id, class, label string, more ...g.Node) g.Node {
		return html.Button(html.ID(id), html.Class(class), html.Type("button"), g.Group(more), g.Text(label))
	}
	return html.Body(html.Class("page activity"), html.Data("application", application),
		html.Main(html.Class("page-main"),
			html.H1(html.ID("page-title"), html.Class("unseen"), g.Text("Rackmate")),
			html.Div(html.Class("page-news"),
				html.P(html.ID("page-said"), html.Class("page-said"), html.Role("status"), g.Text("Opening the board…")),
				html.Div(html.ID("said-buttons"), html.Class("said-buttons")),
				html.Div(html.ID("offline"), html.Class("offline"), html.Role("status"), hidden, g.Text("Reconnecting…")),
				button("retry", "button primary", "Try again", hidden),
			),
			html.Section(html.ID("none"), html.Class("lobby"), html.Aria("label", "No game here"), hidden,
				html.Div(
					html.P(html.ID("none-said"), g.Text("Nobody is playing here yet.")),
					html.Div(html.Class("after-buttons"),
						button("together", "button primary", "Play together", hidden),
						button("robot", "button", "Play a robot"),
						button("open", "button", "Open a table"),
					),
					html.Ul(html.ID("waiting"), html.Class("own-games"), html.Aria("label", "Tables with a free seat")),
					html.Ul(html.ID("games"), html.Class("own-games"), html.Aria("label", "Your games")),
				),
				html.Section(html.ID("today"), html.Class("today"), html.Aria("label", "Today's board")),
			),
			html.Section(html.ID("game"), html.Class("game page-game"), html.Aria("label", "The game"), hidden,
				html.Div(html.ID("board"), html.Class("board-box")),
				html.P(html.ID("last-word"), html.Class("last-word")),
			),
			html.Div(html.ID("around"), html.Class("around"), hidden,
				html.Ul(html.ID("people"), html.Class("people"), html.Aria("label", "Who's here")),
				button("share", "button small", "Share"),
			),
		),
		html.Div(html.ID("announce"), html.Class("unseen"), html.Role("status"), html.Aria("live", "polite"), html.Aria("atomic", "false")),
	)
}

// serveEnter exchanges the platform's code for a bearer. It limits failed entries by
// instance and sender, so that forged codes keep nobody else out, and lookups of instances
// that don't exist by client.
func (pg *activityPages) serveEnter(failures, look *Buckets) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		var in struct {
			Instance string `json:"instance"`
			Code     string `json:"code"`
			// Custom is the target of the link that they came by, or "".
			Custom string `json:"custom"`
		}
		var vouched bot.PlayerID
		lookedUp := "" // whom a lookup counts for
		err := ReadJSON(req, &in)
		switch {
		case err != nil:
		case pg.platform == nil:
			err = errNoActivity
		case req.Header.Get("Origin") != pg.platform.Frame().Origin:
			err = errNotPresent
		default:
			vouched, err = pg.platform.Open(req.Context(), in.Instance, req.Header, func(countFor string) error {
				lookedUp = cmp.Or(countFor, pg.clients.Address(req))
				return TakeToken(look, lookedUp)
			})
		}
		if err == nil && lookedUp != "" {
			look.Spend(lookedUp, -1)
		}
		var p bot.Presence
		if err == nil {
			p, err = pg.redeem(req, failures, in.Instance, in.Code, vouched)
		}
		s := activitySession{Player: p.User.ID, Name: p.User.Name, Instance: in.Instance, Channel: p.Channel, Until: pg.now().Add(activityTime).Unix()}
		if err == nil {
			err = pg.setTable(req.Context(), &s, in.Custom, p.Table)
		}
		bearer := ""
		if err == nil {
			bearer, err = pg.cookies.Seal("activity", s)
		}
		if errors.Is(err, bot.ErrNotPresent) {
			err = errNotPresent
		}
		if err != nil {
			pg.answers.Fail(w, req, err)
			return
		}
		pg.log.Info("web activity session", "player", p.User.ID, "channel", p.Channel)
		pg.answers.Answer(w, http.StatusOK, map[string]string{"bearer": bearer, "locale": p.Locale, "access": p.Access})
	}
}

// redeem returns who is behind a code. Attempts under way count as failures until the
// platform confirms them, so that their number is bounded too. They count for the person
// for whom the platform vouches, or else for the address, which all frames may share.
func (pg *activityPages) redeem(req *http.Request, failures *Buckets, instance, code string, vouched bot.PlayerID) (bot.Presence, error) {
	sender := instance + " " + cmp.Or(string(vouched), pg.clients.Address(req))
	if err := TakeToken(failures, sender); err != nil {
		return bot.Presence{}, err
	}
	p, err := pg.platform.Enter(req.Context(), instance, code, req.Header)
	if !errors.Is(err, bot.ErrNotPresent) {
		failures.Spend(sender, -1)
	}
	return p, err
}

// setTable points a session to the table of a link, else to a table by number. If there is no
// such table, the session is about the channel's. A link holds the key of a table's page,
// perhaps followed by a dot and a turn, which the page handles.
func (pg *activityPages) setTable(ctx context.Context, s *activitySession, custom string, table bot.TableID) error {
	if pg.games == nil {
		return nil
	}
	key, _, _ := strings.Cut(custom, ".")
	if key == "" && table != 0 {
		var err error
		if key, err = pg.games.Key(ctx, table); err != nil {
			return err
		}
	}
	if s.Table, s.At = 0, ""; key == "" {
		return nil
	}
	page, err := pg.games.Page(ctx, key)
	if errors.Is(err, bot.ErrNoTable) {
		return nil
	}
	s.Table, s.At = page.Table, page.Channel
	return err
}

// open returns the subject of a frame's request and its sender, after asking the platform
// whether the sender is still present.
func (pg *activityPages) open(req *http.Request) (bot.Subject, guest, error) {
	if pg.platform == nil {
		return bot.Subject{}, guest{}, errNoActivity
	}
	s, ok := pg.session(req)
	if !ok {
		return bot.Subject{}, guest{}, errNotPresent
	}
	p, err := pg.platform.Present(req.Context(), s.Instance, s.Player, req.Header)
	if errors.Is(err, bot.ErrNotPresent) || err == nil && (p.Channel != s.Channel || p.User.ID != s.Player) {
		err = errNotPresent
	}
	p.User.Name = s.Name
	page := bot.Subject{Channel: cmp.Or(s.At, p.Channel), Table: s.Table}
	who := guest{user: p.User, counted: string(p.User.ID), home: p.Home, here: p.Here, channel: p.Channel, apart: page.Channel != p.Channel}
	if who.apart {
		who.home = "" // the table belongs to another home
	}
	return page, who, err
}

// frameCommands lists the commands allowed in a frame: onPages, and the commands for joining
// a table. At a table of another channel, only its players may give commands.
var frameCommands = append([]string{"new", "join", "leave", "rematch"}, pageCommands...)

// table returns the table that a frame shows, with the seats of the people present by their
// platform ids. Without a table, the sight is missing.
func (pg *activityPages) table(ctx context.Context, page bot.Subject, who guest, _ struct{}) (any, error) {
	sight, err := pg.host.Sight(ctx, pageRequest(page, who, "", Screen{}))
	if errors.Is(err, bot.ErrNoTable) {
		return struct{}{}, nil
	}
	sight.Buttons = slices.DeleteFunc(sight.Buttons, func(b bot.SightButton) bool {
		req, ok := (bot.Request{}).Press(b.ID)
		return !ok || !slices.Contains(frameCommands, req.Command)
	})
	seats := map[string]int{}
	for _, p := range sight.Players {
		if slices.Contains(who.here, p.ID) {
			_, id, _ := strings.Cut(string(p.ID), ":")
			seats[id] = p.Seat
		}
	}
	return map[string]any{"sight": sight, "seats": seats}, err
}

// A gameLine is a game in the lobby's lists.
type gameLine struct {
	Table bot.TableID `json:"table"`
	Turn  bool        `json:"turn,omitempty"` // whether it is the sender's turn
	Text  string      `json:"text"`
	// Join is the button that takes a seat, "" if the sender has one.
	Join string `json:"join,omitempty"`
}

// lobby lists the sender's games, with those first in which it is their turn, and the tables
// of the channel that have a free seat.
func (pg *activityPages) lobby(ctx context.Context, page bot.Subject, who guest, _ struct{}) (any, error) {
	games, err := pg.host.Games(ctx, who.user.ID)
	if err != nil {
		return nil, err
	}
	req := pageRequest(page, who, "", Screen{})
	to := pg.host.LocaleFor(ctx, req)
	var out struct {
		Games   []gameLine `json:"games"`
		Waiting []gameLine `json:"waiting"`
	}
	out.Games, out.Waiting = []gameLine{}, []gameLine{}
	for _, one := range games {
		out.Games = append(out.Games, gameLine{Table: one.Table, Turn: one.Turn, Text: one.Text.In(to).String()})
	}
	waiting, err := pg.waitingTables(ctx, who)
	if err != nil {
		return nil, err
	}
	for _, id := range waiting {
		req.Channel, req.Table = who.channel, id
		sight, err := pg.host.Sight(ctx, req)
		if errors.Is(err, bot.ErrNoTable) || err == nil && len(sight.Players) >= sight.Seats {
			continue
		}
		if err != nil {
			return nil, err
		}
		var names []string
		line := gameLine{Table: id, Join: bot.ButtonID(id, 0, "join", nil)}
		for _, p := range sight.Players {
			names = append(names, p.Name)
			if p.ID == who.user.ID {
				line.Join = ""
			}
		}
		line.Text = text.Say("{names}: {n} of {all} seats taken", text.List(names), len(names), sight.Seats).In(to).String()
		out.Waiting = append(out.Waiting, line)
	}
	return out, nil
}

// waitingTables lists the tables of the sender's channel that wait for players.
func (pg *activityPages) waitingTables(ctx context.Context, who guest) ([]bot.TableID, error) {
	if pg.games == nil {
		return nil, nil
	}
	return pg.games.Waiting(ctx, who.channel)
}

// serveAsk answers a request of the script of a feature's page.
func (pg *activityPages) serveAsk(w http.ResponseWriter, req *http.Request, p bot.Pages, rate *Buckets, answer bot.Ask) {
	_, who, err := pg.open(req)
	who.apart, who.locale = false, req.Header.Get("Accept-Language")
	s := bot.Subject{Channel: who.channel, Over: true}
	if err == nil {
		err = TakeToken(rate, who.counted)
	}
	if err == nil && p.Find != nil {
		s, err = p.Find(req.Context(), req.PathValue("key"))
		s.Channel = cmp.Or(s.Channel, who.channel)
	}
	reads := func(ch bot.ChannelID) bool { return ch == who.channel }
	if err == nil && !s.Over && !reads(s.Channel) {
		err = bot.ErrNoTable
	}
	var out any
	if err == nil {
		v := bot.Visit{Request: pageRequest(s, who, "", Screen{}), Key: req.PathValue("key"), Query: req.URL.Query(), Open: func(bot.ChannelID) bool { return false }, Reads: reads}
		out, err = pg.boards.ask(req, v, s, who, answer)
	}
	if err != nil {
		pg.answers.Fail(w, req, refuseMissing(p, err))
		return
	}
	pg.answers.Answer(w, http.StatusOK, out)
}

// serveTurn switches a frame to another of the person's games, or with 0 to the channel's.
func (pg *activityPages) serveTurn(act *Buckets) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		_, who, err := pg.open(req)
		var in struct {
			Table bot.TableID `json:"table"`
		}
		if err == nil {
			err = TakeToken(act, who.counted)
		}
		if err == nil {
			err = ReadJSON(req, &in)
		}
		if err == nil && in.Table != 0 {
			var games []bot.Game
			games, err = pg.host.Games(req.Context(), who.user.ID)
			var waiting []bot.TableID
			if err == nil {
				waiting, err = pg.waitingTables(req.Context(), who)
			}
			if err == nil && !slices.Contains(waiting, in.Table) && !slices.ContainsFunc(games, func(g bot.Game) bool { return g.Table == in.Table }) {
				err = errNoPage
			}
		}
		s, _ := pg.session(req)
		if err == nil {
			err = pg.setTable(req.Context(), &s, "", in.Table)
		}
		bearer := ""
		if err == nil {
			bearer, err = pg.cookies.Seal("activity", s)
		}
		if err != nil {
			pg.answers.Fail(w, req, err)
			return
		}
		pg.answers.Answer(w, http.StatusOK, map[string]string{"bearer": bearer})
	}
}

// share returns the target of a link to a table and a message to share it with. A finished
// game comes with its final board.
func (pg *activityPages) share(ctx context.Context, page bot.Subject, who guest, in struct {
	Access string `json:"access"`
	Turn   int    `json:"turn"` // the turn shown; 0 means now
}) (any, error) {
	req := pageRequest(page, who, "", Screen{})
	sight, err := pg.host.Sight(ctx, req)
	if errors.Is(err, bot.ErrNoTable) || err == nil && pg.games == nil {
		return nil, errNoPage
	}
	if err != nil {
		return nil, err
	}
	custom, err := pg.games.Key(ctx, sight.Table)
	if err != nil {
		return nil, err
	}
	if in.Turn > 0 && in.Turn <= len(sight.Turns) {
		custom += "." + strconv.Itoa(in.Turn)
	}
	var names []text.Text
	for _, p := range sight.Players {
		names = append(names, text.Plain(p.Name))
	}
	to := pg.host.LocaleFor(ctx, req)
	title := text.Join(names, " – ").In(to).String()
	out := map[string]string{"custom": custom, "message": text.Say("Watch the game of {names}.", title).In(to).String()}
	if sight.Ending == nil {
		return out, nil
	}
	out["message"] = sight.Ending.Result
	picture, err := pg.games.Picture(ctx, sight.Table, true)
	if err == nil && in.Access != "" {
		out["link"], err = pg.platform.Share(ctx, in.Access, bot.SharedPicture{Custom: custom, Title: title, Description: sight.Ending.Result, PNG: picture.PNG})
	}
	if err != nil && !errors.Is(err, bot.ErrNoPicture) {
		pg.log.Info("a game is shared without its picture", "table", sight.Table, "error", err)
	}
	return out, nil
}

func (pg *activityPages) act(ctx context.Context, page bot.Subject, who guest, in struct {
	ID      string            `json:"id"`
	Command string            `json:"command"`
	Args    map[string]string `json:"args"`
	Table   bot.TableID       `json:"table"`
	Number  int               `json:"number"`
	Screen
}) (any, error) {
	req := pageRequest(page, who, in.ID, in.Screen)
	req.Command, req.Args, req.Table, req.Number = in.Command, in.Args, in.Table, in.Number
	return pg.command(ctx, who, in.ID, req)
}

func (pg *activityPages) press(ctx context.Context, page bot.Subject, who guest, in struct {
	ID     string `json:"id"`
	Button string `json:"button"`
	Screen
}) (any, error) {
	req, ok := pageRequest(page, who, in.ID, in.Screen).Press(in.Button)
	if !ok {
		return nil, Refuse("That button doesn't work any more. Please open the board again.")
	}
	return pg.command(ctx, who, in.ID, req)
}

func (pg *activityPages) command(ctx context.Context, who guest, id string, req bot.Request) (any, error) {
	sight, err := pg.host.Sight(ctx, req)
	req.User.Name = nameAt(sight, req.User)
	switch {
	case who.apart && err != nil && !errors.Is(err, bot.ErrNoTable):
		return nil, err
	case who.apart && (sight.Own == nil || !slices.Contains(pageCommands, req.Command)):
		return nil, errNoPlayer
	case !IsClientID(id) || req.Number < 0:
		return nil, ErrUnread
	case !slices.Contains(frameCommands, req.Command) || !pg.host.Commands().Knows(req):
		return nil, Refuse("That can't be done on this board. Use the command in the channel.")
	}
	return pg.room.Private(pg.host.Handle(ctx, req)), nil
}

// serveLive notifies a frame of news. The frame then fetches the news itself.
func (pg *activityPages) serveLive(w http.ResponseWriter, req *http.Request) {
	page, who, err := pg.open(req)
	if err != nil {
		pg.answers.Fail(w, req, err)
		return
	}
	pg.watching.serveEvents(w, req, page.Channel, who.counted, func() string {
		return stateOf(pg.host.Sight(req.Context(), pageRequest(page, who, "", Screen{})))
	})
}
