// Command mutants inserts small faults into packages, one at a time, and reports the faults that no
// test detects.
//
//	go run ./.ci/mutants [-n 40] [-seed 7] [-also "./bot/features"] [-at turns.go:224] ./game...
//	go run ./.ci/mutants -guards [-limit 10m] [-only agenda]
//
// A fault is a changed operator, an inverted condition or a swapped boolean. The package's own tests run
// first, then those given by -also. A surviving fault is printed with its position; the last line is
// the score: faults detected of faults inserted.
//
// With -guards it turns off one guard after another of guards.go, and fails if the simulation of
// several hosts (TestSimulation in bot/features) doesn't notice one within the limit.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

// A mutant is a file with a fault.
type mutant struct {
	pkg, file string
	line      int
	from, to  int // replaced part, in bytes
	was, is   string
}

func (m mutant) String() string {
	return fmt.Sprintf("%s:%d: %s for %s", m.file, m.line, m.is, m.was)
}

// others maps operators to their replacements.
var others = map[token.Token]string{
	token.LAND: "||", token.LOR: "&&", token.EQL: "!=", token.NEQ: "==", token.LSS: "<=", token.LEQ: "<",
	token.GTR: ">=", token.GEQ: ">", token.ADD: "-", token.SUB: "+", token.MUL: "/", token.REM: "*",
}

func main() {
	log.SetFlags(0)
	n := flag.Int("n", 40, "how many faults, of all that there can be")
	seed := flag.Uint64("seed", uint64(time.Now().Unix()), "which ones")
	also := flag.String("also", "", "arguments of go test for what the package's own tests don't find")
	at := flag.String("at", "", "those at FILE:LINE alone")
	limit := flag.Duration("limit", 10*time.Minute, "how long tests may take: a fault that makes them take longer is found")
	without := flag.Bool("guards", false, "run the simulation without each guard")
	only := flag.String("only", "", "with -guards: those whose name contains this")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if *without {
		switch unnoticed, err := simulateWithout(ctx, *only, *limit); {
		case err != nil:
			log.Fatal(err)
		case unnoticed > 0:
			log.Fatalf("the simulation doesn't notice that %d guards are off", unnoticed)
		}
		return
	}
	var all []mutant
	for _, pattern := range flag.Args() {
		found, err := mutants(ctx, pattern)
		if err != nil {
			log.Fatal(err)
		}
		all = append(all, found...)
	}
	if *at != "" {
		var there []mutant
		for _, m := range all {
			if strings.HasSuffix(fmt.Sprintf("%s:%d", m.file, m.line), *at) {
				there = append(there, m)
			}
		}
		all = there
	}
	rand.New(rand.NewPCG(*seed, 0)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	fmt.Printf("%d faults of %d, seed %d\n", min(*n, len(all)), len(all), *seed)
	found, planted := 0, 0
	for _, m := range all {
		if planted == *n || ctx.Err() != nil {
			break
		}
		switch noticed, err := m.noticed(ctx, *limit, strings.Fields(*also)); {
		case errors.Is(err, errNotBuilt):
			continue
		case err != nil:
			log.Fatal(err)
		case noticed:
			found++
		default:
			fmt.Println("lives", m)
		}
		planted++
	}
	if planted > 0 {
		fmt.Printf("score %d of %d, %d%%\n", found, planted, 100*found/planted)
	}
}

// mutants returns all faults of the packages that match a pattern.
func mutants(ctx context.Context, pattern string) (all []mutant, err error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-json=ImportPath,Dir,GoFiles", pattern).Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w", pattern, err)
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var p struct {
			ImportPath, Dir string
			GoFiles         []string
		}
		if err := dec.Decode(&p); err != nil {
			return nil, err
		}
		for _, name := range p.GoFiles {
			found, err := faults(filepath.Join(p.Dir, name))
			if err != nil {
				return nil, err
			}
			for _, m := range found {
				m.pkg = p.ImportPath
				all = append(all, m)
			}
		}
	}
	return all, nil
}

// faults returns the faults of a file.
func faults(file string) (all []mutant, err error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, file, src, 0)
	if err != nil {
		return nil, err
	}
	add := func(from, to token.Pos, is string) {
		at, end := set.Position(from), set.Position(to)
		all = append(all, mutant{file: file, line: at.Line, from: at.Offset, to: end.Offset, was: string(src[at.Offset:end.Offset]), is: is})
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GenDecl:
			return n.Tok == token.VAR // constants, types and imports get no faults
		case *ast.BinaryExpr:
			if other, ok := others[n.Op]; ok {
				add(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), other)
			}
		case *ast.IfStmt:
			cond := src[set.Position(n.Cond.Pos()).Offset:set.Position(n.Cond.End()).Offset]
			add(n.Cond.Pos(), n.Cond.End(), fmt.Sprintf("!(%s)", cond))
		case *ast.Ident:
			if other := map[string]string{"true": "false", "false": "true"}[n.Name]; other != "" {
				add(n.Pos(), n.End(), other)
			}
		}
		return true
	})
	return all, nil
}

var errNotBuilt = errors.New("it isn't built")

// noticed reports whether a test fails, or takes too long, with the fault.
func (m mutant) noticed(ctx context.Context, limit time.Duration, also []string) (bool, error) {
	dir, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	src, err := os.ReadFile(m.file)
	if err != nil {
		return false, err
	}
	with := filepath.Join(dir, filepath.Base(m.file))
	if err := os.WriteFile(with, append(append(src[:m.from:m.from], m.is...), src[m.to:]...), 0o600); err != nil {
		return false, err
	}
	overlay := filepath.Join(dir, "overlay.json")
	b, err := json.Marshal(map[string]any{"Replace": map[string]string{m.file: with}})
	if err == nil {
		err = os.WriteFile(overlay, b, 0o600)
	}
	if err != nil {
		return false, err
	}
	run := func(args ...string) error {
		return exec.CommandContext(ctx, "go", append([]string{args[0], "-overlay", overlay}, args[1:]...)...).Run()
	}
	if run("build", m.pkg) != nil {
		return false, errNotBuilt
	}
	tests := []string{"test", "-vet=off", "-failfast", "-timeout", limit.String()}
	return run(append(tests, m.pkg)...) != nil || len(also) > 0 && run(append(tests, also...)...) != nil, ctx.Err()
}
