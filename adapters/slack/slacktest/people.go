package slacktest

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"time"
)

// A responseURL accepts five answers within thirty minutes.
type responseURL struct {
	user, channel, thread, replaces string
	typed                           bool // belongs to a slash command: answers replace the latest one
	uses                            int
	until                           time.Time
}

// A View is an open form or a home page.
type View struct {
	ID, User, Kind, Callback, Metadata string
	Title, Submit                      string // Submit is the label of the button
	Blocks                             []map[string]any
	Updates                            int
}

// Text returns the text of a view.
func (v View) Text() string { return texts(v.Blocks) }

// Said returns the text of a message's blocks.
func (m Message) Said() string { return texts(m.Blocks) }

// texts returns all texts within blocks.
func texts(v any) string {
	var b strings.Builder
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case []map[string]any:
			for _, o := range v {
				walk(o)
			}
		case []any:
			for _, o := range v {
				walk(o)
			}
		case map[string]any:
			if t, ok := v["text"].(string); ok {
				b.WriteString(t + "\n")
			}
			for _, k := range []string{"text", "label", "hint", "accessory", "elements", "element", "options", "rows"} {
				walk(v[k])
			}
		}
	}
	walk(v)
	return b.String()
}

func (s *state) newTrigger() string {
	t := fmt.Sprintf("trigger.%d", s.next())
	s.triggers[t] = time.Now().Add(s.AckTime)
	return t
}

func (s *state) newURL(u responseURL) string {
	id := fmt.Sprint(s.next())
	u.until = time.Now().Add(30 * time.Minute)
	s.urls[id] = &u
	return s.URL + "/response/" + id
}

