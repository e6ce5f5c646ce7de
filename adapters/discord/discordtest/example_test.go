package discordtest_test

import (
	"fmt"
	"testing"

	"github.com/rackmate/rackmate/adapters/discord/discordtest"
)

// Example passes a test's *testing.T to New; any violation of Discord's rules fails the
// test.
func Example() {
	test := func(t *testing.T) {
		d := discordtest.New(t)
		general := d.Guild("club").Channel("general")
		ann := d.User("Ann")
		// Here the bot is started with discordtest.Token, at d.URL.
		d.Gateway.Connected(1, 1, 0)
		fmt.Println(ann.Gives(general, "help").Answer().Content)
	}
	_ = test // go test calls it
	// Output:
}
