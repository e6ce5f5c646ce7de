package discordtest

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Types of interactions.
const (
	command = iota + 2
	componentUsed
	completion
	formSubmit
)

// Deadlines of an interaction. Discord gives a bot firstResponse; delays up to busyMachine
// aren't reported, because the machine may be busy.
const (
	firstResponse = 3 * time.Second
	busyMachine   = 30 * time.Second
	tokenLife     = 15 * time.Minute
)

// An Interaction is a user's action, and the bot's response to it.
type Interaction struct {
	d       *Discord
	ID      string
	token   string
	kind    int
	by      *User
	channel *Channel
	under   *Message // message with the used component
	at      time.Time
	again   bool      // sent again after a lost connection
	arrived time.Time // when the first response arrived, before it was checked

	// The response; read it with Answer and similar methods.
	response  int // type of the first response, 0 if none
	original  *Message
	answered  bool // original is the answer, not a deferred one
	followUps []*Message
	form      *formRequest
	choices   []Choice
	instance  string // of the Activity that was opened
}

// A Choice is a suggestion while an option is typed.
type Choice struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type formRequest struct {
	CustomID   string `json:"custom_id"`
	Title      string `json:"title"`
	Components []row  `json:"components"`
}

// An endpoint receives interactions over HTTP instead of the gateway.
type endpoint struct {
	url string
	key ed25519.PrivateKey
}

// SendTo sends interactions, signed, to an address.
func (d *Discord) SendTo(url string, key ed25519.PrivateKey) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.endpoint = endpoint{url, key}
}

// Gives types a slash command: its name, then names and values of options alternately. The
// user's client checks it against the registered commands, and finds subcommands by their
// own name.
func (u *User) Gives(c *Channel, name string, options ...string) *Interaction {
	return u.gives(c, command, name, "", options)
}

// Types types a slash command up to an option, and returns the suggestions for it.
func (u *User) Types(c *Channel, name, focused string, options ...string) []Choice {
	i := u.gives(c, completion, name, focused, options)
	if i == nil {
		return nil
	}
	u.d.Wait("choices for "+focused+" of /"+name, func() bool { return i.response != 0 })
	u.d.mu.Lock()
	defer u.d.mu.Unlock()
	return i.choices
}

func (u *User) gives(c *Channel, kind int, name, focused string, options []string) *Interaction {
	u.d.mu.Lock()
	top, id, way, err := u.d.commands.find(name)
	if err != nil {
		var byText error
		if top, id, way, byText = u.d.commands.find("type"); byText == nil {
			err = nil
			options = []string{"line", name + formatOptions(options)}
		}
	}
	u.d.mu.Unlock()
	if err != nil {
		u.d.report("%s can't type /%s: %v", u.Name, name, err)
		return nil
	}
	registered := optionsOf(top, way)
	if others := inText(registered, options, &focused); others != nil {
		options = others
	} else {
		// A command without an option for text is typed as a whole.
		u.d.mu.Lock()
		byText, itsID, itsWay, err := u.d.commands.find("type")
		u.d.mu.Unlock()
		if err == nil {
			options = []string{"line", name + formatOptions(options)}
			top, id, way, registered = byText, itsID, itsWay, optionsOf(byText, itsWay)
		}
	}
	given, resolved := []any{}, map[string]any{}
	for n := 0; n+1 < len(options); n += 2 {
		at := slices.IndexFunc(registered, func(o commandOption) bool { return o.Name == options[n] })
		if at < 0 {
			u.d.report("/%s has no option %q", name, options[n])
			return nil
		}
		o, value := registered[at], any(options[n+1])
		switch o.Type {
		case 5:
			value = options[n+1] == "true"
		case 6:
			guest := u.d.users[options[n+1]]
			resolved["users"] = mergeInto(resolved["users"], guest.ID, guest.json())
			member := guest.memberJSON()
			delete(member, "user")
			resolved["members"] = mergeInto(resolved["members"], guest.ID, member)
		}
		one := map[string]any{"type": o.Type, "name": o.Name, "value": value}
		if o.Name == focused {
			one["focused"] = true
		}
		given = append(given, one)
	}
	for _, o := range registered {
		if kind == command && o.Required && !slices.Contains(options, o.Name) {
			u.d.report("/%s needs %s", name, o.Name)
			return nil
		}
	}
	for _, step := range slices.Backward(way) {
		given = []any{map[string]any{"type": step.Type, "name": step.Name, "options": given}}
	}
	data := map[string]any{"id": id, "name": top.Name, "type": 1, "options": given}
	if len(resolved) > 0 {
		data["resolved"] = resolved
	}
	return u.does(c, kind, data, nil)
}

// formatOptions returns options as people type them: " word:horn at:8h".
func formatOptions(options []string) (line string) {
	for n := 0; n+1 < len(options); n += 2 {
		line += " " + options[n] + ":" + options[n+1]
	}
	return line
}

// optionsOf returns the options of a command or of the subcommand that a way leads to.
func optionsOf(top commandRequest, way []commandOption) []commandOption {
	if len(way) > 0 {
		return way[len(way)-1].Options
	}
	return top.Options
}

// inText types the options that a command doesn't list into the one that takes them as
// text. It returns nil if there is none.
func inText(registered []commandOption, options []string, focused *string) []string {
	const more = "more"
	has := func(name string) bool {
		return slices.ContainsFunc(registered, func(o commandOption) bool { return o.Name == name })
	}
	var listed, others []string
	for n := 0; n+1 < len(options); n += 2 {
		if one := options[n : n+2]; has(one[0]) {
			listed = append(listed, one...)
		} else {
			others = append(others, one...)
		}
	}
	switch {
	case len(others) == 0:
		return append([]string{}, options...)
	case !has(more):
		return nil
	case !has(*focused) && *focused != "":
		*focused = more
	}
	return append(listed, more, strings.TrimSpace(formatOptions(others)))
}

func mergeInto(m any, key string, value any) map[string]any {
	all, _ := m.(map[string]any)
	if all == nil {
		all = map[string]any{}
	}
	all[key] = value
	return all
}

// Writes adds a user's message to a channel, for others to open its menu. The bot gets no
// event for it, and can only list messages.
func (d *Discord) Writes(by *User, c *Channel, content string) Message {
	d.mu.Lock()
	defer d.mu.Unlock()
	m := Message{ID: d.id(), Channel: c.ID, Content: content, at: d.now(), by: by}
	c.written = append(c.written, m)
	return m
}

// OpensMenuOf chooses an entry in another user's menu.
func (u *User) OpensMenuOf(c *Channel, other *User, entry string) *Interaction {
	return u.menu(c, 2, entry, other.ID, map[string]any{
		"users": map[string]any{other.ID: other.json()}, "members": map[string]any{},
	})
}

// OpensMenuOn chooses an entry in a message's menu.
func (u *User) OpensMenuOn(c *Channel, m Message, entry string) *Interaction {
	u.d.mu.Lock()
	shown := u.d.messageJSON(&m)
	u.d.mu.Unlock()
	return u.menu(c, 3, entry, m.ID, map[string]any{"messages": map[string]any{m.ID: shown}})
}

func (u *User) menu(c *Channel, kind int, entry, target string, resolved map[string]any) *Interaction {
	u.d.mu.Lock()
	_, id, err := u.d.commands.command(kind, entry)
	u.d.mu.Unlock()
	if err != nil {
		u.d.report("%s: %v", u.Name, err)
		return nil
	}
	return u.does(c, command, map[string]any{"id": id, "name": entry, "type": kind, "target_id": target, "resolved": resolved}, nil)
}

// Presses presses the button with a label under a message.
func (u *User) Presses(m Message, label string) *Interaction {
	for _, r := range m.rows {
		for _, c := range r.Components {
			if c.Type == 2 && c.Label == label {
				return u.doesID(m, map[string]any{"custom_id": c.CustomID, "component_type": 2})
			}
		}
	}
	u.d.report("no button %q in %q under %q", label, m.Labels(), m.Content)
	return nil
}

// Chooses chooses options by their labels in the menu under a message.
func (u *User) Chooses(m Message, labels ...string) *Interaction {
	for _, r := range m.rows {
		for _, c := range r.Components {
			if c.Type != 3 {
				continue
			}
			var values []string
			for _, label := range labels {
				for _, o := range c.Options {
					if o.Label == label && !slices.Contains(values, o.Value) {
						values = append(values, o.Value)
						break
					}
				}
			}
			if len(values) == len(labels) && len(values) >= c.MinValues && len(values) <= c.MaxValues {
				return u.doesID(m, map[string]any{"custom_id": c.CustomID, "component_type": 3, "values": values})
			}
		}
	}
	u.d.report("%q can't be chosen under %q", labels, m.Content)
	return nil
}

