package play

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

func (f *Feature) open(ctx context.Context, req bot.Request) (bot.Reply, error) {
	r, err := f.openTable(ctx, req)
	if err != nil {
		return r, err
	}
	return f.OfferSetup(ctx, req, r)
}

// openTable opens a table in the channel or beside it.
func (f *Feature) openTable(ctx context.Context, req bot.Request) (bot.Reply, error) {
	req, err := f.settings.WithDefaults(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	own, err := f.settings.Of(ctx, req.User.ID)
	if err != nil {
		return bot.Reply{}, err
	}
	req.Zone = own.ZoneFor(req).String()
	var id game.LexiconID // the place's word list; computed here because it takes a while
	if list, _, err := f.desk.Lists().ListFor(req.Channel.Platform(), req.Args); err == nil {
		if id, err = f.settings.OwnID(ctx, req, list); err != nil {
			return bot.Reply{}, err
		}
	}
	want := func(t table.Table) (game.Action, error) {
		o := feature.Opening{Request: req}
		if err := f.house.Read(&o); err != nil {
			return nil, err
		}
		open, robots := o.Open, o.Robots
		open.Lexicon = id
		open.Seats = open.Rules.Seats()
		for _, u := range req.People {
			if u.ID != req.User.ID && !u.ID.IsRobot() && !slices.ContainsFunc(open.Invited, func(p bot.User) bool { return p.ID == u.ID }) {
				open.Invited = append(open.Invited, u)
			}
		}
		switch company := len(open.Invited) + len(robots); {
		case company > 0:
			open.Seats = company + 1
		case req.Readers == 1 && open.Rules.MinPlayers > 1 && !table.RobotsKnow(open.Rules):
			return nil, words.Refusing("Robots don't play {variant}, and nobody else can see this conversation. Open the table in a channel.", open.Rules.Variant)
		case req.Readers > 1: // others couldn't come
			open.Seats = min(open.Seats, max(req.Readers, open.Rules.MinPlayers))
		}
		if n := req.Args["seats"]; n != "" {
			var err error
			if open.Seats, err = strconv.Atoi(n); err != nil || open.Seats < 1 {
				return nil, words.BadChoice("seats", n)
			}
			if company := len(open.Invited) + len(robots); open.Seats <= company {
				return nil, words.Refusing("You're inviting {n, plural, one {# player} other {# players}}. With you that makes {all}, and there {seats, plural, one {is only # seat} other {are only # seats}}. Leave {option} out, or invite fewer.", company, company+1, open.Seats, text.Code("seats"))
			}
		}
		if len(open.Invited) > 0 {
			open.Invited = append(open.Invited, robots...)
		}
		return feature.Seating{Action: open, Robots: robots}, nil
	}
	where, err := f.asides.choosePlace(ctx, req)
	switch {
	case err != nil:
		return bot.Reply{}, err
	case where != here:
		return f.asides.newAside(ctx, req, want, where)
	}
	return f.desk.Change(ctx, req, want)
}

// readRules reads the options of /new that are about the rules.
func (f *Feature) readRules(o *feature.Opening) error {
	args := o.Request.Args
	rules, err := rulesFor(args)
	if err != nil {
		return err
	}
	list, in, err := f.desk.Lists().ListFor(o.Request.Channel.Platform(), args)
	if err != nil {
		return err
	}
	o.Lexicon = game.LexiconID{Name: list.Name(), Hash: list.Hash()}
	rules, equipment := f.desk.Lists().Equip(rules, in)
	o.Rules, o.Equipment, err = f.varyRules(rules, equipment, args)
	return err
}

// rulesFor returns the rules that the options of /new select.
func rulesFor(args map[string]string) (rules game.Rules, err error) {
	rules = game.Classic()
	if name := args["rules"]; name != "" && name != rules.Name {
		sets := game.RuleSets()
		i := slices.IndexFunc(sets, func(r game.Rules) bool { return r.Name == name })
		if i < 0 {
			return rules, words.BadChoice("rules", name)
		}
		rules = sets[i]
	}
	var ok bool
	if name := args["challenge"]; name != "" {
		if rules.Challenge, ok = game.ParseChallengeRule(name); !ok {
			return rules, words.BadChoice("challenge", name)
		}
	}
	if rules.Clock, err = clockFor(rules, args["clock"]); err != nil {
		return rules, err
	}
	if name := args["order"]; name != "" {
		if rules.Order, ok = game.ParseOrder(name); !ok {
			return rules, words.BadChoice("order", name)
		}
	}
	if name := args["out"]; name != "" {
		if rules.OutBonus, ok = game.ParseOutBonus(name); !ok {
			return rules, words.BadChoice("out", name)
		}
	}
	switch v := args["joining"]; v {
	case "":
	case "letters", "words":
		rules.UseLetter = v == "letters"
	default:
		return rules, words.BadChoice("joining", v)
	}
	rated, err := words.YesNo(args, "rated", true)
	if err != nil {
		return rules, err
	}
	rules.Unrated = !rated
	switch v := args["dictionary"]; v {
	case "":
	case "allowed", "refused":
		rules.WordCheck = v == "allowed"
	default:
		return rules, words.BadChoice("dictionary", v)
	}
	return rules, nil
}

// clocks returns the clocks that /new offers; others can be typed.
func clocks() []bot.Choice {
	return []bot.Choice{
		{Value: "off", Label: text.Say("Off")},
		{Value: "on", Label: text.Say("On, as the rules say: 25 minutes each")},
		{Value: "3m", Label: text.Say("{n, plural, one {# minute} other {# minutes}} each", 3)},
		{Value: "10m+5s", Label: text.Say("10 minutes each, plus 5 seconds for each turn")},
		{Value: "15m", Label: text.Say("{n, plural, one {# minute} other {# minutes}} each", 15)},
	}
}

// clockFor returns the clock that the option of /new selects: the rules' own, or one like "10m" or
// "10m+5s".
func clockFor(rules game.Rules, asked string) (game.Clock, error) {
	c := rules.Clock
	switch asked {
	case "":
		return c, nil
	case "on", "off":
		if c.Time == 0 && asked == "on" {
			return c, words.Refusing("The {rules} rules don't say how long a clock runs. Choose a time, like {new}.", rules.Name, text.Code("/new clock:15m"))
		}
		c.On = asked == "on"
		return c, nil
	}
	first, more, both := strings.Cut(strings.ToLower(asked), "+")
	each, err := time.ParseDuration(first)
	var increment time.Duration
	if both && err == nil {
		increment, err = time.ParseDuration(more)
	}
	if err != nil {
		return c, words.Refusing("I can't read {value} as a time for a clock. Try {long}, or {short} for ten minutes plus five seconds for each turn.", text.Code(asked), text.Code("clock:15m"), text.Code("clock:10m+5s"))
	}
	if each < game.ShortestClock || each > game.LongestClock || increment < 0 || increment > game.MostIncrement {
		return c, words.Refusing("A clock can have from 30 seconds to 5 hours for each player, plus up to 5 minutes for each turn.")
	}
	return c.With(each.Round(time.Second), increment.Round(time.Second)), nil
}

// joinNext takes a seat at the next game in a place: at a table that waits for players, else at a
// new one. A thread's place is the channel that it belongs to.
func (f *Feature) joinNext(ctx context.Context, req bot.Request) (bot.Reply, error) {
	if req.Args[table.NextOption] == "" {
		return f.asides.onlyInLobby(f.join)(ctx, req)
	}
	var err error
	if req.Channel, err = f.settings.OpenChannel(ctx, req.Channel); err != nil {
		return bot.Reply{}, err
	}
	return f.asides.onlyInLobby(func(ctx context.Context, req bot.Request) (bot.Reply, error) {
		t, err := f.desk.Load(ctx, req)
		if err != nil && !words.IsMistake(err) {
			return bot.Reply{}, err
		}
		if err == nil && t.Phase == game.Lobby && hasSeatFor(t, req.User.ID) {
			return f.join(ctx, req)
		}
		req.Command, req.Args = "new", nil
		return f.open(ctx, req)
	})(ctx, req)
}

func (f *Feature) leave(ctx context.Context, req bot.Request) (bot.Reply, error) {
	return f.desk.Change(ctx, req, feature.Always(game.Leave{}))
}

func (f *Feature) start(ctx context.Context, req bot.Request) (bot.Reply, error) {
	return f.desk.Change(ctx, req, feature.Always(game.Start{}))
}

// varyRules applies the variant in the arguments of /new, with its options, to rules and equipment.
func (f *Feature) varyRules(rules game.Rules, eq game.Equipment, args map[string]string) (game.Rules, game.Equipment, error) {
	name := args["variant"]
	if strings.EqualFold(name, "ordinary") {
		name = ""
	}
	v, ok := game.FindVariant(strings.ToLower(name))
	if !ok {
		return rules, eq, words.BadChoice("variant", name)
	}
	if err := rejectSenseless(v, args); err != nil {
		return rules, eq, err
	}
	rules, eq, err := v.Vary(rules, eq, f.Layouts)
	if read := f.house.Variants().Of(rules).Rules; err == nil && read != nil {
		rules, err = read(rules, args)
	}
	return rules, eq, err
}

// rejectSenseless rejects options of /new that make no sense in a variant, because its turns
// end by themselves, all play at once, or there is only one player.
func rejectSenseless(v game.Variant, args map[string]string) error {
	var why func(option string) error
	switch {
	case v.OwnTime:
		why = func(option string) error {
			return words.Refusing("In {variant} everybody plays at once, and {turn} sets how long a turn lasts. Leave {option} out.", v.Name, text.Code("turn:3m"), text.Code(option))
		}
	case settings.IsSolo(v):
		why = func(option string) error {
			return words.Refusing("In {variant} you play alone and nobody waits for you. Leave {option} out.", v.Name, text.Code(option))
		}
	default:
		return nil
	}
	for _, option := range settings.UselessOptions(v) {
		if value := args[option]; value != "" && value != "none" && value != "off" {
			return why(option)
		}
	}
	return nil
}
