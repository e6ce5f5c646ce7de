package record

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// A Proof shows that the draws of a finished game were fair. It is a JSON file:
//
//	{
//	  "format": "rackmate proof 1",
//	  "commitment": "9f86d0…",
//	  "secret": "00112233…",
//	  "events": [
//	    {"v":1,"n":0,…},
//	    {"v":1,"n":1,…},
//	    …
//	  ]
//	}
//
// The events are everything that happened at the table, as [MarshalEvent] returns them.
// data/formats/proof.md explains how to verify it, with this program or your own; the web adapter's
// verifier was written from that page alone.
//
// [Proof.Check] repeats every draw and checks every event against the rules again.
type Proof struct {
	Commitment string
	Secret     game.Secret
	Events     []game.Event
}

const proofFormat = "rackmate proof 1"

// proofV1 is the file format.
type proofV1 struct {
	Format     string            `json:"format"`
	Commitment string            `json:"commitment"`
	Secret     string            `json:"secret"`
	Events     []json.RawMessage `json:"events"`
}

// NewProof returns the proof of a game. The error is [ErrNotOver], or describes a broken log.
func NewProof(events []game.Event) (Proof, error) {
	s, err := replayFinished(events)
	if err != nil {
		return Proof{}, err
	}
	return Proof{Commitment: s.Secret.Commitment(), Secret: s.Secret, Events: events}, nil
}

// File returns the proof as a file with one event a line.
func (p Proof) File() ([]byte, error) {
	lines, err := MarshalLog(p.Events)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "{\n\"format\": %q,\n\"commitment\": %q,\n\"secret\": \"%x\",\n\"events\": [\n%s\n]\n}\n",
		proofFormat, p.Commitment, p.Secret[:], bytes.Join(lines, []byte(",\n"))), nil
}

// ParseProof parses the file. It doesn't verify the proof; Check does.
func ParseProof(data []byte) (Proof, error) {
	var file proofV1
	if err := unmarshal(data, &file); err != nil {
		return Proof{}, fmt.Errorf("not a proof: %w", err)
	}
	if file.Format != proofFormat {
		return Proof{}, fmt.Errorf("not a proof: its format is %q, not %q", file.Format, proofFormat)
	}
	p := Proof{Commitment: file.Commitment}
	secret, err := hex.DecodeString(file.Secret)
	if err != nil || len(secret) != len(p.Secret) {
		return Proof{}, fmt.Errorf("the secret is not %d bytes in hex", len(p.Secret))
	}
	copy(p.Secret[:], secret)
	lines := make([][]byte, len(file.Events))
	for i, e := range file.Events {
		lines[i] = e
	}
	p.Events, err = UnmarshalLog(lines)
	return p, err
}

// Chain returns the link after the last event, with all events in today's stored form.
func (p Proof) Chain() Link {
	lines, err := MarshalLog(p.Events)
	if err != nil {
		return Link{} // can't happen with a parsed log
	}
	return chain(lines)
}

// Check repeats every draw and checks every event against the rules again, so that scores, turns,
// bonuses and the end are verified too. The word list isn't available, so it takes the results of
// challenges from the log. It returns the number of draws. The error says which event is wrong.
func (p Proof) Check() (n int, err error) {
	if got := p.Secret.Commitment(); got != p.Commitment {
		return 0, fmt.Errorf("the secret gives the commitment %s, the file says %s", got, p.Commitment)
	}
	if len(p.Events) == 0 {
		return 0, errors.New("no events")
	}
	if f, ok := p.Events[0].Fact.(game.Opened); !ok || f.Secret != p.Secret {
		return 0, errors.New("event 0 doesn't open a table with that secret")
	}
	var s game.State
	for at := 0; at < len(p.Events); {
		must, err := decideAgain(s, p.Events[at:], p.setUp)
		if err != nil {
			return n, fmt.Errorf("event %d: %w", at, err)
		}
		for _, want := range must {
			if at == len(p.Events) {
				return n, fmt.Errorf("event %d is missing", at)
			}
			got := p.Events[at]
			if err := explainDifference(s, got, want); err != nil {
				return n, err
			}
			if hasDrawn(got.Fact) {
				n++
			}
			s = s.Apply(got)
			at++
		}
	}
	if s.Phase != game.Over || s.End == nil {
		return n, ErrNotOver
	}
	return n, nil
}

