package discord_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/adapters/discord/discordtest"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/data/sentences"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestCommandsKeepDiscordsLimits checks the limits of Discord's documentation, "Application
// Commands".
func TestCommandsKeepDiscordsLimits(t *testing.T) {
	name := regexp.MustCompile(`^[-_\p{Ll}\p{Lo}\p{N}]{1,32}$`)
	characters := utf8.RuneCountInString
	described := func(what, text string) {
		if n := characters(text); n < 1 || n > 100 {
			t.Errorf("%s is described in %d characters", what, n)
		}
	}
	var chat []string
	menus := 0
	for _, c := range discord.Commands(features.Commands(), locales(), false, true) {
		if len(c.Contexts) != 3 || len(c.Installs) != 2 {
			t.Errorf("%s: contexts %v, installs %v", c.Name, c.Contexts, c.Installs)
		}
		if c.Type != 1 {
			menus++
			if n := characters(c.Name); n < 1 || n > 32 || c.Description != "" || len(c.Options) > 0 {
				t.Errorf("menu entry %+v", c)
			}
			continue
		}
		chat = append(chat, c.Name)
		described("/"+c.Name, c.Description)
		if !name.MatchString(c.Name) || len(c.Options) > 25 {
			t.Errorf("/%s, %d options", c.Name, len(c.Options))
		}
		total, optional := characters(c.Name+c.Description), false
		var names []string
		for _, o := range c.Options {
			what := "/" + c.Name + " " + o.Name
			described(what, o.Description)
			if !name.MatchString(o.Name) || slices.Contains(names, o.Name) {
				t.Errorf("the name of %s", what)
			}
			names = append(names, o.Name)
			if o.Required && optional {
				t.Errorf("%s is required, after one that isn't", what)
			}
			optional = optional || !o.Required
			if o.Autocomplete && len(o.Choices) > 0 || len(o.Choices) > 25 {
				t.Errorf("%s: %d choices, completes %v", what, len(o.Choices), o.Autocomplete)
			}
			total += characters(o.Name + o.Description)
			for _, c := range o.Choices {
				if n := characters(c.Name); n < 1 || n > 100 || characters(c.Value) > 100 {
					t.Errorf("%s: choice %q", what, c.Name)
				}
				total += characters(c.Name + c.Value)
			}
		}
		if total > 8000 {
			t.Errorf("/%s has %d characters", c.Name, total)
		}
	}
	table := []string{}
	for _, c := range features.Commands().Elsewhere() {
		table = append(table, c.Name)
	}
	if !slices.Equal(chat, append(table, "type")) || len(chat) > 100 || menus != 5 {
		t.Errorf("registered %v and %d menu entries, the table has %v", chat, menus, table)
	}
	if c := chat; !slices.Contains(c, "unseat") {
		t.Error("there is no /unseat")
	}
	for _, c := range discord.Commands(features.Commands(), nil, false, true) {
		if manages := c.Name == "unseat" || c.Name == "reports"; manages != (c.Permissions == "32") {
			t.Errorf("who sees /%s: %q", c.Name, c.Permissions)
		}
		for _, o := range c.Options {
			if c.Name == "settings" && slices.Contains([]string{"invites"}, o.Name) {
				t.Errorf("/settings offers %s, which is for rooms of our own", o.Name)
			}
		}
	}
}

// TestMostCommandsAreBelowRoot checks that at most twelve commands stand alone, including the
// entry point, that all others are below /rackmate, where new commands go by default, and
// that Discord accepts as many of these, in any language.
func TestMostCommandsAreBelowRoot(t *testing.T) {
	host := features.Commands()
	host = slices.DeleteFunc(host, func(c bot.Command) bool { return strings.HasPrefix(c.Name, "new-") })
	for n := range 24 {
		host = append(host, bot.Command{Name: fmt.Sprintf("new-%d", n), Help: "A command that somebody adds one day, and says a lot about in here", Options: []bot.Option{
			{Name: "what", Help: "What it is to do", Kind: bot.Pick, Choices: []bot.Choice{{Value: "this", Label: text.Plain("This")}, {Value: "that", Label: text.Plain("That")}}},
		}})
	}
	var byThemselves, below []string
	for _, c := range discord.Commands(host, locales(), true, false) {
		switch c.Type {
		case 1:
			byThemselves = append(byThemselves, c.Name)
		case 4:
			byThemselves = append(byThemselves, c.Name)
		}
		if c.Name != "rackmate" {
			continue
		}
		if n := c.Length(); n > 8000 || len(c.Options) > 25 {
			t.Errorf("the root has %d characters and %d options", n, len(c.Options))
		}
		for _, o := range c.Options {
			if below = append(below, o.Name); o.Type == 2 {
				below = below[:len(below)-1]
				for _, in := range o.Options {
					below = append(below, in.Name)
				}
				if len(o.Options) > 25 {
					t.Errorf("%s has %d commands", o.Name, len(o.Options))
				}
			}
		}
	}
	if len(byThemselves) > 12 {
		t.Errorf("%d commands stand by themselves: %v", len(byThemselves), byThemselves)
	}
	for _, c := range host.Elsewhere() {
		if slices.Contains(discord.Unlisted, c.Name) {
			continue
		}
		if slices.Contains(byThemselves, c.Name) == slices.Contains(below, c.Name) {
			t.Errorf("/%s is nowhere, or twice", c.Name)
		}
	}
}

