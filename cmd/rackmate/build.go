package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/cmd/internal/cli"
)

// modulePath is the path of this program's module.
const modulePath = "github.com/rackmate/rackmate"

// builtFrom is the source version from which "rackmate build" made this binary; "" means the
// version of the main module.
var builtFrom string

// A customBuild builds a binary that includes features of other modules.
type customBuild struct {
	with           []string
	source, output string
}

// buildCommand returns the command that builds a binary with features of other modules.
func buildCommand() *cobra.Command {
	var b customBuild
	c := &cobra.Command{
		Use: "build --with MODULE[@VERSION]... [--source DIR] [--output FILE]", Short: "builds a program like this one that has features of other modules too",
		Long: `builds a program like this one that has features of other modules too. It needs Go, and the source of this version, which it gets by Go's module proxy, or finds in a checkout that --source names. MODULE is the path of a package that registers a feature; after @ stands a version of its module, the latest if it is left out. MODULE=DIR takes what is in a folder.

"rackmate version" of what was built names the features that were added.`,
		Example: "rackmate build --with example.org/quote@v1.2.0\nrackmate build --source ~/rackmate --with example.org/dice=../dice --output rackmate-dice",
		Args:    cli.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) error { return b.run(c.Context(), cli.StdOf(c)) },
	}
	c.Flags().StringArrayVar(&b.with, "with", nil, "a `MODULE` whose feature the program gets, with @VERSION or =DIR; once for each")
	c.Flags().StringVar(&b.source, "source", "", "the checkout of Rackmate in `DIR` to build, not the version of this program")
	c.Flags().StringVar(&b.output, "output", "rackmate", "the `FILE` to write")
	cli.FolderFlag(c, "source")
	return c
}

func (b customBuild) run(ctx context.Context, std cli.Std) error {
	if len(b.with) == 0 {
		return cli.UsageError("name a module with --with, such as --with example.org/quote@v1.2.0")
	}
	var modules []addedModule
	for _, with := range b.with {
		m, err := parseAdded(with)
		if err != nil {
			return err
		}
		modules = append(modules, m)
	}
	if _, err := exec.LookPath("go"); err != nil {
		return errors.New(`building needs Go: install it from https://go.dev/dl, so that "go version" answers`)
	}
	output, err := filepath.Abs(b.output)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "rackmate-build")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	source, version, err := b.findSource(ctx, work)
	if err != nil {
		return err
	}
	g := goCommand{source, []string{"-modfile=" + filepath.Join(work, "go.mod")}}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(source, name))
		if err != nil {
			return fmt.Errorf("read the source: %w", err)
		}
		if err := os.WriteFile(filepath.Join(work, name), text, 0o600); err != nil {
			return err
		}
	}
	var imports bytes.Buffer
	imports.WriteString("package main\n")
	for _, m := range modules {
		if err := g.add(ctx, filepath.Join(work, "go.mod"), m); err != nil {
			return err
		}
		fmt.Fprintf(&imports, "import _ %q\n", m.path)
	}
	with := filepath.Join(work, "with.go")
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(source, "cmd", "rackmate", "with_modules.go"): with}})
	if err != nil {
		return err
	}
	if err := errors.Join(os.WriteFile(with, imports.Bytes(), 0o600), os.WriteFile(filepath.Join(work, "overlay.json"), overlay, 0o600)); err != nil {
		return err
	}
	progress := cli.NewProgress(std.Err, "building", 0)
	out, err := g.run(ctx, "build", "-mod=mod", "-trimpath", "-overlay="+filepath.Join(work, "overlay.json"), "-ldflags=-s -w -X main.builtFrom="+version, "-o", output, "./cmd/rackmate")
	progress.Done()
	if err != nil {
		io.WriteString(std.Err, out)
		return fmt.Errorf("building with %s failed: Go's output above gives the reason", strings.Join(b.with, ", "))
	}
	fmt.Fprintln(std.Out, output)
	if says, err := exec.CommandContext(ctx, output, "version").Output(); err == nil { // fails if built for another system
		fmt.Fprintf(std.Err, "it is %s", says)
	}
	return nil
}

