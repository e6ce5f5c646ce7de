package discordtest

import (
	"slices"
	"strconv"
	"time"
)

// The permissions that matter here.
const (
	ViewChannel          = 1 << 10
	SendMessages         = 1 << 11
	AttachFiles          = 1 << 15
	CreatePublicThreads  = 1 << 35
	SendMessagesInThread = 1 << 38
	PinMessages          = 1 << 51
	ReadMessageHistory   = 1 << 16 // granted to everybody unless removed
	enough               = ViewChannel | SendMessages | AttachFiles | CreatePublicThreads | SendMessagesInThread
)

// A Guild is a server with the bot in it.
type Guild struct {
	d         *Discord
	ID, Name  string
	botIsHere bool
	granted   *uint64
	owner     *User
	system    *Channel
	joined    time.Time // when the bot was added; the zero value means long ago
}

// Welcomes makes a channel the one where Discord welcomes members.
func (g *Guild) Welcomes(in *Channel) {
	g.d.mu.Lock()
	defer g.d.mu.Unlock()
	g.system = in
}

// AddBot adds the bot to the server.
func (g *Guild) AddBot() {
	g.d.mu.Lock()
	defer g.d.mu.Unlock()
	g.botIsHere, g.joined = true, g.d.now()
	g.d.Gateway.dispatch(g.ID, "GUILD_CREATE", g.greeting())
}

// BelongsTo makes a user the owner of the server.
func (g *Guild) BelongsTo(u *User) {
	g.d.mu.Lock()
	defer g.d.mu.Unlock()
	g.owner = u
}

// Grant sets the permissions of the bot's role in the server.
func (g *Guild) Grant(permissions uint64) {
	g.d.mu.Lock()
	defer g.d.mu.Unlock()
	g.granted = &permissions
}

// permissions returns the permissions of the bot's role.
func (g *Guild) permissions() uint64 {
	if g.granted != nil {
		return *g.granted
	}
	return enough | ReadMessageHistory
}

// A Channel is a channel of a guild, a thread, or a user's direct messages with the bot.
type Channel struct {
	d        *Discord
	ID, Name string
	Archived bool
	locked   bool
	kind     int
	guild    *Guild
	parent   *Channel
	with     *User
	private  bool // without the bot
	granted  *uint64
	changes  map[Subject]overwrite // of the permissions
	tags     []string              // tags of a forum, or of a post in it
	needsTag bool                  // each post must have a tag
	written  []Message             // messages by users, oldest first
}

// A User is a person controlled by the test.
type User struct {
	d               *Discord
	ID, Name        string
	closed          bool // to direct messages
	bot             bool
	mayNotBringApps bool // lacks Use External Apps
	mayNotManage    bool // lacks Manage Server
}

// Guild creates a server that the bot is a member of.
func (d *Discord) Guild(name string) *Guild {
	d.mu.Lock()
	defer d.mu.Unlock()
	g := &Guild{d: d, ID: d.id(), Name: name, botIsHere: true}
	d.guilds[g.ID] = g
	return g
}

// RemoveBot removes the bot from the server.
func (g *Guild) RemoveBot() {
	g.d.mu.Lock()
	defer g.d.mu.Unlock()
	g.botIsHere = false
	g.d.Gateway.dispatch(g.ID, "GUILD_DELETE", map[string]any{"id": g.ID})
}

// HasNoBot makes it a server without the bot, without an event.
func (g *Guild) HasNoBot() {
	g.d.mu.Lock()
	defer g.d.mu.Unlock()
	g.botIsHere = false
}

// HasBot adds the bot to the server again, without an event.
func (g *Guild) HasBot() {
	g.d.mu.Lock()
	defer g.d.mu.Unlock()
	g.botIsHere = true
}

// BreaksDown makes the server unavailable.
func (g *Guild) BreaksDown() {
	g.d.mu.Lock()
	defer g.d.mu.Unlock()
	g.d.Gateway.dispatch(g.ID, "GUILD_DELETE", map[string]any{"id": g.ID, "unavailable": true})
}

// ComesBack makes the server available again.
func (g *Guild) ComesBack() {
	g.d.mu.Lock()
	defer g.d.mu.Unlock()
	g.d.Gateway.dispatch(g.ID, "GUILD_CREATE", g.greeting())
}

