package record

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	unicode16 "golang.org/x/text/encoding/unicode"

	"github.com/rackmate/rackmate/game"
)

// A GCG is a whole game in the field's common notation: pragmas, which start with "#", and a line for
// each turn and each change of a score:
//
//	#player1 ann Ann Example
//	#player2 bob Bob Example
//	>ann: ADEEFJR 8G JEFE +28 28
//	#note The first word.
//	>bob: ADEMTUW 9H WAD +22 22
//
// It holds what was recorded: tiles as spelled and scores as added up. [Replay] checks whether they
// are right.
type GCG struct {
	Players []Player // 1 to 4, player1 first
	// Pragmas lists the pragmas before the first turn, in order, except those for players and
	// encoding.
	Pragmas []Pragma
	Turns   []Turn
	// Forgiven lists deviations tolerated on reading; it isn't written.
	Forgiven []Lapse
}

// A Lapse is a mistake in a file that could still be read.
type Lapse struct {
	Line int // from 1
	What string
}

// A Player is a player's nick, which starts their lines, and full name if given.
type Player struct{ Nick, Name string }

// A Pragma is a line about the game, such as "#lexicon en" or a note. Unknown ones are kept.
type Pragma struct {
	Name string // "lexicon"; "" for a comment, "# like this"
	Text string // may have several lines if it is a note
}

// A TurnKind is a kind of line in a GCG.
type TurnKind uint8

const (
	Play           TurnKind = iota + 1 // 8G JEFE
	Exchange                           // -ABC, or -3 if only the number is known
	Pass                               // -
	Withdrawn                          // --: the player's latest play was challenged off
	ChallengeBonus                     // (challenge): the latest play was challenged and stood
	EndRack                            // (ABC): gained for others' tiles, or lost for their own
	TimePenalty                        // (time)
)

// A Turn is a line: a turn, or a change of a score between or after turns.
type Turn struct {
	Kind   TurnKind
	Line   int    // line in the file, from 1; not written
	Player int    // index of the player
	Rack   string // rack before the turn; "" if it wasn't recorded, or UNKNOWN, or ???????
	At     game.Square
	Dir    game.Dir
	// Tiles are the tiles of a play ("R..D", "R(EA)D"), an exchange, or a rack at the end.
	Tiles string
	Count int // tiles exchanged, if Tiles doesn't list them
	Score int // points gained, or lost if negative
	Total int // player's total after it
	// Pragmas lists the pragmas between this line and the next, mainly notes.
	Pragmas []Pragma
}

// Pragma returns the text of the first pragma of a name.
func (g GCG) Pragma(name string) (text string, ok bool) {
	for _, p := range g.Pragmas {
		if strings.EqualFold(p.Name, name) {
			return p.Text, true
		}
	}
	for _, t := range g.Turns {
		for _, p := range t.Pragmas {
			if strings.EqualFold(p.Name, name) {
				return p.Text, true
			}
		}
	}
	return "", false
}

// A LineError reports a line of a file that can't be read.
type LineError struct {
	Line int // from 1
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }
func (e *LineError) Unwrap() error { return e.Err }

// ParseGCG parses a GCG file in UTF-8, UTF-16 or a single-byte encoding named by the
// character-encoding pragma, with any line ends. Without that pragma a file that isn't UTF-8 is
// ISO-8859-1, the rule before UTF-8 existed. It forgives these deviations:
//
//   - remarks after a turn's total, which become its note;
//   - a withdrawal with the player's new total and no points;
//   - two players with one nick, distinguished by their totals, or else by the order of turns.
//
// Errors are *[LineError].
func ParseGCG(data []byte) (GCG, error) {
	var r gcgReader
	text, err := r.decode(data)
	if err != nil {
		return GCG{}, err
	}
	for line := range strings.SplitSeq(text, "\n") {
		r.line++
		if err := r.read(strings.TrimSpace(line)); err != nil {
			return GCG{}, &LineError{r.line, err}
		}
	}
	return r.finish()
}

