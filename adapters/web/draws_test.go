package web_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/record"
)

// findNode returns the path of node, which runs the tests of the pages' scripts. If there
// is none, it skips the test, unless RACKMATE_NODE=required.
func findNode(t *testing.T) string {
	t.Helper()
	if gametest.Race {
		t.Skip("what node runs is the same without the race detector")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv("RACKMATE_NODE") == "required" {
			t.Fatal("no node found, and RACKMATE_NODE requires it (Debian: apt install nodejs)")
		}
		t.Skip("no node found: install it (Debian: apt install nodejs) to test the page's scripts")
	}
	return node
}

// A drawChecker is the browser's checker, run by node.
type drawChecker struct {
	t   *testing.T
	in  io.Writer
	out *bufio.Scanner
}

func startDrawChecker(t *testing.T) *drawChecker {
	t.Helper()
	cmd := exec.Command(findNode(t), "testdata/draws.mjs")
	cmd.Stderr = os.Stderr
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	gametest.Must(t, cmd.Start())
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the checker: %v", err)
		}
	})
	return &drawChecker{t, in, bufio.NewScanner(out)}
}

// check returns the checker's answer to a proof.
func (c *drawChecker) check(proof []byte) string {
	c.t.Helper()
	var line bytes.Buffer
	gametest.Must(c.t, json.Compact(&line, proof))
	line.WriteByte('\n')
	if _, err := c.in.Write(line.Bytes()); err != nil || !c.out.Scan() {
		c.t.Fatal(err, c.out.Err())
	}
	return c.out.Text()
}

// A visitor of a finished game checks its draws in the browser, and a wrong digest is
// refused.
func TestBrowserChecksDraws(t *testing.T) {
	browser := chromium(t)
	h, page, _ := playing(t)
	server := h.serves()
	early := newWindow(t, browser, "somebody early", server.URL+"/draws?game="+strings.TrimPrefix(page, "/g/"), 360, 740)
	early.shows("#page-said.bad", "I can't get the proof of that game here. You can have it once the game is over, or choose it as a file.")

	h.resigns(cora, salon)
	w := newWindow(t, browser, "a watcher", server.URL+page, 360, 740)
	w.wait(`document.querySelector("#review")`)
	w.tap(`[...document.querySelectorAll(".after-buttons a")].find((a) => a.textContent === "Check the draws yourself")`)
	// The page has only the host's word until the visitor enters the line from the channel.
	w.wait(`document.querySelector("#page-said:not(.bad)")?.textContent.startsWith("The file agrees with itself, but so far you only have the host's word.")`)
	resp, err := http.Get(server.URL + page + "/files/proof")
	gametest.Must(t, err)
	file, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	gametest.Must(t, err)
	proof, err := record.ParseProof(file)
	gametest.Must(t, err)
	w.posts("Cora wants to play.\nFair draws: " + strings.ToUpper(game.Digest(proof.Secret.Commitment())))
	// If both draw the same letter, they draw again for who goes first.
	w.wait(`/^The proof holds: all [2-9] draws come/.test(document.querySelector("#page-said:not(.bad)")?.textContent)`)
	w.wait(`document.querySelector("#page-said").textContent.includes("all " + document.querySelectorAll("#drawn li").length + " draws")`)
	w.legible("the checker")
	w.posts("Fair draws: aaaa-aaaa-aaaa-aaaa-aaaa-aaaa-aaaa-aaaa")
	w.shows("#page-said.bad", "The proof doesn't hold: its secret isn't the one whose digest was posted when the table opened.")
	w.posts("https://example.org/channels/1/2/3")
	w.shows("#page-said.bad", "I can't open links. Open that message and copy its line in small type.")
	w.quiet("")
}

// posts enters the line in small type of a table's message.
func (w *window) posts(line string) {
	w.t.Helper()
	w.wait(fmt.Sprintf(`(() => { const p = document.querySelector("#posted"); p.value = %s; p.dispatchEvent(new Event("change")); return true; })()`, quote(line)))
}

