package play

import (
	"context"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/input"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/imaging"
)

// A Feature provides the game itself: the lobby, the turns, and the views of a table.
type Feature struct {
	desk     feature.Desk
	house    Registry
	settings *settings.Settings
	feature.Resources
	lines       *shelf.Shelf[linesKey, storedLines]
	known       *shelf.Shelf[shelf.Person, storedKnown]
	guide       *guide
	asides      *threads
	looks       *looks
	invitations *invitations
	overviews   *shelf.Shelf[shelf.Channel, storedOverview]

	// OfferSetup adds to the reply to a manager who opens a table how to set the place up.
	OfferSetup func(ctx context.Context, req bot.Request, r bot.Reply) (bot.Reply, error)
	// Ladder ranks the players of the month.
	Ladder Ladder
	// Daily reports whether a board is posted in a channel each day.
	Daily func(ctx context.Context, ch bot.ChannelID) (bool, error)
	// Listed reports whether another message of the place lists the game played in a channel.
	Listed func(ctx context.Context, ch bot.ChannelID) (bool, error)
}

// A Registry gives the game access to all features together; see [feature.Registry].
type Registry interface {
	Commands() []feature.Command
	Variants() table.Variants
	Read(o *feature.Opening) error
	TablesNaming(ctx context.Context, who game.PlayerID) ([]bot.TableID, error)
	Board(ctx context.Context, t table.Table, m *bot.Message) error
}

// New returns the feature.
func New(d feature.Desk, own *shelf.Owner, h Registry, m feature.Resources, s *settings.Settings) *Feature {
	return &Feature{
		desk: d, house: h, settings: s, Resources: m,
		lines:       openLines(own),
		known:       shelf.Open(own, "known", shelf.Spec[shelf.Person, storedKnown]{Why: "the unusual rules that somebody was told of before they sat down, so that each is told once"}),
		guide:       &guide{d, h},
		asides:      newAsides(d, own, s),
		looks:       &looks{d, h},
		invitations: newInvitations(d, own),
		overviews:   shelf.Open(own, "overview", shelf.Spec[shelf.Channel, storedOverview]{Why: "when a channel's list of games was last brought up to date"}),
	}
}

// Hooks returns what the feature adds to a host.
func (f *Feature) Hooks() feature.Feature {
	return feature.Feature{
		Commands: f.commands,
		Settings: playSettings(),
		Due: map[string]feature.Due{
			"": {Do: f.timeUp}, matchKind: {Do: f.openNext}, orderKind: {Do: f.timeUp}, runningKind: {Do: f.updateOverview, Last: true}, inviteKind: {Do: f.invitations.update},
		},
		Posts:   f.posts(),
		Open:    f.readRules,
		Answer:  f.answer,
		Sight:   f.showNotes,
		Timers:  f.timers,
		Invited: f.Invited,
		Leave:   f.cleanOverviews,
	}
}

