package variants

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/typed"
	"github.com/rackmate/rackmate/bot/view"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/movegen"
	"github.com/rackmate/rackmate/game/record"
	"github.com/rackmate/rackmate/imaging"
	"github.com/rackmate/rackmate/lexicon"
)

// This file is duplicate for people: everybody has the same rack, submits in
// private, and the best play of the turn goes on the board.
//
// What happens in a turn is between each player and the host: submissions, and
// people who sit down while the game is on, are told to nobody else. The channel
// gets one message a turn, with how the last one went, the rack of the next, and
// how many have submitted so far.

// turnEndKind is the timer that ends a turn of duplicate: at its deadline, and
// at once when all have submitted.
const turnEndKind = "duplicate"

const (
	// mostShown is how many players a picture has room for, and mostListed how
	// many names a lobby lists.
	mostShown  = 4
	mostListed = 8
)

// Duplicate is the feature of duplicate games, in which all play from one rack. It
// carries out the ordinary /play with play.
func Duplicate(play host.Run) host.Feature {
	return host.Feature{
		Commands: []host.Command{
			{Command: bot.Command{Name: "submit", Help: "Submit your play in duplicate, or another in its place", Example: "/submit horn 8h", Options: []bot.Option{typed.Word, typed.Square}}, OfGame: true, Run: play, Complete: map[string]host.Completer{"at": host.Squares}},
		},
		Options: map[string][]bot.Option{"new": {
			{Name: "turn", Help: "How long a turn of duplicate lasts", Kind: bot.Pick, Choices: []bot.Choice{
				{Value: "1m", Label: bot.Say("A minute")}, {Value: "3m", Label: bot.Say("3 minutes")}, {Value: "10m", Label: bot.Say("10 minutes")}, {Value: "1h", Label: bot.Say("An hour")}, {Value: "12h", Label: bot.Say("12 hours")}, {Value: "1d", Label: bot.Say("A day")},
			}},
			{Name: "master", Help: "Which play goes on the board in duplicate", Kind: bot.Pick, Choices: []bot.Choice{
				{Value: "best", Label: bot.Say("The best that anybody submitted")}, {Value: "top", Label: bot.Say("The best there is, whether anybody found it or not")},
			}},
		}},
		Answer:  answerDuplicate,
		Timers:  duplicateTimers,
		Due:     map[string]host.Due{turnEndKind: {Do: endTurn}},
		Telling: tellingTurn,
		Variant: &table.Variant{
			Name:  "duplicate",
			Lays:  "submit",
			Label: bot.Say("Duplicate: everybody has the same rack and submits in private; any number play"),
			Help: bot.Glue("Everybody has the same rack, which all can see. Submit a play in private with ", bot.Code("/submit horn 8h"), " before the turn's time is over; you can replace it until then. ",
				"Each scores their own play, and the best one goes on the board for all; of equal ones, the one submitted first. A play with a word that is not in the list scores nothing; with ", bot.Code("challenge:void"), " it is refused at once instead. ",
				bot.Code("/pass"), " says that you have no play. ", bot.Code("/join"), " works at any turn, and the turn ends early when all have submitted. ",
				"The game ends when the tiles are used up, or nobody has a valid play in three turns. ",
				bot.Code("/new variant:duplicate turn:3m"), " sets how long a turn lasts, and ", bot.Code("master:top"), " puts the best play there is on the board, found or not."),
			Rules: duplicateRules,
			Challenge: func(c game.ChallengeRule) string {
				if c == game.Void {
					return "invalid words are refused"
				}
				return "invalid words score nothing"
			},
			Turn: func(t table.Table) bot.Text {
				return bot.Glue("Submit your play with ", bot.Code("/submit"), ", until ", words.Clock(t.Until), ".")
			},
			Tell:    tellDuplicate,
			Explain: explainDuplicate,
			Show:    showDuplicate,
			Buttons: func(t table.Table) []bot.Button {
				return []bot.Button{
					t.Button(bot.Say("Submit"), "submit", bot.Primary, nil), t.Button(bot.Say("Try"), "try", bot.Ordinary, nil), t.Button(bot.Say("My rack"), "rack", bot.Ordinary, nil),
					t.Button(bot.Say("Join"), "join", bot.Ordinary, nil), t.Button(bot.Say("More"), "help", bot.Ordinary, nil),
				}
			},
			Caption: duplicateCaption,
			Status:  duplicateStatus,
			Lobby:   duplicateLobby,
			History: duplicateHistory,
			Rack:    duplicateRack,
			Lay:     func(m game.Move) game.Action { return game.Submit{Move: m} },
			Private: duplicatePrivate,
			Files:   duplicateFiles,
			Final:   duplicateFinal,
		},
	}
}