// decideAgain performs the recorded action and returns the events that must follow from it by the rules
// and the seed.
func decideAgain(s game.State, events []game.Event, setUp func(game.Seed) (game.SetUp, error)) ([]game.Event, error) {
	e := events[0]
	var since time.Time
	if f, ok := e.Fact.(game.Timed); ok && len(events) > 1 {
		// the next event has the action; this one only its duration
		since, e = e.At.Add(-f.Took), events[1]
	}
	d, err := actionBehind(s, e.Fact)
	if err != nil {
		return nil, err
	}
	if d.seat >= len(s.Seats) {
		return nil, fmt.Errorf("no seat %d", d.seat)
	}
	if d.seat >= 0 {
		d.by = s.Seats[d.seat].Person
	}
	return game.Decide(s, d.by, d.do, game.Env{Dict: d.dict, Posted: since, Now: e.At, Cause: e.Cause, Secret: d.secret, SetUp: setUp})
}

// An action caused an event. A seat performed it, or a person if the seat is -1, or no one.
type action struct {
	seat   int
	by     game.Person
	do     game.Action
	dict   ruling
	secret game.Secret
}

// actionBehind returns the action that caused a fact.
func actionBehind(s game.State, fact game.Fact) (d action, err error) {
	d = action{seat: -1, secret: s.Secret}
	switch f := fact.(type) {
	case game.Opened:
		d.by, d.secret = f.Host, f.Secret
		d.do = game.Open{Rules: f.Rules, Pace: f.Pace, Equipment: f.Equipment, Lexicon: f.Lexicon, Seats: f.Seats, Invited: f.Invited, First: f.First, Earlier: f.Earlier}
	case game.Joined:
		d.by, d.do = f.Person, game.Join{}
	case game.Started:
		d.seat, d.do = 0, game.Start{}
	case game.Balloted:
		d.seat, d.do = f.Seat, game.Vote{Order: f.Order}
	case game.Ordered:
		d.do = game.TimeUp{} // not everyone voted
	case game.Left:
		d.seat, d.do = f.Seat, game.Leave{}
	case game.Played:
		d.seat, d.do = f.Seat, game.Play{Move: f.Move, Draw: game.Wish{Given: true, Vowels: f.Vowels}}
	case game.Exchanged:
		d.seat, d.do = f.Seat, game.Exchange{Tiles: f.Put, Draw: game.Wish{Given: true, Vowels: f.Vowels}}
	case game.Passed:
		d.seat, d.do = f.Seat, game.Pass{}
	case game.Challenged:
		d.seat, d.do = f.By, challengeFor(s, f)
		d.dict = ruling{f.Invalid}
	case game.Accepted:
		d.seat, d.do = f.Seat, game.Pass{}
	case game.Resigned:
		d.seat, d.do = f.Seat, game.Resign{}
	case game.Agreed:
		d.seat, d.do = f.Seat, game.Agree{}
	case game.Hinted:
		d.seat, d.do = f.Seat, game.Hint{}
	case game.TimedOut:
		d.do = game.Expire{}
	case game.Claimed:
		d.seat, d.do = f.By, game.Claim{}
	case game.Waited:
		d.seat, d.do = f.By, game.WaitOn{}
	case game.WentAway:
		d.seat, d.do = f.Seat, game.GoAway{Until: f.Until}
	case game.CameBack:
		d.seat, d.do = f.Seat, game.ComeBack{}
	case game.Vacated:
		if f.Seat < 0 || f.Seat >= len(s.Seats) {
			return d, fmt.Errorf("no seat %d", f.Seat)
		}
		d.do = game.Vacate{Player: s.Seats[f.Seat].Person.ID}
	case game.Adopted:
		d.by, d.do = f.Person, game.Adopt{}
	case game.Ended:
		d.by, d.do = endAction(f)
	case game.Act:
		d.seat, d.do = f.Act()
		if f, ok := f.(game.Ruling); ok {
			d.dict = ruling{f.Ruled()}
		}
	default:
		return d, fmt.Errorf("%T has no cause", fact)
	}
	return d, nil
}

