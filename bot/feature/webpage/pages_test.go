package webpage_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/view"
	"github.com/rackmate/rackmate/game/gametest"
)

// A key names one page and can't be guessed from another. A running game offers no files, no review
// and no other plays; a finished one does. A picture beside links exists once something was played.
func TestTablePages(t *testing.T) {
	w := featuretest.New(t, featuretest.Pictures(t))
	pages := w.Host.TablePages()
	featuretest.Put(t, w.Config.Store, featuretest.Parlour, bottest.Dealt(t, bottest.Small(t).Hash(), "classic", "void", []string{"bag:EEEEEEEEEE", "ann:HORNSE?", "bob:FARMQI?"}))
	featuretest.Put(t, w.Config.Store, "test:over", featuretest.GameOver(t))
	keys := map[bot.TableID]string{}
	for _, id := range []bot.TableID{0, 1, 2, 9} {
		key, err := pages.Key(t.Context(), id)
		gametest.Must(t, err)
		keys[id] = key
	}
	for id, over := range map[bot.TableID]bool{1: false, 2: true} {
		if page, err := pages.Page(t.Context(), keys[id]); err != nil || page.Table != id || page.Over != over {
			t.Errorf("the page of table %d is %+v, %v", id, page, err)
		}
	}
	for _, key := range []string{"", "1", "1-", "zz-" + keys[1], keys[9], keys[0], "2" + keys[1][1:], keys[1] + "a"} {
		if _, err := pages.Page(t.Context(), key); !errors.Is(err, bot.ErrNoTable) {
			t.Errorf("the key %q: %v", key, err)
		}
	}
	for name, ask := range map[string]func(bot.Request) error{
		"files": func(req bot.Request) error {
			_, err := w.File("/g/{key}", "files/moves", bot.Visit{Request: req})
			return err
		},
		"review": func(req bot.Request) error {
			_, err := featuretest.Ask[view.Review](w, "/g/{key}/review", req, nil)
			return err
		},
	} {
		var no *bot.PageError
		if err := ask(bot.Request{Table: 1}); !errors.As(err, &no) {
			t.Errorf("%s of a game that runs: %v", name, err)
		}
		if err := ask(bot.Request{Table: 2, User: bottest.People["eve"]}); err != nil {
			t.Errorf("%s of a game that is over: %v", name, err)
		}
	}
	var no *bot.PageError
	if _, err := featuretest.Ask[view.Outcome](w, "/g/{key}/try", bot.Request{Table: 1, User: bottest.People["ann"]}, view.Attempt{}); !errors.As(err, &no) {
		t.Errorf("another play in a game that runs: %v", err)
	}
	if p, err := pages.Picture(t.Context(), 2, false); err != nil || !bytes.HasPrefix(p.PNG, []byte("\x89PNG")) || p.Alt == nil {
		t.Errorf("the picture beside a link: %v", err)
	}
}
