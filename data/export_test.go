package data

import "io/fs"

// Files is every embedded file, SOURCES.md too.
func Files() fs.FS { return files }

// TileSets lists the names that TileSet takes.
func TileSets() []string { return names("tilesets", ".tsv") }
