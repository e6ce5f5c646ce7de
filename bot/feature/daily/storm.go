package daily

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/settings"
	"github.com/rackmate/rackmate/bot/shelf"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/view"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/puzzle"
	"github.com/rackmate/rackmate/lexicon"
)

// This file has storms: three minutes alone, in which somebody is shown seven letters at a
// time and types the one word that they make. The host's clock decides.

const (
	stormTime = 3 * time.Minute
	// editGap is how often a private message is changed at most where storms are played in
	// one.
	editGap = time.Second
	// leastStorm is how many words a list needs, and longestStep how far apart in the order of
	// a storm's words two that follow each other are at most.
	leastStorm  = 100
	longestStep = 40
	stepsInList = 60
	// mostMissed is how many words that were skipped are told at the end.
	mostMissed = 10
)

// A Storm is somebody's latest storm, as it is stored.
type Storm struct {
	V       int           `json:"v"`
	ID      string        `json:"id"` // of the request that began it
	Place   bot.ChannelID `json:"place"`
	List    string        `json:"list"`
	Hash    string        `json:"hash"`
	Began   time.Time     `json:"began"`
	Ends    time.Time     `json:"ends"`
	N       int           `json:"n"`     // letters shown so far
	Index   int           `json:"index"` // of the word whose letters are shown
	Right   int           `json:"right,omitempty"`
	Run     int           `json:"run,omitempty"`     // right answers since the last wrong one
	Longest int           `json:"longest,omitempty"` // run
	Missed  []string      `json:"missed,omitempty"`
	Last    string        `json:"last,omitempty"` // the latest request
	Was     string        `json:"was,omitempty"`  // what came of it
	Word    string        `json:"word,omitempty"` // that it was about
	Shown   time.Time     `json:"shown,omitzero"` // when an answer was last given
}

// What came of an answer.
const (
	stormRight   = "right"
	stormWrong   = "wrong"
	stormSkipped = "skipped"
)

// A stormBest is the best that somebody did in a place, as it is stored.
type stormBest struct {
	V     int        `json:"v"`
	Name  string     `json:"name"`
	Day   puzzle.Day `json:"day"` // by the place's clock, and the best of that day
	Today stormScore `json:"today"`
	Week  stormScore `json:"week"` // of the week that the day is in
}

type stormScore struct {
	Right   int       `json:"right"`
	Longest int       `json:"longest"`
	At      time.Time `json:"at"`
}

// beats reports whether a score is better: by right answers, then by the longest run.
func (s stormScore) beats(other stormScore) bool {
	return s.Right > other.Right || s.Right == other.Right && s.Longest > other.Longest
}

// take has the best of the day and the week with one more score.
func (b *stormBest) take(d puzzle.Day, s stormScore) {
	if puzzle.WeekGame.First(b.Day) != puzzle.WeekGame.First(d) {
		b.Week = stormScore{}
	}
	if b.Day != d {
		b.Today = stormScore{}
	}
	if b.V, b.Day = 1, d; s.beats(b.Today) {
		b.Today = s
	}
	if s.beats(b.Week) {
		b.Week = s
	}
}

// stormCommands are those of storms. The example of the answer has other words of its letters,
// so that no storm asks for it.
var stormCommands = []bot.Command{
	{Name: "storm", Help: "Three minutes: find the one word that seven letters make, again and again", Example: "/storm", Options: []bot.Option{
		{Name: "do", Help: "What else to do", Kind: bot.Pick, Choices: []bot.Choice{
			{Value: "skip", Label: text.Say("Skip these letters")}, {Value: "end", Label: text.Say("End this storm")}, {Value: "results", Label: text.Say("See the best here")},
		}},
	}},
	{Name: "solve", Help: "Answer the storm that you're in", Example: "/solve retains", Options: []bot.Option{
		{Name: "word", Help: "The word that the letters make", Kind: bot.Word, Required: true, Question: text.Say("Which word do they make?")},
	}},
}

// storms has the storms of people, and the best of places.
type storms struct {
	desk     feature.Desk
	settings *settings.Settings
	own      *shelf.Owner
	runs     *shelf.Shelf[shelf.Person, Storm]
	bests    *shelf.Shelf[callKey, stormBest]
	calendar *calendar
	boards   *boards
	players  *players
	links    *links
}

