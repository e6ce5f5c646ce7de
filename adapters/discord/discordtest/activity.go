package discordtest

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image/png"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// This file answers the requests of an Activity: for the user behind a code and for the
// users of an instance. It also signs the proxy's statement about the sender of a
// request.

// ClientSecret is the application's client secret.
const ClientSecret = "discordtest-client-secret"

// activities holds the Activities of all applications.
type activities struct {
	on        bool              // the application has an Activity, so Discord requires its entry point
	codes     map[string]access // by code, until the code is used
	tokens    map[string]access
	instances map[string]*instance
	links     []QuickLink
}

// A QuickLink is a link to the Activity that a user created to share.
type QuickLink struct {
	By                         *User `json:"-"`
	ID                         string
	Custom, Title, Description string
	PNG                        []byte
}

// An access is a user's authorization of an application.
type access struct {
	user        *User
	application string
}

type instance struct {
	application string
	kind        string
	channel     *Channel
	users       []string
}

// SwitchOnActivities does what the switch in the developer portal does: it adds an entry
// point that Discord answers itself.
func (d *Discord) SwitchOnActivities() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.activities.on = true
	d.commands = append(d.commands, registered{map[string]any{
		"id": d.id(), "version": d.id(), "application_id": ApplicationID, "type": 4, "name": "launch", "description": "", "handler": 2,
		"contexts": []int{0, 1, 2}, "integration_types": []int{0, 1}, "default_member_permissions": "2048", "name_localizations": nil, "description_localizations": nil, "nsfw": false,
	}, commandRequest{Type: 4, Name: "launch", Handler: 2}})
}

// Launches lets the user use the application's entry point.
func (u *User) Launches(c *Channel) *Interaction {
	u.d.mu.Lock()
	var name, id string
	for _, r := range u.d.commands {
		if r.Type == 4 && r.Handler == 1 {
			name, id = r.Name, fmt.Sprint(r.listed["id"])
		}
	}
	u.d.mu.Unlock()
	if name == "" {
		u.d.report("%s can't launch anything: no entry point calls the application", u.Name)
		return nil
	}
	return u.does(c, command, map[string]any{"id": id, "name": name, "type": 4}, nil)
}

// OpenInstance opens an instance of an application's Activity in a channel, with users in it. kind
// is "gc" in a server, "pc" elsewhere, or one that Discord may add later.
func (d *Discord) OpenInstance(application, kind string, c *Channel, users ...*User) (id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	in := &instance{application: application, kind: kind, channel: c}
	for _, u := range users {
		in.users = append(in.users, u.ID)
	}
	if d.activities.instances == nil {
		d.activities.instances = map[string]*instance{}
	}
	id = "i-" + d.id() + "-" + kind + "-" + c.ID
	d.activities.instances[id] = in
	return id
}

// JoinsInstance adds the user to an instance.
func (u *User) JoinsInstance(id string) {
	u.d.mu.Lock()
	defer u.d.mu.Unlock()
	in := u.d.activities.instances[id]
	in.users = append(in.users, u.ID)
}

// LeavesInstance removes the user from an instance, which ends with its last user.
func (u *User) LeavesInstance(id string) {
	u.d.mu.Lock()
	defer u.d.mu.Unlock()
	in := u.d.activities.instances[id]
	in.users = slices.DeleteFunc(in.users, func(other string) bool { return other == u.ID })
	if len(in.users) == 0 {
		delete(u.d.activities.instances, id)
	}
}

// Authorizes returns a code for the user that an application can exchange for a token.
func (u *User) Authorizes(application string) (code string) {
	u.d.mu.Lock()
	defer u.d.mu.Unlock()
	if u.d.activities.codes == nil {
		u.d.activities.codes = map[string]access{}
	}
	code = "code-" + u.d.id()
	u.d.activities.codes[code] = access{u, application}
	return code
}

// A ProxyWord is the proxy's statement about the sender of a request.
type ProxyWord struct {
	Application string `json:"application_id"`
	User        string `json:"user_id"`
	Developer   bool   `json:"is_developer"`
	Created     int64  `json:"created_at"`
	Expires     int64  `json:"expires_at"`
}

