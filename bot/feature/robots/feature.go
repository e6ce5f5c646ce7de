package robots

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
)

// Feature is robots that play, hint and review.
func Feature() host.Feature {
	hints := newHints()
	return host.Feature{
		Commands: []host.Command{
			{Command: bot.Command{Name: "hint", Help: "Get a hint for your turn, and more of it each time, for your eyes only", Example: "/hint", Options: nil}, OfGame: true, Run: hints.hint, Complete: nil},
			{Command: bot.Command{Name: "review", Help: "See how well a finished game was played, move by move", Example: "/review 4", Options: []bot.Option{
				{Name: "move", Help: "The number of a move to look at; leave out for the whole game", Kind: bot.Word},
				{Name: "show", Help: "Which play to lay on the board", Kind: bot.Pick, Choices: []bot.Choice{{Value: "played", Label: text.Say("What was played")}, {Value: "best", Label: text.Say("The best play")}}},
				{Name: "post", Help: "Whether to show everybody the review", Kind: bot.YesNo},
			}}, Run: review, Complete: nil},
		},
		Options: map[string][]bot.Option{
			"new": {
				{Name: "robots", Help: "A robot to play against, and how well it plays; or several", Kind: bot.Words, Choices: levelChoices()},
				{Name: "hints", Help: "Whether players may ask for hints", Kind: bot.Pick, Choices: []bot.Choice{{Value: "allowed", Label: text.Say("Allowed")}, {Value: "refused", Label: text.Say("Refused")}}},
			},
			"join":  {{Name: "robot", Help: "A robot that is to sit down at your table, and how well it plays", Kind: bot.Pick, Choices: levelChoices()}},
			"adopt": {{Name: "robot", Help: "Have a robot play on there, and how well", Kind: bot.Pick, Choices: levelChoices()}},
		},
		Instead: map[string]host.Run{"join": joinRobot, "adopt": adoptRobot},
		Open:    bringRobots,
		AtOnce:  robotsAtOnce,
		Timers: func(_ context.Context, _ *host.Host, s host.Step) []bot.Timer {
			if kind := robotsTimer(s.After); kind != "" {
				return []bot.Timer{{At: s.Last().At, Kind: kind}}
			}
			return nil
		},
		Due: map[string]host.Due{
			robotKind:    {Do: robotsAct, Workers: func(*host.Host) int { return 1 }},
			thinkerKind:  {Do: robotsAct, Workers: func(h *host.Host) int { return max(h.Thinkers, 1) }},
			reviewerKind: {Do: makeReview, Workers: func(*host.Host) int { return 1 }},
		},
		Posts: map[string]host.Posting{reviewKind: {Tell: reviewMessage, Picture: reviewedPicture}},
		Answer: func(ctx context.Context, h *host.Host, o host.Outcome) (bot.Reply, bool, error) {
			if _, hinted := o.Fact.(game.Hinted); !hinted {
				return bot.Reply{}, false, nil
			}
			r, err := hints.reply(ctx, h, o.Table, o.Seat)
			return r, true, err
		},
	}
}
