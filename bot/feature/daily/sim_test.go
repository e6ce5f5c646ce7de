package daily_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/bottest"
	"github.com/rackmate/rackmate/bot/feature/daily"
	"github.com/rackmate/rackmate/bot/features/featuretest"
	"github.com/rackmate/rackmate/bot/host"
	"github.com/rackmate/rackmate/game/gametest"
)

// zones lists the zones of the simulated places. Clocks go forward in Berlin on the 29th of March,
// and back on the 5th of April on Lord Howe (by half an hour) and in Auckland; the others don't
// change.
var zones = []string{"Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Auckland", "Pacific/Honolulu"}

// A months simulates places that play daily boards for some time.
type months struct {
	*world
	random *rand.Rand
	stop   func()
	people map[bot.ChannelID][]bot.User
	plays  map[string][]string // by board: plays believed to be legal
}

// in returns a request in a place.
func (l *months) in(place bot.ChannelID, who bot.User, line string) bot.Request {
	req := l.Request(who, line)
	req.Channel = place
	return req
}

// playsOf fetches plays for a place's board of the day and returns the board's key.
func (l *months) playsOf(place bot.ChannelID, who bot.User) (board string) {
	key, err := boardPages{l.World}.todayKey(l.T.Context(), l.in(place, who, "daily"))
	gametest.Must(l.T, err)
	board, _, _ = strings.Cut(key, "~")
	if l.plays[board] != nil {
		return board
	}
	l.plays[board] = []string{}
	for word := range strings.FieldsSeq(strings.ToLower(gametest.SmallList)) {
		for _, c := range l.Host.Complete(l.T.Context(), l.in(place, who, "daily "+word), "at") {
			l.plays[board] = append(l.plays[board], word+" "+c.Value)
		}
	}
	return board
}

// tries makes a person try a play.
func (l *months) tries(place bot.ChannelID, who bot.User) {
	board := l.playsOf(place, who)
	for len(l.plays[board]) > 0 {
		i := l.random.IntN(len(l.plays[board]))
		r := l.Host.Handle(l.T.Context(), l.in(place, who, "daily "+l.plays[board][i]))
		if !strings.Contains(r.Text.String(), "not in the word list") {
			return
		}
		l.plays[board] = slices.Delete(l.plays[board], i, i+1)
	}
}

// dies stops the process and restarts it after a while.
func (l *months) dies(away time.Duration) {
	l.stop()
	time.Sleep(away)
	l.Host = host.New(l.Config)
	l.stop = l.Run()
	synctest.Wait()
}

// Two hundred people play for sixty days in five zones, with clock changes, outages and crashes.
// Then an independent count, from the export alone, checks streaks, bands and rankings.
func TestSixtyDaysOfDaily(t *testing.T) {
	days, crowd := gametest.Rounds(8, 60), gametest.Rounds(25, 200)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	featuretest.InSpring(t, func(t *testing.T) {
		w := newWorld(t)
		l := &months{world: w, random: rand.New(rand.NewPCG(seed, 1)), people: map[bot.ChannelID][]bot.User{}, plays: map[string][]string{}}
		l.stop = w.Run()
		var places []bot.ChannelID
		for i, zone := range zones {
			place := bot.ChannelID("test:" + zone)
			places = append(places, place)
			req := l.in(place, bottest.People["mod"], "settings for:channel daily:"+[]string{"9:00", "2:30", "2:00", "2:15", "23:00"}[i]+" zone:"+zone)
			req.Manager = true
			featuretest.Wants(t, w.Host.Handle(t.Context(), req), false, zone)
			for n := range crowd / len(zones) {
				id := fmt.Sprintf("%d of %s", n, zone)
				l.people[place] = append(l.people[place], bot.User{ID: bot.PlayerID("test:" + id), Name: id})
			}
		}
		outages := map[int]time.Duration{}
		for _, hours := range []time.Duration{1, 2, 3, 5, 9, 30} {
			outages[l.random.IntN(24*days)] += hours*time.Hour - 20*time.Minute
		}
		for hour := range 24 * days {
			if away := outages[hour]; away > 0 {
				l.dies(away)
			} else if l.random.IntN(30) == 0 {
				l.dies(time.Duration(l.random.IntN(60)) * time.Second)
			}
			for _, place := range places {
				for n, who := range l.people[place] {
					if often := 20; l.random.IntN(often) == 0 || n == 0 && l.random.IntN(4) == 0 {
						l.tries(place, who)
					}
				}
			}
			time.Sleep(time.Until(time.Now().Truncate(time.Hour).Add(time.Hour + time.Duration(l.random.IntN(3000))*time.Second)))
			synctest.Wait()
		}
		l.countedAgain(places)
	})
}

