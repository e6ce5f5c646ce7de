package main

import (
	"runtime/debug"
	"testing"
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
			"rackmate devel commit e54bd87c0ffe (changed) of 2026-11-22T03:36:00Z, go1.26.8 linux/arm64"},
		{"no build information", nil, "rackmate (unknown version)"},
	} {
		if got := version(c.info); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
