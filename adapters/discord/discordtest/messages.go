package discordtest

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"time"
)

func itoa(n int) string { return strconv.Itoa(n) }

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// The parts of the bot's requests that matter here.
type (
	messageRequest struct {
		Content         *string              `json:"content"`
		Components      []row                `json:"components"`
		Attachments     *[]attachmentRequest `json:"attachments"`
		AllowedMentions *allowedMentions     `json:"allowed_mentions"`
		Flags           int                  `json:"flags"`
		Nonce           string               `json:"nonce"`
		EnforceNonce    bool                 `json:"enforce_nonce"`
	}
	row struct {
		Type        int         `json:"type"`
		Components  []component `json:"components,omitempty"`
		Label       string      `json:"label,omitempty"` // for a label
		Description string      `json:"description,omitempty"`
		Component   *component  `json:"component,omitempty"`

		// For components of a layout.
		Content   string     `json:"content,omitempty"`
		Accessory *component `json:"accessory,omitempty"`
		Items     []struct {
			Media       mediaRequest `json:"media"`
			Description string       `json:"description,omitempty"`
		} `json:"items,omitempty"`
		File *mediaRequest `json:"file,omitempty"`
	}
	mediaRequest struct {
		URL string `json:"url"`
	}
	component struct {
		Type        int    `json:"type"`
		Content     string `json:"content,omitempty"` // for a text
		CustomID    string `json:"custom_id"`
		Label       string `json:"label"`
		Style       int    `json:"style"`
		URL         string `json:"url"` // for a link button
		Placeholder string `json:"placeholder"`
		MinValues   int    `json:"min_values"`
		MaxValues   int    `json:"max_values"`
		Required    bool   `json:"required"`
		Options     []struct {
			Label       string  `json:"label"`
			Value       string  `json:"value"`
			Description *string `json:"description,omitempty"`
		} `json:"options"`
	}
	attachmentRequest struct {
		ID          string `json:"id"`
		Filename    string `json:"filename"`
		Description string `json:"description"`
	}
	allowedMentions struct {
		Parse []string `json:"parse"`
		Users []string `json:"users"`
	}
)

// A Message is a message of the bot or of a user.
type Message struct {
	ID      string
	Channel string
	For     string // the only user who sees it; "": everybody in the channel
	Content string
	Pings   []string // users, "@everyone", "@here"
	Files   []File
	Edited  int  // number of edits
	Silent  bool // sent without a notification
	Nonce   string
	Pinned  bool
	LaidOut bool // consists only of components; Content is their text
	rows    []row
	thread  string
	at      time.Time
	by      *User // nil for the bot
}

// A File is an attachment with its description.
type File struct {
	Name, Type, Alt string
	Data            []byte
}

// Labels returns the labels of the message's buttons and menus.
func (m Message) Labels() (labels []string) {
	for _, r := range m.rows {
		for _, c := range r.Components {
			labels = append(labels, c.Label+c.Placeholder)
		}
	}
	return labels
}

// Link returns the address of the link button with a label, or "" if there is none.
func (m Message) Link(label string) string {
	for _, r := range m.rows {
		for _, c := range r.Components {
			if c.Style == linkButton && c.Label == label {
				return c.URL
			}
		}
	}
	return ""
}

// CustomIDs returns the ids of the message's components.
func (m Message) CustomIDs() (ids []string) {
	for _, r := range m.rows {
		for _, c := range r.Components {
			ids = append(ids, c.CustomID)
		}
	}
	return ids
}

// MentionCounts returns the number of mentions in existing messages, by channel.
func (d *Discord) MentionCounts() map[string]int {
	d.mu.Lock()
	defer d.mu.Unlock()
	all := map[string]int{}
	for _, m := range d.messages {
		all[m.Channel] += len(m.Pings)
	}
	return all
}

// A nonce remembers a message that was sent with a nonce.
type nonce struct {
	message string
	at      time.Time
}

// nonceTime sets how long a nonce is enforced: "in the past few minutes", says Discord.
const nonceTime = 3 * time.Minute

