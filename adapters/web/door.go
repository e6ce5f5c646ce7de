package web

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	g "maragu.dev/gomponents"
	"maragu.dev/gomponents/html"

	"github.com/rackmate/rackmate/adapters/web/pages"
	"github.com/rackmate/rackmate/adapters/web/signin"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// recoveryPath is the path of the form for a recovery code.
const recoveryPath = "/back"

// invitationParam is the query parameter that carries an invitation's code through a
// sign-in.
const invitationParam = "invitation"

// An admission carries what a stranger enters at the door.
type admission struct {
	Code     string `json:"code"`
	Password string `json:"password"`
}

// A door lets strangers in.
type door struct {
	Config
	answers     *pages.Answers
	bans        *bans
	chat        *chat
	clients     *pages.Clients
	arrivals    *arrivals
	commands    *commands
	cookies     *pages.Cookies
	homes       *homes
	invitations *invitations
	members     *members
	visitors    *visitors
	entries     *pages.Buckets // newcomers without a code or a password
	known       *pages.Buckets // people who knew the password
	wrong       *pages.Buckets // wrong passwords and codes
}

// newDoorLimits returns the limits for entries and wrong attempts. Valid invitations cost
// nothing, so a class behind one address can come in at once. Wrong attempts only slow down
// clients of the same network.
func newDoorLimits(now func() time.Time) (entries, known, wrong *pages.Buckets) {
	return pages.NewBuckets(now, 1.0/15, 100), pages.NewBuckets(now, 1.0/5, 200), pages.NewBuckets(now, 1.0/10, 60)
}

// passOf returns the pass for an invitation.
func passOf(key string, i storedInvitation) pass {
	return pass{invite: key, by: i.By, to: i.To, options: i.Options}
}

// checkAdmission checks an admission, and returns its pass or an error.
func (d *door) checkAdmission(req *http.Request, a admission) (p pass, err error) {
	code := strings.TrimSpace(a.Code)
	if d.Door == DoorOpen { // an invitation only says which table they go to
		if key, i, err := d.invitations.invitation(req.Context(), code); code != "" && err == nil {
			return passOf(key, i), nil
		}
		return pass{}, nil
	}
	from := d.clients.Address(req)
	if code != "" && (d.Door == DoorInvite || d.Door == DoorPassword && a.Password == "") {
		return d.invitationPass(req, code)
	}
	switch d.Door {
	case DoorInvite:
		return pass{}, pages.Refuse("This room is by invitation only. Type your invitation code.")
	case DoorPassword:
		if wait := d.wrong.Wait(from); wait > 0 {
			return pass{}, pages.TooFast(wait)
		}
		typed, right := sha256.Sum256([]byte(a.Password)), sha256.Sum256([]byte(d.Password))
		if subtle.ConstantTimeCompare(typed[:], right[:]) != 1 {
			d.wrong.Take(from)
			return pass{}, pages.Refuse("That isn't the room's password. Ask whoever told you about the room.")
		}
		return pass{}, nil
	}
	return pass{}, pages.Refuse("Please sign in to come in.")
}

// invitationPass returns the pass for an invitation's code. A right code is never limited, because
// no one guesses 60 bits.
func (d *door) invitationPass(req *http.Request, code string) (pass, error) {
	key, i, err := d.invitations.invitation(req.Context(), code)
	if errors.Is(err, errInvitation) {
		err = cmp.Or(pages.TakeToken(d.wrong, d.clients.Address(req)), err)
	}
	return passOf(key, i), err
}

// admit admits a stranger under a name, if their admission is valid.
func (d *door) admit(req *http.Request, name string, a admission) (p person, let pass, err error) {
	if err := d.bans.checkNewcomer(req); err != nil {
		return p, let, err
	}
	if let, err = d.checkAdmission(req, a); err != nil {
		return p, let, err
	}
	switch { // an invitation has its own limit
	case let.invite != "":
	case d.Door == DoorOpen:
		err = pages.TakeToken(d.entries, d.clients.Address(req))
	case d.Door == DoorPassword:
		err = pages.TakeToken(d.known, d.clients.Address(req))
	}
	if err != nil {
		return p, let, err
	}
	if p, err = d.arrivals.enter(req.Context(), name, let); err != nil {
		return p, let, err
	}
	return p, let, d.bans.keepAddress(req, p)
}