// provable returns, for every way of playing, a function that makes a random game from a
// seed.
func provable(t *testing.T) []func(seed uint64) []game.Event {
	var all []func(uint64) []game.Event
	add := func(rules game.Rules) {
		all = append(all, func(seed uint64) []game.Event {
			players := rules.MinPlayers + int(seed)%(min(rules.MaxPlayers, len(gametest.People))-rules.MinPlayers+1)
			return gametest.RandomGame(t, seed, players, rules)
		})
	}
	for _, rules := range game.RuleSets() {
		for i, order := range game.Orders() {
			rules.Order, rules.Challenge = order, game.ChallengeRules()[i%len(game.ChallengeRules())]
			add(rules)
		}
	}
	for _, v := range game.Variants() {
		if v.Shared {
			all = append(all, func(seed uint64) []game.Event {
				rules := gametest.Duplicate(time.Hour)
				rules.Challenge = game.ChallengeRules()[seed%2]
				return gametest.RandomDuplicate(t, seed, 2+int(seed%6), rules)
			})
			continue
		}
		for _, challenge := range []game.ChallengeRule{game.Void, game.Single, game.TenPoint} {
			rules := game.Classic()
			rules.Variant, rules.Challenge = v.Name, challenge
			rules, _ = gametest.EquipVariant(t, rules)
			add(rules)
		}
	}
	return all
}

// TestCheckersAgreeOnRandomGames gives random games of all variants to the browser's checker,
// which was written from the page on proofs alone, and to the program's own: as they were
// played, and with one change that a draw depends on.
func TestCheckersAgreeOnRandomGames(t *testing.T) {
	t.Parallel()
	c := startDrawChecker(t)
	ways := provable(t)
	seen := map[string]int{}
	games := gametest.Rounds(40, 150) // each has some 25 proofs with changes in a long run
	for i := range games {
		events := ways[i%len(ways)](uint64(i))
		name := fmt.Sprintf("seed %d, %s %s", i, events[0].Fact.(game.Opened).Rules.Name, events[0].Fact.(game.Opened).Rules.Variant)
		for _, e := range events {
			seen[fmt.Sprintf("%T", e.Fact)]++
			if f, ok := e.Fact.(game.Challenged); ok && len(f.Invalid) > 0 {
				seen[events[0].Fact.(game.Opened).Rules.Variant+" challenged off"]++
			}
		}
		p, err := record.NewProof(events)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		file, err := p.File()
		gametest.Must(t, err)
		draws, err := p.Check()
		if err != nil {
			t.Errorf("%s: the program says %v", name, err)
		}
		if got, want := c.check(file), fmt.Sprintf("holds %d", draws); got != want {
			t.Errorf("%s: the page's checker says %s, the program %s", name, got, want)
		}
		// With this seed, the few games of a short run cover each kind of change.
		changed, what := tamper(t, rand.New(rand.NewPCG(uint64(i), gametest.Rounds[uint64](4, 1))), file)
		seen[what]++
		if p, err := record.ParseProof(changed); err == nil {
			if _, err := p.Check(); err == nil {
				t.Errorf("%s: the program doesn't see that somebody %s", name, what)
			}
		}
		if got := c.check(changed); strings.HasPrefix(got, "holds") {
			t.Errorf("%s: the page's checker doesn't see that somebody %s", name, what)
		}
		for what, changed := range misreported(t, file) {
			seen[what]++
			if got := c.check(changed); strings.HasPrefix(got, "holds") {
				t.Errorf("%s: the page's checker doesn't see that somebody %s", name, what)
			}
		}
		for n := 1 + i%gametest.Rounds(9, 1); n < len(events); n += gametest.Rounds(9, 1) {
			seen["left out"]++
			c.checkWithout(name, file, events, n)
		}
	}
	for _, what := range append([]string{"double-bag challenged off", "game.Ordered", "game.Balloted", "game.OrderDrawn", "game.Exchanged", "game.RackDrawn", "game.BagSplit", "game.SetUp", "game.Left", "game.Preferred",
		"raised a play's score", "raised a word's score", "raised a submission's score", "raised what a turn scores", "raised what lifted tiles score", "gave points for a challenge", "took points for a challenge",
		"changed what a rack costs", "took points for overtime", "changed the winner", "left out"}, tampers...) {
		if seen[what] == 0 {
			t.Errorf("among all the games there was no %s", what)
		}
	}
	t.Log(seen)
}

// editable is a proof whose events can be changed.
type editable struct {
	Format     string           `json:"format"`
	Commitment string           `json:"commitment"`
	Secret     string           `json:"secret"`
	Events     []map[string]any `json:"events"`
}

// edit returns a copy of a proof with changed events, renumbered.
func edit(t *testing.T, file []byte, change func(*editable)) []byte {
	t.Helper()
	var p editable
	gametest.Must(t, json.Unmarshal(file, &p))
	change(&p)
	for n, e := range p.Events {
		e["n"] = n
	}
	b, err := json.Marshal(p)
	gametest.Must(t, err)
	return b
}

// checkWithout checks that the checker judges a proof without one of its events as the program does.
func (c *drawChecker) checkWithout(name string, file []byte, events []game.Event, n int) {
	c.t.Helper()
	changed := edit(c.t, file, func(p *editable) { p.Events = slices.Delete(p.Events, n, n+1) })
	p, err := record.ParseProof(changed)
	if err == nil {
		_, err = p.Check()
	}
	if got := c.check(changed); (err == nil) != strings.HasPrefix(got, "holds") {
		c.t.Errorf("%s: without event %d, %T, the page's checker says %s, the program %v", name, n, events[n].Fact, got, err)
	}
}

// TestCheckersAgreeOnStoredGames checks the stored games of all kinds, which have clocks, seats that
// players left, challenges and matches, whole and without each of their events.
func TestCheckersAgreeOnStoredGames(t *testing.T) {
	t.Parallel()
	c := startDrawChecker(t)
	logs, err := filepath.Glob("../../game/record/testdata/v1-*.jsonl")
	gametest.Must(t, err)
	proved := 0
	for _, log := range logs {
		b, err := os.ReadFile(log)
		gametest.Must(t, err)
		events, err := record.UnmarshalLog(bytes.Split(bytes.TrimSpace(b), []byte("\n")))
		gametest.Must(t, err)
		p, err := record.NewProof(events)
		if err != nil {
			continue // it isn't over
		}
		file, err := p.File()
		gametest.Must(t, err)
		name := filepath.Base(log)
		if _, err := p.Check(); err != nil {
			t.Logf("%s: %v", name, err)
			if got := c.check(file); strings.HasPrefix(got, "holds") {
				t.Errorf("%s: the page's checker says %s, the program %v", name, got, err)
			}
			continue
		}
		proved++
		if got := c.check(file); !strings.HasPrefix(got, "holds") {
			t.Errorf("%s: the page's checker says %s", name, got)
		}
		for n := 1; n < len(events); n++ {
			c.checkWithout(name, file, events, n)
		}
	}
	if proved < 5 {
		t.Errorf("only %d stored games are whole", proved)
	}
}

// misreported returns a proof with changed points and winners, by what was changed.
func misreported(t *testing.T, file []byte) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	more := func(v any) any { n, _ := v.(float64); return n + 1 }
	swapped := func(v any) any {
		list, _ := v.([]any)
		if len(list) == 1 && list[0] == 0.0 {
			return []any{1.0}
		}
		return []any{0.0}
	}
	change := func(what, kind, field string, to func(any) any) {
		var whole editable
		gametest.Must(t, json.Unmarshal(file, &whole))
		at := slices.IndexFunc(whole.Events, func(e map[string]any) bool { return e["kind"] == kind })
		if at < 0 {
			return
		}
		all[what] = edit(t, file, func(p *editable) {
			fact := p.Events[at]["fact"].(map[string]any)
			fact[field] = to(fact[field])
		})
	}
	first := func(v any) any {
		list, _ := v.([]any)
		if len(list) == 0 {
			return []any{1.0}
		}
		list[0] = more(list[0])
		return list
	}
	word := func(v any) any {
		list, _ := v.([]any)
		w := list[0].(map[string]any)
		w["score"] = more(w["score"])
		return list
	}
	change("raised a play's score", "played", "score", more)
	change("raised a word's score", "played", "words", word)
	change("raised a submission's score", "submitted", "score", more)
	change("raised what a turn scores", "turn-scored", "scores", first)
	change("raised what lifted tiles score", "lifted", "score", more)
	change("gave points for a challenge", "challenged", "bonus", more)
	change("took points for a challenge", "challenged", "cost", more)
	change("changed what a rack costs", "ended", "adjust", first)
	change("took points for overtime", "ended", "overtime", first)
	change("changed the winner", "ended", "winners", swapped)
	return all
}

// tampers lists the changes that tamper makes.
var tampers = []string{"changed a drawn tile", "changed the order of drawn tiles", "changed the commitment", "changed the secret", "changed how somebody joined", "changed the tile set", "changed how many vowels were drawn", "changed the order of the seats", "changed who begins"}

