package main

import (
	"cmp"
	"fmt"
	"runtime/debug"
	"strings"
)

// version returns the version, the commit and its time if known, and the Go version. info is nil in
// a binary without build information.
func version(info *debug.BuildInfo) string {
	if info == nil {
		return "rackmate (unknown version)"
	}
	vcs := map[string]string{}
	for _, s := range info.Settings {
		vcs[s.Key] = s.Value
	}
	v := "rackmate " + cmp.Or(builtFrom, strings.Trim(info.Main.Version, "()"), "devel")
	if commit := vcs["vcs.revision"]; commit != "" {
		v += " commit " + commit[:min(12, len(commit))]
		if vcs["vcs.modified"] == "true" {
			v += " (changed)"
		}
	}
	if date := vcs["vcs.time"]; date != "" {
		v += " of " + date
	}
	return fmt.Sprintf("%s, %s %s/%s", v, info.GoVersion, cmp.Or(vcs["GOOS"], "unknown"), cmp.Or(vcs["GOARCH"], "unknown"))
}
