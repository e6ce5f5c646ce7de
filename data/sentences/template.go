package sentences

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// A Template is a sentence with placeholders in braces for values:
//
//	{who} plays {word} for {score}.
//	{n, plural, one {# tile} other {# tiles}}
//	{way, select, across {from the left} other {from above}}
//	{before} {last, initial, i {e} other {y}} {last}
//
// A plural has a branch for a number, as in "=0", or for its category in the template's language; the
// default is "other", and "#" in a branch is the number. "selectordinal" uses the categories of "1st"
// and "2nd". A select has branches named by the value's text. An initial has branches named by
// lower-case text: the longest name that the value starts with applies. Branches are templates
// themselves.
type Template struct {
	names []string
	parts []part
	rules language.Tag
}

// A part of a template is literal text or a placeholder.
type part struct {
	text     string
	arg      int
	kind     kind
	branches []branch
}

type kind uint8

const (
	literal kind = iota
	value
	number // "#"
	plurals
	ordinals
	selects
	initials
)

type branch struct {
	key   string
	parts []part
}

// Names returns the template's names in order of first use.
func (t *Template) Names() []string { return t.names }

// Parse parses an English template.
func Parse(text string) (*Template, error) { return parse(text, nil, language.English) }

// parse parses a template. names lists the allowed names; nil allows any.
func parse(text string, names []string, rules language.Tag) (*Template, error) {
	p := parser{left: text, names: slices.Clone(names), closed: names != nil}
	parts, err := p.parts(-1)
	if err == nil && p.left != "" {
		err = fmt.Errorf("there is a } without its {")
	}
	if err != nil {
		return nil, fmt.Errorf("%q: %w", text, err)
	}
	return &Template{names: p.names, parts: parts, rules: rules}, nil
}

type parser struct {
	left   string
	names  []string
	closed bool
}

// parts parses up to an unmatched "}", or the end. counted is the value that "#" stands for, or -1
// outside plurals.
func (p *parser) parts(counted int) ([]part, error) {
	var all []part
	for p.left != "" && p.left[0] != '}' {
		special := "{}"
		if counted >= 0 {
			special = "{}#"
		}
		switch i := strings.IndexAny(p.left, special); {
		case i != 0:
			if i < 0 {
				i = len(p.left)
			}
			all = append(all, part{text: p.left[:i]})
			p.left = p.left[i:]
		case p.left[0] == '#':
			all = append(all, part{kind: number, arg: counted})
			p.left = p.left[1:]
		default:
			one, err := p.value(counted)
			if err != nil {
				return nil, err
			}
			all = append(all, one)
		}
	}
	return all, nil
}

// value parses a placeholder, which starts with "{".
func (p *parser) value(counted int) (part, error) {
	end := strings.IndexAny(p.left, ",}")
	if end < 0 {
		return part{}, fmt.Errorf("there is a { without its }")
	}
	name := strings.TrimSpace(p.left[1:end])
	arg, err := p.arg(name)
	if err != nil {
		return part{}, err
	}
	closed := p.left[end] == '}'
	p.left = p.left[end+1:]
	if closed {
		return part{kind: value, arg: arg}, nil
	}
	what, rest, ok := strings.Cut(p.left, ",")
	if !ok {
		return part{}, fmt.Errorf("{%s, without branches", name)
	}
	p.left = rest
	one := part{arg: arg}
	if one.kind, ok = branching[strings.TrimSpace(what)]; !ok {
		return part{}, fmt.Errorf("{%s,%s}: neither plural, selectordinal, select nor initial", name, what)
	}
	counts := one.kind == plurals || one.kind == ordinals
	if counts {
		counted = arg
	}
	for {
		p.left = strings.TrimSpace(p.left)
		if strings.HasPrefix(p.left, "}") {
			p.left = p.left[1:]
			break
		}
		key, rest, ok := strings.Cut(p.left, "{")
		key = strings.TrimSpace(key)
		if !ok || key == "" || strings.ContainsAny(key, "} ") {
			return part{}, fmt.Errorf("{%s,%s, …}: a branch is a name and its text in braces", name, what)
		}
		p.left = rest
		parts, err := p.parts(counted)
		if err != nil {
			return part{}, err
		}
		if p.left == "" {
			return part{}, fmt.Errorf("the branch %s of {%s} has no end", key, name)
		}
		p.left = p.left[1:]
		if counts && !countKey(key) {
			return part{}, fmt.Errorf("{%s, plural}: unknown category %s", name, key)
		}
		one.branches = append(one.branches, branch{key, parts})
	}
	if !slices.ContainsFunc(one.branches, func(b branch) bool { return b.key == "other" }) {
		return part{}, fmt.Errorf("{%s,%s, …} has no branch other", name, what)
	}
	return one, nil
}