// Vouch returns the proxy's statement about the user at the current time.
func (u *User) Vouch() ProxyWord {
	now := u.d.Now()
	return ProxyWord{Application: ApplicationID, User: u.ID, Created: now.Unix(), Expires: now.Add(5 * time.Minute).Unix()}
}

// ProxyKey returns the key that signs the application's requests. It is created on first
// use, because that takes two milliseconds, and most test programs don't need it.
var ProxyKey = sync.OnceValue(func() ed25519.PrivateKey { return ed25519.NewKeyFromSeed([]byte("the key of a Discord for tests..")) })

// Headers returns the signed statement as request headers.
func (w ProxyWord) Headers(key ed25519.PrivateKey) http.Header {
	b, err := json.Marshal(w)
	if err != nil {
		panic(err) // all fields can be encoded
	}
	h := http.Header{}
	h.Set("X-Signature-Ed25519", base64.StdEncoding.EncodeToString(ed25519.Sign(key, b)))
	h.Set("X-Signature-Timestamp", strconv.FormatInt(w.Created, 10))
	h.Set("X-Discord-Proxy-Payload", base64.StdEncoding.EncodeToString(b))
	return h
}

// verifyKey returns the public half of ProxyKey.
func verifyKey() string { return hex.EncodeToString(ProxyKey().Public().(ed25519.PublicKey)) }

// serveAccess serves the part of the API that isn't for bots: it takes a form, or a user's
// token. It reports whether the request belonged there.
func (d api) serveAccess(w http.ResponseWriter, r *http.Request) (served bool) {
	path := strings.TrimPrefix(r.URL.Path, "/api/v10")
	token, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if path != "/oauth2/token" && !bearer {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.requests = append(d.requests, r.Method+" "+path)
	answer := func(status int, v any) bool {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		json.NewEncoder(w).Encode(v)
		return true
	}
	who, known := d.activities.tokens[token]
	switch r.Method + " " + path {
	case "POST /oauth2/token":
		if kind := r.Header.Get("Content-Type"); kind != "application/x-www-form-urlencoded" {
			d.report("the token endpoint takes a form, not %q", kind)
		}
		if err := r.ParseForm(); err != nil {
			d.report("the token endpoint: %v", err)
		}
		return answer(d.exchange(r.PostForm))
	case "GET /oauth2/@me":
		if !known {
			return answer(http.StatusUnauthorized, map[string]any{"message": "401: Unauthorized", "code": 0})
		}
		return answer(http.StatusOK, map[string]any{"application": map[string]any{"id": who.application, "name": "x"}, "scopes": []string{"identify"}, "expires": d.now().Add(7 * 24 * time.Hour), "user": who.user.json()})
	case "GET /users/@me":
		if !known {
			return answer(http.StatusUnauthorized, map[string]any{"message": "401: Unauthorized", "code": 0})
		}
		own := who.user.json()
		own["locale"] = "en-GB"
		return answer(http.StatusOK, own)
	case "POST /applications/" + ApplicationID + "/quick-links/":
		if !known || who.application != ApplicationID {
			return answer(http.StatusUnauthorized, map[string]any{"message": "401: Unauthorized", "code": 0})
		}
		link, err := d.quickLink(who.user, r.Body)
		if err != nil {
			d.report("a quick link: %v", err)
			return answer(http.StatusBadRequest, map[string]any{"message": err.Error(), "code": 50035})
		}
		return answer(http.StatusOK, map[string]string{"link_id": link})
	}
	d.report("%s %s: the stand-in has no such route for people's tokens", r.Method, path)
	return answer(http.StatusNotFound, map[string]any{"message": "404: Not Found", "code": 0})
}

// quickLink stores a link to share.
func (d api) quickLink(by *User, body io.Reader) (id string, err error) {
	var in struct {
		Custom      string `json:"custom_id"`
		Title       string `json:"title"`
		Description string `json:"description"`
		Image       string `json:"image"`
	}
	if err := json.NewDecoder(body).Decode(&in); err != nil {
		return "", err
	}
	encoded, found := strings.CutPrefix(in.Image, "data:image/png;base64,")
	picture, err := base64.StdEncoding.DecodeString(encoded)
	if size, wrong := png.DecodeConfig(bytes.NewReader(picture)); wrong != nil || size.Width*24 != size.Height*43 {
		return "", fmt.Errorf("its picture of %d by %d isn't 43:24 (%v)", size.Width, size.Height, wrong)
	}
	if !found || err != nil || in.Title == "" || in.Description == "" || len(in.Custom) > 64 {
		return "", fmt.Errorf("%q, %q, %q, with an image of %d characters", in.Custom, in.Title, in.Description, len(in.Image))
	}
	l := QuickLink{by, "0-" + d.id(), in.Custom, in.Title, in.Description, picture}
	d.activities.links = append(d.activities.links, l)
	return l.ID, nil
}

// QuickLinks returns the links that users have created to share.
func (d *Discord) QuickLinks() []QuickLink {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.activities.links)
}

