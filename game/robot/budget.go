package robot

import (
	"math"
	"runtime"

	"github.com/rackmate/rackmate/game/movegen"
)

// A budget is work that may still be done, as [movegen.Generator.Work] counts it: so a
// thought ends in the same place on every machine, and takes about the same time
// whatever there is to look for.
type budget int

// aPosition is the work that a position stands for: most take more near the middle of a
// game, where there is much to look for, and less at the beginning.
const aPosition = 16_000

// budgetOf is the work of a number of positions.
func budgetOf(positions int) budget { return budget(min(positions, math.MaxInt/aPosition) * aPosition) }

// positions is for how many positions it is enough.
func (b budget) positions() int { return int(b / aPosition) }

// yielding is after how much work, half a millisecond, a robot lets go first whatever
// waits for a processor.
const yielding = 500_000

// spend takes off work that was done, and lets others go first at times: it reports
// whether it did.
func (b *budget) spend(work int) (yielded bool) {
	before := *b
	*b -= budget(work)
	if yielded = before/yielding != *b/yielding; yielded {
		runtime.Gosched()
	}
	return yielded
}

// charge does something, and takes off the work that a generator did for it; see spend.
func (b *budget) charge(gen *movegen.Generator, do func()) (yielded bool) {
	before := gen.Work()
	do()
	return b.spend(gen.Work() - before)
}
