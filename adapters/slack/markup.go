package slack

import (
	"fmt"
	"sort"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/data/sentences"
)

// mrkdwn converts a text to Slack's markup, and escapes what people wrote.
func (n names) mrkdwn(t text.Text) string {
	var b strings.Builder
	for _, s := range t.In(nil) {
		b.WriteString(n.span(s))
	}
	return b.String()
}

// secondsBelow is the remaining time below which a deadline is shown with seconds.
const secondsBelow = 10 * time.Minute

func (n names) span(s text.Span) string {
	switch {
	case s.Text == "":
		return ""
	case s.Notify && s.Person != "":
		if m, err := memberOf(s.Person); err == nil {
			return sentences.Isolated(s.Text, "<@"+escape(m.id)+">")
		}
	case !s.Time.IsZero():
		clock := "{time}"
		if n.now != nil && s.Time.Sub(n.now()) < secondsBelow {
			clock = "{time_secs}"
		}
		return fmt.Sprintf("<!date^%d^{date_short_pretty} %s|%s>", s.Time.Unix(), clock, strings.ReplaceAll(escape(s.Text), "|", "¦"))
	case strings.HasPrefix(s.Link, homeTabLink+"?"):
		return "<" + strings.ReplaceAll(s.Link, "&", "&amp;") + "|" + strings.ReplaceAll(escape(s.Text), "|", "¦") + ">"
	case strings.HasPrefix(s.Link, "http") && !strings.ContainsAny(s.Link, " <>|"):
		return "<" + s.Link + "|" + strings.ReplaceAll(escape(s.Text), "|", "¦") + ">"
	case inColumns(s):
		return fence(s)
	case s.Code:
		return "`" + sentences.Isolate(inCode(n.rewriteCommand(s.Text))) + "`"
	case s.Person != "" && !s.Strong:
		return sentences.Isolated(s.Text, escape(s.Text))
	case s.Strong && !strings.Contains(s.Text, "\n"):
		return "*" + sentences.Isolate(escape(s.Text)) + "*"
	}
	return sentences.Isolate(escape(s.Text))
}

// inColumns reports whether a span needs lines of its own, such as a board.
func inColumns(s text.Span) bool { return s.Code && strings.Contains(s.Text, "\n") }

func fence(s text.Span) string {
	return "```\n" + sentences.Isolate(inCode(strings.TrimSuffix(s.Text, "\n"))) + "\n```"
}

// pieces converts a text to markup, in pieces of at most most characters. It cuts between
// lines, or else between words. Spans in columns are only cut if they are longer than a
// piece.
func (n names) pieces(t text.Text, most int) []string {
	var all []string
	var b strings.Builder
	used := 0
	flush := func() {
		if used > 0 {
			all = append(all, b.String())
		}
		b.Reset()
		used = 0
	}
	for _, span := range t.In(nil) {
		write := n.span
		if inColumns(span) {
			write = fence
			if used > 0 && used+size(write(span)) > most && size(write(span)) <= most {
				flush()
			}
		}
		for span.Text != "" {
			text := write(span)
			if used+size(text) <= most {
				b.WriteString(text)
				used += size(text)
				break
			}
			head, tail := split(span, write, most-used, used == 0)
			if head.Text != "" {
				text := write(head)
				b.WriteString(text)
				used += size(text)
			}
			span = tail
			flush()
		}
	}
	flush()
	return all
}

// size returns a text's length as Slack counts it: in UTF-16 units.
func size(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// split cuts a span so that the first part, as written, has at most most characters. If no
// line or word fits, that part is empty unless must is set.
func split(s text.Span, write func(text.Span) string, most int, must bool) (head, tail text.Span) {
	said := []rune(s.Text)
	part := func(n int) text.Span {
		p := s
		p.Text = string(said[:n])
		return p
	}
	fits := sort.Search(len(said), func(n int) bool { return size(write(part(n+1))) > most })
	at := lastIndex(said[:fits], '\n')
	if at == 0 && !inColumns(s) {
		at = lastIndex(said[:fits], ' ')
	}
	if at == 0 && must {
		at = max(fits, 1)
	}
	head, tail = part(at), s
	tail.Text = string(said[at:])
	return head, tail
}

// lastIndex returns the index after the last occurrence of a character in a text, or 0.
func lastIndex(text []rune, r rune) int {
	for i := len(text); i > 0; i-- {
		if text[i-1] == r {
			return i
		}
	}
	return 0
}

// escape makes plain text of what people wrote: without mentions, links or formatting,
// which it prevents by a zero-width space after each character that could start it.
// https://docs.slack.dev/messaging/formatting-message-text#escaping
func escape(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch r {
		case '&':
			b.WriteString("&amp;")
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '*', '_', '~', '`', '@', ':':
			b.WriteRune(r)
			if next := i + 1; next < len(s) && s[next] > ' ' {
				b.WriteString("\u200b")
			}
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// inCode returns the text for a piece of code, in which only its end is markup.
func inCode(s string) string { return codeEscaper.Replace(s) }

var codeEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "`", "ˋ")

// plain returns a text without markup, for labels and form fields.
func (n names) plain(t text.Text) string {
	var b strings.Builder
	for _, s := range t.In(nil) {
		if s.Code {
			s.Text = n.rewriteCommand(s.Text)
		}
		b.WriteString(s.Text)
	}
	return b.String()
}

// unescape reverses Slack's escaping of typed text.
func unescape(s string) string {
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(s)
}
