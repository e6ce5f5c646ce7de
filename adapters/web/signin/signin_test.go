package signin_test

import (
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/rackmate/rackmate/adapters/web/signin"
	"github.com/rackmate/rackmate/adapters/web/webtest"
	"github.com/rackmate/rackmate/game/gametest"
)

var room = signin.Client{ID: "room", Secret: "hush"}

const back = "https://play.example.org/in/back/"

// sent returns the service's address for a sign-in, and checks its parameters.
func sent(t *testing.T, p *signin.Provider, s signin.Start) *url.URL {
	t.Helper()
	address, err := p.Begin(t.Context(), s, back+p.Name)
	gametest.Must(t, err)
	to, err := url.Parse(address)
	gametest.Must(t, err)
	if asked := to.Query(); asked.Get("state") != s.State || asked.Get("client_id") != room.ID || asked.Get("redirect_uri") != back+p.Name || asked.Get("code_challenge_method") != "S256" {
		t.Errorf("the service is asked for %v", asked)
	}
	return to
}

// started returns the state of a sign-in, different for each n.
func started(n string) signin.Start {
	return signin.Start{State: "state" + n, Nonce: "nonce" + n, Verifier: strings.Repeat("verifier", 6) + n}
}

// A person who returns from an OpenID Connect service has the identity in its token, if the
// room admits them: by a verified address or its domain, in any case.
func TestOpenIDIdentity(t *testing.T) {
	i := webtest.NewIssuer(t)
	for name, c := range map[string]struct {
		admit  []string
		claims map[string]any
		who    string // "" if not admitted
	}{
		"anybody where nobody is listed":  {nil, nil, "Ann"},
		"an address that is listed":       {[]string{"bob@example.org", "ANN@example.org"}, nil, "Ann"},
		"a domain that is listed":         {[]string{"@Example.org"}, nil, "Ann"},
		"an address nobody verified":      {[]string{"@example.org"}, map[string]any{"email_verified": false}, ""},
		"another domain":                  {[]string{"@example.com"}, nil, ""},
		"a domain that only ends like it": {[]string{"@example.org"}, map[string]any{"email": "eve@bad-example.org"}, ""},
		"an address with two @":           {[]string{"@example.org"}, map[string]any{"email": "eve@example.org@bad.example"}, ""},
		"a domain without anybody in it":  {[]string{"@example.org"}, map[string]any{"email": "@example.org"}, ""},
		"no address":                      {[]string{""}, map[string]any{"email": ""}, ""},
		"a nickname for want of a name":   {nil, map[string]any{"name": "", "preferred_username": "ann7"}, "ann7"},
	} {
		t.Run(name, func(t *testing.T) {
			p := signin.OpenID("account", "Example", i.URL, room, c.admit)
			s := started("1")
			claims := map[string]any{"sub": "7", "name": "Ann", "email": "ann@example.org", "email_verified": true}
			maps.Copy(claims, c.claims)
			i.Expects(sent(t, p, s), claims)
			who, err := p.Finish(t.Context(), s, back+p.Name, "code")
			if c.who == "" {
				if !errors.Is(err, signin.ErrNotAdmitted) {
					t.Errorf("%+v comes in, %v", who, err)
				}
				return
			}
			if gametest.Must(t, err); who != (signin.Identity{Subject: i.URL + " 7", Name: c.who}) {
				t.Errorf("who comes back is %+v", who)
			}
		})
	}
}

// A token of another sign-in, room or service admits no one, and the error reveals no
// secrets.
func TestInvalidTokensAreRefused(t *testing.T) {
	i := webtest.NewIssuer(t)
	p := signin.OpenID("account", "Example", i.URL, room, nil)
	ann := map[string]any{"sub": "7", "name": "Ann"}
	for name, c := range map[string]struct {
		claims map[string]any
		forged bool
		says   string
	}{
		"answer to another sign-in": {claims: map[string]any{"nonce": "another"}, says: "the ID token of Example is for another sign-in"},
		"for another client":        {claims: map[string]any{"aud": "somebody"}, says: "verify the ID token of Example"},
		"of long ago":               {claims: map[string]any{"exp": time.Now().Add(-time.Hour).Unix()}, says: "verify the ID token of Example"},
		"of another issuer":         {claims: map[string]any{"iss": "https://evil.example"}, says: "verify the ID token of Example"},
		"of nobody":                 {claims: map[string]any{"sub": ""}, says: "so it identifies nobody"},
		"forged":                    {forged: true, says: "verify the ID token of Example"},
		"with a name that is none":  {claims: map[string]any{"name": 7}, says: "cannot unmarshal"},
	} {
		t.Run(name, func(t *testing.T) {
			s := started("2")
			claims := maps.Clone(ann)
			to := sent(t, p, s)
			maps.Copy(claims, c.claims)
			i.Expects(to, claims)
			i.Forged = c.forged
			defer func() { i.Forged = false }()
			who, err := p.Finish(t.Context(), s, back+p.Name, "code")
			if err == nil || errors.Is(err, signin.ErrNotAdmitted) || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), room.Secret) {
				t.Errorf("%+v comes in, %v", who, err)
			}
		})
	}
}