func (s webMethods) serveResponse(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next()
	s.calls["response_url"]++
	if list := s.faults["response_url"]; len(list) > 0 {
		s.faults["response_url"] = list[1:]
		w.WriteHeader(http.StatusNotFound)
		return
	}
	u := s.urls[r.PathValue("id")]
	var in response
	dec := json.NewDecoder(strings.NewReader(string(body)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&in); err != nil || u == nil {
		s.complain("response_url: %v", err)
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if u.uses++; u.uses > 5 || time.Now().After(u.until) {
		s.complain("response_url used %d times, or too late", u.uses)
		w.WriteHeader(http.StatusNotFound)
		return
	}
	if !s.allows(in) {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	s.respond(u, in)
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"ok":true}`)
}

// A response is sent to a response_url.
type response struct {
	Type    string           `json:"response_type"`
	Text    string           `json:"text"`
	Blocks  []map[string]any `json:"blocks"`
	Replace bool             `json:"replace_original"`
	Delete  bool             `json:"delete_original"`
	Thread  string           `json:"thread_ts"`
}

// allows reports whether Slack accepts a response, and records violations of its rules.
func (s webMethods) allows(in response) bool {
	c := s.checker()
	c.blocks("message", in.Blocks)
	c.markup("text", in.Text)
	if in.Text == "" && len(in.Blocks) == 0 {
		c.say("no text")
	}
	if b, _ := json.Marshal(in.Blocks); len(b) > maxMessage {
		c.say("the blocks have %d bytes", len(b))
	}
	for _, wrong := range c.wrong {
		s.complain("response_url: %s", wrong)
	}
	return len(c.wrong) == 0 && !c.early && !(s.NoTables && hasTable(in.Blocks))
}

// respond shows a response to the user of the URL.
func (s webMethods) respond(u *responseURL, in response) {
	list := s.ephemerals[u.user]
	for _, m := range list {
		if in.Replace && m.TS == u.replaces {
			m.Text, m.Blocks, m.Edited = in.Text, in.Blocks, true
			return
		}
	}
	if in.Replace {
		s.complain("response_url: replace_original would replace what everybody sees")
	}
	ts := s.newTS()
	if u.typed {
		u.replaces = ts
	}
	s.ephemerals[u.user] = append(list, &Message{Channel: u.channel, Thread: in.Thread, TS: ts, User: u.user, Text: in.Text, Blocks: in.Blocks})
}

// A Command is the payload of a slash command, which can be sent repeatedly.
type Command map[string]any

// Type returns the payload of a typed slash command.
func (s *people) Type(user, channel, command, text string) Command {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Command{
		"token": "legacy", "team_id": Team, "team_domain": "slack", "channel_id": channel, "channel_name": "games", "user_id": user,
		"user_name": strings.ToLower(user), "command": command, "text": text, "api_app_id": App, "is_enterprise_install": "false",
		"response_url": s.newURL(responseURL{user: user, channel: channel, typed: true}), "trigger_id": s.newTrigger(),
	}
}

// Slash types a slash command, and waits for the acknowledgment.
func (s *people) Slash(user, channel, command, text string) error {
	_, err := s.wire.Send("slash_commands", map[string]any(s.Type(user, channel, command, text)))
	return err
}

// Find finds a button by its label among blocks, and its block; or an element with an
// option of that label, which becomes its selected_option.
func Find(blocks []map[string]any, label string) (element, block map[string]any) {
	for _, b := range blocks {
		list, _ := b["elements"].([]any)
		if a, ok := b["accessory"]; ok {
			list = append(list, a)
		}
		for _, e := range list {
			o, _ := e.(map[string]any)
			t, _ := o["text"].(map[string]any)
			if t != nil && o["type"] == "button" && t["text"] == label {
				return o, b
			}
			options, _ := o["options"].([]any)
			for _, option := range options {
				c, _ := option.(map[string]any)
				if t, _ := c["text"].(map[string]any); o["type"] != "checkboxes" && t != nil && t["text"] == label {
					chosen := maps.Clone(o)
					chosen["selected_option"] = c
					return chosen, b
				}
			}
		}
	}
	return nil, nil
}

// Labels returns the labels of buttons and overflow options among blocks.
func Labels(blocks []map[string]any) []string {
	var all []string
	for _, b := range blocks {
		list, _ := b["elements"].([]any)
		for _, e := range list {
			o, _ := e.(map[string]any)
			if t, ok := o["text"].(map[string]any); ok && o["type"] == "button" {
				all = append(all, fmt.Sprint(t["text"]))
			}
			options, _ := o["options"].([]any)
			for _, option := range options {
				c, _ := option.(map[string]any)
				if t, ok := c["text"].(map[string]any); ok && o["type"] == "overflow" {
					all = append(all, fmt.Sprint(t["text"]))
				}
			}
		}
	}
	return all
}

// A State holds a user's input: values by block and element.
type State map[string]map[string]any

// Tick returns a state with the given boxes ticked, in the first block that has boxes.
func Tick(blocks []map[string]any, values ...string) State {
	for _, b := range blocks {
		list, _ := b["elements"].([]any)
		for _, e := range list {
			if o, _ := e.(map[string]any); o["type"] == "checkboxes" {
				chosen := []any{}
				for _, v := range values {
					chosen = append(chosen, map[string]any{"value": v})
				}
				return State{b["block_id"].(string): {o["action_id"].(string): map[string]any{"type": "checkboxes", "selected_options": chosen}}}
			}
		}
	}
	return nil
}

// Press presses a button under a message.
func (s *people) Press(user string, m Message, label string, state State) error {
	e, block := Find(m.Blocks, label)
	if e == nil {
		return fmt.Errorf("there is no button %q among %v", label, Labels(m.Blocks))
	}
	if m.User != "" && m.User != user {
		return fmt.Errorf("%s doesn't see that message", user)
	}
	s.mu.Lock()
	u := responseURL{user: user, channel: m.Channel, thread: m.Thread}
	if m.User != "" {
		u.replaces = m.TS
	}
	p := s.interaction("block_actions", user)
	p["response_url"] = s.newURL(u)
	p["channel"] = map[string]any{"id": m.Channel, "name": "games"}
	p["container"] = map[string]any{"type": "message", "message_ts": m.TS, "channel_id": m.Channel, "is_ephemeral": m.User != "", "thread_ts": m.Thread}
	if m.User == "" {
		p["message"] = map[string]any{"ts": m.TS, "thread_ts": m.Thread, "team": Team}
	}
	p["state"] = map[string]any{"values": state}
	p["actions"] = s.actions(e, block)
	s.mu.Unlock()
	_, err := s.wire.Send("interactive", p)
	return err
}

// PressIn presses a button in a view.
func (s *people) PressIn(v View, label string, state State) error {
	e, block := Find(v.Blocks, label)
	if e == nil {
		return fmt.Errorf("there is no button %q among %v", label, Labels(v.Blocks))
	}
	s.mu.Lock()
	p := s.interaction("block_actions", v.User)
	p["container"] = map[string]any{"type": "view", "view_id": v.ID}
	p["view"] = v.payload(state)
	p["actions"] = s.actions(e, block)
	s.mu.Unlock()
	_, err := s.wire.Send("interactive", p)
	return err
}

// ChooseIn chooses a value of a select in a view, by the select's action.
func (s *people) ChooseIn(v View, action, value string) error {
	if !strings.Contains(marshal(v.Blocks), `"`+action+`"`) {
		return fmt.Errorf("the view has no element with the action %q", action)
	}
	s.mu.Lock()
	p := s.interaction("block_actions", v.User)
	p["container"] = map[string]any{"type": "view", "view_id": v.ID}
	p["view"] = v.payload(nil)
	p["actions"] = []any{map[string]any{
		"type": "static_select", "action_id": action, "block_id": "b", "action_ts": s.newTS(),
		"selected_option": map[string]any{"text": map[string]any{"type": "plain_text", "text": value}, "value": value},
	}}
	s.mu.Unlock()
	_, err := s.wire.Send("interactive", p)
	return err
}

func (s *people) actions(e, block map[string]any) []any {
	if e["selected_option"] != nil {
		return []any{map[string]any{"type": e["type"], "action_id": e["action_id"], "block_id": block["block_id"], "selected_option": e["selected_option"], "action_ts": s.newTS()}}
	}
	return []any{map[string]any{"type": "button", "action_id": e["action_id"], "block_id": block["block_id"], "value": e["value"], "text": e["text"], "action_ts": s.newTS()}}
}

// Enter types into a form field that reports each letter. The form may have changed since v
// was read; values holds the input of its fields, by block.
func (s *people) Enter(v View, block string, values map[string]string) error {
	state, action := State{}, map[string]any(nil)
	for _, b := range v.Blocks {
		id, _ := b["block_id"].(string)
		e, _ := b["element"].(map[string]any)
		if b["type"] != "input" || e["type"] != "plain_text_input" {
			continue
		}
		in := map[string]any{"type": e["type"], "value": nil}
		if text := values[id]; text != "" {
			in["value"] = text
		}
		state[id] = map[string]any{fmt.Sprint(e["action_id"]): in}
		if id == block && b["dispatch_action"] == true {
			action = map[string]any{"type": e["type"], "block_id": id, "action_id": e["action_id"], "value": values[id]}
		}
	}
	if action == nil {
		return fmt.Errorf("nothing is told of what is typed into %q", block)
	}
	s.mu.Lock()
	action["action_ts"] = s.newTS()
	p := s.interaction("block_actions", v.User)
	p["container"] = map[string]any{"type": "view", "view_id": v.ID}
	p["view"] = v.payload(state)
	p["actions"] = []any{action}
	s.mu.Unlock()
	_, err := s.wire.Send("interactive", p)
	return err
}

func (s *people) interaction(kind, user string) map[string]any {
	return map[string]any{
		"type": kind, "api_app_id": App, "token": "legacy", "trigger_id": s.newTrigger(), "enterprise": nil, "is_enterprise_install": false,
		"team": map[string]any{"id": s.users[user].team, "domain": "slack"}, "user": map[string]any{"id": user, "username": strings.ToLower(user), "name": user, "team_id": s.users[user].team},
	}
}

func (v View) payload(state State) map[string]any {
	return map[string]any{
		"id": v.ID, "team_id": Team, "app_installed_team_id": Team, "type": v.Kind, "callback_id": v.Callback, "private_metadata": v.Metadata, "hash": "1.a",
		"blocks": v.Blocks, "state": map[string]any{"values": state},
	}
}

// filled returns the state of a form with texts or choices, by block.
func (v View) filled(values map[string]any) State {
	state := State{}
	for _, b := range v.Blocks {
		id, _ := b["block_id"].(string)
		e, _ := b["element"].(map[string]any)
		if b["type"] != "input" {
			continue
		}
		in := map[string]any{"type": e["type"], "value": nil, "selected_option": nil, "selected_options": []any{}, "selected_users": []any{}}
		switch e["type"] {
		case "plain_text_input":
			in["value"] = values[id]
		case "checkboxes":
			chosen := []any{}
			ticked, _ := values[id].([]string)
			for _, value := range ticked {
				chosen = append(chosen, map[string]any{"value": value})
			}
			in["selected_options"] = chosen
		case "static_select":
			if values[id] != nil {
				in["selected_option"] = map[string]any{"value": values[id]}
			}
		case "multi_users_select":
			if values[id] != nil {
				in["selected_users"] = values[id]
			}
		}
		state[id] = map[string]any{fmt.Sprint(e["action_id"]): in}
	}
	return state
}

// Submit sends a form with texts or choices, by block, and returns the errors in the app's
// answer, by block.
func (s *people) Submit(v View, values map[string]any) (mistakes map[string]string, err error) {
	state := v.filled(values)
	s.mu.Lock()
	p := s.interaction("view_submission", v.User)
	p["view"] = v.payload(state)
	p["response_urls"] = []any{}
	s.mu.Unlock()
	raw, err := s.wire.Send("interactive", p)
	if err != nil || len(raw) == 0 || string(raw) == "null" {
		return nil, err
	}
	var ack struct {
		Action string            `json:"response_action"`
		View   map[string]any    `json:"view"`
		Errors map[string]string `json:"errors"`
	}
	if err := json.Unmarshal(raw, &ack); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch ack.Action {
	case "errors":
		for block := range ack.Errors {
			if state[block] == nil {
				s.complain("a mistake is shown at %q, which is no field", block)
			}
		}
		return ack.Errors, nil
	case "update":
		_, code := viewMethods{s.state}.show(s.views[v.ID], ack.View)
		if code != "" {
			return nil, fmt.Errorf("view refused: %s", code)
		}
	}
	return nil, nil
}

// show checks a view, and shows it.
func (s viewMethods) show(v *View, in map[string]any) (map[string]any, string) {
	c := s.checker()
	blocks := c.view(in)
	for _, wrong := range c.wrong {
		s.complain("view: %s", wrong)
	}
	if v == nil {
		return nil, "not_found"
	}
	if len(c.wrong) > 0 || c.early {
		return nil, "invalid_arguments"
	}
	title, _ := in["title"].(map[string]any)
	v.Kind, v.Blocks, v.Title = fmt.Sprint(in["type"]), blocks, fmt.Sprint(title["text"])
	submit, _ := in["submit"].(map[string]any)
	v.Submit, _ = submit["text"].(string)
	v.Callback, _ = in["callback_id"].(string)
	v.Metadata, _ = in["private_metadata"].(string)
	v.Updates++
	s.next()
	return map[string]any{"view": map[string]any{"id": v.ID, "type": v.Kind, "team_id": Team}}, ""
}

func viewOf(p params) map[string]any {
	var v map[string]any
	_ = json.Unmarshal([]byte(p["view"]), &v) // anything but a view lacks the required fields
	return v
}

func (s viewMethods) viewsOpen(p params) (map[string]any, string) {
	until, ok := s.triggers[p["trigger_id"]]
	if !ok || time.Now().After(until) {
		s.complain("a trigger_id was used twice, or too late")
		return nil, "expired_trigger_id"
	}
	delete(s.triggers, p["trigger_id"])
	v := &View{ID: fmt.Sprintf("V0%d", s.next())}
	out, code := s.show(v, viewOf(p))
	if code == "" {
		s.views[v.ID] = v
	}
	return out, code
}

func (s viewMethods) viewsUpdate(p params) (map[string]any, string) {
	return s.show(s.views[p["view_id"]], viewOf(p))
}

func (s viewMethods) viewsPublish(p params) (map[string]any, string) {
	id := "HOME" + p["user_id"]
	if s.views[id] == nil {
		s.views[id] = &View{ID: id, User: p["user_id"]}
	}
	return s.show(s.views[id], viewOf(p))
}

// Home returns a user's home page as last published.
func (s viewMethods) Home(user string) (View, bool) { return s.View("HOME"+user, user) }

// View returns a view as a user sees it.
func (s viewMethods) View(id, user string) (View, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.views[id]
	if v == nil {
		return View{}, false
	}
	copied := *v
	copied.User = user
	return copied, true
}

// Top returns the form opened last, as a user sees it.
func (s viewMethods) Top(user string) (View, bool) {
	s.mu.Lock()
	top, newest := "", 0
	for id, v := range s.views {
		var n int
		if _, err := fmt.Sscanf(id, "V0%d", &n); err == nil && v.Kind == "modal" && n > newest {
			top, newest = id, n
		}
	}
	s.mu.Unlock()
	return s.View(top, user)
}

// OpenHome opens a user's home page.
func (s *people) OpenHome(user string) error {
	return s.wire.event(map[string]any{"type": "app_home_opened", "user": user, "channel": "D" + user, "tab": "home", "event_ts": "1.0"})
}

// Mention writes a message that begins with a mention of the app.
func (s *people) Mention(user, channel, thread, text string) error {
	s.mu.Lock()
	ts := s.newTS()
	s.mu.Unlock()
	e := map[string]any{"type": "app_mention", "user": user, "channel": channel, "ts": ts, "text": "<@" + BotUser + "> " + text, "event_ts": ts}
	if thread != "" {
		e["thread_ts"] = thread
	}
	return s.wire.event(e)
}

// Say writes a message, with an event for apps that may read it.
func (s *people) Say(user, channel, thread, text string) error {
	s.mu.Lock()
	ts := s.newTS()
	s.mu.Unlock()
	kind := "channel"
	if strings.HasPrefix(channel, "D") {
		kind = "im"
	}
	e := map[string]any{"type": "message", "user": user, "channel": channel, "channel_type": kind, "ts": ts, "text": text, "event_ts": ts}
	if thread != "" {
		e["thread_ts"] = thread
	}
	return s.wire.event(e)
}

// OpenMessages opens a user's direct messages with the app.
func (s *people) OpenMessages(user string) error {
	return s.wire.event(map[string]any{"type": "app_home_opened", "user": user, "channel": "D" + user, "tab": "messages", "event_ts": "1.0"})
}

// Shortcut uses the app's shortcut on a message.
func (s *people) Shortcut(user string, m Message) error {
	return s.ShortcutOf(user, m, "rackmate", "")
}

// ShortcutOf chooses one of the app's shortcuts, by its callback, in a message's menu.
// author is the message's author; empty means the app.
func (s *people) ShortcutOf(user string, m Message, callback, author string) error {
	s.mu.Lock()
	p := s.interaction("message_action", user)
	p["callback_id"] = callback
	p["response_url"] = s.newURL(responseURL{user: user, channel: m.Channel, thread: m.Thread})
	p["channel"] = map[string]any{"id": m.Channel, "name": "games"}
	message := map[string]any{"ts": m.TS, "thread_ts": m.Thread, "team": Team}
	if message["user"] = author; author == "" {
		message["user"], message["bot_id"] = BotUser, "B0BOT"
	}
	p["message_ts"], p["message"] = m.TS, message
	s.mu.Unlock()
	_, err := s.wire.Send("interactive", p)
	return err
}

// GlobalShortcut uses the app's global shortcut.
func (s *people) GlobalShortcut(user string) error {
	s.mu.Lock()
	p := s.interaction("shortcut", user)
	p["callback_id"], p["action_ts"] = "rackmate", s.newTS()
	s.mu.Unlock()
	_, err := s.wire.Send("interactive", p)
	return err
}
