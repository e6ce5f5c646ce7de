package discordtest

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A file is a part files[n] of a multipart request.
type file struct {
	name, contentType string
	data              []byte
}

// An api is the HTTP API of a Discord.
type api struct{ *Discord }

// serveAPI handles a request of the HTTP API.
func (d api) serveAPI(w http.ResponseWriter, r *http.Request) {
	path, ok := strings.CutPrefix(r.URL.Path, "/api/v10")
	if !ok {
		d.report("%s: only version 10 is spoken here", r.URL.Path)
	}
	if d.Dead() {
		panic(http.ErrAbortHandler)
	}
	if d.serveAccess(w, r) {
		return
	}
	meant := d.plannedDeath()
	d.recordArrival(path)
	body, files, err := readBody(r)
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) || r.Context().Err() != nil {
		return // the bot stopped in the middle of it
	}
	if err != nil {
		d.report("%s %s: %v", r.Method, path, err)
		fail(w, invalid("%v", err))
		return
	}
	if err := d.schema.check(r, body); err != nil {
		d.report("against Discord's description: %v", err)
	}
	d.mu.Lock()
	d.requests = append(d.requests, r.Method+" "+path)
	fault := d.fault(r.Method + " " + path)
	d.change()
	d.mu.Unlock()
	if fault != nil && !fault.Taken {
		fault.answer(w)
		return
	}
	answer, err := d.carryOut(r, path, body, files)
	if d.dies(meant) {
		panic(http.ErrAbortHandler)
	}
	if fault != nil {
		fault.answer(w)
		return
	}
	d.reply(w, r, body, answer, err)
}

// reply sends the response to a request, after checking it against Discord's description.
func (d api) reply(w http.ResponseWriter, r *http.Request, body []byte, answer any, err error) {
	header := w.Header()
	header.Set("X-RateLimit-Limit", "5000")
	header.Set("X-RateLimit-Remaining", "4999")
	header.Set("X-RateLimit-Reset-After", "1.0")
	header.Set("X-RateLimit-Bucket", "discordtest")
	path := strings.TrimPrefix(r.URL.Path, "/api/v10")
	var refused *apiError
	switch {
	case errors.As(err, &refused):
		if refused.code == 50035 {
			d.report("%s %s: %v\n%s", r.Method, path, refused, body)
		}
		fail(w, refused)
	case err != nil:
		d.report("%s %s: %v", r.Method, path, err)
		w.WriteHeader(http.StatusInternalServerError)
	case answer == nil, strings.HasSuffix(path, "/callback") && r.URL.Query().Get("with_response") != "true":
		w.WriteHeader(http.StatusNoContent)
	default:
		b, err := json.Marshal(answer)
		if err != nil {
			d.report("%s %s: %v", r.Method, path, err)
		}
		if _, ok := answer.(undescribed); !ok {
			if err := d.schema.checkAnswer(r, b); err != nil {
				d.report("the stand-in against Discord's description: %v", err)
			}
		}
		header.Set("Content-Type", "application/json")
		w.Write(b)
	}
}

func fail(w http.ResponseWriter, e *apiError) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(e.status)
	json.NewEncoder(w).Encode(map[string]any{"code": e.code, "message": e.message})
}

// answer sends the fault in place of a response.
func (f *Fault) answer(w http.ResponseWriter) {
	if f.Status == 0 {
		panic(http.ErrAbortHandler)
	}
	if f.Status != http.StatusTooManyRequests {
		fail(w, &apiError{f.Status, f.Code, http.StatusText(f.Status)})
		return
	}
	h := w.Header()
	if f.Ban {
		h.Set("Content-Type", "text/html")
		h.Set("Retry-After", strconv.Itoa(int(f.After.Seconds())))
		w.WriteHeader(f.Status)
		io.WriteString(w, "<!doctype html><title>Access denied</title>error code: 1015")
		return
	}
	seconds := strconv.FormatFloat(f.After.Seconds(), 'f', 3, 64)
	h.Set("Content-Type", "application/json")
	h.Set("Retry-After", strconv.Itoa(int((f.After+time.Second-1)/time.Second)))
	h.Set("X-RateLimit-Reset-After", seconds)
	h.Set("X-RateLimit-Scope", "user")
	if f.Global {
		h.Set("X-RateLimit-Global", "true")
		h.Set("X-RateLimit-Scope", "global")
	}
	w.WriteHeader(f.Status)
	json.NewEncoder(w).Encode(map[string]any{"message": "You are being rate limited.", "retry_after": f.After.Seconds(), "global": f.Global})
}

