package data

import (
	"embed"
	"io/fs"
)

//go:embed SOURCES.md confusables.txt
//go:embed fonts languages layouts leaves lexicons licenses sentences/*.json texts tilesets vocabularies
var all embed.FS

// Files returns every embedded file, including SOURCES.md.
func Files() fs.FS { return all }

// TileSets returns the names that TileSet accepts.
func TileSets() []string { return names(files, "tilesets", ".tsv") }
