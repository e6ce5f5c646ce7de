package bot

import (
	"context"
	"slices"
)

// A Command is something people can ask of the host. The one list of them,
// its [Commands], is what every platform registers, completes, explains and
// parses by.
type Command struct {
	Name    string // lower case
	Help    string // what it does, at most 100 characters
	Example string // how it is typed
	Options []Option
}

// Commands lists what people can ask of a host, in the order that help shows
// it.
type Commands []Command

// Find finds a command by its name.
func (cs Commands) Find(name string) (Command, bool) {
	i := slices.IndexFunc(cs, func(c Command) bool { return c.Name == name })
	if i < 0 {
		return Command{}, false
	}
	return cs[i], true
}

// Asks lists the options to ask the person for before a pressed button's
// request is made: all that are not given yet, when the command can't do
// without one of them. A platform that can't ask makes the request as it is,
// and the answer says what to type.
func (cs Commands) Asks(r Request) []Option {
	c, _ := cs.Find(r.Command)
	var ask []Option
	needed := false
	for _, o := range c.Options {
		if r.Args[o.Name] == "" && o.Kind != People {
			ask = append(ask, o)
			needed = needed || o.Required
		}
	}
	if !needed {
		return nil
	}
	return ask
}

// An Option is something a command can be told.
type Option struct {
	Name      string // lower case
	Help      string // at most 100 characters
	Kind      Kind
	Required  bool
	Choices   []Choice // for Pick: the values there are
	Completes bool     // Host.Complete knows what could be meant
	// Rare says that few want it: it is not offered before its name is begun.
	Rare bool
	// Place says that it is a setting of a channel or a home, which those who
	// manage it can change.
	Place bool
}

// A Kind is what sort of value an option takes. It lets free text be read in
// any order: "play horn 8h" is "play 8h horn".
type Kind uint8

const (
	Word    Kind = iota + 1 // a word, perhaps with "?" before blanks
	Square                  // 8H or H8
	Letters                 // tiles of a rack
	Words                   // words separated by spaces or commas; takes all that is left
	Pick                    // one of Choices, or what Host.Complete offers
	People                  // persons; the adapter turns them into Request.People
	YesNo                   // true or false
)

// A Choice is a value that an option can take, and how to show it.
type Choice struct {
	Value string
	Label string // at most 100 characters
}

var (
	wordOption   = Option{Name: "word", Help: "The whole word, with the letters on the board. ? before a letter plays a blank.", Kind: Word, Required: true}
	squareOption = Option{Name: "at", Help: "Where it starts: 8H reads across, H8 down. Leave out if only one place fits.", Kind: Square, Completes: true}
)

// A command is a Command and how it is carried out.
type command struct {
	Command
	run func(*Host, context.Context, Request) (Reply, error)
}

// AllCommands lists every command, in the order that help shows them.
func AllCommands() Commands { return contract(commands()) }

func contract(all []command) Commands {
	var cs Commands
	for _, c := range all {
		cs = append(cs, c.Command)
	}
	return cs
}

