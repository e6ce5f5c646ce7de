package host

import (
	"context"
	"slices"

	"github.com/rackmate/rackmate/bot"
)

var (
	wordOption   = bot.Option{Name: "word", Help: "The whole word, with the letters on the board. ? before a letter plays a blank.", Kind: bot.Word, Required: true}
	squareOption = bot.Option{Name: "at", Help: "Where it starts: 8H reads across, H8 down. Leave out if only one place fits.", Kind: bot.Square, Completes: true}
)

// A command is a Command and how it is carried out.
type command struct {
	bot.Command
	run func(*Host, context.Context, bot.Request) (bot.Reply, error)
}

// Commands lists every command, in the order that help shows them.
func Commands() bot.Commands { return contract(commands()) }

func contract(all []command) bot.Commands {
	var cs bot.Commands
	for _, c := range all {
		cs = append(cs, c.Command)
	}
	return cs
}

// commands lists every command and how it is carried out.
func commands() []command {
	paces := paceOptions()
	return slices.Concat([]command{
		{bot.Command{Name: "play", Help: "Play a word", Example: "/play horn 8h", Options: []bot.Option{wordOption, squareOption, drawOption()}}, (*Host).play},
		{bot.Command{Name: "try", Help: "See in private what a play would look like and score", Example: "/try horn 8h", Options: []bot.Option{wordOption, squareOption}}, (*Host).try},
		{bot.Command{Name: "exchange", Help: "Put tiles back and draw as many new ones", Example: "/exchange qvv", Options: []bot.Option{
			{Name: "tiles", Help: "The tiles to put back, such as QVV or Q?", Kind: bot.Letters, Required: true},
		}}, (*Host).exchange},
	}, variantCommands(), []command{
		{bot.Command{Name: "pass", Help: "Let your turn go by, or let the last play stand", Example: "/pass", Options: nil}, (*Host).pass},
		{bot.Command{Name: "challenge", Help: "Challenge the latest play: all its words, or those you name", Example: "/challenge qi za", Options: []bot.Option{
			{Name: "words", Help: "The words to look up; none means all of them", Kind: bot.Words, Completes: true},
		}}, (*Host).challenge},
		{bot.Command{Name: "rack", Help: "See your rack, for your eyes only", Example: "/rack shuffle", Options: []bot.Option{
			{Name: "order", Help: "How to lay the tiles out", Kind: bot.Pick, Choices: []bot.Choice{{Value: "sort", Label: "In alphabetical order"}, {Value: "shuffle", Label: "Shuffled"}}},
		}}, (*Host).rack},
		{bot.Command{Name: "board", Help: "Bring the board down to the end of the channel, or see it alone", Example: "/board text", Options: []bot.Option{
			{Name: "as", Help: "For your eyes only: a picture, or text that any screen reader can read", Kind: bot.Pick, Choices: []bot.Choice{
				{Value: "picture", Label: "A picture"}, {Value: "zoom", Label: "The part around the last play, larger"}, {Value: "print", Label: "A picture large enough to print"}, {Value: "text", Label: "Text"},
			}},
		}}, (*Host).board},
		{bot.Command{Name: "unseen", Help: "See which tiles you can't see: those in the bag and on other racks", Example: "/unseen", Options: nil}, (*Host).unseen},
		{bot.Command{Name: "hint", Help: "Get a hint for your turn, and more of it each time, for your eyes only", Example: "/hint", Options: nil}, (*Host).hint},
		{bot.Command{Name: "check", Help: "Look words up in the word list", Example: "/check qi za", Options: []bot.Option{
			{Name: "words", Help: "One word or more", Kind: bot.Words, Required: true},
		}}, (*Host).check},
		{bot.Command{Name: "anagram", Help: "Find the words that letters make", Example: "/anagram aeinrs?", Options: []bot.Option{
			{Name: "letters", Help: "The letters, ? for a blank", Kind: bot.Letters, Required: true},
			{Name: "shorter", Help: "Whether words of only some of the letters count too", Kind: bot.YesNo},
		}}, (*Host).anagram},
		{bot.Command{Name: "hooks", Help: "See which letters make other words before and after a word", Example: "/hooks horn", Options: []bot.Option{
			{Name: "word", Help: "The word", Kind: bot.Word, Required: true},
		}}, (*Host).hooks},
		{bot.Command{Name: "pattern", Help: "Find the words of a shape", Example: "/pattern q?*z", Options: []bot.Option{
			{Name: "pattern", Help: "Letters, ? for any letter, * for any run of letters", Kind: bot.Word, Required: true},
		}}, (*Host).pattern},
		{bot.Command{Name: "new", Help: "Open a table in this channel", Example: "/new seats:2 rules:club", Options: slices.Concat([]bot.Option{
			{Name: "opponents", Help: "Whom you invite; leave out to let anybody join", Kind: bot.People},
			{Name: "robots", Help: "A robot to play against, and how well it plays; or several", Kind: bot.Words, Choices: levelChoices()},
			{Name: "rules", Help: "The rule set", Kind: bot.Pick, Choices: ruleChoices()},
			{Name: "variant", Help: "Another way of playing; /help and its name explain it", Kind: bot.Pick, Choices: variantChoices()},
			{Name: "challenge", Help: "What happens to words that are not in the list", Kind: bot.Pick, Choices: challengeChoices()},
			{Name: "language", Help: "The language whose tiles and words to play with", Kind: bot.Pick, Completes: true},
			{Name: "lexicon", Help: "The word list to play with", Kind: bot.Pick, Completes: true},
			{Name: "seats", Help: "How many can play", Kind: bot.Pick, Choices: []bot.Choice{{Value: "2", Label: "2 players"}, {Value: "3", Label: "3 players"}, {Value: "4", Label: "4 players"}}},
			{Name: "clock", Help: "Whether the players' time runs, by rulebook and club rules", Kind: bot.Pick, Choices: []bot.Choice{{Value: "on", Label: "On: 25 minutes each, for a game at one sitting"}, {Value: "off", Label: "Off"}}},
			{Name: "order", Help: "How it is settled who plays when", Kind: bot.Pick, Choices: orderChoices()},
			{Name: "out", Help: "What the player who goes out gains", Kind: bot.Pick, Choices: []bot.Choice{
				{Value: "deduct", Label: "The others lose their tiles, who goes out gains them"},
				{Value: "double", Label: "Who goes out gains twice the others' tiles"},
			}},
			{Name: "dictionary", Help: "Whether players may look words up during the game", Kind: bot.Pick, Choices: []bot.Choice{{Value: "allowed", Label: "Allowed"}, {Value: "refused", Label: "Refused"}}},
			{Name: "hints", Help: "Whether players may ask for hints", Kind: bot.Pick, Choices: []bot.Choice{{Value: "allowed", Label: "Allowed"}, {Value: "refused", Label: "Refused"}}},
			{Name: "rated", Help: "Whether the game counts for the players' ratings", Kind: bot.YesNo},
			paces[0], paces[1], paces[2], paces[3],
			{Name: "thread", Help: "Whether to open it in a thread of its own, where there are threads", Kind: bot.YesNo},
		}, variantOptions())}, (*Host).new},
		{bot.Command{Name: "join", Help: "Sit down at the table in this channel, or have a robot sit down", Example: "/join", Options: []bot.Option{
			{Name: "robot", Help: "A robot that is to sit down at your table, and how well it plays", Kind: bot.Pick, Choices: levelChoices()},
		}}, (*Host).join},
		{bot.Command{Name: "leave", Help: "Get up again before the game starts", Example: "/leave", Options: nil}, (*Host).leave},
		{bot.Command{Name: "vote", Help: "Vote on the order in which you play, where the table does", Example: "/vote 213", Options: orderOptions()}, (*Host).vote},
		{bot.Command{Name: "start", Help: "Start with those who sit at the table", Example: "/start", Options: nil}, (*Host).start},
		{bot.Command{Name: "resign", Help: "Give your game up", Example: "/resign", Options: nil}, (*Host).resign},
		{bot.Command{Name: "end", Help: "Agree to end the game here, where the rules allow that", Example: "/end", Options: nil}, (*Host).end},
		{bot.Command{Name: "claim", Help: "Take the game when an opponent has gone", Example: "/claim", Options: nil}, (*Host).claim},
		{bot.Command{Name: "wait", Help: "Give an opponent who is late their time again", Example: "/wait", Options: nil}, (*Host).waitOn},
		{bot.Command{Name: "adopt", Help: "Play on in a seat that has lost its player", Example: "/adopt", Options: adoptOptions()}, (*Host).adopt},
		{bot.Command{Name: "history", Help: "See the moves of this game, and its summary when it is over", Example: "/history", Options: nil}, (*Host).history},
		{bot.Command{Name: "replay", Help: "See this game from the first move on, as an animated picture", Example: "/replay", Options: nil}, (*Host).replay},
		{bot.Command{Name: "review", Help: "See how well a finished game was played, move by move", Example: "/review 4", Options: []bot.Option{
			{Name: "move", Help: "The number of a move to look at; leave out for the whole game", Kind: bot.Word},
			{Name: "show", Help: "Which play to lay on the board", Kind: bot.Pick, Choices: []bot.Choice{{Value: "played", Label: "What was played"}, {Value: "best", Label: "The best play"}}},
			{Name: "post", Help: "Whether to show everybody the review", Kind: bot.YesNo},
		}}, (*Host).review},
		{bot.Command{Name: "export", Help: "Get the finished game as GCG, and the proof that its draws were fair", Example: "/export", Options: nil}, (*Host).export},
		{bot.Command{Name: "rematch", Help: "Play the game that is over again, where another begins", Example: "/rematch", Options: nil}, (*Host).rematch},
		{bot.Command{Name: "plan", Help: "Say in private what you mean to play at your next turn", Example: "/plan horn 8h least:20", Options: planOptions()}, (*Host).plan},
		{bot.Command{Name: "games", Help: "See all your games, those first that wait for you", Example: "/games", Options: gamesOptions()}, (*Host).games},
		{bot.Command{Name: "stats", Help: "See what you, or somebody else, have done in all your games", Example: "/stats", Options: statsOptions()}, (*Host).stats},
		{bot.Command{Name: "top", Help: "See the best players and plays of this server", Example: "/top month", Options: topOptions()}, (*Host).top},
		{bot.Command{Name: "link", Help: "Be one person on several surfaces", Example: "/link", Options: linkOptions()}, (*Host).link},
		{bot.Command{Name: "data", Help: "Get all that is kept of you, or have it removed", Example: "/data export", Options: dataOptions()}, (*Host).data},
		{bot.Command{Name: "away", Help: "Stop your clocks while you are away", Example: "/away 10", Options: awayOptions()}, (*Host).away},
		{bot.Command{Name: "nudge", Help: "Tell the player whose turn it is once more, once a day", Example: "/nudge", Options: nil}, (*Host).nudge},
		{bot.Command{Name: "settings", Help: "See and change how you are told things", Example: "/settings ping:dm quiet:22-8", Options: slices.Concat(settingsOptions(), placeOptions())}, (*Host).settings},
		{bot.Command{Name: "unseat", Help: "Free a player's seat for somebody else, if you manage this place", Example: "/unseat @ann", Options: unseatOptions()}, (*Host).unseat},
		{bot.Command{Name: "help", Help: "See what you can do, or how a command works", Example: "/help play", Options: []bot.Option{
			{Name: "command", Help: "The command to explain", Kind: bot.Pick, Completes: true},
		}}, (*Host).help},
	})
}

func ruleChoices() []bot.Choice {
	return []bot.Choice{
		{Value: "classic", Label: "Classic: challenge for free, tiles left over change hands"},
		{Value: "club", Label: "Club: as tournaments play, no looking words up"},
		{Value: "rulebook", Label: "Rulebook: only valid words, a clock of 25 minutes"},
		{Value: "family", Label: "Family: only valid words, until everybody passes"},
		{Value: "match", Label: "Match: two games of two players, each begins once"},
	}
}
