package main

import (
	"errors"
	"fmt"
	"html"
	"net/http"
	"net/mail"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// The pages that app directories require: a description and a support page.
const (
	aboutPath   = "/about"
	supportPath = "/support"
	privacyPath = "/privacy" // of the web room
)

// A contact is the operator's address: an email address or a URL.
type contact string

func (*contact) Type() string { return "address" }

func (c *contact) String() string { return string(*c) }

func (c *contact) Set(said string) error {
	if _, err := mail.ParseAddress(said); err != nil && !strings.HasPrefix(said, "https://") && said != "" {
		return errors.New("write an email address, or an address that begins with https://")
	}
	*c = contact(said)
	return nil
}

// link returns the URL of the contact, or "" if there is none.
func (c contact) link() string {
	if c == "" || strings.HasPrefix(string(c), "https://") {
		return string(c)
	}
	return "mailto:" + string(c)
}

// aboutPages serves the public pages about the host. They reveal nothing about its players.
type aboutPages struct {
	host    bot.Host
	contact contact
	install string // path at which Slack workspaces install the app; "" if they can't
}

func (p aboutPages) register(mux *http.ServeMux) {
	mux.HandleFunc("GET "+aboutPath, p.serveAbout)
	mux.HandleFunc("GET "+supportPath, p.serveSupport)
}

// serveAbout serves the page that describes Rackmate and links to the rest.
func (p aboutPages) serveAbout(w http.ResponseWriter, r *http.Request) {
	links := []pageLink{{"/", text.Say("Play in the browser")}, {supportPath, text.Say("Help and contact")}}
	if p.install != "" {
		links = append([]pageLink{{p.install, text.Say("Add to Slack")}}, links...)
	}
	p.serve(w, r, text.Say("Rackmate hosts crossword-tile games where you chat."), []text.Text{
		text.Say("Two to four people play over minutes or days, in Slack, on Discord or in the browser, or one of them against a robot. Each move is posted as a picture of the board and in words; only you see your rack."),
		text.Say("Nobody can choose the tiles, not even the host: when a game is over, its draws can be checked."),
	}, links)
}

// serveSupport serves the help and contact page.
func (p aboutPages) serveSupport(w http.ResponseWriter, r *http.Request) {
	said := []text.Text{
		text.Say("In a chat, {help} shows what you can do now, and {play} explains a command. On Slack, {all} alone has everything as buttons.", "/help", "/help play", "/rackmate"),
		text.Say("{data} gives you all that is kept about you, or removes it.", "/data"),
		text.Say("A message about an error has a name in it. Send that along: it leads to what happened in the log."),
	}
	if p.install != "" {
		said = append(said, text.Say("A workspace that uninstalls the app is forgotten after 30 days, its tokens at once."))
	}
	var links []pageLink
	if to := p.contact.link(); to != "" {
		links = append(links, pageLink{to, text.Say("Who runs this host: {contact}", string(p.contact))})
	} else {
		said = append(said, text.Say("Whoever runs this host has named no address. Ask the person who installed it."))
	}
	p.serve(w, r, text.Say("Help with Rackmate"), said, append(links, pageLink{privacyPath, text.Say("What is kept, and how long")}, pageLink{aboutPath, text.Say("What Rackmate is")}))
}

// A pageLink is a link at the bottom of a page.
type pageLink struct {
	to    string
	label text.Text
}

func (p aboutPages) serve(w http.ResponseWriter, r *http.Request, title text.Text, said []text.Text, links []pageLink) {
	to := p.host.LocaleFor(r.Context(), bot.Request{Locale: r.Header.Get("Accept-Language")})
	say := func(t text.Text) string { return html.EscapeString(t.In(to).String()) }
	var b strings.Builder
	fmt.Fprintf(&b, `<!doctype html><html lang="%s"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>%s</title>
<style>:root{color-scheme:light dark}body{font:1.1em/1.5 system-ui,sans-serif;max-width:38em;margin:3em auto;padding:0 1em}</style>
<h1>%s</h1>
`, to.Code(), say(title), say(title))
	for _, t := range said {
		fmt.Fprintf(&b, "<p>%s</p>\n", say(t))
	}
	for _, l := range links {
		fmt.Fprintf(&b, "<p><a href=\"%s\">%s</a></p>\n", html.EscapeString(l.to), say(l.label))
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	h.Set("Vary", "Accept-Language")
	_, _ = w.Write([]byte(b.String()))
}