// TestCommandsInSentencesAreClickable checks that sentences make commands at any level clickable, and
// spell out commands with options as readers type them in their language.
func TestCommandsInSentencesAreClickable(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(w *world) {
		w.locales = locales()
		w.build(discord.Config{Locales: locales()}, w.store)
	})
	id := func(name string) string {
		_, all := w.d.Registered()
		for _, c := range all {
			if c["name"] == name {
				return fmt.Sprint(c["id"])
			}
		}
		return ""
	}
	help := w.ann.Gives(w.channel, "help").Answer()
	for _, want := range []string{"</new:" + id("new") + ">", "</rackmate help:" + id("rackmate") + "> `command: all`"} {
		if !help.Says(want) {
			t.Errorf("/help doesn't say %q: %s", want, help.Content)
		}
	}
	// groups returns what /help all and its buttons say.
	groups := func() (whole string, each []string) {
		all := w.ann.Gives(w.channel, "help", "command", "all").Answer()
		for _, label := range all.Labels() {
			one := w.ann.Presses(all, label).Answer()
			if utf8.RuneCountInString(one.Content) > 2000 {
				t.Errorf("%s has %d characters", label, utf8.RuneCountInString(one.Content))
			}
			each = append(each, one.Content)
		}
		return all.Content, each
	}
	whole, each := groups()
	if lines := strings.Count(whole, "\n") + 1; utf8.RuneCountInString(whole) > 2000 || lines > 7 || len(each) != 5 {
		t.Errorf("/help all has %d characters, %d lines and %d buttons: %s", utf8.RuneCountInString(whole), lines, len(each), whole)
	}
	for _, c := range features.Commands().Elsewhere() {
		typed := w.adapter.Platform().Typed(c, nil)
		if ofVariant := slices.Contains(discord.Unlisted, c.Name); !ofVariant && !strings.Contains(strings.Join(each, "\n"), "</"+typed+":") {
			t.Errorf("/help all doesn't have /%s: %s", typed, each)
		}
	}
	w.ann.Gives(w.channel, "settings", "speak", "de").Answer()
	if got := w.ann.Gives(w.channel, "help").Answer(); !got.Says("> `befehl: all`") || !got.Says("</new:"+id("new")+">") {
		t.Errorf("/help in German: %s", got.Content)
	}
	groups()
	if got := w.ann.Types(w.channel, "settings", "ping", "ping", "per"); len(got) != 1 || got[0].Value != "ping:dm" {
		t.Errorf("what begins with per: %v", got) // "Per Direktnachricht"
	}
}

// TestCommandListIsSmall counts what people find under / in the language with the longest
// texts: at most 60 options, none described by its own name, and 2,000 free characters
// below the root.
func TestCommandListIsSmall(t *testing.T) {
	options := 0
	var count func(path string, all []discord.Option)
	count = func(path string, all []discord.Option) {
		for _, o := range all {
			what := path + " " + o.Name
			if count(what, o.Options); o.Type == 1 || o.Type == 2 {
				continue
			}
			options++
			descriptions := maps.Clone(o.DescriptionLocalizations)
			if descriptions == nil {
				descriptions = map[string]string{}
			}
			descriptions["en-US"] = o.Description
			for locale, said := range descriptions {
				if name := strings.ToLower(strings.Trim(said, ".")); name == o.Name || name == o.NameLocalizations[locale] {
					t.Errorf("%s in %s is described as %q", what, locale, said)
				}
			}
		}
	}
	for _, c := range discord.Commands(features.Commands(), locales(), true, false) {
		count("/"+c.Name, c.Options)
		if n := c.Length(); c.Name == "rackmate" && n > 6000 {
			t.Errorf("/%s has %d characters of 8,000", c.Name, n)
		} else {
			t.Logf("/%s: %d characters", c.Name, n)
		}
	}
	if t.Logf("%d options", options); options > 60 {
		t.Errorf("%d options", options)
	}
}

