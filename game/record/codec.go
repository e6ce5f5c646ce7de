package record

import (
	"reflect"
	"time"

	"github.com/rackmate/rackmate/game"
)

// A codec stores one type of fact, under a kind and as a type of its own.
type codec struct {
	kind  string
	of    reflect.Type // type of the fact
	store func(*notation, game.Fact) any
	empty func() stored // returns a value to decode into
}

// A stored value is a fact in its stored form.
type stored interface {
	fact(*notation) game.Fact
}

// codecs lists each fact of a game once. Register new facts here, with their stored forms in
// stored.go or the variant's file.
var codecs = []codec{
	codecOf("opened", storeOpened),
	codecOf("joined", storeJoined),
	codecOf("left", storeSeat[game.Left]),
	codecOf("closed", storeClosed),
	codecOf("started", storeStarted),
	codecOf("polled", storeUntil[game.Polled]),
	codecOf("balloted", storeBalloted),
	codecOf("ordered", storeOrdered),
	codecOf("order-drawn", storeOrderDrawn),
	codecOf("dealt", storeDealt),
	codecOf("timed", storeTimed),
	codecOf("played", storePlayed),
	codecOf("exchanged", storeExchanged),
	codecOf("passed", storeSeat[game.Passed]),
	codecOf("turn-lost", storeSeat[game.TurnLost]),
	codecOf("challenged", storeChallenged),
	codecOf("last-play", storeUntil[game.LastPlay]),
	codecOf("accepted", storeSeat[game.Accepted]),
	codecOf("hinted", storeSeat[game.Hinted]),
	codecOf("agreed", storeSeat[game.Agreed]),
	codecOf("resigned", storeSeat[game.Resigned]),
	codecOf("timed-out", storeSeat[game.TimedOut]),
	codecOf("claimed", storeClaimed),
	codecOf("waited", storeWaited),
	codecOf("went-away", storeWentAway),
	codecOf("came-back", storeSeat[game.CameBack]),
	codecOf("vacated", storeSeat[game.Vacated]),
	codecOf("adopted", storeAdopted),
	codecOf("ended", storeEnded),

	codecOf("set-up", storeSetUp),
	codecOf("parted", storeParted),
	codecOf("preferred", storePreferred),
	codecOf("rack-drawn", storeRackDrawn),
	codecOf("turn-opened", storeUntil[game.TurnOpened]),
	codecOf("turn-extended", storeUntil[game.TurnExtended]),
	codecOf("submitted", storeSubmitted),
	codecOf("turn-scored", storeTurnScored),
	codecOf("lifted", storeLifted),
}

var byKind, byFact = func() (map[string]codec, map[reflect.Type]codec) {
	kinds, facts := map[string]codec{}, map[reflect.Type]codec{}
	for _, c := range codecs {
		kinds[c.kind], facts[c.of] = c, c
	}
	return kinds, facts
}()

// codecOf returns the codec of a fact, given the function that makes its stored form.
func codecOf[F game.Fact, S any, P interface {
	*S
	stored
}](kind string, store func(*notation, F) S) codec {
	return codec{
		kind:  kind,
		of:    reflect.TypeFor[F](),
		store: func(w *notation, f game.Fact) any { return store(w, f.(F)) },
		empty: func() stored { return P(new(S)) },
	}
}

// A seatFact is a fact that only names a seat.
type seatFact interface {
	game.Fact
	~struct{ Seat int }
}

func storeSeat[F seatFact](_ *notation, f F) seatV1[F] {
	return seatV1[F]{struct{ Seat int }(f).Seat}
}

func (s *seatV1[F]) fact(*notation) game.Fact { return F(struct{ Seat int }{s.Seat}) }

// An untilFact is a fact that only has a time.
type untilFact interface {
	game.Fact
	~struct{ Until time.Time }
}

func storeUntil[F untilFact](_ *notation, f F) untilV1[F] {
	return untilV1[F]{storeTime(struct{ Until time.Time }(f).Until)}
}

func (s *untilV1[F]) fact(r *notation) game.Fact {
	return F(struct{ Until time.Time }{r.parseTime(s.Until)})
}