// run carries the commands out.
func (st *storms) run(ctx context.Context, req bot.Request) (bot.Reply, error) {
	do := req.Args["do"]
	if req.Command == "solve" {
		do = "solve"
	}
	switch do {
	case "", "play", "solve", "skip", "end":
	case "over":
		return st.over(ctx, req)
	case "results":
		return st.results(ctx, req)
	default:
		return bot.Reply{}, words.NoChoice("do", do, "skip", "end", "results")
	}
	onPage := st.desk.Platform(req.Channel).Boards
	if onPage && (do == "" || do == "play") {
		_, p, err := st.players.of(ctx, req.User.ID)
		if err != nil {
			return bot.Reply{}, err
		}
		t, err := st.calendar.today(ctx, req, p)
		if err != nil {
			return bot.Reply{}, err
		}
		url, err := st.links.address(ctx, req, t)
		return bot.Reply{
			Text:    text.Say("A storm lasts three minutes. You see seven letters at a time, and type the one word that they make. It's played on the board's page."),
			Buttons: []bot.Button{{Label: text.Say("Play a storm"), Style: bot.Primary, Link: url + "#storm"}, stormButton(text.Say("See the best here"), bot.Ordinary, "results")},
		}, err
	}
	s, err := st.play(ctx, req, do, !onPage)
	if err != nil {
		return bot.Reply{}, err
	}
	return st.reply(ctx, req, s)
}

func stormButton(label text.Text, style bot.Style, do string) bot.Button {
	return bot.Button{ID: bot.ButtonID(0, 0, "storm", map[string]string{"do": do}), Label: label, Style: style}
}

// stormWords are the words of a storm, and how they are printed.
type stormWords struct {
	all   []lexicon.Word
	tiles *game.TileSet
}

func (st *storms) words(ctx context.Context, list, hash string) (w stormWords, err error) {
	lex := st.boards.list(list, hash)
	if lex == nil {
		return w, words.Refusing("The word list {list} isn't here any more. {storm} ends this storm.", text.Code(list), text.Code("/storm do:end"))
	}
	type storming struct{ hash string }
	return feature.Heavy(ctx, st.desk, storming{lex.Hash()}, func(context.Context) (stormWords, error) {
		m := st.boards.maker(lex)()
		if len(m.Storm()) < leastStorm {
			return w, words.Refusing("The word list {list} has too few words of seven letters for a storm.", text.Code(list))
		}
		return stormWords{m.Storm(), m.Equipment().Tiles}, nil
	})
}

// letters are what is shown for a word, in the order of the alphabet.
func (w stormWords) letters(index int) game.Tiles {
	letters := puzzle.Letters(w.all[index])
	tiles := make([]game.Tile, len(letters))
	for i := range letters {
		tiles[i] = game.LetterTile(lexicon.Letter(letters[i]))
	}
	return game.TilesOf(tiles...)
}

func (w stormWords) print(index int) string {
	return strings.ToUpper(w.tiles.Alphabet().String(w.all[index]))
}

// next shows other letters: those of a word further on in the order.
func (s *Storm) next(w stormWords, secret []byte) {
	sum := sign(secret, "storm", s.ID, fmt.Sprint(s.N))
	step := min(longestStep, max(1, len(w.all)/stepsInList))
	jump := int(binary.BigEndian.Uint32([]byte(sum))) % step
	if s.N > 0 {
		jump++
	}
	s.Index = min(s.Index+jump, len(w.all)-1)
	s.N++
}

// isOn reports whether answers are taken.
func (s Storm) isOn(now time.Time) bool { return s.V > 0 && now.Before(s.Ends) }

// tells is when the message of a storm changes for the last time: by itself when the time is
// up, or as soon as that isn't too early; or when somebody ended it.
func (s Storm) tells() time.Time {
	if soonest := s.Shown.Add(editGap); s.Ends.After(s.Shown) && soonest.After(s.Ends) {
		return soonest
	}
	return s.Ends
}

// changed is when the message of a storm was last changed.
func (s Storm) changed(now time.Time) time.Time {
	if tells := s.tells(); !now.Before(tells) {
		return tells
	}
	return s.Shown
}

// errTooSoon says that a message was changed a moment ago.
var errTooSoon = errors.New("the message was changed a moment ago")

