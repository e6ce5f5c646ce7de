package lab

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/record"
)

// save writes a file in a folder and returns its path.
func save(t *testing.T, dir, name, text string) string {
	t.Helper()
	file := filepath.Join(dir, name)
	gametest.Must(t, os.WriteFile(file, []byte(text), 0o644))
	return file
}

func TestReplay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const game = "#player1 ann Ann\n#player2 bob Bob\n>ann: ADHNORS 8G HORN +14 14\n>bob: - +0 0\n>ann: (time) -20 -6\n"
	good := save(t, dir, "good.gcg", game)
	score := save(t, dir, "score.gcg", strings.Replace(game, "+14 14", "+15 15", 1))
	place := save(t, dir, "place.gcg", strings.Replace(game, "8G", "9G", 1))
	broken := save(t, dir, "broken.gcg", strings.Replace(game, "ann: (time)", "eve: (time)", 1))
	picture := save(t, dir, "picture.png", "\x89PNG\r\n\x1a\n\x00\x00")
	junior := save(t, dir, "junior.gcg", "#rackmate-variant junior\n#player1 ann Ann\n#player2 bob Bob\n>ann: ADHNORS 7G HORN +4 4\n>bob: AH 6G AH +6 6\n")
	strange := save(t, dir, "strange.gcg", "#rackmate-variant chess\n"+game)
	none := filepath.Join(dir, "none.gcg")
	remarks := save(t, dir, "remarks.gcg", "#player1 ann Ann\n#player2 bob Bob\n>ann: ADHNORS 8G HORN +14 14 a start\n>bob: - +0 0 and a pass\n>ann: AB H7 A. +2 16\n>ann: AB -- +0 14\n")
	json := save(t, dir, "game.json", `{"players":[{"nickname":"ann"},{"nickname":"bob"}],"events":[{"rack":"ADHNORS","cumulative":14,"position":"8G","played_tiles":"HORN","score":14}]}`)
	// HUJA scores 28 in English and 20 in Polish, and both have all its letters.
	polish := save(t, dir, "polish.gcg", "#player1 a A\n#player2 b B\n>a: AHIJOUY 8F HUJA +20 20\n>a: AHIJOUY -- -20 0\n>b: ĆĘIKPST 8G STĘPIĆ +46 46\n")
	// Only its scores show that this is Polish.
	hidden := save(t, dir, "hidden.gcg", "#player1 a A\n#player2 b B\n>a: AHIJOUY 8F HUJA +20 20\n>b: SWYZIET I7 Z. +3 3\n")
	for _, tt := range []struct {
		name   string
		args   []string
		status int
		out    string
		err    string // part of the error
	}{
		{"a right one", []string{good}, 0, "ok " + good + " moves=2 scores=-6-0\n", ""},
		{"right and wrong ones", []string{score, good, place}, 1, "" +
			"bad " + score + ":3 recorded=15 computed=14 the score of HORN\n" +
			"ok " + good + " moves=2 scores=-6-0\n" +
			"bad " + place + ":3 recorded=9G computed=- against the rules (misses the start) (H8)\n", ""},
		{"a variant", []string{junior}, 0, "ok " + junior + " moves=2 scores=4-6\n", ""},
		{"an unknown variant", []string{strange}, 1, "bad " + strange + ":0 recorded=- computed=- unknown variant \"chess\"\n", ""},
		{"a broken one", []string{broken}, 1, "bad " + broken + ":5 recorded=- computed=- no player \"eve\"\n", ""},
		{"slips that are forgiven", []string{remarks}, 0, "ok " + remarks + " moves=3 scores=14-0\n" +
			"forgave " + remarks + ":3 a remark after the total (2 times)\n" +
			"forgave " + remarks + ":6 a withdrawal that has the new total and no points\n", ""},
		{"Woogles' JSON", []string{json}, 0, "ok " + json + " moves=1 scores=14-0\n", ""},
		{"letters that aren't English", []string{polish}, 1, "bad " + polish + ":5 recorded=- computed=- these letters aren't English (Ć): name the language, as in --language pl, by whose tiles every score is right\n", ""},
		{"a language", []string{"--language", "pl", polish}, 0, "ok " + polish + " moves=2 scores=0-46\n", ""},
		{"a language that shows by its scores", []string{hidden}, 1, "bad " + hidden + ":3 recorded=20 computed=28 the score of HUJA; no language is named, and with --language pl every score is right\n", ""},
		{"no language", []string{"--language", "xx", good}, 1, "bad " + good + ":0 recorded=- computed=- unknown language \"xx\": \"rackmate language list\" names them\n", ""},
		{"something else", []string{picture}, 1, "bad " + picture + ":1 recorded=- computed=- a line must begin with > (a turn) or # (anything else)\n", ""},
		{"none", []string{none, good}, 1, "ok " + good + " moves=2 scores=-6-0\n", "rackmate replay: can't read " + none + ": no such file or directory\n"},
		{"nothing", nil, 2, "", "usage: rackmate replay [--language CODE] FILE..."},
		{"an unknown flag", []string{"--fast", good}, 2, "", "usage:"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			status, out, err := command(t, "", append([]string{"replay"}, tt.args...)...)
			if status != tt.status || out != tt.out || !strings.Contains(err, tt.err) {
				t.Errorf("status %d, printed %q and %q; want %d, %q and %q", status, out, err, tt.status, tt.out, tt.err)
			}
		})
	}
}

