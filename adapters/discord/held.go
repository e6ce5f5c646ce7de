package discord

import (
	"bytes"
	"net"
	"sync"
)

// held is a connection to the gateway that can be closed from outside, and on
// which a session identifies itself once at most.
//
// To a session that isn't valid discordgo answers by identifying itself again,
// at once and as often as that happens (wsapi.go, onEvent). Discord wants a
// pause before it, and takes the token away from whoever does it 1000 times in
// a day. So such a connection is closed, and shard.run makes a new session in
// its turn.
type held struct {
	mu       sync.Mutex
	conn     net.Conn
	closed   bool
	spent    bool // the session may not identify itself on this connection any more
	tooOften bool // it tried to
}

// hold takes what a dialer returns.
func (h *held) hold(c net.Conn, err error) (net.Conn, error) {
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.conn = c
	if h.closed {
		c.Close()
	}
	return &watched{c, h}, nil
}

func (h *held) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	if h.conn != nil {
		h.conn.Close()
	}
}

// invalid reports whether the session was found invalid.
func (h *held) invalid() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.tooOften
}

// mayIdentify reports whether the session may identify itself now.
func (h *held) mayIdentify() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tooOften = h.spent
	h.spent = true
	return !h.tooOften
}

// watched sees what is written to a connection.
type watched struct {
	net.Conn
	held *held
}

func (w *watched) Write(b []byte) (int, error) {
	if identifies(b) && !w.held.mayIdentify() {
		w.held.close()
		return 0, net.ErrClosed
	}
	return w.Conn.Write(b)
}

// identifies reports whether a frame of a client's has op 2 in it. The
// websocket package writes a message as one frame and by one Write: a byte for
// its kind, one to nine for its length, four by which the rest is masked; see
// RFC 6455, section 5.2. discordgo writes the op first.
func identifies(frame []byte) bool {
	const text, masked = 0x81, 0x80
	if len(frame) < 2 || frame[0] != text || frame[1]&masked == 0 {
		return false
	}
	at := 2
	switch frame[1] &^ masked {
	case 126:
		at += 2
	case 127:
		at += 8
	}
	op := []byte(`{"op":2,`)
	if len(frame) < at+4+len(op) {
		return false
	}
	mask, payload := frame[at:at+4], frame[at+4:]
	begins := make([]byte, len(op))
	for i := range begins {
		begins[i] = payload[i] ^ mask[i%4]
	}
	return bytes.Equal(begins, op)
}
