package record

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

// LogVersion is the version of the stored events. Events of every version
// there has been can be read, always; testdata has a log of each.
const LogVersion = 1

// MarshalEvent writes an event as it is stored, one JSON object:
//
//	{"v":1,"n":9,"at":"2026-03-01T12:00:00.000Z","cause":"request-7",
//	 "kind":"played","fact":{"seat":0,"at":"8G","tiles":"HoRN", ...}}
//
// n is the event's number, at its time in UTC to the millisecond, cause the id
// of the request that caused it. Seats count from 0. Tiles are in the notation
// of the table's tile set (see [game.TileSet.Print]), squares as in GCG. The
// event Opened holds the tile set; for that one set may be nil.
//
// The stored types are apart from those of package game, so that these may
// change. They hold the rules and the equipment whole: a game replays for
// ever, whatever becomes of what was named.
func MarshalEvent(set *game.TileSet, e game.Event) ([]byte, error) {
	if f, ok := e.Fact.(game.Opened); ok {
		set = f.Equipment.Tiles
	}
	w := notation{set: set}
	kind, fact := w.store(e.Fact)
	if w.err != nil {
		return nil, fmt.Errorf("store event %d (%T): %w", e.Number, e.Fact, w.err)
	}
	raw, err := json.Marshal(fact)
	if err != nil {
		return nil, fmt.Errorf("store event %d: %w", e.Number, err)
	}
	return json.Marshal(envelope{V: LogVersion, N: e.Number, At: storeTime(e.At), Cause: e.Cause, Kind: kind, Fact: raw})
}

// UnmarshalEvent reads what MarshalEvent writes. It is strict: a field that it
// doesn't know would be a fact that is lost, so that is an error, as an unknown
// version or kind is.
func UnmarshalEvent(set *game.TileSet, data []byte) (game.Event, error) {
	var env envelope
	if err := unmarshal(data, &env); err != nil {
		// The version says more, if only that can be read.
		var v struct{ V int }
		if json.Unmarshal(data, &v) != nil || v.V == LogVersion || v.V == 0 {
			return game.Event{}, fmt.Errorf("stored event: %w", err)
		}
		env.V = v.V
	}
	if env.V != LogVersion {
		return game.Event{}, fmt.Errorf("stored event: its format is version %d, this program knows %d: use a newer one", env.V, LogVersion)
	}
	at, err := time.Parse(timeFormat, env.At)
	if err != nil {
		return game.Event{}, fmt.Errorf("stored event %d: %q is no time", env.N, env.At)
	}
	stored := newStored(env.Kind)
	if stored == nil {
		return game.Event{}, fmt.Errorf("stored event %d: there is no kind %q", env.N, env.Kind)
	}
	if !bytes.HasPrefix(env.Fact, []byte("{")) {
		return game.Event{}, fmt.Errorf("stored event %d: it has no fact", env.N)
	}
	if err := unmarshal(env.Fact, stored); err != nil {
		return game.Event{}, fmt.Errorf("stored event %d, %s: %w", env.N, env.Kind, err)
	}
	r := notation{set: set}
	fact := stored.fact(&r)
	if r.err != nil {
		return game.Event{}, fmt.Errorf("stored event %d, %s: %w", env.N, env.Kind, r.err)
	}
	return game.Event{Number: env.N, At: at, Cause: env.Cause, Fact: fact}, nil
}

