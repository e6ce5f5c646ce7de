// Package hunspell expands the spelling dictionaries of the program Hunspell: a file of stems
// (.dic), and one with the affixes that each can take (.aff).
//
// It doesn't build compounds, because a dictionary's rules for them allow more than real words.
// Compounds found in a text are accepted; see [Dictionary.Study].
package hunspell

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
)

// A Dictionary is a spelling dictionary.
type Dictionary struct {
	flags      string   // notation of flags: "", "long" or "num"
	aliases    []string // flags by number
	affixes    map[string]*affix
	needAffix  string // flag of stems that aren't words by themselves
	neverAlone []string
	wholly     bool // a rule may remove a whole stem: French être, sont
	joins      joints
	stems      string
	encoding   encoding.Encoding // nil for UTF-8
}

// An affix holds the rules of a flag, for prefixes or suffixes.
type affix struct {
	prefix, cross bool
	rules         []rule
}

// A rule removes text from a matching stem and adds other text.
type rule struct {
	off, on string
	grows   int // how many characters it adds to a stem
	fit     []chars
	flags   []string // flags of the result
}

// A chars value is the set of characters allowed at one place of a stem.
type chars struct {
	set string // "" for any
	not bool
}

func (c chars) has(r rune) bool {
	return c.set == "" || strings.ContainsRune(c.set, r) != c.not
}

// encodings maps the names of encodings in dictionaries.
var encodings = map[string]encoding.Encoding{
	"UTF-8": nil, "UTF8": nil,
	"ISO8859-1": charmap.ISO8859_1, "ISO8859-2": charmap.ISO8859_2, "ISO8859-3": charmap.ISO8859_3, "ISO8859-4": charmap.ISO8859_4, "ISO8859-7": charmap.ISO8859_7,
	"ISO8859-9": charmap.ISO8859_9, "ISO8859-13": charmap.ISO8859_13, "ISO8859-15": charmap.ISO8859_15,
	"KOI8-R": charmap.KOI8R, "KOI8-U": charmap.KOI8U, "MICROSOFT-CP1250": charmap.Windows1250, "MICROSOFT-CP1251": charmap.Windows1251,
}

// Read parses a dictionary's two files.
func Read(aff, dic []byte) (*Dictionary, error) {
	d := &Dictionary{affixes: map[string]*affix{}}
	name := "ISO8859-1" // the default
	for line := range bytes.Lines(aff) {
		if f := bytes.Fields(line); len(f) > 1 && string(f[0]) == "SET" {
			name = strings.ReplaceAll(strings.ToUpper(string(f[1])), "ISO-8859", "ISO8859")
		}
	}
	var ok bool
	if d.encoding, ok = encodings[name]; !ok {
		return nil, fmt.Errorf("unknown encoding %q: convert the dictionary to UTF-8 and set SET UTF-8 in its affix file", name)
	}
	rules, err := d.text(aff)
	if err != nil {
		return nil, err
	}
	if d.stems, err = d.text(dic); err != nil {
		return nil, err
	}
	for line := range strings.Lines(rules) { // the notation of flags precedes the flags
		if f := strings.Fields(line); len(f) > 1 && f[0] == "FLAG" {
			d.flags = strings.ToLower(f[1])
		}
	}
	n := 0
	for line := range strings.Lines(rules) {
		n++
		if err := d.readRule(strings.Fields(line)); err != nil {
			return nil, fmt.Errorf("line %d of the affix file: %w", n, err)
		}
	}
	return d, nil
}

func (d *Dictionary) text(file []byte) (string, error) {
	file = bytes.TrimPrefix(file, []byte("\ufeff"))
	if d.encoding == nil {
		return strings.ToValidUTF8(string(file), "?"), nil
	}
	b, err := d.encoding.NewDecoder().Bytes(file)
	return string(b), err
}

var errRule = errors.New("the rule can't be read")

