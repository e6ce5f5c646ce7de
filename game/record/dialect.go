package record

import (
	"encoding/json"
	"strings"
)

// Dialect is the number of dialects of stored events that this program knows. Each new one adds
// kinds or fields that earlier programs can't read; see [DialectOf].
const Dialect = 3

// since maps additions to the dialect that introduced them, if not the first: a kind by its name, a
// field by its path, such as "opened.rules.clock", and a value by its field, such as a word list
// that older programs lack: "opened.lexicon.hash=1c219f08...". testdata/dialects.txt lists all
// kinds and fields; a test says what to do when one is added.
var since = map[string]int{
	"opened.rules.clock.increment": 2,

	// en and en-clean with words added to dictionaries since 2014.
	"opened.lexicon.hash=406301c032fb584d23367957aada1cb0449bd3c89e497d694843bb948cdc8a09": 3,
	"opened.lexicon.hash=726f6c42b270148acafe4b414b04cfb3d71273a7d19278e4d73c3ed6cf4d499d": 3,
}

// DialectOf returns the dialect that a reader of a stored event must know. A store keeps the
// highest of its events, so that an older program refuses the store instead of failing later at an
// event that it can't read.
func DialectOf(data []byte) int { return dialectOf(data, since) }

func dialectOf(data []byte, since map[string]int) int {
	var e struct {
		Kind string          `json:"kind"`
		Fact json.RawMessage `json:"fact"`
	}
	if json.Unmarshal(data, &e) != nil {
		return 1 // not an event, which its reader will report
	}
	told := false // the kind, or something in it, is listed
	for name := range since {
		told = told || name == e.Kind || strings.HasPrefix(name, e.Kind+".")
	}
	if !told {
		return 1
	}
	var fact any
	if json.Unmarshal(e.Fact, &fact) != nil {
		return 1
	}
	return max(1, since[e.Kind], newest(e.Kind, fact, since))
}

// newest returns the newest dialect of anything within a part of an event.
func newest(at string, value any, since map[string]int) (dialect int) {
	switch value := value.(type) {
	case map[string]any:
		for name, v := range value {
			dialect = max(dialect, since[at+"."+name], newest(at+"."+name, v, since))
		}
	case []any:
		for _, v := range value {
			dialect = max(dialect, newest(at, v, since))
		}
	case string:
		dialect = since[at+"="+value]
	}
	return dialect
}
