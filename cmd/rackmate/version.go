package main

import (
	"cmp"
	"fmt"
	"runtime/debug"
)

// releaseVersion is the version that this source is, or that it follows. The newest heading of
// CHANGELOG.md says the same.
const releaseVersion = "v1.0.0"

// version returns the version, the commit and its time if known, and the Go version. info is nil in
// a binary without build information. A checkout has no version of its own, so it names the release
// that it follows, with its commit.
func version(info *debug.BuildInfo) string {
	if info == nil {
		return "rackmate (unknown version)"
	}
	vcs := map[string]string{}
	for _, s := range info.Settings {
		vcs[s.Key] = s.Value
	}
	of := info.Main.Version
	if vcs["vcs.revision"] != "" || of == "(devel)" {
		of = releaseVersion
	}
	v := "rackmate " + cmp.Or(builtFrom, of, releaseVersion)
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
