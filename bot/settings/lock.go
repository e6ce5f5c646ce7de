package settings

import (
	"context"
	"slices"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
)

// lock is the setting that lists locked settings. A server's locks bind its channels, and
// the locks of either bind the tables opened there.
const lock = "lock"

// nothing is the value of Lock that locks nothing.
const nothing = "none"

func lockSetting(all []Setting) Setting {
	lockable := func(name string) bool {
		return slices.ContainsFunc(all, func(s Setting) bool { return s.Name == name })
	}
	return Setting{
		Option:  bot.Option{Name: lock, Help: "For a place: settings that nobody in it can change, like lexicon,rules", Kind: bot.Pick, List: true},
		Default: ConstantDefault(nothing),
		Complete: func(Has, bot.Request) (choices []bot.Choice) {
			for _, s := range all {
				choices = append(choices, bot.Choice{Value: s.Name, Label: text.Plain(s.Name)})
			}
			return choices
		},
		Check: func(_ Has, value string) error {
			for _, name := range bot.SplitList(value) {
				if value != nothing && !lockable(name) {
					return words.Refusing("There's no setting {name} to lock. {settings} lists them. To lock several at once: {example}.", text.Code(text.Shorten(name, bot.MaxName)), text.Code("/settings for:channel"), text.Code("lock:lexicon,rules"))
				}
			}
			return nil
		},
	}
}

// locks returns the settings that a place has locked.
func (s stored) locks() []string { return bot.SplitList(s.Set[lock]) }

// rename replaces the person who locked settings with a former player.
func (s *stored) rename(who game.PlayerID, former bot.User) (keep bool) {
	if s.Locker.ID == who {
		s.Locker = former
	}
	return true
}

// outermostLock returns the index of the outermost place that has locked a setting, or -1 if
// none has.
func outermostLock(set []stored, name string) int {
	for k := len(set) - 1; k >= 0; k-- {
		if slices.Contains(set[k].locks(), name) {
			return k
		}
	}
	return -1
}

// Bounds returns the settings that apply in a channel and which of them are locked.
func (s *Settings) Bounds(ctx context.Context, req bot.Request) (Bounds, error) {
	places, err := s.Places(ctx, req.Channel, req.Home)
	if err != nil {
		return Bounds{}, err
	}
	set, err := s.setFor(ctx, places)
	return Bounds{s, places, set, s.rules(req.Channel, places, set)}, err
}

// A Bounds holds the settings that apply in a channel, and which of them are locked.
type Bounds struct {
	all    *Settings
	places []Place
	set    []stored
	rules  map[string]Rule
}

// Check rejects a table whose options differ from locked settings. args holds the asked
// options together with the channel's settings.
func (b Bounds) Check(asked, args map[string]string) error {
	for _, o := range b.all.settings {
		k := outermostLock(b.set, o.Name)
		if !o.NewTable || k < 0 || b.all.agreesWith(o.Name, b.rules[o.Name], asked, args) {
			continue
		}
		return words.Refusing("{who} has locked {setting} for {place, select, channel {this channel} other {this server}}, so tables here can't change it.", text.Name(b.set[k].Locker), text.Code(o.Name+":"+b.rules[o.Name].Value), b.places[k].Kind)
	}
	return nil
}

// agreesWith reports whether a new table agrees with a setting of the channel. A word list
// implies its language, and a language accepts its lists.
func (s *Settings) agreesWith(name string, rule Rule, asked, args map[string]string) bool {
	list, in := args["lexicon"], s.has.Language(args["language"])
	switch {
	case name == "language" && list != "":
		return s.has.LanguageOf(list) == s.has.Language(rule.Value)
	case name == "lexicon" && list == "" && in != nil:
		return s.has.LanguageOf(rule.Value) == in
	}
	return asked[name] == "" || args[name] == rule.Value
}

// CheckLocked rejects a channel's change of settings that its server has locked.
func (s *Settings) CheckLocked(ctx context.Context, places []Place, req bot.Request) error {
	if len(places) < 2 {
		return nil
	}
	set, err := s.setFor(ctx, places)
	if err != nil {
		return err
	}
	for _, o := range s.settings {
		if req.Args[o.Name] != "" && outermostLock(set[1:], o.Name) >= 0 {
			return words.Refusing("{who} has locked {option} for this server, so no channel can set it.", text.Name(set[1].Locker), text.Code(o.Name))
		}
	}
	return nil
}
