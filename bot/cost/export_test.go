package cost

// Accounts is how many accounts are kept.
func (b *Budget) Accounts() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.of)
}
