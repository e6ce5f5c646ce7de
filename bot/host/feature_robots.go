package host

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// robotsFeature is robots that play, hint and review.
func robotsFeature() Feature {
	return Feature{
		Commands: []command{
			{bot.Command{Name: "hint", Help: "Get a hint for your turn, and more of it each time, for your eyes only", Example: "/hint", Options: nil}, (*Host).hint, nil},
			{bot.Command{Name: "review", Help: "See how well a finished game was played, move by move", Example: "/review 4", Options: []bot.Option{
				{Name: "move", Help: "The number of a move to look at; leave out for the whole game", Kind: bot.Word},
				{Name: "show", Help: "Which play to lay on the board", Kind: bot.Pick, Choices: []bot.Choice{{Value: "played", Label: "What was played"}, {Value: "best", Label: "The best play"}}},
				{Name: "post", Help: "Whether to show everybody the review", Kind: bot.YesNo},
			}}, (*Host).review, nil},
		},
		Options: map[string][]bot.Option{
			"new": {
				{Name: "robots", Help: "A robot to play against, and how well it plays; or several", Kind: bot.Words, Choices: levelChoices()},
				{Name: "hints", Help: "Whether players may ask for hints", Kind: bot.Pick, Choices: []bot.Choice{{Value: "allowed", Label: "Allowed"}, {Value: "refused", Label: "Refused"}}},
			},
			"join":  {{Name: "robot", Help: "A robot that is to sit down at your table, and how well it plays", Kind: bot.Pick, Choices: levelChoices()}},
			"adopt": {{Name: "robot", Help: "Have a robot play on there, and how well", Kind: bot.Pick, Choices: levelChoices()}},
		},
		Instead: map[string]run{"join": (*Host).joinRobot, "adopt": (*Host).adoptRobot},
		Open:    bringRobots,
		AtOnce:  robotsAtOnce,
		Timers: func(_ *Host, s step) []bot.Timer {
			if kind := robotsTimer(s.After); kind != "" {
				return []bot.Timer{{At: s.last().At, Kind: kind}}
			}
			return nil
		},
		Due: map[string]due{
			robotKind:   {Do: (*Host).robotsAct, Workers: func(*Host) int { return 1 }},
			thinkerKind: {Do: (*Host).robotsAct, Workers: func(h *Host) int { return max(h.Thinkers, 1) }},
		},
		Posts: map[string]posting{reviewKind: {Tell: (*Host).reviewMessage, Picture: (*Host).reviewedPicture}},
		Answer: func(h *Host, ctx context.Context, t table, seat int, f game.Fact, _ bot.Request) (bot.Reply, bool, error) {
			if _, hinted := f.(game.Hinted); !hinted {
				return bot.Reply{}, false, nil
			}
			r, err := h.hintReply(ctx, t, seat)
			return r, true, err
		},
	}
}