// duplicateRules are the rules with what /new's options say.
func duplicateRules(r game.Rules, args map[string]string) (game.Rules, error) {
	if text := args["turn"]; text != "" {
		d, err := time.ParseDuration(text)
		if days, ok := strings.CutSuffix(text, "d"); ok {
			d, err = time.ParseDuration(days + "h")
			d *= 24
		}
		if err != nil || d < game.ShortestTurn || d > game.LongestTurn {
			return r, words.BadChoice("turn", text)
		}
		r.Duplicate.TurnTime = d
	}
	switch v := args["master"]; v {
	case "", "best":
	case "top":
		r.Duplicate.TopPlay = true
	default:
		return r, words.BadChoice("master", v)
	}
	return r, nil
}

// span is a length of time in words: "3 minutes", "1 hour 30 minutes".
func span(d time.Duration) string {
	var parts []string
	for _, u := range []struct {
		d    time.Duration
		noun string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}, {time.Second, "second"}} {
		if n := int(d / u.d); n > 0 {
			parts = append(parts, words.Count(n, u.noun))
			d -= time.Duration(n) * u.d
		}
	}
	return strings.Join(parts, " ")
}

// tellDuplicate puts what is told to everybody into words. Submissions aren't.
func tellDuplicate(before game.State, f game.Fact) (table.Telling, bool) {
	set := before.Equipment.Tiles
	switch f := f.(type) {
	case game.Joined:
		if before.Phase == game.Playing {
			return table.Telling{}, true // it is between them and the host
		}
	case game.Resigned:
		return table.Telling{Sentence: bot.Glue(bot.Name(before.Seats[f.Seat].Person), " leaves the game.")}, true
	case game.RackDrawn:
		if f.Put == "" {
			return table.Telling{}, true
		}
		return table.Telling{Sentence: bot.Glue("The rack ", bot.Strong(words.Spaced(set, before.Common)), " goes back into the bag", whyBack(before), ".")}, true
	case game.Submitted, game.TurnOpened, game.TurnExtended:
		return table.Telling{}, true
	case game.TurnScored:
		return table.Telling{Sentence: scored(before, f), Caption: masterLine(before, f)}, true
	case game.Ended:
		return table.Telling{Sentence: duplicateEnd(before, f), Caption: winnersOf(before, f)}, true
	}
	return table.Telling{}, false
}

// whyBack says why a rack is put back: its makeup, unless it was left by a turn
// without a play.
func whyBack(s game.State) string {
	if s.MadeUp() {
		return ""
	}
	return ", for it has too few vowels or consonants"
}

// masterLine is the play that went on the board, in a few words.
func masterLine(before game.State, f game.TurnScored) string {
	if f.Move.Kind != game.PlayTiles {
		return "Nobody had a valid play"
	}
	play := fmt.Sprintf("%s at %s for %d", words.PlainWord(before.Equipment.Tiles, f.Words[0].Tiles), f.Move.At.At(f.Move.Dir), f.Score)
	if f.By == game.Nobody {
		return "The top play was " + play
	}
	return fmt.Sprintf("%s played %s", before.Seats[f.By].Person.Name, play)
}

