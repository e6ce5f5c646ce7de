package webtest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

// An Issuer is a service that speaks OpenID Connect, and returns the claims that a test
// sets by Expects.
type Issuer struct {
	*httptest.Server
	t          testing.TB
	key, other *ecdsa.PrivateKey
	Forged     bool // whether it signs with another key than it announces
	claims     map[string]any
	challenge  string // PKCE challenge of the sign-in
}

// NewIssuer starts an issuer that knows the client "room" with the secret "hush". It stops
// with the test.
func NewIssuer(t testing.TB) *Issuer {
	i := &Issuer{t: t}
	for _, key := range []**ecdsa.PrivateKey{&i.key, &i.other} {
		var err error
		if *key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
			t.Fatal(err)
		}
	}
	mux := http.NewServeMux()
	answer(mux, "/.well-known/openid-configuration", func(*http.Request) any {
		return map[string]any{
			"issuer": i.URL, "authorization_endpoint": i.URL + "/authorize", "token_endpoint": i.URL + "/token", "jwks_uri": i.URL + "/keys",
			"id_token_signing_alg_values_supported": []string{"ES256"},
		}
	})
	answer(mux, "/keys", func(*http.Request) any {
		point, err := i.key.PublicKey.Bytes()
		if err != nil {
			t.Error(err)
		}
		return map[string]any{"keys": []map[string]any{{"kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "kid": "1", "x": encoded(point[1:33]), "y": encoded(point[33:])}}}
	})
	answer(mux, "POST /token", func(req *http.Request) any {
		verifier := sha256.Sum256([]byte(req.FormValue("code_verifier")))
		if id, secret, _ := req.BasicAuth(); id != "room" || secret != "hush" || req.FormValue("code") != "code" || encoded(verifier[:]) != i.challenge || !strings.HasPrefix(req.FormValue("redirect_uri"), "https://play.example.org/in/back/") {
			t.Errorf("asked for a token by %s, with %v", id, req.Form)
		}
		return map[string]any{"access_token": "token", "token_type": "Bearer", "id_token": i.token()}
	})
	i.Server = httptest.NewServer(mux)
	t.Cleanup(i.Close)
	return i
}

// Expects sets the claims about the person sent to the service, and returns the state that
// comes back with them.
func (i *Issuer) Expects(sent *url.URL, claims map[string]any) (state string) {
	asked := sent.Query()
	i.challenge = asked.Get("code_challenge")
	i.claims = map[string]any{"iss": i.URL, "aud": "room", "exp": time.Now().Add(time.Hour).Unix(), "iat": time.Now().Unix(), "nonce": asked.Get("nonce")}
	maps.Copy(i.claims, claims)
	return asked.Get("state")
}

// answer serves a value as JSON at a path.
func answer(mux *http.ServeMux, path string, what func(*http.Request) any) {
	mux.HandleFunc(path, func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(what(req))
	})
}

func encoded(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// token returns a signed id token with the claims.
func (i *Issuer) token() string {
	head, err := json.Marshal(map[string]any{"alg": "ES256", "kid": "1"})
	if err != nil {
		i.t.Error(err)
	}
	body, err := json.Marshal(i.claims)
	if err != nil {
		i.t.Error(err)
	}
	text := encoded(head) + "." + encoded(body)
	sum, key := sha256.Sum256([]byte(text)), i.key
	if i.Forged {
		key = i.other
	}
	r, s, err := ecdsa.Sign(rand.Reader, key, sum[:])
	if err != nil {
		i.t.Error(err)
	}
	return text + "." + encoded(append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...))
}

// A Discord is a stand-in for Discord's API, with a user and their guilds.
type Discord struct {
	*httptest.Server
	Me        map[string]any
	Guilds    []string // ids
	Down      string   // a path that fails
	challenge string   // PKCE challenge of the sign-in
}

// NewDiscord starts a stand-in that knows the same client as an [Issuer]. It stops with the
// test.
func NewDiscord(t testing.TB) *Discord {
	d := &Discord{}
	mux := http.NewServeMux()
	known := func(of func() any) func(*http.Request) any {
		return func(req *http.Request) any {
			if got := req.Header.Get("Authorization"); got != "Bearer token" {
				t.Errorf("asked for %s with %q", req.URL, got)
			}
			return of()
		}
	}
	answer(mux, "POST /api/oauth2/token", func(req *http.Request) any {
		verifier := sha256.Sum256([]byte(req.FormValue("code_verifier")))
		if id, secret, _ := req.BasicAuth(); id != "room" || secret != "hush" || req.FormValue("grant_type") != "authorization_code" || req.FormValue("code") != "code" || encoded(verifier[:]) != d.challenge || req.FormValue("redirect_uri") != "https://play.example.org/in/back/discord" {
			t.Errorf("asked for a token by %s, with %v", id, req.Form)
		}
		return map[string]any{"access_token": "token", "token_type": "Bearer", "expires_in": 604800, "refresh_token": "later", "scope": "identify guilds"}
	})
	answer(mux, "GET /api/v10/users/@me", known(func() any { return d.Me }))
	answer(mux, "GET /api/v10/users/@me/guilds", known(func() any {
		guilds := []map[string]any{}
		for _, id := range d.Guilds {
			guilds = append(guilds, map[string]any{"id": id})
		}
		return guilds
	}))
	d.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Path == d.Down {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		mux.ServeHTTP(w, req)
	}))
	t.Cleanup(d.Close)
	return d
}

// Expects stores the PKCE challenge of the address to which the person was sent.
func (d *Discord) Expects(sent *url.URL) { d.challenge = sent.Query().Get("code_challenge") }
