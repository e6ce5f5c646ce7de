package bottest

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// An Ear finds untranslated English in a host that speaks sentences.Pseudo, which puts an
// accent on each letter of each template. A word without accents isn't in the catalogue, unless
// it is a value: a word or tiles of the game, a command, its options and their values, a name,
// or something that a person typed. More than two values in a row that nobody typed like that
// count as a sentence. An Ear is safe for concurrent use.
type Ear struct {
	mu     sync.Mutex
	where  string
	values map[string]bool // words that can be typed, and names
	wrote  string          // what people typed in the current place
	left   map[string]string
}

// NewEar returns an Ear that knows some values.
func NewEar(values ...string) *Ear {
	e := &Ear{values: map[string]bool{}, left: map[string]string{}}
	e.Knows(values...)
	return e
}

// Knows adds values.
func (e *Ear) Knows(values ...string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, text := range values {
		for _, word := range lettersOf(text) {
			e.values[word] = true
		}
	}
}

// Learns adds everything that can be typed. Options are completed for the person in req.
func (e *Ear) Learns(h bot.Host, req bot.Request) {
	for _, c := range h.Commands() {
		e.Knows(c.Name)
		for _, o := range c.Options {
			e.Knows(o.Name)
			if o.Kind == bot.YesNo {
				e.Knows("yes no")
			}
			choices := o.Choices
			if o.Completes {
				req.Command = c.Name
				choices = slices.Concat(choices, h.Complete(context.Background(), req, o.Name))
			}
			for _, choice := range choices {
				e.Knows(choice.Value)
			}
		}
	}
}

// LearnsTitles adds what can be typed with a capital letter, as titles and buttons show it if the
// reader's language has no name for it.
func (e *Ear) LearnsTitles(h bot.Host) {
	for _, c := range h.Commands() {
		e.Knows(capital(c.Name))
		for _, o := range c.Options {
			e.Knows(capital(o.Name))
			for _, choice := range o.Choices {
				e.Knows(capital(choice.Value))
			}
		}
	}
}

