package robot

// A finding is the known value of an ending, or a bound on it.
type finding struct {
	value    int32
	bound    bound // 0 if unknown
	complete bool
	depth    int16  // search depth, in plies
	best     uint64 // laid of the best option
}

type bound uint8

const (
	precise bound = iota + 1
	atLeast
	atMost
)

// settles reports whether a finding makes a search to this depth, between alpha and beta,
// unnecessary.
func (f *finding) settles(depth, alpha, beta int) bool {
	if f.bound == 0 || !f.complete && int(f.depth) < depth {
		return false
	}
	v := int(f.value)
	return f.bound == precise || f.bound == atLeast && v >= beta || f.bound == atMost && v <= alpha
}

// A findings value is a transposition table: it stores findings by the keys of endings. It grows to
// mostFindings slots; then a new finding replaces the one with the shallowest search.
type findings struct {
	slots []slot // by key, sideBySide slots for each
	used  int
}

type slot struct {
	key uint64
	finding
}

const (
	sideBySide   = 4 // slots; two cache lines
	fewFindings  = 1 << 10
	mostFindings = 1 << 21 // 64 MiB
	roomOfSlots  = 2       // slots per finding until the table has its full size
)

func newFindings() *findings { return &findings{slots: make([]slot, fewFindings)} }

// at returns the slots that may hold the finding of a key.
func (f *findings) at(key uint64) []slot {
	i := int(key) & (len(f.slots) - sideBySide)
	return f.slots[i : i+sideBySide : i+sideBySide]
}

// of returns the finding for a key, or the zero finding.
func (f *findings) of(key uint64) finding {
	all := f.at(key)
	for i := range all {
		if all[i].key == key {
			return all[i].finding
		}
	}
	return finding{}
}

// keep stores a finding and replaces an earlier one of the same ending.
func (f *findings) keep(key uint64, found finding) {
	if f.used*roomOfSlots > len(f.slots) && len(f.slots) < mostFindings {
		f.grow()
	}
	all := f.at(key)
	least := &all[0]
	for i := range all {
		if s := &all[i]; s.key == key || s.bound == 0 {
			if s.bound == 0 {
				f.used++
			}
			*s = slot{key, found}
			return
		} else if s.depth < least.depth {
			least = s
		}
	}
	*least = slot{key, found}
}

// grow doubles the table.
func (f *findings) grow() {
	before := f.slots
	*f = findings{slots: make([]slot, 2*len(before))}
	for i := range before {
		if s := &before[i]; s.bound != 0 {
			f.keep(s.key, s.finding)
		}
	}
}
