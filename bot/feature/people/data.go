package people

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
)

func dataOptions() []bot.Option {
	return []bot.Option{
		{Name: "what", Help: "What to do with it", Kind: bot.Pick, Choices: []bot.Choice{
			{Value: "export", Label: text.Say("Give me everything as a file")}, {Value: "delete", Label: text.Say("Forget me (I'll ask you first)")},
		}},
	}
}

// data exports all data about a player, or deletes it.
func (f *Feature) data(ctx context.Context, req bot.Request) (bot.Reply, error) {
	switch what := req.Args["what"]; what {
	case "":
		return bot.Reply{
			Text: text.Say("What I keep about you here: your name, your games, your settings and your results. {export} gives you all of it in a file. {delete} removes it.", text.Code("/data export"), text.Code("/data delete")),
			Buttons: []bot.Button{
				{ID: bot.ButtonID(0, 0, "data", map[string]string{"what": "export"}), Label: text.Say("Export")},
				{ID: bot.ButtonID(0, 0, "data", map[string]string{"what": "delete"}), Label: text.Say("Delete"), Style: bot.Danger},
			},
		}, nil
	case "export":
		return f.export(ctx, req)
	case "delete":
		return f.askToForget(ctx, req)
	case "forget":
		return f.forget(ctx, req)
	default:
		return bot.Reply{}, words.NoChoice("what", what, "export", "delete")
	}
}

func (f *Feature) askToForget(ctx context.Context, req bot.Request) (bot.Reply, error) {
	tables, err := f.desk.TablesOf(ctx, req.User.ID)
	if err != nil {
		return bot.Reply{}, err
	}
	t := text.Say("Shall I forget you? That deletes your name, ratings, records, plans, notes and settings, and the links to your other accounts. Finished games stay for the people you played with, under \"{former}\"; what was posted stays where it is.", "former player")
	if n := len(tables); n > 0 {
		t = text.Sentences(t, text.Say("{n, plural, one {You have # game in progress. Leaving resigns it.} other {You have # games in progress. Leaving resigns them.}}", n))
	}
	t = text.Sentences(t, text.Say("This can't be undone. {export} gives you a copy first.", text.Code("/data export")))
	return bot.Reply{Text: t, Buttons: []bot.Button{
		{ID: bot.ButtonID(0, 0, "data", map[string]string{"what": "forget"}), Label: text.Say("Yes, forget me"), Style: bot.Danger},
		{ID: bot.ButtonID(0, 0, "data", map[string]string{"what": "export"}), Label: text.Say("Export first")},
	}}, nil
}

// export answers with all data about a player, as files.
func (f *Feature) export(ctx context.Context, req bot.Request) (bot.Reply, error) {
	files, err := feature.Heavy(ctx, f.desk, nil, func(ctx context.Context) ([]bot.File, error) { return f.Archive.Export(ctx, req.User) })
	if err != nil {
		return bot.Reply{}, err
	}
	return bot.Reply{Text: text.Say("Everything I keep about you: {file}, and your finished games as GCG.", text.Code("data.json")), Files: files}, nil
}

func (f *Feature) forget(ctx context.Context, req bot.Request) (bot.Reply, error) {
	if err := f.Archive.Forget(ctx, req.User); err != nil {
		return bot.Reply{}, err
	}
	return bot.Reply{Text: text.Say("Done. I've forgotten you. Thank you for playing. If you come back, start with {new} or {join}.", text.Code("/new"), text.Code("/join"))}, nil
}
