package discord

import (
	"context"
	"slices"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
	"github.com/rackmate/rackmate/bot/text"
)

// This file tags a forum's posts. If the forum has tags with the right names in any of
// our languages, a post shows whether its game is running or over.

// tagsShelf stores, by forum post, its tags.
const tagsShelf = "tags"

// A tag is a tag of a forum.
type tag struct {
	ID   snowflake `json:"id"`
	Name string    `json:"name"`
	// Moderated tags can only be used by managers of the forum.
	Moderated bool `json:"moderated"`
}

// A tagging holds the tags that a forum post can have, and its current one.
type tagging struct {
	V       int       `json:"v"`
	Running snowflake `json:"running,omitempty"`
	Over    snowflake `json:"over,omitempty"`
	Now     snowflake `json:"now,omitempty"`
}

// forumTags returns the tags for a forum's posts. If the forum requires a tag but doesn't
// offer ours, each post gets its first one.
func (t threads) forumTags(all []tag, required bool) tagging {
	all = slices.DeleteFunc(slices.Clone(all), func(t tag) bool { return t.Moderated })
	named := func(what text.Text) snowflake {
		for _, to := range t.Locales.All() {
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

// list returns the tags in the form of a request.
func (t tagging) list() []snowflake {
	if t.Now == "" {
		return []snowflake{}
	}
	return []snowflake{t.Now}
}

// retag updates a post's tag to whether its game is over. It sends no request if the tag is
// right already.
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

// tagSoon updates a post's tag in the background, after a message about its game.
func (o *poster) tagSoon(ctx context.Context, channel snowflake, m bot.Message) {
	if m.To != nil || m.Table == 0 || m.Kind != "" || m.Standing != "" {
		return
	}
	o.behind.Go(func() {
		defer o.tagging.Lock(string(channel))()
		if err := o.threads.retag(context.WithoutCancel(ctx), channel, m.Over); err != nil {
			o.Log.Info("can't change a forum post's tags", "channel", channel, "error", err)
		}
	})
}