// readBody reads JSON, and the files of a multipart request.
func readBody(r *http.Request) (body []byte, files []file, err error) {
	kind, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind != "multipart/form-data" {
		body, err = io.ReadAll(r.Body)
		if len(body) > 0 && kind != "application/json" {
			err = fmt.Errorf("a body of the kind %q", kind)
		}
		return body, nil, err
	}
	parts := multipart.NewReader(r.Body, params["boundary"])
	for {
		p, err := parts.NextPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		data, err := io.ReadAll(p)
		if err != nil {
			return nil, nil, err
		}
		switch name := p.FormName(); {
		case name == "payload_json":
			body = data
		case name == fmt.Sprintf("files[%d]", len(files)) && p.FileName() != "":
			files = append(files, file{p.FileName(), p.Header.Get("Content-Type"), data})
		default:
			return nil, nil, fmt.Errorf("a part %q, file %q", name, p.FileName())
		}
	}
	if body == nil {
		return nil, nil, errors.New("a multipart request without payload_json")
	}
	return body, files, nil
}

// A route is an operation and its handler. For a GET, the body is the query. Routes with
// byToken need no bot token, only an interaction's.
type route struct {
	method  string
	path    *regexp.Regexp
	byToken bool
	do      func(d api, p []string, body []byte, files []file) (any, error)
}

var routes = []route{
	{"GET", whole(`/gateway`), true, api.gateway},
	{"GET", whole(`/gateway/bot`), false, api.gatewayBot},
	{"GET", whole(`/applications/@me`), false, func(d api, _ []string, _ []byte, _ []file) (any, error) {
		flags := 0
		if d.Gateway.tellsOfMembers() {
			flags = 1 << 15
		}
		return map[string]any{
			"id": ApplicationID, "name": "Rackmate", "description": "", "icon": nil, "verify_key": verifyKey(), "flags": flags, "flags_new": strconv.Itoa(flags),
			"type": nil, "redirect_uris": []any{}, "interactions_endpoint_url": nil, "role_connections_verification_url": nil, "owner": botUser(),
			"approximate_guild_count": len(d.guilds), "approximate_user_install_count": 0, "approximate_user_authorization_count": 0,
			"explicit_content_filter": 0, "team": nil, "eligible_oauth2_scopes": []any{},
		}, nil
	}},
	{"GET", whole(`/users/@me`), false, func(api, []string, []byte, []file) (any, error) {
		us := botUser()
		us["mfa_enabled"], us["locale"] = false, "en-US"
		return us, nil
	}},
	{"GET", whole(`/users/@me/guilds`), false, api.listGuilds},
	{"GET", whole(`/applications/(\d+)/commands`), false, api.listCommands},
	{"PUT", whole(`/applications/(\d+)/commands`), false, api.registerCommands},
	{"GET", whole(`/applications/(\d+)/activity-instances/([^/]+)`), false, api.getInstance},
	{"GET", whole(`/guilds/(\d+)`), false, api.getGuild},
	{"GET", whole(`/guilds/(\d+)/channels`), false, api.listChannels},
	{"GET", whole(`/guilds/(\d+)/members/(\d+)`), false, api.getMember},
	{"POST", whole(`/users/@me/channels`), false, api.openDM},
	{"GET", whole(`/channels/(\d+)/messages`), false, api.listMessages},
	{"POST", whole(`/channels/(\d+)/messages`), false, api.createMessage},
	{"PATCH", whole(`/channels/(\d+)/messages/(\d+)`), false, api.editMessage},
	{"DELETE", whole(`/channels/(\d+)/messages/(\d+)`), false, api.deleteMessage},
	{"POST", whole(`/channels/(\d+)/messages/(\d+)/threads`), false, api.createThread},
	{"PUT", whole(`/channels/(\d+)/messages/pins/(\d+)`), false, api.pinMessage},
	{"PATCH", whole(`/channels/(\d+)`), false, api.editChannel},
	{"GET", whole(`/channels/(\d+)`), false, api.getChannel},
	{"POST", whole(`/channels/(\d+)/threads`), false, api.createPost},
	{"POST", whole(`/interactions/(\d+)/([^/]+)/callback`), true, api.callback},
	{"POST", whole(`/webhooks/(\d+)/([^/]+)`), true, api.followUp},
	{"GET", whole(`/webhooks/(\d+)/([^/]+)/messages/@original`), true, api.getOriginal},
	{"PATCH", whole(`/webhooks/(\d+)/([^/]+)/messages/@original`), true, api.editOriginal},
	{"PATCH", whole(`/webhooks/(\d+)/([^/]+)/messages/(\d+)`), true, api.editFollowUp},
	{"DELETE", whole(`/webhooks/(\d+)/([^/]+)/messages/(\d+)`), true, api.deleteFollowUp},
}