// Lose lets a user leave the server.
func (g *Guild) Lose(u *User) {
	g.d.mu.Lock()
	defer g.d.mu.Unlock()
	g.d.Gateway.dispatch(g.ID, "GUILD_MEMBER_REMOVE", map[string]any{"guild_id": g.ID, "user": map[string]any{
		"id": u.ID, "username": u.Name, "discriminator": "0", "global_name": nil, "avatar": nil,
	}}, guildMembers)
}

// Channel creates a text channel.
func (g *Guild) Channel(name string) *Channel {
	g.d.mu.Lock()
	defer g.d.mu.Unlock()
	c := &Channel{d: g.d, ID: g.d.id(), Name: name, guild: g}
	g.d.channels[c.ID] = c
	return c
}

// Voice creates a voice channel, which also has messages.
func (g *Guild) Voice(name string) *Channel {
	c := g.Channel(name)
	g.d.mu.Lock()
	defer g.d.mu.Unlock()
	c.kind = 2
	return c
}

// Forum creates a forum with a first post.
func (g *Guild) Forum(name string) (forum, first *Channel) {
	forum = g.Channel(name)
	g.d.mu.Lock()
	defer g.d.mu.Unlock()
	forum.kind = 15
	return forum, g.d.post(forum, "Welcome")
}

// Tags gives a forum tags. If required is set, each post must have one.
func (c *Channel) Tags(required bool, names ...string) {
	c.d.mu.Lock()
	defer c.d.mu.Unlock()
	c.tags, c.needsTag = names, required
}

// Tagged returns the tags of a forum post.
func (c *Channel) Tagged() []string {
	c.d.mu.Lock()
	defer c.d.mu.Unlock()
	return slices.Clone(c.tags)
}

// tagID returns the id of a forum's tag by its index.
func tagID(i int) string { return strconv.Itoa(9000 + i) }

// tag sets a forum post's tags by their ids. The caller must hold d.mu.
func (c *Channel) tag(ids []string) error {
	forum := c.parent
	if forum == nil || forum.kind != 15 || len(ids) > 5 || forum.needsTag && len(ids) == 0 {
		return invalid("tags %q", ids)
	}
	c.tags = nil
	for _, id := range ids {
		i := 0
		for ; i < len(forum.tags) && tagID(i) != id; i++ {
		}
		if i == len(forum.tags) {
			return invalid("there is no tag %q", id)
		}
		c.tags = append(c.tags, forum.tags[i])
	}
	return nil
}

// Posted lists the posts of a forum except the first.
func (c *Channel) Posted() (posts []*Channel) {
	c.d.mu.Lock()
	defer c.d.mu.Unlock()
	for _, t := range c.d.channels {
		if t.parent == c && t.Name != "Welcome" {
			posts = append(posts, t)
		}
	}
	return posts
}

// Group creates a group conversation without the bot, which one of its members can use
// there.
func (d *Discord) Group() *Channel {
	d.mu.Lock()
	defer d.mu.Unlock()
	c := &Channel{d: d, ID: d.id(), kind: 3, private: true}
	d.channels[c.ID] = c
	return c
}

// Grant sets the bot's permissions in a channel.
func (c *Channel) Grant(permissions uint64) {
	c.d.mu.Lock()
	defer c.d.mu.Unlock()
	c.granted = &permissions
	if c.guild != nil {
		c.d.Gateway.dispatch(c.guild.ID, "CHANNEL_UPDATE", c.json())
	}
}

// A Subject is a role or a member whose permissions a channel changes.
type Subject int

// The subjects, in the order in which their changes apply.
const (
	Everyone Subject = iota // the role of all members
	BotRole                 // the bot's role
	BotItself
)

// An overwrite changes permissions in a channel.
type overwrite struct{ allow, deny uint64 }

// Change allows and denies permissions in a channel to a subject.
func (c *Channel) Change(whose Subject, allow, deny uint64) {
	c.d.mu.Lock()
	defer c.d.mu.Unlock()
	if c.changes == nil {
		c.changes = map[Subject]overwrite{}
	}
	c.changes[whose] = overwrite{allow, deny}
	c.d.Gateway.dispatch(c.guild.ID, "CHANNEL_UPDATE", c.json())
}

// id returns the id by which Discord calls a subject in a server.
func (s Subject) id(g *Guild) string {
	switch s {
	case Everyone:
		return g.ID
	case BotRole:
		return "2" + g.ID[1:]
	}
	return ApplicationID
}

