package people

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// privacy explains what is kept, why, how long, and by whom, and links to the full table.
func (f *Feature) privacy(context.Context, bot.Request) (bot.Reply, error) {
	said := text.Lines(
		text.Say("I keep your name, your games, your results and your settings, so that you can play. I don't read your other messages, and I give nothing to anybody else."),
		text.Say("All of it stays until you have it removed. {export} gives it to you, {delete} removes it; games that are over go on with a \"{former}\".", text.Code("/data export"), text.Code("/data delete"), "former player"),
	)
	if f.Contact != "" {
		said = text.Lines(said, text.Say("Who runs this host: {contact}", f.Contact))
	} else {
		said = text.Lines(said, text.Say("Whoever runs this host hasn't said how to reach them."))
	}
	r := bot.Reply{Text: said}
	if f.URL != "" {
		r.Buttons = []bot.Button{{Label: text.Say("All that is kept"), Link: f.URL + "/privacy"}}
	}
	r.Buttons = append(r.Buttons, bot.Button{ID: bot.ButtonID(0, 0, "data", map[string]string{"what": "export"}), Label: text.Say("Export")})
	return r, nil
}
