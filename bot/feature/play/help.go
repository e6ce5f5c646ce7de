package play

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// A guide explains the commands.
type guide struct {
	desk  feature.Desk
	house Registry
}

// help explains one command, all of them, or the ones that the person is likely to want now. The
// button More uses it too, to show what else can be pressed.
func (g *guide) help(ctx context.Context, req bot.Request) (r bot.Reply, err error) {
	if strings.EqualFold(req.Args["command"], table.FairDraws) {
		return g.fairDraws(ctx, req)
	}
	if req.Table != 0 {
		return g.listMore(ctx, req)
	}
	to := g.desk.LocaleFor(ctx, req)
	name := strings.TrimPrefix(strings.ToLower(req.Args["command"]), "/")
	if name != "" && name != allCommands {
		c, ok := g.commands().FindIn(name, to)
		if v := g.house.Variants().Named(name); !ok && v.Name != "" {
			t := text.Lines(text.Say("{variant}.", v.Label), v.Help)
			for _, c := range g.byVariant()[v.Name] {
				t = text.Lines(t, commandLine(g.desk.Platform(req.Channel), c, to))
			}
			return bot.Reply{Text: t}, nil
		}
		if !ok {
			return words.Refuse(bot.UnknownCommand(name)), nil
		}
		all := len(c.Options)
		fits := func(of explanation) bool {
			r.Text = of.command(g, c, to)
			return r.Text.In(to).Len() <= bot.MaxText
		}
		if fits(explanation{both: true, help: true, values: all}) {
			return r, nil
		}
		for n := all; n >= 0; n-- {
			if fits(explanation{help: true, values: n}) {
				return r, nil
			}
		}
		fits(explanation{both: true, values: all})
		return r, nil
	}
	if name == allCommands {
		return g.listCommands(req, to), nil
	}
	return g.likelyCommands(ctx, req, to)
}

// A helpGroup is a part of the list of all commands.
type helpGroup struct {
	label    text.Text
	commands []string
}

// helpGroups returns the parts of the list of all commands. The last one takes the commands
// that are in none.
func helpGroups() []helpGroup {
	return []helpGroup{
		{text.Say("Your turn"), []string{"play", "try", "exchange", "pass", "challenge", "rack", "board", "hint", "unseen", "plan", "check", "resign"}},
		{text.Say("Tables"), []string{"new", "join", "games", "leave", "vote", "start", "adopt", "nudge", "claim", "wait", "end", "history", "rematch", "away", "unseat"}},
		{text.Say("Words and study"), []string{"daily", "anagram", "hooks", "pattern", "review", "replay", "export", "note"}},
		{text.Say("Competitions"), []string{"stats", "top", "league", "tournament", "club", "roster"}},
		{text.Say("You and this place"), nil},
	}
}

// listCommands lists all commands except the variants' own by group, or with what each does
// if the request names a group by its number.
func (g *guide) listCommands(req bot.Request, to *text.Locale) bot.Reply {
	at := g.desk.Platform(req.Channel)
	groups := helpGroups()
	ofVariants := slices.Concat(slices.Collect(maps.Values(g.byVariant()))...)
	in := make([][]bot.Command, len(groups))
	for _, c := range g.house.Commands() {
		if _, ok := ofVariants.Find(c.Name); ok || c.Ours && at.Steward == nil {
			continue
		}
		i := slices.IndexFunc(groups, func(g helpGroup) bool { return slices.Contains(g.commands, c.Name) })
		if i < 0 {
			i = len(groups) - 1
		}
		in[i] = append(in[i], c.Command)
	}
	var r bot.Reply
	chosen, err := strconv.Atoi(req.Args["group"])
	if err == nil && chosen >= 0 && chosen < len(groups) {
		r.Text = text.Glue(text.Strong(groups[chosen].label.In(to).String()))
		for _, c := range in[chosen] {
			r.Text = text.Lines(r.Text, commandLine(at, c, to))
		}
	} else {
		chosen = -1
		r.Text = text.Say("What you can do. A button says more; {help} explains one command.", text.Code("/help play"))
		for i, group := range groups {
			var names []text.Span
			for _, c := range in[i] {
				names = append(names, text.Code("/"+c.Name))
			}
			r.Text = text.Lines(r.Text, text.Glue(text.Strong(group.label.In(to).String()), ": ", text.Join(names, " ")))
		}
	}
	for i, group := range groups {
		if i != chosen {
			r.Buttons = append(r.Buttons, bot.Button{ID: bot.ButtonID(0, 0, "help", map[string]string{"command": allCommands, "group": strconv.Itoa(i)}), Label: group.label})
		}
	}
	return r
}

