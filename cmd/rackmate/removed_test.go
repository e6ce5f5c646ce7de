package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestRemovedSettings checks that a removed setting is accepted as a flag, in the environment and
// in a file, and listed nowhere.
func TestRemovedSettings(t *testing.T) {
	var c serveConfig
	s := c.settings("config")
	if err := s.parse([]string{"--slack-own-posts"}, nil); err != nil {
		t.Error(err)
	}
	if err := s.parse(nil, []string{"RACKMATE_SLACK_OWN_POSTS=true"}); err != nil {
		t.Error(err)
	}
	var out bytes.Buffer
	s.print(&out)
	if strings.Contains(out.String(), "own-posts") {
		t.Error("it is among the settings that are printed")
	}
	if _, out, _ := command(t, "", "__complete", "serve", "--slack"); strings.Contains(out, "own-posts") || !strings.Contains(out, "--slack-prefix") {
		t.Errorf("it is completed:\n%s", out)
	}
	if status, _, err := command(t, "", "commands", "slack", "--own-posts"); status != 0 {
		t.Errorf("commands slack: %d %s", status, err)
	}
}