// whole compiles a pattern that matches a whole path.
func whole(pattern string) *regexp.Regexp { return regexp.MustCompile(`^` + pattern + `$`) }

// carryOut finds a request's route and calls its handler.
func (d api) carryOut(r *http.Request, path string, body []byte, files []file) (any, error) {
	for _, route := range routes {
		m := route.path.FindStringSubmatch(path)
		if m == nil || route.method != r.Method {
			continue
		}
		if !route.byToken && r.Header.Get("Authorization") != "Bot "+Token {
			return nil, errUnauthorized
		}
		if r.Header.Get("User-Agent") == "" {
			return nil, errors.New("a request without User-Agent")
		}
		if r.Method == "GET" {
			body = []byte(r.URL.RawQuery)
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		defer d.change()
		return route.do(d, m[1:], body, files)
	}
	d.report("%s %s: the stand-in has no such route", r.Method, path)
	return nil, errNotFound
}

// listGuilds lists the bot's servers by id.
func (d api) listGuilds(_ []string, query []byte, _ []file) (any, error) {
	q, err := url.ParseQuery(string(query))
	if err != nil {
		return nil, err
	}
	most, err := strconv.Atoi(cmp.Or(q.Get("limit"), "200"))
	if err != nil || most < 1 || most > 200 {
		return nil, errors.New("a limit of " + q.Get("limit"))
	}
	var ids []string
	for id, g := range d.guilds {
		if g.botIsHere && later(id, q.Get("after")) {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
	all := []any{}
	for _, id := range ids[:min(len(ids), most)] {
		all = append(all, map[string]any{"id": id, "name": d.guilds[id].Name, "icon": nil, "banner": nil, "owner": false, "permissions": strconv.FormatUint(d.guilds[id].permissions(), 10), "features": []any{}})
	}
	return all, nil
}

// getGuild describes a server, which belongs to someone without the bot unless a test
// chose an owner.
func (d api) getGuild(p []string, _ []byte, _ []file) (any, error) {
	g := d.guilds[p[0]]
	if g == nil || !g.botIsHere {
		return nil, errUnknownGuild
	}
	if g.owner == nil {
		g.owner = d.user("Owner")
	}
	none, system := []any{}, any(nil)
	if g.system != nil {
		system = g.system.ID
	}
	return map[string]any{
		"id": g.ID, "name": g.Name, "owner_id": g.owner.ID, "icon": nil, "description": nil, "home_header": nil, "splash": nil, "discovery_splash": nil,
		"features": none, "banner": nil, "application_id": nil, "region": "deprecated", "afk_channel_id": nil, "afk_timeout": 300,
		"system_channel_id": system, "system_channel_flags": 0, "widget_enabled": false, "widget_channel_id": nil, "verification_level": 1, "roles": []any{roleJSON(Everyone.id(g), "@everyone", 0, false), roleJSON(BotRole.id(g), "Rackmate", g.permissions(), true)},
		"default_message_notifications": 1, "mfa_level": 0, "explicit_content_filter": 0, "max_presences": nil, "max_members": 500000,
		"max_stage_video_channel_users": 50, "max_video_channel_users": 25, "vanity_url_code": nil, "premium_tier": 0, "premium_subscription_count": 0,
		"preferred_locale": "en-US", "rules_channel_id": nil, "safety_alerts_channel_id": nil, "public_updates_channel_id": nil,
		"premium_progress_bar_enabled": false, "premium_progress_bar_enabled_user_updated_at": nil, "nsfw": false, "nsfw_level": 0, "emojis": none, "stickers": none, "incidents_data": nil,
	}, nil
}

// roleJSON describes a role.
func roleJSON(id, name string, permissions uint64, managed bool) map[string]any {
	return map[string]any{
		"id": id, "name": name, "permissions": strconv.FormatUint(permissions, 10), "position": 0, "color": 0,
		"colors": map[string]any{"primary_color": 0, "secondary_color": nil, "tertiary_color": nil},
		"hoist":  false, "managed": managed, "mentionable": false, "icon": nil, "unicode_emoji": nil, "flags": 0,
	}
}

// listChannels lists all channels of a server by id, even if the bot can't see them.
func (d api) listChannels(p []string, _ []byte, _ []file) (any, error) {
	g := d.guilds[p[0]]
	if g == nil || !g.botIsHere {
		return nil, errUnknownGuild
	}
	all := []any{}
	for _, id := range slices.Sorted(maps.Keys(d.channels)) {
		if c := d.channels[id]; c.guild == g && c.parent == nil {
			all = append(all, c.json())
		}
	}
	return all, nil
}

// later reports whether an id was assigned later than another.
func later(id, than string) bool {
	return len(id) > len(than) || len(id) == len(than) && id > than
}
