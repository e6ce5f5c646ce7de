package discord_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/adapters/discord"
	"github.com/rackmate/rackmate/adapters/discord/discordtest"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/lexicon"
)

// TestDocumentedSamples feeds every JSON sample of Discord's documentation to the adapter,
// as it is and as an interaction of each type. The adapter must answer or refuse it, and
// never panic. testdata/SOURCES.md has the sources of the samples.
func TestDocumentedSamples(t *testing.T) {
	t.Parallel()
	var samples []struct {
		Page string
		Line int
		JSON json.RawMessage
	}
	b, err := os.ReadFile("testdata/samples.json")
	if err == nil {
		err = json.Unmarshal(b, &samples)
	}
	if err != nil || len(samples) < 50 {
		t.Fatalf("%d samples: %v", len(samples), err)
	}
	_, feed := newFeeder(t)
	interactions := 0
	for _, s := range samples {
		name := fmt.Sprintf("%s:%d", s.Page, s.Line)
		status, answer := feed(s.JSON)
		if status == 200 {
			interactions++
			if !strings.Contains(answer, `"type":`) {
				t.Errorf("%s is answered with %s", name, answer)
			}
		} else if told := strings.HasSuffix(s.Page, "webhook-events.mdx"); status != 400 && !(told && status == 204) {
			t.Errorf("%s: status %d %s", name, status, answer)
		}
		for kind := 1; kind <= 6; kind++ {
			for _, whole := range []bool{true, false} {
				if status, answer := feed(disguised(s.JSON, kind, whole)); status != 200 && status != 400 && !(kind == 6 && status == 500) {
					t.Errorf("%s as an interaction of type %d: status %d %s", name, kind, status, answer)
				}
			}
		}
	}
	if interactions < 3 {
		t.Errorf("%d samples are whole interactions", interactions)
	}
}

// disguised returns a sample as an interaction of a type: as its data, or as the whole
// interaction.
func disguised(sample []byte, kind int, whole bool) []byte {
	i := map[string]any{}
	if whole {
		if json.Unmarshal(sample, &i) != nil {
			i = map[string]any{}
		}
	} else {
		i["data"] = json.RawMessage(sample)
	}
	maps.Copy(i, map[string]any{
		"id": "1", "application_id": discordtest.ApplicationID, "type": kind, "token": "t", "channel_id": "3",
		"user": map[string]any{"id": "4", "username": "x"},
	})
	b, err := json.Marshal(i)
	if err != nil {
		panic(err) // it was valid JSON
	}
	return b
}

// newFeeder returns a world whose adapter has no Discord behind it, and a function that
// sends it interactions.
func newFeeder(t testing.TB, lists ...*lexicon.Lexicon) (w *world, feed func(body []byte) (status int, answer string)) {
	public, key, err := ed25519.GenerateKey(nil)
	gametest.Must(t, err)
	w = newDiscord(t)
	w.lists = lists
	w.build(discord.Config{PublicKey: hex.EncodeToString(public)}, w.store)
	return w, func(body []byte) (int, string) {
		rec := httptest.NewRecorder()
		req := httptest.NewRequest("POST", "/", bytes.NewReader(body))
		discordtest.Sign(req.Header, key, w.d.Now(), body)
		w.adapter.ServeHTTP(rec, req)
		b, _ := io.ReadAll(rec.Body)
		return rec.Code, string(b)
	}
}

// FuzzInteraction sends the adapter invalid interactions.
func FuzzInteraction(f *testing.F) {
	seeds := []string{
		`{"id":"1","application_id":"2","type":2,"token":"t","channel_id":"3","user":{"id":"4","username":"x"},"data":{"name":"play","type":1,"options":[{"name":"word","value":"horn"},{"name":"at","value":8.5}]}}`,
		`{"id":"1","application_id":"2","type":3,"token":"t","channel_id":"3","user":{"id":"4","username":"x"},"data":{"custom_id":"1:1:1:exchange:tiles=","values":["1","x"]}}`,
		`{"id":"1","application_id":"2","type":4,"token":"t","channel_id":"3","guild_id":"9","member":{"nick":"N","user":{"id":"4"}},"data":{"name":"new","options":[{"name":"lexicon","value":"s","focused":true},{"name":"opponent","value":"7"}]}}`,
		`{"id":"1","application_id":"2","type":5,"token":"t","channel_id":"3","user":{"id":"4","username":"x"},"data":{"custom_id":"1:1:1:try:","components":[{"type":18,"component":{"type":4,"custom_id":"word","value":"x"}}]}}`,
		`{"id":"1","application_id":"2","type":2,"token":"t","channel_id":"3","user":{"id":"4","username":"x"},"data":{"name":"Challenge this play","type":3,"target_id":"5","resolved":{"messages":{"5":{"author":{"id":"2"},"components":[{"type":99,"components":[{"custom_id":"1:1:1:challenge:words=?"}]}]}}}}}`,
	}
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	_, feed := newFeeder(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		if status, answer := feed(b); status == 200 && !json.Valid([]byte(answer)) {
			t.Errorf("%s is answered with %s", b, answer)
		}
	})
}
