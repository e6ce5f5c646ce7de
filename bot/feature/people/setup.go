package people

import (
	"context"
	"fmt"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
)

// This file lets managers set up a channel by choosing: the hour of its daily board, and where on
// the server games are played. It is offered by a message in the channel to which the bot was added,
// or else once to the first manager who opens a table on a server that hasn't used the bot in another
// channel. It has a button among the channel's settings.
//
// It doesn't ask who manages the channel: the platform's permissions decide that.

const (
	// setupShown is the value of showOption for the set-up.
	setupShown = "setup"
	// whereOption is the argument in which a menu passes where games are played.
	whereOption = "where"
	playHere    = "here"
	playAnyhow  = "anywhere"
)

// setupKind is the kind of the posts that offer the set-up.
const setupKind = "set up"

// A storedOffer records that a home's managers were offered the set-up, or needn't be.
type storedOffer struct {
	V       int    `json:"v"` // 1
	Request string `json:"request,omitempty"`
	// Channel is the channel in which the offer is to be posted, or "" once its post is queued.
	Channel bot.ChannelID `json:"channel,omitempty"`
}

// setupHours lists the hours offered for the daily board.
var setupHours = []int{6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22}

// showSetup answers with the choices of the set-up.
func (f *Feature) showSetup(ctx context.Context, req bot.Request) (bot.Reply, error) {
	if !req.Manager {
		return bot.Reply{}, words.Refusing("Only managers of this channel can set that.")
	}
	daily := map[string]string{"for": "channel", "daily": ""}
	zone, err := f.ChooseZone(ctx, req)
	switch {
	case words.IsMistake(err):
		zone = "UTC"
		daily[settings.Zone] = zone
	case err != nil:
		return bot.Reply{}, err
	}
	hours := []bot.Choice{{Value: "off", Label: text.Say("No daily board")}}
	for _, h := range setupHours {
		at := fmt.Sprintf("%d:00", h)
		hours = append(hours, bot.Choice{Value: at, Label: text.Plain(at)})
	}
	r := bot.Reply{
		Text: text.Sentences(text.Say("Choose what you like; everything works without it."), text.Say("Hours are in the time zone {zone}. {settings} sets another.", zone, text.Code("/settings for:channel zone:Europe/Berlin"))),
	}
	if req.Home != "" {
		r.Menus = append(r.Menus, bot.Menu{
			ID: bot.ButtonID(0, 0, "settings", map[string]string{"for": "channel", whereOption: ""}), Label: text.Say("Where games are played"), Most: 1,
			Choices: []bot.Choice{{Value: playHere, Label: text.Say("Only in this channel")}, {Value: playAnyhow, Label: text.Say("In every channel")}},
		})
	}
	r.Menus = append(r.Menus, bot.Menu{ID: bot.ButtonID(0, 0, "settings", daily), Label: text.Say("When the daily board comes"), Choices: hours, Most: 1})
	return r, nil
}

// setWhere sets whether games are played only in a request's channel, or everywhere on its server.
// Its answer has the choices again, since it may replace them.
func (f *Feature) setWhere(ctx context.Context, req bot.Request, where string) (bot.Reply, error) {
	places, err := f.Others.Settings.Places(ctx, req.Channel, req.Home)
	if err != nil {
		return bot.Reply{}, err
	}
	values, said := []string{settings.Unset, settings.Unset}, text.Say("Games are played in every channel now.")
	switch {
	case where == playHere:
		values, said = []string{"allowed", "refused"}, text.Say("Games are played only in this channel now.")
	case where != playAnyhow:
		return bot.Reply{}, words.NoChoice(whereOption, where, playHere, playAnyhow)
	}
	if len(places) < 2 {
		return bot.Reply{}, words.Refusing("There's no server here. {settings} is for this conversation.", text.Code("/settings for:channel"))
	}
	for i, at := range places { // the channel first, so that games are never refused everywhere
		change := req
		change.Args = map[string]string{"games": values[i]}
		if err := f.Others.Settings.CheckLocked(ctx, places[i:], change); err != nil {
			return bot.Reply{}, err
		}
		if err := f.Others.Settings.Set(ctx, at, change, func() error { return words.Refusing("Only managers of this channel can set that.") }); err != nil {
			return bot.Reply{}, err
		}
	}
	r, err := f.showSetup(ctx, req)
	r.Text = text.Lines(said, r.Text)
	return r, err
}

// OfferSetup adds the set-up to the reply to a manager who opens a table, once for a home that hasn't
// been played in elsewhere.
func (f *Feature) OfferSetup(ctx context.Context, req bot.Request, r bot.Reply) (bot.Reply, error) {
	if !req.Manager || req.Home == "" || req.Readers > 0 || r.Refused || f.desk.Platform(req.Channel).Steward != nil {
		return r, nil
	}
	was, known, err := f.offers.Get(ctx, shelf.Home(req.Home))
	if err != nil || known && was.Request != req.ID {
		return r, err
	}
	if !known {
		used, err := f.Others.Settings.ChannelsOf(ctx, req.Home)
		if err != nil {
			return r, err
		}
		offer := storedOffer{V: 1}
		if len(used) <= 1 {
			offer.Request = req.ID
		}
		if err := f.offers.Put(ctx, shelf.Home(req.Home), offer); err != nil || offer.Request == "" {
			return r, err
		}
	}
	r.Text = text.Lines(r.Text, text.Say("You manage this place: choose where games are played and when a daily board comes, or leave it as it is."))
	r.Buttons = append(r.Buttons, setupButton())
	return r, nil
}

// postSetup posts the offer of the set-up in a channel to which the host was added, unless the host has
// been used there before.
func (f *Feature) postSetup(ctx context.Context, ch bot.ChannelID, home, homeLocale string) error {
	if home == "" {
		return nil
	}
	offer, _, err := f.offers.Get(ctx, shelf.Home(home))
	if err != nil {
		return err
	}
	if offer.Channel != ch { // else an earlier call was interrupted
		if known, err := f.Others.Settings.HomeOf(ctx, ch); err != nil || known != "" {
			return err
		}
		if err := f.offers.Put(ctx, shelf.Home(home), storedOffer{V: 1, Channel: ch}); err != nil {
			return err
		}
	}
	if err := f.Others.Settings.KeepHome(ctx, bot.Request{Channel: ch, Home: home, HomeLocale: homeLocale}, func() string { return "" }); err != nil {
		return err
	}
	if err := feature.Once(ctx, f.desk, ch, setupKind, func(r *feature.Room) {
		r.Post(bot.Post{Kind: setupKind, At: f.desk.Now().UTC()})
	}); err != nil {
		return err
	}
	return f.offers.Put(ctx, shelf.Home(home), storedOffer{V: 1})
}

// setupMessage writes the post that offers the set-up to the managers of its channel.
func (f *Feature) setupMessage(_ context.Context, _ bot.Post, _, _ table.Table, m bot.Message) (bot.Message, error) {
	m.Quiet = true
	m.Text = text.Lines(
		text.Say("I host Scrabble-style games: {new} opens a table here.", text.Code("/new")),
		text.Say("If you manage this place, choose where games are played and when a daily board comes, or leave it as it is."),
	)
	m.Buttons = []bot.Button{setupButton()}
	return m, nil
}

func setupButton() bot.Button {
	return bot.Button{ID: bot.ButtonID(0, 0, "settings", map[string]string{"for": "channel", showOption: setupShown}), Label: text.Say("Set up")}
}