// scored tells how a turn went: the play on the board, who else had as much, how
// many submitted, and what was not valid.
func scored(before game.State, f game.TurnScored) bot.Text {
	set := before.Equipment.Tiles
	in, of := before.CountIn()
	t := bot.Glue("Turn ", before.Turns+1, ": ")
	if f.Move.Kind != game.PlayTiles {
		t = bot.Glue(t, "nobody had a valid play.")
	} else {
		play := bot.Glue(bot.Strong(words.PlainWord(set, f.Words[0].Tiles)), " at ", f.Move.At.At(f.Move.Dir), " for ", bot.Strong(fmt.Sprint(f.Score)), words.Sums(set, game.Played{Move: f.Move, Words: f.Words, Score: f.Score}))
		if f.By == game.Nobody {
			t = bot.Glue(t, "nobody found ", play, ".")
		} else {
			t = bot.Glue(t, bot.Name(before.Seats[f.By].Person), " has the best play, ", play, ".")
			if also := slices.DeleteFunc(before.Active(), func(i int) bool { return i == f.By || f.Scores[i] != f.Score }); len(also) == 1 {
				t = bot.Glue(t, " ", bot.Name(before.Seats[also[0]].Person), " scored as much, later.")
			} else if len(also) > 1 {
				t = bot.Glue(t, " ", len(also), " others scored as much, later.")
			}
		}
	}
	t = bot.Glue(t, " ", in, " of ", of, " submitted.")
	if n := len(f.Invalid); n > 0 {
		listed := f.Invalid[:min(n, mostListed)]
		t = bot.Glue(t, " Not in the word list: ", words.WordList(set, listed))
		if n > len(listed) {
			t = bot.Glue(t, " and ", n-len(listed), " more")
		}
		t = bot.Glue(t, ".")
	}
	return t
}

// ranking lists the best players: "1. Ann 43 (+14)". last may be nil.
func ranking(s game.State, last *game.TurnScored, most int) []string {
	var lines []string
	rank := 0
	seats := s.Ranking()
	for i, seat := range seats {
		if i == most && len(seats) > most+1 {
			lines = append(lines, fmt.Sprintf("and %d more", len(seats)-most))
			break
		}
		if i == 0 || s.Seats[seat].Score < s.Seats[seats[i-1]].Score {
			rank = i + 1
		}
		line := fmt.Sprintf("%d. %s %d", rank, s.Seats[seat].Person.Name, s.Seats[seat].Score)
		if last != nil && last.Scores[seat] > 0 {
			line += fmt.Sprintf(" (+%d)", last.Scores[seat])
		}
		lines = append(lines, line)
	}
	return lines
}

// rankOf is a seat's place, from 1.
func rankOf(s game.State, seat int) int {
	n := 1
	for _, other := range s.Seats {
		if other.Score > s.Seats[seat].Score {
			n++
		}
	}
	return n
}

// duplicateStatus ends a message: the ranking when a turn was scored, the rack
// and the deadline.
func duplicateStatus(t table.Table, from int, now game.State) bot.Text {
	var last *game.TurnScored
	for _, e := range t.Events[from:] {
		if f, ok := e.Fact.(game.TurnScored); ok {
			last = &f
		}
	}
	var lines []bot.Text
	if last != nil {
		lines = append(lines, bot.Glue(strings.Join(ranking(t.State, last, words.MostRanked), "\n")))
	}
	lines = append(lines, bot.Glue("The rack of turn ", t.Turns+1, ": ", bot.Strong(words.Spaced(t.Equipment.Tiles, t.Common)), " · ", words.BagWords(t)))
	if now.Phase == t.Phase && now.Turns == t.Turns {
		in, of := now.CountIn()
		lines = append(lines,
			bot.Glue(in, " of ", of, words.Verb(in, " has", " have"), " submitted."),
			bot.Glue(bot.Code("/submit"), " your play until ", words.Clock(now.Until), "; ", bot.Code("/join"), " if you don't play yet."))
	}
	return words.Joined(lines, "\n")
}

