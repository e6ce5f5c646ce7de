package web_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/movegen"
)

// A driver runs a WebDriver command by its name, such as "Navigate", and returns the value
// of the answer.
type driver func(command string, in any) (json.RawMessage, error)

// A stranger is a window of a browser other than Chromium, driven by WebDriver.
type stranger struct {
	t    *testing.T
	name string
	do   driver
}

// strangers starts the other browsers, by name.
var strangers = map[string]func(t *testing.T) driver{"Firefox": firefox, "WebKit": webkit}

// found returns the path of the first program that exists. If none does, it skips the test,
// unless RACKMATE_BROWSER=required.
func found(t *testing.T, install string, names ...string) string {
	t.Helper()
	for _, name := range names {
		if strings.Contains(name, "*") {
			if all, err := filepath.Glob(name); err == nil && len(all) > 0 {
				return all[0]
			}
		} else if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("RACKMATE_BROWSER") == "required" {
		t.Fatalf("none of %q is here: apt install %s", names, install)
	}
	t.Skipf("none of %q is here: apt install %s", names, install)
	return ""
}

// starts runs a program until the test ends.
func starts(t *testing.T, env []string, path string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(path, args...)
	cmd.Env = append(os.Environ(), env...)
	gametest.Must(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait() // reports that it was killed
	})
	return cmd
}

// until retries a function until it succeeds.
func until(t *testing.T, what string, try func() error) {
	t.Helper()
	err := errors.New("not tried")
	for began := time.Now(); err != nil; time.Sleep(20 * time.Millisecond) {
		if err = try(); err != nil && time.Since(began) > patience {
			t.Fatalf("%s: %v", what, err)
		}
	}
}

// firefoxSettings turn off everything that calls other hosts, and allow notifications.
const firefoxSettings = `user_pref("marionette.port", 0);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("toolkit.telemetry.enabled", false);
user_pref("app.update.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.aboutwelcome.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("services.settings.server", "data:,");
user_pref("extensions.update.enabled", false);
user_pref("browser.safebrowsing.malware.enabled", false);
user_pref("browser.safebrowsing.phishing.enabled", false);
user_pref("permissions.default.desktop-notification", 1);
user_pref("ui.prefersReducedMotion", 1);
`

// firefox starts Firefox. It speaks Marionette, which is WebDriver over a socket. Debian
// lacks geckodriver, which would translate.
func firefox(t *testing.T) driver { return firefoxWith(t, "") }

func firefoxWith(t *testing.T, settings string) driver {
	t.Helper()
	path := found(t, "firefox-esr", "firefox-esr", "firefox")
	profile := t.TempDir()
	gametest.Must(t, os.WriteFile(filepath.Join(profile, "user.js"), []byte(firefoxSettings+settings), 0o600))
	starts(t, []string{"HOME=" + profile, "MOZ_CRASHREPORTER_DISABLE=1"}, path, "--headless", "--marionette", "--no-remote", "--profile", profile)
	var line net.Conn
	until(t, "reach Firefox", func() error {
		port, err := os.ReadFile(filepath.Join(profile, "MarionetteActivePort"))
		if err == nil {
			line, err = net.Dial("tcp", "127.0.0.1:"+strings.TrimSpace(string(port)))
		}
		return err
	})
	t.Cleanup(func() { line.Close() })
	in := bufio.NewReader(line)
	read := func() (message []json.RawMessage, err error) { // LENGTH:JSON
		size, err := in.ReadString(':')
		n, err2 := strconv.Atoi(strings.TrimSuffix(size, ":"))
		if err = errors.Join(err, err2); err != nil {
			return nil, err
		}
		body := make([]byte, n)
		if _, err := io.ReadFull(in, body); err != nil {
			return nil, err
		}
		if body[0] == '{' {
			return nil, nil // its greeting
		}
		return message, json.Unmarshal(body, &message)
	}
	if _, err := read(); err != nil {
		t.Fatal(err)
	}
	n := 0
	do := func(command string, in any) (json.RawMessage, error) {
		n++
		body, err := json.Marshal([]any{0, n, "WebDriver:" + command, in})
		if err != nil {
			return nil, err
		}
		if _, err := fmt.Fprintf(line, "%d:%s", len(body), body); err != nil {
			return nil, err
		}
		answer, err := read() // [1, id, error, value]
		if err != nil || len(answer) != 4 {
			return nil, fmt.Errorf("%s: %v, %q", command, err, answer)
		}
		if string(answer[2]) != "null" {
			return nil, fmt.Errorf("%s: %s", command, answer[2])
		}
		var value struct{ Value json.RawMessage }
		if err := json.Unmarshal(answer[3], &value); err != nil {
			return nil, nil //nolint:nilerr // some commands have no value
		}
		return value.Value, nil
	}
	if _, err := do("NewSession", obj{}); err != nil {
		t.Fatal(err)
	}
	return do
}

