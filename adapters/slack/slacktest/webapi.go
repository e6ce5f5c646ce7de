package slacktest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Method describes the parameters of a Web API method. Official means that web-api.json
// describes it; Since lists parameters added after that was written.
type Method struct {
	Must, Can, Since []string
	Scope            string
	Official         bool
	// Tier is the limit of calls per minute; 0 means a special limit, or none.
	// https://docs.slack.dev/apis/web-api/rate-limits
	Tier int
	call func(*Slack, params) (map[string]any, string)
}

type params map[string]string

// Slack's rate limits, in calls per minute.
const (
	tier2 = 20
	tier3 = 50
	tier4 = 100
)

// tiers holds the methods' rate limits from their documentation.
var tiers = map[string]int{
	"users.info": tier4, "team.info": tier3,
	"usergroups.users.list": tier2, "conversations.open": tier3, "conversations.history": tier3, "conversations.replies": tier3,
	"chat.postEphemeral": tier4, "chat.update": tier3, "chat.delete": tier3, "views.open": tier4, "views.push": tier4,
	"views.update": tier4, "views.publish": tier4, "files.info": tier4, "files.delete": tier3,
	"files.getUploadURLExternal": tier4, "files.completeUploadExternal": tier4,
}

// Methods returns the supported methods by name.
func Methods() map[string]Method {
	all := methods()
	for name, m := range all {
		m.Tier = tiers[name]
		all[name] = m
	}
	return all
}

func methods() map[string]Method {
	chat := []string{"blocks", "text", "attachments", "as_user", "link_names", "parse"}
	return map[string]Method{
		"auth.test":             {Official: true, call: (*Slack).authTest},
		"apps.connections.open": {call: (*Slack).connectionsOpen},
		"users.info":            {Must: []string{"user"}, Can: []string{"include_locale"}, Scope: "users:read", Official: true, call: (*Slack).usersInfo},
		"team.info":             {Can: []string{"team"}, Scope: "team:read", Official: true, call: (*Slack).teamInfo},
		"usergroups.users.list": {Must: []string{"usergroup"}, Can: []string{"include_disabled"}, Scope: "usergroups:read", Official: true, call: (*Slack).groupMembers},
		"conversations.open":    {Can: []string{"users", "channel", "return_im"}, Scope: "im:write", Official: true, call: (*Slack).conversationsOpen},
		"conversations.history": {Must: []string{"channel"}, Can: []string{"cursor", "inclusive", "latest", "limit", "oldest"}, Since: []string{"include_all_metadata"}, Scope: "channels:history", Official: true, call: (*Slack).history},
		"conversations.replies": {Must: []string{"channel", "ts"}, Can: []string{"cursor", "inclusive", "latest", "limit", "oldest"}, Since: []string{"include_all_metadata"}, Scope: "channels:history", Official: true, call: (*Slack).history},
		"chat.postMessage":      {Must: []string{"channel"}, Can: append(chat, "thread_ts", "unfurl_links", "unfurl_media", "reply_broadcast", "mrkdwn", "icon_emoji", "icon_url", "username"), Since: []string{"metadata"}, Scope: "chat:write", Official: true, call: (*Slack).postMessage},
		"chat.postEphemeral":    {Must: []string{"channel", "user"}, Can: append(chat, "thread_ts", "icon_emoji", "icon_url", "username"), Scope: "chat:write", Official: true, call: (*Slack).postEphemeral},
		"chat.update":           {Must: []string{"channel", "ts"}, Can: chat, Since: []string{"metadata"}, Scope: "chat:write", Official: true, call: (*Slack).update},
		"chat.delete":           {Must: []string{"channel", "ts"}, Can: []string{"as_user"}, Scope: "chat:write", Official: true, call: (*Slack).deleteMessage},
		"chat.getPermalink":     {Must: []string{"channel", "message_ts"}, Official: true, call: (*Slack).permalink},
		"chat.unfurl":           {Can: []string{"channel", "ts", "unfurls", "user_auth_message", "user_auth_required", "user_auth_url"}, Since: []string{"unfurl_id", "source", "metadata"}, Scope: "links:write", Official: true, call: (*Slack).unfurl},

		"functions.completeSuccess": {Must: []string{"function_execution_id", "outputs"}, call: (*Slack).completeSuccess},
		"functions.completeError":   {Must: []string{"function_execution_id", "error"}, call: (*Slack).completeError},

		"views.open":    {Must: []string{"trigger_id", "view"}, Official: true, call: (*Slack).viewsOpen},
		"views.push":    {Must: []string{"trigger_id", "view"}, Official: true, call: (*Slack).viewsOpen},
		"views.update":  {Must: []string{"view"}, Can: []string{"view_id", "external_id", "hash"}, Official: true, call: (*Slack).viewsUpdate},
		"views.publish": {Must: []string{"user_id", "view"}, Can: []string{"hash"}, Official: true, call: (*Slack).viewsPublish},

		"files.info":                   {Must: []string{"file"}, Can: []string{"count", "page", "limit", "cursor"}, Scope: "files:read", Official: true, call: (*Slack).filesInfo},
		"files.delete":                 {Must: []string{"file"}, Scope: "files:write", Official: true, call: (*Slack).filesDelete},
		"files.getUploadURLExternal":   {Must: []string{"filename", "length"}, Can: []string{"alt_txt", "snippet_type"}, Scope: "files:write", call: (*Slack).getUploadURL},
		"files.completeUploadExternal": {Must: []string{"files"}, Can: []string{"channel_id", "thread_ts", "initial_comment", "blocks", "channels"}, Scope: "files:write", call: (*Slack).completeUpload},
		"oauth.v2.access":              {Can: []string{"client_id", "client_secret", "code", "redirect_uri"}, Since: []string{"grant_type", "refresh_token"}, Official: true, call: (*Slack).oauth},
	}
}