// readRule parses the fields of an affix line.
func (d *Dictionary) readRule(f []string) error {
	if len(f) == 1 && f[0] == "FULLSTRIP" {
		d.wholly = true
	}
	if len(f) < 2 {
		return nil
	}
	switch f[0] {
	case "NEEDAFFIX", "PSEUDOROOT":
		d.needAffix = f[1]
	case "FORBIDDENWORD", "ONLYINCOMPOUND", "CIRCUMFIX":
		d.neverAlone = append(d.neverAlone, f[1])
	case "COMPOUNDFLAG":
		d.joins.first, d.joins.last = append(d.joins.first, f[1]), append(d.joins.last, f[1])
	case "COMPOUNDBEGIN", "COMPOUNDFIRST":
		d.joins.first = append(d.joins.first, f[1])
	case "COMPOUNDEND", "COMPOUNDLAST":
		d.joins.last = append(d.joins.last, f[1])
	case "AF":
		d.aliases = append(d.aliases, f[1]) // the first line is the count
	case "PFX", "SFX":
		if len(f) < 4 {
			return errRule
		}
		a := d.affixes[f[1]]
		if a == nil { // the first line is the count
			d.affixes[f[1]] = &affix{prefix: f[0] == "PFX", cross: f[2] == "Y"}
			return nil
		}
		r := rule{off: f[2]}
		var flags string
		r.on, flags, _ = strings.Cut(f[3], "/")
		r.flags = d.flagsOf(flags)
		if r.off == "0" {
			r.off = ""
		}
		if r.on == "0" {
			r.on = ""
		}
		r.grows = utf8.RuneCountInString(r.on) - utf8.RuneCountInString(r.off)
		if len(f) > 4 && f[4] != "." {
			var err error
			if r.fit, err = parseFit(f[4]); err != nil {
				return err
			}
		}
		a.rules = append(a.rules, r)
	}
	return nil
}

// parseFit parses a condition: characters, "." for any, and sets in brackets.
func parseFit(s string) ([]chars, error) {
	var all []chars
	for s != "" {
		switch {
		case s[0] == '.':
			all, s = append(all, chars{}), s[1:]
		case s[0] == '[':
			set, rest, ok := strings.Cut(s[1:], "]")
			set, not := strings.CutPrefix(set, "^")
			if !ok || set == "" {
				return nil, errRule
			}
			all, s = append(all, chars{set, not}), rest
		default:
			r := []rune(s)[:1]
			all, s = append(all, chars{set: string(r)}), s[len(string(r)):]
		}
	}
	return all, nil
}

// flagsOf returns the flags in a text.
func (d *Dictionary) flagsOf(s string) []string {
	if n, err := strconv.Atoi(s); err == nil && len(d.aliases) > 0 && n > 0 && n < len(d.aliases) {
		s = d.aliases[n]
	}
	switch d.flags {
	case "num":
		return strings.FieldsFunc(s, func(r rune) bool { return r == ',' })
	case "long":
		var all []string
		for pair := range slices.Chunk([]rune(s), 2) {
			all = append(all, string(pair))
		}
		return all
	}
	return strings.Split(s, "")
}

// apply returns the result of a rule for a stem; ok is false if the stem doesn't match.
func (d *Dictionary) apply(r rule, stem string, prefix bool) (word string, ok bool) {
	rest, ok := strings.CutSuffix(stem, r.off)
	if prefix {
		rest, ok = strings.CutPrefix(stem, r.off)
	}
	if !ok || rest == "" && r.off != "" && !d.wholly || !r.fits(stem, prefix) {
		return "", false
	}
	if prefix {
		return r.on + rest, true
	}
	return rest + r.on, true
}

func (r rule) fits(stem string, prefix bool) bool {
	for i := range r.fit {
		if stem == "" {
			return false
		}
		if prefix {
			letter, n := utf8.DecodeRuneInString(stem)
			if !r.fit[i].has(letter) {
				return false
			}
			stem = stem[n:]
			continue
		}
		letter, n := utf8.DecodeLastRuneInString(stem)
		if !r.fit[len(r.fit)-1-i].has(letter) {
			return false
		}
		stem = stem[:len(stem)-n]
	}
	return true
}

// The affixes a stem may take, in [Limits]: each level makes some dictionaries many times larger
// than the one before.
const (
	StemsAlone = iota // none: in Hebrew inflected forms are stems, and what precedes them are words
	OneAffix          // a suffix or a prefix
	OneEnding         // a suffix, a prefix, or one of each
	TwoEndings        // two suffixes in sequence, and a prefix
)

// Limits restrict the words to produce.
type Limits struct {
	// Most is the level of affixes: [StemsAlone], [OneAffix], [OneEnding] or [TwoEndings].
	Most int
	// Longest limits the characters in a word; 0 for no limit. A second suffix isn't tried if the
	// first already made the word too long.
	Longest int
	// Spells reports whether a word can have a character; nil allows all. An affix with another one
	// (the elided article of dell'anno) isn't tried.
	Spells func(rune) bool
}

// String returns a short description of the words.
func (l Limits) String() string {
	return fmt.Sprintf("they have %d letters at most, and their stems take %s", l.Longest, [...]string{"nothing", "an ending or a beginning", "an ending and a beginning", "two endings and a beginning"}[l.Most])
}

