package data

import (
	"embed"
	"io/fs"
)

//go:embed SOURCES.md confusables.txt
//go:embed fonts languages layouts leaves lexicons licenses sentences/*.json texts tilesets vocabularies
var all embed.FS

// Files is every file that comes inside the program, SOURCES.md too.
func Files() fs.FS { return all }

// TileSets lists the names that TileSet takes.
func TileSets() []string { return names(files, "tilesets", ".tsv") }
