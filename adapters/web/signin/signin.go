// Package signin signs people in by other services: any that speaks OpenID Connect,
// including Slack, and Discord, which speaks only OAuth2.
package signin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/rackmate/rackmate/bot"
)

// An Identity is a person as a service identifies them.
type Identity struct {
	// Subject is unique among all services.
	Subject string
	// Player is the person's id on one of the host's platforms, or "".
	Player bot.PlayerID
	Name   string
}

// ErrNotAdmitted means that the service knows the person, but the room doesn't admit
// them.
var ErrNotAdmitted = errors.New("the room doesn't admit that account")

// A Provider is a service that signs people in.
type Provider struct {
	Name  string // name in paths: "discord"
	Title string // name on the button: "Discord"

	client   *http.Client
	config   func(ctx context.Context) (*oauth2.Config, *oidc.IDTokenVerifier, error)
	identify func(ctx context.Context, p *Provider, token *oauth2.Token, idToken *oidc.IDToken) (Identity, error)
}

// A Client is the room's registration at a service.
type Client struct{ ID, Secret string }

// newClient returns an HTTP client that limits the time and size of answers.
func newClient() *http.Client {
	return &http.Client{Timeout: 10 * time.Second, Transport: limited{http.DefaultTransport}}
}

type limited struct{ http.RoundTripper }

func (l limited) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := l.RoundTripper.RoundTrip(req)
	if err == nil {
		resp.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(resp.Body, 1<<20), resp.Body}
	}
	return resp, err
}

// OpenID returns a provider that speaks OpenID Connect. It admits people whose verified
// email address, or its domain ("@example.org"), is listed in admit. If admit is empty, it
// admits everyone whom the service knows.
func OpenID(name, title, issuer string, c Client, admit []string) *Provider {
	return openID(name, title, issuer, c, []string{oidc.ScopeOpenID, "profile", "email"}, func(_ context.Context, _ *Provider, _ *oauth2.Token, t *oidc.IDToken) (Identity, error) {
		var claims struct {
			Name     string `json:"name"`
			Nickname string `json:"preferred_username"`
			Email    string `json:"email"`
			Verified bool   `json:"email_verified"`
		}
		if err := t.Claims(&claims); err != nil {
			return Identity{}, err
		}
		if len(admit) > 0 && !(claims.Verified && admits(admit, claims.Email)) {
			return Identity{}, ErrNotAdmitted
		}
		who := claims.Name
		if who == "" {
			who = claims.Nickname
		}
		if t.Subject == "" {
			return Identity{}, errNobody
		}
		return Identity{Subject: t.Issuer + " " + t.Subject, Name: who}, nil
	})
}

// errNobody means that the service sent an empty subject, which all people without one would share.
var errNobody = errors.New("the service's answer has an empty \"sub\", so it identifies nobody")

func admits(admit []string, email string) bool {
	return slices.ContainsFunc(admit, func(a string) bool {
		at := strings.LastIndexByte(email, '@')
		return at > 0 && (strings.EqualFold(a, email) || strings.HasPrefix(a, "@") && strings.EqualFold(a, email[at:]))
	})
}

// Slack returns a provider that admits the members of some workspaces, and links them to
// their Slack ids.
func Slack(issuer string, c Client, workspaces []string) *Provider {
	return openID("slack", "Slack", issuer, c, []string{oidc.ScopeOpenID, "profile"}, func(_ context.Context, _ *Provider, _ *oauth2.Token, t *oidc.IDToken) (Identity, error) {
		var claims struct {
			Name string `json:"name"`
			Team string `json:"https://slack.com/team_id"`
			User string `json:"https://slack.com/user_id"`
		}
		if err := t.Claims(&claims); err != nil {
			return Identity{}, err
		}
		if claims.Team == "" || claims.User == "" || !slices.Contains(workspaces, claims.Team) {
			return Identity{}, ErrNotAdmitted
		}
		id := "slack:" + claims.Team + "/" + claims.User
		return Identity{Subject: id, Player: bot.PlayerID(id), Name: claims.Name}, nil
	})
}

// SlackIssuer is Slack's issuer URL.
const SlackIssuer = "https://slack.com"

func openID(name, title, issuer string, c Client, scopes []string, identify func(context.Context, *Provider, *oauth2.Token, *oidc.IDToken) (Identity, error)) *Provider {
	p := &Provider{Name: name, Title: title, client: newClient(), identify: identify}
	var mu sync.Mutex
	var found *oidc.Provider
	p.config = func(ctx context.Context) (*oauth2.Config, *oidc.IDTokenVerifier, error) {
		mu.Lock()
		defer mu.Unlock()
		if found == nil {
			// The provider fetches keys later too, so its context must outlive the request.
			var err error
			if found, err = oidc.NewProvider(oidc.ClientContext(context.WithoutCancel(ctx), p.client), issuer); err != nil {
				return nil, nil, fmt.Errorf("load the OpenID Connect configuration of %s: %w", issuer, err)
			}
		}
		return &oauth2.Config{ClientID: c.ID, ClientSecret: c.Secret, Endpoint: found.Endpoint(), Scopes: scopes}, found.Verifier(&oidc.Config{ClientID: c.ID}), nil
	}
	return p
}