// seat seats a new member at the table they were invited to, and returns the path that the
// page should open. If no seat is free, they watch.
func (d *door) seat(req *http.Request, p person, let pass) string {
	if let.isForTwo() {
		return d.pair(req, p, let)
	}
	s, err := d.arrivals.streams.find(req.Context(), p, string(let.to))
	if let.to == "" || err != nil {
		return "/"
	}
	join := d.commands.request(p, s, "invited", pages.Screen{})
	join.Command = "join"
	if reply := d.Host.Handle(req.Context(), join); reply.Refused {
		d.Log.Info("web invited", "player", p.player(), "stream", s, "seated", false)
	}
	return "/#" + string(s)
}

// acceptInvitation accepts an invitation for a member, and returns the path that the page should
// open.
func (d *door) acceptInvitation(req *http.Request, p person, code string) string {
	key, i, err := d.invitations.invitation(req.Context(), code)
	if err != nil || i.By == p.ID || i.By == "" {
		return "/"
	}
	let := passOf(key, i)
	if err := d.Notes.Change(req.Context(), func(rows bot.Rows) error { return d.invitations.useInvitation(rows, key) }); err != nil {
		return "/"
	}
	return d.seat(req, p, let)
}

// isForTwo reports whether an invitation is to a game with its maker.
func (let pass) isForTwo() bool { return let.by != "" && let.to == hostStream(person{ID: let.by}) }

// pair starts a game between a member and their inviter, and returns its path.
func (d *door) pair(req *http.Request, p person, let pass) string {
	host, found, err := d.members.person(req.Context(), let.by)
	if !found || err != nil {
		return "/"
	}
	s, refused := d.homes.pair(req.Context(), host, p, let.invite+" "+p.ID, let.options)
	if refused != nil {
		d.Log.Info("web invited", "player", p.player(), "by", host.player(), "seated", false)
	}
	return "/#" + string(s)
}

// A doorView holds what the door's page shows.
type doorView struct {
	Door       Door
	SignIn     []*signin.Provider
	Name, Code string
	Invited    bool              // whether the code is valid
	Member     bool              // whether they are a member already
	Host       string            // the inviter's name; "" if not a member
	Options    map[string]string // of /new, for the game with the inviter
	Out        bool              // whether they can't enter at all
	Error      string
}

// page returns the door's page in a language. It works without scripts.
func (v doorView) page(to *text.Locale, room string) pages.Document {
	lead := text.Say("Crossword-tile games with the people you chat with.")
	press, time := text.Say("Come in"), text.Text(nil)
	switch {
	case v.Invited && v.Host != "":
		lead, press, time = text.Say("{who} invites you to a game.", v.Host), text.Say("Sit down"), timeIn(v.Options)
	case v.Invited:
		lead = text.Say("You're invited to play crossword-tile games.")
	}
	var how g.Node
	switch {
	case v.Out:
	case v.Door == DoorSignIn && !v.Member:
		how = g.Group{
			html.Div(html.Class("entry-services"), g.Map(v.SignIn, func(p *signin.Provider) g.Node {
				at := doorPath + "/with/" + p.Name
				if v.Invited {
					at += "?" + url.Values{invitationParam: {v.Code}}.Encode()
				}
				return html.A(html.Class("button primary"), html.Href(at), pages.TextIn(to, text.Say("Sign in with {site}", p.Title)))
			})),
			html.P(html.Class("quiet"), pages.TextIn(to, text.Say("This browser remembers you."))),
		}
	default:
		how = g.Group{
			html.Form(html.Action(doorPath), html.Method("post"), html.Aria("label", text.Say("Come in").In(to).String()),
				v.keyField(to),
				g.If(!v.Member, html.Label(html.For("name"), pages.TextIn(to, text.Say("What shall we call you?")))),
				html.Div(html.Class("entry-row"),
					g.If(!v.Member, html.Input(html.ID("name"), html.Name("name"), html.Value(v.Name), html.Required(), html.MaxLength("30"), html.AutoComplete("nickname"), g.Attr("autocapitalize", "words"), g.Attr("spellcheck", "false"), html.Placeholder(text.Say("Your name").In(to).String()))),
					html.Button(html.Class("button primary"), html.Type("submit"), pages.TextIn(to, press)),
				),
			),
			g.If(!v.Member, html.P(html.Class("quiet"), pages.TextIn(to, text.Say("No account needed. This browser remembers you.")), g.Text(" "), html.A(html.Href(recoveryPath), pages.TextIn(to, text.Say("I have a recovery code"))))),
		}
	}
	doc := pages.Card(to, text.Say("Come in").In(to).String()+" · Rackmate", html.Div(html.Class("entry-card"),
		pages.Logo(),
		html.P(html.Class("entry-lead"), pages.TextIn(to, lead), g.Iff(time != nil, func() g.Node { return g.Group{html.Br(), pages.TextIn(to, time)} })),
		g.If(v.Error != "", html.P(html.ID("error"), html.Class("error"), html.Role("alert"), g.Text(v.Error))),
		how,
	))
	description := pages.About
	if time != nil {
		description = time
	}
	card := ""
	if v.Host != "" {
		card = room + cardPath + url.PathEscape(v.Code)
	}
	doc.Head = pages.LinkPreview(room, lead.In(to).String(), description.In(to).String(), card, lead.In(to).String())
	return doc
}

