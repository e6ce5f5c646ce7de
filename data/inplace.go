package data

import (
	"embed"
	"maps"
	"slices"
	"unsafe"
)

// The word lists are embedded packed, and read in place.
var (
	//go:embed lexicons/en.packed
	listEN string
	//go:embed lexicons/en-clean.packed
	listENClean string
	//go:embed lexicons/es.packed
	listES string
	//go:embed lexicons/fr.packed
	listFR string
	//go:embed lexicons/lt.packed
	listLT string
	//go:embed lexicons/nl.packed
	listNL string
	//go:embed lexicons/pl.packed
	listPL string
	//go:embed lexicons/pt.packed
	listPT string
	//go:embed lexicons/ru.packed
	listRU string
	//go:embed lexicons/tr.packed
	listTR string

	//go:embed lexicons/en-former.packed
	formerEN string
	//go:embed lexicons/en-clean-former.packed
	formerENClean string
	//go:embed lexicons/es-former.packed
	formerES string

	//go:embed lexicons/en-additions.txt
	englishAdditions string
)

var lists = map[string]*string{
	"en": &listEN, "en-clean": &listENClean, "es": &listES, "fr": &listFR, "lt": &listLT,
	"nl": &listNL, "pl": &listPL, "pt": &listPT, "ru": &listRU, "tr": &listTR,
}

var formerLists = map[string]*string{"en-former": &formerEN, "en-clean-former": &formerENClean, "es-former": &formerES}

// Lexicon returns a compiled word list ("en", or "en-former" for the previous list of that name),
// for lexicon.OpenSound. The bytes are read-only. The error wraps [fs.ErrNotExist] and names the
// current lists.
func Lexicon(name string) ([]byte, error) {
	list, ok := lists[name]
	if !ok {
		list, ok = formerLists[name]
	}
	if !ok {
		return nil, missing("lexicons", name, Lexicons())
	}
	return inPlace(*list), nil
}

// FormerLexicons returns compiled lists of earlier versions of the program whose names now belong
// to other lists. Tables opened with one keep it to their end.
func FormerLexicons() [][]byte {
	return [][]byte{inPlace(formerEN), inPlace(formerENClean), inPlace(formerES)}
}

// EnglishAdditions returns the words that general dictionaries have added since the source packages
// of en and en-clean were made, with the evidence for each. The file's first lines describe its
// format.
func EnglishAdditions() string { return englishAdditions }

// inPlace returns the bytes of an embedded file without copying.
func inPlace(file string) []byte { return unsafe.Slice(unsafe.StringData(file), len(file)) }

// Fonts are read in place too, except one that is rarely needed and embedded packed.
var (
	//go:embed fonts/AtkinsonHyperlegibleNext-Bold.ttf
	atkinson string
	//go:embed fonts/IBMPlexSans-Bold.ttf
	plex string
	//go:embed fonts/Inter-SemiBold.ttf
	interSemiBold string
	//go:embed fonts/Inter-Bold.ttf
	interBold string
	//go:embed fonts/NotoSansArabic-SemiBold.ttf
	arabic string
	//go:embed fonts/NotoSansHebrew-SemiBold.ttf
	hebrew string
	//go:embed fonts/NotoSansThai-SemiBold.ttf
	thai string

	//go:embed fonts/*.ttf.gz
	packedFonts embed.FS
)

var typefaces = map[string]*string{
	"AtkinsonHyperlegibleNext-Bold": &atkinson, "IBMPlexSans-Bold": &plex, "Inter-SemiBold": &interSemiBold, "Inter-Bold": &interBold,
	"NotoSansArabic-SemiBold": &arabic, "NotoSansHebrew-SemiBold": &hebrew, "NotoSansThai-SemiBold": &thai,
}

// Font returns a font file ("Inter-Bold"), for imaging.Fonts. It is read-only.
func Font(name string) ([]byte, error) {
	if file, ok := typefaces[name]; ok {
		return inPlace(*file), nil
	}
	if zipped, err := read(packedFonts, "fonts", name, ".ttf.gz"); err == nil {
		return unzip(zipped, nil)
	}
	return nil, missing("fonts", name, slices.Sorted(maps.Keys(typefaces)))
}

// English has many leave values, so they are read in place too.
var (
	//go:embed leaves/english.leaves
	leavesEnglish string

	//go:embed leaves/*.leaves
	leaves embed.FS
)

// Leaves returns the leave values of a tile set ("english"), for robot.OpenLeaves. They are
// read-only.
func Leaves(name string) ([]byte, error) {
	if name == "english" {
		return inPlace(leavesEnglish), nil
	}
	return read(leaves, "leaves", name, ".leaves")
}

// Lexicons returns the names that Lexicon accepts, without former ones.
func Lexicons() []string { return slices.Sorted(maps.Keys(lists)) }