// commands returns the feature's commands.
func (f *Feature) commands() []feature.Command {
	return []feature.Command{
		{Command: bot.Command{Name: "play", Help: "Play a word", Example: "/play horn 8h", Options: []bot.Option{input.Word, input.Square}}, OfGame: true, Fits: feature.OwnGame.IsTurn, Run: f.Play, Complete: map[string]feature.Completer{"at": feature.Squares(f.desk)}},
		{Command: bot.Command{Name: "try", Help: "See in private what a play would look like and score", Example: "/try horn 8h", Options: []bot.Option{input.Word, input.Square}}, OfGame: true, Run: f.looks.try, Complete: map[string]feature.Completer{"at": feature.Squares(f.desk)}},
		{Command: bot.Command{Name: "exchange", Help: "Put tiles back and draw new ones", Example: "/exchange qvv", Options: []bot.Option{
			{Name: "tiles", Help: "The tiles to put back, like QVV or Q?", Kind: bot.Letters, Required: true, Question: text.Say("Which tiles?"), Without: text.Say("{pass} keeps all your tiles.", text.Code("/pass"))},
		}}, OfGame: true, Fits: feature.OwnGame.IsTurn, Run: f.exchange},
		{Command: bot.Command{Name: "pass", Help: "Pass your turn, or accept the last play", Example: "/pass", Options: []bot.Option{
			{Name: "sure", Help: "Pass without being asked to confirm", Kind: bot.YesNo, Rare: true},
		}}, OfGame: true, Fits: feature.OwnGame.IsTurn, Run: f.pass},
		{Command: bot.Command{Name: "challenge", Help: "Challenge the latest play: all its words, or the ones you name", Example: "/challenge qi za", Options: []bot.Option{
			{Name: "words", Help: "The words to look up. Leave it out for all of them.", Kind: bot.Words},
		}}, OfGame: true, Fits: canChallenge, Run: f.challenge, Complete: map[string]feature.Completer{"words": f.completeWords}},
		{Command: bot.Command{Name: "rack", Help: "See your rack, for your eyes only", Example: "/rack shuffle", Options: []bot.Option{
			{Name: "order", Help: "How to arrange the tiles", Kind: bot.Pick, Choices: []bot.Choice{{Value: "sort", Label: text.Say("In alphabetical order")}, {Value: "shuffle", Label: text.Say("Shuffled")}}},
		}}, OfGame: true, Run: f.rack},
		{Command: bot.Command{Name: "board", Help: "Show the board", Example: "/board text", Options: []bot.Option{
			{Name: "as", Help: "For your eyes only: a picture, or text that any screen reader can read", Kind: bot.Pick, Choices: []bot.Choice{
				{Value: "picture", Label: text.Say("A picture")}, {Value: "zoom", Label: text.Say("The part around the last play, larger")}, {Value: "print", Label: text.Say("A picture large enough to print")}, {Value: "text", Label: text.Say("Text")},
			}},
		}}, OfGame: true, Run: f.looks.board},
		{Command: bot.Command{Name: "unseen", Help: "See the tiles you can't see: in the bag and on other racks", Example: "/unseen"}, OfGame: true, Run: f.showUnseen},
		{Command: bot.Command{Name: "note", Help: "Make a private note at this table, or see your notes", Example: "/note Bob has the Q", Options: noteOptions()}, Run: f.note},
		{Command: bot.Command{Name: "new", Help: "Open a table here, in a thread if a game is on", Example: "/new seats:2 rules:club", Options: []bot.Option{
			{Name: "opponents", Help: "Who to invite. Leave it out to let anybody join.", Kind: bot.People},
			{Name: "rules", Help: "The rule set", Kind: bot.Pick, Choices: ruleChoices()},
			{Name: "variant", Help: "Another way to play; /help with its name explains it", Kind: bot.Pick, Choices: f.variantChoices()},
			{Name: "challenge", Help: "What happens to words that aren't in the list", Kind: bot.Pick, Choices: words.ChallengeChoices()},
			{Name: "language", Help: "The language of the tiles and words", Kind: bot.Pick, ByLabel: true},
			{Name: "lexicon", Help: "The word list to play with", Kind: bot.Pick},
			{Name: "seats", Help: "How many can play: as many as the rules allow, or two under club rules", Kind: bot.Pick, Choices: []bot.Choice{{Value: "2", Label: text.Say("2 players")}, {Value: "3", Label: text.Say("3 players")}, {Value: "4", Label: text.Say("4 players")}}},
			{Name: "clock", Help: "How long each player can think in the whole game", Kind: bot.Pick, Choices: clocks()},
			{Name: "order", Help: "How the playing order is decided", Kind: bot.Pick, Choices: orderChoices()},
			{Name: "out", Help: "What the player who goes out gains", Kind: bot.Pick, Choices: []bot.Choice{
				{Value: "deduct", Label: text.Say("The player who goes out takes the value of the others' tiles")},
				{Value: "double", Label: text.Say("The player who goes out gains twice the value of the others' tiles")},
			}},
			{Name: "joining", Help: "How a word must join the ones on the board", Kind: bot.Pick, Choices: []bot.Choice{
				{Value: "letters", Label: text.Say("Every word uses a letter on the board")}, {Value: "words", Label: text.Say("Touching other tiles is enough")},
			}},
			{Name: "dictionary", Help: "Whether players can look words up during the game", Kind: bot.Pick, Choices: []bot.Choice{{Value: "allowed", Label: text.Say("Allowed")}, {Value: "refused", Label: text.Say("Refused")}}},
			{Name: "rated", Help: "Whether the game is rated", Kind: bot.YesNo},
			{Name: "thread", Help: "Whether to open it in its own thread, where there are threads", Kind: bot.YesNo},
		}}, Run: f.open, Complete: map[string]feature.Completer{"lexicon": f.completeLists, "language": f.completeLanguages}},
		{Command: bot.Command{Name: "join", Help: "Sit down at the table in this channel, or add a robot", Example: "/join"}, Run: f.joinNext},
		{Command: bot.Command{Name: "leave", Help: "Leave the table before the game starts", Example: "/leave"}, Run: f.asides.onlyInLobby(f.leave)},
		{Command: bot.Command{Name: "vote", Help: "Vote on the playing order, at tables that do", Example: "/vote 213", Options: []bot.Option{{Name: "order", Help: "The players' numbers in that order, like 213, or any", Kind: bot.Pick, Required: true, Question: text.Say("In what order?"), Completes: true}}}, Run: f.vote, Complete: map[string]feature.Completer{"order": f.completeVotes}},
		{Command: bot.Command{Name: "start", Help: "Start with the players who are at the table", Example: "/start"}, Run: f.asides.onlyInLobby(f.start)},
		{Command: bot.Command{Name: "resign", Help: "Give up your game", Example: "/resign"}, OfGame: true, Run: f.resign},
		{Command: bot.Command{Name: "end", Help: "Agree to end the game here, where the rules allow it", Example: "/end"}, OfGame: true, Run: f.end},
		{Command: bot.Command{Name: "history", Help: "See the moves of this game, and its summary when it's over", Example: "/history"}, OfGame: true, Run: f.looks.history},
		{Command: bot.Command{Name: "replay", Help: "See this game from the first move, as an animated picture", Example: "/replay"}, Run: f.looks.replay},
		{Command: bot.Command{Name: "export", Help: "Get the finished game as GCG, and the proof that its draws were fair", Example: "/export"}, Run: f.looks.export},
		{Command: bot.Command{Name: "rematch", Help: "Rematch: same players, same settings", Example: "/rematch"}, Run: f.rematch},
		{Command: bot.Command{Name: "help", Help: "See what you can do, or how a command works", Example: "/help play", Options: []bot.Option{
			{Name: "command", Help: "The command to explain", Kind: bot.Pick},
		}}, Run: f.guide.help, Complete: map[string]feature.Completer{"command": f.guide.commandNames}},
	}
}