func (s *Slack) serveMethod(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/api/")
	p, token, err := readParams(r)
	if err != nil && (errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) || r.Context().Err() != nil) {
		return // the caller has hung up
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls[name]++
	s.next()
	m, known := Methods()[name]
	if !known || err != nil {
		s.complain("%s: unknown method, or no parameters (%v)", name, err)
		reply(w, map[string]any{"ok": false, "error": "unknown_method"})
		return
	}
	var fault Fault
	if list := s.faults[name]; len(list) > 0 {
		fault, s.faults[name] = list[0], list[1:]
	}
	if code := s.refused[name]; code != "" {
		fault = Fault{Error: code}
	}
	if fault.RetryAfter > 0 {
		s.rateLimit(w, fault.RetryAfter)
		return
	}
	if fault.Error != "" {
		reply(w, refusal(fault.Error, fault.Says))
		return
	}
	if !s.room(name, m.Tier) {
		s.rateLimit(w, time.Second)
		return
	}
	if code := s.refuse(name, m, p, token); code != "" {
		reply(w, map[string]any{"ok": false, "error": code})
		return
	}
	p[via], _ = r.Context().Value(viaKey{}).(string)
	out, code := m.call(s, p)
	switch {
	case fault.Lost:
		panic(http.ErrAbortHandler)
	case fault.Hangs:
		s.mu.Unlock()
		<-r.Context().Done()
		s.mu.Lock()
	case code == "ratelimited":
		s.rateLimit(w, s.Gap)
	case code != "":
		code, says, _ := strings.Cut(code, ": ")
		reply(w, refusal(code, says))
	default:
		out["ok"] = true
		w.Header().Set("X-OAuth-Scopes", strings.Join(s.grantedScopes(), ","))
		reply(w, out)
	}
}

// refusal returns an answer with an error code and optional details.
func refusal(code, says string) map[string]any {
	answer := map[string]any{"ok": false, "error": code}
	if says != "" {
		answer["response_metadata"] = map[string]any{"messages": []string{"[ERROR] " + says}}
	}
	return answer
}