// TestUnlistedOptionsCanBeTyped checks that what isn't listed can be typed: options of a command into
// more, and commands of rare variants into /rackmate type. Both suggest how to go on.
func TestUnlistedOptionsCanBeTyped(t *testing.T) {
	w := newWorld(t)
	w.table(game.Single, "EEEEEEEEEEEE", "HORNSA?", "FARMQI?")
	for _, c := range []struct{ command, option, typed, want string }{
		{"settings", "more", "ping:dm", "by direct message"},
		{"settings", "more", "ping:whatever", "ping"},
		{"settings", "more", "nonsense", "nonsense"},
		{"type", "line", "submit horn 8h", "doesn't apply at this table"},
		{"type", "line", "/rack order:az", "Your rack"},
		{"type", "line", "frobnicate", "There is no command"},
	} {
		if got := w.ann.Gives(w.channel, c.command, c.option, c.typed).Answer(); !got.Says(c.want) {
			t.Errorf("%s %s: %q", c.command, c.typed, got.Content)
		}
	}
	for _, c := range []struct{ command, option, typed, want string }{
		{"settings", "more", "qui", "quiet:"},
		{"settings", "more", "ping:dm quiet:22", "ping:dm quiet:22-8"},
		{"new", "more", "clo", "clock:"},
		{"type", "line", "subm", "submit"},
		{"type", "line", "rack ord", "rack order:"},
	} {
		if got := w.ann.Types(w.channel, c.command, c.option, c.option, c.typed); !slices.ContainsFunc(got, func(one discordtest.Choice) bool { return one.Value == c.want }) {
			t.Errorf("/%s %s %q suggests %v", c.command, c.option, c.typed, got)
		}
	}
}

// TestCommandsCanStandAlone checks that all commands stand alone if the operator wants it,
// and that Discord accepts them.
func TestCommandsCanStandAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(w *world) {
		w.build(discord.Config{Locales: locales(), CommandsByThemselves: true}, w.store)
	})
	if got := w.ann.Gives(w.channel, "help").Answer(); !got.Says("</new:") || got.Says("/rackmate") {
		t.Errorf("/help: %s", got.Content)
	}
}

// TestReturnedCommandsCompareEqual checks that commands as Discord returns them compare as equal,
// whatever it adds, and that any change of content is noticed.
func TestReturnedCommandsCompareEqual(t *testing.T) {
	t.Parallel()
	ours := discord.Commands(features.Commands(), locales(), false, true)
	b, err := json.Marshal(ours)
	gametest.Must(t, err)
	back := func(change func([]map[string]any)) []discord.Command {
		var copied []map[string]any
		gametest.Must(t, json.Unmarshal(b, &copied))
		change(copied)
		text, err := json.Marshal(copied)
		gametest.Must(t, err)
		var all []discord.Command
		gametest.Must(t, json.Unmarshal(text, &all))
		return all
	}
	same := func(change func([]map[string]any)) bool {
		return discord.Same(back(change), ours)
	}
	for what, change := range map[string]func([]map[string]any){
		"as they are": func([]map[string]any) {},
		"with additions": func(all []map[string]any) {
			for _, c := range all {
				c["id"], c["version"], c["application_id"], c["dm_permission"] = "1", "2", "3", true
				c["nsfw"] = false
				if c["default_member_permissions"] == nil {
					c["default_member_permissions"] = nil
				}
				if c["name_localizations"] == nil {
					c["name_localizations"] = nil
				}
			}
		},
		"in another order":          func(all []map[string]any) { slices.Reverse(all) },
		"contexts in another order": func(all []map[string]any) { all[0]["contexts"] = []int{2, 0, 1} },
	} {
		if !same(change) {
			t.Errorf("%s they differ", what)
		}
	}
	option := func(all []map[string]any) map[string]any { return all[0]["options"].([]any)[0].(map[string]any) }
	for what, change := range map[string]func([]map[string]any){
		"a description":      func(all []map[string]any) { all[0]["description"] = "x" },
		"an option's name":   func(all []map[string]any) { option(all)["name"] = "x" },
		"an option required": func(all []map[string]any) { option(all)["required"] = false },
		"an option's type":   func(all []map[string]any) { option(all)["type"] = 4 },
		"the contexts":       func(all []map[string]any) { all[0]["contexts"] = []int{0} },
		"permissions":        func(all []map[string]any) { all[0]["default_member_permissions"] = "0" },
		"a localisation":     func(all []map[string]any) { all[0]["name_localizations"] = map[string]string{"de": "x"} },
		"no localisation":    func(all []map[string]any) { delete(all[0], "description_localizations") },
		"an option's localisation": func(all []map[string]any) {
			option(all)["name_localizations"].(map[string]any)["de"] = "x"
		},
		"a name": func(all []map[string]any) { all[0]["name"] = "x" },
	} {
		if same(change) {
			t.Errorf("%s makes no difference", what)
		}
	}
	if discord.Same(back(func([]map[string]any) {})[1:], ours) {
		t.Error("a command that is missing makes no difference")
	}
}