// launched adds the user to the Activity's instance in the channel, and opens one if there
// is none.
func (d api) launched(by *User, c *Channel) (id string) {
	for id, in := range d.activities.instances {
		if in.application == ApplicationID && in.channel == c {
			if !slices.Contains(in.users, by.ID) {
				in.users = append(in.users, by.ID)
			}
			return id
		}
	}
	kind := "pc"
	if c.guild != nil {
		kind = "gc"
	}
	if d.activities.instances == nil {
		d.activities.instances = map[string]*instance{}
	}
	id = "i-" + d.id() + "-" + kind + "-" + c.ID
	d.activities.instances[id] = &instance{application: ApplicationID, kind: kind, channel: c, users: []string{by.ID}}
	return id
}

// exchange returns a token for a code, which is valid once.
func (d api) exchange(form url.Values) (status int, answer any) {
	if form.Get("client_id") != ApplicationID || form.Get("client_secret") != ClientSecret {
		return http.StatusUnauthorized, map[string]string{"error": "invalid_client"}
	}
	who, known := d.activities.codes[form.Get("code")]
	if form.Get("grant_type") != "authorization_code" || !known {
		return http.StatusBadRequest, map[string]string{"error": "invalid_grant"}
	}
	delete(d.activities.codes, form.Get("code"))
	if d.activities.tokens == nil {
		d.activities.tokens = map[string]access{}
	}
	token := "access-" + d.id()
	d.activities.tokens[token] = who
	return http.StatusOK, map[string]any{"access_token": token, "token_type": "Bearer", "expires_in": 604800, "scope": "identify"}
}

func (d api) getInstance(p []string, _ []byte, _ []file) (any, error) {
	in := d.activities.instances[p[1]]
	if in == nil || p[0] != ApplicationID {
		return nil, errNotFound
	}
	location := map[string]any{"id": in.kind + "-" + in.channel.ID, "kind": in.kind, "channel_id": in.channel.ID}
	if in.channel.guild != nil {
		location["guild_id"] = in.channel.guild.ID
	}
	answer := map[string]any{"application_id": in.application, "instance_id": p[1], "launch_id": d.id(), "users": in.users, "location": location}
	if in.kind != "gc" && in.kind != "pc" {
		return undescribed(answer), nil
	}
	return answer, nil
}

func (d api) getMember(p []string, _ []byte, _ []file) (any, error) {
	if g := d.guilds[p[0]]; g != nil && p[1] == ApplicationID {
		m := (&User{}).memberJSON()
		delete(m, "permissions")
		m["user"], m["roles"] = botUser(), []any{BotRole.id(g)}
		return m, nil
	}
	u := d.users[p[1]]
	if u == nil || d.guilds[p[0]] == nil {
		return nil, errUnknownUser
	}
	m := u.memberJSON()
	delete(m, "permissions")
	m["nick"] = "Captain " + u.Name
	return m, nil
}