// decode returns a file as UTF-8 with "\n" line ends.
func (r *gcgReader) decode(data []byte) (string, error) {
	if order, ok := utf16Order(data); ok {
		wide, err := unicode16.UTF16(order, unicode16.UseBOM).NewDecoder().Bytes(data)
		if err != nil {
			return "", &LineError{1, err}
		}
		r.forgive(1, "a file in UTF-16")
		data = append([]byte("\ufeff"), wide...)
	}
	data, marked := bytes.CutPrefix(data, []byte("\ufeff"))
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	data = bytes.ReplaceAll(data, []byte("\r"), []byte("\n"))
	var by *charmap.Charmap // nil for UTF-8
	if !marked && !utf8.Valid(data) {
		by = charmap.ISO8859_1
	}
	at := 0
	for line := range bytes.Lines(data) {
		at++
		f := strings.Fields(string(line))
		if len(f) != 2 || !strings.EqualFold(f[0], "#character-encoding") || marked {
			continue
		}
		var known bool
		if by, known = encoding(f[1]); !known {
			return "", &LineError{at, fmt.Errorf("character encoding %.40q: only UTF-8, UTF-16, and ISO-8859, Windows and KOI8 code pages can be read", f[1])}
		}
		break
	}
	if by != nil {
		text, err := by.NewDecoder().Bytes(data)
		if err != nil {
			return "", &LineError{1, err}
		}
		return string(text), nil
	}
	at = 0
	for line := range bytes.Lines(data) {
		if at++; !utf8.Valid(line) {
			return "", &LineError{at, errors.New("not UTF-8, as the file says it is")}
		}
	}
	return string(data), nil
}

// utf16Order reports whether a file is UTF-16, by its byte order mark or by zeros in every other of
// its first bytes.
func utf16Order(data []byte) (unicode16.Endianness, bool) {
	switch {
	case len(data) < 4:
	case data[0] == 0xff && data[1] == 0xfe, data[0] != 0 && data[1] == 0 && data[2] != 0 && data[3] == 0:
		return unicode16.LittleEndian, true
	case data[0] == 0xfe && data[1] == 0xff, data[0] == 0 && data[1] != 0 && data[2] == 0 && data[3] != 0:
		return unicode16.BigEndian, true
	}
	return unicode16.LittleEndian, false
}

// encoding returns the encoding with a name such as "ISO-8859-2", "latin1" or "cp1250"; nil for
// UTF-8.
func encoding(name string) (by *charmap.Charmap, known bool) {
	plain := func(name string) string {
		return strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToUpper(name))
	}
	switch name = plain(name); name {
	case "UTF8", "ASCII", "USASCII":
		return nil, true
	case "LATIN1":
		return charmap.ISO8859_1, true
	}
	if page, ok := strings.CutPrefix(name, "CP"); ok {
		name = "WINDOWS" + page
	}
	for _, e := range charmap.All {
		if c, ok := e.(*charmap.Charmap); ok && plain(c.String()) == name {
			return c, true
		}
	}
	return nil, false
}

// A gcgReader reads a GCG line by line.
type gcgReader struct {
	line    int
	g       GCG
	players [maxPlayers]*Player
	last    *Pragma // pragma that a line without a mark continues

	totals [maxPlayers]int
	latest [maxPlayers]int // score of each player's latest play, until it is withdrawn
	mover  int             // player of the last line
	shared map[string]bool // nicks shared by players
}

func (r *gcgReader) forgive(line int, what string) {
	r.g.Forgiven = append(r.g.Forgiven, Lapse{line, what})
}

func (r *gcgReader) read(line string) error {
	switch {
	case line == "":
		return nil
	case line[0] == '#':
		return r.pragma(line[1:])
	case line[0] == '>':
		r.last = nil
		return r.turn(line[1:])
	case r.last != nil:
		r.last.Text = strings.TrimSpace(r.last.Text + "\n" + line)
		return nil
	}
	return errors.New("a line must begin with > (a turn) or # (anything else)")
}

func (r *gcgReader) pragma(line string) error {
	name, text := line, ""
	if i := strings.IndexFunc(line, unicode.IsSpace); i >= 0 {
		name, text = line[:i], strings.TrimSpace(line[i:])
	}
	r.last = nil
	key := strings.ToLower(name)
	if n, ok := strings.CutPrefix(key, "player"); ok && len(n) == 1 && n[0] >= '1' && n[0] <= '0'+maxPlayers {
		return r.player(int(n[0]-'1'), text)
	}
	if key == "character-encoding" {
		return nil
	}
	to := &r.g.Pragmas
	if n := len(r.g.Turns); n > 0 {
		to = &r.g.Turns[n-1].Pragmas
	}
	*to = append(*to, Pragma{name, text})
	if key == "note" || key == "comment" || key == "description" {
		r.last = &(*to)[len(*to)-1]
	}
	return nil
}

func (r *gcgReader) player(i int, text string) error {
	switch {
	case len(r.g.Turns) > 0:
		return fmt.Errorf("player%d comes after the first turn", i+1)
	case r.players[i] != nil:
		return fmt.Errorf("duplicate player%d", i+1)
	case text == "":
		return fmt.Errorf("player%d has no name", i+1)
	}
	f := strings.Fields(text)
	r.players[i] = &Player{Nick: f[0], Name: strings.Join(f[1:], " ")}
	return nil
}