// branching maps the names of placeholders with branches to their kinds.
var branching = map[string]kind{"plural": plurals, "selectordinal": ordinals, "select": selects, "initial": initials}

// arg returns the index of the value with a name.
func (p *parser) arg(name string) (int, error) {
	i := slices.Index(p.names, name)
	switch {
	case i >= 0:
		return i, nil
	case p.closed:
		return 0, fmt.Errorf("the English has no {%s}", name)
	case name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != "":
		return 0, fmt.Errorf("{%s}: a name is of letters and digits", name)
	}
	p.names = append(p.names, name)
	return len(p.names) - 1, nil
}

// categories holds the names of plural categories.
var categories = [...]string{plural.Other: "other", plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many"}

// countKey reports whether a plural may have a branch with a name.
func countKey(key string) bool {
	if exact, ok := strings.CutPrefix(key, "="); ok {
		_, err := strconv.Atoi(exact)
		return err == nil
	}
	return slices.Contains(categories[:], key)
}

// Values provides the values of a template. They are identified by their index in the English
// template's order of names.
type Values interface {
	// Literal receives a piece of the template's own text.
	Literal(text string)
	// Value receives the position of a value.
	Value(i int)
	// Number returns a value as a number, and Word as a word that selects a branch.
	Number(i int) int
	Word(i int) string
}

// A said value renders a template as plain text: its values, and the text so far.
type renderer struct {
	to     *Locale
	values []any
	strings.Builder
}

// Say returns an English template rendered in the locale as plain text. The values are strings and
// numbers, in the order in which the template first uses their names.
func (t *Locale) Say(template string, values ...any) string {
	s := renderer{to: t, values: values}
	t.Template(template).Say(&s)
	return s.String()
}

func (s *renderer) Literal(text string) { s.WriteString(s.to.Literal(text)) }

func (s *renderer) Value(i int) {
	if i < len(s.values) {
		s.WriteString(s.to.Written(s.values[i]))
	}
}

func (s *renderer) Word(i int) string {
	if i >= len(s.values) {
		return ""
	}
	return fmt.Sprint(s.values[i])
}

func (s *renderer) Number(i int) int {
	n, _ := strconv.Atoi(s.Word(i))
	return n
}

// Say passes the parts of the template to v, from left to right.
func (t *Template) Say(v Values) { t.say(t.parts, v) }

func (t *Template) say(parts []part, v Values) {
	for _, p := range parts {
		switch p.kind {
		case literal:
			v.Literal(p.text)
		case value, number:
			v.Value(p.arg)
		default:
			t.say(t.chooseBranch(p, v), v)
		}
	}
}

// chooseBranch returns the branch of a part that applies to its value.
func (t *Template) chooseBranch(p part, v Values) (chosen []part) {
	key, exact := "", ""
	switch p.kind {
	case selects:
		key = v.Word(p.arg)
	case initials:
		key = p.beginning(v.Word(p.arg))
	default:
		n := v.Number(p.arg)
		key, exact = t.category(p.kind, n), "="+strconv.Itoa(n)
	}
	found := false
	for _, b := range p.branches {
		switch b.key {
		case exact:
			return b.parts
		case key:
			chosen, found = b.parts, true
		case "other":
			if !found {
				chosen = b.parts
			}
		}
	}
	return chosen
}

// beginning returns the longest branch name that the word starts with, or "".
func (p part) beginning(word string) (longest string) {
	word = strings.ToLower(word)
	for _, b := range p.branches {
		if len(b.key) > len(longest) && strings.HasPrefix(word, b.key) {
			longest = b.key
		}
	}
	return longest
}

// category returns the name of the number's plural category.
func (t *Template) category(k kind, n int) string {
	rules := plural.Cardinal
	if k == ordinals {
		rules = plural.Ordinal
	}
	return categories[rules.MatchPlural(t.rules, max(n, -n)%10_000_000, 0, 0, 0, 0)]
}
