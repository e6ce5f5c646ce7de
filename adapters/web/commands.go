package web

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/adapters/web/pages"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// A commandInfo describes a command of the host for the page's completion. Own is its name
// in the reader's language, if it differs.
type commandInfo struct {
	Name    string       `json:"name"`
	Own     string       `json:"own,omitempty"`
	Help    string       `json:"help"`
	Example string       `json:"example"`
	Options []optionInfo `json:"options"`
	Manages bool         `json:"manages,omitempty"` // whether only keepers may give it
}

type optionInfo struct {
	Name     string       `json:"name"`
	Own      string       `json:"own,omitempty"`
	Help     string       `json:"help"`
	Required bool         `json:"required"`
	Choices  []choiceInfo `json:"choices,omitempty"`
}

func commandInfos(commands bot.Commands, to *text.Locale) []commandInfo {
	say := func(help string) string { return text.Known(help).In(to).String() }
	var all []commandInfo
	for _, c := range commands {
		info := commandInfo{c.Name, ownName(c.Name, c.NameIn(to)), say(c.Help), c.Example, []optionInfo{}, c.Manages}
		for _, o := range c.Options {
			option := optionInfo{Name: o.Name, Own: ownName(o.Name, o.NameIn(to)), Help: say(o.Help), Required: o.Required}
			for _, v := range o.Choices {
				option.Choices = append(option.Choices, choiceInfo{v.Value, v.Label.In(to).String(), v.Without})
			}
			info.Options = append(info.Options, option)
		}
		all = append(all, info)
	}
	return all
}

// ownName returns a name in the reader's language, or "" if it is the English one.
func ownName(english, own string) string {
	if own == english {
		return ""
	}
	return own
}

// An answer is visible to the sender of the request only.
type answer struct {
	Reply message `json:"reply"`
}

// commands passes typed commands and pressed buttons to the host.
type commands struct {
	host    bot.Host
	cookies *pages.Cookies
	members *members
	streams *streams
}

func (cm *commands) private(reply bot.Reply) answer {
	m := message{Text: spans(reply.Text), Picture: inline(reply.Picture), Buttons: cm.buttons(reply.Buttons), Menus: menus(reply.Menus), Refused: reply.Refused, Rack: reply.Rack}
	for _, f := range reply.Files {
		m.Files = append(m.Files, file{f.Name, f.Type, f.Alt.String(), f.Data})
	}
	return answer{m}
}

// request returns a request to the host without its command. The browser's id identifies it
// if it is sent again. The host keeps the request's own id forever because draws derive
// from it, so the id is a hash that doesn't reveal the sender.
func (cm *commands) request(who person, s stream, id string, at pages.Screen) bot.Request {
	sum := sha256.Sum256([]byte(who.ID + ":" + id))
	req := bot.Request{
		ID: pages.Platform + ":" + hex.EncodeToString(sum[:16]), Channel: s.channelID(), User: who.user(), Dark: at.Dark, Zone: at.Zone, Locale: who.locale,
	}
	if req.Readers = len(s.readers()); req.Readers == 0 {
		req.Home, req.Manager = pages.Home, who.Keeper
	}
	return req
}

// command parses a line that begins with "/", adds it to the request, and carries it out.
func (cm *commands) command(ctx context.Context, who person, req bot.Request, line string) (any, error) {
	line, err := cm.members.namesToIDs(ctx, line)
	if err != nil {
		return nil, err
	}
	commands, to := cm.host.Commands(), cm.host.LocaleFor(ctx, req)
	var refused text.Text
	req.Command, req.Args, refused = commands.ParseLine(line, to)
	if refused == nil {
		if req.Args, err = cm.members.idsToNames(ctx, commands, req); err != nil {
			return nil, err
		}
		if req.People, refused, err = cm.members.takePeople(ctx, commands, req); err != nil {
			return nil, err
		}
	}
	if refused != nil {
		return cm.private(bot.Reply{Text: refused.In(to), Refused: true}), nil
	}
	return cm.handle(ctx, who, req)
}

// handle gives a request to the host. The board shows a rack, so only /rack is answered by its
// picture.
func (cm *commands) handle(ctx context.Context, who person, req bot.Request) (any, error) {
	reply := cm.host.Handle(ctx, req)
	if reply.Rack && req.Command != "rack" {
		reply.Picture = nil
	}
	return cm.private(reply), cm.members.notePlayed(ctx, who, req, reply)
}

// namesToIDs replaces each name in a line with "@" and an id, so that a name is one word.
func (ms *members) namesToIDs(ctx context.Context, line string) (string, error) {
	var b strings.Builder
	pieces, err := ms.cutNames(ctx, line)
	for _, p := range pieces {
		if p.who == nil {
			b.WriteString(p.text)
		} else {
			b.WriteString("@" + p.who.ID)
		}
	}
	return b.String(), err
}