// findPlayer returns the player of a turn. A nick should be one word, but files have used full names;
// and some lack the players' pragmas.
func (r *gcgReader) findPlayer(nick string, t Turn) (int, error) {
	if nick == "" {
		return 0, errors.New("a turn begins with >, the player's nick and a colon")
	}
	if all := r.findNick(nick); len(all) > 1 {
		return r.turnOf(all, t), nil
	}
	for _, alike := range []func(*Player) bool{
		func(p *Player) bool { return p.Nick == nick && p.Name == "" },
		func(p *Player) bool { return p.Nick == nick },
		func(p *Player) bool { return strings.HasPrefix(p.Nick+" "+p.Name+" ", nick+" ") },
		func(p *Player) bool { return strings.EqualFold(p.Nick, nick) },
	} {
		found := -1
		for i, p := range r.players {
			if p == nil || !alike(p) {
				continue
			}
			if found >= 0 {
				return 0, fmt.Errorf("more than one player is called %q", nick)
			}
			found = i
		}
		if found < 0 {
			continue
		}
		p := r.players[found]
		if rest, ok := strings.CutPrefix(p.Nick+" "+p.Name+" ", nick+" "); ok {
			p.Nick, p.Name = nick, strings.TrimSpace(rest)
		}
		return found, nil
	}
	for i, p := range r.players[:2] {
		if p == nil {
			r.players[i] = &Player{Nick: nick}
			return i, nil
		}
	}
	return 0, fmt.Errorf("no player %q", nick)
}

// findNick returns the players with a nick.
func (r *gcgReader) findNick(nick string) []int {
	var all []int
	for i, p := range r.players {
		if p != nil && p.Nick == nick {
			all = append(all, i)
		}
	}
	return all
}

// turnOf returns the player of a line among several with one nick: the one whose total fits, or
// else the next one after the last line's player.
func (r *gcgReader) turnOf(all []int, t Turn) int {
	if !r.shared[r.players[all[0]].Nick] {
		r.shared = map[string]bool{r.players[all[0]].Nick: true}
		r.forgive(r.line, "players of one nick, told apart by their totals")
	}
	fits := slices.DeleteFunc(slices.Clone(all), func(i int) bool { return r.totals[i]+t.Score != t.Total })
	if len(fits) == 0 {
		fits = all
	}
	if len(r.g.Turns) > 0 {
		for _, i := range fits {
			if i > r.mover {
				return i
			}
		}
	}
	return fits[0]
}

// splitRemark splits off the remark after a turn's total, if there is one.
func splitRemark(f []string) (turn []string, remark string) {
	for i := 1; i < len(f); i++ {
		if _, err := parsePoints(f[i-1]); err != nil || f[i-1][0] != '+' && f[i-1][0] != '-' || f[i][0] == '+' {
			continue
		}
		if _, err := parsePoints(f[i]); err == nil {
			return f[:i+1], strings.Join(f[i+1:], " ")
		}
	}
	return f, ""
}

func (r *gcgReader) turn(line string) error {
	nick, rest, ok := strings.Cut(line, ":")
	if !ok {
		return errors.New("a turn begins with >, the player's nick and a colon")
	}
	f := strings.Fields(rest)
	if len(f) < 2 {
		return errors.New("a turn ends with its score and the player's total")
	}
	remark := ""
	if _, err := parsePoints(f[len(f)-1]); err != nil {
		f, remark = splitRemark(f)
	}
	t := Turn{Line: r.line}
	var err error
	score, total := f[len(f)-2], f[len(f)-1]
	f = f[:len(f)-2]
	if t.Score, err = parsePoints(score); err != nil {
		return fmt.Errorf("score %q %w", score, err)
	}
	if t.Total, err = parsePoints(total); err != nil {
		return fmt.Errorf("total %q %w", total, err)
	}
	if t.Player, err = r.findPlayer(strings.Join(strings.Fields(nick), " "), t); err != nil {
		return err
	}
	if err := t.read(f, score[0] == '+'); err != nil {
		return err
	}
	if remark != "" {
		t.Pragmas = []Pragma{{"note", remark}}
		r.forgive(r.line, "a remark after the total")
	}
	if lost := r.latest[t.Player]; t.Kind == Withdrawn && t.Score == 0 && lost != 0 && t.Total == r.totals[t.Player]-lost {
		t.Score = -lost
		r.forgive(r.line, "a withdrawal that has the new total and no points")
	}
	switch t.Kind {
	case Play:
		r.latest[t.Player] = t.Score
	case Withdrawn:
		r.latest[t.Player] = 0
	}
	r.totals[t.Player], r.mover = t.Total, t.Player
	r.g.Turns = append(r.g.Turns, t)
	return nil
}