// tamper changes one detail of a proof that a draw depends on, or that a draw decided.
func tamper(t *testing.T, rng *rand.Rand, file []byte) (changed []byte, what string) {
	t.Helper()
	var proof struct {
		Format     string           `json:"format"`
		Commitment string           `json:"commitment"`
		Secret     string           `json:"secret"`
		Events     []map[string]any `json:"events"`
	}
	gametest.Must(t, json.Unmarshal(file, &proof))
	// find returns a random event whose facts fit, or nil.
	find := func(fits func(kind string, fact map[string]any) bool) map[string]any {
		for _, i := range rng.Perm(len(proof.Events)) {
			kind := proof.Events[i]["kind"].(string)
			if fact, ok := proof.Events[i]["fact"].(map[string]any); ok && fits(kind, fact) {
				return fact
			}
		}
		return nil
	}
	drewText := func(least int) func(string, map[string]any) bool {
		return func(_ string, fact map[string]any) bool {
			drew, _ := fact["drew"].(string)
			return len(drew) >= least && strings.Trim(drew, drew[:1]) != "" || least == 1 && drew != ""
		}
	}
	number := func(fact map[string]any, field string) float64 { n, _ := fact[field].(float64); return n }
	drawn := find(drewText(2)) != nil // enough that another seed can't give the same by chance
	opened := proof.Events[0]["fact"].(map[string]any)
	order := rng.Perm(len(tampers))
	if rng.IntN(2) == 0 { // try rare changes first
		order = []int{6, 7, 4, 1, 0, 2}
	}
	for _, i := range order {
		switch what = tampers[i]; what {
		case "changed a drawn tile":
			if fact := find(drewText(1)); fact != nil {
				drew := []byte(fact["drew"].(string))
				i := rng.IntN(len(drew))
				drew[i] = "BA"[strings.IndexByte("B", drew[i])+1]
				fact["drew"] = string(drew)
				break
			}
			what = ""
		case "changed the order of drawn tiles":
			if fact := find(drewText(2)); fact != nil {
				drew := []byte(fact["drew"].(string))
				i := slices.IndexFunc(drew, func(b byte) bool { return b != drew[0] })
				drew[0], drew[i] = drew[i], drew[0]
				fact["drew"] = string(drew)
				break
			}
			what = ""
		case "changed the commitment":
			proof.Commitment = strings.Map(func(r rune) rune {
				if r == '0' {
					return '1'
				}
				return '0'
			}, proof.Commitment)
		case "changed the secret":
			if !drawn {
				what = ""
				break
			}
			secret, err := hex.DecodeString(proof.Secret)
			gametest.Must(t, err)
			secret[rng.IntN(len(secret))]++
			sum := sha256.Sum256(secret)
			proof.Secret, proof.Commitment = hex.EncodeToString(secret), hex.EncodeToString(sum[:])
			opened["secret"] = proof.Secret
		case "changed how somebody joined":
			last := -1
			for i, e := range proof.Events {
				if e["kind"] == "started" {
					break
				} else if e["kind"] == "joined" {
					last = i
				}
			}
			if last < 0 || !drawn {
				what = ""
				break
			}
			proof.Events[last]["cause"] = "chosen"
		case "changed the tile set":
			if !drawn {
				what = ""
				break
			}
			letters := opened["tiles"].(map[string]any)["letters"].([]any)
			kind := letters[rng.IntN(len(letters))].(map[string]any)
			kind["count"] = number(kind, "count") + 1
		case "changed how many vowels were drawn":
			if fact := find(func(kind string, fact map[string]any) bool { return kind != "preferred" && number(fact, "vowels") > 0 }); fact != nil {
				fact["vowels"] = number(fact, "vowels") - 1
				break
			}
			what = ""
		case "changed the order of the seats":
			if fact := find(func(kind string, fact map[string]any) bool {
				return kind == "ordered" && len(fact["order"].([]any)) > 1
			}); fact != nil {
				order := fact["order"].([]any)
				order[0], order[1] = order[1], order[0]
				break
			}
			what = ""
		case "changed who begins":
			if fact := find(func(kind string, fact map[string]any) bool { return kind == "dealt" && len(fact["racks"].([]any)) > 1 }); fact != nil {
				fact["first"] = float64(len(fact["racks"].([]any)) - 1 - int(number(fact, "first")))
				if len(fact["racks"].([]any)) == 3 && number(fact, "first") == 1 {
					fact["first"] = 0.0
				}
				break
			}
			what = ""
		}
		if what != "" {
			break
		}
	}
	changed, err := json.Marshal(proof)
	gametest.Must(t, err)
	return changed, what
}
