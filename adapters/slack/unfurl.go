package slack

import (
	"context"
	"errors"
	"strings"

	"github.com/slack-go/slack"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file shows a game's page where its link is posted: its board, and a button that
// leads to it. https://docs.slack.dev/messaging/unfurling-links-in-messages

// gamePath is the path of the pages of games, followed by a key.
const gamePath = "/g/"

// mostUnfurls limits the links of a message that are unfurled.
const mostUnfurls = 3

// inComposer replaces the channel while the message is being written.
const inComposer = "COMPOSER"

// A sharedLinks is a link_shared event.
type sharedLinks struct {
	Links []struct {
		URL string `json:"url"`
	} `json:"links"`
	MessageTS string `json:"message_ts"`
	Unfurl    string `json:"unfurl_id"`
	Source    string `json:"source"`
}

// An unfurler shows games below their links.
type unfurler struct {
	*common
	web      *webAPI
	out      *poster
	pictures *gallery
}

// unfurl shows the games whose links a person has posted in a channel.
func (u *unfurler) unfurl(ctx context.Context, at place, shared sharedLinks) {
	shown := map[string]slack.Attachment{}
	for _, link := range shared.Links[:min(len(shared.Links), mostUnfurls)] {
		if blocks := u.game(ctx, at, link.URL); blocks != nil {
			shown[link.URL] = slack.Attachment{Blocks: slack.Blocks{BlockSet: blocks}}
		}
	}
	if len(shown) == 0 {
		return
	}
	err := u.web.call(ctx, at.home, func(api *slack.Client) (err error) {
		if at.channel == inComposer {
			_, _, _, err = api.UnfurlMessageByIDContext(ctx, shared.Unfurl, shared.Source, shown)
		} else {
			_, _, _, err = api.UnfurlMessageContext(ctx, at.channel, shared.MessageTS, shown)
		}
		return err
	})
	if err != nil {
		u.Log.Info("can't unfurl the page of a game", "channel", at.id(), "error", err)
	}
}

// game returns the game at an address, or nil if there is none.
func (u *unfurler) game(ctx context.Context, at place, address string) []slack.Block {
	key, ours := strings.CutPrefix(address, u.PagesURL+gamePath)
	if key, _, _ = strings.Cut(key, "?"); !ours || u.Pages == nil || u.PagesURL == "" {
		return nil
	}
	page, err := u.Pages.Page(ctx, key)
	if err != nil {
		if !errors.Is(err, bot.ErrNoTable) {
			u.Log.Error("can't load the page of a game", "error", err)
		}
		return nil
	}
	req := bot.Request{ID: "look", Channel: page.Channel, Table: page.Table}
	sight, err := u.Host.Sight(ctx, req)
	if err != nil {
		return nil
	}
	to := u.Host.LocaleFor(ctx, bot.Request{Channel: at.id(), Home: homeID(at.home)})
	n := u.names
	n.to = to
	blocks := n.sections(text.Text{text.Strong(sight.Caption)})
	if u.pictures.accepts(at.home, byAddress) {
		blocks = append(blocks, image(u.pictures.address(pictureTicket{Channel: page.Channel, Table: page.Table, Number: sight.Number}), text.Say("The board. {what}", sight.Caption).In(to).String())...)
	} else {
		blocks = append(blocks, u.out.boardText(ctx, req)...)
	}
	buttons := []bot.Button{{Label: text.Say("Watch").In(to), Style: bot.Primary, Link: address}}
	if place, err := placeOf(page.Channel); err == nil && !page.Over && place.channelKey() == at.channelKey() {
		// Only a player of the game gets to see a rack, in private.
		buttons = append(buttons, bot.Button{ID: bot.ButtonID(page.Table, sight.Number, "rack", nil), Label: text.Say("My rack").In(to)})
	}
	return append(blocks, n.buttons(buttons)...)
}
