package webpage

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/view"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// passDays sets how many days a browser stays signed in to the page of a running game.
const passDays = 60

// pages returns the pages of games.
func (f *Feature) pages() []bot.Pages {
	p := pages{f}
	return []bot.Pages{{
		Path: "/g/{key}", Find: p.Page, Show: p.show, File: p.file, Live: true,
		Ask:     map[string]bot.Ask{"review": bot.AskFunc(p.review), "try": bot.AskFunc(p.try)},
		Pass:    &bot.Pass{Cookie: "game", Days: passDays, Enter: p.enter},
		Missing: text.Say("There's no such game, or it isn't open to you."),
	}}
}

// show returns a table's page: to play on or to watch, and after the end everything about the game.
func (p pages) show(ctx context.Context, v bot.Visit) (page bot.Page, err error) {
	t, err := feature.LoadTable(ctx, p.desk, v.Table)
	if err == nil && (t.Phase == game.NoTable || t.Phase == game.Over && t.End == nil) {
		err = bot.ErrNoTable
	}
	if err != nil {
		return page, err
	}
	scene := view.Scene(t, p.desk.LocaleFor(ctx, v.Request), false)
	page = bot.Page{Title: text.Say("A game"), About: text.Say("A crossword-tile game."), Head: []bot.Action{{Label: text.Say("Copy link"), ID: "share"}}}
	var names, scores []string
	for _, one := range scene.Players {
		names = append(names, one.Name)
		scores = append(scores, fmt.Sprintf("%s %d", one.Name, one.Score))
	}
	if len(names) > 0 {
		page.Title = text.Plain(strings.Join(names, " – "))
	}
	if scene.Caption != "" {
		page.About = text.Plain(scene.Caption)
	}
	if t.Phase != game.Lobby {
		page.Preview, page.Alt = fmt.Sprintf("picture.png?%d", t.Number), text.Say("The board. {scores}.", strings.Join(scores, ", "))
		if isDark(v) {
			page.Preview += "&" + darkAddress
		}
	}
	page.Blocks = []bot.Block{bot.Board{Script: "table", Label: text.Say("The game")}}
	if t.Phase == game.Over {
		page.Blocks = append(page.Blocks, bot.Actions{
			{Label: text.Say("Review the game"), ID: "review", Primary: true},
			{Label: text.Say("Moves as a file"), Link: "/g/" + v.Key + "/files/moves", Saves: true},
			{Label: text.Say("Proof of the draws"), Link: "/g/" + v.Key + "/files/proof", Saves: true},
			{Label: text.Say("Check the draws yourself"), Link: "/draws?" + url.Values{"game": {v.Key}}.Encode()},
		})
	}
	page.Blocks = append(page.Blocks, bot.Section{ID: "fair", Title: text.Say("Fair draws"), Fold: true, Blocks: []bot.Block{
		bot.Paragraph{Text: text.Say("All draws follow from a secret and from how the players joined, so nobody could choose tiles, not even the host. The secret's digest stands in small type under the message that opened this table. When the game is over, the secret is published with the proof, and you can make every draw again here or with {command}. The digest must come from that message: from here it would only be the host's word.", text.Code("rackmate verify"))},
	}})
	return page, nil
}

// darkAddress is the query parameter of links that are shared from a dark screen; sites then show a
// dark picture.
const darkAddress = "dark"

func isDark(v bot.Visit) bool { return v.Query.Has(darkAddress) }

// file returns the picture beside links, or a file of a finished game: its moves, or the proof of
// its draws.
func (p pages) file(ctx context.Context, v bot.Visit, name string) (file bot.File, err error) {
	if name == "picture.png" {
		picture, err := p.Picture(ctx, v.Table, isDark(v))
		if err != nil {
			return file, err
		}
		return bot.File{Name: name, Type: "image/png", Data: picture.PNG}, nil
	}
	t, err := p.loadFinished(ctx, v.Table, text.Say("The record shows every rack, so you can have it once the game is over."))
	if err != nil {
		return file, err
	}
	if name == "files/replay" {
		return p.Others.Replay(ctx, t, isDark(v), p.desk.LocaleFor(ctx, v.Request))
	}
	files, err := feature.Heavy(ctx, p.desk, filesKey{t.ID, t.Number}, func(context.Context) ([]bot.File, error) {
		files, err := p.Others.Files(t)
		return bot.FilesIn(nil, files), err
	})
	if err != nil {
		return file, err
	}
	i, known := map[string]int{"files/moves": 0, "files/proof": 1}[name]
	if !known || i >= len(files) {
		return file, bot.ErrNoTable
	}
	return files[i], nil
}

// loadReviewable loads a table whose game can be reviewed.
func (p pages) loadReviewable(ctx context.Context, v bot.Visit) (table.Table, error) {
	return p.loadFinished(ctx, v.Table, text.Say("You can review the game once it's over: the review shows every rack."))
}

// review returns the review of a finished game as far as its moves are judged, and queues the rest.
func (p pages) review(ctx context.Context, v bot.Visit, _ struct{}) (any, error) {
	t, err := p.loadReviewable(ctx, v)
	if err != nil {
		return nil, err
	}
	r, err := p.Others.Review(ctx, t, p.desk.LocaleFor(ctx, v.Request))
	return r, pageError(err)
}

// try judges another play at a turn of a finished game.
func (p pages) try(ctx context.Context, v bot.Visit, a view.Attempt) (any, error) {
	t, err := p.loadReviewable(ctx, v)
	if err != nil {
		return nil, err
	}
	tried, err := p.Others.Try(ctx, t, a, p.desk.LocaleFor(ctx, v.Request))
	return tried, pageError(err)
}

// pageError turns a refusal into an error that the page shows.
func pageError(err error) error {
	var no *words.Refusal
	if errors.As(err, &no) {
		return &bot.PageError{Text: no.Reply.Text}
	}
	return err
}