// room reports whether a method's rate limit allows one more call, and counts it.
func (s *state) room(name string, tier int) bool {
	if !s.Tiers || tier == 0 {
		return true
	}
	now := s.Now()
	lately := slices.DeleteFunc(s.minutes[name], func(at time.Time) bool { return now.Sub(at) >= time.Minute })
	if s.minutes[name] = lately; len(lately) >= tier {
		s.limits[name]++
		return false
	}
	s.minutes[name] = append(lately, now)
	return true
}

func (s *state) rateLimit(w http.ResponseWriter, d time.Duration) {
	w.Header().Set("Retry-After", strconv.Itoa(max(1, int(d.Seconds()))))
	w.WriteHeader(http.StatusTooManyRequests)
}

// refuse checks the token, the scope and the parameters, and returns an error code if one
// is wrong.
func (s *state) refuse(name string, m Method, p params, token string) string {
	switch {
	case name == "oauth.v2.access":
	case name == "apps.connections.open":
		if token != AppToken {
			return "invalid_auth"
		}
	case !s.tokens[token]:
		return "invalid_auth"
	case strings.HasPrefix(p["channel"], "D") && m.Scope == "channels:history" && slices.Contains(s.grantedScopes(), "im:history"):
	case m.Scope != "" && !slices.Contains(s.grantedScopes(), m.Scope):
		return "missing_scope"
	}
	for _, f := range m.Must {
		if p[f] == "" {
			s.complain("%s lacks %s", name, f)
			return "invalid_arguments"
		}
	}
	for f := range p {
		if !slices.Contains(m.Must, f) && !slices.Contains(m.Can, f) && !slices.Contains(m.Since, f) {
			s.complain("%s has the unknown parameter %s", name, f)
			return "invalid_arguments"
		}
	}
	return ""
}

func (s *state) grantedScopes() []string {
	if s.Scopes != nil {
		return s.Scopes
	}
	return []string{"app_mentions:read", "channels:read", "chat:write", "commands", "files:write", "groups:read", "im:history", "im:write", "users:read", "team:read", "usergroups:read", "metadata.message:read", "links:read", "links:write"}
}

// via is the key that stores the sending process among the parameters; no parameter of
// Slack has such a name.
const via = "\xff"

// readParams reads a call's parameters, from a form or JSON, and its token.
func readParams(r *http.Request) (params, string, error) {
	p := params{}
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	body, err := io.ReadAll(io.LimitReader(r.Body, 10<<20))
	if err != nil {
		return nil, "", err
	}
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind == "application/json" && len(body) > 0 {
		var o map[string]json.RawMessage
		if err := json.Unmarshal(body, &o); err != nil {
			return nil, "", err
		}
		for k, v := range o {
			var text string
			if json.Unmarshal(v, &text) == nil {
				p[k] = text
			} else if string(v) != "null" {
				p[k] = string(v)
			}
		}
	} else {
		if r.Method == http.MethodGet {
			body = []byte(r.URL.RawQuery)
		}
		form, err := url.ParseQuery(string(body))
		if err != nil {
			return nil, "", err
		}
		for k := range form {
			p[k] = form.Get(k)
		}
	}
	if t, ok := p["token"]; ok {
		token = t
		delete(p, "token")
	}
	return p, token, nil
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_ = json.NewEncoder(w).Encode(v)
}

func (s webMethods) authTest(params) (map[string]any, string) {
	return map[string]any{"url": s.URL, "team": "Slack", "user": "rackmate", "team_id": Team, "user_id": BotUser, "bot_id": "B0BOT", "is_enterprise_install": false}, ""
}

func (s webMethods) usersInfo(p params) (map[string]any, string) {
	u, ok := s.users[p["user"]]
	if !ok {
		return nil, "user_not_found"
	}
	return map[string]any{"user": map[string]any{
		"id": p["user"], "team_id": Team, "name": strings.ToLower(u.name), "is_admin": u.admin, "tz": "Europe/Berlin", "is_bot": u.bot, "deleted": u.deleted, "locale": u.reads,
		"profile": map[string]any{"display_name": u.name, "real_name": u.name},
	}}, ""
}

