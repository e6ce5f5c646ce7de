package web

// Taken are the names that nobody can have, by language.
var Taken = taken

// InName reports whether all of a name may be in one.
func InName(name string) bool {
	_, bad := notInName(name)
	return !bad
}
