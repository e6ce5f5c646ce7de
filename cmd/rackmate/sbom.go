package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/cmd/internal/cli"
)

// sbomCommand returns the command that lists the program's modules.
func sbomCommand() *cobra.Command {
	return &cobra.Command{
		Use: "sbom", Short: "lists the modules that this program is made of, as CycloneDX", Args: cli.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
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
}

// writeSBOM writes the modules of a program as CycloneDX. The list is exact, because the compiler
// recorded it.
func writeSBOM(w io.Writer, info *debug.BuildInfo) error {
	part := func(kind string, m *debug.Module) component {
		if m.Replace != nil {
			m = m.Replace
		}
		purl := "pkg:golang/" + m.Path + "@" + m.Version
		return component{kind, purl, m.Path, m.Version, purl}
	}
	main := info.Main
	main.Version = cmp.Or(strings.Trim(main.Version, "()"), "devel")
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