// webkit starts WebKit's smallest browser, on a virtual screen.
func webkit(t *testing.T) driver {
	t.Helper()
	const install = "webkit2gtk-driver xvfb"
	speaks := found(t, install, "WebKitWebDriver")
	browser := found(t, install, "/usr/lib/*/webkit2gtk-*/MiniBrowser")
	shown, display, err := os.Pipe()
	gametest.Must(t, err)
	defer shown.Close()
	screen := exec.Command(found(t, install, "Xvfb"), "-displayfd", "3", "-screen", "0", "1400x1000x24", "-nolisten", "tcp")
	screen.ExtraFiles = []*os.File{display}
	gametest.Must(t, screen.Start())
	display.Close()
	t.Cleanup(func() {
		screen.Process.Kill()
		screen.Wait() // reports that it was killed
	})
	number, err := bufio.NewReader(shown).ReadString('\n')
	if err != nil {
		t.Fatal("the screen: ", err)
	}
	port := freePort(t)
	starts(t, []string{"DISPLAY=:" + strings.TrimSpace(number), "HOME=" + t.TempDir(), "NO_AT_BRIDGE=1"}, speaks, "--port="+port)
	at := "http://127.0.0.1:" + port + "/session"
	call := func(method, path string, in any) (json.RawMessage, error) {
		body, err := json.Marshal(in)
		if err != nil {
			return nil, err
		}
		req, err := http.NewRequestWithContext(context.Background(), method, at+path, bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		w, err := http.DefaultClient.Do(req)
		if err != nil {
			return nil, err
		}
		defer w.Body.Close()
		var out struct{ Value json.RawMessage }
		if err := json.NewDecoder(w.Body).Decode(&out); err != nil || w.StatusCode != 200 {
			return nil, fmt.Errorf("%s: %d %s %v", path, w.StatusCode, out.Value, err)
		}
		return out.Value, nil
	}
	var session struct{ SessionID string }
	until(t, "reach WebKit", func() error {
		b, err := call("POST", "", obj{"capabilities": obj{"alwaysMatch": obj{"webkitgtk:browserOptions": obj{"binary": browser, "args": []string{"--automation"}}}}})
		if err == nil {
			err = json.Unmarshal(b, &session)
		}
		return err
	})
	t.Cleanup(func() { call("DELETE", "/"+session.SessionID, nil) }) // it closes the browser
	paths := map[string]string{"Navigate": "/url", "ExecuteScript": "/execute/sync", "PerformActions": "/actions", "SetWindowRect": "/window/rect"}
	return func(command string, in any) (json.RawMessage, error) {
		return call("POST", "/"+session.SessionID+paths[command], in)
	}
}

// freePort returns a port on which no program listens.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	gametest.Must(t, err)
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

func (s *stranger) must(command string, in any) json.RawMessage {
	s.t.Helper()
	value, err := s.do(command, in)
	if err != nil {
		s.t.Fatalf("%s: %v", s.name, err)
	}
	return value
}

// opens opens an address, and makes the page record its errors.
func (s *stranger) opens(url string) {
	s.t.Helper()
	s.must("Navigate", obj{"url": url})
	s.eval(`window.wrong = []; for (const kind of ["error", "unhandledrejection"]) addEventListener(kind, (e) => wrong.push(String(e.message ?? e.reason)))`)
}

// eval runs a script and returns its result.
func (s *stranger) eval(script string) json.RawMessage {
	s.t.Helper()
	return s.must("ExecuteScript", obj{"script": script, "args": []any{}})
}

// wait waits until an expression in the page is true.
func (s *stranger) wait(js string) {
	s.t.Helper()
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		value, err := s.do("ExecuteScript", obj{"script": "try { return Boolean(" + js + "); } catch { return false; }", "args": []any{}})
		if err == nil && string(value) == "true" {
			return
		}
		if time.Since(began) > patience {
			s.t.Fatalf("%s: never %s (%v)\nThe page:\n%s", s.name, js, err, s.eval("return document.body.innerText.slice(-1500) + ' ' + wrong"))
		}
	}
}

func (s *stranger) shows(selector, text string) {
	s.t.Helper()
	s.wait(fmt.Sprintf(`document.querySelector(%s)?.innerText.includes(%s)`, quote(selector), quote(text)))
}

// tap clicks the element that an expression finds, once it exists.
func (s *stranger) tap(find string) {
	s.t.Helper()
	s.wait(`((node) => node && (node.click(), true))(` + find + `)`)
}

// moves moves the mouse along places, with the button pressed from the first to the last.
func (s *stranger) moves(places ...obj) {
	s.t.Helper()
	var all []obj
	for i, at := range places {
		all = append(all, obj{"type": "pointerMove", "duration": min(i, 1) * 30, "origin": "viewport", "x": at["x"], "y": at["y"]})
		if i == 0 {
			all = append(all, obj{"type": "pointerDown", "button": 0})
		}
	}
	all = append(all, obj{"type": "pointerUp", "button": 0})
	s.must("PerformActions", obj{"actions": []obj{{"type": "pointer", "id": "mouse", "parameters": obj{"pointerType": "mouse"}, "actions": all}}})
}

// middle returns the middle of an element once it stands still. It retries, because
// WebKit's driver sometimes loses a script's result.
func (s *stranger) middle(selector string) (at obj) {
	s.t.Helper()
	find := fmt.Sprintf(`const r = document.querySelector(%s)?.getBoundingClientRect();
		if (!(r?.width > 0 && r.top >= 0 && r.bottom <= innerHeight) || document.getAnimations().some((a) => a.playState === "running")) return null;
		return { x: Math.round(r.left + r.width / 2), y: Math.round(r.top + r.height / 2) }`, quote(selector))
	for began := time.Now(); at == nil; {
		value, err := s.do("ExecuteScript", obj{"script": find, "args": []any{}})
		if err == nil {
			err = json.Unmarshal(value, &at)
		}
		if at == nil && time.Since(began) > patience {
			s.t.Fatalf("%s: %s is at %s (%v)", s.name, selector, value, err)
		}
	}
	return at
}

func (s *stranger) click(selector string) {
	s.t.Helper()
	s.moves(s.middle(selector))
}

// types types into the focused element.
func (s *stranger) types(text string) {
	s.t.Helper()
	var all []obj
	for _, c := range text {
		all = append(all, obj{"type": "keyDown", "value": string(c)}, obj{"type": "keyUp", "value": string(c)})
	}
	s.must("PerformActions", obj{"actions": []obj{{"type": "key", "id": "keys", "actions": all}}})
}

const enterKey = "\ue007" // WebDriver's code for Enter

// reaches does nothing, since the whole board is in view.
func (s *stranger) reaches(int) {}

// A player plays a whole game in Firefox and in WebKit. They lay a third of the plays with
// the mouse, dragging one tile of each, and type the others; the opponent plays through the
// API. The page has no errors and shows the end.
func TestWholeGameInOtherBrowsers(t *testing.T) {
	if !gametest.Long() && !namedTest() {
		t.Skip("a whole game in each browser is played with -long")
	}
	for name, start := range strangers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			server := h.serves()
			bob := h.enters("Bob")
			ann := &stranger{t, name, start(t)}
			ann.must("SetWindowRect", obj{"x": 0, "y": 0, "width": 1280, "height": 960})
			ann.opens(server.URL + "/#general")
			ann.wait(`document.activeElement?.id === "entry-name"`)
			ann.types("Ann" + enterKey)
			ann.wait(`document.activeElement?.id === "box"`)
			ann.types("/new seats:2 ")
			ann.wait(`document.getElementById("box").value === "/new seats:2 "`)
			ann.types(enterKey)
			ann.shows("#messages", "wants to play")
			bob.says("/join")
			ann.shows("#board .caption", "goes first")
			g, err := movegen.New(h.lexicon, h.equipment, h.state().Rules)
			gametest.Must(t, err)
			turns := 0
			for ; turns < 80; turns++ {
				s := h.state()
				switch {
				case s.Phase == game.Closing && s.Seats[s.Latest.Seat].Person.Name == "Ann":
					bob.says("/pass")
					continue
				case s.Phase == game.Closing:
					ann.tap(`[...document.querySelectorAll("#board .beside button")].find((b) => b.innerText === "Accept it")`)
					ann.wait(`!document.querySelector(".ending").hidden`)
					continue
				}
				if s.Phase != game.Playing {
					break
				}
				do := h.move(g, s)
				switch mine := s.Seats[s.Turn].Person.Name == "Ann"; {
				case !mine:
					bob.says(do.line)
				case len(do.laid) == 0 || turns%6 > 1: // typing is faster
					ann.click("#box")
					ann.types(do.line + enterKey)
				default:
					drags := do.laid[0]
					if !drags.blank {
						ann.wait(fmt.Sprintf(`document.querySelectorAll(".rack button").length === %d`, len(s.Seats[s.Turn].Rack)))
						from, to := ann.middle(`.rack button[aria-label^="`+drags.letter+`,"]`), ann.middle(fmt.Sprintf(`[data-square="%d"]`, drags.square))
						between := obj{"x": (from["x"].(float64) + to["x"].(float64)) / 2, "y": (from["y"].(float64) + to["y"].(float64)) / 2}
						ann.moves(from, between, to)
						lay(ann, do.laid[1:])
					} else {
						lay(ann, do.laid)
					}
					ann.wait(fmt.Sprintf(`document.querySelector(".controls .play:not([aria-disabled])")?.innerText === "Play %d"`, do.score))
					ann.click(".controls .play")
				}
				ann.shows("#board .caption", do.told)
			}
			if h.state().Phase != game.Over {
				t.Fatalf("after %d turns the game is not over", turns)
			}
			ann.shows(".ending h2", "Game over")
			if wrong := string(ann.eval("return wrong.join('; ')")); wrong != `""` {
				t.Errorf("in the page went wrong: %s", wrong)
			}
		})
	}
}
