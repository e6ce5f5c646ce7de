package featuretest

import (
	"encoding/json"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/game/gametest"
)

// Page returns the page at a path as its feature shows it: "/top", or "/@{player}" for a visit that
// names the player.
func (w *World) Page(path string, v bot.Visit) (bot.Page, error) {
	w.T.Helper()
	v.Open = func(bot.ChannelID) bool { return true }
	if v.Reads == nil {
		v.Reads = v.Open
	}
	if v.Channel == "" {
		v.Channel = Parlour
	}
	return w.pages(path).Show(w.T.Context(), v)
}

// File returns a file below the page at a path.
func (w *World) File(path, name string, v bot.Visit) (bot.File, error) {
	w.T.Helper()
	return w.pages(path).File(w.T.Context(), v, name)
}

// Enter redeems the pass of a link to the page with a key.
func (w *World) Enter(path, key, pass string) (bot.User, error) {
	w.T.Helper()
	who, _, err := w.pages(path).Pass.Enter(w.T.Context(), bot.Visit{Key: key}, pass)
	return who, err
}

// Ask calls a page's endpoint as its script does. path is the page's path and the endpoint, such as
// "/analyse/ask".
func Ask[Out any](w *World, path string, req bot.Request, in any) (out Out, err error) {
	w.T.Helper()
	return AskAt[Out](w, path, bot.Visit{Request: req}, in)
}

// AskAt works like Ask for a visit, to the page with its key.
func AskAt[Out any](w *World, path string, v bot.Visit, in any) (out Out, err error) {
	w.T.Helper()
	b, err := json.Marshal(in)
	gametest.Must(w.T, err)
	i := strings.LastIndexByte(path, '/')
	answer, err := w.pages(path[:i]).Ask[path[i+1:]](w.T.Context(), v, b)
	if err == nil {
		out = answer.(Out)
	}
	return out, err
}

func (w *World) pages(path string) bot.Pages {
	w.T.Helper()
	for _, p := range w.Host.Pages() {
		if p.Path == path {
			return p
		}
	}
	w.T.Fatalf("there are no pages at %s", path)
	return bot.Pages{}
}

// PageText returns a page in plain text, a line for each row and paragraph.
func (w *World) PageText(path string, v bot.Visit) (string, error) {
	w.T.Helper()
	page, err := w.Page(path, v)
	if err != nil {
		return "", err
	}
	return bottest.PageText(page), nil
}
