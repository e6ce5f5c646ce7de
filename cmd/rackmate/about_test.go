package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// englishHost is a host that only supports English text.
type englishHost struct{ bot.Host }

func (englishHost) LocaleFor(context.Context, bot.Request) *text.Locale { return nil }

func TestAboutPages(t *testing.T) {
	for _, c := range []struct {
		name  string
		pages aboutPages
		path  string
		has   []string
		lacks string
	}{
		{"no contact", aboutPages{}, "/support", []string{"has named no address", `href="/about"`}, "mailto:"},
		{"mail", aboutPages{contact: "ann@example.org"}, "/support", []string{`href="mailto:ann@example.org"`, "Who runs this host: ann@example.org", `href="/privacy"`}, "has named no address"},
		{"a page", aboutPages{contact: "https://example.org/?a=1&b"}, "/support", []string{`href="https://example.org/?a=1&amp;b"`}, "mailto:"},
		{"how long workspaces are kept", aboutPages{install: "/slack/install"}, "/support", []string{"after 30 days", `href="/privacy"`}, "mailto:"},
		{"without Slack", aboutPages{}, "/about", []string{`href="/support"`, `href="/"`}, "Add to Slack"},
		{"with Slack", aboutPages{install: "/slack/install"}, "/about", []string{`href="/slack/install"`}, "<script"},
	} {
		c.pages.host = englishHost{}
		mux := http.NewServeMux()
		c.pages.register(mux)
		got := httptest.NewRecorder()
		mux.ServeHTTP(got, httptest.NewRequest("GET", c.path, nil))
		body := got.Body.String()
		for _, has := range c.has {
			if got.Code != http.StatusOK || !strings.Contains(body, has) {
				t.Errorf("%s: %d, without %s: %s", c.name, got.Code, has, body)
			}
		}
		if strings.Contains(body, c.lacks) {
			t.Errorf("%s: it has %s: %s", c.name, c.lacks, body)
		}
	}
}

func TestContact(t *testing.T) {
	for said, ok := range map[string]bool{"ann@example.org": true, "https://example.org/help": true, "": true, "http://example.org": false, "Ann": false, "javascript:alert(1)": false} {
		if err := new(contact).Set(said); (err == nil) != ok {
			t.Errorf("%q: %v", said, err)
		}
	}
}
