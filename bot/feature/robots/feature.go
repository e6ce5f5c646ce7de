package robots

import (
	"context"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/game"
)

// A Feature runs the robots: they play, give hints and review games.
type Feature struct {
	desk    feature.Desk
	reviews *shelf.Shelf[shelf.Table, storedReview]
	grades  *shelf.Shelf[shelf.Pair[shelf.Person, shelf.Mark], storedGrade]
	feature.Resources
	Others
}

// Others holds what the feature needs from the host. Waiting is the CountDue of
// [feature.Registry], and Charge its Charge.
type Others struct {
	Waiting func(ctx context.Context, kind string) (int, error)
	Charge  func(ctx context.Context, work time.Duration) error
}

// New returns the feature.
func New(d feature.Desk, own *shelf.Owner, m feature.Resources, o Others) *Feature {
	m.Thinkers = max(m.Thinkers, 1)
	return &Feature{
		d,
		shelf.Open(own, "reviews", shelf.Spec[shelf.Table, storedReview]{Why: "the reviews of finished games, as far as they are made"}),
		shelf.Open(own, "grades", shelf.Spec[shelf.Pair[shelf.Person, shelf.Mark], storedGrade]{Why: "how well somebody plays, for the robot that plays about as well"}),
		m, o,
	}
}

// Hooks returns what the feature adds to a host.
func (f *Feature) Hooks() feature.Feature {
	return feature.Feature{
		Commands:   f.commands,
		Extensions: f.extensions(),
		Due:        f.dueHandlers(),
		Posts:      map[string]feature.Posting{reviewKind: {Tell: f.reviewMessage, Picture: f.reviewedPicture}},
		Open:       f.open,
		AtOnce:     f.nextAction,
		Answer:     f.answer,
		Timers:     f.timers,
	}
}

// commands returns the feature's commands.
func (f *Feature) commands() []feature.Command {
	return []feature.Command{
		{Command: bot.Command{Name: "hint", Help: "Get a hint for your turn, a little more each time, for your eyes only", Example: "/hint"}, OfGame: true, Run: f.hint},
		{Command: bot.Command{Name: "review", Help: "See how well a finished game was played, move by move", Example: "/review 4", Options: []bot.Option{
			{Name: "move", Help: "The number of a move to look at. Leave it out for the whole game.", Kind: bot.Word},
			{Name: "show", Help: "Which play to show on the board", Kind: bot.Pick, Choices: []bot.Choice{{Value: "played", Label: text.Say("What was played")}, {Value: "best", Label: text.Say("The best play")}}},
			{Name: "post", Help: "Whether to show everybody the review", Kind: bot.YesNo},
		}}, Run: f.review},
	}
}

// extensions returns the options of other commands that bring robots to tables.
func (f *Feature) extensions() map[string]feature.Extension {
	return map[string]feature.Extension{
		"new": {Options: []bot.Option{
			{Name: "robots", Help: "A robot to play against, and how well it plays; or several", Kind: bot.Words, Choices: levelChoices()},
			{Name: "hints", Help: "Whether players can ask for hints", Kind: bot.Pick, Choices: []bot.Choice{{Value: "allowed", Label: text.Say("Allowed: the game isn't rated")}, {Value: "refused", Label: text.Say("Refused")}}},
		}},
		"join":  {Options: []bot.Option{{Name: "robot", Help: "A robot to add to your table, and how well it plays", Kind: bot.Pick, Choices: levelChoices()}}, Run: f.joinRobot},
		"adopt": {Options: []bot.Option{{Name: "robot", Help: "A robot to take it over, and how well it plays", Kind: bot.Pick, Choices: levelChoices()}}, Run: f.adoptRobot},
	}
}

// timers returns a timer if robots may have something to do, or if the tutor has to learn
// from a finished game.
func (f *Feature) timers(_ context.Context, s feature.Step) []bot.Timer {
	if kind := robotsTimer(s.After); kind != "" {
		return []bot.Timer{{At: s.Last().At, Kind: kind}}
	}
	if s.After.Phase == game.Over && tutorSeat(s.After) >= 0 {
		return []bot.Timer{{At: s.Last().At, Kind: tutorKind}}
	}
	return nil
}

// dueHandlers returns the handlers of the feature's timers.
func (f *Feature) dueHandlers() map[string]feature.Due {
	return map[string]feature.Due{
		robotKind:    {Do: f.robotsAct, Workers: 1},
		thinkerKind:  {Do: f.robotsAct, Workers: f.Thinkers},
		reviewerKind: {Do: f.makeReview, Workers: 1},
		tutorKind:    {Do: f.learn},
	}
}

// answer replies with a hint if the outcome is one.
func (f *Feature) answer(ctx context.Context, o feature.Outcome) (bot.Reply, bool, error) {
	if _, hinted := o.Fact.(game.Hinted); !hinted {
		return bot.Reply{}, false, nil
	}
	r, err := f.reply(ctx, o.Table, o.Seat)
	return r, true, err
}
