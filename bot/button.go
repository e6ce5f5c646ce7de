package bot

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// buttonID writes a command, its table and the number of events that the
// person looked at into a button: "1:12:34:play:at=8D&word=HORN". The leading
// 1 is the version.
func buttonID(t TableID, number int, command string, args map[string]string) string {
	v := url.Values{}
	for name, value := range args {
		v.Set(name, value)
	}
	return fmt.Sprintf("1:%d:%d:%s:%s", t, number, command, v.Encode())
}

// Press makes the request that a pressed button stands for out of one that has
// its ID, channel and user. ok is false for what is no button of ours.
func (r Request) Press(buttonID string) (req Request, ok bool) {
	f := strings.SplitN(buttonID, ":", 5)
	if len(f) != 5 || f[0] != "1" {
		return Request{}, false
	}
	table, err1 := strconv.ParseUint(f[1], 10, 64)
	number, err2 := strconv.Atoi(f[2])
	values, err3 := url.ParseQuery(f[4])
	if _, known := FindCommand(f[3]); !known || err1 != nil || err2 != nil || err3 != nil || number < 0 {
		return Request{}, false
	}
	r.Table, r.Number, r.Command, r.Args = TableID(table), number, f[3], map[string]string{}
	for name := range values {
		r.Args[name] = values.Get(name)
	}
	return r, true
}
