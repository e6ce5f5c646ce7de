package limit

import (
	"net/netip"
	"time"

	"github.com/rackmate/rackmate/bot"
)

// An Owner names the owner of a limit: a person, a network or the host.
type Owner uint8

// The limits.
const (
	Person Owner = iota
	Network
	Host // the queue is full
)

// A Busy error asks a person to wait. The host words it.
type Busy struct {
	Owner Owner
	Wait  time.Duration
}

func (b *Busy) Error() string { return "too much at once: wait " + b.Wait.String() }

// A Budget counts the work that each person and each network has had done, in seconds.
// A nil Budget allows everything.
type Budget struct {
	people   *Buckets[bot.PlayerID]
	networks *Buckets[netip.Prefix]
}

// A network may use as much as four people, so that a class behind one address can play. With
// half a minute saved up, and as much debt, a share of 4 % stays below 5 % in any ten minutes.
const (
	networkTimes = 4
	saved        = 30 // seconds
)

// NewBudget returns a budget that gives each person a share of the processors, such as
// 0.04. It returns nil if share is 0.
func NewBudget(now func() time.Time, share float64, processors int) *Budget {
	if share <= 0 {
		return nil
	}
	rate := share * float64(max(processors, 1))
	return &Budget{NewBuckets[bot.PlayerID](now, rate, rate*saved), NewBuckets[netip.Prefix](now, networkTimes*rate, networkTimes*rate*saved)}
}

// NetworkOf returns the network by which an address is counted: the address itself for
// IPv4, its /48 for IPv6. public is false for an address that many people may share, such
// as a proxy's beside the host.
func NetworkOf(ip netip.Addr) (n netip.Prefix, public bool) {
	ip = ip.Unmap().WithZone("")
	bits := 48
	if ip.Is4() {
		bits = 32
	}
	n, err := ip.Prefix(bits)
	return n, err == nil && ip.IsGlobalUnicast() && !ip.IsPrivate()
}

// Spend takes work from the person and the network that asked for it. Negative work is
// given back.
func (b *Budget) Spend(who bot.Asker, work time.Duration) {
	if b == nil {
		return
	}
	if who.Person != "" {
		b.people.Spend(who.Person, work.Seconds())
	}
	if n, public := NetworkOf(who.Address); public {
		b.networks.Spend(n, work.Seconds())
	}
}

// Check returns nil if who may ask for something. Heavy work is refused in debt; anything
// else only when the debt is as large as what can be saved, so that people play on while
// they wait for a replay.
func (b *Budget) Check(who bot.Asker, heavy bool) *Busy {
	if b == nil {
		return nil
	}
	var worst *Busy
	check := func(w Owner, left, rate float64) {
		if !heavy {
			left += rate * saved
		}
		// A second more, so that there is something left when they come back.
		if wait := time.Duration((1 - left/rate) * float64(time.Second)); left <= 0 && (worst == nil || wait > worst.Wait) {
			worst = &Busy{w, wait}
		}
	}
	if who.Person != "" {
		check(Person, b.people.level(who.Person), b.people.rate)
	}
	if n, public := NetworkOf(who.Address); public {
		check(Network, b.networks.level(n), b.networks.rate)
	}
	return worst
}

// level returns the share of their budget that a person has left: at most 1, and negative in
// debt. For the host's own work it returns a half.
func (b *Budget) level(who bot.Asker) float64 {
	const own = .5
	n, public := NetworkOf(who.Address)
	if b == nil || who.Person == "" && !public {
		return own
	}
	level := 1.0
	if who.Person != "" {
		level = b.people.level(who.Person) / b.people.burst
	}
	if public {
		level = min(level, b.networks.level(n)/b.networks.burst)
	}
	return level
}
