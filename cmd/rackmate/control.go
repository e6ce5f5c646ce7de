package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/bot/ladder"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/game"
)

// A running host holds its file of data for itself. The tools that need it
// (backup, export, recount) ask the host over a socket beside the file, which only the
// operator can open; where no host runs they open the file themselves.

// A control answers the tools.
type control struct {
	listener net.Listener
	server   *http.Server
}

// socketPath is where the control socket of a file of data is. The system
// takes about 100 characters; a longer path gets a short one in its stead.
func socketPath(data string) (string, error) {
	abs, err := filepath.Abs(data)
	if err != nil {
		return "", err
	}
	if path := abs + ".sock"; len(path) < 100 {
		return path, nil
	}
	sum := sha256.Sum256([]byte(abs))
	return filepath.Join(os.TempDir(), fmt.Sprintf("rackmate-%x.sock", sum[:8])), nil
}

// listenControl opens the socket. The caller holds the file of data, so a
// socket that is there was left by a host that was killed.
func listenControl(data string, db *bolt.DB) (*control, error) {
	path, err := socketPath(data)
	if err != nil {
		return nil, err
	}
	os.Remove(path)
	listener, err := net.Listen("unix", path)
	if err != nil {
		return nil, fmt.Errorf("open the control socket: %w", err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		listener.Close()
		return nil, fmt.Errorf("open the control socket: %w", err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /backup", func(w http.ResponseWriter, req *http.Request) {
		if err := db.Backup(w); err != nil {
			panic(http.ErrAbortHandler) // the reader must not take half a copy for a whole one
		}
	})
	mux.HandleFunc("GET /tables/{id}", func(w http.ResponseWriter, req *http.Request) {
		files, err := exported(req.Context(), db, req.PathValue("id"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		json.NewEncoder(w).Encode(files)
	})
	mux.HandleFunc("POST /recount", func(w http.ResponseWriter, req *http.Request) {
		games, err := ladder.Recount(req.Context(), db.Notes(hostNotes))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprint(w, games)
	})
	return &control{listener, &http.Server{Handler: mux}}, nil
}

func (c *control) serve() error { return c.server.Serve(c.listener) }
func (c *control) close()       { c.server.Close() }

// errNoHost says that no host runs on a file of data.
var errNoHost = errors.New("no host runs there")

// ask gets something from the host that runs on a file of data.
func ask(ctx context.Context, data, method, path string) (io.ReadCloser, error) {
	if isURL(data) {
		return nil, errNoHost // a database is open to all
	}
	socket, err := socketPath(data)
	if err != nil {
		return nil, err
	}
	var dialer net.Dialer
	client := &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			conn, err := dialer.DialContext(ctx, "unix", socket)
			if err != nil {
				return nil, errNoHost
			}
			return conn, nil
		},
	}}
	req, err := http.NewRequestWithContext(ctx, method, "http://rackmate"+path, nil)
	if err != nil {
		return nil, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		defer resp.Body.Close()
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 1000))
		return nil, errors.New(string(text))
	}
	return resp.Body, nil
}

// exported is a finished game as files.
func exported(ctx context.Context, store bot.Store, id string) ([]bot.File, error) {
	n, err := strconv.ParseUint(id, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("%q is no table's number", id)
	}
	var events []game.Event
	_, events, err = store.Events(ctx, bot.TableID(n), -1)
	if errors.Is(err, bot.ErrNoTable) {
		return nil, fmt.Errorf("there is no table %d", n)
	}
	if err != nil {
		return nil, err
	}
	return features.Export(bot.TableID(n), events)
}
