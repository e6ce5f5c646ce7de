package limit

// Kept returns the number of buckets in memory.
func (b *Buckets[K]) Kept() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.of)
}
