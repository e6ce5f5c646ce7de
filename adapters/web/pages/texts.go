package pages

import (
	"encoding/json"
	"fmt"
	"html"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	g "maragu.dev/gomponents"

	"github.com/rackmate/rackmate/adapters/web/static"
)

// This file serves the translations of the pages' texts. A page loads one file, with only
// its own part of the catalogue: see static/say.js.

// texts holds, by language, a JSON object of translations by their English text, made on
// first use.
type texts map[string]func() asset

// codes lists the languages.
func (t texts) codes() []string { return slices.Sorted(maps.Keys(t)) }

// readTexts finds the catalogues of all languages. said lists the English texts of the pages.
func readTexts(catalogues fs.FS, said func() ([]string, error)) (texts, error) {
	all := texts{}
	if catalogues == nil {
		return all, nil
	}
	names, err := fs.Glob(catalogues, "*.json")
	for _, name := range names {
		all[strings.TrimSuffix(path.Base(name), ".json")] = sync.OnceValue(func() asset {
			text, err := textOf(catalogues, name, said)
			if err != nil {
				text = []byte("{}") // fall back to English; a test checks the embedded catalogues
			}
			return newAsset(text)
		})
	}
	return all, err
}

// textOf returns the part of a catalogue that the pages use, as JSON.
func textOf(catalogues fs.FS, name string, pagesSay func() ([]string, error)) ([]byte, error) {
	b, err := fs.ReadFile(catalogues, name)
	if err != nil {
		return nil, err
	}
	var catalogue struct {
		Sentences map[string]string `json:"sentences"`
	}
	if err := json.Unmarshal(b, &catalogue); err != nil {
		return nil, fmt.Errorf("sentences %s: %w", name, err)
	}
	said, err := pagesSay()
	if err != nil {
		return nil, err
	}
	own := map[string]string{}
	for _, s := range said {
		if t, ok := catalogue.Sentences[s]; ok {
			own[s] = t
		}
	}
	return json.Marshal(own)
}

// sentencesOf lists the English texts of the scripts and their pages.
func sentencesOf(bodies ...g.Node) ([]string, error) {
	var (
		// In scripts: say("Pass"), parts("Welcome to {place}", ...).
		inScripts = regexp.MustCompile(`\b(?:say|parts)\(\s*("(?:[^"\\]|\\.)*")`)
		// In pages: a sentence with its values, a text, a label.
		inSentences = regexp.MustCompile(`(?s)<p[^>]* data-say="([^"]*)"[^>]*>.*?</p>`)
		inTexts     = regexp.MustCompile(`>([^<>]*\pL[^<>]*)<`)
		inLabels    = regexp.MustCompile(`(?:aria-label|title|placeholder)="([^"]*\pL[^"]*)"`)
	)
	said := map[string]bool{}
	var pages strings.Builder
	for _, body := range bodies {
		if err := body.Render(&pages); err != nil {
			return nil, err
		}
	}
	err := fs.WalkDir(static.Files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".js" {
			return err
		}
		b, err := fs.ReadFile(static.Files, name)
		if err != nil {
			return err
		}
		for _, m := range inScripts.FindAllStringSubmatch(string(b), -1) {
			s, err := strconv.Unquote(m[1])
			if err != nil {
				return fmt.Errorf("%s says %s: %w", name, m[1], err)
			}
			said[s] = true
		}
		return nil
	})
	for _, m := range inSentences.FindAllStringSubmatch(pages.String(), -1) {
		said[html.UnescapeString(m[1])] = true
	}
	rest := inSentences.ReplaceAllString(pages.String(), "")
	for _, of := range []*regexp.Regexp{inTexts, inLabels} {
		for _, m := range of.FindAllStringSubmatch(rest, -1) {
			said[strings.Join(strings.Fields(html.UnescapeString(m[1])), " ")] = true
		}
	}
	return slices.Sorted(maps.Keys(said)), err
}
