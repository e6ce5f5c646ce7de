package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/bot/store"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
)

// TestErasureLeavesNothing checks that a person who used every feature, as a player, director and
// keeper, is gone once the operator erases them: neither their id nor their name is in the store, in
// a later backup, or in the log.
func TestErasureLeavesNothing(t *testing.T) {
	network := http.DefaultTransport
	http.DefaultTransport = pushService{}
	defer func() { http.DefaultTransport = network }()
	dir := t.TempDir()
	path, backup := filepath.Join(dir, "rackmate.db"), filepath.Join(dir, "backup.db")
	synctest.Test(t, func(t *testing.T) {
		r := openOldRoom(t, path, fileBegins)
		quix := r.enters("Quixotina")
		usesEverything(t, r, quix)
		id := quix.ID
		if found := recordsWith(t, r, id); len(found) < 40 {
			t.Fatalf("only %d records name her: the search finds too little", len(found))
		}
		r.pause() // a delivery would make the erasure wait while the bubble's clock stands still
		_, err := eraser{db: r.db, host: r.host, running: true}.erase(t.Context(), aPerson, "Quixotina", true)
		gametest.Must(t, err)
		for _, found := range recordsWith(t, r, id, "Quixotina") {
			t.Errorf("kept: %.400s", found)
		}
		var copied bytes.Buffer
		gametest.Must(t, r.db.Backup(&copied))
		for _, text := range []string{id, "Quixotina"} {
			if bytes.Contains(copied.Bytes(), []byte(text)) {
				t.Errorf("a freed page of the backup has %q", text)
			}
			if strings.Contains(r.log.String(), text) {
				t.Errorf("the log has %q: %s", text, &r.log)
			}
		}
		gametest.Must(t, os.WriteFile(backup, copied.Bytes(), 0o600))
		r.stop()
		r = openOldRoom(t, path, time.Now())
		r.settle() // what is posted now doesn't name her either
		for _, found := range recordsWith(t, r, id, "Quixotina") {
			t.Errorf("kept after a restart: %.400s", found)
		}
		r.stop()
		r = openOldRoom(t, backup, time.Now())
		for _, found := range recordsWith(t, r, id, "Quixotina") {
			t.Errorf("in the backup: %.400s", found)
		}
		r.stop()
	})
}

// recordsWith returns the records of a room's store that contain one of some texts.
func recordsWith(t *testing.T, r *oldRoom, texts ...string) (found []string) {
	t.Helper()
	gametest.Must(t, r.db.Records(t.Context(), func(record store.Record) error {
		b, err := json.Marshal(record)
		switch record := record.(type) {
		case store.Note: // JSON would encode its value
			b = []byte(record.Adapter + " " + record.Shelf + " " + record.Key + " " + string(record.Value))
		case store.Table:
			b = append(b, bytes.Join(record.Events, nil)...)
		}
		if slices.ContainsFunc(texts, func(text string) bool { return bytes.Contains(b, []byte(text)) }) {
			found = append(found, fmt.Sprintf("%T %s", record, b))
		}
		return err
	}))
	return found
}