func (s webMethods) teamInfo(params) (map[string]any, string) {
	return map[string]any{"team": map[string]any{"id": Team, "name": "Slack", "domain": "slack", "locale": s.Locale}}, ""
}

func (s webMethods) groupMembers(p params) (map[string]any, string) {
	members, ok := s.groups[p["usergroup"]]
	if !ok {
		return nil, "no_such_subteam"
	}
	return map[string]any{"users": members}, ""
}

func (s webMethods) conversationsOpen(p params) (map[string]any, string) {
	if _, ok := s.users[p["users"]]; !ok {
		return nil, "user_not_found"
	}
	id := "D" + p["users"]
	if s.channels[id] == nil {
		s.channels[id] = &channel{members: map[string]bool{BotUser: true, p["users"]: true}}
	}
	return map[string]any{"channel": map[string]any{"id": id}}, ""
}

// open returns a channel that the app can write to.
func (s *state) open(id string) (*channel, string) {
	c := s.channels[id]
	switch {
	case c == nil:
		return nil, "channel_not_found"
	case !c.members[BotUser]:
		return nil, "not_in_channel"
	case c.archived:
		return nil, "is_archived"
	}
	return c, ""
}

// maxMessage limits the bytes of a message's blocks. It isn't documented; refusals were
// seen from 13,200 on (slackapi/bolt-js#2509).
const maxMessage = 13_200

// message checks a message's parameters.
func (s *state) message(name string, p params) (*Message, string) {
	m := &Message{Channel: p["channel"], Thread: p["thread_ts"], Text: p["text"]}
	c := s.checker()
	if p["blocks"] != "" {
		if err := json.Unmarshal([]byte(p["blocks"]), &m.Blocks); err != nil {
			c.say("blocks are no JSON: %v", err)
		}
		c.blocks("message", m.Blocks)
		if m.Text == "" {
			c.say("no text, which notifications and screen readers need")
		}
	}
	if len(m.Text) > 40000 {
		c.say("the text is too long")
	}
	c.markup("text", m.Text)
	if p["metadata"] != "" {
		if err := json.Unmarshal([]byte(p["metadata"]), &m.Metadata); err != nil || m.Metadata["event_type"] == nil || m.Metadata["event_payload"] == nil {
			c.say("the metadata is wrong")
		}
	}
	for _, wrong := range c.wrong {
		s.complain("%s: %s", name, wrong)
	}
	switch {
	case len(c.wrong) == 0 && (c.early || s.noFiles && m.Shows()):
		return nil, "invalid_blocks: invalid slack file [json-pointer:/blocks/0/slack_file]"
	case len(c.wrong) > 0:
		return nil, "invalid_blocks"
	case len(p["blocks"]) > maxMessage:
		return nil, "msg_blocks_too_long"
	case m.Text == "" && m.Blocks == nil:
		return nil, "no_text"
	}
	return m, ""
}

func (s *state) checker() *checker {
	return &checker{shows: func(id string) presence {
		f := s.files[id]
		switch {
		case f == nil || !f.complete:
			return missing
		case f.ready(s):
			return there
		}
		f.looks++
		return coming
	}, fetch: func(address string) bool {
		u, err := url.Parse(address)
		if err != nil || u.Scheme != "https" || len(address) > 3000 {
			return false
		}
		if s.calls["fetched"]++; s.down {
			return true
		}
		resp, err := http.Get(s.target + u.Path)
		if err != nil {
			return false
		}
		defer resp.Body.Close()
		return resp.StatusCode == http.StatusOK && resp.Header.Get("Content-Type") == "image/png"
	}}
}

// ready reports whether Slack has processed a file.
func (f *file) ready(s *state) bool {
	return f.looks >= s.Looks && s.Now().Sub(f.finished) >= s.Ready
}