// idsToNames undoes namesToIDs in text arguments, which may mention people.
func (ms *members) idsToNames(ctx context.Context, commands bot.Commands, req bot.Request) (map[string]string, error) {
	c, _ := commands.Find(req.Command)
	for _, o := range c.Options {
		value := req.Args[o.Name]
		if o.Kind == bot.People || !strings.Contains(value, "@") {
			continue
		}
		pieces := strings.Split(value, "@")
		for i, piece := range pieces[1:] {
			end := strings.IndexFunc(piece, func(r rune) bool { return !('a' <= r && r <= 'z' || '0' <= r && r <= '9') })
			if end < 0 {
				end = len(piece)
			}
			p, found, err := ms.person(ctx, piece[:end])
			if err != nil {
				return nil, err
			}
			if pieces[i+1] = "@" + piece; found {
				pieces[i+1] = p.Name + piece[end:]
			}
		}
		req.Args[o.Name] = strings.Join(pieces, "")
	}
	return req.Args, nil
}

// takePeople moves the people named in a request's arguments to its People.
func (ms *members) takePeople(ctx context.Context, commands bot.Commands, req bot.Request) (named []bot.User, refused text.Text, err error) {
	c, _ := commands.Find(req.Command)
	for _, o := range c.Options {
		if o.Kind != bot.People {
			continue
		}
		for _, word := range strings.Fields(req.Args[o.Name]) {
			id := strings.TrimPrefix(word, "@")
			p, found, err := ms.person(ctx, id)
			if err == nil && !found {
				p, found, err = ms.findLeft(ctx, id)
			}
			if err != nil {
				return nil, nil, err
			}
			if !found {
				return nil, text.Say("Nobody here is called {name}. Type @ to see who's here.", text.Strong(id)), nil
			}
			named = append(named, p.user())
		}
		delete(req.Args, o.Name)
	}
	return named, nil, nil
}

// press handles a pressed button.
func (cm *commands) press(ctx context.Context, who person, in struct {
	Stream string `json:"stream"`
	ID     string `json:"id"`
	Button string `json:"button"`
	pages.Screen
}) (any, error) {
	s, err := cm.streams.find(ctx, who, in.Stream)
	if err != nil {
		return nil, err
	}
	if !pages.IsClientID(in.ID) {
		return nil, pages.ErrUnread
	}
	req, ok := cm.request(who, s, in.ID, in.Screen).Press(in.Button)
	if !ok || !cm.host.Commands().Knows(req) {
		return nil, pages.Refuse("That button doesn't work any more. Type / to see what you can do.")
	}
	if err := cm.members.noteActive(ctx, who); err != nil {
		return nil, err
	}
	if req.Command == "join" && req.Args["robot"] == "" { // the message above the button shows the settings, so no confirmation is needed
		req.Args["sure"] = "yes"
	}
	return cm.handle(ctx, who, req)
}

// rack returns a person's rack in a channel for the place above the message box. There is
// no reply if they hold nothing.
func (cm *commands) rack(ctx context.Context, who person, in struct {
	Stream string `json:"stream"`
	pages.Screen
}) (any, error) {
	s, err := cm.streams.find(ctx, who, in.Stream)
	if err != nil {
		return nil, err
	}
	id, err := cm.cookies.NewID()
	if err != nil {
		return nil, err
	}
	req := cm.request(who, s, id, in.Screen)
	req.Command = "rack"
	if reply := cm.host.Handle(ctx, req); reply.Rack {
		return cm.private(reply), nil
	}
	return struct{}{}, nil
}

// A choice can replace the word being typed.
type choice struct {
	Insert string `json:"insert"`
	Label  string `json:"label"`
	Help   string `json:"help,omitempty"`
	Open   bool   `json:"open,omitempty"` // whether more is to be typed after it
}

type completion struct {
	Option  string   `json:"option,omitempty"` // the option being typed, if that is clear
	Choices []choice `json:"choices"`
}

// mostCompleted is the longest line that is completed, in bytes. In a longer one, every
// name would be looked up at each key press.
const mostCompleted = 2000

// complete returns completions of the last word of a line that begins with a command and a
// space. The page itself completes the command's name.
func (cm *commands) complete(ctx context.Context, who person, in struct {
	Stream string `json:"stream"`
	Line   string `json:"line"`
}) (any, error) {
	s, err := cm.streams.find(ctx, who, in.Stream)
	if err != nil {
		return nil, err
	}
	none := completion{Choices: []choice{}}
	if len(in.Line) > mostCompleted {
		return none, nil
	}
	line, err := cm.members.namesToIDs(ctx, in.Line)
	if err != nil {
		return nil, err
	}
	cut := strings.LastIndexAny(line, " \n") + 1
	done, word := line[:cut], line[cut:]
	req := cm.request(who, s, "", pages.Screen{})
	to := cm.host.LocaleFor(ctx, req)
	name, args, refused := cm.host.Commands().ParseLine(done, to)
	c, known := cm.host.Commands().Find(name)
	if cut == 0 || refused != nil || !known {
		return none, nil
	}

	open := openOptions(c, args)
	if key, value, named := strings.Cut(word, ":"); named {
		o, known := c.Meant(key, to)
		if !known || !slices.ContainsFunc(open, func(other bot.Option) bool { return other.Name == o.Name }) {
			return none, nil
		}
		choices, err := cm.values(ctx, req, c, o, args, value, key+":", to)
		return completion{o.Name, choices}, err
	}
	open = slices.DeleteFunc(open, func(o bot.Option) bool {
		return o.Rare && (word == "" || completeName(word, o.NameIn(to), o.Name) == "")
	})
	if len(open) == 0 {
		return none, nil
	}
	if first := open[0]; !first.Rare && (first.Required || len(open) == 1 || len(c.Options) == 1) {
		choices, err := cm.values(ctx, req, c, first, args, word, "", to)
		return completion{first.Name, choices}, err
	}
	return optionsFor(open, word, to), nil
}