// TestReplayOfOtherLanguages replays records with multi-character tiles as other programs write
// them.
func TestReplayOfOtherLanguages(t *testing.T) {
	for name, tt := range map[string]struct{ game, want string }{
		"Spanish, by its tiles": {"#character-encoding UTF-8\n#tile-distribution spanish\n#tile [CH] [ch]\n#tile [LL] [ll]\n#tile [RR] [rr]\n" +
			"#player1 ana Ana\n#player2 luis Luis\n" +
			">ana: [CH]AEIO[RR]S 8G [CH]O +12 12\n>luis: A[LL]EN?PT H8 .[ll]A +2 2\n>ana: AEI[RR]STU -[RR]U +0 12\n", "moves=3 scores=12-2"},
		"Spanish, by its list": {"#lexicon FISE2\n#player1 ana Ana\n#player2 luis Luis\n" +
			">ana: [CH]AEIO[RR]S 8G [CH]O +12 12\n>luis: A[LL]EN?PT H8 O[LL]A +10 10\n", "moves=2 scores=12-10"},
		"Catalan, without brackets": {"#tile-distribution catalan\n#player1 a A\n#player2 b B\n" +
			">a: AEILQUST 8G QUE +18 18\n>b: AL·LNYEOST H8 .L·LA +12 12\n", "moves=2 scores=18-12"},
		"Catalan, a blank": {"#lexicon DISC2\n#player1 a A\n#player2 b B\n" +
			">a: AEILQUST 8G QUE +18 18\n>b: A?NYEOST H8 .l·lA +2 2\n", "moves=2 scores=18-2"},
		"Polish": {"#lexicon OSPS49\n#player1 a A\n#player2 b B\n>a: ĆŻÓŁAA? 8G ŻÓł +20 20\n", "moves=1 scores=20-0"},
	} {
		file := save(t, t.TempDir(), "game.gcg", tt.game)
		if _, out, _ := command(t, "", "replay", file); out != "ok "+file+" "+tt.want+"\n" {
			t.Errorf("%s: %swant %s", name, out, tt.want)
		}
	}
}

func TestVerify(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	events := gametest.RandomGame(t, 1, 2, game.Classic())
	proof := func(name string, events []game.Event) (file, commitment string) {
		t.Helper()
		p := record.Proof{Secret: events[0].Fact.(game.Opened).Secret, Events: events}
		p.Commitment = p.Secret.Commitment()
		data, err := p.File()
		gametest.Must(t, err)
		return save(t, dir, name, string(data)), p.Commitment
	}
	good, commitment := proof("good.json", events)
	status, out, _ := command(t, "", "verify", good)
	if status != 0 || !strings.HasPrefix(out, "ok "+good+" draws=") || !strings.Contains(out, " commitment="+commitment+" chain=") {
		t.Errorf("status %d, printed %q", status, out)
	}

	// Without the message that opened the table, only the host vouches for the secret.
	digest := game.Digest(commitment)
	if _, _, said := command(t, "", "verify", good); !strings.Contains(said, "only the host vouches") || !strings.Contains(said, digest) {
		t.Errorf("without a digest it says %q", said)
	}
	if status, _, said := command(t, "", "verify", good, "--posted", "Ann wants to play.\nFair draws: "+digest); status != 0 || said != "" {
		t.Errorf("with the digest: status %d, %q", status, said)
	}
	if status, out, _ := command(t, "", "verify", good, "--posted", game.Digest(strings.Repeat("0", 64))); status != 1 || !strings.Contains(out, "the message has the digest aaaa-") {
		t.Errorf("with another digest: status %d, printed %q", status, out)
	}
	if status, _, said := command(t, "", "verify", good, "--posted", "https://discord.com/channels/1/2/3"); status != 2 || !strings.Contains(said, "rackmate can't open links") {
		t.Errorf("with a link: status %d, printed %q", status, said)
	}

	// One wrong score, which the output locates.
	at := slices.IndexFunc(events, func(e game.Event) bool { _, ok := e.Fact.(game.Played); return ok })
	wrong := slices.Clone(events)
	f := wrong[at].Fact.(game.Played)
	f.Score += 1000
	wrong[at].Fact = f
	bad, _ := proof("bad.json", wrong)
	status, out, _ = command(t, "", "verify", bad)
	if status != 1 || !strings.HasPrefix(out, "bad "+bad+": event ") || !strings.Contains(out, "the rules give") {
		t.Errorf("status %d, printed %q", status, out)
	}

	running, _ := proof("running.json", events[:len(events)-1])
	if status, out, _ := command(t, "", "verify", running); status != 1 || !strings.HasPrefix(out, "bad "+running+": ") {
		t.Errorf("of a running game: status %d, printed %q", status, out)
	}
	if status, _, err := command(t, "", "verify", filepath.Join(dir, "none.json")); status != 1 || !strings.Contains(err, "none.json") {
		t.Errorf("of no file: status %d, printed %q", status, err)
	}
	if status, _, err := command(t, "", "verify"); status != 2 || !strings.Contains(err, "usage: rackmate verify FILE") {
		t.Errorf("of nothing: status %d, printed %q", status, err)
	}
}

// TestReplaySmallDigraphs checks that Spanish two-letter tiles may be written in lower case, on the
// rack too, and that two adjacent letters R on a rack are two tiles.
func TestReplaySmallDigraphs(t *testing.T) {
	file := save(t, t.TempDir(), "es.gcg", "#player1 Ana Ana\n#player2 Ben Ben\n>Ana: AEIOSTch 8E chOTA +16 16\n>Ben: EINORRS I8 SIRE +14 14\n")
	if lines, ok := replayFile(file, "es"); !ok || !strings.Contains(lines[0], "moves=2 scores=16-14") {
		t.Error(lines)
	}
}