// timeIn describes the time of a game by its options of /new. It returns nil if they name none.
func timeIn(options map[string]string) text.Text {
	amount := func(s string) int { n, _ := strconv.Atoi(s[:len(s)-1]); return n } // checked when they were stored
	if pace := options["pace"]; strings.HasSuffix(pace, "d") {
		return text.Say("{n, plural, one {# day a turn} other {# days a turn}}", amount(pace))
	}
	each, more, both := strings.Cut(options["clock"], "+")
	if each == "" {
		return nil
	}
	time := text.Say("{n, plural, one {# minute} other {# minutes}} each", amount(each))
	if both {
		time = text.Say("{time}, plus {n, plural, one {# second} other {# seconds}} a turn", time, amount(more))
	}
	return time
}

// keyField returns the form's field for a code or password; nil if the door is open.
func (v doorView) keyField(to *text.Locale) g.Node {
	because := g.If(v.Error != "", html.Aria("describedby", "error"))
	switch {
	case v.Invited:
		return g.Group{
			html.Input(html.Type("hidden"), html.Name("code"), html.Value(v.Code)),
			html.Input(html.Type("hidden"), html.Name("invited"), html.Value("yes")),
		}
	case v.Door == DoorInvite:
		return g.Group{
			html.Label(html.For("code"), pages.TextIn(to, text.Say("Your invitation code"))),
			html.Input(html.ID("code"), html.Name("code"), html.Value(v.Code), html.Required(), html.MaxLength("40"), html.AutoComplete("off"),
				g.Attr("autocapitalize", "characters"), g.Attr("spellcheck", "false"), html.Placeholder("ABCD-EFGH-JKLM"), because),
		}
	case v.Door == DoorPassword:
		return g.Group{
			html.Label(html.For("password"), pages.TextIn(to, text.Say("The room's password"))),
			html.Input(html.ID("password"), html.Name("password"), html.Type("password"), html.Required(), html.AutoComplete("current-password"), because),
		}
	}
	return nil
}

func (d *door) showDoor(w http.ResponseWriter, req *http.Request, status int, v doorView) {
	v.Door, v.SignIn = d.Door, d.SignIn
	d.answers.Serve(w, req, status, v.page(d.answers.Locale(req), d.URL))
}

// serveDoor shows the door. It redirects members, and everyone if the door is open,
// unless they come by an invitation to a game, which it shows.
func (d *door) serveDoor(w http.ResponseWriter, req *http.Request) {
	p, err := d.visitors.visitor(req)
	v := doorView{Code: req.PathValue("code")}
	if err == nil || d.Door == DoorOpen && errors.Is(err, pages.ErrNoName) {
		to := "/"
		if key, i, no := d.invitations.invitation(req.Context(), v.Code); no == nil && i.To != "" {
			let := passOf(key, i)
			if v.Host, v.Member = d.inviter(req, let), err == nil; v.Host != "" && (!v.Member || let.isForTwo() && i.By != p.ID) {
				v.Invited, v.Options = true, i.Options
				d.showDoor(w, req, http.StatusOK, v)
				return
			}
			if to += "#" + string(i.To); let.isForTwo() { // the page opens the table they were invited to
				to = "/"
			}
		}
		http.Redirect(w, req, to, http.StatusSeeOther)
		return
	}
	if err := d.bans.checkNewcomer(req); err != nil {
		v.Out = true
		d.refuseAtDoor(w, req, err, v)
		return
	}
	if v.Code != "" {
		p, err := d.invitationPass(req, v.Code)
		if v.Invited = err == nil && p.invite != ""; !v.Invited {
			d.refuseAtDoor(w, req, err, v)
			return
		}
		v.Host, v.Options = d.inviter(req, p), p.options
	}
	d.showDoor(w, req, http.StatusOK, v)
}

// cardPath is the path of invitations' pictures; the code of an invitation follows.
const cardPath = "/cards/"