// read parses the fields between a turn's player and its score. gains is set if the score has a
// plus sign.
func (t *Turn) read(f []string, gains bool) error {
	if len(f) == 0 || len(f) == 1 && !t.parseSpecial(f[0]) {
		// Only a score: an early form of challenge bonuses.
		if !gains {
			return errors.New("a score without a play")
		}
		f = append(f, "(challenge)")
	}
	last := len(f) - 1
	if t.parseSpecial(f[last]) {
		if f = f[:last]; len(f) == 1 {
			t.Rack = f[0]
		}
		if len(f) > 1 {
			return fmt.Errorf("%q is one field too many", f[1])
		}
		return nil
	}
	t.Kind, t.Tiles = Play, f[last]
	var err error
	if t.At, t.Dir, err = game.ParseAt(f[last-1]); err != nil {
		return fmt.Errorf("%q is %w", f[last-1], err)
	}
	switch last {
	case 1:
	case 2:
		t.Rack = f[0]
	default:
		return fmt.Errorf("%q is one field too many", f[0])
	}
	return nil
}

// parseSpecial parses a field that stands in place of a play, and reports whether it is one of
// the special forms.
func (t *Turn) parseSpecial(s string) bool {
	inner, brackets := strings.CutPrefix(s, "(")
	inner, closed := strings.CutSuffix(inner, ")")
	tiles, minus := strings.CutPrefix(s, "-")
	switch {
	case brackets && closed && strings.EqualFold(inner, "challenge"):
		t.Kind = ChallengeBonus
	case brackets && closed && strings.EqualFold(inner, "time"):
		t.Kind = TimePenalty
	case brackets && closed && !strings.ContainsAny(inner, "()"): // (R)E(D) is a play
		t.Kind, t.Tiles = EndRack, inner
	case s == "--":
		t.Kind = Withdrawn
	case s == "-":
		t.Kind = Pass
	case minus:
		t.Kind, t.Tiles = Exchange, tiles
		if n, err := strconv.ParseUint(tiles, 10, 8); err == nil && n > 0 {
			t.Tiles, t.Count = "", int(n)
		}
	}
	return t.Kind != 0
}

// parsePoints parses a score.
func parsePoints(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < -99999 || n > 99999 {
		return 0, errors.New("isn't a number of points")
	}
	return n, nil
}

func (r *gcgReader) finish() (GCG, error) {
	for i, p := range r.players {
		switch {
		case p == nil:
		case len(r.g.Players) < i:
			return GCG{}, &LineError{r.line, fmt.Errorf("player%d without player%d", i+1, len(r.g.Players)+1)}
		default:
			nick := p.Nick
			taken := func(q Player) bool { return q.Nick == p.Nick }
			for n := 2; slices.ContainsFunc(r.g.Players, taken); n++ {
				p.Nick = fmt.Sprintf("%s-%d", nick, n)
			}
			r.g.Players = append(r.g.Players, *p)
		}
	}
	if len(r.g.Players) == 0 {
		return GCG{}, &LineError{r.line, errors.New("no player and no turn: not a game")}
	}
	return r.g, nil
}

// String returns the file in UTF-8.
func (g GCG) String() string {
	var b strings.Builder
	b.WriteString("#character-encoding UTF-8\n")
	for i, p := range g.Players {
		b.WriteString(strings.TrimSpace(fmt.Sprintf("#player%d %s %s", i+1, p.Nick, p.Name)) + "\n")
	}
	writePragmas(&b, g.Pragmas)
	for _, t := range g.Turns {
		b.WriteString(">" + g.Players[t.Player].Nick + ": ")
		if t.Rack != "" {
			b.WriteString(t.Rack + " ")
		}
		fmt.Fprintf(&b, "%s %+d %d\n", t.playField(), t.Score, t.Total)
		writePragmas(&b, t.Pragmas)
	}
	return b.String()
}

// playField returns the middle part of a turn's line.
func (t Turn) playField() string {
	switch t.Kind {
	case Exchange:
		if t.Tiles == "" {
			return "-" + strconv.Itoa(t.Count)
		}
		return "-" + t.Tiles
	case Pass:
		return "-"
	case Withdrawn:
		return "--"
	case ChallengeBonus:
		return "(challenge)"
	case EndRack:
		return "(" + t.Tiles + ")"
	case TimePenalty:
		return "(time)"
	}
	return t.At.At(t.Dir) + " " + t.Tiles
}

func writePragmas(b *strings.Builder, ps []Pragma) {
	for _, p := range ps {
		b.WriteString(strings.TrimSpace("#"+p.Name+" "+p.Text) + "\n")
	}
}