// Members of the workspaces keep their Slack identity.
func TestSlackIdentity(t *testing.T) {
	i := webtest.NewIssuer(t)
	p := signin.Slack(i.URL, room, []string{"T1", "T2", ""})
	for _, c := range []struct {
		team, user string
		in         bool
	}{{"T2", "U7", true}, {"T3", "U7", false}, {"T1", "", false}, {"", "U7", false}} {
		s := started("3")
		i.Expects(sent(t, p, s), map[string]any{"sub": "U7", "name": "Bob", "https://slack.com/team_id": c.team, "https://slack.com/user_id": c.user})
		who, err := p.Finish(t.Context(), s, back+p.Name, "code")
		switch {
		case !c.in && !errors.Is(err, signin.ErrNotAdmitted):
			t.Errorf("%q of %q is %+v, %v", c.user, c.team, who, err)
		case c.in && (err != nil || who != signin.Identity{Subject: "slack:T2/U7", Player: "slack:T2/U7", Name: "Bob"}):
			t.Errorf("%q of %q is %+v, %v", c.user, c.team, who, err)
		}
	}
}

// Members of the servers keep their Discord identity, under their display name.
func TestDiscordIdentity(t *testing.T) {
	d := webtest.NewDiscord(t)
	p := signin.Discord(d.URL+"/api", room, []string{"41", "42"})
	come := func() (signin.Identity, error) {
		s := started("4")
		d.Expects(sent(t, p, s))
		return p.Finish(t.Context(), s, back+p.Name, "code")
	}
	for shown, want := range map[any]string{"Ann": "Ann", nil: "ann7"} {
		d.Me, d.Guilds = map[string]any{"id": "7", "username": "ann7", "global_name": shown}, []string{"5", "42"}
		if who, err := come(); err != nil || who != (signin.Identity{Subject: "discord:7", Player: "discord:7", Name: want}) {
			t.Errorf("a member who shows the name %v is %+v, %v", shown, who, err)
		}
	}
	for name, guilds := range map[string][]string{"of another server": {"5"}, "of none": {}} {
		d.Guilds = guilds
		if who, err := come(); !errors.Is(err, signin.ErrNotAdmitted) {
			t.Errorf("a member %s is %+v, %v", name, who, err)
		}
	}
	d.Me, d.Guilds = nil, []string{"42"}
	if who, err := come(); !errors.Is(err, signin.ErrNotAdmitted) {
		t.Errorf("nobody is %+v, %v", who, err)
	}
	for down, says := range map[string]string{
		"/api/oauth2/token":         "Discord refuses the code",
		"/api/v10/users/@me":        "Discord answers /v10/users/@me with 503",
		"/api/v10/users/@me/guilds": "Discord answers /v10/users/@me/guilds with 503",
	} {
		d.Down = down
		if who, err := come(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("without %s somebody is %+v, %v", down, who, err)
		}
	}
	d.Close()
	if who, err := come(); err == nil || !strings.Contains(err.Error(), "ask Discord for a token") || strings.Contains(err.Error(), d.URL+"/api") {
		t.Errorf("without Discord somebody is %+v, %v", who, err)
	}
}

// If a service can't be reached, the next sign-in tries again. Its configuration is fetched
// once.
func TestUnreachableServiceIsRetried(t *testing.T) {
	i := webtest.NewIssuer(t)
	asked, down := 0, true
	there := i.Config.Handler
	i.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if asked++; down {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		there.ServeHTTP(w, req)
	})
	p := signin.OpenID("account", "Example", i.URL, room, nil)
	if to, err := p.Begin(t.Context(), started("5"), back+p.Name); err == nil || !strings.Contains(err.Error(), i.URL) {
		t.Errorf("from a service that is down somebody is sent to %s, %v", to, err)
	}
	if _, err := p.Finish(t.Context(), started("5"), back+p.Name, "code"); err == nil {
		t.Error("somebody comes back from a service that is down")
	}
	down, asked = false, 0
	for range 2 {
		sent(t, p, started("6"))
	}
	if asked != 1 {
		t.Errorf("the service is asked %d times how it signs people in", asked)
	}
}

// The size of a service's answer is limited.
func TestServiceAnswerSizeIsLimited(t *testing.T) {
	served := make(chan int, 1)
	endless := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n := 0
		for n < 64<<20 {
			some, err := w.Write([]byte(strings.Repeat(" ", 1<<16)))
			if n += some; err != nil {
				break
			}
		}
		served <- n
	}))
	defer endless.Close()
	p := signin.OpenID("account", "Example", endless.URL, room, nil)
	if _, err := p.Begin(t.Context(), started("7"), back+p.Name); err == nil {
		t.Error("somebody is sent to a service that says nothing of itself")
	}
	if n := <-served; n >= 64<<20 {
		t.Errorf("%d bytes of an answer are read", n)
	}
}
