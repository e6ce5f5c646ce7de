package robot

import (
	"math"
	"runtime"

	"github.com/rackmate/rackmate/game/movegen"
)

// A budget is the work that may still be done, in units of [movegen.Generator.Work]. So a thought
// ends at the same point on every machine, and takes about the same time in every position.
type budget int

// positionWork is the work counted as one position. Most positions take more near the middle of a
// game, where there are many plays, and less at the beginning.
const positionWork = 16_000

// budgetOf returns the work for a number of positions.
func budgetOf(positions int) budget {
	return budget(min(positions, math.MaxInt/positionWork) * positionWork)
}

// positions returns how many positions the budget is enough for.
func (b budget) positions() int { return int(b / positionWork) }

// yieldWork is the work, half a millisecond, after which a robot yields the processor.
const yieldWork = 500_000

// spend subtracts work from the budget and occasionally yields the processor. yielded reports
// whether it did.
func (b *budget) spend(work int) (yielded bool) {
	before := *b
	*b -= budget(work)
	if yielded = before/yieldWork != *b/yieldWork; yielded {
		runtime.Gosched()
	}
	return yielded
}

// charge runs do and subtracts the generator's work from the budget; see spend.
func (b *budget) charge(gen *movegen.Generator, do func()) (yielded bool) {
	before := gen.Work()
	do()
	return b.spend(gen.Work() - before)
}
