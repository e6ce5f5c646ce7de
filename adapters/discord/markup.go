package discord

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/data/sentences"
)

// maxContent is the longest content of a message. Discord doesn't document whether it
// counts characters or UTF-16 units; we count units, which are never fewer.
const maxContent = 2000

// markup converts a text to Discord's Markdown, at most maxContent long, and returns the
// users it mentions. Only here does text written by people become markup.
func markup(t text.Text) (content string, calls []snowflake) {
	var b strings.Builder
	room := maxContent
	for _, s := range t.In(nil) {
		begins := lineBegins(b.String())
		if begins && s.Small && room >= len(subtext) {
			b.WriteString(subtext)
			room -= len(subtext)
			begins = false
		}
		piece := span(s, begins)
		for cut := []rune(s.Text); units(piece) > room && len(cut) > 0; {
			// Only names of unusual characters get here: the host keeps texts short.
			cut = cut[:len(cut)*3/4]
			short := s
			short.Text = string(cut) + "…"
			piece = span(short, begins)
		}
		if units(piece) > room {
			break
		}
		room -= units(piece)
		b.WriteString(piece)
		if id, ok := userID(s.Person); ok && s.Notify {
			calls = append(calls, id)
		}
	}
	return b.String(), calls
}

// subtext begins a line in small type.
const subtext = "-# "

func units(s string) int { return len(utf16.Encode([]rune(s))) }

func lineBegins(before string) bool {
	line := before[strings.LastIndexByte(before, '\n')+1:]
	return strings.TrimSpace(line) == ""
}

// span converts a span to Markdown. begins means that it is at the start of a line, where
// more characters have a meaning.
func span(s text.Span, begins bool) string {
	id, isUser := userID(s.Person)
	switch {
	case s.Text == "":
		return ""
	case isUser && s.Notify:
		return "<@" + string(id) + ">"
	case !s.Time.IsZero():
		return fmt.Sprintf("<t:%d:f> (<t:%[1]d:R>)", s.Time.Unix())
	case strings.HasPrefix(s.Link, commandLink):
		return "</" + strings.TrimPrefix(s.Link, commandLink) + ">"
	case strings.HasPrefix(s.Link, "http") && !strings.ContainsAny(s.Link, " <>()"):
		return "[" + sentences.Isolate(escape(s.Text, false)) + "](<" + s.Link + ">)"
	case s.Code:
		return verbatim(s.Text)
	case s.Strong:
		return "**" + sentences.Isolate(escape(s.Text, false)) + "**"
	case s.Person != "":
		return sentences.Isolated(s.Text, escape(s.Text, begins))
	}
	return sentences.Isolate(escape(s.Text, begins))
}

// verbatim returns text as code. Escapes don't work in code, so a backtick becomes an
// apostrophe.
func verbatim(text string) string {
	text = sentences.Isolate(strings.ReplaceAll(text, "`", "'"))
	if strings.Contains(text, "\n") {
		return "```\n" + text + "\n```"
	}
	return "`" + text + "`"
}

// escape escapes all characters with a meaning in Discord's Markdown: emphasis, code,
// spoilers, links, invitations and mentions everywhere; headings, lists and quotations at
// the start of a line.
func escape(text string, begins bool) string {
	var b strings.Builder
	var before rune
	digits := false // the line consists of digits so far
	domain := false // the word has a dot so far, and no slash after it
	for _, r := range text {
		switch {
		case strings.ContainsRune("\\*_~|`<>[]@", r),
			begins && strings.ContainsRune("#-+", r),
			digits && (r == '.' || r == ')'),
			r == '/' && (before == ':' || domain):
			b.WriteByte('\\')
		}
		domain = !unicode.IsSpace(r) && r != '/' && (domain || r == '.')
		b.WriteRune(r)
		isDigit := r >= '0' && r <= '9'
		digits = isDigit && (begins || digits)
		begins = r == '\n' || begins && (r == ' ' || r == '\t')
		before = r
	}
	return b.String()
}

// playerID returns the player that a user is.
func playerID(user snowflake) bot.PlayerID { return bot.PlayerID(Platform + ":" + string(user)) }

// userID returns a player's id on Discord.
func userID(p bot.PlayerID) (snowflake, bool) {
	id, ours := strings.CutPrefix(string(p), Platform+":")
	return snowflake(id), ours && snowflake(id).valid()
}
