package play_test

import (
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
)

// A table in a private conversation has no seats that nobody can take.
func TestSeatsOfPrivateConversation(t *testing.T) {
	for _, c := range []struct {
		line    string
		readers int
		seats   int // 0 if the table is refused
		invited []bot.User
	}{
		{"/new variant:unscrabble", 0, 4, nil},
		{"/new variant:unscrabble", 2, 2, nil},
		{"/new variant:junior-starter", 2, 2, nil},
		{"/new", 2, 2, nil},
		{"/new seats:3", 2, 3, nil}, // with a robot
		{"/new", 1, 4, nil},         // with robots
		{"/new variant:unscrabble", 1, 0, nil},
		{"/new variant:junior-starter", 1, 0, nil},
		{"/new variant:unscrabble", 1, 2, []bot.User{bottest.People["bob"]}},
		{"/new variant:solitaire", 1, 1, nil},
	} {
		w := featuretest.New(t)
		req := w.Request(bottest.People["ann"], c.line)
		req.Readers, req.People = c.readers, c.invited
		r := w.Host.Handle(t.Context(), req)
		table, _ := w.Replayed(featuretest.Parlour)
		if seats := table.SeatCount; seats != c.seats || r.Refused != (c.seats == 0) {
			t.Errorf("%s for %d readers: %d seats, want %d; %v", c.line, c.readers, seats, c.seats, r.Text)
		}
	}
}
