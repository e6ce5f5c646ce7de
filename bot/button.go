package bot

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// The platforms' limits, with some room to spare.
const (
	maxLabel    = 30  // characters on a button
	MaxChoice   = 100 // characters of a menu's label, or of a choice
	MostButtons = 5   // under one message
)

// ButtonID encodes a command, its table and the number of events that the person saw into a
// button's ID: "1:12:34:play:at=8D&word=HORN". The leading 1 is the version.
func ButtonID(t TableID, number int, command string, args map[string]string) string {
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(args)) {
		pairs = append(pairs, name+"="+escape(args[name]))
	}
	return fmt.Sprintf("1:%d:%d:%s:%s", t, number, command, strings.Join(pairs, "&"))
}

// escape escapes a value for url.ParseQuery. It escapes no more than necessary, since an ID is
// limited to MaxButtonID characters.
func escape(value string) string {
	var b strings.Builder
	for i := range len(value) {
		if c := value[i]; strings.IndexByte("%&+;", c) >= 0 || c <= ' ' {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// Press returns the request for a pressed button, based on r, which has its ID, channel and user.
// ok is false if the button isn't ours.
func (r Request) Press(buttonID string) (req Request, ok bool) {
	f := strings.SplitN(buttonID, ":", 5)
	if len(f) != 5 || f[0] != "1" {
		return Request{}, false
	}
	table, err1 := strconv.ParseUint(f[1], 10, 64)
	number, err2 := strconv.Atoi(f[2])
	values, err3 := url.ParseQuery(f[4])
	if err1 != nil || err2 != nil || err3 != nil || number < 0 {
		return Request{}, false
	}
	r.Table, r.Number, r.Command, r.Args = TableID(table), number, f[3], map[string]string{}
	for name := range values {
		r.Args[name] = values.Get(name)
	}
	return r, true
}