// duplicateLobby says who sits and what can be done.
func duplicateLobby(t table.Table) bot.Text {
	var names []string
	for _, seat := range t.Seats {
		names = append(names, seat.Person.Name)
	}
	if n := len(names); n > mostListed+1 {
		names = append(names[:mostListed], fmt.Sprintf("%d others", n-mostListed))
	}
	return bot.Glue("At the table: ", words.Listing(names), ", and anybody can ", bot.Code("/join"), ", later too. ", bot.Code("/start"), " begins the game: one rack for all, and ", span(t.Rules.Duplicate.TurnTime), " a turn to ", bot.Code("/submit"), " a play in private.", topLine(t.Rules))
}

func topLine(r game.Rules) string {
	if r.Duplicate.TopPlay {
		return " The best play there is goes on the board, found or not."
	}
	return ""
}

func winnersOf(s game.State, f game.Ended) string {
	var winners []string
	for _, i := range f.Winners {
		winners = append(winners, s.Seats[i].Person.Name)
	}
	if n := len(winners); n > mostListed {
		return fmt.Sprintf("A tie between %d players", n)
	}
	if len(winners) > 1 {
		return "A tie between " + words.Listing(winners)
	}
	return words.Listing(winners) + " wins"
}

func duplicateEnd(s game.State, f game.Ended) bot.Text {
	var lines []bot.Text
	switch {
	case f.Reason == game.WentOut:
		lines = append(lines, bot.Glue("All the tiles are played."))
	case f.Reason == game.ScorelessEnd && len(s.Bag) == 0:
		lines = append(lines, bot.Glue("The bag is empty and nobody has a valid play left."))
	case f.Reason == game.ScorelessEnd:
		lines = append(lines, bot.Glue("Nobody has had a valid play in ", s.Rules.Duplicate.IdleTurns, " turns, so the game ends."))
	}
	if len(f.Winners) > 0 {
		lines = append(lines, bot.Glue(bot.Strong(winnersOf(s, f)), " after ", words.Count(s.Turns, "turn"), "."))
	}
	lines = append(lines,
		bot.Glue(strings.Join(ranking(s, nil, words.MostRanked), "\n")),
		bot.Glue(bot.Code("/export"), " has the game, everybody's scores and the proof that the draws were fair."))
	return words.Joined(lines, "\n")
}

// duplicateCaption is the rack of this turn, and the last one's play: what there
// is room for is seen, and the rack comes first.
func duplicateCaption(t table.Table) string {
	for i, e := range slices.Backward(t.Events) {
		switch f := e.Fact.(type) {
		case game.Ended:
			return winnersOf(t.State, f)
		case game.TurnScored:
			// The names are those of today, which is what people look for.
			caption := masterLine(t.State, f)
			if t.Phase == game.Playing {
				caption = fmt.Sprintf("Rack %d: %s · %s", t.Turns+1, words.Spaced(t.Equipment.Tiles, t.Common), caption)
			}
			return caption
		case game.Started:
			if i < len(t.Events)-1 {
				return fmt.Sprintf("Rack %d: %s", t.Turns+1, words.Spaced(t.Equipment.Tiles, t.Common))
			}
		}
	}
	return ""
}

// showDuplicate shows the best players alone, and marks the play of the last
// turn.
func showDuplicate(t table.Table, v *imaging.View) {
	best := t.Ranking()
	if !t.Played() {
		return
	}
	players := v.Players
	v.Players = nil
	for _, seat := range best[:min(len(best), mostShown)] {
		p := players[seat]
		p.ToMove = false
		if p.Note == "" && len(best) > 1 {
			p.Note = fmt.Sprintf("%d of %d", rankOf(t.State, seat), len(best))
		}
		v.Players = append(v.Players, p)
	}
	for _, e := range slices.Backward(t.Events) {
		if f, ok := e.Fact.(game.TurnScored); ok {
			if f.Move.Kind == game.PlayTiles {
				v.New = f.Move.Laid()
			}
			return
		}
	}
}

