package play

import (
	"context"
	"errors"
	"fmt"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/view"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/record"
)

// An exportKey is the key of a game's files: they change only with the number of events.
type exportKey struct {
	table  bot.TableID
	number int
}

// export replies with the files of a finished game.
func (l *looks) export(ctx context.Context, req bot.Request) (bot.Reply, error) {
	t, err := l.lastDealt(ctx, req)
	if err != nil {
		return feature.OrExplain(t, req, err)
	}
	if t.Phase != game.Over {
		return words.Refuse(text.Say("The record shows every rack, so you can have it once the game is over. {history} lists the moves so far.", text.Code("/history"))), nil
	}
	files, err := feature.Heavy(ctx, l.desk, exportKey{t.ID, t.Number}, func(context.Context) ([]bot.File, error) { return ExportedFiles(t) })
	if err != nil {
		return bot.Reply{}, fmt.Errorf("export table %d: %w", t.ID, err)
	}
	said := text.Say("The game as GCG, and the proof of its draws with the whole game, which {verify} replays and checks.", text.Code("rackmate verify"))
	if v, _ := game.FindVariant(t.Rules.Variant); !v.GCG {
		said = text.Say("The moves, since GCG can't describe this game, and the proof of its draws with the whole game, which {verify} replays and checks.", text.Code("rackmate verify"))
	}
	return bot.Reply{Text: said, Files: files}, nil
}

// ExportedFiles returns the files of a finished game; see features.Export.
func ExportedFiles(t table.Table) ([]bot.File, error) {
	told, err := writeMoves(t)
	if err != nil {
		return nil, err
	}
	proof, err := record.NewProof(t.Events)
	if err != nil {
		return nil, err
	}
	data, err := proof.File()
	if err != nil {
		return nil, err
	}
	files := []bot.File{
		told,
		{Name: fmt.Sprintf("rackmate-%d-proof.json", t.ID), Type: "application/json", Data: data},
	}
	if own := t.Variant.Files; own != nil {
		more, err := own(t.ID, t.Events)
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	return files, nil
}

// writeMoves returns a finished game's moves as a file.
func writeMoves(t table.Table) (bot.File, error) {
	f := bot.File{Name: fmt.Sprintf("rackmate-%d.gcg", t.ID), Type: "text/plain; charset=utf-8"}
	gcg, err := record.FromEvents(t.Events)
	if !errors.Is(err, record.ErrNoGCG) {
		f.Data = []byte(gcg.String())
		return f, err
	}
	return view.MovesFile(t, nil), nil // robots don't play variants without GCG
}
