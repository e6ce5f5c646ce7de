package discord

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// A Command is a registered application command; see "Application Commands" in Discord's
// documentation.
type Command struct {
	ID                       snowflake         `json:"-"` // Discord's id, of a registered command
	Type                     commandType       `json:"type"`
	Name                     string            `json:"name"`
	NameLocalizations        map[string]string `json:"name_localizations,omitempty"`
	Description              string            `json:"description,omitempty"` // only for chat commands
	DescriptionLocalizations map[string]string `json:"description_localizations,omitempty"`
	Options                  []Option          `json:"options,omitempty"`
	Permissions              permissionSet     `json:"default_member_permissions,omitempty"`
	Contexts                 []place           `json:"contexts,omitempty"`
	Installs                 []install         `json:"integration_types,omitempty"`
	Handler                  int               `json:"handler,omitempty"` // for the entry point
	NSFW                     bool              `json:"nsfw,omitempty"`
}

// An Option is a typed option of a chat command.
type Option struct {
	Type                     optionType        `json:"type"`
	Name                     string            `json:"name"`
	NameLocalizations        map[string]string `json:"name_localizations,omitempty"`
	Description              string            `json:"description"`
	DescriptionLocalizations map[string]string `json:"description_localizations,omitempty"`
	Required                 bool              `json:"required,omitempty"`
	Choices                  []Choice          `json:"choices,omitempty"`
	Autocomplete             bool              `json:"autocomplete,omitempty"`
	Options                  []Option          `json:"options,omitempty"` // subcommands and groups
}

// A Choice is a value of an option, or a suggestion while it's typed.
type Choice struct {
	Name              string            `json:"name"`
	NameLocalizations map[string]string `json:"name_localizations,omitempty"`
	Value             string            `json:"value"`
}

// A permissionSet is a number, or "" for none. Discord sends it as text and accepts a
// number.
type permissionSet string

func (p *permissionSet) UnmarshalJSON(b []byte) error {
	*p = permissionSet(strings.Trim(string(b), `"`))
	if *p == "null" {
		*p = ""
	}
	return nil
}

func (p permissionSet) MarshalJSON() ([]byte, error) { return json.Marshal(json.Number(p)) }

type (
	optionType int
	install    int
)

const (
	subcommand  optionType = 1
	subcommands optionType = 2 // a group of them
	textOption  optionType = 3
	yesNoOption optionType = 5
	userOption  optionType = 6
)

// Ways to install the application: in a guild, or for a user, who brings it along.
const (
	byGuild install = 0
	byUser  install = 1
)

// The entries in the menus of a person and of a message.
var (
	inviteMenu    = text.Item("Invite to a game")
	statsMenu     = text.Item("Stats")
	challengeMenu = text.Item("Challenge this play")
	boardMenu     = text.Item("Board as text")
	reportMenu    = text.Item("Report message")
)

// Commands returns the commands to register: the host's commands, the menu entries, and
// with the Activity its entry point. An entry point that Discord already has is kept; see
// withEntry. All of them can be used in servers, in direct messages with the bot and in
// other conversations, by people who have the application in a server or have added it to
// their own account. If byThemselves is set, every command is a top-level command, and
// none is below /rackmate.
//
// Names, descriptions and choices are also localized in the languages of locales.
// Interactions contain the English names.
func Commands(host bot.Commands, locales *text.Locales, activity, byThemselves bool) []Command {
	return commandsOf(catalogOf(host, byThemselves), locales, activity)
}

func commandsOf(c catalog, locales *text.Locales, activity bool) []Command {
	in := localizer{locales}
	all := in.registeredCommands(c)
	for _, name := range []text.Text{inviteMenu, statsMenu} {
		all = append(all, Command{Type: userCommand, Name: name.String(), NameLocalizations: in.text(name)})
	}
	for _, name := range []text.Text{challengeMenu, boardMenu, reportMenu} {
		all = append(all, Command{Type: messageCommand, Name: name.String(), NameLocalizations: in.text(name)})
	}
	for i := range all {
		all[i].Contexts = []place{inGuild, inBotDM, inPrivate}
		all[i].Installs = []install{byGuild, byUser}
	}
	if activity {
		all = append(all, in.entry())
	}
	return all
}

// A localizer translates texts to the languages that Discord supports.
type localizer struct{ *text.Locales }

// locales maps languages to Discord's codes if those differ.
var locales = map[string][]string{"es": {"es-ES", "es-419"}, "pt": {"pt-BR"}}

// each calls own with each language except English, and returns the results by Discord's
// locales, without empty ones.
func (in localizer) each(own func(*text.Locale) string) map[string]string {
	var all map[string]string
	for _, to := range in.All() {
		if to.IsEnglish() || !to.Complete() {
			continue
		}
		said := own(to)
		if said == "" {
			continue
		}
		codes, other := locales[to.Code()]
		if !other {
			codes = []string{to.Code()}
		}
		for _, code := range codes {
			if all == nil {
				all = map[string]string{}
			}
			all[code] = said
		}
	}
	return all
}

// text returns a text's translations that differ from the English.
func (in localizer) text(t text.Text) map[string]string {
	english := t.String()
	return in.each(func(to *text.Locale) string {
		if said := t.In(to).Shorten(bot.MaxChoice).String(); said != english {
			return said
		}
		return ""
	})
}

// options returns a command's options; Discord requires mandatory ones first.
func (in localizer) options(c bot.Command) []Option {
	var required, optional []Option
	for _, o := range c.Options {
		if !isListed(c.Name, o.Name) {
			continue
		}
		for n, name := range optionNames(o) {
			registered := Option{
				Type: typeOf(o.Kind), Name: name, Description: o.Help, DescriptionLocalizations: in.text(text.Known(o.Help)),
				Autocomplete: (o.Completes || takesWordAndSquare(c, o)) && len(o.Choices) == 0,
			}
			registered.NameLocalizations = in.each(func(to *text.Locale) string {
				own := o.NameIn(to)
				if own != "" && n > 0 {
					own += strconv.Itoa(n + 1)
				}
				return own
			})
			for _, choice := range o.Choices {
				registered.Choices = append(registered.Choices, Choice{Name: choice.Label.String(), NameLocalizations: in.text(choice.Label), Value: choice.Value})
			}
			if registered.Required = o.Required && n == 0 && !(o.Name == tilesOption && ticksTiles(c.Name, nil)); registered.Required {
				required = append(required, registered)
			} else {
				optional = append(optional, registered)
			}
		}
	}
	if hasMore(c.Name) {
		optional = append(optional, in.moreOption(c))
	}
	return append(required, optional...)
}

// takesWordAndSquare reports whether an option takes a word, and perhaps its square too, in one
// input.
func takesWordAndSquare(c bot.Command, o bot.Option) bool {
	return o.Kind == bot.Word && slices.ContainsFunc(c.Options, func(o bot.Option) bool { return o.Kind == bot.Square && o.Completes })
}

// mostPeople limits the opponents that can be named. Discord allows one person per option,
// so there are several: opponent, opponent2, opponent3.
const mostPeople = 3

// optionNames returns the names under which an option is registered.
func optionNames(o bot.Option) []string {
	if o.Kind != bot.People {
		return []string{o.Name}
	}
	one := strings.TrimSuffix(o.Name, "s")
	names := []string{one}
	for n := 2; o.Name == opponents && n <= mostPeople; n++ {
		names = append(names, one+strconv.Itoa(n))
	}
	return names
}

func typeOf(k bot.Kind) optionType {
	switch k {
	case bot.People:
		return userOption
	case bot.YesNo:
		return yesNoOption
	}
	return textOption
}
