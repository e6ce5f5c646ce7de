package people

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// This file lets people type a command for their game where it isn't: in the
// channel beside the game's thread, in their direct messages, anywhere when its
// channel is gone.

// A storedElsewhere is the latest request of somebody that was moved, so that the same
// request goes to the same game again.
type storedElsewhere struct {
	V       int           `json:"v"`
	Request string        `json:"request"`
	Channel bot.ChannelID `json:"channel"`
}

// Elsewhere moves a request that can mean no game where it was made to the
// asker's only game. Where they have several it asks which.
func (f *Feature) Elsewhere(ctx context.Context, req bot.Request) (bot.Request, error) {
	here, err := f.desk.Load(ctx, req)
	if err != nil || here.Phase != game.NoTable {
		return req, err
	}
	to := req
	to.Home, to.Manager = "", false
	last, _, err := f.elsewhere.Get(ctx, shelf.Person(req.User.ID))
	if err != nil {
		return req, err
	}
	if to.Channel = last.Channel; last.Request == req.ID && req.ID != "" {
		return to, nil
	}
	all, _, err := feature.Playing(ctx, f.desk, req.User.ID)
	switch {
	case err != nil || len(all) == 0:
		return req, err
	case len(all) == 1:
		to.Channel = all[0].Channel
		return to, f.elsewhere.Put(ctx, shelf.Person(req.User.ID), storedElsewhere{V: 1, Request: req.ID, Channel: to.Channel})
	}
	const most = 5
	t := text.Say("None of your games is here. Which one do you mean? Type that where it is:")
	for _, g := range all[:min(len(all), most)] {
		line, err := feature.GameLine(ctx, f.desk, f.Others.Settings.HomeOf, g)
		if err != nil {
			return req, err
		}
		t = text.Lines(t, line)
	}
	if len(all) > most {
		t = text.Lines(t, text.Say("{games} lists them all.", text.Code("/games")))
	}
	return req, &words.Refusal{Reply: words.Refuse(t)}
}
