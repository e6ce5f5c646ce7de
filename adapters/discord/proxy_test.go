package discord_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync/atomic"
	"testing"

	"github.com/rackmate/rackmate/game/gametest"
)

// connectProxy starts an HTTP proxy that opens tunnels, and counts them.
func connectProxy(t *testing.T) (address *url.URL, tunnels *atomic.Int32) {
	tunnels = new(atomic.Int32)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect {
			http.Error(w, "only tunnels", http.StatusMethodNotAllowed)
			return
		}
		there, err := net.Dial("tcp", r.Host)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer there.Close()
		w.WriteHeader(http.StatusOK)
		here, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer here.Close()
		tunnels.Add(1)
		go func() { io.Copy(there, here); there.Close() }()
		io.Copy(here, there)
	}))
	t.Cleanup(server.Close)
	address, err := url.Parse(server.URL)
	gametest.Must(t, err)
	return address, tunnels
}
