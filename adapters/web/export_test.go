package web

// Taken lists the reserved names, by language.
var Taken = reservedNames

// InName reports whether a name consists of allowed characters.
func InName(name string) bool {
	_, bad := notInName(name)
	return !bad
}