// play begins a storm, or does something in the one that is on. slow says that it is played
// in a message, which isn't changed more than once a second.
func (st *storms) play(ctx context.Context, req bot.Request, do string, slow bool) (s Storm, err error) {
	now := st.desk.Now().UTC()
	key := shelf.Person(req.User.ID)
	s, begins, err := st.current(ctx, req, do, now)
	if err != nil {
		return s, err
	}
	if do == "end" && st.boards.list(s.List, s.Hash) == nil {
		return s, st.runs.Change(ctx, key, func(one *Storm) (keep bool, err error) {
			one.Ends = now
			s = *one
			return one.V > 0, nil
		})
	}
	w, err := st.words(ctx, s.List, s.Hash)
	if err != nil {
		return s, err
	}
	secret, err := st.own.Secret(ctx, secretOf)
	if err != nil {
		return s, err
	}
	if begins {
		s.next(w, secret)
	}
	day, err := st.calendar.dayIn(ctx, s.Place, now)
	if err != nil {
		return s, err
	}
	begun := s
	err = st.own.Change(ctx, func(tx shelf.Tx) error {
		runs := st.runs.In(tx)
		one, _, err := runs.Get(key)
		if err != nil {
			return err
		}
		switch tooSoon := slow && one.V > 0 && one.Last != req.ID && now.Sub(one.changed(now)) < editGap; {
		case tooSoon && !(one.isOn(now) && (do == "" || do == "play")): // which shows it again
			return errTooSoon
		case begins && !one.isOn(now):
			one = begun
		case do == "" || do == "play" || one.Last == req.ID || !one.isOn(now):
			s = one
			return nil
		default:
			one.take(do, req.Args["word"], w, secret, now)
		}
		one.Last, one.Shown = req.ID, now
		s = one
		if err := runs.Put(key, one); err != nil || one.Was != stormRight {
			return err
		}
		return st.score(tx, req.User, one, day, now)
	})
	if errors.Is(err, errTooSoon) {
		err = words.Refusing("That was faster than I can change this message. Try again in a second.")
	}
	return s, err
}

// current is the storm that a request is about, which begins with it or is stored.
func (st *storms) current(ctx context.Context, req bot.Request, do string, now time.Time) (s Storm, begins bool, err error) {
	s, _, err = st.runs.Get(ctx, shelf.Person(req.User.ID))
	if err != nil {
		return s, false, err
	}
	if (do == "" || do == "play") && !s.isOn(now) && s.ID != req.ID {
		s, err = st.fresh(ctx, req, now)
		return s, true, err
	}
	if s.V == 0 {
		err = words.Refusing("You have no storm running. {storm} begins one.", text.Code("/storm"))
	}
	return s, false, err
}

// fresh is a storm that begins now, before its first letters.
func (st *storms) fresh(ctx context.Context, req bot.Request, now time.Time) (s Storm, err error) {
	ch, err := st.settings.OpenChannel(ctx, req.Channel)
	if err != nil {
		return s, err
	}
	list, err := st.boards.listOf(ctx, ch)
	if err != nil {
		return s, err
	}
	return Storm{V: 1, ID: req.ID, Place: ch, List: list.Name, Hash: list.Hash, Began: now, Ends: now.Add(stormTime)}, nil
}

// score notes how many somebody has found in a storm, where that is their best in its place.
func (st *storms) score(tx shelf.Tx, who bot.User, s Storm, day puzzle.Day, now time.Time) error {
	bests := st.bests.In(tx)
	at := shelf.Both(shelf.Channel(s.Place), shelf.Person(who.ID))
	b, _, err := bests.Get(at)
	if err != nil {
		return err
	}
	b.Name = who.Name
	b.take(day, stormScore{s.Right, s.Longest, now})
	return bests.Put(at, b)
}

// take ends a storm, skips its letters, or has a word answer them.
func (s *Storm) take(do, word string, w stormWords, secret []byte, now time.Time) {
	switch do {
	case "end":
		s.Ends = now
	case "skip":
		s.Was, s.Word = stormSkipped, w.print(s.Index)
		if s.Run = 0; len(s.Missed) < mostMissed {
			s.Missed = append(slices.Clone(s.Missed), s.Word)
		}
		s.next(w, secret)
	default:
		s.answer(w, secret, word)
	}
}

