package discord

import (
	"encoding/json"
	"slices"

	"github.com/rackmate/rackmate/adapters/outbox"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file reads entries of releases before 1.0.0, so that running games continue.

// A formerEntry is an entry in version 1: the latest post, or a post to fold.
type formerEntry struct {
	V       int          `json:"v"`
	Key     string       `json:"key"`
	Message snowflake    `json:"message"`
	Line    text.Text    `json:"line,omitempty"`
	Folding *formerEntry `json:"folding,omitempty"` // the post before, still to fold
	Tries   int          `json:"tries,omitempty"`
	Gone    bool         `json:"gone,omitempty"`
	Live    string       `json:"live,omitempty"`
	Table   bot.TableID  `json:"table,omitempty"`
	By      *visit       `json:"by,omitempty"`
	Call    snowflake    `json:"call,omitempty"`
	Trying  string       `json:"trying,omitempty"`
}

func (f *formerEntry) post() (p outbox.Post, err error) {
	p = outbox.Post{ID: string(f.Message), Line: f.Line, Gone: f.Gone}
	if f.By != nil {
		p.By, err = json.Marshal(f.By)
	}
	return p, err
}

// ParseFormer parses an entry of an earlier release; see [outbox.Platform].
func (o *poster) ParseFormer(b []byte) (e outbox.Entry, err error) {
	var was formerEntry
	if err := json.Unmarshal(b, &was); err != nil {
		return e, err
	}
	e = outbox.Entry{Key: was.Key, Trying: was.Trying}
	if e.Latest, err = was.post(); err != nil {
		return e, err
	}
	e.Latest.Gone, e.Latest.Live, e.Latest.Table = false, was.Live, was.Table
	if was.Call != "" {
		e.Call = &outbox.Post{ID: string(was.Call), Role: outbox.Call}
	}
	for f := was.Folding; f != nil; f = f.Folding {
		p, err := f.post()
		if err != nil {
			return e, err
		}
		e.Old = append(e.Old, p)
	}
	slices.Reverse(e.Old)
	return e, nil
}