func (s webMethods) postMessage(p params) (map[string]any, string) {
	c, code := s.open(p["channel"])
	if code != "" {
		return nil, code
	}
	now := s.Now()
	if s.Gap > 0 && now.Sub(c.last) < s.Gap*9/10 {
		s.complain("chat.postMessage: more than one message in %s in %s", s.Gap, p["channel"])
		return nil, "ratelimited"
	}
	m, code := s.message("chat.postMessage", p)
	if code != "" {
		return nil, code
	}
	c.last = now
	m.TS, m.Via, m.At = s.newTS(), p[via], time.Now()
	c.messages = append(c.messages, m)
	if len(m.Metadata) > 0 && slices.Contains(s.grantedScopes(), "metadata.message:read") {
		go wire(s).Arrive(App, *m)
	}
	return map[string]any{"channel": m.Channel, "ts": m.TS, "message": map[string]any{"type": "message", "text": m.Text, "ts": m.TS}}, ""
}

func (s webMethods) postEphemeral(p params) (map[string]any, string) {
	c, code := s.open(p["channel"])
	if code != "" {
		return nil, code
	}
	if !c.members[p["user"]] {
		return nil, "user_not_in_channel"
	}
	m, code := s.message("chat.postEphemeral", p)
	if code != "" {
		return nil, code
	}
	m.TS, m.User = s.newTS(), p["user"]
	s.ephemerals[m.User] = append(s.ephemerals[m.User], m)
	return map[string]any{"message_ts": m.TS}, ""
}

func (s webMethods) update(p params) (map[string]any, string) {
	c, code := s.open(p["channel"])
	if code != "" {
		return nil, code
	}
	i := slices.IndexFunc(c.messages, func(m *Message) bool { return m.TS == p["ts"] })
	if i < 0 {
		return nil, "message_not_found"
	}
	m, code := s.message("chat.update", p)
	if code != "" {
		return nil, code
	}
	c.messages[i].Text, c.messages[i].Blocks, c.messages[i].Edited = m.Text, m.Blocks, true
	return map[string]any{"channel": p["channel"], "ts": p["ts"], "text": m.Text}, ""
}

func (s webMethods) deleteMessage(p params) (map[string]any, string) {
	c, code := s.open(p["channel"])
	if code != "" {
		return nil, code
	}
	i := slices.IndexFunc(c.messages, func(m *Message) bool { return m.TS == p["ts"] })
	if i < 0 {
		return nil, "message_not_found"
	}
	c.messages = slices.Delete(c.messages, i, i+1)
	return map[string]any{"channel": p["channel"], "ts": p["ts"]}, ""
}

func (s webMethods) permalink(p params) (map[string]any, string) {
	if _, code := s.open(p["channel"]); code != "" {
		return nil, code
	}
	return map[string]any{"channel": p["channel"], "permalink": "https://club.slack.com/archives/" + p["channel"] + "/p" + strings.ReplaceAll(p["message_ts"], ".", "")}, ""
}

func (s webMethods) history(p params) (map[string]any, string) {
	c, code := s.open(p["channel"])
	if code != "" {
		return nil, code
	}
	list := []map[string]any{}
	for _, m := range slices.Backward(c.messages) {
		if p["ts"] != "" && m.Thread != p["ts"] || p["ts"] == "" && m.Thread != "" {
			continue
		}
		had := map[string]any{"type": "message", "ts": m.TS, "text": m.Text, "blocks": m.Blocks}
		if p["include_all_metadata"] != "" && m.Metadata != nil {
			had["metadata"] = m.Metadata
		}
		list = append(list, had)
	}
	return map[string]any{"messages": list, "has_more": false}, ""
}

func (s fileMethods) filesInfo(p params) (map[string]any, string) {
	f := s.files[p["file"]]
	if f == nil || !f.complete {
		return nil, "file_not_found"
	}
	f.looks++
	info := map[string]any{"id": f.id, "name": f.name, "title": f.name, "mimetype": ""}
	if f.ready(s.state) {
		info["mimetype"] = "image/png"
	}
	return map[string]any{"file": info, "comments": []any{}, "paging": map[string]any{}}, ""
}