// duplicateHistory lists the plays that went on the board.
func duplicateHistory(t table.Table) []string {
	var lines []string
	seats := 0
	for _, e := range t.Events {
		switch f := e.Fact.(type) {
		case game.Joined:
			seats++
		case game.Left:
			seats--
		case game.TurnScored:
			n := 0
			for _, points := range f.Scores {
				if points > 0 {
					n++
				}
			}
			lines = append(lines, fmt.Sprintf("%3d. %s (%d of %d scored)", len(lines)+1, masterLine(t.State, f), n, seats))
		}
	}
	return lines
}

// duplicateRack is the common rack with what the player has submitted and how
// they stand.
func duplicateRack(t table.Table, seat int, r bot.Reply) bot.Reply {
	r.Text = bot.Glue("The rack of turn ", t.Turns+1, ": ", strings.TrimPrefix(r.Text.String(), "Your rack: "), "\n", submissionLine(t, seat), "\n", standingLine(t, seat))
	return r
}

// submissionLine is what a player has submitted, for themselves alone.
func submissionLine(t table.Table, seat int) bot.Text {
	switch sub := t.Submission(seat); sub.Move.Kind {
	case game.PlayTiles:
		set := t.Equipment.Tiles
		text := bot.Glue("You have submitted ", bot.Strong(words.PlainWord(set, sub.Words[0].Tiles)), " at ", sub.Move.At.At(sub.Move.Dir), " for ", bot.Strong(fmt.Sprint(sub.Score)), words.Sums(set, game.Played{Move: sub.Move, Words: sub.Words, Score: sub.Score}))
		if t.Rules.Challenge != game.Void {
			text = bot.Glue(text, ", if it is valid")
		}
		return bot.Glue(text, ". ", replaceable(t))
	case game.PassTurn:
		return bot.Glue("You have said that you have no play. ", replaceable(t))
	}
	return bot.Glue("You have not submitted yet: ", bot.Code("/submit horn 8h"), " does, until ", words.Clock(t.Until), ".")
}

func replaceable(t table.Table) bot.Text {
	if t.AllIn() {
		return bot.Glue("All have submitted, so the turn is being scored.")
	}
	return bot.Glue("You can replace it until ", words.Clock(t.Until), ".")
}

func standingLine(t table.Table, seat int) bot.Text {
	return bot.Glue("You have ", words.Count(t.Seats[seat].Score, "point"), ": place ", rankOf(t.State, seat), " of ", len(t.Seats), ".")
}

// answerDuplicate answers, in private, what a player has done in a turn.
func answerDuplicate(ctx context.Context, h *host.Host, o host.Outcome) (bot.Reply, bool, error) {
	t, seat, req := o.Table, o.Seat, o.Request
	if t.Variant.Name != "duplicate" || o.NewRack() {
		return bot.Reply{}, false, nil
	}
	switch f := o.Fact.(type) {
	case game.Submitted:
		r := bot.Reply{Text: submissionLine(t, seat)}
		if f.Move.Kind == game.PlayTiles {
			v := view.Preview(t, f.Move, game.Tally{Words: f.Words, Total: f.Score})
			r.Picture = h.BoardPicture(h.RendererFor(ctx, t.Channel, req.Dark), v)
		}
		return r, true, nil
	case game.Joined:
		if t.Phase == game.Playing {
			return h.ShowRack(ctx, t, seat, req), true, nil
		}
	case game.Started:
		return h.ShowRack(ctx, t, seat, req), true, nil
	case game.Opened:
		return bot.Reply{Text: bot.Glue("Your table is open. Begin with ", bot.Code("/start"), " when you like: people can join at any turn.")}, true, nil
	}
	return bot.Reply{}, false, nil
}