// findSource returns the source folder to build. version is empty if the folder itself has it.
func (b customBuild) findSource(ctx context.Context, work string) (dir, version string, err error) {
	if b.source != "" {
		if dir, err = filepath.Abs(b.source); err != nil {
			return "", "", err
		}
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err != nil || !slices.Contains(strings.Fields(string(text)), modulePath) {
			return "", "", fmt.Errorf("--source %s: not a checkout of Rackmate (its go.mod says \"module %s\")", b.source, modulePath)
		}
		return dir, "", nil
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		version = cmp.Or(builtFrom, strings.Trim(info.Main.Version, "()"))
	}
	if version == "" || version == "devel" || strings.Contains(version, "+") {
		return "", "", errors.New("this program was built from a checkout, and no version of it can be downloaded: name the checkout with --source DIR")
	}
	out, err := goCommand{dir: work}.run(ctx, "mod", "download", "-json", modulePath+"@"+version)
	var module struct{ Dir, Error string }
	if json.Unmarshal([]byte(out), &module) != nil || module.Dir == "" {
		return "", "", fmt.Errorf("the source of Rackmate %s can't be downloaded: %s. Name a checkout with --source DIR", version, cmp.Or(module.Error, oneLine(out), fmt.Sprint(err)))
	}
	return module.Dir, version, nil
}

// A goCommand runs the go command in a folder.
type goCommand struct {
	dir   string
	flags []string // added after the subcommand
}

// run runs a subcommand and returns its whole output.
func (g goCommand) run(ctx context.Context, name string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, "go", slices.Concat([]string{name}, g.flags, args)...)
	c.Dir, c.Env = g.dir, append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off")
	out, err := c.CombinedOutput()
	return string(out), err
}

// An addedModule is a module named by --with.
type addedModule struct{ path, version, dir string }

// parseAdded parses MODULE, MODULE@VERSION or MODULE=DIR.
func parseAdded(with string) (m addedModule, err error) {
	path, dir, local := strings.Cut(with, "=")
	path, version, versioned := strings.Cut(path, "@")
	if path == "" || local && (dir == "" || versioned) || versioned && version == "" {
		return m, cli.UsageError(fmt.Sprintf("--with %s: write MODULE, MODULE@VERSION or MODULE=DIR", with))
	}
	if local {
		dir, err = filepath.Abs(dir)
	}
	return addedModule{path, cmp.Or(version, "latest"), dir}, err
}

// add adds a module to the requirements of a go.mod.
func (g goCommand) add(ctx context.Context, mod string, m addedModule) error {
	if m.dir == "" {
		if out, err := g.run(ctx, "get", m.path+"@"+m.version); err != nil {
			return fmt.Errorf("--with %s can't be downloaded: %s. Name the folder of a module that no proxy has: %s=DIR", m.path, cmp.Or(oneLine(out), fmt.Sprint(err)), m.path)
		}
		return nil
	}
	out, err := goCommand{dir: m.dir}.run(ctx, "list", "-m", "-f", "{{.Path}} {{.Dir}}")
	module, root, ok := strings.Cut(strings.TrimSpace(out), " ")
	if err != nil || !ok || m.path != module && !strings.HasPrefix(m.path, module+"/") {
		return fmt.Errorf("--with %s: module %s isn't in %s (%s)", m.path, m.path, m.dir, cmp.Or(oneLine(out), fmt.Sprint(err)))
	}
	if out, err := (goCommand{dir: g.dir}).run(ctx, "mod", "edit", "-require="+module+"@v0.0.0", "-replace="+module+"="+root, mod); err != nil {
		return fmt.Errorf("--with %s: %s", m.path, cmp.Or(oneLine(out), fmt.Sprint(err)))
	}
	return nil
}

// oneLine returns the output of a command joined into one line.
func oneLine(out string) string {
	return strings.TrimSuffix(strings.TrimPrefix(strings.Join(strings.Fields(out), " "), "go: "), ".")
}

// addedFeatures returns the names of the features from other modules, for "rackmate version".
func addedFeatures() string {
	var ids []string
	for _, m := range feature.Modules() {
		ids = append(ids, m.ID)
	}
	if len(ids) == 0 {
		return ""
	}
	return ", with " + strings.Join(ids, ", ")
}