// MarshalLog writes a table's events, from the first one.
func MarshalLog(events []game.Event) ([][]byte, error) {
	var lines [][]byte
	var set *game.TileSet
	for _, e := range events {
		if f, ok := e.Fact.(game.Opened); ok {
			set = f.Equipment.Tiles
		}
		line, err := MarshalEvent(set, e)
		if err != nil {
			return nil, err
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// UnmarshalLog reads a table's events, from the first one. Whether they make a
// game is for [game.Replay] to say.
func UnmarshalLog(lines [][]byte) ([]game.Event, error) {
	var events []game.Event
	var set *game.TileSet
	for _, line := range lines {
		e, err := UnmarshalEvent(set, line)
		if err != nil {
			return nil, err
		}
		if f, ok := e.Fact.(game.Opened); ok {
			set = f.Equipment.Tiles
		}
		events = append(events, e)
	}
	return events, nil
}

// unmarshal reads one JSON value without fields that v doesn't have.
func unmarshal(data []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("something follows the JSON object")
	}
	return nil
}

const timeFormat = "2006-01-02T15:04:05.000Z"

func storeTime(t time.Time) string { return t.UTC().Format(timeFormat) }

type envelope struct {
	V     int             `json:"v"`
	N     int             `json:"n"`
	At    string          `json:"at"`
	Cause string          `json:"cause"`
	Kind  string          `json:"kind"`
	Fact  json.RawMessage `json:"fact"`
}

// A stored fact is what an envelope holds.
type stored interface {
	fact(*notation) game.Fact
}

// The stored types, version 1.
type (
	openedV1 struct {
		Rules   rulesV1      `json:"rules"`
		Pace    *paceV1      `json:"pace,omitempty"`
		Layout  layoutV1     `json:"layout"`
		Tiles   tilesV1      `json:"tiles"`
		Lexicon lexiconV1    `json:"lexicon"`
		Secret  string       `json:"secret"` // hex
		Host    personV1     `json:"host"`
		Seats   int          `json:"seats"`
		Invited []personV1   `json:"invited,omitempty"`
		First   *personV1    `json:"first,omitempty"`
		Earlier []standingV1 `json:"earlier,omitempty"`
	}
	rulesV1 struct {
		Name           string `json:"name"`
		MinPlayers     int    `json:"min_players"`
		MaxPlayers     int    `json:"max_players"`
		UsualSeats     int    `json:"usual_seats,omitempty"`
		RackSize       int    `json:"rack_size"`
		Bonus          int    `json:"bonus"`
		BonusTiles     int    `json:"bonus_tiles"`
		UseLetter      bool   `json:"use_letter,omitempty"`
		ExchangeMin    int    `json:"exchange_min"`
		Challenge      string `json:"challenge"`
		ChallengeTime  string `json:"challenge_time"` // as time.Duration prints: "24h0m0s"
		ScorelessTurns int    `json:"scoreless_turns"`
		Elect          bool   `json:"elect,omitempty"`
		PassRounds     int    `json:"pass_rounds,omitempty"`
		ZeroPlays      bool   `json:"zero_plays"`
		OutBonus       string `json:"out_bonus"`
		Agreement      bool   `json:"agreement"`
		WordCheck      bool   `json:"word_check"`
		Hints          bool   `json:"hints,omitempty"`
		Unrated        bool   `json:"unrated,omitempty"`
		Order          string `json:"order,omitempty"` // "": drawn, as all were once
		Variant        string `json:"variant,omitempty"`

		Duplicate *duplicateV1 `json:"duplicate,omitempty"`
		Games     int          `json:"games,omitempty"`
		TieBreak  bool         `json:"tie_break,omitempty"`

		Clock *clockV1 `json:"clock,omitempty"`
	}
	paceV1 struct {
		Turn    string `json:"turn"`              // as time.Duration prints
		Bank    string `json:"bank,omitempty"`    // the same
		Weekend string `json:"weekend,omitempty"` // an IANA time zone
		Late    string `json:"late"`
	}
	standingV1 struct {
		Player personV1 `json:"player"`
		Wins   int      `json:"wins"`
		Points int      `json:"points"`
	}
	clockV1 struct {
		On      bool   `json:"on,omitempty"`
		Time    string `json:"time"` // as time.Duration prints: "25m0s"
		Penalty int    `json:"penalty"`
		Limit   string `json:"limit"`
		Loses   bool   `json:"loses,omitempty"`
	}
	layoutV1 struct {
		Name string   `json:"name"`
		Rows []string `json:"rows"`
	}
	tilesV1 struct {
		Name    string   `json:"name"`
		Letters []kindV1 `json:"letters"` // in sorting order
		Blank   kindV1   `json:"blank"`

		Folding *foldingV1 `json:"folding,omitempty"`
	}
	// A foldingV1 is how typed words become tiles; written ones don't need it.
	foldingV1 struct {
		Own   bool              `json:"own,omitempty"`
		Map   map[string]string `json:"map,omitempty"`
		Typed map[string]string `json:"typed,omitempty"`
		Both  []string          `json:"both,omitempty"`
	}
	kindV1 struct {
		Text  string `json:"text"`
		Count int    `json:"count"`
		Value int    `json:"value"`
		Vowel bool   `json:"vowel,omitempty"`
	}
	lexiconV1 struct {
		Name string `json:"name"`
		Hash string `json:"hash"`

		Added   string `json:"added,omitempty"` // house words, with spaces between
		Removed string `json:"removed,omitempty"`
	}
	personV1 struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	}
	joinedV1 struct {
		Person personV1 `json:"person"`
	}
	leftV1    seatV1
	closedV1  struct{}
	startedV1 struct{}
	timedV1   struct {
		Seat int    `json:"seat"`
		Took string `json:"took"` // as time.Duration prints
	}
	polledV1 struct {
		Until string `json:"until"`
	}
	ballotedV1 struct {
		Seat  int   `json:"seat"`
		Order []int `json:"order,omitempty"`
	}
	orderedV1 struct {
		Order []int `json:"order"`
		Among int   `json:"among"`
	}
	orderDrawnV1 struct {
		Seats []int  `json:"seats"`
		Tiles string `json:"tiles"`
	}
	dealtV1 struct {
		First int      `json:"first"`
		Racks []string `json:"racks"`

		Vowels []int `json:"vowels,omitempty"`
	}
	playedV1 struct {
		Seat  int      `json:"seat"`
		At    string   `json:"at"`
		Tiles string   `json:"tiles"`
		Words []wordV1 `json:"words"`
		Score int      `json:"score"`
		Drew  string   `json:"drew"`

		Vowels int `json:"vowels,omitempty"`
	}
	wordV1 struct {
		At    string `json:"at"`
		Tiles string `json:"tiles"`
		Score int    `json:"score"`
	}
	exchangedV1 struct {
		Seat int    `json:"seat"`
		Put  string `json:"put"`
		Drew string `json:"drew"`

		Vowels int `json:"vowels,omitempty"`
	}
	passedV1     seatV1
	turnLostV1   seatV1
	challengedV1 struct {
		By        int      `json:"by"`
		Player    int      `json:"player"`
		Words     []string `json:"words"`
		Invalid   []string `json:"invalid,omitempty"`
		Bonus     int      `json:"bonus,omitempty"`
		Cost      int      `json:"cost,omitempty"`
		LosesTurn bool     `json:"loses_turn,omitempty"`
		LosesGame bool     `json:"loses_game,omitempty"`
	}
	lastPlayV1 struct {
		Until string `json:"until"`
	}
	acceptedV1 seatV1
	resignedV1 seatV1
	hintedV1   seatV1
	timedOutV1 seatV1
	claimedV1  struct {
		By   int `json:"by"`
		Seat int `json:"seat"`
	}
	waitedV1 struct {
		By int `json:"by"`
	}
	wentAwayV1 struct {
		Seat  int    `json:"seat"`
		Until string `json:"until"`
	}
	cameBackV1 seatV1
	vacatedV1  seatV1
	adoptedV1  struct {
		Seat   int      `json:"seat"`
		Person personV1 `json:"person"`
	}
	agreedV1 seatV1
	endedV1  struct {
		Reason  string   `json:"reason"`
		Racks   []string `json:"racks"`
		Adjust  []int    `json:"adjust"`
		Winners []int    `json:"winners"`

		Overtime []int     `json:"overtime,omitempty"`
		By       *personV1 `json:"by,omitempty"`
	}
	// A seatV1 is what the facts are that say only who.
	seatV1 struct {
		Seat int `json:"seat"`
	}
)

// endReasons are the names that stored events have for them.
var endReasons = []string{
	game.WentOut: "went-out", game.ScorelessEnd: "scoreless", game.AgreementEnd: "agreement",
	game.ResignationEnd: "resignation", game.TripleEnd: "triple",
	game.ForsakenEnd: "forsaken", game.PassedEnd: "passed", game.OvertimeEnd: "overtime",
	game.StuckEnd: "stuck", game.StoppedEnd: "stopped",
}

// store makes a fact's stored form.
func (w *notation) store(f game.Fact) (kind string, fact any) {
	switch f := f.(type) {
	case game.Opened:
		return "opened", w.opened(f)
	case game.Joined:
		return "joined", joinedV1{storePerson(f.Person)}
	case game.Left:
		return "left", leftV1{f.Seat}
	case game.Closed:
		return "closed", closedV1{}
	case game.Started:
		return "started", startedV1{}
	case game.Timed:
		return "timed", timedV1{f.Seat, f.Took.String()}
	case game.Polled:
		return "polled", polledV1{storeTime(f.Until)}
	case game.Balloted:
		return "balloted", ballotedV1(f)
	case game.Ordered:
		return "ordered", orderedV1(f)
	case game.OrderDrawn:
		return "order-drawn", orderDrawnV1{f.Seats, w.print(f.Tiles)}
	case game.Dealt:
		return "dealt", dealtV1{f.First, w.printAll(f.Racks), f.Vowels}
	case game.Played:
		s := playedV1{Seat: f.Seat, At: w.at(f.Move.At, f.Move.Dir), Tiles: w.print(f.Move.Tiles), Score: f.Score, Drew: w.print(f.Drew), Vowels: f.Vowels}
		if f.Move.Kind != game.PlayTiles {
			w.fail(errors.New("a play that lays no tiles"))
		}
		for _, word := range f.Words {
			s.Words = append(s.Words, wordV1{w.at(word.At, word.Dir), w.print(word.Tiles), word.Score})
		}
		return "played", s
	case game.Exchanged:
		return "exchanged", exchangedV1{f.Seat, w.print(f.Put), w.print(f.Drew), f.Vowels}
	case game.Passed:
		return "passed", passedV1{f.Seat}
	case game.TurnLost:
		return "turn-lost", turnLostV1{f.Seat}
	case game.Challenged:
		return "challenged", challengedV1{f.By, f.Player, w.printAll(f.Words), w.printAll(f.Invalid), f.Bonus, f.Cost, f.LosesTurn, f.LosesGame}
	case game.LastPlay:
		return "last-play", lastPlayV1{storeTime(f.Until)}
	case game.Accepted:
		return "accepted", acceptedV1{f.Seat}
	case game.Resigned:
		return "resigned", resignedV1{f.Seat}
	case game.Agreed:
		return "agreed", agreedV1{f.Seat}
	case game.Hinted:
		return "hinted", hintedV1{f.Seat}
	case game.TimedOut:
		return "timed-out", timedOutV1{f.Seat}
	case game.Claimed:
		return "claimed", claimedV1(f)
	case game.Waited:
		return "waited", waitedV1(f)
	case game.WentAway:
		return "went-away", wentAwayV1{f.Seat, storeTime(f.Until)}
	case game.CameBack:
		return "came-back", cameBackV1{f.Seat}
	case game.Vacated:
		return "vacated", vacatedV1{f.Seat}
	case game.Adopted:
		return "adopted", adoptedV1{f.Seat, storePerson(f.Person)}
	case game.Ended:
		if f.Reason == 0 || int(f.Reason) >= len(endReasons) {
			w.fail(fmt.Errorf("the reason %d has no name", f.Reason))
			return "", nil
		}
		stored := endedV1{endReasons[f.Reason], w.printAll(f.Racks), f.Adjust, f.Winners, f.Overtime, nil}
		if f.By.ID != "" {
			by := storePerson(f.By)
			stored.By = &by
		}
		return "ended", stored
	}
	for _, v := range facts() {
		if fact := v.store(w, f); fact != nil {
			return v.kind, fact
		}
	}
	w.fail(errors.New("such an event can't be stored"))
	return "", nil
}

// newStored makes the type that a kind of event is stored as, or nil.
func newStored(kind string) stored {
	switch kind {
	case "opened":
		return new(openedV1)
	case "joined":
		return new(joinedV1)
	case "left":
		return new(leftV1)
	case "closed":
		return new(closedV1)
	case "started":
		return new(startedV1)
	case "timed":
		return new(timedV1)
	case "polled":
		return new(polledV1)
	case "balloted":
		return new(ballotedV1)
	case "ordered":
		return new(orderedV1)
	case "order-drawn":
		return new(orderDrawnV1)
	case "dealt":
		return new(dealtV1)
	case "played":
		return new(playedV1)
	case "exchanged":
		return new(exchangedV1)
	case "passed":
		return new(passedV1)
	case "turn-lost":
		return new(turnLostV1)
	case "challenged":
		return new(challengedV1)
	case "last-play":
		return new(lastPlayV1)
	case "accepted":
		return new(acceptedV1)
	case "resigned":
		return new(resignedV1)
	case "agreed":
		return new(agreedV1)
	case "hinted":
		return new(hintedV1)
	case "timed-out":
		return new(timedOutV1)
	case "claimed":
		return new(claimedV1)
	case "waited":
		return new(waitedV1)
	case "went-away":
		return new(wentAwayV1)
	case "came-back":
		return new(cameBackV1)
	case "vacated":
		return new(vacatedV1)
	case "adopted":
		return new(adoptedV1)
	case "ended":
		return new(endedV1)
	}
	for _, v := range facts() {
		if v.kind == kind {
			return v.stored()
		}
	}
	return nil
}

func (w *notation) opened(f game.Opened) openedV1 {
	r := f.Rules
	s := openedV1{
		Rules: rulesV1{
			Name: r.Name, MinPlayers: r.MinPlayers, MaxPlayers: r.MaxPlayers, UsualSeats: r.UsualSeats, UseLetter: r.UseLetter, RackSize: r.RackSize,
			Bonus: r.Bonus, BonusTiles: r.BonusTiles, ExchangeMin: r.ExchangeMin,
			Challenge: r.Challenge.String(), ChallengeTime: r.ChallengeTime.String(),
			ScorelessTurns: r.ScorelessTurns, ZeroPlays: r.ZeroPlays,
			Elect: r.Elect, PassRounds: r.PassRounds, Games: r.Games, TieBreak: r.TieBreak, Clock: storeClock(r.Clock),
			OutBonus: r.OutBonus.String(), Agreement: r.Agreement, WordCheck: r.WordCheck, Hints: r.Hints, Unrated: r.Unrated, Duplicate: storeDuplicate(r.Duplicate), Variant: r.Variant,
		},
		Layout:  layoutV1{f.Equipment.Layout.Name, strings.Split(f.Equipment.Layout.Text, "\n")},
		Lexicon: lexiconV1(f.Lexicon),
		Secret:  hex.EncodeToString(f.Secret[:]),
		Host:    storePerson(f.Host),
		Seats:   f.Seats,
	}
	if p := f.Pace; p.Turn > 0 {
		s.Pace = &paceV1{Turn: p.Turn.String(), Late: p.Late.String()}
		if p.Bank > 0 {
			s.Pace.Bank = p.Bank.String()
		}
		if p.Weekend != nil {
			s.Pace.Weekend = p.Weekend.String()
		}
	}
	if r.Order != game.Drawn {
		s.Rules.Order = r.Order.String()
	}
	for _, p := range f.Invited {
		s.Invited = append(s.Invited, storePerson(p))
	}
	for _, st := range f.Earlier {
		s.Earlier = append(s.Earlier, standingV1{storePerson(st.Player), st.Wins, st.Points})
	}
	if f.First.ID != "" {
		first := storePerson(f.First)
		s.First = &first
	}
	if w.set == nil {
		w.fail(errNoSet)
		return s
	}
	s.Tiles.Name = w.set.Name()
	if f := foldingV1(w.set.Alphabet().Folding()); !lexicon.Folding(f).IsZero() {
		s.Tiles.Folding = &f
	}
	for _, k := range w.set.Kinds() {
		s.Tiles.Letters = append(s.Tiles.Letters, kindV1(k))
	}
	last := len(s.Tiles.Letters) - 1
	s.Tiles.Blank, s.Tiles.Letters = s.Tiles.Letters[last], s.Tiles.Letters[:last]
	return s
}

func (s *openedV1) fact(r *notation) game.Fact {
	f := game.Opened{
		Rules: game.Rules{
			Name: s.Rules.Name, MinPlayers: s.Rules.MinPlayers, MaxPlayers: s.Rules.MaxPlayers, UsualSeats: s.Rules.UsualSeats, UseLetter: s.Rules.UseLetter, RackSize: s.Rules.RackSize,
			Bonus: s.Rules.Bonus, BonusTiles: s.Rules.BonusTiles, ExchangeMin: s.Rules.ExchangeMin,
			ScorelessTurns: s.Rules.ScorelessTurns, ZeroPlays: s.Rules.ZeroPlays,
			Order: game.Drawn, Elect: s.Rules.Elect, PassRounds: s.Rules.PassRounds, Games: s.Rules.Games, TieBreak: s.Rules.TieBreak,
			Agreement: s.Rules.Agreement, WordCheck: s.Rules.WordCheck, Hints: s.Rules.Hints, Unrated: s.Rules.Unrated, Duplicate: s.Rules.Duplicate.rules(r), Variant: s.Rules.Variant,
		},
		Lexicon: game.LexiconID(s.Lexicon),
		Host:    s.Host.person(),
		Seats:   s.Seats,
	}
	var ok bool
	var err error
	if f.Rules.Challenge, ok = game.ParseChallengeRule(s.Rules.Challenge); !ok {
		r.fail(fmt.Errorf("there is no challenge rule %q", s.Rules.Challenge))
	}
	if s.Rules.Order != "" {
		if f.Rules.Order, ok = game.ParseOrder(s.Rules.Order); !ok {
			r.fail(fmt.Errorf("there is no order %q", s.Rules.Order))
		}
	}
	f.Rules.Clock = s.Rules.Clock.clock(r)
	if f.Rules.OutBonus, ok = game.ParseOutBonus(s.Rules.OutBonus); !ok {
		r.fail(fmt.Errorf("there is no out bonus %q", s.Rules.OutBonus))
	}
	f.Rules.ChallengeTime, err = time.ParseDuration(s.Rules.ChallengeTime)
	r.fail(err)
	f.Pace = s.Pace.pace(r)
	f.Equipment.Layout, err = game.ParseLayout(s.Layout.Name, strings.Join(s.Layout.Rows, "\n"))
	r.fail(err)
	letters := make([]game.Kind, len(s.Tiles.Letters))
	for i, k := range s.Tiles.Letters {
		letters[i] = game.Kind(k)
	}
	f.Equipment.Tiles, err = game.NewTileSet(s.Tiles.Name, letters, game.Kind(s.Tiles.Blank))
	r.fail(err)
	if err == nil && s.Tiles.Folding != nil {
		f.Equipment.Tiles = f.Equipment.Tiles.Folded(lexicon.Folding(*s.Tiles.Folding))
	}
	secret, err := hex.DecodeString(s.Secret)
	if err != nil || len(secret) != len(f.Secret) {
		r.fail(fmt.Errorf("the secret is not %d bytes in hex", len(f.Secret)))
	}
	copy(f.Secret[:], secret)
	for _, p := range s.Invited {
		f.Invited = append(f.Invited, p.person())
	}
	for _, st := range s.Earlier {
		f.Earlier = append(f.Earlier, game.Standing{Player: st.Player.person(), Wins: st.Wins, Points: st.Points})
	}
	if s.First != nil {
		f.First = s.First.person()
	}
	return f
}

func (s *paceV1) pace(r *notation) (p game.Pace) {
	if s == nil {
		return p
	}
	var ok bool
	var err error
	if p.Late, ok = game.ParseLate(s.Late); !ok {
		r.fail(fmt.Errorf("nothing called %q can become of a late turn", s.Late))
	}
	p.Turn, err = time.ParseDuration(s.Turn)
	r.fail(err)
	if s.Bank != "" {
		p.Bank, err = time.ParseDuration(s.Bank)
		r.fail(err)
	}
	if s.Weekend != "" {
		p.Weekend, err = time.LoadLocation(s.Weekend)
		r.fail(err)
	}
	return p
}

func storeClock(c game.Clock) *clockV1 {
	if c == (game.Clock{}) {
		return nil
	}
	return &clockV1{c.On, c.Time.String(), c.Penalty, c.Limit.String(), c.Loses}
}

func (s *clockV1) clock(r *notation) game.Clock {
	if s == nil {
		return game.Clock{}
	}
	length := func(text string) time.Duration {
		d, err := time.ParseDuration(text)
		r.fail(err)
		return d
	}
	return game.Clock{On: s.On, Time: length(s.Time), Penalty: s.Penalty, Limit: length(s.Limit), Loses: s.Loses}
}

func storePerson(p game.Person) personV1 { return personV1{string(p.ID), p.Name} }
func (p personV1) person() game.Person   { return game.Person{ID: game.PlayerID(p.ID), Name: p.Name} }

func (s *joinedV1) fact(*notation) game.Fact  { return game.Joined{Person: s.Person.person()} }
func (s *leftV1) fact(*notation) game.Fact    { return game.Left(*s) }
func (s *closedV1) fact(*notation) game.Fact  { return game.Closed{} }
func (s *startedV1) fact(*notation) game.Fact { return game.Started{} }
func (s *timedV1) fact(r *notation) game.Fact {
	took, err := time.ParseDuration(s.Took)
	r.fail(err)
	return game.Timed{Seat: s.Seat, Took: took}
}
func (s *polledV1) fact(r *notation) game.Fact {
	until, err := time.Parse(timeFormat, s.Until)
	r.fail(err)
	return game.Polled{Until: until}
}
func (s *ballotedV1) fact(*notation) game.Fact { return game.Balloted(*s) }
func (s *orderedV1) fact(*notation) game.Fact  { return game.Ordered(*s) }
func (s *orderDrawnV1) fact(r *notation) game.Fact {
	return game.OrderDrawn{Seats: s.Seats, Tiles: r.read(s.Tiles)}
}
func (s *dealtV1) fact(r *notation) game.Fact {
	return game.Dealt{First: s.First, Racks: r.readAll(s.Racks), Vowels: s.Vowels}
}
func (s *playedV1) fact(r *notation) game.Fact {
	f := game.Played{Seat: s.Seat, Score: s.Score, Drew: r.read(s.Drew), Vowels: s.Vowels}
	f.Move = game.Move{Kind: game.PlayTiles, Tiles: r.read(s.Tiles)}
	f.Move.At, f.Move.Dir = r.square(s.At)
	for _, word := range s.Words {
		w := game.ScoredWord{Tiles: r.read(word.Tiles), Score: word.Score}
		w.At, w.Dir = r.square(word.At)
		f.Words = append(f.Words, w)
	}
	return f
}
func (s *exchangedV1) fact(r *notation) game.Fact {
	return game.Exchanged{Seat: s.Seat, Put: r.read(s.Put), Drew: r.read(s.Drew), Vowels: s.Vowels}
}
func (s *passedV1) fact(*notation) game.Fact   { return game.Passed(*s) }
func (s *turnLostV1) fact(*notation) game.Fact { return game.TurnLost(*s) }
func (s *challengedV1) fact(r *notation) game.Fact {
	return game.Challenged{
		By: s.By, Player: s.Player, Words: r.readAll(s.Words), Invalid: r.readAll(s.Invalid),
		Bonus: s.Bonus, Cost: s.Cost, LosesTurn: s.LosesTurn, LosesGame: s.LosesGame,
	}
}
func (s *lastPlayV1) fact(r *notation) game.Fact {
	until, err := time.Parse(timeFormat, s.Until)
	r.fail(err)
	return game.LastPlay{Until: until}
}
func (s *acceptedV1) fact(*notation) game.Fact { return game.Accepted(*s) }
func (s *resignedV1) fact(*notation) game.Fact { return game.Resigned(*s) }
func (s *agreedV1) fact(*notation) game.Fact   { return game.Agreed(*s) }
func (s *hintedV1) fact(*notation) game.Fact   { return game.Hinted(*s) }
func (s *timedOutV1) fact(*notation) game.Fact { return game.TimedOut(*s) }
func (s *claimedV1) fact(*notation) game.Fact  { return game.Claimed(*s) }
func (s *waitedV1) fact(*notation) game.Fact   { return game.Waited(*s) }
func (s *wentAwayV1) fact(r *notation) game.Fact {
	until, err := time.Parse(timeFormat, s.Until)
	r.fail(err)
	return game.WentAway{Seat: s.Seat, Until: until}
}
func (s *cameBackV1) fact(*notation) game.Fact { return game.CameBack(*s) }
func (s *vacatedV1) fact(*notation) game.Fact  { return game.Vacated(*s) }
func (s *adoptedV1) fact(*notation) game.Fact {
	return game.Adopted{Seat: s.Seat, Person: s.Person.person()}
}
func (s *endedV1) fact(r *notation) game.Fact {
	reason := slices.Index(endReasons, s.Reason)
	if reason < 1 {
		r.fail(fmt.Errorf("there is no end %q", s.Reason))
	}
	f := game.Ended{Reason: game.EndReason(reason), Racks: r.readAll(s.Racks), Adjust: s.Adjust, Winners: s.Winners, Overtime: s.Overtime}
	if s.By != nil {
		f.By = s.By.person()
	}
	return f
}

// A notation writes and reads tiles and squares, and keeps the first error.
type notation struct {
	set *game.TileSet
	err error
}

var errNoSet = errors.New("the tile set is not known: a table's first event has it")

func (n *notation) fail(err error) {
	if n.err == nil {
		n.err = err
	}
}

// print writes tiles so that they read the same again.
func (n *notation) print(ts game.Tiles) string {
	if n.set == nil {
		n.fail(errNoSet)
		return ""
	}
	text := n.set.Print(ts)
	if again, err := n.set.Parse(text); err != nil || again != ts {
		n.fail(fmt.Errorf("the tiles %q of the %s set can't be written", text, n.set.Name()))
	}
	return text
}

func (n *notation) read(text string) game.Tiles {
	if n.set == nil {
		n.fail(errNoSet)
		return ""
	}
	ts, err := n.set.Parse(text)
	n.fail(err)
	return ts
}

func (n *notation) printAll(all []game.Tiles) []string {
	var out []string
	for _, ts := range all {
		out = append(out, n.print(ts))
	}
	return out
}

func (n *notation) readAll(all []string) []game.Tiles {
	var out []game.Tiles
	for _, text := range all {
		out = append(out, n.read(text))
	}
	return out
}

func (n *notation) at(sq game.Square, d game.Dir) string {
	text := sq.At(d)
	if sq2, d2, err := game.ParseAt(text); err != nil || sq2 != sq || d2 != d {
		n.fail(fmt.Errorf("%+v %v is no square and direction", sq, d))
	}
	return text
}

func (n *notation) square(text string) (game.Square, game.Dir) {
	sq, d, err := game.ParseAt(text)
	if err != nil {
		n.fail(fmt.Errorf("%q is %w", text, err))
	}
	return sq, d
}
