package main

import (
	"flag"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/game/record"
)

var listNew = flag.Bool("dialects", false, "add to testdata/rows.txt what has come since, in the latest dialect")

// The way back, to a program that can't read what this one has written, is closed: every
// shelf, every field of its rows and every word list that comes along is listed with
// the dialect in which it came: 1 where a program that doesn't know it does nothing wrong,
// and keeps it; else a program that doesn't is to refuse the store from the first row, or
// table, on that has it.
func TestTheWayBackIsClosed(t *testing.T) {
	const file = "testdata/rows.txt"
	text, err := os.ReadFile(file)
	if err != nil && !*listNew {
		t.Fatal(err)
	}
	listed := map[string]int{}
	for line := range strings.Lines(string(text)) {
		var dialect int
		if _, err := fmt.Sscan(line, &dialect); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		_, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		listed[name] = dialect
	}
	var lines []string
	of := func(name string, is int, how string) {
		was, ok := listed[name]
		switch {
		case !ok && *listNew:
			was = max(is, 1)
		case !ok:
			t.Errorf("%s is new. Where a program that doesn't know it would do something wrong, %s. Then run go test ./cmd/rackmate -run TestTheWayBackIsClosed -dialects", name, how)
		case was != is:
			t.Errorf("%s came with dialect %d, and is written in %d", name, was, is)
		}
		delete(listed, name)
		lines = append(lines, fmt.Sprint(was, " ", name))
	}

	c := &serveConfig{}
	config, err := c.hostConfig(slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	store := memory.New()
	config.Store, config.Notes = store, store.Notes(hostNotes)
	config.Platforms = func() []bot.Platform { return nil }
	const raise = "raise record.Dialect and put it into record's notesSince with it"
	for _, l := range host.New(config).Kept() {
		shelf := hostNotes + "/" + l.Name
		of(shelf, record.DialectOfNote(hostNotes, l.Name, []byte("{}")), raise)
		for _, field := range l.Fields {
			row := `null`
			for _, part := range slices.Backward(strings.Split(field, ".")) {
				row = fmt.Sprintf("{%q:%s}", part, row)
			}
			of(shelf+"."+field, record.DialectOfNote(hostNotes, l.Name, []byte(row)), raise)
		}
	}
	for _, l := range slices.Concat(config.Lexicons, config.FormerLexicons) {
		opened := fmt.Sprintf(`{"kind":"opened","fact":{"lexicon":{"name":%q,"hash":%q}}}`, l.Name(), l.Hash())
		of("list "+l.Name()+" "+l.Hash(), record.DialectOf([]byte(opened)),
			`raise record.Dialect, put "opened.lexicon.hash=`+l.Hash()+`" into record's since with it, and keep the list that it replaces among the former ones`)
	}
	for name := range listed {
		t.Errorf("%s is gone, and what is stored may have it", name)
	}
	if len(lines) < 150 {
		t.Errorf("only %d were found", len(lines))
	}
	if *listNew {
		slices.Sort(lines)
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