// duplicatePrivate reports whether a fact is told in no post of its own: what is
// submitted is between a player and the host, as that somebody sits down while the game is on, for a hundred
// who do would drown it.
func duplicatePrivate(s game.State, f game.Fact) bool {
	switch f.(type) {
	case game.Submitted, game.TurnExtended:
		return true
	case game.Joined:
		return s.Phase == game.Playing
	}
	return false
}

// duplicateTimers are those that events ask for.
func duplicateTimers(_ *host.Host, did host.Step) []bot.Timer {
	s, last := did.After, did.Last()
	switch {
	case s.Rules.Variant != "duplicate":
		return nil
	case s.Phase != game.Playing:
		return nil
	case s.AllIn():
		return []bot.Timer{{At: last.At, Kind: turnEndKind}}
	}
	switch f := last.Fact.(type) {
	case game.TurnOpened:
		return []bot.Timer{{At: f.Until, Kind: turnEndKind}}
	case game.TurnExtended:
		return []bot.Timer{{At: f.Until, Kind: turnEndKind}}
	}
	return host.CountTimer(did.Before, did.Done)
}

// A turn whose message came late, by a part of its time, has all of it from then.
const latePart = 20

// tellingTurn gives a turn its whole time from when everybody is shown its rack,
// which can be late: where a platform is away, or takes few messages.
func tellingTurn(ctx context.Context, h *host.Host, post bot.Post) error {
	_, events, err := h.Store.Events(ctx, post.Table, 1)
	if err != nil {
		return err
	}
	if open, ok := events[0].Fact.(game.Opened); !ok || open.Rules.Variant != "duplicate" {
		return nil
	}
	cause := fmt.Sprintf("%stelling:%d:%d:%d", host.TimerCause, post.Table, post.To, post.Tries)
	err = h.Store.Update(ctx, post.Channel, cause, func(r *bot.Room) error {
		if r.Receipt != nil || r.Table != post.Table {
			return nil
		}
		t, err := h.Replay(r.Channel, r.Table, r.Events)
		if err != nil || t.Phase != game.Playing || t.News() != post.To {
			return err
		}
		env, whole := game.Env{Now: h.Now(), Cause: cause}, t.Rules.Duplicate.TurnTime
		until := env.Now.Add(whole)
		if until.Sub(t.Until) < whole/latePart {
			return nil
		}
		done, err := game.Decide(t.State, game.Person{}, game.ExtendTurn{Until: until}, env)
		if words.IsMistake(err) {
			return nil // all have submitted
		}
		if err != nil {
			return err
		}
		h.Fill(r, t, "", done)
		return nil
	})
	h.Committed(post.Channel)
	return err
}

// lookAgain is after how long a turn is looked at again whose time is up before
// anybody could see its rack.
const lookAgain = 5 * time.Second

// endTurn scores a turn whose time is up, or in which all have submitted.
func endTurn(ctx context.Context, h *host.Host, timer bot.Timer) error {
	_, now, err := h.LoadTable(ctx, timer.Table)
	if err != nil {
		return err
	}
	untold, err := h.Untold(ctx, now)
	if err != nil {
		return err
	}
	return h.AtTable(ctx, timer, func(r *bot.Room, t table.Table, env game.Env) error {
		if untold && t.Phase == game.Playing && !t.AllIn() && !t.Until.After(env.Now) {
			r.Timers = []bot.Timer{{At: env.Now.Add(lookAgain), Kind: turnEndKind}}
			r.File = &bot.Receipt{From: t.Number, To: t.Number}
			return nil
		}
		if t.Phase != game.Playing || !t.AllIn() && t.Until.After(env.Now) {
			return nil
		}
		dict, err := h.Dictionary(t.State)
		if err != nil {
			return err
		}
		env.Dict = dict
		end := game.EndTurn{}
		if t.Rules.Duplicate.TopPlay {
			if end.Top, err = topPlay(t, dict); err != nil {
				return err
			}
		}
		done, err := game.Decide(t.State, game.Person{}, end, env)
		if err != nil {
			return err
		}
		h.Fill(r, t, "", done)
		return nil
	})
}

