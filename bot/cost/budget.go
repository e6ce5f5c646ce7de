package cost

import (
	"net/netip"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// What a request costs besides the time that a processor is measured to work for it.
const (
	perRequest = 200 * time.Microsecond // what isn't measured: reading it, the log
	perCommit  = time.Millisecond       // the store's work, and the disk's
	perByte    = 10 * time.Nanosecond   // on its way out
)

// Price is a cost in time of a processor.
func Price(c bot.Cost) time.Duration {
	return perRequest + c.CPU + time.Duration(c.Commits)*perCommit + time.Duration(c.Bytes)*perByte
}

// A Whose says whose part of the host is used up.
type Whose uint8

// Those who have parts, from the smallest to the largest.
const (
	Persons    Whose = iota
	Households       // an address, or of IPv6 a /64
	Streets          // a /56
	Sites            // a /48
	Rooms            // a channel
	Hosts            // nobody's: all of the host is in use
)

// times is how many persons' parts each has together. A class behind one address
// plays at its ease, and all behind a site's /48 leave most of the host to others.
var times = [...]float64{Persons: 1, Households: 4, Streets: 6, Sites: 8, Rooms: 6}

// saved is for how long a part that isn't used is saved up, and how far what is used
// may go beyond it before even commands that cost little must wait. With it, whoever
// has a share of 4 % takes less than 5 % in any ten minutes.
const saved = time.Minute

// A Busy says that something must wait. It is an error for people; the host has the
// sentence.
type Busy struct {
	Whose Whose
	Wait  time.Duration // until it is worth another try
}

func (b *Busy) Error() string { return "too much at once: wait " + b.Wait.String() }

// A Budget is how much of a host each person, network and room may use. A nil
// Budget lets everybody use all of it. It is safe for concurrent use.
type Budget struct {
	now  func() time.Time
	rate float64 // of a person, in processors

	mu    sync.Mutex
	of    map[account]balance
	prune int // how many accounts there are when those that are full are forgotten
}

// An account is somebody's part.
type account struct {
	whose Whose
	name  string       // of a person or a room
	net   netip.Prefix // of a network
}

// A balance was left at a time, in seconds of a processor.
type balance struct {
	left float64
	at   time.Time
}

// mostAccounts is how many accounts are kept before those that are full are forgotten.
const mostAccounts = 10_000

// NewBudget makes a budget by which one person has a share of a host's processors,
// such as 0.04; nil with none.
func NewBudget(now func() time.Time, share float64, processors int) *Budget {
	if share <= 0 {
		return nil
	}
	return &Budget{now: now, rate: share * float64(max(processors, 1)), of: map[account]balance{}, prune: mostAccounts}
}

// accountsOf are those that pay for what somebody asks for. A network of the house, or
// of a proxy beside the host, may be everybody's, and pays nothing.
func accountsOf(a bot.Asker) (all []account) {
	if a.Person != "" {
		all = append(all, account{whose: Persons, name: string(a.Person)})
	}
	if ip := a.Address.Unmap().WithZone(""); ip.IsValid() && ip.IsGlobalUnicast() && !ip.IsPrivate() {
		if ip.Is4() {
			all = append(all, account{whose: Households, net: netip.PrefixFrom(ip, 32)})
		} else {
			for _, n := range []struct {
				whose Whose
				bits  int
			}{{Households, 64}, {Streets, 56}, {Sites, 48}} {
				net, _ := ip.Prefix(n.bits)
				all = append(all, account{whose: n.whose, net: net})
			}
		}
	}
	if a.Channel != "" {
		all = append(all, account{whose: Rooms, name: string(a.Channel)})
	}
	return all
}

// filled is what an account has now: it fills up at its rate. b.mu is held.
func (b *Budget) filled(a account, now time.Time) (left, rate, most float64) {
	rate = b.rate * times[a.whose]
	most = rate * saved.Seconds()
	one, ok := b.of[a]
	if !ok {
		return most, rate, most
	}
	return min(most, one.left+rate*max(now.Sub(one.at), 0).Seconds()), rate, most
}

// Charge takes what something cost from all who pay for it.
func (b *Budget) Charge(who bot.Asker, price time.Duration) {
	if b == nil || price <= 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	if len(b.of) > b.prune {
		for a := range b.of {
			if left, _, most := b.filled(a, now); left >= most {
				delete(b.of, a)
			}
		}
		b.prune = max(mostAccounts, 2*len(b.of))
	}
	for _, a := range accountsOf(who) {
		left, _, _ := b.filled(a, now)
		b.of[a] = balance{left - price.Seconds(), now}
	}
}

// Check is nil where somebody may ask for something: for heavy work while all who pay
// for it have something left, for anything else while none owes too much. Who waits
// for a replay can play on.
func (b *Budget) Check(who bot.Asker, heavy bool) *Busy {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	var worst *Busy
	for _, a := range accountsOf(who) {
		left, rate, most := b.filled(a, now)
		if !heavy {
			left += most
		}
		if left > 0 {
			continue
		}
		// A second's worth, so that there is something when they come back.
		wait := time.Duration((-left/rate + 1) * float64(time.Second))
		if worst == nil || wait > worst.Wait {
			worst = &Busy{a.whose, wait}
		}
	}
	return worst
}

// Level says how much somebody has left, from 1 for all: the least of all who pay. Who
// has most comes first. What the host does by itself is in the middle.
func (b *Budget) Level(who bot.Asker) float64 { return b.levelOf(accountsOf(who)) }

// levelOf is Level for those who pay.
func (b *Budget) levelOf(accounts []account) float64 {
	const ours = .5
	if b == nil || len(accounts) == 0 {
		return ours
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	now, level := b.now(), 1.0
	for _, a := range accounts {
		left, _, most := b.filled(a, now)
		level = min(level, left/most)
	}
	return level
}
