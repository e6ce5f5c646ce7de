package features_test

import (
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/game/gametest"
)

// Every request of the transcripts is made twice in a row: both get the same answer, and nothing
// happens twice.
func TestTranscriptsTwice(t *testing.T) {
	for i, file := range transcripts(t) {
		if !gametest.Long() && i%4 != 1 { // games without a review, which takes longest
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			script := featuretest.Script(t, file)
			if strings.Contains(script, "(a thread:") {
				t.Skip("threads are the platform's: it is asked for one each time")
			}
			synctest.Test(t, func(t *testing.T) {
				sc := featuretest.NewScene(t)
				sc.Handle = func(req bot.Request) bot.Reply {
					first := sc.Host.Handle(t.Context(), req)
					again := sc.Host.Handle(t.Context(), req)
					// A player who left a table by a button elsewhere no longer has a seat there.
					if featuretest.ReplySaid(first) != featuretest.ReplySaid(again) && req.Command != "leave" {
						t.Errorf("/%s %v: %s\nand again: %s", req.Command, req.Args, first.Text, again.Text)
					}
					return first
				}
				sc.Play(script)
			})
		})
	}
}
