// Package sentences translates sentences into the languages that people read. A sentence is identified
// by its English [Template]; a language's catalogue, stored beside this code, has its translation. The
// package knows nothing of games or chats.
package sentences

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/language"
)

// A Locale is a language in which people are addressed. The nil Locale is English.
type Locale struct {
	tag       language.Tag
	name      string
	complete  bool
	sentences func() map[string]string // by English template
	parsed    sync.Map                 // templates already parsed: string -> *Template
	signs     func() signs             // nil for English separators
	// accented marks English with accents: see Pseudo.
	accented bool
}

// Code returns the language's code, such as "de" or "pt-BR".
func (t *Locale) Code() string {
	if t == nil {
		return "en"
	}
	return t.tag.String()
}

// Name returns the language's own name.
func (t *Locale) Name() string {
	if t == nil {
		return "English"
	}
	return t.name
}

// Complete reports whether the catalogue is marked as having all sentences.
func (t *Locale) Complete() bool { return t == nil || t.complete }

// IsEnglish reports whether templates are used as they are in the code.
func (t *Locale) IsEnglish() bool { return t == nil }

// english caches templates of the code.
var english sync.Map // string -> *Template

// Template returns an English template in the locale, or in English if the catalogue lacks it. An
// invalid template is used as literal text.
func (t *Locale) Template(text string) *Template {
	if t != nil {
		if own := t.ownTemplate(text); own != nil {
			return own
		}
	}
	if known, ok := english.Load(text); ok {
		return known.(*Template)
	}
	parsed, err := Parse(text)
	if err != nil {
		parsed = &Template{parts: []part{{text: text}}}
	}
	english.Store(text, parsed)
	return parsed
}

// ownTemplate returns the catalogue's translation of an English template, or nil if there is none or it is
// invalid. A test checks the embedded ones.
func (t *Locale) ownTemplate(english string) *Template {
	if known, ok := t.parsed.Load(english); ok {
		return known.(*Template)
	}
	text, ok := t.sentences()[english]
	if !ok {
		return nil
	}
	own, err := t.read(english, text)
	if err != nil {
		return nil
	}
	return own
}

// read parses a translation and caches it.
func (t *Locale) read(key, text string) (*Template, error) {
	english, err := Parse(key)
	if err != nil {
		return nil, fmt.Errorf("key %w", err)
	}
	own, err := parse(text, english.names, t.tag)
	if err != nil {
		return nil, err
	}
	if err := english.matches(own); err != nil {
		return nil, fmt.Errorf("%q: %w", text, err)
	}
	t.parsed.Store(key, own)
	return own, nil
}

// Translation returns the catalogue's translation of an English text without values, or "".
func (t *Locale) Translation(english string) string {
	if t == nil {
		return ""
	}
	own := t.ownTemplate(english)
	if own == nil || len(own.parts) != 1 || own.parts[0].kind != literal {
		return ""
	}
	return own.parts[0].text
}

// Literal returns a piece of a template in the locale.
func (t *Locale) Literal(text string) string {
	if t == nil || !t.accented {
		return text
	}
	return accents.Replace(text)
}

// Pseudo is English with an accent on every letter of every template: text without accents isn't in
// a catalogue.
var Pseudo = &Locale{
	tag: language.MustParse("en-XA"), name: "Ëñģļîšĥ", complete: true, accented: true,
	sentences: func() map[string]string { return nil },
}

// accents replaces each letter with an accented one.
var accents = func() *strings.Replacer {
	plain := []rune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	var pairs []string
	for i, r := range []rune("áƀćđéƒğħíĵķłḿñóṕɋŕśťúṽŵẋýźÁƁĆĐÉƑĞĦÍĴĶŁḾÑÓṔɊŔŚŤÚṼŴẊÝŹ") {
		pairs = append(pairs, string(plain[i]), string(r))
	}
	return strings.NewReplacer(pairs...)
}()

// A file is a catalogue in stored form.
type file struct {
	// Name is the language's own name.
	Name string `json:"name"`
	// Complete is set if every sentence is translated.
	Complete bool `json:"complete,omitempty"`
	// Sentences holds the translations by English template.
	Sentences map[string]string `json:"sentences"`
}

// Read parses a catalogue. code is the language's, such as "de".
func Read(code string, data []byte) (*Locale, error) {
	tag, err := language.Parse(code)
	if err != nil {
		return nil, fmt.Errorf("sentences %s: %w", code, err)
	}
	var f file
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("sentences %s: %w", code, err)
	}
	t := &Locale{tag: tag, name: f.Name, complete: f.Complete, signs: signsOf(tag), sentences: func() map[string]string { return f.Sentences }}
	for _, key := range t.Keys() {
		if _, err := t.read(key, f.Sentences[key]); err != nil {
			return nil, fmt.Errorf("sentences %s: %w", code, err)
		}
	}
	return t, nil
}