func capital(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

// At names the place that the Ear listens to from now on, and what people typed there.
func (e *Ear) At(where string, wrote ...string) {
	e.Knows(wrote...)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.where = where
	for _, typed := range wrote {
		e.wrote += typed + "\n"
	}
}

// Another returns an Ear that knows the same values and has found nothing.
func (e *Ear) Another() *Ear {
	e.mu.Lock()
	defer e.mu.Unlock()
	return &Ear{values: maps.Clone(e.values), left: map[string]string{}}
}

// CheckAll checks a message with all its parts.
func (e *Ear) CheckAll(what string, said text.Text, p *bot.Picture, buttons []bot.Button, menus []bot.Menu) {
	e.Hears(what, said)
	if p != nil {
		e.Hears(what+"'s picture", p.Alt)
	}
	for _, b := range buttons {
		e.Hears("a button", b.Label)
	}
	for _, m := range menus {
		e.Hears("a menu", m.Label)
		for _, c := range m.Choices {
			e.Hears("a choice of a menu", c.Label)
		}
	}
}

// Sees checks what a board's page shows of a table.
func (e *Ear) Sees(s bot.Sight) {
	e.Reads("the tiles that are left", s.Supply)
	e.Reads("what happened last", s.Caption)
	for _, p := range s.Players {
		e.Reads("beside a player", p.Note)
	}
	for _, turn := range s.Turns {
		e.Reads("the list of moves", turn.Text)
	}
	for _, b := range s.Buttons {
		e.Reads("a button of the room", b.Label)
	}
}

var (
	// typed matches what people type, quoted in sentences: a command with its options, or a digest.
	typed = regexp.MustCompile(`^(?:/|rackmate )[a-z]|^[0-9a-f]{32,}$|^(?:[a-z2-7]{4}-){7}[a-z2-7]{4}$`)
	// onBoard matches the rows of a board in words and in letters, and plays with blanks.
	onBoard = regexp.MustCompile(`Ŕóŵ \d+: [^.]*\.|(?m:^[ \d]\d( \S)+$)|(?:^|  )abc\b|\b[A-Z]+[a-z]+[A-Z]+\b|\b[A-Z]{2,}[a-z]+\b`)
	// plain matches consecutive words without accents.
	plain = regexp.MustCompile(`[A-Za-z]+(?:[ '’]+[A-Za-z]+)*`)
)

// Hears checks a text for words that aren't values.
func (e *Ear) Hears(what string, said text.Text) {
	for _, s := range said.In(nil) {
		if s.Person == "" && !(s.Code && typed.MatchString(s.Text)) {
			e.checkText(what, s.Text, said.String())
		}
	}
}

// Reads checks a plain text.
func (e *Ear) Reads(what, text string) { e.checkText(what, text, text) }

func (e *Ear) checkText(what, text, whole string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, row := range plain.FindAllString(onBoard.ReplaceAllString(text, "·"), -1) {
		small := slices.DeleteFunc(lettersOf(row), func(word string) bool { return strings.ToUpper(word) == word })
		strange := slices.ContainsFunc(small, func(word string) bool { return !e.values[word] })
		if (strange || len(small) > 2 && !strings.Contains(e.wrote, row)) && e.left[row] == "" {
			e.left[row] = fmt.Sprintf("%s, %s: %q", e.where, what, whole)
		}
	}
}

// marked matches platforms' markup around words: code, mentions, times, links.
var marked = regexp.MustCompile("(?s)`[^`]*`|<[^<>\\s]*>|<!date[^>]*>|:[a-z_]+:|https?://\\S+")

// ReadsMarkup checks text in Discord's or Slack's markup.
func (e *Ear) ReadsMarkup(what, text string) {
	text = regexp.MustCompile(`<[^<>|\s]*\|([^<>]*)>`).ReplaceAllString(text, "$1") // keep a link's text
	e.Reads(what, marked.ReplaceAllString(text, "·"))
}

// ReadsJSON checks the JSON strings under some keys, at any depth.
func (e *Ear) ReadsJSON(tb testing.TB, what string, data []byte, keys ...string) {
	tb.Helper()
	var all any
	if err := json.Unmarshal(data, &all); err != nil {
		tb.Fatalf("%s: %v: %s", what, err, data)
	}
	e.checkValue(what, all, keys)
}

func (e *Ear) checkValue(what string, v any, keys []string) {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			e.checkValue(what, one, keys)
		}
	case map[string]any:
		if text, _ := v["text"].(string); v["code"] == true && typed.MatchString(text) || v["person"] != nil {
			return
		}
		for key, one := range v {
			if text, ok := one.(string); ok && slices.Contains(keys, key) {
				e.ReadsMarkup(what+": "+key, text)
			}
			e.checkValue(what, one, keys)
		}
	}
}

var (
	unread = regexp.MustCompile(`(?s)<!--.*?-->|<script.*?</script>|<style.*?</style>|<(code|bdi|kbd)\b.*?</(code|bdi|kbd)>`)
	inTag  = regexp.MustCompile(`\b(?:aria-label|title|placeholder|alt)="([^"]*)"|<meta (?:name="description"|property="og:(?:title|description|image:alt)") content="([^"]*)"`)
	tag    = regexp.MustCompile(`(?s)<[^>]*>`)
)

// ReadsPage checks an HTML page before its scripts run. They translate the texts in said.
func (e *Ear) ReadsPage(what, page string, said []string) {
	page = unread.ReplaceAllString(page, " ")
	var all []string
	for _, m := range inTag.FindAllStringSubmatch(page, -1) {
		all = append(all, m[1]+m[2])
	}
	for _, text := range append(all, tag.Split(page, -1)...) {
		text = strings.Join(strings.Fields(html.UnescapeString(text)), " ")
		if !slices.Contains(said, text) {
			e.Reads(what, text)
		}
	}
}

// Check reports all words that were left in English.
func (e *Ear) Check(tb testing.TB) {
	tb.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, word := range slices.Sorted(maps.Keys(e.left)) {
		tb.Errorf("%q is in no catalogue: %s", word, e.left[word])
	}
}

// lettersOf returns the runs of letters in a text.
func lettersOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
}
