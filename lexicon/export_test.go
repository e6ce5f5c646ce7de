package lexicon

// This file exports names for the package's tests.
func (j *Jumbles) Size() int { return j.size() }
