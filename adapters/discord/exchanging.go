package discord

import (
	"context"
	"strings"

	"github.com/bwmarrin/discordgo"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file lets people exchange tiles without typing: /exchange without tiles shows the
// rack in a form with checkboxes.

// checkboxGroup is the type of a list of checkboxes. discordgo doesn't support it.
const checkboxGroup discordgo.ComponentType = 22

const (
	// mostBoxes limits the checkboxes of a list.
	mostBoxes   = 10
	tilesOption = "tiles"
)

// ticksTiles reports whether a command comes without its tiles, so that people can tick
// them in a form.
func ticksTiles(command string, args map[string]string) bool {
	return command == "exchange" && args[tilesOption] == ""
}

// exchangeForm returns the form for ticking the tiles to exchange. ok is false if there are
// too many tiles for a form, or if the person can't exchange any. The host then asks for
// the tiles, or explains why not.
func (in *inbox) exchangeForm(ctx context.Context, i *interaction, req bot.Request) (f form, ok bool) {
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
	menu, to := rack.Menus[0], in.locale(ctx, i)
	if press, read := (bot.Request{}).Choose(menu.ID, []string{"1"}); !read || press.Command != req.Command {
		return f, false
	}
	boxes := field{Type: checkboxGroup, CustomID: tilesOption, Required: true, MaxValues: menu.Most}
	for _, c := range menu.Choices {
		// The value contains the tile, so ticking it leaves no questions.
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

// tickedTiles returns the tiles of the ticked boxes; typed input stays unchanged.
func tickedTiles(boxes string) string {
	tiles := strings.Fields(boxes)
	for n, box := range tiles {
		if _, tile, found := strings.Cut(box, ":"); found {
			tiles[n] = tile
		}
	}
	return strings.Join(tiles, " ")
}
