package discord

import (
	"context"
	"strings"

	"github.com/bwmarrin/discordgo"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file is how tiles are put back without typing: /exchange without tiles shows those
// of the rack in a form, to be ticked.

// checkboxGroup is a list of which several can be ticked. discordgo doesn't know it.
const checkboxGroup discordgo.ComponentType = 22

const (
	// mostBoxes is how many a list has.
	mostBoxes   = 10
	tilesOption = "tiles"
)

// ticksTiles reports whether a command is given without the tiles that it is about, which
// can be ticked then.
func ticksTiles(command string, args map[string]string) bool {
	return command == "exchange" && args[tilesOption] == ""
}

// exchanging is the form in which the tiles to put back are ticked. ok is false where there
// are too many for one, and the host asks which; and where somebody can put none back, and
// the host says why when they try to.
func (in *inbox) exchanging(ctx context.Context, i *interaction, req bot.Request) (f form, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, completionTime)
	defer cancel()
	look := req
	look.ID, look.Command, look.Args = "look", "rack", nil
	rack := in.Host.Handle(ctx, look)
	if rack.Refused || len(rack.Menus) == 0 {
		req.Args[tilesOption] = "all"
		return f, false
	}
	if len(rack.Menus[0].Choices) > mostBoxes {
		return f, false
	}
	menu, to := rack.Menus[0], in.tongue(ctx, i)
	if press, read := (bot.Request{}).Choose(menu.ID, []string{"1"}); !read || press.Command != req.Command {
		return f, false
	}
	boxes := field{Type: checkboxGroup, CustomID: tilesOption, Required: true, MaxValues: menu.Most}
	for _, c := range menu.Choices {
		// The value has the tile, so that what is ticked is asked about no more.
		shown := c.Label.In(to).String()
		tile := shown
		if strings.HasPrefix(shown, "?") {
			tile = "?"
		}
		boxes.Options = append(boxes.Options, menuOption{Label: cut(shown, maxOption), Value: c.Value + ":" + tile})
	}
	return form{
		CustomID: in.mark.On(menu.ID), Title: cut(text.Say("Exchange").In(to).String(), maxTitle),
		Components: []label{{
			Type: labelType, Label: cut(text.Say("Tiles to put back").In(to).String(), maxFieldLabel),
			Description: cut(text.Say("You draw as many new ones, and it takes your turn.").In(to).String(), maxFieldHelp), Component: boxes,
		}},
	}, true
}

// ticked are the tiles of the boxes that were ticked; what was typed stays as it is.
func ticked(boxes string) string {
	tiles := strings.Fields(boxes)
	for n, box := range tiles {
		if _, tile, found := strings.Cut(box, ":"); found {
			tiles[n] = tile
		}
	}
	return strings.Join(tiles, " ")
}
