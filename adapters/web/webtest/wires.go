package webtest

import (
	"context"
	"net"
	"sync"
)

// Wires is an in-process listener, for servers in a synctest bubble, which can't wait for a
// socket.
type Wires struct {
	conns chan net.Conn
	done  chan struct{}
	close sync.Once
}

// NewWires returns a listener that waits for [Wires.Dial].
func NewWires() *Wires { return &Wires{conns: make(chan net.Conn), done: make(chan struct{})} }

// Dial connects to the listener, whatever the address; it is a DialContext of [net/http.Transport].
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

// Close stops the listener, but not its connections.
func (w *Wires) Close() error {
	w.close.Do(func() { close(w.done) })
	return nil
}

// Addr returns a placeholder address.
func (w *Wires) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }
