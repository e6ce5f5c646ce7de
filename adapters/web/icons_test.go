package web_test

import (
	"encoding/json"
	"fmt"
	"image/png"
	"regexp"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
)

// The icons named by the manifest and the page exist, with the declared type and size.
// There is one for systems that accept no SVG.
func TestIconsExist(t *testing.T) {
	s := open(t)
	read := func(path string) string {
		t.Helper()
		w := get(s, path, "")
		if w.Code != 200 {
			t.Fatalf("%s: %d", path, w.Code)
		}
		return w.Body.String()
	}
	var manifest struct {
		Icons []struct{ Src, Sizes, Type, Purpose string }
	}
	gametest.Must(t, json.Unmarshal([]byte(read("/static/room.webmanifest")), &manifest))
	sizes := map[string]string{}
	maskable := false
	for _, i := range manifest.Icons {
		if i.Type == "image/png" {
			sizes[i.Src] = i.Sizes
		}
		maskable = maskable || i.Purpose == "maskable"
	}
	touch := regexp.MustCompile(`<link rel="apple-touch-icon" href="([^"]+)"`).FindStringSubmatch(read("/"))
	if len(touch) == 0 || len(sizes) < 3 || !maskable {
		t.Fatalf("the page names %q, the manifest %v", touch, manifest.Icons)
	}
	sizes[touch[1]] = "180x180"
	for path, want := range sizes {
		c, err := png.DecodeConfig(strings.NewReader(read(path)))
		if got := fmt.Sprintf("%dx%d", c.Width, c.Height); err != nil || got != want {
			t.Errorf("%s is of %s, and %s is said (%v)", path, got, want, err)
		}
	}
}