// write creates or edits a message as requested. Only a new one pings.
func (d *Discord) write(m *Message, p messageRequest, files []file) error {
	if p.Flags&laidOut != 0 || m.LaidOut {
		said, rows, err := p.blocks(m, files)
		if err != nil {
			return err
		}
		p.Content, p.Components, m.LaidOut = &said, rows, true
	}
	if err := checkMessage(p, files); err != nil {
		return err
	}
	if err := d.commands.checkMentions(deref(p.Content)); err != nil {
		return err
	}
	if p.Content != nil {
		m.Content = *p.Content
	}
	if p.Components != nil {
		m.rows = p.Components
	}
	if p.Attachments != nil || m.at.IsZero() {
		m.Files = nil
	}
	for n, f := range files {
		added := File{Name: f.name, Type: f.contentType, Data: f.data}
		for _, a := range p.attachments() {
			if a.ID == itoa(n) {
				added.Alt = a.Description
			}
		}
		m.Files = append(m.Files, added)
	}
	if m.Content == "" && len(m.Files) == 0 {
		return &apiError{400, 50006, "Cannot send an empty message"}
	}
	if m.at.IsZero() {
		m.at = d.now()
		m.Pings = findPings(m.Content, p.AllowedMentions)
	} else {
		m.Edited++
	}
	return nil
}

func (p messageRequest) attachments() []attachmentRequest {
	if p.Attachments == nil {
		return nil
	}
	return *p.Attachments
}

func (d *Discord) newMessage(channel, only string) *Message {
	return &Message{ID: d.id(), Channel: channel, For: only}
}

func (d *Discord) keep(m *Message) *Message {
	d.messages[m.ID] = m
	return m
}

// messageJSON returns a message in Discord's form.
func (d *Discord) messageJSON(m *Message) map[string]any {
	attachments := []any{}
	for i, f := range m.Files {
		url := d.URL + "/attachments/" + m.ID + "/" + f.Name
		attachments = append(attachments, map[string]any{
			"id": itoa(i + 1), "filename": f.Name, "size": len(f.Data), "url": url, "proxy_url": url,
			"content_type": f.Type, "description": f.Alt,
		})
	}
	flags := 0
	if m.For != "" {
		flags = 64
	}
	content := m.Content
	if m.LaidOut {
		flags, content = flags|laidOut, ""
	}
	shown := map[string]any{
		"id": m.ID, "channel_id": m.Channel, "type": 0, "content": content, "flags": flags, "tts": false, "pinned": m.Pinned,
		"author":    botUser(),
		"timestamp": m.at.UTC().Format(time.RFC3339Nano), "edited_timestamp": nil,
		"mentions": []any{}, "mention_roles": []any{}, "mention_everyone": false, "embeds": []any{},
		"attachments": attachments, "components": rowsJSON(m.rows), "application_id": ApplicationID,
	}
	if m.by != nil {
		shown["author"] = m.by.json()
	}
	if m.Edited > 0 {
		shown["edited_timestamp"] = d.now().UTC().Format(time.RFC3339Nano)
	}
	return shown
}

// rowsJSON returns components in Discord's form, each with a number.
func rowsJSON(rows []row) []any {
	all, n := []any{}, 0
	number := func() int { n++; return n }
	for _, r := range rows {
		shown, within := map[string]any{"type": r.Type, "id": number()}, []any{}
		for _, c := range r.Components {
			one := map[string]any{"type": c.Type, "id": number()}
			switch {
			case c.Style == linkButton:
				one["style"], one["label"], one["url"] = c.Style, c.Label, c.URL
			case c.Type == 2:
				one["style"], one["label"], one["custom_id"] = c.Style, c.Label, c.CustomID
			default:
				one["custom_id"], one["options"], one["min_values"], one["max_values"] = c.CustomID, c.Options, c.MinValues, c.MaxValues
			}
			within = append(within, one)
		}
		shown["components"] = within
		all = append(all, shown)
	}
	return all
}

