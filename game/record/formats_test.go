package record_test

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/record"
)

// formatPage returns a page of data/formats.
func formatPage(t *testing.T, name string) string {
	t.Helper()
	page, err := os.ReadFile("../../data/formats/" + name)
	gametest.Must(t, err)
	return string(page)
}

var fieldRow = regexp.MustCompile("^\\| `([a-z_]+)` \\| ([^|]+) \\|")

// sections returns the fields that a page describes, by third-level heading.
func sections(page string) map[string]map[string]string {
	all := map[string]map[string]string{}
	name := ""
	for line := range strings.Lines(page) {
		if heading, ok := strings.CutPrefix(line, "### "); ok {
			name = strings.TrimSpace(heading)
			all[name] = map[string]string{}
		} else if strings.HasPrefix(line, "## ") {
			name = ""
		} else if m := fieldRow.FindStringSubmatch(line); m != nil && name != "" {
			all[name][m[1]] = strings.TrimSpace(m[2])
		}
	}
	return all
}

// A checker compares a page with the stored types.
type checker struct {
	page   map[string]map[string]string
	done   map[string]bool // sections already checked
	faults []string
}

func newChecker(page string) *checker {
	return &checker{page: sections(page), done: map[string]bool{}}
}

func (c *checker) fault(format string, args ...any) {
	c.faults = append(c.faults, fmt.Sprintf(format, args...))
}

// section checks that a section has exactly the fields of a stored type, and checks the types of
// the fields.
func (c *checker) section(name string, stored reflect.Type) {
	if c.done[name] {
		return
	}
	c.done[name] = true
	told, ok := c.page[name]
	if !ok {
		c.fault("the page says nothing about %q", name)
	}
	var fields []string
	for i := range stored.NumField() {
		f := stored.Field(i)
		field, how, _ := strings.Cut(f.Tag.Get("json"), ",")
		fields = append(fields, field)
		of, list := f.Type, false
		for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice && of.Elem().Kind() != reflect.Uint8 {
			list = list || of.Kind() == reflect.Slice
			of = of.Elem()
		}
		is, ok := told[field]
		switch {
		case !ok:
			c.fault("%s: the page lacks the field %q", name, field)
		case strings.Contains(is, "(may be missing)") != (how == "omitempty"):
			c.fault("%s: the page says that %q is %q, and it is stored as %q", name, field, is, how)
		case strings.HasPrefix(is, "list of ") != list:
			c.fault("%s: the page says that %q is %q, its type is %v", name, field, is, f.Type)
		}
		if of.Kind() == reflect.Struct {
			part := strings.TrimSuffix(of.Name(), "V1")
			if ok && !strings.Contains(is, "["+part+"](#"+part+")") {
				c.fault("%s: the page says that %q is %q, it is a %s", name, field, is, part)
			}
			c.section(part, of)
		}
	}
	for field := range told {
		if !slices.Contains(fields, field) {
			c.fault("%s: there is no field %q", name, field)
		}
	}
}

// log checks the page of the log.
func (c *checker) log() {
	c.section("envelope", record.Envelope)
	kinds, types, _ := record.StoredTypes()
	for i, kind := range kinds {
		c.section(kind, types[i])
	}
	for section := range c.page {
		if !c.done[section] {
			c.fault("there is nothing called %q", section)
		}
	}
}

// TestLogPageIsComplete checks that the page has exactly the existing kinds of events and
// fields.
func TestLogPageIsComplete(t *testing.T) {
	text := formatPage(t, "log.md")
	c := newChecker(text)
	c.log()
	for _, f := range c.faults {
		t.Error(f)
	}
	if len(c.done) < 40 {
		t.Errorf("only %d sections", len(c.done))
	}
	names := slices.Clone(record.EndReasons)
	for _, c := range game.ChallengeRules() {
		names = append(names, c.Name)
	}
	for _, o := range game.Orders() {
		names = append(names, o.Name)
	}
	for _, o := range game.OutBonuses() {
		names = append(names, o.Name)
	}
	for _, l := range game.Lates() {
		names = append(names, l.Name)
	}
	for _, name := range names {
		if !strings.Contains(text, "`"+name+"`") {
			t.Errorf("the page doesn't name %q", name)
		}
	}
}

// TestMissingLogPagePartsAreFound checks that a missing section or row is found.
func TestMissingLogPagePartsAreFound(t *testing.T) {
	text := formatPage(t, "log.md")
	tried := 0
	for section, fields := range sections(text) {
		for field := range fields {
			c := newChecker(text)
			delete(c.page[section], field)
			c.log()
			if tried++; len(c.faults) == 0 {
				t.Errorf("the page may lack %s of %s", field, section)
			}
		}
		c := newChecker(text)
		delete(c.page, section)
		if c.log(); len(c.faults) == 0 {
			t.Errorf("the page may lack %s", section)
		}
	}
	if tried == 0 {
		t.Error("the page has no field")
	}
}

// TestProofPageIsComplete checks that the page has the fields of the file and the events that
// draw.
func TestProofPageIsComplete(t *testing.T) {
	text := formatPage(t, "proof.md")
	c := newChecker(text)
	c.section("file", record.ProofFile)
	for _, f := range c.faults {
		t.Error(f)
	}
	kinds, _, registered := record.StoredTypes()
	drawing := reflect.TypeFor[game.Drawing]()
	for i, f := range registered {
		if f.Implements(drawing) && !strings.Contains(text, "`"+kinds[i]+"`") {
			t.Errorf("the page doesn't say that %s draws", kinds[i])
		}
	}
	for _, words := range []string{"rackmate proof 1", "rackmate draws 1", "HMAC-SHA256", "`ordered`", "`order-drawn`", "`dealt`", "`played`", "`exchanged`", "`challenged`"} {
		if !strings.Contains(text, words) {
			t.Errorf("the page lacks %s", words)
		}
	}
}

// TestGCGPageIsComplete checks that the page has each kind of line and our pragmas.
func TestGCGPageIsComplete(t *testing.T) {
	text := formatPage(t, "gcg.md")
	for _, words := range record.GCGWords() {
		if !strings.Contains(text, "`"+words+"`") {
			t.Errorf("the page lacks %s", words)
		}
	}
}
