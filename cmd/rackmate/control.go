package main

import (
	"bytes"
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
	"time"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/features"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/game"
)

// A running host locks its data file. Tools that need the file (backup, export, recount) ask the
// host over a socket beside it, which only the operator can open. If no host runs, they open the
// file themselves.

// A control serves the control socket.
type control struct {
	listener net.Listener
	server   *http.Server
}

// socketPath returns the path of a data file's control socket. Systems limit such paths to about
// 100 characters, so a long one is replaced by a short one elsewhere.
func socketPath(data string) (string, error) {
	abs, err := filepath.Abs(data)
	if err != nil {
		return "", err
	}
	if path := abs + ".sock"; len(path) < 100 {
		return path, nil
	}
	dir, err := ownFolder()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(abs))
	return filepath.Join(dir, fmt.Sprintf("%x.sock", sum[:8])), nil
}

// ownFolder returns a folder with a short path that only this user can open. A temporary folder
// won't do, because anyone may create files there.
func ownFolder() (string, error) {
	base := os.Getenv("XDG_RUNTIME_DIR")
	if base == "" {
		var err error
		if base, err = os.UserCacheDir(); err != nil {
			return "", fmt.Errorf("no place for the control socket: %w; give the data file a shorter path", err)
		}
	}
	dir := filepath.Join(base, "rackmate")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("no place for the control socket: %w; give the data file a shorter path", err)
	}
	return dir, os.Chmod(dir, 0o700) // fails if another user owns the folder
}

// listenControl opens the control socket. The caller holds the data file, so an existing socket
// must be left over from a killed host.
func listenControl(data string, db *bolt.DB, healthy *health, h *host.Host) (*control, error) {
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
		if err := sendCopy(w, db, data); err != nil {
			panic(http.ErrAbortHandler) // lets the reader notice a truncated copy
		}
	})
	mux.HandleFunc("GET /tables/{id}", func(w http.ResponseWriter, req *http.Request) {
		files, err := exportFiles(req.Context(), db, req.PathValue("id"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		json.NewEncoder(w).Encode(files)
	})
	mux.HandleFunc("POST /recount", func(w http.ResponseWriter, req *http.Request) {
		var answers bytes.Buffer
		games, err := recountAll(req.Context(), db, &answers)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		if req.FormValue("answers") != "" {
			answers.WriteTo(w) // the client may be gone
		}
		fmt.Fprint(w, games)
	})
	mux.HandleFunc("GET /health", healthy.serveAll)
	answerOnRoom(mux, db.Notes(web.Platform))
	mux.HandleFunc("POST /forget", func(w http.ResponseWriter, req *http.Request) {
		said, err := eraser{db, h, true}.erase(req.Context(), req.FormValue("what"), req.FormValue("which"), req.FormValue("yes") != "")
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		fmt.Fprint(w, said)
	})
	return &control{listener, &http.Server{Handler: mux}}, nil
}

func (c *control) serve() error { return c.server.Serve(c.listener) }
func (c *control) close()       { c.server.Close() }

// takeWithin limits how long a reader of a copy may stall.
const takeWithin = 30 * time.Second

// sendCopy copies the data file to a temporary one and sends that, so that a slow reader blocks no
// one else.
func sendCopy(w http.ResponseWriter, db *bolt.DB, data string) error {
	return copyBeside(db, data, func(f *os.File) error { return sendFile(w, f) })
}

// copyBeside copies the data file to a temporary file beside it, calls fn with that and removes it.
func copyBeside(db *bolt.DB, data string, fn func(*os.File) error) error {
	f, err := os.CreateTemp(filepath.Dir(data), ".rackmate-copy-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // for systems that can't remove an open file
	defer f.Close()
	os.Remove(f.Name()) // freed when the process ends
	if err := db.Backup(f); err != nil {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return fn(f)
}

func sendFile(w http.ResponseWriter, f *os.File) error {
	out := http.NewResponseController(w)
	piece := make([]byte, 1<<20)
	for {
		n, err := f.Read(piece)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := out.SetWriteDeadline(time.Now().Add(takeWithin)); err != nil {
			return err
		}
		if _, err := w.Write(piece[:n]); err != nil {
			return err
		}
	}
}

// errNoHost reports that no host has a data file open.
var errNoHost = errors.New("no host runs there")

// A hostError is the error text of a host's response.
type hostError string

func (e hostError) Error() string { return string(e) }

// ask sends a request to the host that has a data file open.
func ask(ctx context.Context, data, method, path string) (io.ReadCloser, error) {
	if isURL(data) {
		return nil, errNoHost // tools open a database directly
	}
	socket, err := socketPath(data)
	if err != nil {
		return nil, err
	}
	if err := ownSocket(socket, data); err != nil {
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
		return nil, hostError(text)
	}
	return resp.Body, nil
}

// isServed reports whether a host has a data file open, even if the host isn't ready.
func isServed(ctx context.Context, data string) bool {
	body, err := ask(ctx, data, http.MethodGet, "/health")
	if err != nil {
		return errors.As(err, new(hostError))
	}
	body.Close()
	return true
}

// refuseServed returns an error if a host has a data file open.
func refuseServed(ctx context.Context, data string) error {
	if isServed(ctx, data) {
		return fmt.Errorf("a host runs on %s: stop it first", data)
	}
	return nil
}

// onData asks the host that has the data open and reads its response. If no host runs, it opens the
// data itself.
func onData(ctx context.Context, data, method, path string, read func(io.Reader) error, open func(database) error) error {
	body, err := ask(ctx, data, method, path)
	if err == nil {
		defer body.Close()
		return read(body)
	}
	if !errors.Is(err, errNoHost) {
		return err
	}
	db, err := openData(ctx, data)
	if err != nil {
		return err
	}
	return errors.Join(open(db), db.Close())
}

// readText returns a reader of short text responses.
func readText(text *string) func(io.Reader) error {
	return func(body io.Reader) error {
		b, err := io.ReadAll(io.LimitReader(body, 1<<20))
		*text = string(b)
		return err
	}
}

// ownSocket rejects a socket that another user may have planted. It must belong to this user or to
// the owner of the data file.
func ownSocket(socket, data string) error {
	at, err := os.Lstat(socket)
	if err != nil {
		return nil // missing; dialling reports that
	}
	owner, known := ownerOf(at)
	if !known || owner == os.Geteuid() {
		return nil
	}
	if info, err := os.Stat(data); err == nil {
		if whose, _ := ownerOf(info); whose == owner {
			return nil
		}
	}
	return fmt.Errorf("the control socket %s belongs to another user (%d), not to you or the owner of %s, so it wasn't used", socket, owner, data)
}

// exportFiles returns the export files of a finished game.
func exportFiles(ctx context.Context, store bot.Store, id string) ([]bot.File, error) {
	n, err := strconv.ParseUint(id, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("%q isn't the number of a table", id)
	}
	var events []game.Event
	_, events, err = store.Events(ctx, bot.TableID(n), -1)
	if errors.Is(err, bot.ErrNoTable) {
		return nil, fmt.Errorf("no table %d", n)
	}
	if err != nil {
		return nil, err
	}
	return features.Export(bot.TableID(n), events)
}
