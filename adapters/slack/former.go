package slack

import (
	"encoding/json"
	"strings"

	"github.com/rackmate/rackmate/adapters/outbox"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// This file reads entries of releases before 1.0.0, so that running games continue.

// A formerEntry is an entry in versions 1 and 2.
type formerEntry struct {
	V        int          `json:"v"`
	Key      string       `json:"key"`
	TS       string       `json:"ts"`
	Line     text.Text    `json:"line,omitempty"`
	File     string       `json:"file,omitempty"`
	Live     string       `json:"live,omitempty"`
	Table    bot.TableID  `json:"table,omitempty"`
	Board    bool         `json:"board,omitempty"`
	BoardKey string       `json:"board_key,omitempty"`
	Call     string       `json:"call,omitempty"`
	CallLine text.Text    `json:"call_line,omitempty"`
	Trying   string       `json:"trying,omitempty"`
	There    *formerFound `json:"there,omitempty"`
	Old      []formerPost `json:"old,omitempty"`
	Folding  *formerPost  `json:"folding,omitempty"` // version 1 had only one
}

type formerFound struct {
	TS   string `json:"ts"`
	File string `json:"file,omitempty"`
}

// A formerPost is a post still to fold.
type formerPost struct {
	TS   string    `json:"ts"`
	Line text.Text `json:"line"`
	File string    `json:"file,omitempty"`
	Gone bool      `json:"gone,omitempty"`
}

// sharedMark is the prefix of a picture that was a separate file above its post.
const sharedMark = "shared:"

// ParseFormer parses an entry of an earlier release; see [outbox.Platform].
func (o *poster) ParseFormer(b []byte) (e outbox.Entry, err error) {
	var was formerEntry
	if err := json.Unmarshal(b, &was); err != nil {
		return e, err
	}
	e = outbox.Entry{Key: was.Key, Trying: was.Trying, Shows: was.BoardKey}
	e.Latest = outbox.Post{ID: was.TS, Line: was.Line, File: was.File, Live: was.Live, Table: was.Table}
	if was.Board {
		e.Latest.Role = outbox.Board
	}
	if was.Call != "" {
		e.Call = &outbox.Post{ID: was.Call, Role: outbox.Call, Line: was.CallLine}
	}
	if was.There != nil {
		e.Reported = &outbox.Post{ID: was.There.TS, File: was.There.File}
	}
	if was.Folding != nil {
		was.Old = append(was.Old, *was.Folding)
	}
	for _, p := range was.Old {
		e.Old = append(e.Old, outbox.Post{ID: p.TS, Line: p.Line, File: strings.TrimPrefix(p.File, sharedMark), Gone: p.Gone})
	}
	if file, shared := strings.CutPrefix(was.File, sharedMark); shared {
		e.Latest.File = ""
		e.Old = append(e.Old, outbox.Post{File: file})
	}
	return e, nil
}