// posts returns the feature's messages.
func (f *Feature) posts() map[string]feature.Posting {
	return map[string]feature.Posting{boardKind: {Tell: f.looks.boardMessage}, runningKind: {Tell: f.overviewMessage, Apart: true}, inviteKind: {Tell: f.asides.tellInvited, Apart: true}}
}

// timers schedules the end of a challenge or a vote, the second game of a match, and updates of
// invitations and of the channel's overview.
func (f *Feature) timers(ctx context.Context, s feature.Step) []bot.Timer {
	all := append(f.overviewTimer(ctx, s), f.invitations.timer(s)...)
	for _, e := range s.Done {
		switch f := e.Fact.(type) {
		case game.LastPlay:
			all = append(all, bot.Timer{At: f.Until})
		case game.Polled:
			all = append(all, bot.Timer{At: f.Until, Kind: orderKind})
		}
	}
	return append(all, matchTimer(s.After, s.Done)...)
}

// variantChoices returns the variants, each with the options of /new that make no sense in it.
func (f *Feature) variantChoices() []bot.Choice {
	all := f.house.Variants().Choices()
	for i, c := range all {
		v, ok := game.FindVariant(c.Value)
		if !ok {
			continue // the ordinary game
		}
		without := settings.UselessOptions(v)
		if settings.IsSolo(v) {
			without = append(without, "opponents", "seats", "rated")
		}
		if !v.Robots {
			without = append(without, "robots")
		}
		all[i].Without = without
	}
	return all
}

func ruleChoices() []bot.Choice {
	return []bot.Choice{
		{Value: "classic", Label: text.Say("Classic: challenges are free, leftover tiles change hands")},
		{Value: "club", Label: text.Say("Club: as in tournaments, no looking words up")},
		{Value: "rulebook", Label: text.Say("Rulebook: valid words only, six scoreless turns can end it")},
		{Value: "family", Label: text.Say("Family: valid words only, until everybody passes or agrees to stop")},
		{Value: "match", Label: text.Say("Match: two games between two players, each goes first once")},
	}
}