// likelyCommands lists the commands that the person is likely to want now.
func (g *guide) likelyCommands(ctx context.Context, req bot.Request, to *text.Locale) (bot.Reply, error) {
	at, err := g.desk.Load(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	names := likely(at, req.User.ID)
	if _, err := at.Seat(req); err == nil {
		for _, c := range g.byVariant()[at.Rules.Variant] {
			names = append([]string{c.Name}, names...)
		}
	}
	t := text.Say("What you can do now:")
	for _, name := range names {
		if c, ok := g.commands().Find(name); ok {
			t = text.Lines(t, commandLine(g.desk.Platform(req.Channel), c, to))
		}
	}
	return bot.Reply{Text: text.Lines(t, text.Say("{all} lists all commands, and {help} explains one.", text.Code("/help "+allCommands), text.Code("/help play")))}, nil
}

// byVariant returns the commands that only one variant has, by the variant's name.
func (g *guide) byVariant() map[string]bot.Commands {
	all := map[string]bot.Commands{}
	for _, c := range g.house.Commands() {
		if v := c.Variant(); v != "" {
			all[v] = append(all[v], c.Command)
		}
	}
	return all
}

// commands returns all commands that people can use.
func (g *guide) commands() bot.Commands { return feature.Contract(g.house.Commands()) }

// allCommands is the argument of /help that lists all commands.
const allCommands = "all"

// likely returns the commands that a person is likely to want in the table's phase. It leaves out
// looking words up if the table's players can't.
func likely(t table.Table, who game.PlayerID) []string {
	all := ofPhase(t, who)
	if seat, seated := t.SeatOf(who); seated && !t.Seats[seat].Out && t.Phase > game.Lobby && t.Phase != game.Over && !t.Rules.WordCheck {
		all = slices.DeleteFunc(all, func(name string) bool { return name == "check" })
	}
	return all
}

func ofPhase(t table.Table, who game.PlayerID) []string {
	seat, seated := t.SeatOf(who)
	switch {
	case t.Phase == game.NoTable || t.Phase == game.Over && t.End == nil:
		return []string{"new", "games", "stats", "check", "anagram", "settings"}
	case t.Phase == game.Over:
		return []string{"rematch", "new", "review", "history", "replay", "export", "stats"}
	case t.Phase == game.Lobby && seated:
		return []string{"start", "join", "leave", "settings"}
	case t.Phase == game.Lobby:
		return []string{"join", "games", "settings"}
	case t.Phase == game.Voting:
		return []string{"vote", "board", "resign"}
	case !seated || t.Seats[seat].Out:
		return []string{"board", "history", "unseen", "check", "adopt", "games"}
	case t.Phase == game.Closing:
		return []string{"challenge", "pass", "rack", "board", "history"}
	case t.Turn == seat || t.SharesRack():
		return []string{"play", "try", "exchange", "pass", "challenge", "rack", "board", "unseen", "hint", "check", "resign"}
	}
	return []string{"try", "plan", "challenge", "rack", "board", "unseen", "history", "note", "check", "nudge", "resign"}
}

// explanation sets how much the help on a command says about its options: both names of each or only the
// reader's, what it does, and for how many options the values.
type explanation struct {
	both, help bool
	values     int
}

// command explains a command.
func (of explanation) command(g *guide, c bot.Command, to *text.Locale) text.Text {
	t := text.Lines(text.Say("{help}.", text.Known(c.Help)), bot.Usage(c))
	if line := c.Line(to); line != c.Line(nil) {
		t = text.Sentences(t, text.Say("{line} does the same.", text.Code(line)))
	}
	if c.Example != "/"+c.Name {
		t = text.Sentences(t, text.Say("For example, {example}.", text.Code(c.Example)))
	}
	for i, o := range c.Options {
		name := commandName("", o.Name, o.NameIn(to))
		if !of.both {
			name = name[len(name)-1:]
		}
		t = text.Lines(t, name)
		if of.help {
			t = text.Glue(t, ": ", text.Known(o.Help))
		}
		if values := g.valuesOf(o); i < of.values && len(values) > 0 {
			t = text.Glue(t, " (", strings.Join(values, ", "), ")")
		}
	}
	return t
}

// valuesOf returns the values that an option accepts.
func (g *guide) valuesOf(o bot.Option) (values []string) {
	for _, choice := range o.Choices {
		values = append(values, choice.Value)
	}
	switch o.Name {
	case "language":
		for _, l := range g.desk.Lists().LanguageChoices() {
			values = append(values, l.Value)
		}
	case "lexicon":
		for _, l := range g.desk.Lists().Available() {
			values = append(values, l.Name())
		}
	}
	return values
}

// commandLine returns a command as people type it on a platform, with what it does.
func commandLine(at bot.Platform, c bot.Command, to *text.Locale) text.Text {
	name := text.Glue(text.Code("/" + c.Name))
	if at.Typed == nil {
		name = commandName("/", c.Name, c.NameIn(to))
	}
	return text.Glue(name, " ", text.Known(c.Help))
}

// commandName returns a name to type, in English and in the reader's language.
func commandName(sign, english, own string) text.Text {
	if own == "" || own == english {
		return text.Glue(text.Code(sign + english))
	}
	return text.Glue(text.Code(sign+english), " · ", text.Code(sign+own))
}

// fairDraws explains why nobody can choose the tiles, and shows the digest to compare with the one in
// the message that opened the table.
func (g *guide) fairDraws(ctx context.Context, req bot.Request) (bot.Reply, error) {
	t, err := g.desk.Load(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	said := text.Say("When a table opens, I make a secret and post its digest in small type under that message. All draws follow from the secret and from how the players join, so nobody can choose tiles, not even me. When the game is over, {export} has the secret and every draw, and {rackmate} makes them all again.", text.Code("/export"), text.Code("rackmate verify"))
	alone := !slices.ContainsFunc(t.Seats, func(s game.Seat) bool { return s.Joined != t.Seats[0].Joined })
	if alone && t.Phase > game.Lobby {
		said = text.Sentences(said, text.Say("Nobody sat down at this table after the secret was made, so the proof shows that no draw was changed, but not that the secret wasn't picked."))
	}
	if t.Phase == game.Over {
		said = text.Lines(said, text.Say("The secret was:"), text.Glue(text.Code(fmt.Sprintf("%x", t.Secret))))
	}
	if t.Phase != game.NoTable {
		said = text.Lines(said, text.Say("Compare the digest in that message with {digest}. Without that message you only have my word.", text.Code(game.Digest(t.Secret.Commitment()))))
	}
	return bot.Reply{Text: said}, nil
}

// listMore lists the actions that didn't fit under a public message.
func (g *guide) listMore(ctx context.Context, req bot.Request) (bot.Reply, error) {
	t, err := feature.LoadDealt(ctx, g.desk, req)
	if err != nil {
		return feature.OrExplain(t, req, err)
	}
	r := bot.Reply{Text: text.Say("More to do here. {help} lists all commands, and {draws} explains why the draws are fair.", text.Code("/help "+allCommands), text.Code("/help draws"))}
	if t.Phase != game.Over {
		r.Buttons = append(r.Buttons, t.Button(text.Say("Unseen tiles"), "unseen", bot.Ordinary, nil))
	}
	r.Buttons = append(r.Buttons,
		t.Button(text.Say("Moves"), "history", bot.Ordinary, nil),
		t.Button(text.Say("Board as text"), "board", bot.Ordinary, map[string]string{"as": "text"}),
		t.Button(text.Say("Replay"), "replay", bot.Ordinary, nil))
	if seat, err := t.Seat(req); err == nil && t.Phase == game.Playing && t.Turn == seat {
		r.Buttons = append(r.Buttons, t.Button(text.Say("Pass my turn"), "pass", bot.Danger, nil))
	}
	return r, nil
}