// TestLocalizedCommandsKeepDiscordsLimits checks that the limits hold in other languages
// too: names are valid and unique within a language, and a command with its longest texts
// stays below 8,000 characters.
func TestLocalizedCommandsKeepDiscordsLimits(t *testing.T) {
	pattern := regexp.MustCompile(`^[-_'\p{L}\p{N}]{1,32}$`)
	characters := utf8.RuneCountInString
	codes := []string{"de", "es-419", "es-ES", "fr", "nl", "pl", "pt-BR"}
	// longest returns the most characters of a text in any language.
	longest := func(what, english string, own map[string]string, most int) int {
		n := characters(english)
		for _, locale := range slices.Sorted(maps.Keys(own)) {
			if !slices.Contains(codes, locale) {
				t.Errorf("%s: Discord has no locale %q", what, locale)
			}
			if l := characters(own[locale]); l < 1 || l > most {
				t.Errorf("%s in %s has %d characters: %q", what, locale, l, own[locale])
			} else {
				n = max(n, l)
			}
		}
		return n
	}
	// may reports whether a sentence may be missing in a locale, as a new one is until a
	// release.
	var lacks map[string][]string
	b, err := os.ReadFile("../../data/sentences/lacks.json")
	if err == nil {
		err = json.Unmarshal(b, &lacks)
	}
	gametest.Must(t, err)
	may := func(locale, sentence string) bool {
		language, _, _ := strings.Cut(locale, "-")
		return slices.Contains(lacks[language], sentence)
	}
	named := func(what, key string, own map[string]string, taken map[string]string) {
		for _, locale := range codes {
			name := own[locale]
			if name == "" && may(locale, key) {
				continue
			}
			if !pattern.MatchString(name) || strings.ToLower(name) != name {
				t.Errorf("%s in %s is called %q", what, locale, name)
			}
			if other := taken[locale+name]; other != "" {
				t.Errorf("%s and %s are both called %q in %s", what, other, name, locale)
			}
			taken[locale+name] = what
		}
	}
	all := discord.Commands(features.Commands(), locales(), true, true)
	described := func(what, english string, own map[string]string) {
		for _, locale := range codes {
			if own[locale] == "" && !may(locale, english) {
				t.Errorf("%s isn't described in %s", what, locale)
			}
		}
	}
	commands := map[string]string{}
	for _, c := range all {
		what := "/" + c.Name
		total := longest(what, c.Name, c.NameLocalizations, 32) + longest(what, c.Description, c.DescriptionLocalizations, 100)
		if c.Type != 1 {
			continue
		}
		named(what, "/"+c.Name, c.NameLocalizations, commands)
		described(what, c.Description, c.DescriptionLocalizations)
		options := map[string]string{}
		for _, o := range c.Options {
			what := what + " " + o.Name
			named(what, o.Name+":", o.NameLocalizations, options)
			described(what, o.Description, o.DescriptionLocalizations)
			total += longest(what, o.Name, o.NameLocalizations, 32) + longest(what, o.Description, o.DescriptionLocalizations, 100)
			for _, choice := range o.Choices {
				total += longest(what+" "+choice.Value, choice.Name, choice.NameLocalizations, 100) + characters(choice.Value)
			}
		}
		if total > 8000 {
			t.Errorf("%s has %d characters", what, total)
		}
		t.Logf("%s: %d characters", what, total)
	}
	if play := all[0]; play.NameLocalizations["de"] != "spielen" || play.Options[0].NameLocalizations["pl"] != "słowo" {
		t.Errorf("/play is %v, its first option %v", play.NameLocalizations, play.Options[0].NameLocalizations)
	}
	// A name in one language is never the English name of another command, which would make
	// typed input ambiguous.
	for _, c := range features.Commands() {
		for _, to := range locales().All()[1:] {
			if name := c.NameIn(to); name != c.Name && slices.ContainsFunc(features.Commands(), func(o bot.Command) bool { return o.Name == name }) {
				t.Errorf("/%s is /%s in %s", c.Name, name, to.Code())
			}
			for _, o := range c.Options {
				if name := o.NameIn(to); name+":" != o.Key() && slices.ContainsFunc(c.Options, func(x bot.Option) bool { return x.Name == name }) {
					t.Errorf("/%s %s is %s in %s", c.Name, o.Name, name, to.Code())
				}
			}
		}
	}
}

var locales = sync.OnceValue(func() *text.Locales {
	all, err := sentences.Load(data.Sentences())
	if err != nil {
		panic(err)
	}
	return all
})