// DiscordAPI is the base URL of Discord's API.
const DiscordAPI = "https://discord.com/api"

// Discord returns a provider that admits the members of some servers, and links them to
// their Discord ids.
func Discord(api string, c Client, servers []string) *Provider {
	config := &oauth2.Config{
		ClientID: c.ID, ClientSecret: c.Secret, Scopes: []string{"identify", "guilds"},
		Endpoint: oauth2.Endpoint{AuthURL: strings.TrimSuffix(api, "/api") + "/oauth2/authorize", TokenURL: api + "/oauth2/token", AuthStyle: oauth2.AuthStyleInHeader},
	}
	return &Provider{
		Name: "discord", Title: "Discord", client: newClient(),
		config: func(context.Context) (*oauth2.Config, *oidc.IDTokenVerifier, error) { return config, nil, nil },
		identify: func(ctx context.Context, p *Provider, token *oauth2.Token, _ *oidc.IDToken) (Identity, error) {
			get := func(path string, out any) error {
				req, err := http.NewRequestWithContext(ctx, http.MethodGet, api+path, nil)
				if err != nil {
					return err
				}
				token.SetAuthHeader(req)
				resp, err := p.client.Do(req)
				if err != nil {
					return err
				}
				defer resp.Body.Close()
				if resp.StatusCode != http.StatusOK {
					return fmt.Errorf("Discord answers %s with %s", path, resp.Status)
				}
				return json.NewDecoder(resp.Body).Decode(out)
			}
			var me struct {
				ID     string `json:"id"`
				Name   string `json:"username"`
				Called string `json:"global_name"`
			}
			type guild struct {
				ID string `json:"id"`
			}
			var in []guild
			if err := errors.Join(get("/v10/users/@me", &me), get("/v10/users/@me/guilds", &in)); err != nil {
				return Identity{}, err
			}
			if me.ID == "" || !slices.ContainsFunc(in, func(g guild) bool { return slices.Contains(servers, g.ID) }) {
				return Identity{}, ErrNotAdmitted
			}
			if me.Called != "" {
				me.Name = me.Called
			}
			return Identity{Subject: "discord:" + me.ID, Player: bot.PlayerID("discord:" + me.ID), Name: me.Name}, nil
		},
	}
}

// A Start is the state of a sign-in that is needed when the person returns from the
// service.
type Start struct {
	State    string `json:"s"`
	Nonce    string `json:"n"`
	Verifier string `json:"v"` // PKCE verifier
}

// Begin returns the service's address to which to send a person, who then returns to the
// address back.
func (p *Provider) Begin(ctx context.Context, s Start, back string) (string, error) {
	config, _, err := p.config(ctx)
	if err != nil {
		return "", err
	}
	to := *config
	to.RedirectURL = back
	options := []oauth2.AuthCodeOption{oauth2.S256ChallengeOption(s.Verifier)}
	if slices.Contains(to.Scopes, oidc.ScopeOpenID) {
		options = append(options, oidc.Nonce(s.Nonce))
	}
	return to.AuthCodeURL(s.State, options...), nil
}

// Finish returns the identity of the person who returned with a code.
func (p *Provider) Finish(ctx context.Context, s Start, back, code string) (Identity, error) {
	config, verifier, err := p.config(ctx)
	if err != nil {
		return Identity{}, err
	}
	ctx = oidc.ClientContext(ctx, p.client)
	to := *config
	to.RedirectURL = back
	token, err := to.Exchange(ctx, code, oauth2.VerifierOption(s.Verifier))
	if err != nil {
		var refused *oauth2.RetrieveError
		if errors.As(err, &refused) {
			return Identity{}, fmt.Errorf("%s refuses the code: %s", p.Title, refused.ErrorCode) // without the response, which may contain secrets
		}
		var failed *url.Error
		if errors.As(err, &failed) {
			err = failed.Err
		}
		return Identity{}, fmt.Errorf("ask %s for a token: %w", p.Title, err)
	}
	if verifier == nil {
		return p.identify(ctx, p, token, nil)
	}
	raw, _ := token.Extra("id_token").(string)
	id, err := verifier.Verify(ctx, raw)
	if err != nil {
		return Identity{}, fmt.Errorf("verify the ID token of %s: %w", p.Title, err)
	}
	if id.Nonce != s.Nonce {
		return Identity{}, fmt.Errorf("the ID token of %s is for another sign-in", p.Title)
	}
	return p.identify(ctx, p, token, id)
}