// countedAgain counts from the exported answers and compares.
func (l *months) countedAgain(places []bot.ChannelID) {
	t := l.T
	t.Helper()
	var exported bytes.Buffer
	if r, err := daily.Recount(t.Context(), l.Config.Notes, &exported); err != nil || r.Differences != 0 {
		t.Errorf("our own recount finds %+v (%v)", r, err)
	}
	type answer struct {
		Place, Player, Name string
		Day                 int
		Tries               []struct {
			At    time.Time
			Score int
			Band  int
		}
	}
	type dayRow struct {
		Opens, Ends, Posted time.Time
		Over                bool
		Excuse              string
	}
	answers := map[string]map[int][]answer{} // by place and day
	for line := range strings.Lines(exported.String()) {
		var a answer
		gametest.Must(t, json.Unmarshal([]byte(line), &a))
		if answers[a.Place] == nil {
			answers[a.Place] = map[int][]answer{}
		}
		answers[a.Place][a.Day] = append(answers[a.Place][a.Day], a)
	}
	days := map[string]map[int]dayRow{}
	for _, row := range l.rows("daily-days") {
		place, day, _ := strings.Cut(row.Key, "\x00")
		var d dayRow
		n, err := strconv.Atoi(day)
		gametest.Must(t, errors.Join(err, json.Unmarshal(row.Value, &d)))
		if days[place] == nil {
			days[place] = map[int]dayRow{}
		}
		days[place][n] = d
	}
	counted := 0
	for _, place := range places {
		zone, err := time.LoadLocation(strings.TrimPrefix(string(place), "test:"))
		gametest.Must(t, err)
		var numbers []int
		for n, d := range days[string(place)] {
			numbers = append(numbers, n)
			if d.Posted.IsZero() && !d.Over {
				continue // before the first board was posted: people played alone
			}
			// A day ends at the hour by the place's clock, and no time passes between two days.
			if next, had := days[string(place)][n+1]; had && next.Opens.Before(d.Ends) {
				t.Errorf("%s: day %d opens %s, before the last ends, %s", place, n+1, next.Opens, d.Ends)
			}
			if hour := d.Ends.In(zone).Format("15:04"); !slices.Contains([]string{"09:00", "02:30", "02:00", "02:15", "23:00"}, hour) {
				t.Errorf("%s: day %d ends at %s", place, n, hour)
			}
			if d.Posted.IsZero() != (d.Excuse == "unposted") {
				t.Errorf("%s: day %d was posted %s, and its excuse is %q", place, n, d.Posted, d.Excuse)
			}
		}
		slices.Sort(numbers)
		for _, who := range l.people[place] {
			run, rest, row, longest, all := 0, 0, 0, 0, 0
			var last int
			for _, n := range numbers {
				if slices.ContainsFunc(answers[string(place)][n], func(a answer) bool { return a.Player == string(who.ID) }) {
					last = n
				}
			}
			for _, n := range numbers {
				if n > last {
					break
				}
				if slices.ContainsFunc(answers[string(place)][n], func(a answer) bool { return a.Player == string(who.ID) }) {
					run, row, all = run+1, row+1, all+1
					if row == 7 {
						rest, row = min(rest+1, 2), 0
					}
					longest = max(longest, run)
					continue
				}
				if days[string(place)][n].Excuse != "" || run == 0 {
					continue
				}
				if row = 0; rest > 0 {
					rest--
				} else {
					run = 0
				}
			}
			var p daily.Player
			for _, r := range l.rows("daily-players") {
				if r.Key == string(who.ID) {
					gametest.Must(t, json.Unmarshal(r.Value, &p))
				}
			}
			if s := p.Streak; s.Run != run || s.Rest != rest || s.Best != longest || s.Days != all {
				t.Errorf("%s has the streak %+v; counted again it is %d with %d rest days, at best %d, of %d", who.Name, s, run, rest, longest, all)
			}
			counted += all
		}
		l.rankedAgain(place, numbers, func(n int) (order []string) {
			list := slices.Clone(answers[string(place)][n])
			best := func(a answer) (score, tries int, at time.Time) {
				for i, t := range a.Tries {
					if i == 0 || t.Score > score {
						score, tries, at = t.Score, i+1, t.At
					}
				}
				return score, tries, at
			}
			slices.SortFunc(list, func(a, b answer) int {
				s1, n1, t1 := best(a)
				s2, n2, t2 := best(b)
				return cmp.Or(cmp.Compare(s2, s1), cmp.Compare(n1, n2), t1.Compare(t2), cmp.Compare(a.Player, b.Player))
			})
			for _, a := range list {
				line := a.Name
				for _, t := range a.Tries {
					line += fmt.Sprintf(" %d/%d", t.Score, t.Band)
				}
				order = append(order, line)
			}
			return order
		})
		posts := map[int]string{}
		posted, _ := l.messages()
		for _, m := range posted {
			if m.Channel != place {
				continue
			}
			if key, had := posts[m.Number]; had && key != m.Key {
				t.Errorf("%s has two messages on day %d", place, m.Number)
			}
			posts[m.Number] = m.Key
		}
		if len(posts) < len(numbers)-3 {
			t.Errorf("%s has %d messages on %d days", place, len(posts), len(numbers))
		}
	}
	if counted < 100 {
		t.Errorf("only %d answers were counted", counted)
	}
	t.Logf("%d days were played", counted)
}