// topPlay is the best play there is; of equal ones that with the fewest tiles,
// then the first on the board. It is no play where there is none.
func topPlay(t table.Table, dict *lexicon.Lexicon) (game.Move, error) {
	g, err := movegen.New(dict, t.Equipment, t.Rules)
	if err != nil {
		return game.Move{}, err
	}
	var best game.Move
	var score int32
	for _, p := range g.Plays(&t.Board, t.Common) {
		m := p.Move()
		if best.Kind == 0 || p.Score > score || p.Score == score && before(m, best) {
			best, score = m, p.Score
		}
	}
	return best, nil
}

// before orders plays of equal scores.
func before(a, b game.Move) bool {
	if x, y := len(a.Laid()), len(b.Laid()); x != y {
		return x < y
	}
	if a.Dir != b.Dir {
		return a.Dir < b.Dir
	}
	if a.At != b.At {
		return a.At.Row < b.At.Row || a.At.Row == b.At.Row && a.At.Col < b.At.Col
	}
	return a.Tiles < b.Tiles
}

// explainDuplicate says how to mend mistakes that only duplicate has, or has in
// other words.
func explainDuplicate(t table.Table, e *game.RuleError) bot.Text {
	switch e.Code {
	case game.AlreadySeated:
		if t.Phase == game.Playing {
			return bot.Glue("You play already. ", bot.Code("/submit"), " hands your play in, ", bot.Code("/rack"), " shows the tiles.")
		}
	case game.NotAWord:
		return bot.Glue(words.NotWords(t.Equipment.Tiles, e.Words), " not in the word list ", bot.Code(t.Lexicon.Name), ". What you submitted before, if anything, still counts, so try another word.")
	}
	return nil
}

// duplicateFiles are what an export has beside the master game and the proof.
func duplicateFiles(id bot.TableID, events []game.Event) ([]bot.File, error) {
	scores, err := record.Scores(events)
	if err != nil {
		return nil, err
	}
	return []bot.File{{Name: fmt.Sprintf("rackmate-%d-scores.csv", id), Type: "text/csv; charset=utf-8", Data: scores}}, nil
}

// duplicateFinal sums a game up for the best of those who played.
func duplicateFinal(t table.Table) imaging.FinalCard {
	card := imaging.FinalCard{Caption: "Game over: " + duplicateCaption(t)}
	totals := make([][]int, len(t.Seats))
	best := make([]game.Submission, len(t.Seats))
	bingos := make([]int, len(t.Seats))
	var s game.State
	for _, e := range t.Events {
		if f, ok := e.Fact.(game.TurnScored); ok {
			for i, points := range f.Scores {
				total := points
				if n := len(totals[i]); n > 0 {
					total += totals[i][n-1]
				}
				totals[i] = append(totals[i], total)
				sub := s.Submission(i)
				if points > 0 && len(sub.Move.Laid()) >= t.Rules.BonusTiles {
					bingos[i]++
				}
				if points > best[i].Score {
					best[i] = sub
				}
			}
		}
		s = s.Apply(e)
	}
	v := view.PublicView(t.State, "")
	for _, seat := range t.Ranking()[:min(len(t.Seats), mostShown)] {
		f := imaging.Finalist{Player: v.Players[seat], Totals: totals[seat], Bingos: bingos[seat]}
		if sub := best[seat]; sub.Score > 0 {
			f.Best = fmt.Sprintf("%s at %s for %d", words.PlainWord(t.Equipment.Tiles, sub.Words[0].Tiles), sub.Move.At.At(sub.Move.Dir), sub.Score)
		}
		card.Players = append(card.Players, f)
	}
	return card
}
