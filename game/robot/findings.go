package robot

// A finding is what is known of an ending: its value, or a bound of it.
type finding struct {
	value    int32
	bound    bound // 0 if nothing is known
	complete bool
	depth    int16  // plies looked ahead
	best     uint64 // the option's laid
}

type bound uint8

const (
	precise bound = iota + 1
	atLeast
	atMost
)

// settles reports whether what is known is enough for a search of this depth between alpha and
// beta.
func (f *finding) settles(depth, alpha, beta int) bool {
	if f.bound == 0 || !f.complete && int(f.depth) < depth {
		return false
	}
	v := int(f.value)
	return f.bound == precise || f.bound == atLeast && v >= beta || f.bound == atMost && v <= alpha
}

// Findings are what is known of endings, by their keys. There is room for mostFindings: what was
// found by looking least far ahead makes room for others.
type findings struct {
	slots []slot // by key, several side by side where one may be
	used  int
}

type slot struct {
	key uint64
	finding
}

const (
	sideBySide   = 4 // slots: two lines of a cache
	fewFindings  = 1 << 10
	mostFindings = 1 << 21 // 64 MiB
	roomOfSlots  = 2       // slots for each finding, before there are more of them
)

func newFindings() *findings { return &findings{slots: make([]slot, fewFindings)} }

// at is the slots where the finding of a key may be.
func (f *findings) at(key uint64) []slot {
	i := int(key) & (len(f.slots) - sideBySide)
	return f.slots[i : i+sideBySide : i+sideBySide]
}

// of is what is known of an ending.
func (f *findings) of(key uint64) finding {
	all := f.at(key)
	for i := range all {
		if all[i].key == key {
			return all[i].finding
		}
	}
	return finding{}
}

// keep stores a finding, and drops an earlier one of the same ending.
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

// grow makes twice the room.
func (f *findings) grow() {
	before := f.slots
	*f = findings{slots: make([]slot, 2*len(before))}
	for i := range before {
		if s := &before[i]; s.bound != 0 {
			f.keep(s.key, s.finding)
		}
	}
}
