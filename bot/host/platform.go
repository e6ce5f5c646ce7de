package host

import (
	"cmp"
	"slices"

	"github.com/rackmate/rackmate/bot"
)

// Platform is the platform of a channel, one that is usual in everything where
// it isn't known.
func (h *Host) Platform(ch bot.ChannelID) bot.Platform {
	return h.platformNamed(ch.Platform())
}

func (h *Host) platformNamed(name string) bot.Platform {
	all := h.Platforms()
	if i := slices.IndexFunc(all, func(p bot.Platform) bool { return p.Name == name }); i >= 0 {
		return all[i]
	}
	return bot.Platform{Name: name}
}

// usualLexicon names the list of a platform's tables that name none.
func (h *Host) usualLexicon(platform string) string {
	return cmp.Or(h.platformNamed(platform).Lexicon, h.DefaultLexicon)
}

// Keepers are those who keep things of people beside the host.
func (h *Host) Keepers() (all []bot.Keeper) {
	for _, p := range h.Platforms() {
		if p.Keeper != nil {
			all = append(all, p.Keeper)
		}
	}
	return all
}
