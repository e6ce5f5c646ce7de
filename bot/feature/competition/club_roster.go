package competition

import (
	"encoding/csv"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/contest/files"
)

// Limits.
const (
	maxMembers = 1000
	maxGroups  = 8
	maxAvoids  = 20
	maxRating  = 9999
)

// A member is a stored entry of a roster.
type member struct {
	V      int       `json:"v"` // 1
	Name   string    `json:"name"`
	Rating int       `json:"rating,omitempty"`
	Set    bool      `json:"set,omitempty"`    // a manager set the rating
	Number string    `json:"number,omitempty"` // in their association
	Groups []string  `json:"groups,omitempty"`
	From   time.Time `json:"from,omitzero"` // start of their absence
	Until  time.Time `json:"until,omitzero"`
	// Avoids lists people they don't want to be paired with; no one else sees it.
	Avoids   []bot.User `json:"avoids,omitempty"`
	Joined   time.Time  `json:"joined"`
	By       bot.User   `json:"by,omitzero"` // the manager who added them
	Asked    time.Time  `json:"asked,omitzero"`
	Answered time.Time  `json:"answered,omitzero"`
}

// rename removes a forgotten person from what others have set.
func (m *member) rename(from game.PlayerID, to bot.User) (keep bool) {
	m.Avoids = slices.DeleteFunc(m.Avoids, func(u bot.User) bool { return u.ID == from })
	if m.By.ID == from {
		m.By = to
	}
	return true
}

// isAway reports whether a member is away at a time.
func (m member) isAway(at time.Time) bool {
	return !m.Until.IsZero() && !at.Before(m.From) && at.Before(m.Until)
}

// waitsSince returns how long a member has left a question unanswered.
func (m member) waitsSince(now time.Time) (d time.Duration, waits bool) {
	if m.Asked.IsZero() || !m.Answered.Before(m.Asked) {
		return 0, false
	}
	return now.Sub(m.Asked), true
}

// cleanName returns a name with single spaces. It refuses a name longer than most
// characters, or with characters that a list or a file can't hold.
func cleanName(typed string, most int) (string, error) {
	name := strings.Join(strings.Fields(typed), " ")
	switch {
	case strings.HasPrefix(name, "<@") || strings.HasPrefix(name, "@"):
		return "", words.Refusing("Write the name itself, without {sign}.", text.Code("@"))
	case len([]rune(name)) > most:
		return "", words.Refusing("{name} is too long for a name: {most} characters at most.", text.Strong(text.Shorten(name, maxName)), most)
	case strings.ContainsFunc(name, func(r rune) bool { return unicode.IsControl(r) || r == '\ufeff' || r == ';' }):
		return "", words.Refusing("{name} has a character that a name can't have.", text.Strong(name))
	}
	return name, nil
}

// requireName returns a clean name, and refuses an empty one.
func requireName(typed string) (string, error) {
	name, err := cleanName(typed, maxName)
	if err == nil && name == "" {
		err = words.Refusing("A name is missing.")
	}
	return name, err
}

// readRating parses a rating; "" returns 0.
func readRating(typed string) (int, error) {
	if typed == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(typed)
	if err != nil || n < 0 || n > maxRating {
		return 0, words.Refusing("{typed} isn't a rating. A rating is a number up to {most}, such as 1500.", text.Code(text.Shorten(typed, maxName)), maxRating)
	}
	return n, nil
}

// readRoster parses people from lines as spreadsheets write them: name, rating, groups,
// number. Each mistake names its line; if there is one, the caller must not add anyone.
func readRoster(typed string) (all []member, mistakes []text.Text) {
	wrong := func(n int, template text.Text) {
		mistakes = append(mistakes, text.Glue(text.Say("Line {n}:", n), " ", template))
	}
	if strings.HasPrefix(typed, "\ufeff") {
		mistakes = append(mistakes, text.Say("Line 1 begins with an invisible mark (a BOM). Save the file as UTF-8 without it, or copy the lines again."))
		typed = strings.TrimPrefix(typed, "\ufeff")
	}
	typed = strings.NewReplacer("\r\n", "\n", " | ", "\n").Replace(typed)
	if sheet.MatchString(typed) {
		return readSheet(typed)
	}
	seen := map[string]int{}
	for i, line := range strings.Split(typed, "\n") {
		n := i + 1
		if strings.TrimSpace(line) == "" {
			continue
		}
		f, mistake := fields(line)
		if mistake != nil {
			wrong(n, mistake)
			continue
		}
		if n == 1 && strings.EqualFold(strings.TrimSpace(f[0]), "name") {
			continue // the column headings
		}
		m, err := parseMember(f)
		if err != nil {
			wrong(n, sentence(err))
			continue
		}
		if before, twice := seen[bot.Unaccented(m.Name)]; twice {
			wrong(n, text.Say("{name} is already in line {before}. Make the names different.", text.Strong(m.Name), before))
			continue
		}
		seen[bot.Unaccented(m.Name)] = n
		all = append(all, m)
	}
	return all, mistakes
}

