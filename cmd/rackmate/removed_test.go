package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/cmd/internal/cli"
)

// A setting that was removed is taken, by flag, environment and file, and named nowhere.
func TestRemovedSettings(t *testing.T) {
	var c serveConfig
	s := c.settings("config")
	if _, err := s.parse([]string{"--slack-own-posts"}, nil); err != nil {
		t.Error(err)
	}
	if _, err := s.parse(nil, []string{"RACKMATE_SLACK_OWN_POSTS=true"}); err != nil {
		t.Error(err)
	}
	var out bytes.Buffer
	s.print(&out)
	if strings.Contains(out.String(), "own-posts") {
		t.Error("it is among the settings that are printed")
	}
	if names := flagNames(cli.Subcommand{Name: "serve"}); strings.Contains(strings.Join(names, " "), "own-posts") {
		t.Error("it is completed")
	}
}
