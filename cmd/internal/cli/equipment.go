package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/language"
	"github.com/rackmate/rackmate/game/robot"
	"github.com/rackmate/rackmate/imaging"
	"github.com/rackmate/rackmate/lexicon"
)

// StandardEquipment returns the default board and tiles.
func StandardEquipment() (game.Equipment, error) {
	layout, err := openLayout("standard-15")
	if err != nil {
		return game.Equipment{}, err
	}
	text, err := data.TileSet("english")
	if err != nil {
		return game.Equipment{}, err
	}
	tiles, err := game.ParseTileSet("english", text)
	return game.Equipment{Layout: layout, Tiles: tiles}, err
}

// OpenLayouts returns all shipped boards.
func OpenLayouts() ([]game.Layout, error) {
	var all []game.Layout
	for _, name := range data.Layouts() {
		l, err := openLayout(name)
		if err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	return all, nil
}

// openLayout returns a shipped board.
func openLayout(name string) (game.Layout, error) {
	text, err := data.Layout(name)
	if err != nil {
		return game.Layout{}, err
	}
	return game.ParseLayout(name, text)
}

// DefaultLexicon is the default list of commands.
const DefaultLexicon = "en"

// HostLexicon is the default list of a host's tables, without vulgar words.
const HostLexicon = "en-clean"

// shippedLists caches the shipped lists by name, so that each is unpacked once.
var shippedLists sync.Map

func shippedList(name string) (*lexicon.Lexicon, error) {
	if lex, ok := shippedLists.Load(name); ok {
		return lex.(*lexicon.Lexicon), nil
	}
	file, err := data.Lexicon(name)
	if err != nil {
		return nil, err
	}
	opened, err := lexicon.OpenSound(file) // a test checks it
	if err != nil {
		return nil, err
	}
	lex, _ := shippedLists.LoadOrStore(name, opened)
	return lex.(*lexicon.Lexicon), nil
}

// OpenLexicon opens a shipped list by its name ("en", or "en-former" for the previous list of that
// name), or a list made by "rackmate lexicon build" by its file.
func OpenLexicon(nameOrFile string) (*lexicon.Lexicon, error) {
	if lex, err := shippedList(nameOrFile); !errors.Is(err, fs.ErrNotExist) {
		if err != nil {
			return nil, fmt.Errorf("open word list %s: %w", nameOrFile, err)
		}
		if lex.IsPacked() {
			if kept := openUnpacked(lex); kept != nil {
				return kept, nil
			}
		}
		return lex, nil
	}
	file, err := mapFile(nameOrFile)
	if os.IsNotExist(err) {
		return nil, fmt.Errorf("unknown word list %q: choose one of %s, or name a file made by \"rackmate lexicon build\"", nameOrFile, strings.Join(data.Lexicons(), ", "))
	}
	if err != nil {
		return nil, fmt.Errorf("read word list: %w", err)
	}
	lex, err := lexicon.OpenInPlace(file)
	if err != nil {
		return nil, fmt.Errorf("open word list %s: %w", filepath.Base(nameOrFile), err)
	}
	return lex, nil
}

// ListFor returns the name of the shipped list for a tile set.
func ListFor(set *game.TileSet) (string, error) {
	languages, err := OpenLanguages(nil)
	if err != nil {
		return "", err
	}
	for _, name := range slices.Concat([]string{DefaultLexicon}, data.Lexicons()) {
		if l := language.Of(name, languages); l != nil && l.Tiles.Alphabet().Equal(set.Alphabet()) && strings.HasPrefix(set.Name(), l.Tiles.Name()) {
			return name, nil
		}
	}
	return "", fmt.Errorf("no word list for %s tiles is built in: name one with --lexicon", set.Name())
}

// OpenLexicons opens the shipped lists, HostLexicon first, and those in files. A file replaces the
// shipped list of the same name, even if its words differ. former lists the ones that older tables
// may still use.
func OpenLexicons(files []string) (all, former []*lexicon.Lexicon, err error) {
	for _, file := range data.FormerLexicons() {
		lex, err := lexicon.OpenSound(file)
		if err != nil {
			return nil, nil, fmt.Errorf("open a former word list: %w", err)
		}
		former = append(former, lex)
	}
	replaced := map[string]bool{} // by name, replaced by a file
	others := slices.DeleteFunc(data.Lexicons(), func(name string) bool { return name == HostLexicon })
	for _, name := range slices.Concat([]string{HostLexicon}, others, files) {
		lex, err := OpenLexicon(name)
		if err != nil {
			return nil, nil, err
		}
		switch i := slices.IndexFunc(all, func(l *lexicon.Lexicon) bool { return l.Name() == lex.Name() }); {
		case i < 0:
			all = append(all, lex)
		case all[i].Hash() == lex.Hash():
			all[i] = lex // a file takes less memory than a packed list
		case i < len(data.Lexicons()) && !replaced[lex.Name()]:
			replaced[lex.Name()] = true
			former, all[i] = append(former, all[i]), lex
		default:
			return nil, nil, fmt.Errorf("%s holds a word list called %q, as another file does: build it under another name", name, lex.Name())
		}
	}
	return all, former, nil
}

// Minds caches what robots know about each of a host's word lists. It is safe for concurrent use.
type Minds struct {
	languages []*language.Language
	leaves    map[*game.TileSet]*robot.Leaves
	words     map[*game.TileSet]func() *lexicon.Vocabulary

	mu   sync.Mutex
	made map[*lexicon.Lexicon]*robot.Mind
}

// mostMinds limits the minds cached; a list with a place's own words has one too.
const mostMinds = 64

// NewMinds returns the minds for some lists, with the shipped leave values and vocabularies of the
// lists' languages.
func NewMinds(lists []*lexicon.Lexicon, languages []*language.Language) (*Minds, error) {
	m := &Minds{languages: languages, leaves: map[*game.TileSet]*robot.Leaves{}, words: map[*game.TileSet]func() *lexicon.Vocabulary{}, made: map[*lexicon.Lexicon]*robot.Mind{}}
	for _, lex := range lists {
		set := LanguageOf(lex, languages).Tiles
		if _, ok := m.leaves[set]; !ok {
			var err error
			if m.leaves[set], err = openLeaves(set); err != nil {
				return nil, err
			}
			m.words[set] = vocabulary(set)
		}
		if !lex.Alphabet().Equal(set.Alphabet()) {
			return nil, fmt.Errorf("the word list %s isn't spelled with %s tiles: give it a name that begins with its language's code and a hyphen, or build it again with --language", lex.Name(), set.Name())
		}
	}
	return m, nil
}

// Of returns the mind of a list.
func (m *Minds) Of(lex *lexicon.Lexicon) *robot.Mind {
	m.mu.Lock()
	defer m.mu.Unlock()
	mind, ok := m.made[lex]
	if !ok {
		if len(m.made) == mostMinds {
			clear(m.made)
		}
		set := LanguageOf(lex, m.languages).Tiles
		leaves := m.leaves[set]
		if leaves == nil {
			leaves = robot.GuessLeaves(set, lex)
		}
		words := m.words[set]
		if words == nil {
			words = lexicon.GuessVocabulary
		}
		mind = robot.NewMind(lex, words, leaves)
		m.made[lex] = mind
	}
	return mind
}

// Common returns the words of a list that may be printed on a board. It returns none if the list's
// language has no vocabulary.
func (m *Minds) Common(lex *lexicon.Lexicon) []lexicon.Word {
	words := m.words[LanguageOf(lex, m.languages).Tiles]
	if words == nil {
		return nil
	}
	return words().Common(lex, lexicon.Everyday, game.ShortestPrinted, game.LongestPrinted)
}

// LanguageOf returns the language of a word list: the one whose code starts its name, or else
// English, the first.
func LanguageOf(lex *lexicon.Lexicon, languages []*language.Language) *language.Language {
	if l := language.Of(lex.Name(), languages); l != nil {
		return l
	}
	return languages[0]
}

// OpenMind opens a word list and returns a mind for it, with the board and tiles of its language.
func OpenMind(nameOrFile string) (*robot.Mind, game.Equipment, error) {
	var eq game.Equipment
	lex, err := OpenLexicon(nameOrFile)
	if err != nil {
		return nil, eq, err
	}
	in, err := openLanguageOf(lex.Name())
	if err != nil {
		return nil, eq, err
	}
	lex = keepUnpacked(lex)
	all, err := NewMinds([]*lexicon.Lexicon{lex}, []*language.Language{in})
	if err != nil {
		return nil, eq, err
	}
	eq.Tiles = in.Tiles
	eq.Layout, err = openLayout("standard-15")
	return all.Of(lex), eq, err
}

// vocabularies caches the results of [vocabulary] by tile set.
var vocabularies sync.Map

// vocabulary returns a function that reads the vocabulary of a tile set's language on first use, or
// nil if none is shipped.
func vocabulary(set *game.TileSet) func() *lexicon.Vocabulary {
	if !slices.Contains(data.Vocabularies(), set.Name()) {
		return nil
	}
	words, _ := vocabularies.LoadOrStore(set, sync.OnceValue(func() *lexicon.Vocabulary {
		text, err := data.Vocabulary(set.Name())
		if err == nil {
			var v *lexicon.Vocabulary
			if v, err = lexicon.ReadVocabulary(set.Alphabet(), bytes.NewReader(text)); err == nil {
				return v
			}
		}
		panic(err) // a test reads all shipped ones
	}))
	return words.(func() *lexicon.Vocabulary)
}

// openLeaves returns the shipped leave values of a tile set, or nil if there are none.
func openLeaves(set *game.TileSet) (*robot.Leaves, error) {
	file, err := data.Leaves(set.Name())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return robot.OpenLeaves(set, file)
}

// NewRenderer returns a renderer with the shipped fonts.
func NewRenderer(theme string) (*imaging.Renderer, error) {
	t, err := imaging.ParseTheme(theme)
	if err != nil {
		return nil, err
	}
	fonts, err := fonts()
	if err != nil {
		return nil, err
	}
	return imaging.NewRenderer(t, fonts)
}

// fallback returns a packed font, unpacked once for all renderers.
var fallback = sync.OnceValues(func() ([]byte, error) { return data.Font("DroidSansFallback") })

// fonts returns the shipped fonts.
func fonts() (f imaging.Fonts, err error) {
	read := func(name string) []byte {
		b, e := data.Font(name)
		err = errors.Join(err, e)
		return b
	}
	f = imaging.Fonts{
		Tile:   read("AtkinsonHyperlegibleNext-Bold"),
		Tiles:  [][]byte{read("IBMPlexSans-Bold")},
		Text:   read("Inter-SemiBold"),
		Bold:   read("Inter-Bold"),
		Others: [][]byte{read("NotoSansHebrew-SemiBold"), read("NotoSansArabic-SemiBold"), read("NotoSansThai-SemiBold")},
		Light:  []func() ([]byte, error){fallback},
	}
	return f, err
}