// answer judges a word.
func (s *Storm) answer(w stormWords, secret []byte, typed string) {
	word, err := w.tiles.Alphabet().Parse(strings.TrimSpace(typed))
	s.Word = strings.ToUpper(text.Shorten(strings.TrimSpace(typed), 2*puzzle.StormLetters))
	if err != nil || word != w.all[s.Index] {
		s.Was, s.Run = stormWrong, 0
		return
	}
	s.Was, s.Word = stormRight, w.print(s.Index)
	s.Right, s.Run = s.Right+1, s.Run+1
	s.Longest = max(s.Longest, s.Run)
	s.next(w, secret)
}

// said says what came of the latest answer, nil where there was none.
func (s Storm) said() text.Text {
	switch s.Was {
	case stormRight:
		return text.Say("{word} is right.", text.Strong(s.Word))
	case stormWrong:
		return text.Say("{word} isn't it.", text.Strong(s.Word))
	case stormSkipped:
		return text.Say("It was {word}.", text.Strong(s.Word))
	}
	return nil
}

// score says how a storm stands, or how it went.
func (s Storm) score(on bool) text.Text {
	if on {
		return text.Say("{n} right, {run} in a row.", s.Right, s.Run)
	}
	t := text.Say("You ended this storm: {n, plural, =0 {no word} one {# word} other {# words}}, at best {run} in a row.", s.Right, s.Longest)
	if s.Ends.Sub(s.Began) >= stormTime {
		t = text.Say("Time's up: {n, plural, =0 {no word} one {# word} other {# words}} in three minutes, at best {run} in a row.", s.Right, s.Longest)
	}
	if len(s.Missed) > 0 {
		t = text.Sentences(t, text.Say("You skipped {words}.", text.List(s.Missed)))
	}
	return t
}

// reply is a storm as a message, which the answer to each of its buttons replaces.
func (st *storms) reply(ctx context.Context, req bot.Request, s Storm) (bot.Reply, error) {
	if !s.isOn(st.desk.Now()) {
		best, err := st.lines(ctx, s.Place)
		return bot.Reply{
			InPlace: true,
			Text:    text.Lines(append([]text.Text{s.score(false)}, best...)...),
			Buttons: []bot.Button{stormButton(text.Say("Another storm"), bot.Primary, "play")},
		}, err
	}
	w, err := st.words(ctx, s.List, s.Hash)
	if err != nil {
		return bot.Reply{}, err
	}
	letters := text.Say("Which word do these make: {letters}? Until {time}.", text.Strong(words.Spaced(w.tiles, w.letters(s.Index))), words.Clock(s.Ends))
	lines := []text.Text{letters, s.score(true)}
	if said := s.said(); said != nil {
		lines = append([]text.Text{said}, lines...)
	}
	r := bot.Reply{InPlace: true, Buttons: []bot.Button{
		{ID: bot.ButtonID(0, 0, "solve", nil), Label: text.Say("Answer"), Style: bot.Primary},
		stormButton(text.Say("Skip"), bot.Ordinary, "skip"), stormButton(text.Say("End"), bot.Ordinary, "end"),
	}}
	if st.desk.Platform(req.Channel).Final {
		lines = append(lines, text.Say("This message can't change by itself. When the time is up, {end} tells how it went.", text.Code("/storm do:end")))
	} else {
		r.Then = &bot.Then{At: s.tells(), ID: bot.ButtonID(0, 0, "storm", map[string]string{"do": "over", "at": s.mark()})}
	}
	r.Text = text.Lines(lines...)
	return r, nil
}

// mark tells the message of a storm from what it was before and will be later.
func (s Storm) mark() string { return strconv.FormatInt(s.Shown.UnixMilli(), 36) }

// over is a storm's message when the time is up; nothing where it has changed since its
// end was set, for then a later one is.
func (st *storms) over(ctx context.Context, req bot.Request) (bot.Reply, error) {
	s, _, err := st.runs.Get(ctx, shelf.Person(req.User.ID))
	if err != nil || s.V == 0 || s.mark() != req.Args["at"] || s.isOn(st.desk.Now()) {
		return bot.Reply{}, err
	}
	return st.reply(ctx, req, s)
}

