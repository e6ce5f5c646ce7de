package limit

import "github.com/rackmate/rackmate/bot"

// Kept returns the number of buckets in memory.
func (b *Buckets[K]) Kept() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.of)
}

func (b *Buckets[K]) Level(k K) float64 { return b.level(k) }

func (b *Budget) Level(who bot.Asker) float64 { return b.level(who) }
