package lexicon

// What only the tests of the package see.
func (j *Jumbles) Size() int { return j.size() }