// commands lists every command and how it is carried out.
func commands() []command {
	paces := paceOptions()
	return slices.Concat([]command{
		{Command{"play", "Play a word", "/play horn 8h", []Option{wordOption, squareOption, drawOption()}}, (*Host).play},
		{Command{"try", "See in private what a play would look like and score", "/try horn 8h", []Option{wordOption, squareOption}}, (*Host).try},
		{Command{"exchange", "Put tiles back and draw as many new ones", "/exchange qvv", []Option{
			{Name: "tiles", Help: "The tiles to put back, such as QVV or Q?", Kind: Letters, Required: true},
		}}, (*Host).exchange},
	}, variantCommands(), []command{
		{Command{"pass", "Let your turn go by, or let the last play stand", "/pass", nil}, (*Host).pass},
		{Command{"challenge", "Challenge the latest play: all its words, or those you name", "/challenge qi za", []Option{
			{Name: "words", Help: "The words to look up; none means all of them", Kind: Words, Completes: true},
		}}, (*Host).challenge},
		{Command{"rack", "See your rack, for your eyes only", "/rack shuffle", []Option{
			{Name: "order", Help: "How to lay the tiles out", Kind: Pick, Choices: []Choice{{"sort", "In alphabetical order"}, {"shuffle", "Shuffled"}}},
		}}, (*Host).rack},
		{Command{"board", "Bring the board down to the end of the channel, or see it alone", "/board text", []Option{
			{Name: "as", Help: "For your eyes only: a picture, or text that any screen reader can read", Kind: Pick, Choices: []Choice{
				{"picture", "A picture"}, {"zoom", "The part around the last play, larger"}, {"print", "A picture large enough to print"}, {"text", "Text"},
			}},
		}}, (*Host).board},
		{Command{"unseen", "See which tiles you can't see: those in the bag and on other racks", "/unseen", nil}, (*Host).unseen},
		{Command{"hint", "Get a hint for your turn, and more of it each time, for your eyes only", "/hint", nil}, (*Host).hint},
		{Command{"check", "Look words up in the word list", "/check qi za", []Option{
			{Name: "words", Help: "One word or more", Kind: Words, Required: true},
		}}, (*Host).check},
		{Command{"anagram", "Find the words that letters make", "/anagram aeinrs?", []Option{
			{Name: "letters", Help: "The letters, ? for a blank", Kind: Letters, Required: true},
			{Name: "shorter", Help: "Whether words of only some of the letters count too", Kind: YesNo},
		}}, (*Host).anagram},
		{Command{"hooks", "See which letters make other words before and after a word", "/hooks horn", []Option{
			{Name: "word", Help: "The word", Kind: Word, Required: true},
		}}, (*Host).hooks},
		{Command{"pattern", "Find the words of a shape", "/pattern q?*z", []Option{
			{Name: "pattern", Help: "Letters, ? for any letter, * for any run of letters", Kind: Word, Required: true},
		}}, (*Host).pattern},
		{Command{"new", "Open a table in this channel", "/new seats:2 rules:club", slices.Concat([]Option{
			{Name: "opponents", Help: "Whom you invite; leave out to let anybody join", Kind: People},
			{Name: "robots", Help: "A robot to play against, and how well it plays; or several", Kind: Words, Choices: levelChoices()},
			{Name: "rules", Help: "The rule set", Kind: Pick, Choices: ruleChoices()},
			{Name: "variant", Help: "Another way of playing; /help and its name explain it", Kind: Pick, Choices: variantChoices()},
			{Name: "challenge", Help: "What happens to words that are not in the list", Kind: Pick, Choices: challengeChoices()},
			{Name: "lexicon", Help: "The word list to play with", Kind: Pick, Completes: true},
			{Name: "seats", Help: "How many can play", Kind: Pick, Choices: []Choice{{"2", "2 players"}, {"3", "3 players"}, {"4", "4 players"}}},
			{Name: "clock", Help: "Whether the players' time runs, by rulebook and club rules", Kind: Pick, Choices: []Choice{{"on", "On: 25 minutes each, for a game at one sitting"}, {"off", "Off"}}},
			{Name: "order", Help: "How it is settled who plays when", Kind: Pick, Choices: orderChoices()},
			{Name: "out", Help: "What the player who goes out gains", Kind: Pick, Choices: []Choice{
				{"deduct", "The others lose their tiles, who goes out gains them"},
				{"double", "Who goes out gains twice the others' tiles"},
			}},
			{Name: "dictionary", Help: "Whether players may look words up during the game", Kind: Pick, Choices: []Choice{{"allowed", "Allowed"}, {"refused", "Refused"}}},
			{Name: "hints", Help: "Whether players may ask for hints", Kind: Pick, Choices: []Choice{{"allowed", "Allowed"}, {"refused", "Refused"}}},
			{Name: "rated", Help: "Whether the game counts for the players' ratings", Kind: YesNo},
			paces[0], paces[1], paces[2], paces[3],
			{Name: "thread", Help: "Whether to open it in a thread of its own, where there are threads", Kind: YesNo},
		}, variantOptions())}, (*Host).new},
		{Command{"join", "Sit down at the table in this channel, or have a robot sit down", "/join", []Option{
			{Name: "robot", Help: "A robot that is to sit down at your table, and how well it plays", Kind: Pick, Choices: levelChoices()},
		}}, (*Host).join},
		{Command{"leave", "Get up again before the game starts", "/leave", nil}, (*Host).leave},
		{Command{"vote", "Vote on the order in which you play, where the table does", "/vote 213", orderOptions()}, (*Host).vote},
		{Command{"start", "Start with those who sit at the table", "/start", nil}, (*Host).start},
		{Command{"resign", "Give your game up", "/resign", nil}, (*Host).resign},
		{Command{"end", "Agree to end the game here, where the rules allow that", "/end", nil}, (*Host).end},
		{Command{"claim", "Take the game when an opponent has gone", "/claim", nil}, (*Host).claim},
		{Command{"wait", "Give an opponent who is late their time again", "/wait", nil}, (*Host).waitOn},
		{Command{"adopt", "Play on in a seat that has lost its player", "/adopt", adoptOptions()}, (*Host).adopt},
		{Command{"history", "See the moves of this game, and its summary when it is over", "/history", nil}, (*Host).history},
		{Command{"replay", "See this game from the first move on, as an animated picture", "/replay", nil}, (*Host).replay},
		{Command{"review", "See how well a finished game was played, move by move", "/review 4", []Option{
			{Name: "move", Help: "The number of a move to look at; leave out for the whole game", Kind: Word},
			{Name: "show", Help: "Which play to lay on the board", Kind: Pick, Choices: []Choice{{"played", "What was played"}, {"best", "The best play"}}},
			{Name: "post", Help: "Whether to show everybody the review", Kind: YesNo},
		}}, (*Host).review},
		{Command{"export", "Get the finished game as GCG, and the proof that its draws were fair", "/export", nil}, (*Host).export},
		{Command{"rematch", "Play the game that is over again, where another begins", "/rematch", nil}, (*Host).rematch},
		{Command{"plan", "Say in private what you mean to play at your next turn", "/plan horn 8h least:20", planOptions()}, (*Host).plan},
		{Command{"games", "See all your games, those first that wait for you", "/games", gamesOptions()}, (*Host).games},
		{Command{"stats", "See what you, or somebody else, have done in all your games", "/stats", statsOptions()}, (*Host).stats},
		{Command{"top", "See the best players and plays of this server", "/top month", topOptions()}, (*Host).top},
		{Command{"link", "Be one person on several surfaces, such as Discord and Slack", "/link", linkOptions()}, (*Host).link},
		{Command{"data", "Get all that is kept of you, or have it removed", "/data export", dataOptions()}, (*Host).data},
		{Command{"away", "Stop your clocks while you are away", "/away 10", awayOptions()}, (*Host).away},
		{Command{"nudge", "Tell the player whose turn it is once more, once a day", "/nudge", nil}, (*Host).nudge},
		{Command{"settings", "See and change how you are told things", "/settings ping:dm quiet:22-8", slices.Concat(settingsOptions(), placeOptions())}, (*Host).settings},
		{Command{"unseat", "Free a player's seat for somebody else, if you manage this place", "/unseat @ann", unseatOptions()}, (*Host).unseat},
		{Command{"help", "See what you can do, or how a command works", "/help play", []Option{
			{Name: "command", Help: "The command to explain", Kind: Pick, Completes: true},
		}}, (*Host).help},
	})
}

func ruleChoices() []Choice {
	return []Choice{
		{"classic", "Classic: challenge for free, tiles left over change hands"},
		{"club", "Club: as tournaments play, no looking words up"},
		{"rulebook", "Rulebook: only valid words, a clock of 25 minutes"},
		{"family", "Family: only valid words, until everybody passes"},
		{"match", "Match: two games of two players, each begins once"},
	}
}
