package discord

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"
)

const (
	// maxAge is the greatest age of a signed interaction, so that an eavesdropper can't
	// replay it later.
	maxAge = 5 * time.Minute
	// bodyTime is the time limit for receiving an interaction.
	bodyTime = 10 * time.Second
	// maxBody is the largest body, in bytes; Discord's are much smaller.
	maxBody = 1 << 20
)

// An endpoint receives the interactions that Discord posts.
type endpoint struct {
	*common
	inbox    *inbox
	servers  *servers
	key      ed25519.PublicKey // nil if interactions come by the gateway
	bodyTime time.Duration     // bodyTime, except in tests
	answered sync.Map          // by interaction: *given
}

// ServeHTTP serves the endpoint that receives interactions if they don't come by the
// gateway. Discord signs them with the application's key, and occasionally checks that a
// wrong signature is refused.
func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "Discord posts interactions here.", http.StatusMethodNotAllowed)
		return
	}
	// A body that trickles in would hold the connection for ever.
	http.NewResponseController(w).SetReadDeadline(time.Now().Add(e.bodyTime))
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		http.Error(w, "That took too long.", http.StatusRequestTimeout)
		return
	case err != nil:
		http.Error(w, "That is too long to be an interaction.", http.StatusRequestEntityTooLarge)
		return
	}
	if !e.hasSigned(r.Header, body) {
		http.Error(w, "The signature is wrong, or too old.", http.StatusUnauthorized)
		return
	}
	if told, ok := readWebhook(body); ok {
		if err := e.servers.handleWebhook(context.WithoutCancel(r.Context()), told); err != nil {
			e.Log.Error("can't record Discord's data on the application", "error", err)
			http.Error(w, "That can't be recorded now.", http.StatusInternalServerError)
			return
		}
		w.WriteHeader(http.StatusNoContent)
		return
	}
	i, err := parseInteraction(body)
	if err != nil {
		e.Log.Warn("interaction not understood", "error", err)
		http.Error(w, "That isn't an interaction.", http.StatusBadRequest)
		return
	}
	first, ok := e.firstResponse(r.Context(), i)
	if !ok {
		http.Error(w, "That can't be answered.", http.StatusInternalServerError)
		return
	}
	if first.Type == answered {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(first); err != nil {
		e.Log.Warn("can't answer", "interaction", i.ID, "error", err)
	}
}

// firstResponse returns the first response to an interaction. Handling continues in the
// background, because the answer may take longer than the request. If the interaction is
// sent again, by Discord or an eavesdropper, it gets the same response, and isn't handled
// again.
func (e *endpoint) firstResponse(ctx context.Context, i *interaction) (response, bool) {
	now := e.Now()
	e.answered.Range(func(id, old any) bool {
		if now.Sub(old.(*givenResponse).at) > 2*maxAge {
			e.answered.Delete(id)
		}
		return true
	})
	mine := &givenResponse{at: now, done: make(chan struct{})}
	if there, again := e.answered.LoadOrStore(i.ID, mine); again && i.Type != ping {
		earlier := there.(*givenResponse)
		<-earlier.done
		return earlier.response, earlier.ok
	}
	responses := make(chan response, 1)
	e.inbox.handled.Go(func() {
		defer close(responses)
		e.inbox.handle(context.WithoutCancel(ctx), i, e.inline(i, responses))
	})
	mine.response, mine.ok = <-responses
	close(mine.done)
	return mine.response, mine.ok
}

// A givenResponse is the first response that an interaction has got.
type givenResponse struct {
	at       time.Time
	done     chan struct{} // closed when the rest is set
	response response
	ok       bool
}

// hasSigned reports whether Discord recently signed a body.
func (e *endpoint) hasSigned(h http.Header, body []byte) bool {
	signature, err := hex.DecodeString(h.Get("X-Signature-Ed25519"))
	timestamp := h.Get("X-Signature-Timestamp")
	if err != nil || len(signature) != ed25519.SignatureSize || len(e.key) != ed25519.PublicKeySize {
		return false
	}
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if age := e.Now().Sub(time.Unix(seconds, 0)); err != nil || age > maxAge || age < -maxAge {
		return false
	}
	return ed25519.Verify(e.key, append([]byte(timestamp), body...), signature)
}

var errAnswered = errors.New("the interaction has had its first response")

// answered means that we have sent Discord the response in a request of our own.
const answered responseType = 0

// inline returns a responder that answers the HTTP request of the interaction. That answer
// is JSON, so a response with files is deferred and then edited. The response that opens
// the Activity is a request of its own, which shows whether Discord opens it.
func (e *endpoint) inline(i *interaction, responses chan<- response) responder {
	done := false
	return func(ctx context.Context, r response) error {
		if done {
			return errAnswered
		}
		if r.Type == launchActivity {
			err := e.inbox.callback(i)(ctx, r)
			if done = err == nil; done {
				responses <- response{Type: answered}
			}
			return err
		}
		done = true
		if len(r.files) == 0 {
			responses <- r
			return nil
		}
		responses <- deferResponse(r.Type == update)
		p, _ := r.Data.(payload)
		return e.inbox.edit(ctx, i, p.followUp(r.Type == update))
	}
}
