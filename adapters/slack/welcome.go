package slack

import (
	"context"
	_ "embed" // of the picture
	"time"

	"github.com/slack-go/slack"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file greets new people. It also checks, before a game needs them, whether pictures
// can be shown: it uploads one when the host starts, and puts one in the message to the
// person who installs the app.

// welcomePNG shows tiles that spell RACKMATE.
//
//go:embed welcome.png
var welcomePNG []byte

// welcomeKind is the kind of the picture's ticket.
const welcomeKind = "welcome"

// tryTime is the time limit for the trial upload, which delays the host's start.
const tryTime = 5 * time.Second

// tryUpload uploads a picture, and deletes it. If Slack refuses it, boards are shown as
// text, and the host's health says so from the start.
func (g *gallery) tryUpload(ctx context.Context, h home) {
	ctx, cancel := context.WithTimeout(ctx, tryTime)
	defer cancel()
	file, err := g.upload(ctx, h, upload{name: "rackmate.png", alt: "Rackmate", data: welcomePNG})
	if err != nil {
		g.recordFailedUpload(h, err)
		return
	}
	g.deletePicture(ctx, h, file)
}

// greetedShelf stores, by player, that they were greeted in their direct messages.
const greetedShelf = "greeted"

// A greeter writes to new people.
type greeter struct {
	*common
	web    *webAPI
	people *directory
	out    *poster
	pages  *homePages
}

// greet greets a person who opens their direct messages with the app for the first time.
func (g *greeter) greet(ctx context.Context, who member) {
	had, err := g.Notes.Get(ctx, greetedShelf, string(who.player()))
	if err != nil || had != nil {
		return
	}
	g.writeFirst(ctx, who, g.greeting().Text, nil)
}

// welcome greets the person who has installed the app. Its picture is the workspace's
// first one, so it shows which way of showing pictures works there.
func (g *greeter) welcome(ctx context.Context, who member) {
	g.writeFirst(ctx, who, text.Say("Thank you for installing Rackmate. Invite me to a channel with {invite}, then type {new} there to open a table. {all} on its own shows everything you can do, and my Home tab lists your games.",
		text.Code(inviteMe), text.Code("/rackmate new"), text.Code("/rackmate")), &bot.Picture{Alt: text.Say("Tiles that spell RACKMATE"), PNG: welcomePNG})
}

// writeFirst writes to a person for the first time, with buttons that begin a game.
func (g *greeter) writeFirst(ctx context.Context, who member, said text.Text, p *bot.Picture) {
	channel, err := g.people.direct(ctx, who)
	if err == nil {
		err = g.Notes.Put(ctx, greetedShelf, string(who.player()), []byte{1})
	}
	if err != nil {
		g.Log.Info("can't greet a person", "user", who.id, "error", err)
		return
	}
	n := g.names
	n.to = g.people.locale(ctx, who)
	at := place{home: who.home, channel: channel}
	m := bot.Message{Key: welcomeKind, Kind: welcomeKind, Channel: at.id(), Text: said, Picture: p}.In(n.to)
	_, err = g.out.postWithPicture(ctx, at, m, g.out.pictures.pictureFor(ctx, at, m), func(file string) error {
		blocks := n.sections(m.Text)
		if p != nil {
			blocks = append(image(file, m.Picture.Alt.String()), blocks...)
		}
		if robots := g.pages.robots(n.to); len(robots) > 0 {
			blocks = append(blocks, slack.NewActionBlock("", robots...))
		}
		return g.web.call(ctx, who.home, func(api *slack.Client) error {
			_, _, err := api.PostMessageContext(ctx, channel, slack.MsgOptionText(n.fallback(m.Text), false), slack.MsgOptionBlocks(blocks...))
			return err
		})
	})
	if err != nil {
		g.Log.Info("can't greet a person", "user", who.id, "error", err)
	}
}
