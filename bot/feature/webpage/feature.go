package webpage

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/view"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// option is the option of /board that asks for the page.
const option = "page"

// A Feature provides the pages of games.
type Feature struct {
	desk   feature.Desk
	own    *shelf.Owner
	passes *shelf.Shelf[shelf.Mark, storedPass] // used passes, by hash
	Others
}

// Others holds what the feature needs from the host and from other features.
type Others struct {
	URL string // see [feature.Resources]
	// Locale returns the language of a channel.
	Locale func(ctx context.Context, ch bot.ChannelID) (*text.Locale, error)
	// Files returns a finished game as files, Review judges its moves, and Try judges another play.
	Files  func(table.Table) ([]bot.File, error)
	Review func(ctx context.Context, t table.Table, to *text.Locale) (view.Review, error)
	Try    func(ctx context.Context, t table.Table, a view.Attempt, to *text.Locale) (view.Outcome, error)
	// Replay draws a game move by move.
	Replay func(ctx context.Context, t table.Table, dark bool, to *text.Locale) (bot.File, error)
	// Beside lists the unfinished tables beside a channel.
	Beside func(ctx context.Context, ch bot.ChannelID) ([]bot.TableID, error)
	// Watch calls fn with each channel whose table has changed.
	Watch func(ctx context.Context, fn func(bot.ChannelID)) error
}

// New returns the feature.
func New(d feature.Desk, own *shelf.Owner, o Others) *Feature {
	return &Feature{d, own, shelf.Open(own, "passes", shelf.Spec[shelf.Mark, storedPass]{Why: "links to a board of somebody's own that were used, until they are too old"}), o}
}

// Hooks returns what the feature adds to a host.
func (f *Feature) Hooks() feature.Feature {
	return feature.Feature{
		Extensions: f.extensions(),
		Pages:      f.pages(),
		TablePages: pages{f},
		Buttons:    f.buttons,
	}
}

// extensions adds the option that asks for the page to /board.
func (f *Feature) extensions() map[string]feature.Extension {
	return map[string]feature.Extension{"board": {
		Options: []bot.Option{{Name: option, Help: "Get your own link to the board in the browser", Kind: bot.YesNo, Rare: true}},
		Run:     f.link,
	}}
}

// link replies with a link to the table's page: players get one that signs them in, others one to
// watch.
func (f *Feature) link(ctx context.Context, req bot.Request) (bot.Reply, error) {
	t, err := feature.LoadDealt(ctx, f.desk, req)
	if err != nil {
		return feature.OrExplain(t, req, err)
	}
	url, err := f.address(ctx, t.ID)
	if err != nil {
		return bot.Reply{}, err
	}
	if url == "" && f.desk.Platform(t.Channel).Front != nil {
		return words.Refuse(text.Say("The board can't be opened here just now. {play} plays without it.", text.Code("/play"))), nil
	}
	if url == "" {
		return words.Refuse(text.Say("There's no page to play on: this host hasn't been told its public address. {play} plays here.", text.Code("/play"))), nil
	}
	if _, err := t.Seat(req); err != nil || f.desk.Platform(t.Channel).Boards {
		return bot.Reply{
			Text:    text.Say("The page of this game, for anybody who has the link."),
			Buttons: []bot.Button{{Label: text.Say("Open the game's page"), Style: bot.Primary, Link: url}},
		}, nil
	}
	secret, err := f.own.Secret(ctx, secretOf)
	if err != nil {
		return bot.Reply{}, err
	}
	until := f.desk.Now().Add(passLife)
	url += "#pass=" + newPass(secret, t.ID, req.User.ID, req.ID, until)
	return bot.Reply{
		Text:    text.Say("Your board in the browser. The link is yours alone: it works once, within ten minutes, and whoever opens it plays as you. Your moves are posted here as usual."),
		Buttons: []bot.Button{{Label: text.Say("Open my board"), Style: bot.Primary, Link: url}},
	}, nil
}

// Path returns the path of a table's page.
func (f *Feature) Path(ctx context.Context, t bot.TableID) (string, error) {
	key, err := f.key(ctx, t)
	return "/g/" + key, err
}

// Front returns a URL that opens a table's board in its platform's own client, or "" if the
// platform doesn't support that.
func (f *Feature) Front(ctx context.Context, t table.Table) (string, error) {
	front := f.desk.Platform(t.Channel).Front
	if front == nil || !t.IsDealt() {
		return "", nil
	}
	key, err := f.key(ctx, t.ID)
	return front(key), err
}

// buttons returns the buttons that lead from a table's message to its board: in the platform's own
// client, or on its page.
func (f *Feature) buttons(ctx context.Context, t table.Table) ([]bot.Button, error) {
	if !t.IsDealt() {
		return nil, nil
	}
	if t.Phase != game.Over && f.desk.Platform(t.Channel).Front != nil {
		return []bot.Button{t.Button(text.Say("Play"), "board", bot.Primary, map[string]string{option: "yes"})}, nil
	}
	if f.URL == "" {
		return nil, nil
	}
	if t.Phase != game.Over && !f.desk.Platform(t.Channel).Boards {
		return []bot.Button{t.Button(text.Say("Play on the board"), "board", bot.Ordinary, map[string]string{option: "yes"})}, nil
	}
	url, err := f.address(ctx, t.ID)
	return []bot.Button{{Label: text.Say("The game's page"), Link: url}}, err
}
