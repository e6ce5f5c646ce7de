package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A guard is a place in the code without which something goes wrong when several hosts share a
// store: is replaces was, the only place in the file that reads so. OFF in it reports whether the
// guard is turned off.
type guard struct {
	name, file, was, is string
}

// guards lists the guards that the simulation must miss. Those of one name, which follow each other,
// are turned off together.
var guards = []guard{
	{"a post is finished only under its latest claim", "bot/store/claims.go",
		"	if claimed && was.fence != fence {", "	if claimed && was.fence != fence && !OFF {"},
	{"a timer is finished only under its latest claim", "bot/store/claims.go",
		"		case claimed && was.fence != t.Fence:", "		case claimed && was.fence != t.Fence && !OFF:"},
	{"nothing is claimed that a living holder has", "bot/store/claims.go",
		"; at.After(now) ||", "; at.After(now) && !OFF ||"},
	{"what the dead had can be claimed", "bot/store/claims.go",
		" || of[id].ending {\n		return 0, at", " || of[id].ending || OFF && !at.IsZero() {\n		return 0, at"},
	{"hosts go by the store's clock", "bot/store/clock.go",
		"	if !c.read {", "	if !c.read || OFF {"},
	{"a late answer changes the clock little", "bot/store/clock.go",
		"		case !c.read:", "		case !c.read || OFF:"},
	{"a job has one holder", "bot/store/claims.go",
		"c.jobs[job] != h && c.lives(c.jobs[job], now) {", "c.jobs[job] != h && c.lives(c.jobs[job], now) && !OFF {"},
	{"a receipt is found after the next table", "bot/store/memory/memory.go",
		"	if r, ok := ch.receipts[request]; ok {", "	if r, ok := ch.receipts[request]; ok && (!OFF || r.Table == ch.table) {"},
	{"a lane waits for a post that was put off", "bot/store/memory/memory.go",
		"		seen[at] = true", "		seen[at] = !OFF || !p.until.After(now)"},
	{"a request that comes again isn't carried out again", "bot/host/change.go",
		"filed, did = r.Receipt(), nil; filed != nil {", "filed, did = r.Receipt(), nil; filed != nil && !OFF {"},
	{"a request that comes again isn't carried out again", "bot/feature/room.go",
		"	if r.room.Receipt != nil {\n		return nil, nil", "	if r.room.Receipt != nil && !OFF {\n		return nil, nil"},
	{"an answer says whether it was committed", "bot/host/change.go",
		"		d.wakeAfterCommit(ch)\n	}\n	return err", "		d.wakeAfterCommit(ch)\n	}\n	if _, refused := err.(*words.Refusal); OFF && !refused {\n		err = nil\n	}\n	return err"},
	{"events have their post", "bot/host/change.go",
		"	if !table.Private(before, done) {", "	if !table.Private(before, done) && !(OFF && len(done) > 1) {"},
	{"every changed rack is posted, in a batch too", "bot/host/change.go",
		"	had, racks := table.Racks(did.Start), table.Racks(did.After)", "	had, racks := table.Racks(did.Start), table.Racks(did.After)\n	if OFF && len(did.Done) > 1 {\n		return nil\n	}"},
	{"a card changes with its rack", "bot/table/news.go",
		"(held != holds || was != is)", "(held != holds || was != is && !OFF)"},
	{"a rack reaches its owner alone", "bot/host/deliver.go",
		"	m.To = &t.Seats[seat].Person", "	if !OFF {\n		m.To = &t.Seats[seat].Person\n	}"},
	{"a post is passed on only while it is held", "bot/host/deliver.go",
		"	if !held() { // last", "	if !OFF && !held() { // last"},
	{"a post that failed is tried again", "bot/host/deliver.go",
		"		h.deferPost(ctx, is, err, failed)\n		return bot.Later", "		if !OFF {\n			h.deferPost(ctx, is, err, failed)\n			return bot.Later\n		}"},
	{"a post stays queued when its host stops", "bot/host/deliver.go",
		"	case err == nil:\n	case errors.Is(err, feature.ErrNothingToTell):\n		result = bot.Moot", "	case err == nil || OFF && ctx.Err() != nil:\n	case errors.Is(err, feature.ErrNothingToTell):\n		result = bot.Moot"},
	{"a timer that failed is kept", "bot/host/timers.go",
		"			if err := h.fire(ctx, timer); err != nil {", "			if err := h.fire(ctx, timer); err != nil && !OFF {"},
	{"what was kept is dropped with the lease", "bot/host/timers.go",
		"	if !r.held() {\n		r.kept = nil", "	if !OFF && !r.held() {\n		r.kept = nil"},
	{"a turn has its timer", "bot/feature/pace/pace.go",
		"	return []bot.Timer{{At: at, Kind: watchKind, Number: after.Number}}", "	if OFF {\n		return nil\n	}\n	return []bot.Timer{{At: at, Kind: watchKind, Number: after.Number}}"},
	{"the clock has its timer", "bot/feature/pace/feature.go",
		"	all := clockTimer(s.After, s.Last().At)", "	all := clockTimer(s.After, s.Last().At)\n	if OFF {\n		all = nil\n	}"},
	{"a panic ends only what it happens in", "bot/loops/retries.go",
		"		if r := recover(); r != nil {", "		if OFF {\n			return\n		}\n		if r := recover(); r != nil {"},
	{"a claim without an answer ends the lease", "bot/loops/lease.go",
		"	o.mu.Lock()\n	defer o.mu.Unlock()\n	o.begin()\n", "	if OFF {\n		return\n	}\n	o.mu.Lock()\n	defer o.mu.Unlock()\n	o.begin()\n"},
	{"a claim holds only as long as the lease", "bot/loops/lease.go",
		"		return o.name == name && o.lasts()", "		return o.name == name && (OFF || o.lasts())"},
	{"an expired lease isn't renewed", "bot/loops/lease.go",
		"		if o.isExpired() {\n			o.begin()", "		if !OFF && o.isExpired() {\n			o.begin()"},
	{"a job ends with its lease", "bot/loops/elected.go",
		"			elected = c.done != nil && c.held()", "			elected = c.done != nil && (OFF || c.held())"},
	{"a job doesn't wait for the store longer than its lease", "bot/loops/elected.go",
		"	if c.done != nil {\n		wait :=", "	if c.done != nil && !OFF {\n		wait :="},
	{"a loop looks without a hint", "bot/loops/loops.go",
		"		wait := l.look()\n", "		wait := l.look()\n		if OFF {\n			wait *= 1000\n		}\n"},
	{"a request to a competition isn't carried out again", "bot/feature/competition/tournament_direct.go",
		"e.findCaused(cause); again {", "e.findCaused(cause); again && !OFF {"},
	{"both opponents may sit down at the same moment", "bot/feature/competition/tournament_play.go",
		"	place := e.place(s.at)\n	ours := ", "	if OFF {\n		e = s.event\n	}\n	place := e.place(s.at)\n	ours := "},
	{"a game counts whose row couldn't be read at its end", "bot/feature/competition/book.go",
		"err == nil && (!found || !row.isGame()) {", "(err == nil || OFF) && (!found || !row.isGame()) {"},
	{"a competition posts once for a cause", "bot/feature/room.go",
		"		if r.Receipt() == nil {\n			fill(r)", "		if r.Receipt() == nil || OFF {\n			fill(r)"},
	{"a post of an unknown kind is left to others", "bot/host/deliver.go",
		"	case !known && post.Kind", "	case !OFF && !known && post.Kind"},
	{"the agenda keeps the earliest of a kind's times", "bot/loops/agenda.go",
		"		a.due[kind] = Earlier(at, t.At)\n", "		if a.due[kind] = Earlier(at, t.At); OFF && t.At.After(at) {\n			a.due[kind] = t.At\n		}\n"},
	{"the agenda asks the store now and then", "bot/loops/agenda.go",
		"	if now.Sub(a.at) >= a.every || now.Before(a.at) {", "	if !OFF && (now.Sub(a.at) >= a.every || now.Before(a.at)) {"},
}

