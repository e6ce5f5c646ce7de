package discord

import (
	"context"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/text"
)

// This file has the tags of a forum's posts: where those who manage the forum have made
// tags that are called so, in any of our languages, a post says whether its game is running
// or over.

// tagsShelf has, by post of a forum, its tags.
const tagsShelf = "tags"

// A tag is one that a forum has.
type tag struct {
	ID   snowflake `json:"id"`
	Name string    `json:"name"`
	// Moderated ones are for those alone who manage the forum.
	Moderated bool `json:"moderated"`
}

// A tagging is what a post of a forum is tagged with.
type tagging struct {
	V       int       `json:"v"`
	Running snowflake `json:"running,omitempty"`
	Over    snowflake `json:"over,omitempty"`
	Now     snowflake `json:"now,omitempty"`
}

// forumTags are what a forum's posts are tagged with. Where it asks for a tag and has
// none of ours, each post gets its first.
func (t threads) forumTags(all []tag, required bool) tagging {
	all = slices.DeleteFunc(slices.Clone(all), func(t tag) bool { return t.Moderated })
	named := func(what text.Text) snowflake {
		for _, to := range t.Tongues.All() {
			if i := slices.IndexFunc(all, func(t tag) bool { return strings.EqualFold(strings.TrimSpace(t.Name), what.In(to).String()) }); i >= 0 {
				return all[i].ID
			}
		}
		return ""
	}
	is := tagging{V: 1, Running: named(text.Item("running")), Over: named(text.Item("over"))}
	if is.Now = is.Running; is.Now == "" && required && len(all) > 0 {
		is.Now = all[0].ID
	}
	return is
}

// list are the tags as a request has them.
func (t tagging) list() []snowflake {
	if t.Now == "" {
		return []snowflake{}
	}
	return []snowflake{t.Now}
}

// retag has a post's tag say whether its game is over. It costs no request where it does.
func (t threads) retag(ctx context.Context, channel snowflake, over bool) error {
	var is tagging
	if found, err := notes.Read(ctx, t.Notes, tagsShelf, string(channel), &is); err != nil || !found {
		return err
	}
	want := is.Running
	if over {
		want = is.Over
	}
	if want == is.Now || want == "" {
		return nil
	}
	is.Now = want
	if _, err := t.client.call(ctx, "PATCH", channelPath(channel), map[string][]snowflake{"applied_tags": is.list()}); err != nil {
		return err
	}
	return t.Notes.Change(ctx, func(rows bot.Rows) error { return notes.Put(rows, tagsShelf, string(channel), is) })
}

// tagSoon retags a post behind a message that tells of its game: nobody waits for that.
func (o *poster) tagSoon(ctx context.Context, channel snowflake, m bot.Message) {
	if m.To != nil || m.Table == 0 || m.Kind != "" || m.Standing != "" {
		return
	}
	o.behind.Go(func() {
		defer o.tagging.Lock(string(channel))()
		if err := o.threads.retag(context.WithoutCancel(ctx), channel, m.Over); err != nil {
			o.Log.Info("a post keeps its tags", "channel", channel, "error", err)
		}
	})
}