// fields splits a line at its commas into at least one field.
func fields(line string) (f []string, mistake text.Text) {
	switch {
	case strings.Contains(line, "\t"):
		return nil, text.Say("It has a tab. Put commas between name, rating and groups.")
	case strings.Contains(line, ";") && !strings.Contains(line, ","):
		return nil, text.Say("It has semicolons where commas belong. Put commas between name, rating and groups; semicolons only between groups.")
	}
	r := csv.NewReader(strings.NewReader(line))
	r.FieldsPerRecord, r.TrimLeadingSpace = -1, true
	f, err := r.Read()
	if err != nil || len(f) > 4 {
		return nil, text.Say("I can't read it. Write a name, and after commas a rating, groups and a number: {example}.", text.Code("/roster Ann Alder,1500,school;juniors,AA000123"))
	}
	return f, nil
}

// parseMember parses a name and optionally a rating, groups and a number.
func parseMember(f []string) (m member, err error) {
	m.V = 1
	if m.Name, err = requireName(f[0]); err != nil {
		return m, err
	}
	if len(f) > 1 {
		if m.Rating, err = readRating(strings.TrimSpace(f[1])); err != nil {
			return m, err
		}
		m.Set = m.Rating > 0
	}
	if len(f) > 2 {
		m.Groups = groups(f[2])
	}
	if len(f) > 3 {
		m.Number = strings.TrimSpace(f[3])
	}
	return m, nil
}

// sheet matches lines of TSH's division files and NASPA's text: a name, a rating after a
// space, and optionally opponents and scores.
var sheet = regexp.MustCompile(`^(?:\s*(?:#.*|[^;|\t\n]*[^;|\t\n,] \d{1,4}(?: \d+)*\s*(?:;.*)?)?(?:\n|$))+$`)

// readSheet parses people from TSH's division files or NASPA's text, and ignores their
// games.
func readSheet(typed string) (all []member, mistakes []text.Text) {
	players, err := files.ReadRoster([]byte(typed))
	if no := new(files.Error); errors.As(err, &no) {
		return nil, []text.Text{text.Glue(text.Say("Line {n}:", max(no.Line, 1)), " ", text.Say("I can't read it as TSH writes players: {example}.", text.Code("Alder, Ann 1500 3 0 2; 350 50 401")))}
	}
	for _, p := range players {
		m := member{V: 1, Rating: p.Rating, Set: p.Rating > 0, Number: p.Member}
		if m.Name, err = requireName(files.GivenFirst(p.Name)); err != nil {
			mistakes = append(mistakes, sentence(err))
		}
		if i := slices.IndexFunc(all, func(o member) bool { return bot.Alike(o.Name, m.Name) }); i >= 0 {
			mistakes = append(mistakes, text.Say("{name} is in the list twice. Make the names different.", text.Strong(m.Name)))
		}
		all = append(all, m)
	}
	return all, mistakes
}

func sentence(err error) text.Text {
	if r, ok := err.(*words.Refusal); ok {
		return r.Reply.Text
	}
	return text.Plain(err.Error())
}

// groups splits a list of groups at its semicolons.
func groups(typed string) (all []string) {
	for _, g := range strings.Split(typed, ";") {
		if g = strings.Join(strings.Fields(g), " "); g != "" && !slices.Contains(all, g) && len(all) < maxGroups {
			all = append(all, text.Shorten(g, maxName))
		}
	}
	return all
}

// rosterFile returns a roster as CSV for spreadsheets. It escapes cells that a
// spreadsheet would take for formulas.
func rosterFile(all []member) []byte {
	var b strings.Builder
	b.WriteString("\ufeff")
	w := csv.NewWriter(&b)
	w.UseCRLF = true
	cell := func(s string) string {
		if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
			return "'" + s
		}
		return s
	}
	day := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.UTC().Format(time.DateOnly)
	}
	_ = w.Write([]string{"name", "rating", "groups", "number", "joined", "away from", "away until", "asked", "answered"}) // a strings.Builder returns no error
	for _, m := range all {
		rating := ""
		if m.Rating > 0 {
			rating = fmt.Sprint(m.Rating)
		}
		_ = w.Write([]string{cell(m.Name), rating, cell(strings.Join(m.Groups, ";")), cell(m.Number), day(m.Joined), day(m.From), day(m.Until), day(m.Asked), day(m.Answered)})
	}
	w.Flush()
	return []byte(b.String())
}
