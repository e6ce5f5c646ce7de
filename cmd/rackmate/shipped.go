package main

import (
	"github.com/rackmate/rackmate/cmd/internal/cli"

	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
)

// This file makes what goes along with the program, from the program itself: shell
// completion and the manual page from the table of subcommands, the list of its
// parts from its build information.

// flagNames are the flags of a subcommand.
func flagNames(c cli.Subcommand) (names []string) {
	if c.Name == "serve" || c.Name == "config" || c.Name == "health" {
		eachFlag(new(serveConfig).settings(c.Name).flags, func(f *flag.Flag) { names = append(names, "--"+f.Name) })
	}
	for _, name := range regexp.MustCompile(`--[a-z][a-z-]*`).FindAllString(c.Usage, -1) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// runCompletion prints the program by which a shell completes subcommands and flags.
func runCompletion(_ context.Context, std cli.Std, args []string) error {
	rest, err := cli.Parse(cli.NewFlags("completion"), args)
	if err != nil {
		return err
	}
	write := map[string]func(io.Writer, []cli.Subcommand){"bash": writeBash, "zsh": writeZsh, "fish": writeFish}
	if len(rest) != 1 || write[rest[0]] == nil {
		return cli.UsageError("name the shell: bash, zsh or fish")
	}
	write[rest[0]](std.Out, subcommands())
	return nil
}

func writeBash(w io.Writer, all []cli.Subcommand) {
	fmt.Fprint(w, "# Put this into /etc/bash_completion.d/rackmate, or source it.\n_rackmate() {\n\tlocal word=${COMP_WORDS[COMP_CWORD]} words\n\tcase ${COMP_WORDS[1]} in\n")
	var names []string
	for _, c := range all {
		names = append(names, c.Name)
		fmt.Fprintf(w, "\t%s) words='%s' ;;\n", c.Name, strings.Join(flagNames(c), " "))
	}
	fmt.Fprintf(w, "\tesac\n\t[ \"$COMP_CWORD\" -gt 1 ] || words='%s help version'\n\tCOMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n}\ncomplete -o default -F _rackmate rackmate\n", strings.Join(names, " "))
}

// quoted is a text between single quotes, for any shell.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// brief is the beginning of a help text.
func brief(help string) string {
	help, _, _ = strings.Cut(help, ";")
	help, _, _ = strings.Cut(help, ". ")
	return help
}

func writeZsh(w io.Writer, all []cli.Subcommand) {
	fmt.Fprint(w, "#compdef rackmate\n# Put this into a folder of $fpath as _rackmate.\nif (( CURRENT == 2 )); then\n\tlocal -a names=(")
	for _, c := range all {
		fmt.Fprintf(w, "\n\t\t%s", quoted(c.Name+":"+strings.ReplaceAll(brief(c.Help), ":", `\:`)))
	}
	fmt.Fprint(w, "\n\t)\n\t_describe subcommand names\n\treturn\nfi\nlocal -a flags\ncase $words[2] in\n")
	for _, c := range all {
		fmt.Fprintf(w, "%s) flags=(%s) ;;\n", c.Name, strings.Join(flagNames(c), " "))
	}
	fmt.Fprint(w, "esac\ncompadd -- $flags\n_files\n")
}

func writeFish(w io.Writer, all []cli.Subcommand) {
	fmt.Fprint(w, "# Put this into ~/.config/fish/completions/rackmate.fish.\n")
	for _, c := range all {
		fmt.Fprintf(w, "complete -c rackmate -n __fish_use_subcommand -a %s -d %s\n", c.Name, quoted(brief(c.Help)))
		for _, name := range flagNames(c) {
			fmt.Fprintf(w, "complete -c rackmate -n '__fish_seen_subcommand_from %s' -l %s\n", c.Name, strings.TrimPrefix(name, "--"))
		}
	}
}

// runMan prints the manual page.
func runMan(_ context.Context, std cli.Std, args []string) error {
	if len(args) > 0 {
		return cli.UsageError("there is nothing to name")
	}
	w := std.Out
	text := func(s string) string {
		s = strings.ReplaceAll(strings.ReplaceAll(s, `\`, `\e`), "-", `\-`)
		if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
			s = `\&` + s
		}
		return s
	}
	fmt.Fprint(w, ".TH RACKMATE 1\n.SH NAME\nrackmate \\- hosts crossword\\-tile games in chat channels\n.SH SYNOPSIS\n.B rackmate\n.RI [ SUBCOMMAND ]\n.SH SUBCOMMANDS\n")
	for _, c := range subcommands() {
		fmt.Fprintf(w, ".TP\n.B rackmate %s\n%s\n.br\n%s\n", text(c.Name), text(c.Usage), text(c.Help))
	}
	fmt.Fprint(w, ".SH SETTINGS\nOf serve. Each is a flag, a variable of the environment (RACKMATE_LISTEN for \\-\\-listen), or a line of the file that \\-\\-config names.\n")
	s := new(serveConfig).settings("serve")
	eachFlag(s.flags, func(f *flag.Flag) {
		value, help := flag.UnquoteUsage(f)
		fmt.Fprintf(w, ".TP\n.B \\-\\-%s\n.I %s\n.br\n%s\n", text(f.Name), text(value), text(help))
	})
	fmt.Fprint(w, ".SH ENVIRONMENT\nSecrets: each may be the path of a file instead, by the same name with _FILE.\n")
	for _, x := range s.secrets {
		fmt.Fprintf(w, ".TP\n.B %s\n%s\n", text(x.env), text(x.help))
	}
	fmt.Fprint(w, ".SH EXIT STATUS\n0: success; 1: a check failed, or something went wrong; 2: bad usage.\n")
	return nil
}

// runSBOM prints what the program is made of.
func runSBOM(_ context.Context, std cli.Std, args []string) error {
	if len(args) > 0 {
		return cli.UsageError("there is nothing to name")
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return errors.New("this program was built without information on its parts")
	}
	return writeSBOM(std.Out, info)
}

// A component is a module, as CycloneDX 1.5 has it.
type component struct {
	Type    string `json:"type"`
	Ref     string `json:"bom-ref"`
	Name    string `json:"name"`
	Version string `json:"version"`
	PURL    string `json:"purl"`
}

// writeSBOM writes the modules that are in a program as CycloneDX. The compiler put
// them there, so it is these and no others.
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
