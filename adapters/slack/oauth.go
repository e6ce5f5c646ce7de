package slack

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"html"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// OAuth holds the settings with which workspaces can install the app by themselves.
type OAuth struct {
	ClientID     string // empty: there is one workspace, with BotToken
	ClientSecret string
	Key          string // 32 bytes in base64 that encrypt tokens; former keys follow, separated by commas
	URL          string // the host's public address
}

const (
	stateCookie = "rackmate_slack_state"
	stateLife   = 10 * time.Minute
)

// serveInstall redirects a browser to Slack for consent. The state that comes back must be
// signed by us and match the browser's cookie, so that nobody can make another person's
// browser complete an installation.
// https://docs.slack.dev/authentication/installing-with-oauth
func (e *endpoint) serveInstall(w http.ResponseWriter, r *http.Request) {
	nonce := make([]byte, 16)
	if _, err := io.ReadFull(e.random, nonce); err != nil {
		e.writePage(w, r, http.StatusInternalServerError, text.Say("Something went wrong. Please try again."))
		return
	}
	state := e.signState(base64.RawURLEncoding.EncodeToString(nonce), e.Now().Add(stateLife))
	http.SetCookie(w, &http.Cookie{Name: stateCookie, Value: state, Path: oauthPath, MaxAge: int(stateLife / time.Second), HttpOnly: true, Secure: true, SameSite: http.SameSiteLaxMode})
	q := url.Values{"client_id": {e.OAuth.ClientID}, "scope": {strings.Join(scopes(true, e.Minimal), ",")}, "state": {state}, "redirect_uri": {e.redirectURI()}}
	http.Redirect(w, r, e.API+"/oauth/v2/authorize?"+q.Encode(), http.StatusFound)
}

func (e *endpoint) redirectURI() string { return strings.TrimSuffix(e.OAuth.URL, "/") + oauthPath }

// signState returns a state that expires at a time: "nonce.seconds.signature".
func (e *endpoint) signState(nonce string, until time.Time) string {
	text := nonce + "." + strconv.FormatInt(until.Unix(), 10)
	mac := hmac.New(sha256.New, []byte("state:"+e.OAuth.Key))
	mac.Write([]byte(text))
	return text + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

func (e *endpoint) isValidState(state string) bool {
	f := strings.Split(state, ".")
	if len(f) != 3 {
		return false
	}
	seconds, err := strconv.ParseInt(f[1], 10, 64)
	until := time.Unix(seconds, 0)
	return err == nil && e.Now().Before(until) && hmac.Equal([]byte(state), []byte(e.signState(f[0], until)))
}

// serveOAuth completes the installation of a workspace that has agreed.
func (e *endpoint) serveOAuth(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	cookie, err := r.Cookie(stateCookie)
	state := q.Get("state")
	if err != nil || !hmac.Equal([]byte(cookie.Value), []byte(state)) || !e.isValidState(state) || !e.states.add(state, "") {
		e.writePage(w, r, http.StatusBadRequest, text.Say("That took too long or was started in another browser. Please start again at {path}.", installPath))
		return
	}
	http.SetCookie(w, &http.Cookie{Name: stateCookie, Path: oauthPath, MaxAge: -1, HttpOnly: true, Secure: true})
	if q.Get("error") != "" || q.Get("code") == "" {
		e.writePage(w, r, http.StatusOK, text.Say("Rackmate wasn't installed. You can start again at {path}.", installPath))
		return
	}
	got, err := slack.GetOAuthV2ResponseContext(r.Context(), e.http, e.OAuth.ClientID, e.OAuth.ClientSecret, q.Get("code"), e.redirectURI(), slack.OAuthOptionAPIURL(e.API+"/api/"))
	var again bool
	if err == nil {
		in := e.tokens.newInstallation(got)
		again = e.tokens.isUsable(r.Context(), in.Home)
		err = e.install(r.Context(), in)
	}
	if err != nil {
		e.Log.Warn("can't install", "error", err)
		e.writePage(w, r, http.StatusBadGateway, text.Say("Slack didn't finish the installation. Please start again at {path}.", installPath))
		return
	}
	e.Log.Info("installed", "home", homeOf(got.Enterprise.ID, got.Team.ID, got.IsEnterpriseInstall))
	in := e.tokens.newInstallation(got)
	e.tab.learn(got.AppID, member{in.Home, got.AuthedUser.ID}, got.Team.ID)
	e.work(r.Context(), func(ctx context.Context) {
		if again {
			return // an earlier request has welcomed them
		}
		e.in.greeter.welcome(ctx, member{in.Home, got.AuthedUser.ID})
	})
	to := e.browserLocale(r)
	say := func(t text.Text) string { return html.EscapeString(t.In(to).String()) }
	installed := say(text.Say("Rackmate is installed."))
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, `<!doctype html><html lang="`+to.Code()+`"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>`+installed+`</title>
<p>`+installed+` `+say(text.Say("Type {command} in a channel to start.", "/"+umbrella))+`
<p><a href="`+html.EscapeString("https://slack.com/app_redirect?"+url.Values{"app": {got.AppID}, "team": {cmp.Or(got.Team.ID, got.Enterprise.ID)}}.Encode())+`">`+say(text.Say("Back to Slack"))+`</a>
`)
}

// install stores a home that has installed the app, and retries the posts waiting for it.
func (e *endpoint) install(ctx context.Context, in installation) error {
	if err := e.tokens.install(ctx, in); err != nil {
		return err
	}
	if err := e.refused.Lift(ctx, homeID(in.Home)); err != nil {
		return err
	}
	e.Host.Retry(ctx, func(ch bot.ChannelID) bool { at, err := placeOf(ch); return err == nil && at.home == in.Home })
	return nil
}

// browserLocale returns the language that a browser requests.
func (e *endpoint) browserLocale(r *http.Request) *text.Locale {
	return e.Host.LocaleFor(r.Context(), bot.Request{Locale: r.Header.Get("Accept-Language")})
}

// writePage shows a sentence.
func (e *endpoint) writePage(w http.ResponseWriter, r *http.Request, status int, sentence text.Text) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, sentence.In(e.browserLocale(r)).String()+"\n")
}