// open opens the file of a catalogue known to be valid. It reads the beginning now and the rest
// on first use, and parses each sentence on first use.
func open(files fs.FS, name string) (*Locale, error) {
	code := strings.TrimSuffix(path.Base(name), ".json")
	tag, err := language.Parse(code)
	if err != nil {
		return nil, fmt.Errorf("sentences %s: %w", code, err)
	}
	data, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer data.Close()
	var f file
	d := json.NewDecoder(data)
	_, err = d.Token() // {
	for err == nil && d.More() {
		var field json.Token
		if field, err = d.Token(); err != nil || field == "sentences" {
			break
		}
		switch field {
		case "name":
			err = d.Decode(&f.Name)
		case "complete":
			err = d.Decode(&f.Complete)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("sentences %s: %w", code, err)
	}
	return &Locale{tag: tag, name: f.Name, complete: f.Complete, signs: signsOf(tag), sentences: sync.OnceValue(func() map[string]string {
		var whole file
		data, err := fs.ReadFile(files, name)
		if err != nil || json.Unmarshal(data, &whole) != nil {
			return nil // fall back to English
		}
		return whole.Sentences
	})}, nil
}

// Keys returns the English templates that the locale has, in order.
func (t *Locale) Keys() []string {
	if t == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(t.sentences()))
}

// matches returns an error if a translation lacks a value that the English always uses, or a plural
// category of its language.
func (t *Template) matches(own *Template) error {
	said := map[int]bool{}
	own.walk(own.parts, func(p part) { said[p.arg] = true })
	for _, p := range t.parts {
		if p.kind != literal && !said[p.arg] {
			return fmt.Errorf("{%s} is missing", t.names[p.arg])
		}
	}
	var err error
	own.walk(own.parts, func(p part) {
		if p.kind != plurals && p.kind != ordinals {
			return
		}
		for _, key := range own.pluralCategories(p.kind) {
			if !slices.ContainsFunc(p.branches, func(b branch) bool { return b.key == key }) {
				err = fmt.Errorf("the plural of {%s} lacks %s", t.names[p.arg], key)
			}
		}
	})
	return err
}

// walk calls fn for each placeholder, including those in branches.
func (t *Template) walk(parts []part, fn func(part)) {
	for _, p := range parts {
		if p.kind == literal {
			continue
		}
		fn(p)
		for _, b := range p.branches {
			t.walk(b.parts, fn)
		}
	}
}

// pluralCategories returns the categories that whole numbers up to a thousand have in the template's
// language.
func (t *Template) pluralCategories(k kind) []string {
	of := pluralKey{t.rules, k}
	if known, ok := known.Load(of); ok {
		return known.([]string)
	}
	has := map[string]bool{}
	for n := range 1001 {
		has[t.category(k, n)] = true
	}
	all := slices.Sorted(maps.Keys(has))
	known.Store(of, all)
	return all
}

type pluralKey struct {
	rules language.Tag
	kind  kind
}

var known sync.Map // needs -> []string

// Locales holds the languages of a host. The nil Locale, English, is always included.
type Locales struct {
	all   []*Locale // English (nil) first
	match language.Matcher
}

// Load opens all catalogues in a directory, each named by its language's code: "de.json". They must
// be valid, and are read on first use.
func Load(files fs.FS) (*Locales, error) {
	names, err := fs.Glob(files, "*.json")
	if err != nil {
		return nil, err
	}
	var all []*Locale
	for _, name := range names {
		t, err := open(files, name)
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return New(all...), nil
}

// New returns the locales of a host: English and the given ones.
func New(all ...*Locale) *Locales {
	ts := &Locales{all: append([]*Locale{nil}, all...)}
	tags := []language.Tag{language.English}
	for _, t := range all {
		tags = append(tags, t.tag)
	}
	ts.match = language.NewMatcher(tags)
	return ts
}

// All returns the locales, English first.
func (ts *Locales) All() []*Locale {
	if ts == nil {
		return []*Locale{nil}
	}
	return ts.all
}

// Several reports whether there are others than English.
func (ts *Locales) Several() bool { return len(ts.All()) > 1 }

// ByCode returns the locale with a code.
func (ts *Locales) ByCode(code string) (t *Locale, ok bool) {
	i := slices.IndexFunc(ts.All(), func(t *Locale) bool { return t.Code() == code })
	if i < 0 {
		return nil, false
	}
	return ts.All()[i], true
}

// Match returns the locale for a locale in a platform's notation ("pt-BR", "es_ES", or an
// Accept-Language with several). ok is false unless it is complete: incomplete ones must be chosen
// explicitly.
func (ts *Locales) Match(locale string) (t *Locale, ok bool) {
	if ts == nil || locale == "" {
		return nil, false
	}
	tags, _, err := language.ParseAcceptLanguage(strings.ReplaceAll(locale, "_", "-"))
	if err != nil {
		return nil, false
	}
	_, i, sure := ts.match.Match(tags...)
	if sure == language.No || !ts.all[i].Complete() {
		return nil, false
	}
	return ts.all[i], true
}
