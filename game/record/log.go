package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"time"

	"github.com/rackmate/rackmate/game"
)

// logVersion is the version of stored events. Events of every past version must always be readable;
// testdata has a log of each.
const logVersion = 1

// MarshalEvent returns an event in stored form, one JSON object:
//
//	{"v":1,"n":9,"at":"2026-03-01T12:00:00.000Z","cause":"request-7",
//	 "kind":"played","fact":{"seat":0,"at":"8G","tiles":"HoRN", ...}}
//
// n is the event's number; at is its time in UTC, in milliseconds; cause is the id of the
// request that caused it. Seats count from 0. Tiles are in the notation of the table's tile set
// (see [game.TileSet.Print]), squares as in GCG. The event Opened contains the tile set, so set
// may be nil for it.
//
// The stored types are separate from the types of package game, which can therefore change. They
// contain the rules and equipment in full, so that a game replays forever, whatever changes under a
// name.
func MarshalEvent(set *game.TileSet, e game.Event) ([]byte, error) {
	if f, ok := e.Fact.(game.Opened); ok {
		set = f.Equipment.Tiles
	}
	w := notation{set: set}
	c, ok := byFact[reflect.TypeOf(e.Fact)]
	if !ok {
		return nil, fmt.Errorf("store event %d (%T): such an event can't be stored", e.Number, e.Fact)
	}
	fact := c.store(&w, e.Fact)
	if w.err != nil {
		return nil, fmt.Errorf("store event %d (%T): %w", e.Number, e.Fact, w.err)
	}
	raw, err := json.Marshal(fact)
	if err != nil {
		return nil, fmt.Errorf("store event %d: %w", e.Number, err)
	}
	return json.Marshal(envelope{V: logVersion, N: e.Number, At: storeTime(e.At), Cause: e.Cause, Kind: c.kind, Fact: raw})
}

// UnmarshalEvent parses what MarshalEvent returns. It is strict: an unknown field would be lost
// information, so that is an error, like an unknown version or kind.
func UnmarshalEvent(set *game.TileSet, data []byte) (game.Event, error) {
	var env envelope
	if err := unmarshal(data, &env); err != nil {
		// Report the version if only that can be parsed.
		var v struct{ V int }
		if json.Unmarshal(data, &v) != nil || v.V == logVersion || v.V == 0 {
			return game.Event{}, fmt.Errorf("stored event: %w", err)
		}
		env.V = v.V
	}
	if env.V != logVersion {
		return game.Event{}, fmt.Errorf("stored event: it has format %d, and this program reads up to %d: use a newer one", env.V, logVersion)
	}
	at, err := time.Parse(timeFormat, env.At)
	if err != nil {
		return game.Event{}, fmt.Errorf("stored event %d: %q isn't a time", env.N, env.At)
	}
	c, ok := byKind[env.Kind]
	if !ok {
		return game.Event{}, fmt.Errorf("stored event %d: unknown kind %q", env.N, env.Kind)
	}
	if !bytes.HasPrefix(env.Fact, []byte("{")) {
		return game.Event{}, fmt.Errorf("stored event %d: it has no fact", env.N)
	}
	stored := c.empty()
	if err := unmarshal(env.Fact, stored); err != nil {
		return game.Event{}, fmt.Errorf("stored event %d, %s: %w", env.N, env.Kind, err)
	}
	r := notation{set: set}
	fact := stored.fact(&r)
	if r.err != nil {
		return game.Event{}, fmt.Errorf("stored event %d, %s: %w", env.N, env.Kind, r.err)
	}
	return game.Event{Number: env.N, At: at, Cause: env.Cause, Fact: fact}, nil
}

// MarshalLog returns a table's events in stored form, from the first one.
func MarshalLog(events []game.Event) ([][]byte, error) {
	var lines [][]byte
	var set *game.TileSet
	for _, e := range events {
		if f, ok := e.Fact.(game.Opened); ok {
			set = f.Equipment.Tiles
		}
		line, err := MarshalEvent(set, e)
		if err != nil {
			return nil, err
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// UnmarshalLog parses a table's events, from the first one. It doesn't check whether they make a
// game; [game.Replay] does.
func UnmarshalLog(lines [][]byte) ([]game.Event, error) {
	var events []game.Event
	var set *game.TileSet
	for _, line := range lines {
		e, err := UnmarshalEvent(set, line)
		if err != nil {
			return nil, err
		}
		if f, ok := e.Fact.(game.Opened); ok {
			set = f.Equipment.Tiles
		}
		events = append(events, e)
	}
	return events, nil
}

// unmarshal parses one JSON value without unknown fields.
func unmarshal(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("something follows the JSON object")
	}
	return nil
}

const timeFormat = "2006-01-02T15:04:05.000Z"

func storeTime(t time.Time) string { return t.UTC().Format(timeFormat) }

type envelope struct {
	V     int             `json:"v"`
	N     int             `json:"n"`
	At    string          `json:"at"`
	Cause string          `json:"cause"`
	Kind  string          `json:"kind"`
	Fact  json.RawMessage `json:"fact"`
}
