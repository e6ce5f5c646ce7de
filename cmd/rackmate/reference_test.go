package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/game/gametest"
)

var updateReference = flag.Bool("update", false, "write .github/REFERENCE.md and licences.txt")

// TestReferencePage holds .github/REFERENCE.md to the tables of settings and commands.
func TestReferencePage(t *testing.T) {
	const file = "../../.github/REFERENCE.md"
	want := referencePage()
	if *updateReference {
		gametest.Must(t, os.WriteFile(file, []byte(want), 0o644))
	}
	page, err := os.ReadFile(file)
	gametest.Must(t, err)
	have, lines := strings.Split(string(page), "\n"), strings.Split(want, "\n")
	for i := range max(len(have), len(lines)) {
		if i >= len(have) || i >= len(lines) || have[i] != lines[i] {
			t.Fatalf("line %d of %s differs from the code: go test ./cmd/rackmate -run TestReferencePage -update", i+1, file)
		}
	}
}

// referencePage returns all settings, secrets and commands as a page of Markdown.
func referencePage() string {
	var b strings.Builder
	b.WriteString(`# Reference

Made from the code by ` + "`go test ./cmd/rackmate -run TestReferencePage -update`" + `.

- [Settings](#settings) · [Secrets](#secrets) · [Commands of the program](#commands-of-the-program) · [Commands in chat](#commands-in-chat)

## Settings

` + "A flag (`--backup-every 6h`), a variable (`RACKMATE_BACKUP_EVERY=6h`) or a line of the file that `--config` names (`backup-every = '6h'`). `rackmate config` prints the ones in effect." + `

| setting | default | |
| --- | --- | --- |
`)
	s := new(serveConfig).settings("serve")
	s.flags.VisitAll(func(f *pflag.Flag) {
		if _, help := pflag.UnquoteUsage(f); !f.Hidden {
			standard := strings.Trim(f.Value.String(), "[]")
			if standard != "" {
				standard = "`" + standard + "`"
			}
			row(&b, "`--"+f.Name+"`", standard, help)
		}
	})
	b.WriteString("\n## Secrets\n\nVariables of the environment, or with `_FILE` the path of a file: `DISCORD_TOKEN_FILE`.\n\n| variable | |\n| --- | --- |\n")
	for _, x := range s.secrets {
		row(&b, "`"+x.env+"`", x.help)
	}
	b.WriteString("\n## Commands of the program\n\n`rackmate help COMMAND` explains one.\n")
	root := program()
	for _, g := range root.Groups() {
		fmt.Fprintf(&b, "\n| %s | |\n| --- | --- |\n", g.Title)
		for _, c := range root.Commands() {
			if c.GroupID == g.ID && !c.Hidden {
				row(&b, "`rackmate "+c.Name()+"`", c.Short)
			}
		}
	}
	b.WriteString("\n## Commands in chat\n\n`/help COMMAND` explains one with its options. On Discord most stand below `/rackmate`, on Slack all do.\n\n| command | | example |\n| --- | --- | --- |\n")
	for _, c := range features.Commands() {
		var notes string
		switch {
		case c.Ours && c.Manages:
			notes = " (in the web room, for keepers)"
		case c.Ours:
			notes = " (in the web room)"
		case c.Manages:
			notes = " (for managers)"
		}
		row(&b, "`/"+c.Name+"`", c.Help+notes, "`"+cmp.Or(c.Example, "/"+c.Name)+"`")
	}
	return b.String()
}

// row writes a row of a table.
func row(b *strings.Builder, cells ...string) {
	for i, c := range cells {
		cells[i] = strings.ReplaceAll(c, "|", `\|`)
	}
	fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
}
