package people

import (
	"context"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
)

// This file accepts commands for a game from outside its channel: from the parent channel
// of the game's thread, from a direct message, or from anywhere if its channel is gone.

// A storedElsewhere is a player's latest redirected request, so that a repeat of it reaches
// the same game.
type storedElsewhere struct {
	V       int           `json:"v"`
	Request string        `json:"request"`
	Channel bot.ChannelID `json:"channel"`
}

// findGame redirects a request to the sender's game that it is about: the one here if they play
// in it, else the nearest. Games in the channel's threads are nearer than others, which count
// only if there is no table here. Of several equally near, it chooses the only one that fits;
// otherwise it asks which.
func (f *Feature) findGame(ctx context.Context, req bot.Request, fits func(feature.OwnGame) bool) (bot.Request, error) {
	here, err := f.desk.Load(ctx, req)
	if err != nil {
		return req, err
	}
	if _, plays := here.SeatOf(req.User.ID); plays && (here.Phase == game.Playing || here.Phase == game.Closing) {
		return req, nil
	}
	near, err := f.Others.Settings.RunningInThreads(ctx, req.Channel)
	if err != nil || here.Phase != game.NoTable && len(near) == 0 {
		return req, err // the usual case: nothing more to read
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
	if err != nil {
		return req, err
	}
	isFar := func(g feature.OwnGame) bool { return !slices.Contains(near, g.ID) }
	if here.Phase != game.NoTable || slices.ContainsFunc(all, func(g feature.OwnGame) bool { return !isFar(g) }) {
		all = slices.DeleteFunc(all, isFar)
	}
	if fits != nil && len(all) > 1 {
		if can := slices.DeleteFunc(slices.Clone(all), func(g feature.OwnGame) bool { return !fits(g) }); len(can) > 0 {
			all = can
		}
	}
	switch {
	case len(all) == 0:
		return req, nil
	case len(all) == 1:
		to.Channel = all[0].Channel
		return to, f.elsewhere.Put(ctx, shelf.Person(req.User.ID), storedElsewhere{V: 1, Request: req.ID, Channel: to.Channel})
	}
	var tables []table.Table
	var lines []text.Text
	for _, g := range all {
		line, err := feature.GameLine(ctx, f.desk, f.ways(), g)
		if err != nil {
			return req, err
		}
		tables, lines = append(tables, g.Table), append(lines, line)
	}
	return req, feature.AskWhich(req, text.Say("Which of your games do you mean?"), tables, lines)
}
