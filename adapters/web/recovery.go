package web

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"strings"

	g "maragu.dev/gomponents"
	"maragu.dev/gomponents/html"

	"github.com/rackmate/rackmate/adapters/web/pages"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// A recovery code, shown once, lets a person back in who lost the cookie or uses another
// device.

// The shelves of recovery codes: a person's id by the code's hash, and the hash by the
// person's id.
const (
	recoveryShelf   = "recovery"
	recoveryOfShelf = "recovery-of"
)

// newRecovery creates a person's recovery code of 80 bits. It replaces the former one.
func (d *door) newRecovery(ctx context.Context, who person, _ struct{}) (any, error) {
	b := make([]byte, 10)
	if _, err := io.ReadFull(d.Random, b); err != nil {
		return nil, err
	}
	code := base32.StdEncoding.EncodeToString(b)
	err := d.Notes.Change(ctx, func(rows bot.Rows) error {
		if err := dropRecovery(rows, who.ID); err != nil {
			return err
		}
		return errors.Join(rows.Put(recoveryShelf, recoveryKey(code), []byte(who.ID)), rows.Put(recoveryOfShelf, who.ID, []byte(recoveryKey(code))))
	})
	return map[string]string{"code": code[:4] + "-" + code[4:8] + "-" + code[8:12] + "-" + code[12:]}, err
}

// dropRecovery invalidates a person's recovery code.
func dropRecovery(rows bot.Rows, id string) error {
	old, err := rows.Get(recoveryOfShelf, id)
	if err != nil || old == nil {
		return err
	}
	return errors.Join(rows.Put(recoveryShelf, string(old), nil), rows.Put(recoveryOfShelf, id, nil))
}

// recoveryKey returns a code's hash as its key, so that no one can read codes in the store.
func recoveryKey(code string) string {
	sum := sha256.Sum256([]byte("recovery " + code))
	return hex.EncodeToString(sum[:16])
}

// typedCode removes separators from a typed code and corrects 0, 1 and 8, which no code
// contains.
var typedCode = strings.NewReplacer("-", "", " ", "", "0", "O", "1", "I", "8", "B")

// recover returns the person whose recovery code was typed, and uses the code up.
func (d *door) recover(req *http.Request, typed string) (person, error) {
	from := d.clients.Address(req)
	if wait := d.wrong.Wait(from); wait > 0 {
		return person{}, pages.TooFast(wait)
	}
	var id []byte
	if err := d.Notes.Change(req.Context(), func(rows bot.Rows) (err error) {
		if id, err = rows.Get(recoveryShelf, recoveryKey(typedCode.Replace(strings.ToUpper(typed)))); err != nil || id == nil {
			return err
		}
		return dropRecovery(rows, string(id))
	}); err != nil {
		return person{}, err
	}
	p, found, err := d.members.person(req.Context(), string(id))
	if err == nil && (id == nil || !found) {
		d.wrong.Take(from)
		err = pages.Refuse("That code isn't anybody's here. A code has 16 letters and digits and works once; a newer one replaces it.")
	}
	return p, err
}

// serveRecovery shows the form for a recovery code.
func (d *door) serveRecovery(w http.ResponseWriter, req *http.Request) {
	d.answers.Serve(w, req, http.StatusOK, recoveryPage(d.answers.Locale(req), nil))
}

// serveRecover checks a code and sets its owner's cookie.
func (d *door) serveRecover(w http.ResponseWriter, req *http.Request) {
	p, err := d.recover(req, req.PostFormValue("code"))
	var no *pages.Refusal
	switch {
	case errors.As(err, &no):
		d.answers.Serve(w, req, no.Status, recoveryPage(d.answers.Locale(req), no.Text))
		return
	case err != nil:
		d.answers.Fail(w, req, err)
		return
	}
	if req.PostFormValue("others") != "" {
		if p, err = d.arrivals.endSessions(req.Context(), p); err != nil {
			d.answers.Fail(w, req, err)
			return
		}
	}
	if err := d.tellRecovered(req, p); err != nil {
		d.answers.Fail(w, req, err)
		return
	}
	d.cookies.GiveCookie(w, req, p.ID, p.epoch)
	d.Log.Info("web recover", "player", p.player())
	http.Redirect(w, req, "/", http.StatusSeeOther)
}

// tellRecovered informs the person, in their conversation with the host, that their code
// was used.
func (d *door) tellRecovered(req *http.Request, p person) error {
	said := text.Say("Somebody came in as you with your recovery code at {time}, so that code no longer works. If it wasn't you, press your name and sign out your other devices. You'll find a new code there too.",
		text.Span{Text: d.Now().UTC().Format("2 January 15:04 MST"), Time: d.Now()})
	_, err := d.chat.write(req.Context(), hostStream(p), "recovered."+rand.Text(), storedLine{Text: spans(said.In(d.Host.LocaleFor(req.Context(), bot.Request{User: p.user()})))})
	return err
}

// recoveryPage returns the form for a recovery code, with the reason if the last code was
// refused.
func recoveryPage(to *text.Locale, refused text.Text) pages.Document {
	return pages.Card(to, text.Say("Get your name back").In(to).String()+" · Rackmate", html.Form(html.Class("entry-card"), html.Method("post"), html.Action(recoveryPath), html.Aria("labelledby", "title"),
		html.H1(html.ID("title"), pages.TextIn(to, text.Say("Get your name back"))),
		html.P(html.Class("entry-lead"), pages.TextIn(to, text.Say("Type the recovery code that this room showed you when you first sat down. If another device still knows you, it can show you a new one: press your name there."))),
		html.Label(html.For("code"), pages.TextIn(to, text.Say("Recovery code"))),
		html.Div(html.Class("entry-row"),
			html.Input(html.ID("code"), html.Name("code"), html.MaxLength("40"), html.AutoComplete("off"), g.Attr("autocapitalize", "characters"), g.Attr("spellcheck", "false"),
				html.Placeholder("ABCD-EFGH-IJKL-MNOP"), html.Required(), html.AutoFocus(), html.Aria("describedby", "error")),
			html.Button(html.Class("button primary"), html.Type("submit"), pages.TextIn(to, text.Say("Come in"))),
		),
		html.Label(html.Class("check"), html.Input(html.Type("checkbox"), html.Name("others"), html.Value("end")), pages.TextIn(to, text.Say("Sign me out on my other devices"))),
		html.P(html.ID("error"), html.Class("error"), html.Role("alert"), pages.TextIn(to, refused)),
		html.P(html.Class("quiet"), html.A(html.Href("/"), pages.TextIn(to, text.Say("No, I'm new here")))),
	))
}

// forgetCode deletes the recovery code of a person who left.
func (d *door) forgetCode(ctx context.Context, who person) error {
	return d.Notes.Change(ctx, func(rows bot.Rows) error { return dropRecovery(rows, who.ID) })
}
