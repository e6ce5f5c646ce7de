package host

import (
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/table"
)

// variantChoices are the choices of /new.
func variantChoices(vs table.Variants) []bot.Choice {
	all := []bot.Choice{{Value: "ordinary", Label: bot.Say("Ordinary: the game as everybody knows it")}}
	for _, v := range vs {
		all = append(all, bot.Choice{Value: v.Name, Label: v.Label})
	}
	return all
}