// guardOff names the environment variable that turns a guard off.
const guardOff = "RACKMATE_GUARD_OFF"

// simulateWithout runs the simulation without each guard whose name contains only, each for at most
// limit, and returns how many it didn't miss. With no guard turned off the simulation must pass.
func simulateWithout(ctx context.Context, only string, limit time.Duration) (unnoticed int, err error) {
	dir, err := os.MkdirTemp("", "guards")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	overlay, err := turnable(dir)
	if err != nil {
		return 0, err
	}
	test := filepath.Join(dir, "features.test")
	build := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", test, "./bot/features")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return 0, fmt.Errorf("build the simulation with guards that can be turned off: %w", err)
	}
	run := func(off string, limit time.Duration) (took time.Duration, noticed bool, said string) {
		began := time.Now()
		ctx, cancel := context.WithTimeout(ctx, 2*limit+time.Minute) // a history that never ends is noticed too
		defer cancel()
		cmd := exec.CommandContext(ctx, test, "-test.run=^TestSimulation$", "-simulate-for="+limit.String(), "-test.timeout=0")
		cmd.Env = append(os.Environ(), guardOff+"="+off)
		cmd.Dir = filepath.Join("bot", "features")
		out, err := cmd.CombinedOutput()
		return time.Since(began), err != nil, firstFinding(string(out))
	}
	if _, noticed, said := run("", min(limit, 20*time.Second)); noticed {
		return 0, errors.New("the simulation fails with all guards on: " + said)
	}
	for i, g := range guards {
		if !strings.Contains(g.name, only) || i > 0 && guards[i-1].name == g.name {
			continue
		}
		took, noticed, said := run(g.name, limit)
		if ctx.Err() != nil {
			return unnoticed, ctx.Err()
		}
		if !noticed {
			unnoticed++
			said = "NOBODY NOTICES"
		}
		fmt.Printf("%6.1fs  without: %s\n         %s\n", took.Seconds(), g.name, said)
	}
	return unnoticed, nil
}

