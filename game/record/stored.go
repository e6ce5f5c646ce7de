package record

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/lexicon"
)

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
		DefaultSeats   int    `json:"usual_seats,omitempty"`
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
		Order          string `json:"order,omitempty"` // "" for drawn, once the only order
		Variant        string `json:"variant,omitempty"`

		Duplicate *duplicateV1 `json:"duplicate,omitempty"`
		Games     int          `json:"games,omitempty"`
		TieBreak  bool         `json:"tie_break,omitempty"`

		Clock *clockV1 `json:"clock,omitempty"`
	}
	paceV1 struct {
		Turn    string `json:"turn"`              // as time.Duration prints
		Bank    string `json:"bank,omitempty"`    // as time.Duration prints
		Weekend string `json:"weekend,omitempty"` // IANA time zone
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
		// Increment is set if there is one, and to "0s" if a player loses on time at once, so that
		// programs unaware of that refuse it.
		Increment string `json:"increment,omitempty"`
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
	// A foldingV1 stores how typed words become tiles; recorded ones don't need it.
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

		Added   string `json:"added,omitempty"` // house words, separated by spaces
		Removed string `json:"removed,omitempty"`
	}
	personV1 struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	}
	joinedV1 struct {
		Person personV1 `json:"person"`
	}
	closedV1  struct{}
	startedV1 struct{}
	timedV1   struct {
		Seat int    `json:"seat"`
		Took string `json:"took"` // as time.Duration prints
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
	claimedV1 struct {
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
	adoptedV1 struct {
		Seat   int      `json:"seat"`
		Person personV1 `json:"person"`
	}
	endedV1 struct {
		Reason  string   `json:"reason"`
		Racks   []string `json:"racks"`
		Adjust  []int    `json:"adjust"`
		Winners []int    `json:"winners"`

		Overtime []int     `json:"overtime,omitempty"`
		By       *personV1 `json:"by,omitempty"`
	}
	// A seatV1 stores any fact that only names a seat.
	seatV1[F seatFact] struct {
		Seat int `json:"seat"`
	}
	// An untilV1 stores any fact that only has a time.
	untilV1[F untilFact] struct {
		Until string `json:"until"`
	}
)

// endReasons lists the stored names of reasons for an end.
var endReasons = []string{
	game.WentOut: "went-out", game.ScorelessEnd: "scoreless", game.AgreementEnd: "agreement",
	game.ResignationEnd: "resignation", game.TripleEnd: "triple",
	game.AbandonedEnd: "forsaken", game.PassedEnd: "passed", game.OvertimeEnd: "overtime",
	game.StuckEnd: "stuck", game.StoppedEnd: "stopped",
}

func storeOpened(w *notation, f game.Opened) openedV1 {
	r := f.Rules
	s := openedV1{
		Rules: rulesV1{
			Name: r.Name, MinPlayers: r.MinPlayers, MaxPlayers: r.MaxPlayers, DefaultSeats: r.DefaultSeats, UseLetter: r.UseLetter, RackSize: r.RackSize,
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
			Name: s.Rules.Name, MinPlayers: s.Rules.MinPlayers, MaxPlayers: s.Rules.MaxPlayers, DefaultSeats: s.Rules.DefaultSeats, UseLetter: s.Rules.UseLetter, RackSize: s.Rules.RackSize,
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
		r.fail(fmt.Errorf("unknown challenge rule %q", s.Rules.Challenge))
	}
	if s.Rules.Order != "" {
		if f.Rules.Order, ok = game.ParseOrder(s.Rules.Order); !ok {
			r.fail(fmt.Errorf("unknown order %q", s.Rules.Order))
		}
	}
	f.Rules.Clock = s.Rules.Clock.clock(r)
	if f.Rules.OutBonus, ok = game.ParseOutBonus(s.Rules.OutBonus); !ok {
		r.fail(fmt.Errorf("unknown out bonus %q", s.Rules.OutBonus))
	}
	f.Rules.ChallengeTime = r.parseDuration(s.Rules.ChallengeTime)
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
		f.Equipment.Tiles = f.Equipment.Tiles.WithFolding(lexicon.Folding(*s.Tiles.Folding))
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
	if p.Late, ok = game.ParseLate(s.Late); !ok {
		r.fail(fmt.Errorf("unknown end of a late turn %q", s.Late))
	}
	p.Turn = r.parseDuration(s.Turn)
	if s.Bank != "" {
		p.Bank = r.parseDuration(s.Bank)
	}
	if s.Weekend != "" {
		var err error
		p.Weekend, err = time.LoadLocation(s.Weekend)
		r.fail(err)
	}
	return p
}

func storeClock(c game.Clock) *clockV1 {
	if c == (game.Clock{}) {
		return nil
	}
	s := &clockV1{On: c.On, Time: c.Time.String(), Penalty: c.Penalty, Limit: c.Limit.String(), Loses: c.Loses}
	if c.Increment > 0 || c.Loses && c.Limit == 0 {
		s.Increment = c.Increment.String()
	}
	return s
}

func (s *clockV1) clock(r *notation) game.Clock {
	if s == nil {
		return game.Clock{}
	}
	c := game.Clock{On: s.On, Time: r.parseDuration(s.Time), Penalty: s.Penalty, Limit: r.parseDuration(s.Limit), Loses: s.Loses}
	if s.Increment != "" {
		c.Increment = r.parseDuration(s.Increment)
	}
	return c
}

func storePerson(p game.Person) personV1 { return personV1{string(p.ID), p.Name} }
func (p personV1) person() game.Person   { return game.Person{ID: game.PlayerID(p.ID), Name: p.Name} }

func storeJoined(_ *notation, f game.Joined) joinedV1       { return joinedV1{storePerson(f.Person)} }
func storeTimed(_ *notation, f game.Timed) timedV1          { return timedV1{f.Seat, f.Took.String()} }
func storeBalloted(_ *notation, f game.Balloted) ballotedV1 { return ballotedV1(f) }
func storeOrdered(_ *notation, f game.Ordered) orderedV1    { return orderedV1(f) }
func storeClaimed(_ *notation, f game.Claimed) claimedV1    { return claimedV1(f) }
func storeWaited(_ *notation, f game.Waited) waitedV1       { return waitedV1(f) }
func storeClosed(*notation, game.Closed) closedV1           { return closedV1{} }
func storeStarted(*notation, game.Started) startedV1        { return startedV1{} }

func storeOrderDrawn(w *notation, f game.OrderDrawn) orderDrawnV1 {
	return orderDrawnV1{f.Seats, w.print(f.Tiles)}
}

func storeDealt(w *notation, f game.Dealt) dealtV1 {
	return dealtV1{f.First, w.printAll(f.Racks), f.Vowels}
}

func storePlayed(w *notation, f game.Played) playedV1 {
	if f.Move.Kind != game.PlayTiles {
		w.fail(errors.New("a play that lays no tiles"))
	}
	return playedV1{
		Seat: f.Seat, At: w.formatSpot(f.Move.At, f.Move.Dir), Tiles: w.print(f.Move.Tiles), Words: w.storeWords(f.Words),
		Score: f.Score, Drew: w.print(f.Drew), Vowels: f.Vowels,
	}
}

func storeExchanged(w *notation, f game.Exchanged) exchangedV1 {
	return exchangedV1{f.Seat, w.print(f.Put), w.print(f.Drew), f.Vowels}
}

func storeChallenged(w *notation, f game.Challenged) challengedV1 {
	return challengedV1{f.By, f.Player, w.printAll(f.Words), w.printAll(f.Invalid), f.Bonus, f.Cost, f.LosesTurn, f.LosesGame}
}

func storeWentAway(_ *notation, f game.WentAway) wentAwayV1 {
	return wentAwayV1{f.Seat, storeTime(f.Until)}
}

func storeAdopted(_ *notation, f game.Adopted) adoptedV1 {
	return adoptedV1{f.Seat, storePerson(f.Person)}
}

func storeEnded(w *notation, f game.Ended) endedV1 {
	if f.Reason == 0 || int(f.Reason) >= len(endReasons) {
		w.fail(fmt.Errorf("the reason %d has no name", f.Reason))
		return endedV1{}
	}
	s := endedV1{endReasons[f.Reason], w.printAll(f.Racks), f.Adjust, f.Winners, f.Overtime, nil}
	if f.By.ID != "" {
		by := storePerson(f.By)
		s.By = &by
	}
	return s
}

func (s *joinedV1) fact(*notation) game.Fact  { return game.Joined{Person: s.Person.person()} }
func (s *closedV1) fact(*notation) game.Fact  { return game.Closed{} }
func (s *startedV1) fact(*notation) game.Fact { return game.Started{} }
func (s *timedV1) fact(r *notation) game.Fact {
	return game.Timed{Seat: s.Seat, Took: r.parseDuration(s.Took)}
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
	f := game.Played{Seat: s.Seat, Words: r.readWords(s.Words), Score: s.Score, Drew: r.read(s.Drew), Vowels: s.Vowels}
	f.Move = game.Move{Kind: game.PlayTiles, Tiles: r.read(s.Tiles)}
	f.Move.At, f.Move.Dir = r.parseSpot(s.At)
	return f
}
func (s *exchangedV1) fact(r *notation) game.Fact {
	return game.Exchanged{Seat: s.Seat, Put: r.read(s.Put), Drew: r.read(s.Drew), Vowels: s.Vowels}
}
func (s *challengedV1) fact(r *notation) game.Fact {
	return game.Challenged{
		By: s.By, Player: s.Player, Words: r.readAll(s.Words), Invalid: r.readAll(s.Invalid),
		Bonus: s.Bonus, Cost: s.Cost, LosesTurn: s.LosesTurn, LosesGame: s.LosesGame,
	}
}
func (s *claimedV1) fact(*notation) game.Fact { return game.Claimed(*s) }
func (s *waitedV1) fact(*notation) game.Fact  { return game.Waited(*s) }
func (s *wentAwayV1) fact(r *notation) game.Fact {
	return game.WentAway{Seat: s.Seat, Until: r.parseTime(s.Until)}
}
func (s *adoptedV1) fact(*notation) game.Fact {
	return game.Adopted{Seat: s.Seat, Person: s.Person.person()}
}
func (s *endedV1) fact(r *notation) game.Fact {
	reason := slices.Index(endReasons, s.Reason)
	if reason < 1 {
		r.fail(fmt.Errorf("unknown end %q", s.Reason))
	}
	f := game.Ended{Reason: game.EndReason(reason), Racks: r.readAll(s.Racks), Adjust: s.Adjust, Winners: s.Winners, Overtime: s.Overtime}
	if s.By != nil {
		f.By = s.By.person()
	}
	return f
}
