package people_test

import (
	"archive/zip"
	"bytes"
	"testing"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/game/gametest"
)

// GCG can't express games of some variants, so their export lists the moves instead.
func TestDataExportOfGameWithoutGCG(t *testing.T) {
	w := newWorld(t)
	log := bottest.Dealt(t, bottest.Small(t).Hash(), "classic", "void", []string{"variant:junior-starter", "printed:7D-HORN,F7-RED,G6-IN", "ann:HORI", "bob:NED"})
	featuretest.Put(t, w.Config.Store, featuretest.Parlour, log)
	ann := bottest.People["ann"]
	resign := bot.Request{ID: "resign", Channel: featuretest.Parlour, User: ann, Command: "resign", Table: 1, Number: len(log)}
	if r := w.Host.Handle(t.Context(), resign); r.Refused {
		t.Fatal(r.Text)
	}
	r := w.Does(ann, "/data export")
	if len(r.Files) != 1 {
		t.Fatalf("%d files: %s\n%s", len(r.Files), r.Text, &w.Log)
	}
	z, err := zip.NewReader(bytes.NewReader(r.Files[0].Data), int64(len(r.Files[0].Data)))
	gametest.Must(t, err)
	for _, f := range z.File {
		if f.Name == "games/rackmate-1-moves.txt" && f.UncompressedSize64 > 0 {
			return
		}
	}
	t.Errorf("the archive has no list of the moves: %v", z.File)
}