// usesEverything lets a person use every feature in a new room, with others who write about them.
func usesEverything(t *testing.T, r *oldRoom, quix *oldPerson) {
	gametest.Must(t, web.SetKeeper(t.Context(), r.db.Notes(web.Platform), quix.name, true))
	bob, cat, dan, eve := r.enters("Bob"), r.enters("Cat"), r.enters("Dan"), r.enters("Eve")
	for _, name := range []string{"over", "classic", "same", "waiting", "league", "cup", "daily"} {
		quix.call("channels", map[string]string{"name": name}, nil)
	}

	// Games: over, in progress, of duplicate, waiting for others; notes, a plan, a review.
	for _, stream := range []string{"over", "classic"} {
		quix.says(stream, "/new seats:2 lexicon:en")
		if r := bob.says(stream, "/join"); len(r.Buttons) > 0 && strings.Contains(r.String(), "before") {
			bob.presses(stream, r, r.Buttons[0].Label)
		}
		for range 5 {
			r.plays(stream)
		}
	}
	quix.resigns("over")
	quix.says("over", "/review")
	quix.says("classic", "/note Bob holds the Q")
	bob.says("classic", "/note Quixotina holds the Z, ask @Quixotina")
	waits := r.state("classic")
	seat := waits.Seats[1-waits.Turn]
	r.who(seat.Person.ID).says("classic", r.best(waits, "/plan", seat.Rack))
	quix.says("same", "/new variant:duplicate turn:3d lexicon:en")
	bob.says("same", "/join")
	quix.says("same", "/start")
	r.submits("same", quix)
	bob.says("waiting", "/new seats:4")
	quix.says("waiting", "/join")
	quix.says("waiting", "/leave")
	quix.says("waiting", "/join")

	// A club and its league, which she founded, played in, left and joined again.
	quix.says("league", "/club join rating:1500 group:school")
	bob.says("league", "/club join")
	bob.says("league", "/club avoid @Quixotina")
	quix.says("league", "/club away until:14d")
	quix.says("league", "/roster Dan,1400 | Hilda Guest,1200")
	quix.says("league", "/league new name:Club pace:1d games:1 lexicon:en")
	for _, p := range []*oldPerson{quix, bob, cat, dan} {
		p.says("league", "/league join")
	}
	quix.says("league", "/league remind")
	quix.says("league", "/league start")
	r.settle()
	stream := r.games(quix.name, "league")[0]
	r.plays(stream)
	quix.resigns(stream)

	// A tournament that she directs and plays in.
	quix.says("cup", "/tournament new name:Cup method:swiss rounds:2 clock:15m wait:never lexicon:en")
	for _, p := range []*oldPerson{quix, bob, cat, dan} {
		p.says("cup", "/tournament join")
	}
	quix.says("cup", "/tournament close")
	quix.says("cup", "/tournament pair")
	quix.says("cup", "/tournament start")
	r.settle()
	quix.says("cup", "/tournament result table:1 score:412-377")
	answer := quix.says("cup", "/tournament")
	if slices.ContainsFunc(answer.Buttons, func(b struct{ ID, Label string }) bool { return b.Label == "Sit down" }) {
		quix.presses("cup", answer, "Sit down")
	}

	// Settings, moderation, messages, links, notifications.
	quix.says("general", "/settings for:server challenge:double")
	quix.says("general", "/settings ping:silent zone:Europe/London")
	quix.says("general", "/away 3")
	quix.says("general", "/words add rackmate")
	quix.says("general", "/invite 5 7d")
	quix.says("general", "/report @Eve rude")
	eve.says("general", "/report @Quixotina rude, says Quixotina")
	quix.says("general", "/block @Eve")
	eve.says("general", "/block @Quixotina")
	quix.says("general", "/mute @Eve 7d")
	for _, p := range []*oldPerson{quix, bob, cat} {
		p.says("general", "good morning from "+p.name)
		p.says("general", "@Quixotina how are you?")
	}
	var direct struct{ ID string }
	quix.call("direct", map[string]string{"person": bob.ID}, &direct)
	quix.says(direct.ID, "good night")
	quix.says(direct.ID, "/new seats:2 lexicon:en")
	bob.says(direct.ID, "/join")
	bob.says(direct.ID, "good night, Quixotina")
	quix.call("read", map[string]any{"stream": "general", "number": 2}, nil)
	quix.call("recovery", struct{}{}, nil)
	quix.subscribes("quix")
	quix.call("wait", map[string]any{"id": r.nextID(), "on": true}, nil)
	quix.links()
	quix.says("general", "/stats")
	quix.says("general", "/top me:out")

	// Daily boards with tries.
	quix.says("daily", "/settings for:channel daily:9:00 zone:Europe/London")
	r.settle()
	time.Sleep(24 * time.Hour)
	r.settle()
	for _, p := range []*oldPerson{quix, bob} {
		p.triesDay("daily")
	}
	quix.says("daily", "/settings daily:call")
	if s := r.state("classic"); s.Phase != game.Playing {
		t.Fatalf("her game in progress is in phase %v", s.Phase)
	}
}