// results tells who did best in a place.
func (st *storms) results(ctx context.Context, req bot.Request) (bot.Reply, error) {
	ch, err := st.settings.OpenChannel(ctx, req.Channel)
	if err != nil {
		return bot.Reply{}, err
	}
	lines, err := st.lines(ctx, ch)
	if err == nil && len(lines) == 0 {
		lines = []text.Text{text.Say("Nobody has played a storm here this week. {storm} begins one.", text.Code("/storm"))}
	}
	return bot.Reply{Text: text.Lines(lines...)}, err
}

// lines say who did best in a place today and this week.
func (st *storms) lines(ctx context.Context, ch bot.ChannelID) (lines []text.Text, err error) {
	now, err := st.calendar.dayIn(ctx, ch, st.desk.Now().UTC())
	if err != nil {
		return nil, err
	}
	type best struct {
		stormScore
		bot.User
	}
	var today, week best
	better := func(a *best, who game.PlayerID, name string, s stormScore) {
		if s.Right > 0 && (s.beats(a.stormScore) || !a.beats(s) && s.At.Before(a.At)) {
			*a = best{s, bot.User{ID: who, Name: name}}
		}
	}
	if err := shelf.EachUnder(ctx, st.bests, shelf.Channel(ch), func(who shelf.Person, b stormBest) error {
		if b.Day == now {
			better(&today, game.PlayerID(who), b.Name, b.Today)
		}
		if puzzle.WeekGame.First(b.Day) == puzzle.WeekGame.First(now) {
			better(&week, game.PlayerID(who), b.Name, b.Week)
		}
		return nil
	}); err != nil {
		return nil, err
	}
	if today.Right > 0 {
		lines = append(lines, text.Say("Best storm here today: {who} with {n, plural, one {# word} other {# words}}, {run} in a row.", text.Name(today.User), today.Right, today.Longest))
	}
	if week.Right > 0 {
		lines = append(lines, text.Say("Best storm here this week: {who} with {n, plural, one {# word} other {# words}}, {run} in a row.", text.Name(week.User), week.Right, week.Longest))
	}
	return lines, nil
}

// guard refuses to look up the letters of a storm that somebody is in.
func (st *storms) guard(ctx context.Context, who game.PlayerID, letters game.Tiles) error {
	if len(letters) < puzzle.StormLetters-mostBlanks {
		return nil
	}
	s, _, err := st.runs.Get(ctx, shelf.Person(who))
	if err != nil || !s.isOn(st.desk.Now()) || st.boards.list(s.List, s.Hash) == nil {
		return err
	}
	w, err := st.words(ctx, s.List, s.Hash)
	if err != nil {
		return err
	}
	if held(letters, w.letters(s.Index)) >= puzzle.StormLetters {
		return words.Refusing("Those are the letters of the storm you're in. You can look them up when it's over.")
	}
	return nil
}

// DailyStorm begins a storm, or does something in the one that is on.
func (p pages) DailyStorm(ctx context.Context, key string, req bot.Request) (out bot.Storm, err error) {
	if key != "" {
		l, err := p.leafOf(ctx, key)
		if err != nil {
			return out, err
		}
		if l.place != "" {
			req.Channel = l.place
		}
	}
	to := p.desk.Tongue(ctx, req)
	var s Storm
	if do := req.Args["do"]; do == "look" {
		s, _, err = p.storms.runs.Get(ctx, shelf.Person(req.User.ID))
	} else {
		s, err = p.storms.play(ctx, req, do, false)
	}
	if words.IsMistake(err) {
		return bot.Storm{Said: words.Explain(table.Table{}, req, err).Text.In(to).String(), Refused: true}, nil
	}
	if err != nil {
		return out, err
	}
	if s.V == 0 {
		return out, nil
	}
	now := p.desk.Now() // after what was done: whoever ended it sees that it is over
	out = bot.Storm{Had: true, On: s.isOn(now), Left: max(0, s.Ends.Sub(now)).Milliseconds(), Was: s.Was, Right: s.Right, Run: s.Run}
	if said := s.said(); said != nil {
		out.Said = said.In(to).String()
	}
	out.Score = s.score(out.On).In(to).String()
	if !out.On {
		lines, err := p.storms.lines(ctx, s.Place)
		for _, line := range lines {
			out.Best = append(out.Best, line.In(to).String())
		}
		return out, err
	}
	w, err := p.storms.words(ctx, s.List, s.Hash)
	if err != nil {
		return out, err
	}
	out.Letters = view.TileTexts(w.tiles, w.letters(s.Index))
	return out, nil
}