// serveCard serves the picture of an invitation, for sites that show it beside the link.
func (d *door) serveCard(w http.ResponseWriter, req *http.Request) {
	key, i, err := d.invitations.invitation(req.Context(), req.PathValue("code"))
	by := d.inviter(req, passOf(key, i))
	if err == nil && (by == "" || d.Tables == nil) {
		err = pages.ErrNoPicture
	}
	var card *bot.Picture
	if err == nil {
		card, err = d.Tables.Invitation(req.Context(), by, i.Options, timeIn(i.Options), d.answers.Locale(req))
	}
	d.answers.ServePicture(w, req, card, err)
}

// inviter returns the name of the person who invites to a table, or "" if there is none.
func (d *door) inviter(req *http.Request, let pass) string {
	host, found, err := d.members.person(req.Context(), let.by)
	if let.to == "" || let.by == "" || !found || err != nil {
		return ""
	}
	return host.Name
}

// serveKnock handles the door's form.
func (d *door) serveKnock(w http.ResponseWriter, req *http.Request) {
	if p, err := d.visitors.visitor(req); err == nil {
		http.Redirect(w, req, d.acceptInvitation(req, p, req.PostFormValue("code")), http.StatusSeeOther)
		return
	}
	v := doorView{Name: req.PostFormValue("name"), Code: req.PostFormValue("code"), Invited: req.PostFormValue("invited") != ""}
	p, let, err := d.admit(req, v.Name, admission{v.Code, req.PostFormValue("password")})
	if err != nil {
		if errors.Is(err, errInvitation) {
			v.Invited = false
		}
		v.Host = d.inviter(req, let)
		d.refuseAtDoor(w, req, err, v)
		return
	}
	d.cookies.GiveCookie(w, req, p.ID, p.epoch)
	d.Log.Info("web enter", "player", p.player(), "door", d.Door)
	http.Redirect(w, req, d.seat(req, p, let), http.StatusSeeOther)
}

// refuseAtDoor shows the door again with the reason.
func (d *door) refuseAtDoor(w http.ResponseWriter, req *http.Request, err error, v doorView) {
	var no *pages.Refusal
	if !errors.As(err, &no) {
		d.answers.Fail(w, req, err)
		return
	}
	v.Error = d.answers.Translate(req, no.Text)
	d.showDoor(w, req, no.Status, v)
}

// requireDoor redirects strangers to the door before they see a page, unless the door is open.
func (d *door) requireDoor(page http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		_, err := d.visitors.visitor(req)
		if err == nil || errors.Is(err, pages.ErrNoName) && d.Door == DoorOpen {
			page.ServeHTTP(w, req)
			return
		}
		var no *pages.Refusal
		if errors.As(err, &no) {
			http.Redirect(w, req, doorPath, http.StatusSeeOther)
			return
		}
		d.answers.Fail(w, req, err)
	})
}

// firstInvitation returns the link that is printed at the start: the same all day, for ten
// people, or "" once it is used up.
func (d *door) firstInvitation(ctx context.Context) (link string, err error) {
	if d.Door != DoorInvite {
		return "", nil
	}
	day := d.Now().UTC().Format(time.DateOnly)
	sum := d.cookies.MAC("first invitation " + day)
	link, err = putInvitation(ctx, d.Notes, codeOf(sum), d.Now(), storedInvitation{V: 1, Until: d.Now().Add(24 * time.Hour), Uses: 10})
	if errors.Is(err, errUsed) {
		return "", nil
	}
	return link, err
}

// keepURL stores the room's address, for commands that make invitations without it.
func (d *door) keepURL(ctx context.Context) error {
	old, err := d.Notes.Get(ctx, roomShelf, "url")
	if err != nil || string(old) == d.URL || d.URL == "" {
		return err
	}
	if err := d.Notes.Put(ctx, roomShelf, "url", []byte(d.URL)); err != nil {
		return fmt.Errorf("store the room's address: %w", err)
	}
	return nil
}

// serveEnter admits a person by name and admission, and sets the cookie.
func (d *door) serveEnter(w http.ResponseWriter, req *http.Request) {
	var in struct {
		Name string `json:"name"`
		admission
	}
	if err := pages.ReadJSON(req, &in); err != nil {
		d.answers.Fail(w, req, err)
		return
	}
	// Members, who perhaps pressed the button twice, stay the same person.
	if p, err := d.visitors.visitor(req); err == nil {
		d.answers.Answer(w, http.StatusOK, p)
		return
	}
	p, _, err := d.admit(req, in.Name, in.admission)
	if err != nil {
		d.answers.Fail(w, req, err)
		return
	}
	d.cookies.GiveCookie(w, req, p.ID, p.epoch)
	d.Log.Info("web enter", "player", p.player())
	d.answers.Answer(w, http.StatusOK, p)
}