// listMessages lists the messages after one, by id. If the bot may not read the history, it
// lists none.
func (d api) listMessages(p []string, query []byte, _ []file) (any, error) {
	c, err := d.readable(p[0])
	if err != nil {
		return nil, err
	}
	asked, err := url.ParseQuery(string(query))
	if err != nil {
		return nil, err
	}
	limit, err := strconv.Atoi(asked.Get("limit"))
	if err != nil || limit < 1 || limit > 100 {
		return nil, invalid("a limit of %q", asked.Get("limit"))
	}
	all := []any{}
	if c.guild != nil && c.permissions()&ReadMessageHistory == 0 {
		return all, nil
	}
	for _, m := range slices.Concat(c.written, (&User{d: d.Discord}).sees(c)) {
		if len(all) < limit && compare(m.ID, asked.Get("after")) > 0 {
			all = append(all, d.messageJSON(&m))
		}
	}
	return all, nil
}

func (d api) createMessage(p []string, body []byte, files []file) (any, error) {
	c, err := d.writable(p[0], len(files) > 0)
	if err != nil {
		return nil, err
	}
	var req messageRequest
	if err := json.Unmarshal(body, &req); err != nil {
		return nil, err
	}
	if req.Flags&64 != 0 {
		return nil, invalid("an ephemeral message without an interaction")
	}
	key := c.ID + " " + req.Nonce
	if old, ok := d.nonces[key]; ok && req.EnforceNonce && d.now().Sub(old.at) < nonceTime && d.messages[old.message] != nil {
		return d.messageJSON(d.messages[old.message]), nil
	}
	m := d.newMessage(c.ID, "")
	if err := d.write(m, req, files); err != nil {
		return nil, err
	}
	m.Silent = req.Flags&(1<<12) != 0
	c.Archived = false
	m.Nonce = req.Nonce
	if req.Nonce != "" {
		d.nonces[key] = nonce{m.ID, m.at}
	}
	return d.messageJSON(d.keep(m)), nil
}

func (d api) editMessage(p []string, body []byte, files []file) (any, error) {
	c, err := d.readable(p[0])
	if err != nil {
		return nil, err
	}
	m := d.messages[p[1]]
	if m == nil || m.Channel != c.ID || m.For != "" {
		return nil, errUnknownMessage
	}
	if c.Archived {
		return nil, errArchived
	}
	var req messageRequest
	if err := json.Unmarshal(body, &req); err != nil {
		return nil, err
	}
	if err := d.write(m, req, files); err != nil {
		return nil, err
	}
	return d.messageJSON(m), nil
}

// deleteMessage deletes a message of the bot.
func (d api) deleteMessage(p []string, _ []byte, _ []file) (any, error) {
	if _, err := d.readable(p[0]); err != nil {
		return nil, err
	}
	if m := d.messages[p[1]]; m == nil || m.Channel != p[0] {
		return nil, errUnknownMessage
	}
	delete(d.messages, p[1])
	return nil, nil
}

func (d api) pinMessage(p []string, _ []byte, _ []file) (any, error) {
	c, err := d.readable(p[0])
	if err != nil {
		return nil, err
	}
	m := d.messages[p[1]]
	switch {
	case m == nil || m.Channel != c.ID:
		return nil, errUnknownMessage
	case c.permissions()&PinMessages == 0:
		return nil, errMissingPermissions
	}
	m.Pinned = true
	return nil, nil
}

