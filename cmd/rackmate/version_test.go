package main

import (
	"os"
	"regexp"
	"runtime/debug"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
)

func TestVersion(t *testing.T) {
	platform := []debug.BuildSetting{{Key: "GOOS", Value: "linux"}, {Key: "GOARCH", Value: "arm64"}}
	checkout := append([]debug.BuildSetting{
		{Key: "vcs.revision", Value: "e54bd87c0ffee0123456789"},
		{Key: "vcs.time", Value: "2026-11-22T03:36:00Z"},
		{Key: "vcs.modified", Value: "true"},
	}, platform...)
	for _, c := range []struct {
		name string
		info *debug.BuildInfo
		want string
	}{
		{"a release by go install", &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "v1.2.0"}, Settings: platform},
			"rackmate v1.2.0, go1.26.8 linux/arm64"},
		{"a checkout with changes", &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "(devel)"}, Settings: checkout},
			"rackmate v1.0.0 commit e54bd87c0ffe (changed) of 2026-11-22T03:36:00Z, go1.26.8 linux/arm64"},
		{"go run in a checkout", &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "(devel)"}, Settings: platform},
			"rackmate v1.0.0, go1.26.8 linux/arm64"},
		{"go install in a checkout, which Go names by its commit", &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "v0.0.0-20261122033600-e54bd87c0ffe"}, Settings: checkout},
			"rackmate v1.0.0 commit e54bd87c0ffe (changed) of 2026-11-22T03:36:00Z, go1.26.8 linux/arm64"},
		{"no build information", nil, "rackmate (unknown version)"},
	} {
		if got := version(c.info); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestChangelogBeginsWithRelease checks that the newest heading of the changelog is this version's.
func TestChangelogBeginsWithRelease(t *testing.T) {
	text, err := os.ReadFile("../../.github/CHANGELOG.md")
	gametest.Must(t, err)
	newest := regexp.MustCompile(`(?m)^## (\d\S*),`).FindStringSubmatch(string(text))
	if newest == nil || "v"+newest[1] != releaseVersion {
		t.Errorf("the changelog begins with %v, and this is %s", newest, releaseVersion)
	}
}
