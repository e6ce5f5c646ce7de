package moderation

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
)

// invitesSetting returns the setting of who can make invitations, which only rooms of our own have.
func invitesSetting() settings.Setting {
	o := settings.Pick("invites", "For a place: who can make invitations (web room only)", []bot.Choice{{Value: "keepers", Label: text.Say("The room's keepers")}, {Value: "everybody", Label: text.Say("Everybody")}})
	o.Ours = true
	return settings.Setting{Option: o, Default: settings.ConstantDefault("keepers")}
}

// MaySay rejects messages from muted people.
func (f *Feature) MaySay(ctx context.Context, home string, who game.PlayerID) error {
	return moderatedPlace{home: home}.checkMuted(ctx, f, who)
}
