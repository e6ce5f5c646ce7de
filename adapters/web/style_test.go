package web_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/adapters/web/static"
	"github.com/rackmate/rackmate/game/gametest"
)

// Text has the contrast that WCAG 2.2 requires, 4.5 to 1 (success criterion 1.4.3, AA).
func TestContrast(t *testing.T) {
	s := open(t)
	css := ""
	for _, file := range []string{"style.css", "board.css"} {
		css += newRecorder(s, httptest.NewRequest("GET", "http://localhost/static/"+file, nil)).Body.String()
	}
	// A theme is the common colours with its own changes.
	themes := map[string]map[string]string{"light": {}, "dark": {}, "cb": {}}
	for _, block := range regexp.MustCompile(`(?s):root(?:\[data-theme="(\w+)"\])? \{(.*?)\n\}`).FindAllStringSubmatch(css, -1) {
		for _, m := range regexp.MustCompile(`--([a-z0-9-]+): (#[0-9a-f]{3,6});`).FindAllStringSubmatch(block[2], -1) {
			for name, colours := range themes {
				if block[1] == name || block[1] == "" {
					colours[m[1]] = m[2]
				}
			}
		}
	}
	if len(themes["light"]) < 20 || len(themes["dark"]) < 20 {
		t.Fatalf("found %d light and %d dark colours", len(themes["light"]), len(themes["dark"]))
	}
	for _, pair := range []string{
		"ink on paper", "ink on paper-2", "ink on paper-3", "ink on glow", "ink on private", "ink on refused",
		"ink-2 on paper", "ink-2 on paper-2", "ink-2 on paper-3", "ink-2 on glow", "ink-2 on private", "ink-2 on refused",
		"link on paper", "link on paper-2", "link on glow", "danger on paper", "brick on paper", "brick on paper-2",
		"on-accent on accent", "on-accent on accent-2",
		"on-w3 on w3", "on-w2 on w2", "on-l3 on l3", "on-l2 on l2", "tile-ink on tile", "tile-ink on new", "blank on tile", "tile-ink on draft", "blank on draft", "ink-2 on square",
		"private-ink on private", "refused-ink on refused", "refused-ink on paper",
		"on-felt on felt", "on-felt on felt-2", "on-felt on felt-3", "on-felt-2 on felt", "on-felt-2 on felt-3",
	} {
		text, ground, _ := strings.Cut(pair, " on ")
		for name, theme := range themes {
			if got := contrast(t, theme[text], theme[ground]); got < 4.5 {
				t.Errorf("%s: %s has a contrast of %.2f, want 4.5", name, pair, got)
			}
		}
	}
}

// contrast returns the ratio of two colours' relative luminances, as WCAG defines it.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	luminance := func(c string) float64 {
		c = strings.TrimPrefix(c, "#")
		if len(c) == 3 {
			c = fmt.Sprintf("%[1]c%[1]c%[2]c%[2]c%[3]c%[3]c", c[0], c[1], c[2])
		}
		n, err := strconv.ParseUint(c, 16, 32)
		if err != nil || len(c) != 6 {
			t.Fatalf("%q is no colour", c)
		}
		linear := func(v uint64) float64 {
			x := float64(v&255) / 255
			if x <= 0.04045 {
				return x / 12.92
			}
			return math.Pow((x+0.055)/1.055, 2.4)
		}
		return 0.2126*linear(n>>16) + 0.7152*linear(n>>8) + 0.0722*linear(n)
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// The fonts are the ones that data/SOURCES.md says, and small.
func TestFontsMatchSources(t *testing.T) {
	t.Parallel()
	sources, err := os.ReadFile("../../data/SOURCES.md")
	gametest.Must(t, err)
	fonts, err := filepath.Glob("static/*.woff2")
	if err != nil || len(fonts) == 0 {
		t.Fatalf("there are the fonts %q (%v)", fonts, err)
	}
	size := 0
	for _, font := range fonts {
		b, err := os.ReadFile(font)
		gametest.Must(t, err)
		size += len(b)
		if row := fmt.Sprintf("`%s`: sha256 %x\n", filepath.Base(font), sha256.Sum256(b)); !bytes.Contains(sources, []byte(row)) {
			t.Errorf("SOURCES.md lacks %s", row)
		}
	}
	if size > 25_000 {
		t.Errorf("the fonts have %d bytes, more than 25 kB", size)
	}
}

// TestMarksInForcedColours checks that whatever says something by a colour alone has a rule for
// forced colours, in which browsers paint every background alike and drop gradients and shadows.
func TestMarksInForcedColours(t *testing.T) {
	decoration := []string{
		".day::before", ".day::after", ":is(.home, #entry-today) h2::before", ".brand .tile", ".tile", ".tile.host", ".entry", ".side",
		".times .segment span", ".message.mention", ".message.mention:hover", ".viewer .close",
	}
	media := regexp.MustCompile(`(?s)@media \(forced-colors: active\) \{(.*?)\n\}`)
	rule := regexp.MustCompile(`([^{}]+)\{([^{}]*)\}`)
	mark := regexp.MustCompile(`(?s)content: "".*background(-color)?: |background: [^;]*gradient\(|border-radius: 50%.*background: `)
	selectors := func(m []string) []string {
		list := strings.Split(m[1][strings.LastIndexByte(m[1], '\n')+1:], ",")
		if strings.Contains(m[1], "(") {
			list = []string{m[1][strings.LastIndexByte(strings.TrimSpace(m[1]), '\n')+1:]}
		}
		for i := range list {
			list[i] = strings.TrimSpace(list[i])
		}
		return list
	}
	files, err := static.Files.ReadDir(".")
	gametest.Must(t, err)
	marks := 0
	for _, f := range files {
		if filepath.Ext(f.Name()) != ".css" {
			continue
		}
		b, err := static.Files.ReadFile(f.Name())
		gametest.Must(t, err)
		css := regexp.MustCompile(`(?s)/\*.*?\*/`).ReplaceAllString(string(b), "")
		var forced []string
		for _, block := range media.FindAllStringSubmatch(css, -1) {
			for _, m := range rule.FindAllStringSubmatch(block[1], -1) {
				forced = append(forced, selectors(m)...)
			}
		}
		for _, m := range rule.FindAllStringSubmatch(media.ReplaceAllString(css, ""), -1) {
			if !mark.MatchString(m[2]) {
				continue
			}
			marks++
			for _, s := range selectors(m) {
				if !slices.Contains(forced, s) && !slices.Contains(decoration, s) {
					t.Errorf("%s: %s has no rule for forced colours", f.Name(), s)
				}
			}
		}
	}
	if marks < 10 {
		t.Errorf("found %d marks: this looks in the wrong place", marks)
	}
}
