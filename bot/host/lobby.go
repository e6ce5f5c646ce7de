package host

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

func (h *Host) new(ctx context.Context, req bot.Request) (bot.Reply, error) {
	req, err := h.inHouse(ctx, req)
	if err != nil {
		return bot.Reply{}, err
	}
	own, err := h.settingsOf(ctx, req.User.ID)
	if err != nil {
		return bot.Reply{}, err
	}
	req.Zone = own.zone(req).String()
	want := func(t table) (game.Action, error) {
		o := opening{Request: req}
		for _, f := range h.features {
			if f.Open == nil {
				continue
			}
			if err := f.Open(h, &o); err != nil {
				return nil, err
			}
		}
		open, robots := o.Open, o.Robots
		open.Seats = open.Rules.MaxPlayers
		for _, u := range req.People {
			if u.ID != req.User.ID && !bot.IsRobot(u.ID) && !slices.ContainsFunc(open.Invited, func(p bot.User) bool { return p.ID == u.ID }) {
				open.Invited = append(open.Invited, u)
			}
		}
		if company := len(open.Invited) + len(robots); company > 0 {
			open.Seats = company + 1
		}
		if n := req.Args["seats"]; n != "" {
			var err error
			if open.Seats, err = strconv.Atoi(n); err != nil {
				return nil, badChoice("seats", n)
			}
			if company := len(open.Invited) + len(robots); open.Seats <= company {
				return nil, refusing("You invite ", count(company, "player"), ", and with you that makes ", company+1, ": more than ", count(open.Seats, "seat"), ". Leave ", bot.Code("seats"), " out, or invite fewer.")
			}
		}
		if len(open.Invited) > 0 {
			open.Invited = append(open.Invited, robots...)
		}
		return seating{Action: open, robots: robots}, nil
	}
	switch thread := req.Args["thread"]; strings.ToLower(thread) {
	case "", "false", "no":
		return h.change(ctx, req, want)
	case "true", "yes":
		return h.newAside(ctx, req, want)
	default:
		return bot.Reply{}, badChoice("thread", thread)
	}
}

// newAside opens a table in a place of its own beside the channel. A table that
// would be refused opens none.
func (h *Host) newAside(ctx context.Context, req bot.Request, want intent) (bot.Reply, error) {
	if req.Aside == nil {
		return bot.Reply{}, refusing("There can be no thread here. Leave ", bot.Code("thread"), " out to open the table in this channel.")
	}
	nowhere := table{Channel: req.Channel}
	if _, err := h.judge(nowhere, req, want, game.Env{Now: h.Now(), Cause: req.ID}); err != nil {
		return h.orExplain(nowhere, req, err)
	}
	ch, err := req.Aside(ctx, req.User.Name+"'s table")
	if err != nil {
		return bot.Reply{}, fmt.Errorf("open a thread: %w", err)
	}
	if err := h.Notes.Put(ctx, asidesShelf, string(ch), []byte(req.Channel)); err != nil {
		return bot.Reply{}, fmt.Errorf("keep where the thread is: %w", err)
	}
	req.Channel = ch
	if err := h.keepHome(ctx, ch, req.Home); err != nil {
		return bot.Reply{}, err
	}
	return h.change(ctx, req, want)
}

// readRules reads the options of /new that are about the rules.
func readRules(h *Host, o *opening) error {
	args := o.Request.Args
	rules, err := rulesFor(args)
	if err != nil {
		return err
	}
	list, in, err := h.listFor(o.Request.Channel.Platform(), args)
	if err != nil {
		return err
	}
	o.Lexicon = game.LexiconID{Name: list.Name(), Hash: list.Hash()}
	rules, equipment := h.equipped(rules, in)
	o.Rules, o.Equipment, err = h.varied(rules, equipment, args)
	return err
}

// rulesFor are the rules that /new's options ask for.
func rulesFor(args map[string]string) (game.Rules, error) {
	rules := game.RuleSets()[0]
	if name := args["rules"]; name != "" {
		i := slices.IndexFunc(game.RuleSets(), func(r game.Rules) bool { return r.Name == name })
		if i < 0 {
			return rules, badChoice("rules", name)
		}
		rules = game.RuleSets()[i]
	}
	var ok bool
	if name := args["challenge"]; name != "" {
		if rules.Challenge, ok = game.ParseChallengeRule(name); !ok {
			return rules, badChoice("challenge", name)
		}
	}
	switch v := args["clock"]; v {
	case "":
	case "on", "off":
		if rules.Clock.Time == 0 && v == "on" {
			return rules, refusing(rules.Name, " rules know no clock. ", bot.Code("/new rules:club clock:on"), " plays with one.")
		}
		rules.Clock.On = v == "on"
	default:
		return rules, badChoice("clock", v)
	}
	if name := args["order"]; name != "" {
		if rules.Order, ok = game.ParseOrder(name); !ok {
			return rules, badChoice("order", name)
		}
	}
	if name := args["out"]; name != "" {
		if rules.OutBonus, ok = game.ParseOutBonus(name); !ok {
			return rules, badChoice("out", name)
		}
	}
	switch v := args["rated"]; strings.ToLower(v) {
	case "", "true", "yes":
	case "false", "no":
		rules.Unrated = true
	default:
		return rules, badChoice("rated", v)
	}
	switch v := args["dictionary"]; v {
	case "":
	case "allowed", "refused":
		rules.WordCheck = v == "allowed"
	default:
		return rules, badChoice("dictionary", v)
	}
	return rules, nil
}

func badChoice(option, value string) error {
	return refusing(bot.Code(value), " is no choice for ", bot.Code(option), ". ", bot.Code("/help new"), " lists what there is.")
}

func (h *Host) join(ctx context.Context, req bot.Request) (bot.Reply, error) {
	return h.change(ctx, req, always(game.Join{}))
}

func (h *Host) leave(ctx context.Context, req bot.Request) (bot.Reply, error) {
	return h.change(ctx, req, always(game.Leave{}))
}

func (h *Host) start(ctx context.Context, req bot.Request) (bot.Reply, error) {
	return h.change(ctx, req, always(game.Start{}))
}

// always is the intent that is the same whatever the table looks like.
func always(a game.Action) intent {
	return func(table) (game.Action, error) { return a, nil }
}