// optionsFor returns the names of the options that could follow, and once something is
// typed, their matching values.
func optionsFor(open []bot.Option, word string, to *text.Locale) completion {
	out := completion{Choices: []choice{}}
	for _, o := range open {
		if called := completeName(word, o.NameIn(to), o.Name); called != "" {
			out.Choices = append(out.Choices, choice{called + ":", called, text.Known(o.Help).In(to).String(), true})
		}
	}
	for _, o := range open {
		if word == "" {
			continue
		}
		for _, v := range o.Choices {
			if value := completeName(word, v.Value, o.ChoiceIn(v, to)); value != "" {
				typed := cmp.Or(o.NameIn(to), o.Name) + ":" + value
				out.Choices = append(out.Choices, choice{Insert: typed, Label: typed, Help: v.Label.In(to).String()})
			}
		}
	}
	return out
}

// completeName returns the first of some names that begins with a typed word, or "" if none does.
func completeName(word string, names ...string) string {
	for _, name := range names {
		if name != "" && hasPrefixFold(name, word) {
			return name
		}
	}
	return ""
}

// openOptions returns the options that can still be given, the required ones first. Optional
// ones that take several words are always included.
func openOptions(c bot.Command, args map[string]string) (open []bot.Option) {
	for _, required := range []bool{true, false} {
		for _, o := range c.Options {
			many := o.Kind == bot.Words || o.Kind == bot.Letters || o.Kind == bot.People
			if o.Required == required && (args[o.Name] == "" || (many && !required)) {
				open = append(open, o)
			}
		}
	}
	return open
}

// values returns the possible values of an option that begin with the given text.
func (cm *commands) values(ctx context.Context, req bot.Request, c bot.Command, o bot.Option, args map[string]string, begin, key string, to *text.Locale) ([]choice, error) {
	all := []choice{}
	switch {
	case o.Kind == bot.People:
		people, err := cm.members.findByPrefix(ctx, strings.TrimPrefix(begin, "@"))
		if err != nil {
			return nil, err
		}
		for _, p := range people {
			if p.player() != req.User.ID {
				all = append(all, choice{Insert: key + "@" + p.Name, Label: "@" + p.Name})
			}
		}
	case len(o.Choices) > 0:
		for _, v := range o.Choices {
			if value := completeName(begin, v.Value, o.ChoiceIn(v, to)); value != "" {
				all = append(all, choice{Insert: key + value, Label: value, Help: v.Label.In(to).String()})
			}
		}
	case o.Completes:
		req.Command = c.Name
		var err error
		if req.People, _, err = cm.members.takePeople(ctx, cm.host.Commands(), bot.Request{Command: c.Name, Args: args}); err != nil {
			return nil, err
		}
		req.Args = args
		req.Args[o.Name] = strings.TrimSpace(args[o.Name] + " " + begin)
		for _, v := range cm.host.Complete(ctx, req, o.Name) {
			all = append(all, choice{Insert: key + v.Value, Label: v.Value, Help: v.Label.String()})
		}
	}
	return all, nil
}

// hasPrefixFold reports whether a name begins with a typed word, ignoring case and accents.
func hasPrefixFold(name, word string) bool {
	return strings.HasPrefix(strings.ToLower(name), strings.ToLower(word)) || strings.HasPrefix(bot.Unaccented(name), bot.Unaccented(word))
}

// buttons converts a message's buttons. A button whose command lacks an argument types the
// command for the person to complete.
func (cm *commands) buttons(bs []bot.Button) []button {
	var all []button
	for _, b := range bs {
		shown := button{ID: b.ID, Label: b.Label.String(), Style: map[bot.Style]string{bot.Primary: "primary", bot.Danger: "danger"}[b.Style], Link: b.Link}
		if req, ok := (bot.Request{}).Press(b.ID); ok {
			if ask := cm.host.Commands().Asks(req); len(ask) > 0 {
				shown.Type = "/" + req.Command + " "
				if do := req.Args["do"]; do != "" {
					shown.Type += do + " " + ask[0].Name + ":"
				}
				if _, named := req.Args[ask[0].Name]; named && len(ask) == 1 && len(req.Args) > 2 {
					shown.Type, shown.Ask = "", true
				}
			}
		}
		all = append(all, shown)
	}
	return all
}