func (s fileMethods) filesDelete(p params) (map[string]any, string) {
	if s.files[p["file"]] == nil {
		return nil, "file_not_found"
	}
	for _, c := range s.channels { // messages that show the file are removed
		c.messages = slices.DeleteFunc(c.messages, func(m *Message) bool { return m.File == p["file"] })
	}
	delete(s.files, p["file"])
	return map[string]any{}, ""
}

// Files returns the number of files.
func (s fileMethods) Files() int { s.mu.Lock(); defer s.mu.Unlock(); return len(s.files) }

func (s fileMethods) getUploadURL(p params) (map[string]any, string) {
	n, err := strconv.Atoi(p["length"])
	if err != nil || n < 1 || len(p["alt_txt"]) > 1000*4 {
		s.complain("files.getUploadURLExternal: length %q", p["length"])
		return nil, "invalid_arguments"
	}
	f := &file{id: fmt.Sprintf("F0%d", s.next()), name: p["filename"], alt: p["alt_txt"], length: n}
	s.uploads[f.id] = f
	return map[string]any{"upload_url": s.URL + "/upload/" + f.id, "file_id": f.id}, ""
}

func (s fileMethods) serveUpload(w http.ResponseWriter, r *http.Request) {
	part, _, err := r.FormFile("file")
	var data []byte
	if err == nil {
		data, err = io.ReadAll(part)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) || r.Context().Err() != nil {
		return // the app hung up, or the stand-in is stopping
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls["upload"]++
	f := s.uploads[r.PathValue("id")]
	if err != nil || f == nil || len(data) != f.length {
		s.complain("upload: %v, or not as long as was said", err)
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	f.data = data
	_, _ = io.WriteString(w, "OK - "+strconv.Itoa(len(data)))
}

func (s fileMethods) completeUpload(p params) (map[string]any, string) {
	var list []struct{ ID, Title string }
	if err := json.Unmarshal([]byte(p["files"]), &list); err != nil || len(list) == 0 {
		s.complain("files.completeUploadExternal: %v", err)
		return nil, "invalid_arguments"
	}
	out := []map[string]any{}
	for _, one := range list {
		f := s.uploads[one.ID]
		if f == nil || f.data == nil {
			s.complain("files.completeUploadExternal: %s was not uploaded", one.ID)
			return nil, "file_not_found"
		}
		if ch := p["channel_id"]; ch != "" {
			c, code := s.open(ch)
			if code != "" {
				return nil, code
			}
			f.share = s.newTS()
			c.messages = append(c.messages, &Message{Channel: ch, Thread: p["thread_ts"], TS: f.share, Text: "file " + f.name, File: f.id})
		}
		f.complete, f.finished = true, s.Now()
		s.files[f.id] = f
		out = append(out, map[string]any{"id": f.id, "title": one.Title})
	}
	return map[string]any{"files": out}, ""
}

// A grant holds the arguments of an oauth.v2.access call.
type grant struct{ Code, Refresh string }

func (s webMethods) oauth(p params) (map[string]any, string) {
	s.lastGrant = grant{p["code"], p["refresh_token"]}
	if p["code"] == "bad" || p["client_id"] == "" || p["client_secret"] == "" {
		return nil, "invalid_code"
	}
	token := fmt.Sprintf("xoxb-granted-%d", s.next())
	s.tokens[token] = true
	return map[string]any{
		"access_token": token, "token_type": "bot", "scope": strings.Join(s.grantedScopes(), ","), "bot_user_id": BotUser, "app_id": App,
		"team": map[string]any{"id": Team, "name": "Slack"}, "enterprise": nil, "is_enterprise_install": false,
		"refresh_token": fmt.Sprintf("xoxe-1-%d", s.next()), "expires_in": 43200,
		"authed_user": map[string]any{"id": "U0ANN"},
	}, ""
}

// Revoke revokes a token.
func (s webMethods) Revoke(token string) { s.mu.Lock(); delete(s.tokens, token); s.mu.Unlock() }
