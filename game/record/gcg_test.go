package record_test

import (
	"encoding/binary"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/gametest"
	"github.com/rackmate/rackmate/game/record"
)

func parse(t *testing.T, text string) record.GCG {
	t.Helper()
	g, err := record.ParseGCG([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return g
}

func TestParseGCG(t *testing.T) {
	g := parse(t, `#character-encoding UTF-8
#player1 ann Ann Example
#player2 bob Bób Examplé
#title A game
#lexicon en
#id org.example 17
# a remark
>ann: ADEEFJR 8G JeFE +28 28
#note The first word,
and what there is to say of it.
#sqmd something unknown
>bob:  H5 R(EA)D  12 12
>bob: --  -12 0
#rack1 ABC
`)
	at8G := game.Square{Row: 7, Col: 6}
	want := record.GCG{
		Players: []record.Player{{Nick: "ann", Name: "Ann Example"}, {Nick: "bob", Name: "Bób Examplé"}},
		Pragmas: []record.Pragma{{Name: "title", Text: "A game"}, {Name: "lexicon", Text: "en"}, {Name: "id", Text: "org.example 17"}, {Name: "", Text: "a remark"}},
		Turns: []record.Turn{
			{Kind: record.Play, Line: 8, Player: 0, Rack: "ADEEFJR", At: at8G, Dir: game.Across, Tiles: "JeFE", Score: 28, Total: 28,
				Pragmas: []record.Pragma{{Name: "note", Text: "The first word,\nand what there is to say of it."}, {Name: "sqmd", Text: "something unknown"}}},
			{Kind: record.Play, Line: 12, Player: 1, At: game.Square{Row: 4, Col: 7}, Dir: game.Down, Tiles: "R(EA)D", Score: 12, Total: 12},
			{Kind: record.Withdrawn, Line: 13, Player: 1, Score: -12, Total: 0, Pragmas: []record.Pragma{{Name: "rack1", Text: "ABC"}}},
		},
	}
	if !reflect.DeepEqual(g, want) {
		t.Errorf("read\n%+v\nwant\n%+v", g, want)
	}
	if text, ok := g.Pragma("rack1"); !ok || text != "ABC" {
		t.Errorf("rack1 is %q, %v", text, ok)
	}
	if text, ok := g.Pragma("Lexicon"); !ok || text != "en" {
		t.Errorf("lexicon is %q, %v", text, ok)
	}
	if _, ok := g.Pragma("incomplete"); ok {
		t.Error("a pragma that isn't there")
	}
}

func TestParseGCGTurns(t *testing.T) {
	at := func(s string) (game.Square, game.Dir) {
		sq, dir, err := game.ParseAt(s)
		gametest.Must(t, err)
		return sq, dir
	}
	across, _ := at("8D")
	for line, want := range map[string]record.Turn{
		"ABC 8D WORD +24 24":   {Kind: record.Play, Rack: "ABC", At: across, Dir: game.Across, Tiles: "WORD", Score: 24, Total: 24},
		"8D WORD +24 24":       {Kind: record.Play, At: across, Dir: game.Across, Tiles: "WORD", Score: 24, Total: 24},
		"8d WORD 24 24":        {Kind: record.Play, At: across, Dir: game.Across, Tiles: "WORD", Score: 24, Total: 24},
		"D8 (W)OR(D) +1 -4":    {Kind: record.Play, At: across, Dir: game.Down, Tiles: "(W)OR(D)", Score: 1, Total: -4},
		"?ABCDEF -?AB +0 24":   {Kind: record.Exchange, Rack: "?ABCDEF", Tiles: "?AB", Total: 24},
		"?ABCDEF -3 +0 24":     {Kind: record.Exchange, Rack: "?ABCDEF", Count: 3, Total: 24},
		"-3 +0 24":             {Kind: record.Exchange, Count: 3, Total: 24},
		"ABC - +0 24":          {Kind: record.Pass, Rack: "ABC", Total: 24},
		"ABC -  0 24":          {Kind: record.Pass, Rack: "ABC", Total: 24},
		"- +0 24":              {Kind: record.Pass, Total: 24},
		"ABC -- -12 12":        {Kind: record.Withdrawn, Rack: "ABC", Score: -12, Total: 12},
		"ABC (challenge) +5 9": {Kind: record.ChallengeBonus, Rack: "ABC", Score: 5, Total: 9},
		"(Challenge) +5 9":     {Kind: record.ChallengeBonus, Score: 5, Total: 9},
		"ABC +5 9":             {Kind: record.ChallengeBonus, Rack: "ABC", Score: 5, Total: 9},
		"+5 9":                 {Kind: record.ChallengeBonus, Score: 5, Total: 9},
		"(EITU) +8 545":        {Kind: record.EndRack, Tiles: "EITU", Score: 8, Total: 545},
		"AEI (AEI) -3 100":     {Kind: record.EndRack, Rack: "AEI", Tiles: "AEI", Score: -3, Total: 100},
		"(time) -10 90":        {Kind: record.TimePenalty, Score: -10, Total: 90},
		"ABC (TIME) -10 90":    {Kind: record.TimePenalty, Rack: "ABC", Score: -10, Total: 90},
	} {
		want.Line = 2
		if g := parse(t, "#player1 ann\n>ann: "+line); !reflect.DeepEqual(g.Turns, []record.Turn{want}) {
			t.Errorf("%s is read as\n%+v, want\n%+v", line, g.Turns, want)
		}
	}
}

func TestParseGCGPlayers(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []record.Player
	}{
		"no names":               {"#player1 ann\n#player2 bob", []record.Player{{Nick: "ann"}, {Nick: "bob"}}},
		"four":                   {"#player1 a\n#player2 b\n#player3 c\n#player4 d D", []record.Player{{Nick: "a"}, {Nick: "b"}, {Nick: "c"}, {Nick: "d", Name: "D"}}},
		"the second first":       {"#player2 bob\n#player1 ann", []record.Player{{Nick: "ann"}, {Nick: "bob"}}},
		"not declared":           {">bob: - +0 0\n>ann: - +0 0", []record.Player{{Nick: "bob"}, {Nick: "ann"}}},
		"one not declared":       {"#player2 bob\n>bob: - +0 0\n>ann: - +0 0", []record.Player{{Nick: "ann"}, {Nick: "bob"}}},
		"the whole name as nick": {"#player1 Ann Example\n#player2 Bob\n>Ann Example: - +0 0", []record.Player{{Nick: "Ann Example"}, {Nick: "Bob"}}},
		"two words as nick":      {"#player1 Ann E. Ann Example\n>Ann E.: - +0 0", []record.Player{{Nick: "Ann E.", Name: "Ann Example"}}},
		"another case":           {"#player1 Ann\n>ann: - +0 0", []record.Player{{Nick: "Ann"}}},
		"other alphabets":        {"#player1 Жанна Жанна Ё\n#player2 李 李四\n>李: - +0 0", []record.Player{{Nick: "Жанна", Name: "Жанна Ё"}, {Nick: "李", Name: "李四"}}},
	} {
		t.Run(name, func(t *testing.T) {
			if g := parse(t, c.text); !reflect.DeepEqual(g.Players, c.want) {
				t.Errorf("players %+v, want %+v", g.Players, c.want)
			}
		})
	}
}

func TestParseGCGEncodings(t *testing.T) {
	const utf = "#player1 zoé Zoé\n>zoé: - +0 0\n"
	latin := strings.ReplaceAll(utf, "é", "\xe9")
	for name, text := range map[string]string{
		"UTF-8":                      "#character-encoding UTF-8\n" + utf,
		"UTF-8 not said":             utf,
		"UTF-8, marked":              "\ufeff" + utf,
		"UTF-8, marked, other said":  "\ufeff#character-encoding ISO-8859-1\n" + utf,
		"Latin-1":                    "#character-encoding ISO-8859-1\n" + latin,
		"Latin-1 in lower case":      "#Character-Encoding iso-8859-1\n" + latin,
		"Latin-1 not said":           latin,
		"lines of DOS":               strings.ReplaceAll(utf, "\n", "\r\n"),
		"lines of the old Macintosh": strings.ReplaceAll(utf, "\n", "\r"),
		"empty lines":                strings.ReplaceAll(utf, "\n", "\n \n\n"),
	} {
		t.Run(name, func(t *testing.T) {
			want := []record.Player{{Nick: "zoé", Name: "Zoé"}}
			if g := parse(t, text); !reflect.DeepEqual(g.Players, want) || len(g.Turns) != 1 {
				t.Errorf("players %+v, want %+v; %d turns", g.Players, want, len(g.Turns))
			}
		})
	}
}

func TestParseGCGErrors(t *testing.T) {
	const head = "#player1 ann\n#player2 bob\n"
	for name, c := range map[string]struct{ text, want string }{
		"nothing":               {"", "line 1: no player and no turn"},
		"something else":        {"\x89PNG\r\n\x1a\n", "line 1: a line must begin with >"},
		"prose":                 {head + "ann plays", "line 3: a line must begin with >"},
		"prose after a pragma":  {"#title x\nann plays", "line 2: a line must begin with >"},
		"no colon":              {head + ">ann 8D WORD +24 24", "line 3: a turn begins with >"},
		"no nick":               {head + ">: 8D WORD +24 24", "line 3: a turn begins with >"},
		"another player":        {head + ">cat: 8D WORD +24 24", `line 3: no player "cat"`},
		"no total":              {head + ">ann: ABC 8D WORD +24", `line 3: score "WORD" isn't a number of points`},
		"no score":              {head + ">ann: 24", "line 3: a turn ends with its score"},
		"a huge score":          {head + ">ann: 8D WORD +99999999999999999999 24", "isn't a number of points"},
		"a total of letters":    {head + ">ann: 8D WORD +24 24x", `line 3: total "24x" isn't a number of points`},
		"no coordinates":        {head + ">ann: ABC WORD +24 24", `line 3: "ABC" is not a square`},
		"half coordinates":      {head + ">ann: ABC 8 WORD +24 24", `line 3: "8" is not a square`},
		"no word":               {head + ">ann: ABC 8D +24 24", `line 3: "ABC" is not a square`},
		"nothing for a score":   {head + ">ann: ABC -5 24", "line 3: a score without a play"},
		"too many fields":       {head + ">ann: A B 8D WORD +24 24", `line 3: "A" is one field too many`},
		"too many for a pass":   {head + ">ann: A B - +0 24", `line 3: "B" is one field too many`},
		"a player late":         {head + ">ann: - +0 0\n#player3 cat", "line 4: player3 comes after the first turn"},
		"a player twice":        {head + "#player2 cat", "line 3: duplicate player2"},
		"a player without name": {"#player1", "line 1: player1 has no name"},
		"a player missing":      {"#player1 ann\n#player3 cat\n", "line 3: player3 without player2"},
		"not the encoding said": {"#character-encoding UTF-8\n#player1 ann\n#player2 zo\xe9", "line 3: not UTF-8"},
		"another encoding":      {"\n#character-encoding EBCDIC\n", `line 2: character encoding "EBCDIC"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := record.ParseGCG([]byte(c.text))
			var at *record.LineError
			if !errors.As(err, &at) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// TestParseGCGAcceptsDeviations checks that common deviations are read and reported.
func TestParseGCGAcceptsDeviations(t *testing.T) {
	const head = "#player1 ann\n#player2 bob\n"
	wide := func(text string, order binary.ByteOrder, mark bool) string {
		var b []byte
		if mark {
			text = "\ufeff" + text
		}
		for _, unit := range utf16.Encode([]rune(text)) {
			b = append(b, 0, 0)
			order.PutUint16(b[len(b)-2:], unit)
		}
		return string(b)
	}
	const polish = "#player1 ann\n#player2 bob\n>ann: ĆMA 8G ĆMA +18 18\n"
	for name, c := range map[string]struct {
		text string
		want []record.Lapse
		read string // the game as written
	}{
		"nothing": {head + ">ann: ABC 8D WORD +24 24", nil, head + ">ann: ABC 8D WORD +24 24\n"},
		"a remark after the total": {head + ">ann: BEDGMNP  7e   BEDIM  +26   66  BE, ET, DO\n>bob: A 8D +1 12 x",
			nil, ""}, // 8D has no tiles
		"remarks after the totals": {head + ">ann: BEDGMNP  7e   BEDIM  +26   26  BE, ET, DO\n>bob:\tABC\t8D\tA\t+1\t1\tJEWS 3 x",
			[]record.Lapse{{3, "a remark after the total"}, {4, "a remark after the total"}},
			head + ">ann: BEDGMNP 7E BEDIM +26 26\n#note BE, ET, DO\n>bob: ABC 8D A +1 1\n#note JEWS 3 x\n"},
		"a remark after an exchange of a number": {head + ">ann: -3 +0 0 oh no",
			[]record.Lapse{{3, "a remark after the total"}}, head + ">ann: -3 +0 0\n#note oh no\n"},
		"a withdrawal with the new total": {head + ">ann: AB 8D AB +45 45\n>ann: AB -- +0 0\n>bob: C 8D C +3 3\n",
			[]record.Lapse{{4, "a withdrawal that has the new total and no points"}},
			head + ">ann: AB 8D AB +45 45\n>ann: AB -- -45 0\n>bob: C 8D C +3 3\n"},
		"two of a nick": {"#player1 NoName New Player 2\n#player2 NoName jasonkb\n>NoName: AB 8D AB +8 8\n>NoName: - +0 0\n>NoName: C H7 C. +4 12\n>NoName: (C) +6 6\n",
			[]record.Lapse{{3, "players of one nick, told apart by their totals"}},
			"#player1 NoName New Player 2\n#player2 NoName-2 jasonkb\n>NoName: AB 8D AB +8 8\n>NoName-2: - +0 0\n>NoName: C H7 C. +4 12\n>NoName-2: (C) +6 6\n"},
		"UTF-16":                     {wide(polish, binary.LittleEndian, true), []record.Lapse{{1, "a file in UTF-16"}}, polish},
		"UTF-16, the other way":      {wide(polish, binary.BigEndian, true), []record.Lapse{{1, "a file in UTF-16"}}, polish},
		"UTF-16 without a mark":      {wide(polish, binary.LittleEndian, false), []record.Lapse{{1, "a file in UTF-16"}}, polish},
		"UTF-16 that says otherwise": {wide("#character-encoding ISO-8859-2\n"+polish, binary.LittleEndian, true), []record.Lapse{{1, "a file in UTF-16"}}, polish},
		"an eastern code page":       {strings.ReplaceAll("#character-encoding ISO-8859-2\n"+polish, "Ć", "\xc6"), nil, polish},
		"Windows' eastern code page": {strings.ReplaceAll("#character-encoding windows-1250\n"+polish, "Ć", "\xc6"), nil, polish},
		"ASCII":                      {"#character-encoding ASCII\n" + head, nil, head},
	} {
		t.Run(name, func(t *testing.T) {
			g, err := record.ParseGCG([]byte(c.text))
			if c.read == "" {
				if err == nil {
					t.Errorf("it is read as\n%s", g)
				}
				return
			}
			gametest.Must(t, err)
			if got := strings.TrimPrefix(g.String(), "#character-encoding UTF-8\n"); got != c.read || !slices.Equal(g.Forgiven, c.want) {
				t.Errorf("it is read as\n%s\nand %v is forgiven; want\n%s\nand %v", got, g.Forgiven, c.read, c.want)
			}
		})
	}
}

func TestWriteGCG(t *testing.T) {
	const want = "#character-encoding UTF-8\n" + sample
	if got := parse(t, sample).String(); got != want {
		t.Errorf("written as\n%s\nwant\n%s", got, want)
	}
}

// FuzzParseGCG checks that a parsed file can be written and parses to the same, and that replaying
// it doesn't panic.
func FuzzParseGCG(f *testing.F) {
	for _, seed := range []string{
		sample,
		"\ufeff#character-encoding UTF-8\r\n#player1 zoé Zoé\r\n>zoé: ABC 8D (A)W.oRD 24 24\r\n",
		"#character-encoding ISO-8859-1\n#player1 zo\xe9 Zo\xe9\n#player2 A B\n#player3 A C\n>A B: +5 5\n>zo\xe9: -3 +0 0",
		">a b: - +0 0\n>a: - +0 0\n#note x\ny\n# remark\n#incomplete\n#rack1 ABC",
		"#player1 a A\n#player2 a B\n>a: - +0 0\n>a: AB 8D AB +8 8 AB, C\n>a: -- +0 0 x",
		"\xff\xfe#\x00p\x00l\x00a\x00y\x00e\x00r\x001\x00 \x00a\x00",
		"#player1 a\n>a: (time) -10 -10\n>a: A (A) -1 -11\n>a: () +0 -11\n>a: 21U [LL]? +0 -11\n>a: .lL (x)",
	} {
		f.Add([]byte(seed))
	}
	eqs := []game.Equipment{gametest.Equipment(f), spanish(f)}
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := record.ParseGCG(data)
		if err != nil {
			var at *record.LineError
			if !errors.As(err, &at) || at.Line < 1 {
				t.Errorf("an error without its line: %v", err)
			}
			return
		}
		again, err := record.ParseGCG([]byte(g.String()))
		if err != nil {
			t.Fatalf("%v, written as\n%s", err, g)
		}
		g.Forgiven, again.Forgiven = nil, nil
		for _, g := range []record.GCG{g, again} {
			for i := range g.Turns {
				g.Turns[i].Line = 0
			}
		}
		if !reflect.DeepEqual(g, again) {
			t.Errorf("%+v\nis written as\n%s\nand reads as\n%+v", g, g, again)
		}
		for _, eq := range eqs {
			record.Replay(game.Club(), eq, g) // only checks that it doesn't panic
		}
	})
}