// endAction returns who ended a game, and the action.
func endAction(f game.Ended) (by game.Person, do game.Action) {
	switch {
	case f.Reason == game.StoppedEnd || f.By.ID != "":
		return f.By, game.Stop{Abandoned: f.Reason == game.AbandonedEnd}
	case f.Reason == game.AbandonedEnd:
		return by, game.Abandon{}
	}
	return by, game.TimeUp{}
}

// setUp returns the starting position from the log. It was public, and making it again would take a
// word list.
func (p Proof) setUp(game.Seed) (game.SetUp, error) {
	for _, e := range p.Events {
		if f, ok := e.Fact.(game.SetUp); ok {
			return f, nil
		}
	}
	return game.SetUp{}, errors.New("the position it began from is missing")
}

// challengeFor returns the challenge that led to a fact. A word formed twice counts twice in a
// challenge of the whole play, which names none.
func challengeFor(s game.State, f game.Challenged) game.Challenge {
	var all []game.Tiles
	if s.Latest != nil {
		for _, w := range s.Latest.Words {
			if !slices.Contains(s.Latest.Judged, w.Tiles) {
				all = append(all, w.Tiles)
			}
		}
	}
	if slices.Equal(f.Words, all) {
		return game.Challenge{}
	}
	return game.Challenge{Words: f.Words}
}

// A ruling is the dictionary that gives a challenge its recorded result.
type ruling struct{ invalid []game.Tiles }

func (r ruling) Has(word lexicon.Word) bool {
	return !slices.ContainsFunc(r.invalid, func(w game.Tiles) bool { return game.ScoredWord{Tiles: w}.Letters() == word })
}

// drawnTiles returns the tiles drawn from the bag.
func drawnTiles(f game.Fact) game.Tiles {
	switch f := f.(type) {
	case game.OrderDrawn:
		return f.Tiles
	case game.Dealt:
		var all game.Tiles
		for _, rack := range f.Racks {
			all += rack
		}
		return all
	case game.Played:
		return f.Drew
	case game.Exchanged:
		return f.Drew
	case game.Drawing:
		return f.Drawn()
	}
	return ""
}

// hasDrawn reports whether an event drew something.
func hasDrawn(f game.Fact) bool {
	if f, ok := f.(game.Ordered); ok {
		return f.Among > 1
	}
	return len(drawnTiles(f)) > 0
}

// explainDifference returns how an event differs from the expected one, or nil.
func explainDifference(s game.State, got, want game.Event) error {
	set := s.Equipment.Tiles
	a, err := MarshalEvent(set, got)
	if err != nil {
		return err
	}
	b, err := MarshalEvent(set, want)
	if err != nil {
		return err
	}
	if bytes.Equal(a, b) {
		return nil
	}
	if x, y := drawnTiles(got.Fact), drawnTiles(want.Fact); x != y && fmt.Sprintf("%T", got.Fact) == fmt.Sprintf("%T", want.Fact) {
		return fmt.Errorf("event %d drew %s, the seed gives %s", want.Number, orDash(set.Print(x)), orDash(set.Print(y)))
	}
	x, okX := got.Fact.(game.Played)
	y, okY := want.Fact.(game.Played)
	if okX && okY && x.Score != y.Score {
		return fmt.Errorf("event %d scored %d, the rules give %d", want.Number, x.Score, y.Score)
	}
	return fmt.Errorf("event %d is %s, the rules give %s", want.Number, a, b)
}
