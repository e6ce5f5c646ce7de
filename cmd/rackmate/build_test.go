package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
)

// TestBuildRejectsMistakes checks that a bad build is rejected with a sentence that says what to do, before
// anything is written.
func TestBuildRejectsMistakes(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	dice := filepath.Join("..", "..", ".ci", "outside", "feature")
	for line, want := range map[string]struct {
		status int
		says   string
	}{
		"build":                         {2, "name a module with --with"},
		"build --with quote@v1=dir":     {2, "write MODULE, MODULE@VERSION or MODULE=DIR"},
		"build --with quote@":           {2, "write MODULE, MODULE@VERSION or MODULE=DIR"},
		"build --with quote x":          {2, `unexpected argument "x"`},
		"build --with quote":            {1, "name the checkout with --source DIR"},
		"build --with q --source ../..": {1, "Name the folder of a module that no proxy has: q=DIR"},
		"build --with q --source .":     {1, "not a checkout of Rackmate"},
		"build --source ../.. --with example.org/quote=" + dice:         {1, "module example.org/quote isn't in "},
		"build --source ../.. --with example.org/rackmate-dice=nowhere": {1, "module example.org/rackmate-dice isn't in "},
	} {
		output := filepath.Join(t.TempDir(), "rackmate")
		status, out, err := command(t, "", append(strings.Fields(line), "--output", output)...)
		if status != want.status || out != "" || !strings.Contains(err, want.says) {
			t.Errorf("%s: status %d, %q, %q", line, status, out, err)
		}
	}
}

// TestBuildWithModule builds a program with the feature of another module and checks that it
// offers the feature's command.
func TestBuildWithModule(t *testing.T) {
	if !gametest.Long() {
		t.Skip("it builds the program")
	}
	output := filepath.Join(t.TempDir(), "rackmate")
	dice := filepath.Join("..", "..", ".ci", "outside", "feature")
	status, out, err := command(t, "", "build", "--source", "../..", "--with", "example.org/rackmate-dice="+dice, "--output", output)
	if status != 0 || out != output+"\n" || !strings.HasSuffix(err, ", with dice\n") {
		t.Fatalf("status %d, %q, %q", status, out, err)
	}
	said, failed := exec.CommandContext(t.Context(), output, "commands", "discord").Output()
	gametest.Must(t, failed)
	if !strings.Contains(string(said), `"roll"`) {
		t.Errorf("its commands are %s", said)
	}
}
