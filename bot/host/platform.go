package host

import (
	"cmp"
	"slices"

	"github.com/rackmate/rackmate/bot"
)

// Platform is the platform of a channel, one that is usual in everything where
// it isn't known.
func (h *engine) Platform(ch bot.ChannelID) bot.Platform {
	return h.platformNamed(ch.Platform())
}

func (h *engine) platformNamed(name string) bot.Platform {
	all := h.Platforms()
	if i := slices.IndexFunc(all, func(p bot.Platform) bool { return p.Name == name }); i >= 0 {
		return all[i]
	}
	return bot.Platform{Name: name}
}

// usualLexicon names the list of a platform's tables that name none.
func (h *engine) usualLexicon(platform string) string {
	return cmp.Or(h.platformNamed(platform).Lexicon, h.DefaultLexicon)
}

// keepers are those who keep things of people beside the host.
func (h *engine) keepers() (all []bot.Keeper) {
	for _, p := range h.Platforms() {
		if p.Keeper != nil {
			all = append(all, p.Keeper)
		}
	}
	return all
}
