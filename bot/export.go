package bot

import (
	"context"

	"github.com/rackmate/rackmate/game"
)

// export gives a finished game as files: the moves as GCG, and the proof of
// its draws for "rackmate verify".
func (h *Host) export(ctx context.Context, req Request) (Reply, error) {
	t, err := h.table(ctx, req)
	if err != nil {
		return Reply{}, err
	}
	switch {
	case t.Phase == game.NoTable || t.Phase == game.Lobby || t.Phase == game.Over && t.End == nil:
		return h.explain(t, req, &game.RuleError{Code: game.NotStarted}), nil
	case t.End == nil:
		return refuse(say("The record shows every rack, so it comes when the game is over. ", code("/history"), " has the moves so far.")), nil
	}
	return Reply{}, nil
}
