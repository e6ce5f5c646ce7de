package webtest

import (
	"context"
	"net"
	"sync"
)

// Wires is a listener on nothing but this process, for servers whose time is a test's
// own: a bubble of synctest can't wait for a socket.
type Wires struct {
	conns chan net.Conn
	done  chan struct{}
	close sync.Once
}

// NewWires is a listener that waits for [Wires.Dial].
func NewWires() *Wires { return &Wires{conns: make(chan net.Conn), done: make(chan struct{})} }

// Dial connects, wherever to; it is a DialContext of [net/http.Transport].
func (w *Wires) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case w.conns <- there:
		return here, nil
	case <-w.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept waits for the next connection.
func (w *Wires) Accept() (net.Conn, error) {
	select {
	case c := <-w.conns:
		return c, nil
	case <-w.done:
		return nil, net.ErrClosed
	}
}

// Close ends the listening, not the connections.
func (w *Wires) Close() error {
	w.close.Do(func() { close(w.done) })
	return nil
}

// Addr is no real address.
func (w *Wires) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }
