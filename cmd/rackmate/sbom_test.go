package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
)

// TestLicences checks the list of licences against the modules that the program is made of on each
// system: "go test ./cmd/rackmate -run Licences -update" rewrites it.
func TestLicences(t *testing.T) {
	found := map[string]string{"std": "BSD-3-Clause", "github.com/rackmate/rackmate": "MIT"}
	for _, system := range []string{"linux", "darwin", "windows"} {
		list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}} {{.Dir}}{{end}}", ".")
		list.Env = append(os.Environ(), "GOOS="+system)
		out, err := list.Output()
		if err != nil {
			t.Skipf("go list for %s: %v", system, err)
		}
		for line := range strings.Lines(string(out)) {
			path, dir, _ := strings.Cut(strings.TrimSpace(line), " ")
			if path == "" || found[path] != "" {
				continue
			}
			if dir == "" {
				t.Skipf("the source of %s isn't here", path)
			}
			found[path] = licenceIn(t, dir)
		}
	}
	var b bytes.Buffer
	for _, path := range slices.Sorted(maps.Keys(found)) {
		fmt.Fprintln(&b, path, found[path])
		if free := regexp.MustCompile(`^(MIT|BSD-[23]-Clause|Apache-2.0|ISC|FTL|AND|OR|GPL-2.0-or-later| )+$`); !free.MatchString(found[path]) || strings.HasPrefix(found[path], "GPL") {
			t.Errorf("%s has the licence %q", path, found[path])
		}
	}
	if *updateReference {
		gametest.Must(t, os.WriteFile("licences.txt", b.Bytes(), 0o644))
	} else if b.String() != licencesFile {
		t.Errorf("licences.txt isn't up to date; this is:\n%s", &b)
	}
}

// licences maps phrases of licences, in lower case, to their SPDX names.
var licences = map[string]string{
	"apache license\n": "Apache-2.0", "redistribution and use in source": "BSD", "permission is hereby granted, free of charge": "MIT",
	"permission to use, copy, modify, and/or distribute": "ISC", "freetype license": "FTL OR GPL-2.0-or-later",
}

// spaces matches the indentation of lines.
var spaces = regexp.MustCompile(`(?m)^[ \t]+|\r`)

// licenceIn returns the licence of the source in a folder, as an SPDX expression.
func licenceIn(t *testing.T, dir string) string {
	entries, err := os.ReadDir(dir)
	gametest.Must(t, err)
	for _, e := range entries {
		name := strings.ToLower(e.Name())
		if e.IsDir() || !strings.HasPrefix(name, "licen") && !strings.HasPrefix(name, "copying") {
			continue
		}
		raw, err := os.ReadFile(filepath.Join(dir, e.Name()))
		gametest.Must(t, err)
		text := strings.ToLower(spaces.ReplaceAllString(string(raw), ""))
		at := map[int]string{}
		for phrase, name := range licences {
			if i := strings.Index(text, phrase); i >= 0 {
				if name == "BSD" {
					name = "BSD-2-Clause"
					if strings.Contains(text, "neither the name") || strings.Contains(text, "may not be used to endorse") {
						name = "BSD-3-Clause"
					}
				}
				at[i] = name
			}
		}
		var all []string
		for _, i := range slices.Sorted(maps.Keys(at)) {
			all = append(all, at[i])
		}
		return strings.Join(all, " AND ")
	}
	return ""
}