// fits reports whether a word is within the limits.
func (l Limits) fits(word string) bool {
	return (l.Longest == 0 || len(word) <= l.Longest || utf8.RuneCountInString(word) <= l.Longest) && l.spells(word)
}

func (l Limits) spells(text string) bool {
	return l.Spells == nil || !strings.ContainsFunc(text, func(r rune) bool { return !l.Spells(r) })
}

// Words yields the words of the dictionary, some of them more than once.
func (d *Dictionary) Words(l Limits) iter.Seq[string] {
	return func(yield func(string) bool) {
		e := expansion{d, l, map[string]*affix{}, yield, map[string]bool{}}
		for flag, a := range d.affixes {
			kept := affix{prefix: a.prefix, cross: a.cross}
			for _, r := range a.rules {
				if l.spells(r.on) && !d.isNever(r.flags) {
					kept.rules = append(kept.rules, r)
				}
			}
			if len(kept.rules) > 0 {
				e.affixes[flag] = &kept
			}
		}
		first := true
		for line := range strings.Lines(d.stems) {
			if first { // skip the count
				first = false
				continue
			}
			stem, flags := splitStem(line)
			clear(e.seen)
			if stem != "" && !e.expand(stem, d.flagsOf(flags)) {
				return
			}
		}
	}
}

// An expansion is the expansion of the stems within limits.
type expansion struct {
	*Dictionary
	Limits
	affixes map[string]*affix // only with rules that can make such words
	yield   func(string) bool
	seen    map[string]bool // words already given for the stem
}

// give yields a word within the limits, once for each stem.
func (e *expansion) give(word string) bool {
	if !e.fits(word) || e.seen[word] {
		return true
	}
	e.seen[word] = true
	return e.yield(word)
}

// splitStem splits a line into a stem and its flags, without the notes on its forms.
func splitStem(line string) (stem, flags string) {
	line, _, _ = strings.Cut(strings.TrimSpace(line), "\t")
	const slash = "\x00"
	line = strings.ReplaceAll(line, `\/`, slash)
	stem, flags, _ = strings.Cut(line, "/")
	flags, _, _ = strings.Cut(flags, " ")
	if at := strings.Index(stem, ":"); at > 0 { // "stem po:noun"
		if space := strings.LastIndexByte(stem[:at], ' '); space > 0 {
			stem = stem[:space]
		}
	}
	return strings.ReplaceAll(strings.TrimSpace(stem), slash, "/"), flags
}

// expand yields the words of a stem with its flags: itself, with suffixes, with prefixes, and with
// both.
func (e *expansion) expand(stem string, flags []string) bool {
	if e.isNever(flags) {
		return true
	}
	if !slices.Contains(flags, e.needAffix) && !e.give(stem) {
		return false
	}
	if e.Most == StemsAlone {
		return true
	}
	return e.begin(stem, flags, false) && e.end(stem, flags, flags, e.Most)
}

// begin yields a word with each prefix that its flags allow. ended is set if it has a suffix, with
// which some prefixes don't combine.
func (e *expansion) begin(word string, flags []string, ended bool) bool {
	size := utf8.RuneCountInString(word)
	for _, f := range flags {
		a := e.affixes[f]
		if a == nil || !a.prefix || ended && !a.cross {
			continue
		}
		for _, r := range a.rules {
			if e.Longest > 0 && size+r.grows > e.Longest {
				continue
			}
			made, ok := e.apply(r, word, true)
			if ok && !slices.Contains(r.flags, e.needAffix) && !e.give(made) {
				return false
			}
		}
	}
	return true
}

// end yields a word with each suffix that its flags allow, and with the prefixes that the stem's
// and the suffix's flags allow.
func (e *expansion) end(word string, flags, stem []string, most int) bool {
	size := utf8.RuneCountInString(word)
	for _, f := range flags {
		a := e.affixes[f]
		if a == nil || a.prefix {
			continue
		}
		for _, r := range a.rules {
			if e.Longest > 0 && size+r.grows > e.Longest {
				continue
			}
			made, ok := e.apply(r, word, false)
			if !ok {
				continue
			}
			if !slices.Contains(r.flags, e.needAffix) && !e.give(made) {
				return false
			}
			if a.cross && most > OneAffix && (!e.begin(made, stem, true) || !e.begin(made, r.flags, true)) {
				return false
			}
			if most == TwoEndings && !e.end(made, r.flags, stem, OneEnding) {
				return false
			}
		}
	}
	return true
}

func (d *Dictionary) isNever(flags []string) bool {
	return slices.ContainsFunc(d.neverAlone, func(f string) bool { return slices.Contains(flags, f) })
}
