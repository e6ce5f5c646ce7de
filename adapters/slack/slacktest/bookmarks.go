package slacktest

import (
	"fmt"
	"slices"
	"strings"
)

// A Bookmark is a link under a channel's name.
type Bookmark struct{ ID, Title, Link string }

// mostBookmarks is how many a channel may have.
// https://docs.slack.dev/reference/methods/bookmarks.add
const mostBookmarks = 100

// Bookmarks are those of a channel.
func (s markMethods) Bookmarks(ch string) []Bookmark {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.channels[ch].marks)
}

// RemoveBookmarks does what a member of a channel can: it has none any more.
func (s markMethods) RemoveBookmarks(ch string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.channels[ch].marks = nil
	s.next()
}

func (s markMethods) bookmarksAdd(p params) (map[string]any, string) {
	c, code := s.open(p["channel_id"])
	switch {
	case code != "":
		return nil, code
	case p["type"] != "link":
		return nil, "invalid_bookmark_type"
	case !isLink(p["link"]):
		return nil, "invalid_link"
	case len(c.marks) >= mostBookmarks:
		return nil, "too_many_bookmarks"
	}
	b := Bookmark{fmt.Sprint("Bk", s.next()), p["title"], p["link"]}
	c.marks = append(c.marks, b)
	return map[string]any{"bookmark": shown(p["channel_id"], b)}, ""
}

func (s markMethods) bookmarksEdit(p params) (map[string]any, string) {
	c, i, code := s.marked(p)
	if code != "" {
		return nil, code
	}
	b := &c.marks[i]
	if link, given := p["link"]; given {
		if !isLink(link) {
			return nil, "invalid_link"
		}
		b.Link = link
	}
	if title, given := p["title"]; given {
		b.Title = title
	}
	return map[string]any{"bookmark": shown(p["channel_id"], *b)}, ""
}

func (s markMethods) bookmarksRemove(p params) (map[string]any, string) {
	c, i, code := s.marked(p)
	if code != "" {
		return nil, code
	}
	c.marks = slices.Delete(c.marks, i, i+1)
	return map[string]any{}, ""
}

// marked is the channel and the bookmark that a call is about.
func (s markMethods) marked(p params) (c *channel, i int, code string) {
	if c, code = s.open(p["channel_id"]); code != "" {
		return nil, 0, code
	}
	if i = slices.IndexFunc(c.marks, func(b Bookmark) bool { return b.ID == p["bookmark_id"] }); i < 0 {
		return nil, 0, "not_found"
	}
	return c, i, ""
}

func isLink(s string) bool {
	return strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://")
}

func shown(ch string, b Bookmark) map[string]any {
	return map[string]any{"id": b.ID, "channel_id": ch, "title": b.Title, "link": b.Link, "type": "link", "emoji": ""}
}
