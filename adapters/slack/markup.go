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

// mrkdwn writes a text in Slack's markup. It is the only way by which text
// gets to Slack as markup.
func (n names) mrkdwn(t text.Text) string {
	var b strings.Builder
	for _, s := range t.In(nil) {
		b.WriteString(n.span(s))
	}
	return b.String()
}

// soonOver is how soon a time must be for its seconds to matter.
const soonOver = 10 * time.Minute

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
		if n.now != nil && s.Time.Sub(n.now()) < soonOver {
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
		return "`" + sentences.Isolate(inCode(n.inText(s.Text))) + "`"
	case s.Person != "" && !s.Strong:
		return sentences.Isolated(s.Text, escape(s.Text))
	case s.Strong && !strings.Contains(s.Text, "\n"):
		return "*" + sentences.Isolate(escape(s.Text)) + "*"
	}
	return sentences.Isolate(escape(s.Text))
}

// inColumns reports whether a span must stand in lines of its own, such as a
// board.
func inColumns(s text.Span) bool { return s.Code && strings.Contains(s.Text, "\n") }

func fence(s text.Span) string {
	return "```\n" + sentences.Isolate(inCode(strings.TrimSuffix(s.Text, "\n"))) + "\n```"
}

// pieces writes a text in markup, in pieces no longer than most, in characters. It
// is cut between lines, or else between words. What stands in columns is cut
// only where it is longer than a piece.
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

// size is a text's length as Slack counts it: in UTF-16.
func size(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// split cuts a span so that the first part, written, is no longer than most,
// in characters. That part is empty where no line or word fits, unless it must
// have something.
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

// lastIndex is where the last of a character ends in a text, or 0.
func lastIndex(text []rune, r rune) int {
	for i := len(text); i > 0; i-- {
		if text[i-1] == r {
			return i
		}
	}
	return 0
}

// escape makes plain text of what people wrote: no mention, no link, and, by
// a space of no width behind each character that could begin one, no
// formatting. https://docs.slack.dev/messaging/formatting-message-text#escaping
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

// inCode is the text of a piece of code, where nothing but the end of it is
// markup.
func inCode(s string) string { return codeEscaper.Replace(s) }

var codeEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "`", "ˋ")

// plain is a text where Slack knows no markup: in labels, and at a form's
// fields.
func (n names) plain(t text.Text) string {
	var b strings.Builder
	for _, s := range t.In(nil) {
		if s.Code {
			s.Text = n.inText(s.Text)
		}
		b.WriteString(s.Text)
	}
	return b.String()
}

// unescape reads what Slack escaped in what somebody typed.
func unescape(s string) string {
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(s)
}
