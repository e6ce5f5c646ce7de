package slack_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/adapters/slack/slacktest"
)

// rows matches the rows of a board as text.
var rows = regexp.MustCompile(`(?m)^ ?(?:1[0-5]|[1-9]) \S`)

// TestLatePicturesAreRetried checks that boards and pictures of answers are shown by retrying
// until their files are ready, without the scope to query files.
func TestLatePicturesAreRetried(t *testing.T) {
	w := newWorld(t, slacktest.Options{Looks: 3})
	w.deal("")
	w.settled()
	if !slices.ContainsFunc(w.s.Messages(games), slacktest.Message.Shows) {
		t.Errorf("no board is shown: %s", said(w.s.Messages(games)))
	}
	if n := w.s.Calls("files.info"); n > 0 {
		t.Errorf("it asked about files %d times", n)
	}
	w.slash(ann, "/board", "picture")
	w.await("the board, to Ann", func() bool {
		all := w.s.Private(ann)
		return all[len(all)-1].Shows()
	})
}

// TestStartTriesUpload checks that an upload is tried when the host starts, so
// that its health shows failures before a game needs pictures.
func TestStartTriesUpload(t *testing.T) {
	w := newWorld(t, slacktest.Options{})
	if n := w.s.Calls("files.completeUploadExternal"); n != 1 || w.s.Files() != 0 {
		t.Errorf("%d pictures were uploaded, and %d are left", n, w.s.Files())
	}
	if h := w.adapter.Health(); h.Trouble+h.Warning != "" {
		t.Errorf("its health says %q", h.Trouble)
	}
	w.s.Refuse("not_allowed", "files.getUploadURLExternal")
	w.restart(0)
	if h := w.adapter.Health(); h.Trouble != "" || !strings.Contains(h.Warning, "in characters") {
		t.Errorf("its health says %+v", h)
	}
}

// TestBoardIsReadableWithoutPictures checks that the board is readable in every post, whichever
// pictures Slack refuses.
func TestBoardIsReadableWithoutPictures(t *testing.T) {
	for _, c := range []struct {
		name   string
		refuse func(*slacktest.Slack)
	}{
		{"no upload begins", func(s *slacktest.Slack) { s.Refuse("not_allowed", "files.getUploadURLExternal") }},
		{"no upload ends", func(s *slacktest.Slack) { s.Refuse("not_allowed", "files.completeUploadExternal") }},
		{"no file is shown in a post", func(s *slacktest.Slack) { s.RefuseFiles() }},
		{"nothing is", func(s *slacktest.Slack) {
			s.RefuseFiles()
			s.Refuse("not_allowed", "files.getUploadURLExternal", "files.completeUploadExternal")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, slacktest.Options{})
			c.refuse(w.s)
			w.deal("rules:club")
			for range 3 {
				w.slash(w.turn(), "/pass", "sure:yes")
			}
			w.await("one board that can be read", func() bool {
				files, boards, open := 0, 0, 0
				for _, m := range w.s.Messages(games) {
					if m.File != "" {
						files++
					}
					if len(slacktest.Labels(m.Blocks)) > 0 {
						open++
					}
					if len(rows.FindAllString(m.Said(), -1)) >= 13 {
						boards++
					}
				}
				return files == 0 && boards == 1 && open == 1
			})
			if h := w.adapter.Health(); h.Trouble != "" || h.Warning == "" {
				t.Errorf("its health says %+v", h)
			}
		})
	}
}
