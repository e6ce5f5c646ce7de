package features_test

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"unicode"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/tongue"
)

// All transcripts are played where everybody speaks English with an accent on each
// letter of each template. A word without is in no catalogue, unless it is a value:
// a word or tiles of the game, a command, its options and their values, or what people
// are called and typed. More than two values in a row, which nobody typed so, are
// taken for a sentence.
func TestNothingIsLeftInEnglish(t *testing.T) {
	left := map[string]string{} // by the word, where it stood
	for _, file := range transcripts(t) {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		synctest.Test(t, func(t *testing.T) {
			sc := newScene(t, func(c *host.Config) { c.Tongues = tongue.New(tongue.Pseudo) })
			l := listener{left: left, values: map[string]bool{sc.config.DefaultLexicon: true}}
			for _, p := range people {
				l.values[p.Name] = true
			}
			l.learns(sc.host)
			handle := sc.handle
			sc.handle = func(req bot.Request) bot.Reply {
				l.reads(name, req)
				req.Locale, req.HomeLocale = tongue.Pseudo.Code(), tongue.Pseudo.Code()
				aside := req.Aside
				req.Aside = func(ctx context.Context, title string) (bot.ChannelID, error) {
					l.hears("the title of a thread", bot.Plain(title))
					return aside(ctx, title)
				}
				r := handle(req)
				l.everything("the answer", r.Text, r.Picture, r.Buttons, r.Menus)
				for _, f := range r.Files {
					l.hears("the words beside a file", f.Alt)
				}
				if sight, err := sc.host.Sight(t.Context(), req); err == nil {
					l.sees(sight)
				}
				return r
			}
			sc.posts.fail = func(m bot.Message) error {
				l.everything("a post", slices.Concat(m.Text, m.Whole, m.Line, m.Ticker), m.Picture, m.Buttons, m.Menus)
				return nil
			}
			sc.play(readFile(t, file))
		})
	}
	for _, word := range slices.Sorted(maps.Keys(left)) {
		t.Errorf("%q is in no catalogue: %s", word, left[word])
	}
}

// A listener looks for words in no language.
type listener struct {
	mu     sync.Mutex // for posts come whenever they like
	where  string
	values map[string]bool // words that are typed, and names
	wrote  string          // what people wrote in this transcript
	left   map[string]string
}

// learns takes note of what can be typed.
func (l *listener) learns(h *host.Host) {
	for _, c := range h.Commands() {
		l.value(c.Name)
		for _, o := range c.Options {
			l.value(o.Name)
			if o.Kind == bot.YesNo {
				l.value("yes no")
			}
			choices := o.Choices
			if o.Completes {
				choices = slices.Concat(choices, h.Complete(context.Background(), bot.Request{Channel: parlour, User: people["ann"], Command: c.Name}, o.Name))
			}
			for _, choice := range choices {
				l.value(choice.Value)
			}
		}
	}
}

// reads takes note of what somebody typed.
func (l *listener) reads(transcript string, req bot.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.where = transcript + ": /" + req.Command
	for _, typed := range req.Args {
		l.wrote += typed + "\n"
		l.value(typed)
	}
}

func (l *listener) value(text string) {
	for _, word := range lettersOf(text) {
		l.values[word] = true
	}
}

func (l *listener) everything(what string, text bot.Text, p *bot.Picture, buttons []bot.Button, menus []bot.Menu) {
	l.hears(what, text)
	if p != nil {
		l.hears(what+"'s picture", p.Alt)
	}
	for _, b := range buttons {
		l.hears("a button", b.Label)
	}
	for _, m := range menus {
		l.hears("a menu", m.Label)
		for _, c := range m.Choices {
			l.hears("a choice of a menu", c.Label)
		}
	}
}

// sees looks for them in what the room shows of a table.
func (l *listener) sees(s bot.Sight) {
	l.hears("the tiles that are left", bot.Plain(s.Supply))
	l.hears("what happened last", bot.Plain(s.Caption))
	for _, p := range s.Players {
		l.hears("beside a player", bot.Plain(p.Note))
	}
	for _, turn := range s.Turns {
		l.hears("the list of moves", bot.Plain(turn.Text))
	}
	for _, b := range s.Buttons {
		l.hears("a button of the room", bot.Plain(b.Label))
	}
}

var (
	// typed is what stands in sentences as it is typed: a command with its options.
	typed = regexp.MustCompile(`^(?:/|rackmate )[a-z]`)
	// onBoard are rows of a board in words and in letters, and plays with blanks.
	onBoard = regexp.MustCompile(`Ŕóŵ \d+: [^.]*\.|(?m:^[ \d]\d( \S)+$)|(?:^|  )abc\b|\b[A-Z]+[a-z]+[A-Z]+\b|\b[A-Z]{2,}[a-z]+\b`)
	// plain are words without an accent, in a row.
	plain = regexp.MustCompile(`[A-Za-z]+(?:[ '’]+[A-Za-z]+)*`)
)

// hears looks for words that are no values, and for more than two values in a row,
// which may be a sentence of them.
func (l *listener) hears(what string, text bot.Text) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range text.In(nil) {
		if s.Person != "" || s.Code && typed.MatchString(s.Text) {
			continue
		}
		for _, row := range plain.FindAllString(onBoard.ReplaceAllString(s.Text, "·"), -1) {
			small := slices.DeleteFunc(lettersOf(row), func(word string) bool { return strings.ToUpper(word) == word })
			strange := slices.ContainsFunc(small, func(word string) bool { return !l.values[word] })
			if (strange || len(small) > 2 && !strings.Contains(l.wrote, row)) && l.left[row] == "" {
				l.left[row] = fmt.Sprintf("%s, %s: %q", l.where, what, text.String())
			}
		}
	}
}

// lettersOf are the runs of letters in a text.
func lettersOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
}

// plainly is what was said with accents, without.
func plainly(text bot.Text) string { return withoutAccents.Replace(text.String()) }

var withoutAccents = func() *strings.Replacer {
	var pairs []string
	for r := 'A'; r <= 'z'; r++ {
		if accented := tongue.Pseudo.Literal(string(r)); accented != string(r) {
			pairs = append(pairs, accented, string(r))
		}
	}
	return strings.NewReplacer(pairs...)
}()
