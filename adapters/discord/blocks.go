package discord

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/bwmarrin/discordgo"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file lays out answers in blocks, Discord's Components V2, if people read them
// again and again and nobody needs a notification. The notification of such a message
// would be empty (issue 7854 of discord-api-docs, open in August 2026), so posts keep the
// old form.
//
// Turns aren't laid out by a later edit either: a turn's post is deleted, never edited,
// and the next board is a post of its own, because it calls a player. An edit would be a
// third request per move, and Discord doesn't document how it affects an existing
// notification. Besides, a laid-out message can never have content again, which folding
// and rewording need.

// laidOut is the flag of a message that consists only of components.
const laidOut = 1 << 15

// The kinds of blocks.
const (
	sectionBlock   discordgo.ComponentType = 9 // a text with a button beside it
	textBlock      discordgo.ComponentType = 10
	galleryBlock   discordgo.ComponentType = 12
	fileBlock      discordgo.ComponentType = 13
	separatorBlock discordgo.ComponentType = 14
)

// mostBlocks limits the components of a message, including nested ones.
const mostBlocks = 40

// A block is a component that isn't interactive. discordgo's have fields that Discord
// doesn't accept.
type block struct {
	Kind       discordgo.ComponentType      `json:"type"`
	Content    string                       `json:"content,omitempty"`
	Components []discordgo.MessageComponent `json:"components,omitempty"` // the texts of a section
	Accessory  discordgo.MessageComponent   `json:"accessory,omitempty"`
	Items      []shownFile                  `json:"items,omitempty"` // for a gallery
	File       *media                       `json:"file,omitempty"`
}

// A shownFile is a picture in a gallery.
type shownFile struct {
	Media       media  `json:"media"`
	Description string `json:"description,omitempty"`
}

// A media names a file of the message.
type media struct {
	URL string `json:"url"`
}

// Type returns the type of the component; see [discordgo.MessageComponent].
func (b block) Type() discordgo.ComponentType { return b.Kind }

// MarshalJSON encodes the block for Discord.
func (b block) MarshalJSON() ([]byte, error) {
	type plain block
	return json.Marshal(plain(b))
}

// laidOutCommands lists the commands with answers that are laid out. All answers with a rack are
// too.
var laidOutCommands = []string{"rack", "help", "settings", "stats", "games"}

// laysOut reports whether an answer is laid out. Where the bot isn't a member, the answer
// may have to take on more text later; see showLater.
func (i *interaction) laysOut(commands bot.Commands, r bot.Reply) bool {
	req, ok := i.request(commands)
	return ok && !r.Refused && !i.isVisit() && (r.Rack || slices.Contains(laidOutCommands, req.Command))
}

func (m *message) laidOut() bool { return m != nil && m.Flags&laidOut != 0 }

// layOut converts a message's text and files to blocks, with its components below: a line
// that ends with a link becomes a section with the link as a button, and an empty line a
// separator.
func (p *payload) layOut(said text.Text) {
	room := mostBlocks - len(p.files)
	for _, row := range p.Components {
		room--
		if r, ok := row.(discordgo.ActionsRow); ok {
			room -= len(r.Components)
		}
	}
	blocks := sections(said)
	if weight(blocks) > room || len(blocks) == 0 {
		blocks = []discordgo.MessageComponent{block{Kind: textBlock, Content: p.Content}}
	}
	var pictures []shownFile
	var files []discordgo.MessageComponent
	for n, f := range p.files {
		at := media{"attachment://" + f.name}
		if strings.HasPrefix(f.contentType, "image/") {
			pictures = append(pictures, shownFile{at, p.Attachments[n].Description})
		} else {
			files = append(files, block{Kind: fileBlock, File: &at})
		}
	}
	if len(pictures) > 0 {
		blocks = append(blocks, block{Kind: galleryBlock, Items: pictures})
	}
	p.blocks = slices.Concat(blocks, files, p.Components)
}

// weight counts all components, including nested ones.
func weight(blocks []discordgo.MessageComponent) (n int) {
	for _, b := range blocks {
		if n++; b.Type() == sectionBlock {
			n += 2
		}
	}
	return n
}

// sections converts the lines of a text to blocks.
func sections(said text.Text) (all []discordgo.MessageComponent) {
	var lines text.Text // lines for the next block
	flush := func() {
		if content, _ := markup(lines); strings.TrimSpace(content) != "" {
			all = append(all, block{Kind: textBlock, Content: content})
		}
		lines = nil
	}
	for _, line := range linesOf(said) {
		words, url, label := endsWithLink(line)
		switch {
		case url != "":
			flush()
			content, _ := markup(words)
			all = append(all, block{
				Kind: sectionBlock, Components: []discordgo.MessageComponent{block{Kind: textBlock, Content: content}},
				Accessory: discordgo.Button{Label: cut(commandTitle(label, ""), maxLabel), URL: url, Style: discordgo.LinkButton},
			})
		case strings.TrimSpace(line.String()) == "":
			flush()
			if len(all) > 0 && all[len(all)-1].Type() != separatorBlock {
				all = append(all, block{Kind: separatorBlock})
			}
		default:
			lines = text.Lines(lines, line)
		}
	}
	flush()
	if n := len(all); n > 0 && all[n-1].Type() == separatorBlock {
		all = all[:n-1]
	}
	return all
}

// linesOf splits a text at its line breaks, except within multi-line code.
func linesOf(t text.Text) (all []text.Text) {
	var line text.Text
	for _, s := range t {
		pieces := []string{s.Text}
		if !s.Code {
			pieces = strings.Split(s.Text, "\n")
		}
		for n, piece := range pieces {
			if n > 0 {
				all, line = append(all, line), nil
			}
			one := s
			if one.Text = piece; piece != "" {
				line = append(line, one)
			}
		}
	}
	return append(all, line)
}

// endsWithLink splits a line with text that ends with a link; url is "" if it doesn't.
func endsWithLink(line text.Text) (words text.Text, url, label string) {
	n := len(line) - 1
	if n < 1 || !strings.HasPrefix(line[n].Link, "https://") || len(line[n].Link) > maxURL || line[n].Text == "" {
		return nil, "", ""
	}
	words = slices.Clone(line[:n])
	words[n-1].Text = strings.TrimRight(words[n-1].Text, " ·")
	if strings.TrimSpace(words.String()) == "" {
		return nil, "", ""
	}
	return words, line[n].Link, line[n].Text
}

// maxURL is the longest link of a button, in bytes.
const maxURL = 512
