package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/pflag"

	"github.com/rackmate/rackmate/game/gametest"
)

// TestDashboardUsesExistingMetrics checks that the dashboard and the alert rules use only existing
// metrics, and that the dashboard shows all of them.
func TestDashboardUsesExistingMetrics(t *testing.T) {
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

// TestDeploymentFilesNameSettings checks that the files for docker and systemd set only variables that
// the host reads, and that the Dockerfile makes the image of image.sh.
func TestDeploymentFilesNameSettings(t *testing.T) {
	known := map[string]bool{"RACKMATE_ARCH": true, "RACKMATE_TARGETS": true} // of the scripts
	s := new(serveConfig).settings("serve")
	s.flags.VisitAll(func(f *pflag.Flag) { known[envName(f.Name)] = true })
	dir := filepath.Join("..", "..", ".github", "deploy")
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dir, name))
		gametest.Must(t, err)
		return string(text)
	}
	variable := regexp.MustCompile(`\bRACKMATE_[A-Z_]+`)
	for _, file := range []string{"Dockerfile", "compose.yaml", "many-hosts.yaml", "image.sh", "release.sh", "rackmate.service"} {
		for _, name := range variable.FindAllString(read(file), -1) {
			if !known[name] {
				t.Errorf("%s sets %s, which isn't a setting", file, name)
			}
		}
	}
	docker, script := read("Dockerfile"), read("image.sh")
	for _, part := range []string{"-ldflags='-s -w'", "RACKMATE_LISTEN=:8080", "RACKMATE_DATA=/data/rackmate.db", "65532", "/rackmate", "health", "--live", "::/data:/none"} {
		if !strings.Contains(docker, part) || !strings.Contains(script, part) {
			t.Errorf("the Dockerfile and image.sh don't both have %s", part)
		}
	}
}

// TestManualIsComplete checks that the manual page has every command and setting and the usual
// sections, and that the list of modules names what is built in.
func TestManualIsComplete(t *testing.T) {
	status, out, stderr := command(t, "", "man")
	plain := strings.ReplaceAll(out, `\-`, "-")
	if status != 0 {
		t.Fatalf("%d %s", status, stderr)
	}
	for _, c := range program().Commands() {
		if !strings.Contains(plain, c.Name()) && !c.IsAdditionalHelpTopicCommand() {
			t.Errorf("the manual lacks %s", c.Name())
		}
	}
	for _, want := range []string{"--backup-every", "--slack-prefix", "lexicon diff", ".SH EXAMPLES", ".SH FILES", ".SH CGP", ".SH ENVIRONMENT", "DISCORD_TOKEN", ".SH EXIT STATUS"} {
		if !strings.Contains(plain, want) {
			t.Errorf("the manual lacks %s", want)
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if status, out, stderr := command(t, "", "completion", shell); status != 0 || !strings.Contains(out, "__complete") {
			t.Errorf("completion for %s: %d %s", shell, status, stderr)
		}
	}
	info := &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Path: "github.com/rackmate/rackmate"}, Deps: []*debug.Module{{Path: "go.etcd.io/bbolt", Version: "v1.5.0"}}}
	var parts strings.Builder
	gametest.Must(t, writeSBOM(&parts, info))
	for _, want := range []string{`"CycloneDX"`, `"pkg:golang/go.etcd.io/bbolt@v1.5.0"`, `"pkg:golang/std@1.26.8"`, `"expression": "BSD-3-Clause"`} {
		if !strings.Contains(parts.String(), want) {
			t.Errorf("the list lacks %s:\n%s", want, &parts)
		}
	}
}