func (u *User) doesID(m Message, data map[string]any) *Interaction {
	u.d.mu.Lock()
	c := u.d.channels[m.Channel]
	u.d.mu.Unlock()
	return u.does(c, componentUsed, data, &m)
}

// UsesID presses a button that a message doesn't have, as a hostile client could.
func (u *User) UsesID(m Message, customID string) *Interaction {
	return u.doesID(m, map[string]any{"custom_id": customID, "component_type": 2})
}

// Fills submits the form that an interaction opened. values alternates the ids of fields
// and their input: for a menu its values separated by commas, for a menu of people their
// ids separated by spaces.
func (u *User) Fills(i *Interaction, values ...string) *Interaction {
	if i == nil || !u.d.Wait("a form", func() bool { return i.form != nil }) {
		return nil
	}
	var rows []any
	resolved := map[string]any{}
	for _, r := range i.form.Components {
		c := r.Component
		at := slices.Index(values, c.CustomID)
		if at < 0 && c.Required {
			u.d.report("the form needs %s", c.CustomID)
			return nil
		}
		filled := map[string]any{"type": c.Type, "id": 2, "custom_id": c.CustomID}
		switch {
		case c.Type == 4 && at >= 0:
			filled["value"] = values[at+1]
		case c.Type == 4:
			filled["value"] = ""
		case c.Type == radioGroup && at >= 0:
			filled["value"] = values[at+1]
		case c.Type == radioGroup:
			filled["value"] = nil
		case c.Type == userSelect && at >= 0:
			var ids []string
			for _, id := range strings.Fields(values[at+1]) {
				guest := u.d.users[id]
				ids = append(ids, id)
				resolved["users"] = mergeInto(resolved["users"], guest.ID, guest.json())
				member := guest.memberJSON()
				delete(member, "user")
				resolved["members"] = mergeInto(resolved["members"], guest.ID, member)
			}
			filled["values"] = ids
		case at >= 0:
			filled["values"] = strings.Split(values[at+1], ",")
		default:
			filled["values"] = []string{}
		}
		if at >= 0 && !c.offers(filled) {
			u.d.report("the form has no %q for %s", values[at+1], c.CustomID)
			return nil
		}
		rows = append(rows, map[string]any{"type": 18, "id": 1, "component": filled})
	}
	data := map[string]any{"custom_id": i.form.CustomID, "components": rows}
	if len(resolved) > 0 {
		data["resolved"] = resolved
	}
	return u.does(i.channel, formSubmit, data, i.under)
}

// offers reports whether the input can be chosen in the component.
func (c component) offers(filled map[string]any) bool {
	chosen, _ := filled["values"].([]string)
	if one, ok := filled["value"].(string); ok && c.Type == radioGroup {
		chosen = []string{one}
	}
	if len(chosen) > max(c.MaxValues, 1) {
		return false
	}
	for _, value := range chosen {
		known := c.Type == userSelect
		for _, o := range c.Options {
			known = known || o.Value == value
		}
		if !known {
			return false
		}
	}
	return true
}

// does creates an interaction and sends it to the bot.
func (u *User) does(c *Channel, kind int, data map[string]any, under *Message) *Interaction {
	d := u.d
	d.mu.Lock()
	i := &Interaction{d: d, ID: d.id(), token: "token-" + strconv.FormatUint(d.lastID, 36), kind: kind, by: u, channel: c, under: under, at: d.now()}
	d.interactions[i.token] = i
	payload := map[string]any{
		"id": i.ID, "application_id": ApplicationID, "type": kind, "token": i.token, "version": 1, "data": data,
		"channel_id": c.ID, "channel": c.json(), "locale": "en-US", "entitlements": []any{}, "attachment_size_limit": 10 << 20,
		"app_permissions": strconv.FormatUint(c.permissions(), 10),
	}
	guild := ""
	if c.guild != nil {
		payload["guild_id"], payload["guild_locale"], payload["member"] = c.guild.ID, "en-US", u.memberJSON()
		payload["guild"] = map[string]any{"id": c.guild.ID, "locale": "en-US", "features": []any{}}
		payload["context"], payload["authorizing_integration_owners"] = 0, map[string]any{"0": c.guild.ID}
		if !c.guild.botIsHere {
			payload["authorizing_integration_owners"] = map[string]any{"1": u.ID}
		}
		guild = c.guild.ID
	} else if c.private {
		payload["user"], payload["context"], payload["authorizing_integration_owners"] = u.json(), 2, map[string]any{"1": u.ID}
	} else {
		payload["user"], payload["context"], payload["authorizing_integration_owners"] = u.json(), 1, map[string]any{"0": "0"}
	}
	if under != nil {
		payload["message"] = d.messageJSON(under)
	}
	to := d.endpoint
	if to.url == "" {
		d.Gateway.dispatch(guild, "INTERACTION_CREATE", payload)
	}
	d.mu.Unlock()
	if to.url != "" {
		go d.sendSigned(to, i, payload)
	}
	return i
}

