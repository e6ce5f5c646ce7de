package web_test

import (
	"errors"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game/gametest"
)

// Threads beside a channel with the same key are the same. They are listed for their
// players, open to everyone with the link, and not listed as channels.
func TestThreadsBesideChannel(t *testing.T) {
	s := open(t)
	ann, bob, eve := s.enter("Ann"), s.enter("Bob"), s.enter("Eve")
	call[obj](ann, "channels", obj{"name": "late-night"})
	aside := s.room.Platform().Aside
	players := []bot.PlayerID{bot.PlayerID("web:" + ann.ID), bot.PlayerID("web:" + bob.ID), "discord:7"}
	ch, err := aside(t.Context(), "web:late-night", "spring/1/2", "Spring, round 1, table 2", players)
	gametest.Must(t, err)
	if again, err := aside(t.Context(), "web:late-night", "spring/1/2", "Spring", players); again != ch || err != nil {
		t.Errorf("the same key gets %s, %v, want %s", again, err, ch)
	}
	if other, err := aside(t.Context(), "web:late-night", "spring/1/3", "Spring, round 1, table 3", nil); other == ch || err != nil {
		t.Errorf("another key gets %s, %v", other, err)
	}
	id := string(ch[len("web:"):])
	if got := call[struct{ ID, Name, Kind string }](eve, "look", obj{"stream": id}); got.Name != "Spring, round 1, table 2" || got.Kind != "game" {
		t.Errorf("Eve sees it as %+v", got)
	}
	if err := s.room.Post(t.Context(), bot.Message{Key: "k", Channel: ch}); err != nil {
		t.Errorf("nothing can be posted there: %v", err)
	}
	eve.say(id, "hello")
	eve.refused("channels", obj{"name": id}, 422)
	eve.refused("look", obj{"stream": "late-night.0000"}, 404)
	for _, nowhere := range []bot.ChannelID{"web:nowhere", ch} {
		var no *bot.PostError
		if _, err := aside(t.Context(), nowhere, "k", "t", nil); !errors.As(err, &no) || !no.Permanent {
			t.Errorf("beside %s: %v, want an error for good", nowhere, err)
		}
	}
}

// A thread beside a conversation is visible only to its readers, and is removed with it.
func TestThreadOfConversationIsPrivate(t *testing.T) {
	s := open(t)
	ann, eve := s.enter("Ann"), s.enter("Eve")
	ch, err := s.room.Platform().Aside(t.Context(), bot.ChannelID("web:dm."+ann.ID), "request 1", "Ann's table", []bot.PlayerID{bot.PlayerID("web:" + ann.ID)})
	gametest.Must(t, err)
	id := string(ch[len("web:"):])
	if got := call[struct{ ID, Name, Kind string }](ann, "look", obj{"stream": id}); got.Name != "Ann's table" || got.Kind != "game" {
		t.Errorf("Ann sees it as %+v", got)
	}
	gametest.Must(t, s.room.Post(t.Context(), bot.Message{Key: "k", Channel: ch, Text: plain("The game begins.")}))
	if got := ann.messages(id, 0); len(got) != 1 {
		t.Errorf("Ann reads %v there", got)
	}
	eve.refused("look", obj{"stream": id}, 404)
	eve.refused("messages", obj{"stream": id}, 404)
	gametest.Must(t, s.current().Platform().Keeper.Forget(t.Context(), *ann.user(), bot.User{ID: "former:1", Name: "former player"}))
	for _, shelf := range []string{"asides", "said/" + id, "keys/said/" + id} {
		if keys, err := s.notes.Keys(t.Context(), shelf); err != nil || len(keys) > 0 {
			t.Errorf("%s still has %q, %v", shelf, keys, err)
		}
	}
}
