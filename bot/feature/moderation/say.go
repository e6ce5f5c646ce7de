package moderation

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
)

func roomSettings() []settings.Setting {
	return []settings.Setting{
		{Option: roomOption("invites", "For a place: who can make invitations (web room only)", []bot.Choice{{Value: "keepers", Label: text.Say("The room's keepers")}, {Value: "everybody", Label: text.Say("Everybody")}}), Default: settings.ConstantDefault("keepers")},
	}
}

// roomOption returns the option of a setting that only rooms of our own have.
func roomOption(name, help string, choices []bot.Choice) bot.Option {
	o := settings.Pick(name, help, choices)
	o.Ours = true
	return o
}

// rule returns the value of a setting in a channel of the place.
func (p moderatedPlace) rule(ctx context.Context, f *Feature, ch bot.ChannelID, name string) (string, error) {
	places, err := f.settings.Places(ctx, ch, p.home)
	if err != nil {
		return "", err
	}
	return f.settings.RuleIn(ctx, ch, places, name)
}

// MaySay rejects messages from muted people.
func (f *Feature) MaySay(ctx context.Context, home string, who game.PlayerID) error {
	return moderatedPlace{home: home}.checkMuted(ctx, f, who)
}