// sendSigned posts an interaction and takes the HTTP response as its first response.
func (d *Discord) sendSigned(to endpoint, i *Interaction, payload any) {
	body, err := json.Marshal(payload)
	if err != nil {
		d.report("%v", err)
		return
	}
	resp, err := Signed(to.url, to.key, d.Now(), body)
	if err != nil {
		d.report("send an interaction: %v", err)
		return
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode == http.StatusAccepted {
		return // the answer comes as a request
	}
	if err != nil || resp.StatusCode != http.StatusOK {
		d.report("an interaction got %s %s %v", resp.Status, answer, err)
		return
	}
	r, err := http.NewRequest("POST", "/api/v10/interactions/"+i.ID+"/"+i.token+"/callback", nil)
	if err == nil {
		err = d.schema.check(r, answer)
	}
	if err != nil {
		d.report("against Discord's description: %v", err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	defer d.change()
	if _, err := (api{d}).callback([]string{i.ID, i.token}, answer, nil); err != nil {
		d.report("an interaction got %s: %v", answer, err)
	}
}

// Signed posts a body with Discord's signature.
func Signed(url string, key ed25519.PrivateKey, at time.Time, body []byte) (*http.Response, error) {
	req, err := http.NewRequest("POST", url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	Sign(req.Header, key, at, body)
	return http.DefaultClient.Do(req)
}

// Sign adds the headers of Discord's signature.
func Sign(h http.Header, key ed25519.PrivateKey, at time.Time, body []byte) {
	timestamp := strconv.FormatInt(at.Unix(), 10)
	h.Set("X-Signature-Timestamp", timestamp)
	h.Set("X-Signature-Ed25519", hex.EncodeToString(ed25519.Sign(key, append([]byte(timestamp), body...))))
}

// Answer waits for the message that answers an interaction, even a deferred one, and
// returns what the user sees.
func (i *Interaction) Answer() (m Message) {
	if i == nil {
		return m
	}
	i.d.Wait("an interaction of "+i.by.Name+"'s is answered", func() bool {
		switch {
		case len(i.followUps) > 0 && i.followUps[len(i.followUps)-1].For != "":
			m = *i.followUps[len(i.followUps)-1]
		case i.answered:
			m = *i.original
		default:
			return false
		}
		return true
	})
	return m
}

// Now returns the current answer, empty if there is none. For use in Wait.
func (i *Interaction) Now() (m Message) {
	if i.original != nil {
		m = *i.original
	}
	return m
}

// AnswerTime is the time in which Discord wants the first response to an interaction.
const AnswerTime = 3 * time.Second

// Within returns the text of the answer if it comes in time. Otherwise the bot was down,
// and the user sees that the interaction failed.
func (i *Interaction) Within(patience time.Duration) (text string, answered bool) {
	late := time.After(patience)
	for {
		i.d.mu.Lock()
		changed := i.d.changed
		if i.answered {
			text, answered = i.original.Content, true
		}
		if n := len(i.followUps); n > 0 && i.followUps[n-1].For != "" {
			text, answered = i.followUps[n-1].Content, true
		}
		i.d.mu.Unlock()
		if answered {
			return text, true
		}
		select {
		case <-changed:
		case <-late:
			return "", false
		}
	}
}

// Form waits for the form that an interaction opens.
func (i *Interaction) Form() (title string, inputs []string) {
	i.d.Wait("a form", func() bool { return i.form != nil })
	i.d.mu.Lock()
	defer i.d.mu.Unlock()
	if i.form == nil {
		return "", nil
	}
	for _, r := range i.form.Components {
		inputs = append(inputs, r.Component.CustomID)
	}
	return i.form.Title, inputs
}

// Asks waits for the form that an interaction opens, and returns it as JSON.
func (i *Interaction) Asks() []byte {
	i.d.Wait("a form", func() bool { return i.form != nil })
	i.d.mu.Lock()
	defer i.d.mu.Unlock()
	b, _ := json.Marshal(i.form) // can't fail: it was decoded from JSON
	return b
}

// Response waits for the first response and returns its type.
func (i *Interaction) Response() (kind int) {
	i.d.Wait("a first response", func() bool { kind = i.response; return kind != 0 })
	return kind
}

// recordArrival records when the first response to an interaction arrives, before checking it
// takes time that the bot isn't responsible for.
func (d *Discord) recordArrival(path string) {
	parts := strings.Split(path, "/")
	if len(parts) != 5 || parts[1] != "interactions" {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if i := d.interactions[parts[3]]; i != nil {
		i.arrived = d.now()
	}
}

// callback handles the first response to an interaction.
func (d api) callback(p []string, body []byte, files []file) (any, error) {
	i := d.interactions[p[1]]
	switch {
	case i == nil || i.ID != p[0]:
		return nil, errUnknownInteraction
	case i.arrived.Sub(i.at) > firstResponse && i.again:
		return nil, errUnknownInteraction // the bot received it too late
	case i.arrived.Sub(i.at) > busyMachine:
		d.report("an interaction of %s's was answered after %s", i.by.Name, i.arrived.Sub(i.at))
		return nil, errUnknownInteraction
	case i.response != 0:
		return nil, errAnswered
	}
	var r struct {
		Type int             `json:"type"`
		Data json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return nil, err
	}
	allowed := map[int][]int{
		command: {4, 5, 9, 12}, componentUsed: {4, 5, 6, 7, 9, 12}, completion: {8}, formSubmit: {4, 5, 6, 7, 12},
	}[i.kind]
	if !slices.Contains(allowed, r.Type) || r.Type >= 6 && r.Type <= 7 && i.under == nil {
		return nil, invalid("a response of type %d to an interaction of type %d", r.Type, i.kind)
	}
	if err := d.respond(i, r.Type, r.Data, files); err != nil {
		return nil, err
	}
	i.response = r.Type
	if r.Type == launchActivity {
		i.instance = d.launched(i.by, i.channel)
		return map[string]any{
			"interaction": map[string]any{"id": i.ID, "type": i.kind, "activity_instance_id": i.instance},
			"resource":    map[string]any{"type": launchActivity, "activity_instance": map[string]any{"id": i.instance}},
		}, nil
	}
	return nil, nil
}

// launchActivity is the type of the response that opens the Activity.
const launchActivity = 12

// Instance waits for a first response that opens the Activity, and returns the user's
// instance.
func (i *Interaction) Instance() (id string) {
	i.d.Wait("the Activity is opened", func() bool { id = i.instance; return id != "" })
	return id
}

func (d api) respond(i *Interaction, kind int, data []byte, files []file) error {
	var m messageRequest
	if kind <= 7 && len(data) > 0 {
		if err := json.Unmarshal(data, &m); err != nil {
			return err
		}
	}
	only := ""
	if m.Flags&64 != 0 {
		only = i.by.ID
	}
	switch kind {
	case 4:
		i.original = d.newMessage(i.channel.ID, only)
		if err := d.write(i.original, m, files); err != nil {
			return err
		}
		d.keep(i.original)
		i.answered = true
	case 5:
		if m.Flags&^64 != 0 || deref(m.Content) != "" {
			return invalid("a deferral with more than the flag")
		}
		i.original = d.newMessage(i.channel.ID, only)
	case 6:
		i.original = d.messages[i.under.ID]
	case 7:
		i.original = d.messages[i.under.ID]
		if i.original == nil {
			return errUnknownMessage
		}
		i.answered = true
		return d.write(i.original, m, files)
	case 8:
		return i.suggest(data)
	case 9:
		return i.open(data)
	}
	return nil
}

// suggest handles the suggestions for an option.
func (i *Interaction) suggest(data []byte) error {
	var c struct {
		Choices []Choice `json:"choices"`
	}
	if err := json.Unmarshal(data, &c); err != nil {
		return err
	}
	for _, o := range c.Choices {
		if n := utf8.RuneCountInString(o.Name); n < 1 || n > 100 || len(c.Choices) > 25 || utf8.RuneCountInString(o.Value) > 100 {
			return invalid("choice %q of %d", o.Name, len(c.Choices))
		}
	}
	i.choices = c.Choices
	return nil
}

// open handles a form.
func (i *Interaction) open(data []byte) error {
	var f formRequest
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, r := range f.Components {
		if n := utf8.RuneCountInString(r.Label); r.Type != 18 || n < 1 || n > 45 || utf8.RuneCountInString(r.Description) > 100 || r.Component == nil {
			return invalid("a field of the type %d with the label %q", r.Type, r.Label)
		}
		if err := checkField(*r.Component, seen); err != nil {
			return err
		}
	}
	if n := utf8.RuneCountInString(f.Title); n < 1 || n > 45 || len(f.Components) < 1 || len(f.Components) > 5 || len(f.CustomID) > 100 {
		return invalid("form %q of %d rows", f.Title, len(f.Components))
	}
	i.form = &f
	return nil
}

// live returns the interaction of a token, if the token is valid.
func (d api) live(p []string) (*Interaction, error) {
	i := d.interactions[p[1]]
	switch {
	case i == nil || p[0] != ApplicationID || i.response == 0:
		return nil, errUnknownWebhook
	case d.now().Sub(i.at) > tokenLife:
		d.report("a token of %s's was used after %s", i.by.Name, d.now().Sub(i.at))
		return nil, errToken
	}
	return i, nil
}

func (d api) getOriginal(p []string, _ []byte, _ []file) (any, error) {
	i, err := d.live(p)
	if err != nil {
		return nil, err
	}
	if i.original == nil {
		return nil, errUnknownMessage
	}
	return d.messageJSON(i.original), nil
}

func (d api) editOriginal(p []string, body []byte, files []file) (any, error) {
	i, err := d.live(p)
	if err != nil {
		return nil, err
	}
	if i.original == nil {
		return nil, errUnknownMessage
	}
	var m messageRequest
	if err := json.Unmarshal(body, &m); err != nil {
		return nil, err
	}
	if err := d.write(i.original, m, files); err != nil {
		return nil, err
	}
	i.answered = true
	return d.messageJSON(d.keep(i.original)), nil
}

func (d api) editFollowUp(p []string, body []byte, files []file) (any, error) {
	i, err := d.live(p)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(i.followUps, func(m *Message) bool { return m.ID == p[2] })
	if at < 0 {
		return nil, errUnknownMessage
	}
	var m messageRequest
	if err := json.Unmarshal(body, &m); err != nil {
		return nil, err
	}
	if err := d.write(i.followUps[at], m, files); err != nil {
		return nil, err
	}
	return d.messageJSON(i.followUps[at]), nil
}

func (d api) deleteFollowUp(p []string, _ []byte, _ []file) (any, error) {
	i, err := d.live(p)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(i.followUps, func(m *Message) bool { return m.ID == p[2] && d.messages[m.ID] != nil }) {
		return nil, errUnknownMessage
	}
	delete(d.messages, p[2])
	return nil, nil
}

// mostFollowUps limits the follow-ups of an application that isn't installed where it is
// used.
const mostFollowUps = 5

func (d api) followUp(p []string, body []byte, files []file) (any, error) {
	i, err := d.live(p)
	if err != nil {
		return nil, err
	}
	var m messageRequest
	if err := json.Unmarshal(body, &m); err != nil {
		return nil, err
	}
	only := ""
	if m.Flags&64 != 0 {
		only = i.by.ID
	}
	if c := i.channel; (c.private || c.guild != nil && !c.guild.botIsHere) && len(i.followUps) >= mostFollowUps {
		return nil, &apiError{400, 40094, "This interaction has reached the follow-up message limit"}
	}
	added := d.newMessage(i.channel.ID, only)
	if err := d.write(added, m, files); err != nil {
		return nil, err
	}
	i.followUps = append(i.followUps, d.keep(added))
	return d.messageJSON(added), nil
}

// Private reports whether only one user sees the message.
func (m Message) Private() bool { return m.For != "" }

// Says reports whether the message's content contains a text.
func (m Message) Says(text string) bool { return strings.Contains(m.Content, text) }

// Slowest returns the longest time that a first response has taken so far.
func (d *Discord) Slowest() (took time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, i := range d.interactions {
		if !i.arrived.IsZero() {
			took = max(took, i.arrived.Sub(i.at))
		}
	}
	return took
}
