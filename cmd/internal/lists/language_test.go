package lists

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/cmd/internal/cli"
	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/data/sentences"
	"github.com/rackmate/rackmate/game/gametest"
)

func TestLanguageList(t *testing.T) {
	status, out, _ := command(t, "", "language", "list")
	if lines := strings.Split(out, "\n"); status != 0 || lines[0] != "en English (English) tiles=100 points=187" || len(lines) != 1+len(data.Languages()) || !strings.Contains(out, "\ncy Welsh (Cymraeg) tiles=105 points=194\n") {
		t.Errorf("status %d, %s", status, out)
	}
}

// TestLanguageCheckOfSentences checks that without files the command reports what the catalogues
// lack, if anything.
func TestLanguageCheckOfSentences(t *testing.T) {
	t.Parallel()
	known, err := data.MissingSentences()
	gametest.Must(t, err)
	status, out, _ := command(t, "", "language", "check")
	if strings.Contains(out, "lacks ") != (len(known) > 0) || status != min(len(known), 1) || !strings.Contains(out, " de ") {
		t.Errorf("status %d, %s", status, out)
	}
	locales, err := sentences.Load(data.Sentences())
	gametest.Must(t, err)
	var b strings.Builder
	err = printLacks(cli.Std{Out: &b}, locales, map[string][]string{"fr": {"Say \"hello\"."}})
	if !errors.Is(err, cli.ErrFailed) || !strings.Contains(b.String(), "lacks fr \"Say \\\"hello\\\".\"\n") || !strings.Contains(b.String(), "\nok nl sentences=") || strings.Contains(b.String(), "ok fr") {
		t.Errorf("%v, %s", err, b.String())
	}
}

func TestLanguageCheck(t *testing.T) {
	t.Parallel()
	spanish, err := data.Language("es")
	gametest.Must(t, err)
	for name, tt := range map[string]struct {
		old, new string
		status   int
		want     string // follows ok or bad and the file's name
	}{
		"as it is":         {"", "", 0, " es tiles=100 points=192\n"},
		"a tile too few":   {`{"tile": "A", "count": 12,`, `{"tile": "A", "count": 11,`, 1, ": Its tiles are 99 with 191 points; its box has 100 with 192.\n"},
		"no rule for CH":   {`"always": ["CH", `, `"always": [`, 1, ": A word with CH can be read in two ways: name it either among those that are always one tile, or among those that may be laid both ways.\n"},
		"no source":        {`"source": "`, `"source": "", "native_source": "`, 1, `: language file: json: unknown field "native_source"` + "\n"},
		"another accent":   {`"accents": "fold"`, `"accents": "some"`, 1, ": language es: accents are \"fold\" or \"own\", not \"some\"\n"},
		"a tile twice":     {`{"tile": "CH"`, `{"tile": "C"`, 1, ": language es: tile set spanish: letter 4: duplicate \"C\"\n"},
		"wrong direction":  {`"left to right"`, `"right to left"`, 1, ": language es: its letters aren't written right to left\n"},
		"folds to nothing": {`"always":`, `"fold": {"ø": "ж"}, "always":`, 1, ": fold: \"ø\" stands for \"ж\", which no tile has.\n"},
		"a seam":           {`"always":`, `"seams": ["*inter|relacion*", "sub|rayar"], "always":`, 1, ": The seam sub|rayar separates no letters that would be read as one.\n"},
		"out of reach":     {`"always":`, `"fold": {"ø": "o"}, "typed": {"ñ": "n"}, "always":`, 1, ": The tile Ñ can't be typed: \"Ñ\" isn't read as it alone.\n"},
	} {
		file := filepath.Join(t.TempDir(), "mine.json")
		text := strings.Replace(string(spanish), tt.old, tt.new, 1)
		gametest.Must(t, os.WriteFile(file, []byte(text), 0o644))
		status, out, _ := command(t, "", "language", "check", file)
		line, _, _ := strings.Cut(out, "\n")
		word := []string{"ok ", "bad "}[tt.status]
		if status != tt.status || line+"\n" != word+file+tt.want {
			t.Errorf("%s: status %d, %q; want %q", name, status, out, word+file+tt.want)
		}
	}
	if status, out, _ := command(t, "", "language", "check", "nowhere.json"); status != 1 || !strings.HasPrefix(out, "bad nowhere.json: ") {
		t.Errorf("a file that isn't there: status %d, %q", status, out)
	}
	wide := save(t, t.TempDir(), "wide.json", "\xff\xfe{\x00}\x00")
	if status, out, _ := command(t, "", "language", "check", wide); status != 1 || !strings.Contains(out, "it is in UTF-16: save it as UTF-8") {
		t.Errorf("a language in UTF-16: status %d, %q", status, out)
	}
	list := save(t, t.TempDir(), "wide.txt", "\xfe\xff\x00Q\x00I\x00\n")
	if status, _, err := command(t, "", "lexicon", "build", "mine", list); status != 1 || !strings.Contains(err, "this file is in UTF-16: save it as UTF-8") {
		t.Errorf("a word list in UTF-16: status %d, %q", status, err)
	}
	if status, _, err := command(t, "", "language"); status != 2 || !strings.Contains(err, "usage:") {
		t.Errorf("nothing to do: status %d, %q", status, err)
	}
}
