package notes_test

import (
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/store/memory"
	"github.com/rackmate/rackmate/game/gametest"
)

type span struct {
	From int `json:"from"`
	To   int
}

type branch struct {
	span
	Name   string           `json:"name,omitempty"`
	At     *time.Time       `json:"at"` // has its own JSON encoding
	Spans  []span           `json:"spans"`
	By     map[string]*span `json:"by"`
	Under  []branch         `json:"under"` // recursive, and listed once
	Passes string           `json:"-"`
}

// Fields lists every stored field of a row and of its parts by path, once each.
func TestFields(t *testing.T) {
	want := []string{"To", "at", "by", "by.To", "by.from", "from", "name", "spans", "spans.To", "spans.from", "under"}
	for _, of := range []reflect.Type{reflect.TypeFor[branch](), reflect.TypeFor[*branch](), reflect.TypeFor[[]branch](), reflect.TypeFor[map[string]branch]()} {
		if got := notes.Fields(of); !slices.Equal(got, want) {
			t.Errorf("the fields of %s are %q, want %q", of, got, want)
		}
	}
	for _, of := range []reflect.Type{reflect.TypeFor[string](), reflect.TypeFor[time.Time](), reflect.TypeFor[map[string]int](), reflect.TypeFor[struct{}]()} {
		if got := notes.Fields(of); len(got) > 0 {
			t.Errorf("the fields of %s are %q", of, got)
		}
	}
}

// A nested object keeps the fields of newer versions as the row does. If either value isn't
// an object, the new one replaces the old.
func TestUnknownNestedFieldsSurvive(t *testing.T) {
	for name, tt := range map[string]struct{ was, now, want string }{
		"under a key":                 {`{"by":{"ann":{"from":1,"newer":2}}}`, `{"by":{"ann":{"from":3}}}`, `{"by":{"ann":{"from":3,"newer":2}}}`},
		"a key that is gone":          {`{"by":{"ann":{"newer":2},"bob":{"newer":2}}}`, `{"by":{"bob":{"from":3}}}`, `{"by":{"bob":{"from":3,"newer":2}}}`},
		"what is excluded":            {`{"-":1,"Passes":2}`, `{}`, `{"-":1,"Passes":2}`},
		"nothing unknown":             {`{"from":1}`, `{"from": 2}`, `{"from": 2}`},
		"it was a list before":        {`[1]`, `{"from":2}`, `{"from":2}`},
		"it is nothing now":           {`{"newer":1}`, `null`, `null`},
		"a time, which writes itself": {`{"at":{"newer":1}}`, `{"at":"now"}`, `{"at":"now"}`},
	} {
		if got := notes.KeepUnknown(reflect.TypeFor[branch](), []byte(tt.was), []byte(tt.now)); string(got) != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
	if got := notes.KeepUnknown(reflect.TypeFor[[]span](), []byte(`{"newer":1}`), []byte(`{}`)); string(got) != "{}" {
		t.Errorf("a list: %s", got)
	}
}

// A value that can't be encoded leaves the row as it is, and an unreadable row is reported
// with its shelf.
func TestUnencodableValueKeepsRow(t *testing.T) {
	n := memory.New().Notes("test")
	gametest.Must(t, n.Put(t.Context(), "rows", "a", []byte("1")))
	never := func() {}
	put := func() error {
		return n.Change(t.Context(), func(rows bot.Rows) error { return notes.Put(rows, "rows", "a", never) })
	}
	for name, err := range map[string]error{"Write": notes.Write(t.Context(), n, "rows", "a", never), "Put": put()} {
		if err == nil {
			t.Errorf("%s of a function succeeds", name)
		}
	}
	if b, err := n.Get(t.Context(), "rows", "a"); string(b) != "1" || err != nil {
		t.Errorf("the row is %s, %v", b, err)
	}
}

// downRows is the transaction of a store that is down.
type downRows struct{ bot.Rows }

var errDown = errors.New("the store is down")

func (downRows) Get(string, string) ([]byte, error) { return nil, errDown }
func (downRows) Scan(string, string, string, int) ([]bot.Row, error) {
	return nil, errDown
}
func (downRows) Put(string, string, []byte) error { panic("a row is put that wasn't read") }

// A store's error is returned unchanged, and nothing is found.
func TestStoreErrorIsReturned(t *testing.T) {
	v := 7
	_, err := notes.Get(downRows{}, "rows", "a", &v)
	for name, err := range map[string]error{
		"Get":  err,
		"Put":  notes.Put(downRows{}, "rows", "a", 8),
		"Each": notes.EachOf(downRows{}, "rows", "", func(string, int) error { return errors.New("a row is found") }),
	} {
		if err != errDown || v != 7 {
			t.Errorf("%s: %v, and the value is %d", name, err, v)
		}
	}
}