func (d api) createThread(p []string, body []byte, _ []file) (any, error) {
	c, err := d.readable(p[0])
	if err != nil {
		return nil, err
	}
	m := d.messages[p[1]]
	switch {
	case c.kind != 0 && c.kind != 5:
		return nil, errWrongChannel
	case m == nil || m.Channel != c.ID:
		return nil, errUnknownMessage
	case m.thread != "":
		return nil, errThreadThere
	case c.permissions()&CreatePublicThreads == 0:
		return nil, errMissingPermissions
	}
	var req struct {
		Name    string `json:"name"`
		Minutes int    `json:"auto_archive_duration"`
	}
	if err := json.Unmarshal(body, &req); err != nil {
		return nil, err
	}
	if n := len([]rune(req.Name)); n < 1 || n > 100 || !slices.Contains([]int{60, 1440, 4320, 10080}, req.Minutes) {
		return nil, invalid("a thread %q that sleeps after %d minutes", req.Name, req.Minutes)
	}
	m.thread = m.ID // a message's thread has the message's id
	t := &Channel{d: d.Discord, ID: m.ID, Name: req.Name, kind: 11, guild: c.guild, parent: c}
	d.channels[t.ID] = t
	return t.json(), nil
}

func (d api) getChannel(p []string, _ []byte, _ []file) (any, error) {
	c, err := d.readable(p[0])
	if err != nil {
		return nil, err
	}
	return c.json(), nil
}

// createPost creates a post in a forum, or a thread in a channel.
func (d api) createPost(p []string, body []byte, _ []file) (any, error) {
	c, err := d.writable(p[0], false)
	if err != nil {
		return nil, err
	}
	var req struct {
		Name    string          `json:"name"`
		Minutes int             `json:"auto_archive_duration"`
		Message *messageRequest `json:"message"`
		Type    int             `json:"type"`
		Tags    []string        `json:"applied_tags"`
	}
	if err := json.Unmarshal(body, &req); err != nil {
		return nil, err
	}
	if c.kind == 0 && req.Type == 11 && req.Message == nil { // a thread without a message
		switch {
		case c.permissions()&CreatePublicThreads == 0:
			return nil, errMissingPermissions
		case len([]rune(req.Name)) < 1 || len([]rune(req.Name)) > 100 || !slices.Contains([]int{60, 1440, 4320, 10080}, req.Minutes):
			return nil, invalid("a thread %q that sleeps after %d minutes", req.Name, req.Minutes)
		}
		return d.post(c, req.Name).json(), nil
	}
	if n := len([]rune(req.Name)); c.kind != 15 || n < 1 || n > 100 || req.Message == nil {
		return nil, invalid("a post %q in a channel of the kind %d", req.Name, c.kind)
	}
	t := d.post(c, req.Name)
	if err := t.tag(req.Tags); err != nil {
		return nil, err
	}
	m := d.newMessage(t.ID, "")
	if err := d.write(m, *req.Message, nil); err != nil {
		return nil, err
	}
	d.keep(m)
	return t.json(), nil
}

// post creates a thread, or a post if the parent is a forum.
func (d *Discord) post(forum *Channel, name string) *Channel {
	t := &Channel{d: d, ID: d.id(), Name: name, kind: 11, guild: forum.guild, parent: forum}
	d.channels[t.ID] = t
	return t
}

func (d api) editChannel(p []string, body []byte, _ []file) (any, error) {
	c, err := d.readable(p[0])
	if err != nil {
		return nil, err
	}
	var req struct {
		Archived *bool    `json:"archived"`
		Tags     []string `json:"applied_tags"`
	}
	if err := json.Unmarshal(body, &req); err != nil {
		return nil, err
	}
	if req.Archived != nil {
		c.Archived = *req.Archived
	}
	if req.Tags != nil {
		if err := c.tag(req.Tags); err != nil {
			return nil, err
		}
	}
	return c.json(), nil
}

func (d api) openDM(_ []string, body []byte, _ []file) (any, error) {
	var req struct {
		Recipient string `json:"recipient_id"`
	}
	if err := json.Unmarshal(body, &req); err != nil {
		return nil, err
	}
	u := d.users[req.Recipient]
	if u == nil {
		return nil, errUnknownUser
	}
	return d.dm(u).json(), nil
}

// Message returns the current state of a message. The caller must hold the lock, so it is
// for use in Wait.
func (d *Discord) Message(id string) (m Message) {
	if found := d.messages[id]; found != nil {
		m = *found
	}
	return m
}