// playSettings returns the settings of a place's tables and boards.
func playSettings() []settings.Setting {
	return []settings.Setting{
		{Option: settings.Pick("rules", "For a place: the rule set for new tables", ruleChoices()), NewTable: true, Default: settings.ConstantDefault(game.Classic().Name)},
		challengeSetting(),
		languageSetting(),
		lexiconSetting(),
		{Option: settings.Pick("games", "For a place: whether tables may be opened there, and how many at once", []bot.Choice{
			{Value: "allowed", Label: text.Say("Any number")}, {Value: settings.OneGame, Label: text.Say("One at a time")}, {Value: "refused", Label: text.Say("None")},
		}), Default: settings.ConstantDefault("allowed")},
		boardSetting(),
		themeSetting(),
		overviewSetting(),
		{Option: settings.Pick("abandoned", "For a place: who can end an abandoned game", []bot.Choice{
			{Value: byManagers, Label: text.Say("Only managers of this server")},
			{Value: byPlayers, Label: text.Say("After 7 days its players too, except the one to move")},
			{Value: byAnyone, Label: text.Say("Its players after 7 days, anybody after 14")},
		}), Default: settings.ConstantDefault(byManagers)},
	}
}

func challengeSetting() settings.Setting {
	return settings.Setting{
		Option: settings.Pick("challenge", "For a place: the challenge rule for new tables", words.ChallengeChoices()), NewTable: true,
		Default: func(_ settings.Has, _ bot.ChannelID, so func(string) string) string {
			rules, err := rulesFor(map[string]string{"rules": so("rules")})
			if err != nil {
				rules = game.Classic()
			}
			return rules.Challenge.String()
		},
		DefaultNote: text.Item("as the rules say"),
	}
}

func languageSetting() settings.Setting {
	return settings.Setting{
		Option: bot.Option{Name: "language", Help: "For a place: the language of new tables", Kind: bot.Pick, ByLabel: true}, NewTable: true,
		Complete: languagesToSet,
		Default: func(h settings.Has, ch bot.ChannelID, _ func(string) string) string {
			if l := h.LanguageOf(h.UsualLexicon(ch.Platform())); l != nil {
				return l.Code
			}
			return "en"
		},
		Check: func(h settings.Has, value string) error {
			_, _, err := h.ListFor("", map[string]string{"language": value})
			return err
		},
	}
}

func lexiconSetting() settings.Setting {
	return settings.Setting{
		Option: settings.Pick("lexicon", "For a place: the word list for new tables", nil), NewTable: true,
		Complete: listsToSet,
		Default: func(h settings.Has, ch bot.ChannelID, so func(string) string) string {
			return h.UsualList(ch.Platform(), h.Language(so("language")))
		},
		Check: func(h settings.Has, value string) error {
			if h.Lexicon(game.LexiconID{Name: value}, h.TilesOf(value)) == nil {
				return words.Refusing("Unknown word list {list}. {help} lists them.", text.Code(text.Shorten(value, bot.MaxName)), text.Code("/help new"))
			}
			return nil
		},
	}
}

func boardSetting() settings.Setting {
	return settings.Setting{
		Option: settings.Pick(settings.Board, "For a place: what happens to a board when the next one comes", []bot.Choice{
			{Value: settings.FoldedBoard, Label: text.Say("It's folded into a line about the move")},
			{Value: settings.LiveBoard, Label: text.Say("There's one board, kept up to date; /history lists the moves")},
		}),
		Default: func(h settings.Has, ch bot.ChannelID, _ func(string) string) string {
			if h.OneBoard(ch.Platform()) {
				return settings.LiveBoard
			}
			return settings.FoldedBoard
		},
	}
}

func themeSetting() settings.Setting {
	var themes []bot.Choice
	for _, t := range imaging.Themes() {
		themes = append(themes, bot.Choice{Value: t.String(), Label: text.Known(t.Title())})
	}
	return settings.Setting{
		Option: settings.Pick(settings.Theme, "For a place: the colours of the boards", themes), Default: settings.ConstantDefault(settings.Auto), DefaultNote: text.Item("whatever suits each platform"),
		Check: func(h settings.Has, value string) error {
			if _, known := settings.LabelOf(themes, value); !known && value != settings.Auto {
				return words.BadSetting("theme", value)
			}
			if !h.Pictures {
				return words.Refusing("No boards are drawn here, so there's no theme to choose.")
			}
			return nil
		},
	}
}

// Values of the setting "abandoned": they decide who may end other people's abandoned games. See
// [Feature.endOther].
const (
	byManagers = "managers"
	byPlayers  = "players"
	byAnyone   = "anyone"
)