// overwrites returns a channel's changes of permissions.
func (c *Channel) overwrites() []any {
	all := []any{}
	for _, whose := range []Subject{BotItself, Everyone, BotRole} {
		if o, ok := c.changes[whose]; ok {
			kind := 0
			if whose == BotItself {
				kind = 1
			}
			all = append(all, map[string]any{"id": whose.id(c.guild), "type": kind, "allow": strconv.FormatUint(o.allow, 10), "deny": strconv.FormatUint(o.deny, 10)})
		}
	}
	return all
}

// Lock locks or unlocks a thread.
func (c *Channel) Lock(locked bool) {
	c.d.mu.Lock()
	defer c.d.mu.Unlock()
	c.locked = locked
	c.d.Gateway.dispatch(c.guild.ID, "THREAD_UPDATE", c.json())
}

// Archive archives a thread.
func (c *Channel) Archive() {
	c.d.mu.Lock()
	defer c.d.mu.Unlock()
	c.Archived = true
}

// Asleep reports whether a thread is archived.
func (c *Channel) Asleep() bool {
	c.d.mu.Lock()
	defer c.d.mu.Unlock()
	return c.Archived
}

// Delete deletes a channel.
func (c *Channel) Delete() {
	c.d.mu.Lock()
	defer c.d.mu.Unlock()
	delete(c.d.channels, c.ID)
	if c.guild != nil {
		kind := "CHANNEL_DELETE"
		if c.parent != nil {
			kind = "THREAD_DELETE"
		}
		c.d.Gateway.dispatch(c.guild.ID, kind, map[string]any{"id": c.ID, "guild_id": c.guild.ID, "type": c.kind})
	}
}

// Thread returns the thread of a message.
func (d *Discord) Thread(m Message) *Channel {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.channels[m.ID]
}

// Delete deletes a message.
func (d *Discord) Delete(m Message) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.messages, m.ID)
}

// User creates a person with a display name.
func (d *Discord) User(name string) *User {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.user(name)
}

// user creates a user, with d.mu held.
func (d *Discord) user(name string) *User {
	u := &User{d: d, ID: d.id(), Name: name}
	d.users[u.ID] = u
	return u
}

// MayNotBringApps removes Use External Apps from a user.
func (u *User) MayNotBringApps() {
	u.d.mu.Lock()
	defer u.d.mu.Unlock()
	u.mayNotBringApps = true
}

// ManagesNothing removes Manage Server and Administrator from a user.
func (u *User) ManagesNothing() {
	u.d.mu.Lock()
	defer u.d.mu.Unlock()
	u.mayNotManage = true
}

// Rename gives the user another name.
func (u *User) Rename(name string) {
	u.d.mu.Lock()
	defer u.d.mu.Unlock()
	u.Name = name
}

// IsBot makes the user a bot.
func (u *User) IsBot() {
	u.d.mu.Lock()
	defer u.d.mu.Unlock()
	u.bot = true
}

// CloseDMs sets whether a user refuses direct messages.
func (u *User) CloseDMs(closed bool) {
	u.d.mu.Lock()
	defer u.d.mu.Unlock()
	u.closed = closed
}

// DM returns the channel of a user's direct messages with the bot.
func (u *User) DM() *Channel {
	u.d.mu.Lock()
	defer u.d.mu.Unlock()
	return u.d.dm(u)
}

func (d *Discord) dm(u *User) *Channel {
	for _, c := range d.channels {
		if c.with == u {
			return c
		}
	}
	c := &Channel{d: d, ID: d.id(), kind: 1, with: u}
	d.channels[c.ID] = c
	return c
}

// Sees lists the messages of a channel that a user sees, oldest first.
func (u *User) Sees(c *Channel) (seen []Message) {
	u.d.mu.Lock()
	defer u.d.mu.Unlock()
	return u.sees(c)
}

func (u *User) sees(c *Channel) (seen []Message) {
	for _, m := range u.d.messages {
		if m.Channel == c.ID && (m.For == "" || m.For == u.ID) && (c.with == nil || c.with == u) {
			seen = append(seen, *m)
		}
	}
	slices.SortFunc(seen, func(a, b Message) int { return len(a.ID)*100 - len(b.ID)*100 + compare(a.ID, b.ID) })
	return seen
}

func compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// Posts waits until a channel has a number of public messages.
func (c *Channel) Posts(n int) []Message {
	nobody := &User{d: c.d, ID: "nobody"}
	if c.with != nil {
		nobody = c.with
	}
	var all []Message
	c.d.Wait(itoa(n)+" messages are in "+c.Name, func() bool {
		all = nil
		for _, m := range nobody.sees(c) {
			if m.For == "" {
				all = append(all, m)
			}
		}
		return len(all) >= n
	})
	for len(all) < n {
		all = append(all, Message{}) // the test has failed but continues
	}
	return all
}