// rankedAgain compares the pages of a place's days with an independent ranking, and bands with
// points.
func (l *months) rankedAgain(place bot.ChannelID, numbers []int, order func(n int) []string) {
	t := l.T
	t.Helper()
	key, err := boardPages{l.World}.todayKey(t.Context(), l.in(place, l.people[place][0], "daily"))
	for key != "" {
		gametest.Must(t, err)
		req := l.in(place, bottest.People["mod"], "daily")
		d, failed := boardPages{l.World}.page(t.Context(), key, req)
		if failed != nil {
			t.Fatal(failed)
		}
		if d.Over {
			var lines []string
			for _, r := range d.Results {
				line := r.Name
				for _, try := range r.Tries {
					line += fmt.Sprintf(" %d/%d", try.Score, try.Level)
					part, level := float64(try.Score)/float64(d.Plays[0].Score), 0
					for _, edge := range []float64{1, 0.9, 0.75, 0.5} {
						if part < edge {
							level++
						}
					}
					if level != try.Level {
						t.Errorf("%s, board %d: %d of %d has the band %d", place, d.Number, try.Score, d.Plays[0].Score, try.Level)
					}
				}
				lines = append(lines, line)
			}
			if want := order(d.Number); !slices.Equal(lines, want) {
				t.Errorf("%s, board %d: the ranking is %q; counted again it is %q", place, d.Number, lines, want)
			}
		}
		key = d.Before
	}
}

// rows returns all rows of a shelf.
func (l *months) rows(shelf string) (all []bot.Row) {
	l.T.Helper()
	for after := ""; ; {
		page, err := l.Config.Notes.Scan(l.T.Context(), shelf, "", after, 1000)
		gametest.Must(l.T, err)
		all = append(all, page...)
		if len(page) < 1000 {
			return all
		}
		after = page[len(page)-1].Key
	}
}
