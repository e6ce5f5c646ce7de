package bot

import (
	"context"
	"fmt"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/record"
)

// export gives a finished game as files.
func (h *Host) export(ctx context.Context, req Request) (Reply, error) {
	t, err := h.begun(ctx, req)
	if err != nil {
		return h.orExplain(t, req, err)
	}
	if t.Phase != game.Over {
		return refuse(say("The record shows every rack, so it comes when the game is over. ", code("/history"), " has the moves so far.")), nil
	}
	files, err := Export(t.ID, t.Events)
	if err != nil {
		return Reply{}, fmt.Errorf("export table %d: %w", t.ID, err)
	}
	text := say("The game as GCG, and the proof of its draws, which ", code("rackmate verify"), " checks.")
	return Reply{Text: text, Files: files}, nil
}

// Export is a finished game as files: the moves as GCG, the proof of its
// draws for "rackmate verify", and what the variant adds. The error is [record.ErrNotOver], or says what
// is wrong with the log.
func Export(id TableID, events []game.Event) ([]File, error) {
	gcg, err := record.FromEvents(events)
	if err != nil {
		return nil, err
	}
	proof, err := record.NewProof(events)
	if err != nil {
		return nil, err
	}
	data, err := proof.File()
	if err != nil {
		return nil, err
	}
	files := []File{
		{Name: fmt.Sprintf("rackmate-%d.gcg", id), Type: "text/plain; charset=utf-8", Data: []byte(gcg.String())},
		{Name: fmt.Sprintf("rackmate-%d-proof.json", id), Type: "application/json", Data: data},
	}
	if opened := events[0].Fact.(game.Opened); variantOf(opened.Rules).files != nil {
		more, err := variantOf(opened.Rules).files(id, events)
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	return files, nil
}
