package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/rackmate/rackmate/game/gametest"
)

// The board and the alert rules ask for figures that there are, and the board shows
// all of them.
func TestBoardAndAlertsKnowTheFigures(t *testing.T) {
	f := newFigures()
	f.registry.MustRegister(&health{figures: f, backups: &backups{}})
	known := map[string]bool{}
	descs := make(chan *prometheus.Desc, 1000)
	f.registry.Describe(descs)
	close(descs)
	name := regexp.MustCompile(`fqName: "(\w+)"`)
	for d := range descs {
		known[name.FindStringSubmatch(d.String())[1]] = true
	}
	asked := regexp.MustCompile(`\b(rackmate|process|go)_\w+`)
	shown := map[string]bool{}
	for _, file := range []string{"grafana.json", "alerts.yml"} {
		text, err := os.ReadFile(filepath.Join("..", "..", ".github", "deploy", file))
		gametest.Must(t, err)
		var board struct{ Panels []any }
		if strings.HasSuffix(file, ".json") {
			if err := json.Unmarshal(text, &board); err != nil || len(board.Panels) < 10 {
				t.Errorf("%s: %d panels, %v", file, len(board.Panels), err)
			}
		}
		for _, figure := range asked.FindAllString(string(text), -1) {
			for _, part := range []string{"_bucket", "_count", "_sum"} {
				if base, ok := strings.CutSuffix(figure, part); ok && known[base] {
					figure = base
				}
			}
			shown[figure] = true
			if !known[figure] {
				t.Errorf("%s asks for %s, which there isn't", file, figure)
			}
		}
	}
	for figure := range known {
		if strings.HasPrefix(figure, "rackmate_") && !shown[figure] {
			t.Errorf("%s is nowhere on the board", figure)
		}
	}
}

// Completion and the manual page know every subcommand and every setting; bash takes
// what it is given; the list of parts names what is built in.
func TestShippedWithTheProgram(t *testing.T) {
	for _, args := range [][]string{{"completion", "bash"}, {"completion", "zsh"}, {"completion", "fish"}, {"man"}} {
		status, out, stderr := command(t, "", args...)
		if status != 0 {
			t.Fatalf("%v: %d %s", args, status, stderr)
		}
		plain := strings.ReplaceAll(out, `\-`, "-")
		for _, c := range subcommands() {
			if !strings.Contains(plain, c.Name) {
				t.Errorf("%v lacks %s", args, c.Name)
			}
		}
		for _, name := range []string{"backup-every", "slack-prefix"} {
			if !strings.Contains(plain, name) {
				t.Errorf("%v lacks --%s", args, name)
			}
		}
		if args[len(args)-1] != "bash" {
			continue
		}
		bash := exec.Command("bash", "-c", out+`
COMP_WORDS=(rackmate re); COMP_CWORD=1; _rackmate; echo "${COMPREPLY[*]}"
COMP_WORDS=(rackmate serve --backup-); COMP_CWORD=2; _rackmate; echo "${COMPREPLY[*]}"`)
		got, err := bash.CombinedOutput()
		if err != nil || !strings.Contains(string(got), "restore recount") && !strings.Contains(string(got), "restore") || !strings.Contains(string(got), "--backup-every --backup-to") {
			t.Errorf("bash completes %s, %v", got, err)
		}
	}
	info := &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Path: "github.com/rackmate/rackmate"}, Deps: []*debug.Module{{Path: "go.etcd.io/bbolt", Version: "v1.5.0"}}}
	var out strings.Builder
	gametest.Must(t, writeSBOM(&out, info))
	for _, want := range []string{`"CycloneDX"`, `"pkg:golang/go.etcd.io/bbolt@v1.5.0"`, `"pkg:golang/std@1.26.8"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the list lacks %s:\n%s", want, &out)
		}
	}
}