// permissions returns the bot's permissions in a channel.
func (c *Channel) permissions() uint64 {
	switch {
	case c.granted != nil:
		return *c.granted
	case c.parent != nil:
		return c.parent.permissions()
	case c.changes != nil:
		may := c.guild.permissions()
		for _, whose := range []Subject{Everyone, BotRole, BotItself} {
			may = may&^c.changes[whose].deny | c.changes[whose].allow
		}
		return may
	}
	return enough | ReadMessageHistory
}

// readable returns a channel that the bot has access to.
func (d *Discord) readable(id string) (*Channel, error) {
	c := d.channels[id]
	switch {
	case c == nil:
		return nil, errUnknownChannel
	case c.private, c.guild != nil && (!c.guild.botIsHere || c.permissions()&ViewChannel == 0):
		return nil, errMissingAccess
	}
	return c, nil
}

// writable returns a channel that the bot may post in.
func (d *Discord) writable(id string, files bool) (*Channel, error) {
	c, err := d.readable(id)
	if err != nil {
		return nil, err
	}
	need := uint64(SendMessages)
	if c.parent != nil {
		need = SendMessagesInThread
	}
	if files {
		need |= AttachFiles
	}
	switch {
	case c.with != nil && c.with.closed:
		return nil, errClosedDM
	case c.with == nil && c.permissions()&need != need, c.locked:
		return nil, errMissingPermissions
	}
	return c, nil
}

// last returns the id of the latest public message, or "" if there is none.
func (c *Channel) last() (id string) {
	if n := len(c.written); n > 0 {
		id = c.written[n-1].ID
	}
	for _, m := range c.d.messages {
		if m.Channel == c.ID && m.For == "" && compare(m.ID, id) > 0 {
			id = m.ID
		}
	}
	return id
}

func (c *Channel) json() map[string]any {
	shown := map[string]any{"id": c.ID, "type": c.kind, "flags": 0, "last_message_id": nil}
	if last := c.last(); last != "" {
		shown["last_message_id"] = last
	}
	if c.with != nil {
		shown["recipients"] = []any{c.with.json()}
		return shown
	}
	if c.private {
		shown["recipients"] = []any{}
		return shown
	}
	shown["name"], shown["guild_id"], shown["position"] = c.Name, c.guild.ID, 0
	if c.parent == nil {
		shown["permission_overwrites"] = c.overwrites()
	}
	if c.kind == 15 {
		tags := []any{}
		for i, name := range c.tags {
			tags = append(tags, map[string]any{"id": tagID(i), "name": name, "moderated": false, "emoji_id": nil, "emoji_name": nil})
		}
		if shown["available_tags"] = tags; c.needsTag {
			shown["flags"] = 1 << 4
		}
	}
	if c.parent != nil {
		shown["owner_id"], shown["message_count"], shown["member_count"], shown["total_message_sent"] = ApplicationID, 0, 1, 0
		shown["parent_id"] = c.parent.ID
		shown["thread_metadata"] = map[string]any{"archived": c.Archived, "auto_archive_duration": 10080, "archive_timestamp": "2026-01-01T00:00:00Z", "locked": c.locked}
	}
	return shown
}

func (u *User) json() map[string]any { return userJSON(u.ID, "user"+u.ID, u.Name, u.bot) }

func userJSON(id, username string, name any, bot bool) map[string]any {
	discriminator := "0"
	if bot {
		discriminator = "0000"
	}
	return map[string]any{
		"id": id, "username": username, "global_name": name, "discriminator": discriminator, "avatar": nil,
		"public_flags": 0, "flags": 0, "bot": bot, "primary_guild": nil,
	}
}

// botUser returns the bot as a user.
func botUser() map[string]any { return userJSON(ApplicationID, "rackmate", nil, true) }

func (u *User) memberJSON() map[string]any {
	permissions := uint64(1<<50 | 1<<31 - 1)
	if u.mayNotBringApps {
		permissions = 1 << 10
	}
	if u.mayNotManage {
		permissions &^= 1<<3 | 1<<5
	}
	return map[string]any{
		"user": u.json(), "nick": nil, "roles": []any{}, "joined_at": "2026-01-01T00:00:00Z", "deaf": false, "mute": false,
		"permissions": strconv.FormatUint(permissions, 10), "flags": 0, "pending": false, "avatar": nil, "premium_since": nil,
		"banner": nil, "communication_disabled_until": nil,
	}
}
