package host

import (
	"cmp"
	"slices"

	"github.com/rackmate/rackmate/bot"
)

// Platform returns the platform of a channel, or one with only default values if it is unknown.
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

// usualLexicon names the list for a platform's tables that name none.
func (h *engine) usualLexicon(platform string) string {
	return cmp.Or(h.platformNamed(platform).Lexicon, h.DefaultLexicon)
}

// keepers returns the adapters that store personal data.
func (h *engine) keepers() (all []bot.Keeper) {
	for _, p := range h.Platforms() {
		if p.Keeper != nil {
			all = append(all, p.Keeper)
		}
	}
	return all
}
