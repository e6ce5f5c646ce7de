package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/cmd/internal/cli"
)

// sbomCommand returns the command that lists the program's modules and their licences.
func sbomCommand() *cobra.Command {
	return &cobra.Command{
		Use: "sbom", Short: "lists the modules that this program is made of, with their licences, as CycloneDX", Args: cli.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) error {
			info, ok := debug.ReadBuildInfo()
			if !ok {
				return errors.New("this program was built without module information")
			}
			return writeSBOM(c.OutOrStdout(), info)
		},
	}
}

// A component is a module in the form of CycloneDX 1.5.
type component struct {
	Type    string `json:"type"`
	Ref     string `json:"bom-ref"`
	Name    string `json:"name"`
	Version string `json:"version"`
	PURL    string `json:"purl"`
	// Licences has the component's licence as an SPDX expression; it is empty if unknown.
	Licences []licence `json:"licenses,omitempty"`
}

// A licence is an SPDX expression.
type licence struct {
	Expression string `json:"expression"`
}

// licencesFile lists the licence of each module, as TestLicences finds it in its source.
//
//go:embed licences.txt
var licencesFile string

// licencesOf returns a module's licences.
func licencesOf(module string) []licence {
	for line := range strings.Lines(licencesFile) {
		if path, expression, _ := strings.Cut(strings.TrimSpace(line), " "); path == module {
			return []licence{{expression}}
		}
	}
	return nil
}

// writeSBOM writes the modules of a program as CycloneDX. The list is exact, because the compiler
// recorded it.
func writeSBOM(w io.Writer, info *debug.BuildInfo) error {
	part := func(kind string, m *debug.Module) component {
		if m.Replace != nil {
			m = m.Replace
		}
		purl := "pkg:golang/" + m.Path + "@" + m.Version
		return component{kind, purl, m.Path, m.Version, purl, licencesOf(m.Path)}
	}
	main := info.Main
	if main.Version == "" || main.Version == "(devel)" {
		main.Version = releaseVersion
	}
	program := part("application", &main)
	parts := []component{part("library", &debug.Module{Path: "std", Version: strings.TrimPrefix(info.GoVersion, "go")})}
	for _, m := range info.Deps {
		parts = append(parts, part("library", m))
	}
	type dependency struct {
		Ref string   `json:"ref"`
		On  []string `json:"dependsOn"`
	}
	on := dependency{Ref: program.Ref}
	for _, p := range parts {
		on.On = append(on.On, p.Ref)
	}
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	return out.Encode(map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
		"metadata":   map[string]any{"component": program},
		"components": parts, "dependencies": []dependency{on},
	})
}