// firstFinding returns the line of a test's output that says what went wrong.
func firstFinding(out string) string {
	for line := range strings.Lines(out) {
		if strings.Contains(line, "repeat it with") || strings.HasPrefix(line, "panic:") {
			return strings.TrimSpace(line)
		}
	}
	return strings.TrimSpace(out)
}

// turnable writes an overlay in which the environment turns each guard off.
func turnable(dir string) (overlay string, err error) {
	root, err := os.Getwd()
	if err != nil {
		return "", err
	}
	sources, replaced := map[string]string{}, map[string]string{}
	for _, g := range guards {
		file := filepath.Join(root, g.file)
		src := sources[file]
		if src == "" {
			b, err := os.ReadFile(file)
			if err != nil {
				return "", err
			}
			src = string(b)
		}
		off := "guardOff(" + strconv.Quote(g.name) + ")"
		was, is := g.was, strings.ReplaceAll(g.is, "OFF", off)
		if n := strings.Count(src, was); n != 1 {
			return "", fmt.Errorf("%s has the guard %q %d times; say in guards.go how it reads now", g.file, g.was, n)
		}
		sources[file] = strings.Replace(src, was, is, 1)
	}
	for file, src := range sources {
		f, err := parser.ParseFile(token.NewFileSet(), file, src, parser.PackageClauseOnly)
		if err != nil {
			return "", err
		}
		with := filepath.Join(dir, strconv.Itoa(len(replaced))+".go")
		if err := os.WriteFile(with, []byte(src), 0o600); err != nil {
			return "", err
		}
		replaced[file] = with
		helper := filepath.Join(filepath.Dir(file), "guard_off.go")
		if replaced[helper] != "" {
			continue
		}
		with = filepath.Join(dir, f.Name.Name+"_guard_off.go")
		text := "package " + f.Name.Name + "\n\nimport \"os\"\n\nvar guardNowOff = os.Getenv(" + strconv.Quote(guardOff) + ")\n\nfunc guardOff(name string) bool { return name == guardNowOff }\n"
		if err := os.WriteFile(with, []byte(text), 0o600); err != nil {
			return "", err
		}
		replaced[helper] = with
	}
	b, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return "", err
	}
	overlay = filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, b, 0o600)
}
