package bot_test

import (
	"errors"
	"testing"

	"github.com/rackmate/rackmate/bot"
)

func TestDeliveryIsConcludedOnce(t *testing.T) {
	if err := bot.Held(t.Context()); err != nil || bot.Concluding(t.Context()) != t.Context() {
		t.Errorf("without a delivery: %v", err)
	}
	ours := true
	ctx, d := bot.Delivering(t.Context(), bot.Post{ID: 7}, func() bool { return ours })
	if err := bot.Held(ctx); err != nil {
		t.Error(err)
	}
	if bot.Concludes(ctx) != nil || bot.Concludes(bot.Concluding(ctx)) != d || d.Done() {
		t.Error("a delivery is concluded by another context than Concluding")
	}
	ours = false
	if err := bot.Held(ctx); !errors.Is(err, bot.ErrLost) {
		t.Errorf("what another may have: %v", err)
	}
}
