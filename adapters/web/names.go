package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/notes"
)

// twins are letters, above, that look like the Latin ones below them, beside UTS 39's
// table of confusables, which tells capitals from small letters.
const (
	twins = "АВЕЅІЈКМНОРСТУХЬԌԚԜаеѕіјорсухһԁԛԝӏ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοανικυρ" + "ՏՍօսց" + "01|ıɑɡ"
	latin = "ABESIJKMHOPCTYXbGQWaesijopcyxhdqwl" + "ABEZHIKMNOPTYXoavikup" + "SUoug" + "Olliag"
)

// looks are what characters look like, and with them the names of roles.
type looks struct {
	of    map[rune]string
	roles map[string]bool // skeletons of the names that are taken
}

// readLooks reads UTS 39's table: a line is a character, a tab, and what it looks
// like; "#" begins a comment. Our twins come first.
func readLooks(table string) looks {
	all := looks{map[rune]string{}, map[string]bool{}}
	for line := range strings.Lines(table) {
		from, to, found := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if c, size := utf8.DecodeRuneInString(from); found && size == len(from) {
			all.of[c] = to
		}
	}
	to := []rune(latin)
	for i, c := range []rune(twins) {
		all.of[c] = string(to[i])
	}
	for _, words := range taken {
		for _, w := range words {
			all.roles[all.skeleton(w)] = true
			all.roles[strings.Join(all.wordsOf(w), "")] = true // without its article
		}
	}
	return all
}

// skeleton is equal for names that are easily taken for each other.
func (l looks) skeleton(name string) string {
	var b strings.Builder
	for _, c := range norm.NFKD.String(name) {
		if like, ok := l.of[c]; ok {
			b.WriteString(like)
		} else {
			b.WriteRune(c)
		}
	}
	name = strings.Map(func(c rune) rune {
		if c > unicode.MaxASCII && (unicode.Is(unicode.Mn, c) || unicode.Is(unicode.Cf, c) || unicode.Is(unicode.Variation_Selector, c)) {
			return -1
		}
		return c
	}, norm.NFKD.String(b.String()))
	return alike.Replace(strings.ToLower(name))
}

// alike brings together what is still told apart in small letters, and leaves out what
// stands between words.
var alike = strings.NewReplacer("i", "l", "rn", "m", "vv", "w", " ", "", "-", "", "_", "", ".", "", "'", "", "’", "")

// taken are the names that nobody can have, nor one that looks like them, by the
// languages that the host speaks: the host's, those of roles, what would read as
// everybody, and what people are called who asked to be forgotten.
var taken = map[string][]string{
	"en": {"rackmate", "host", "the host", "keeper", "the keeper", "room keeper", "admin", "administrator", "moderator", "mod", "operator", "staff", "support", "team", "owner", "system", "bot", "everyone", "everybody", "here", "channel", "former player", "robot", "official"},
	"de": {"gastgeber", "der gastgeber", "hüter", "verwalter", "betreiber", "moderation", "leitung", "personal", "hilfe", "alle", "hier", "kanal", "ehemaliger spieler", "früherer spieler", "roboter", "gastgeberin", "die gastgeberin", "hüterin", "verwalterin", "betreiberin", "moderatorin", "administratorin", "ehemalige spielerin", "frühere spielerin", "offiziell"},
	"es": {"anfitrión", "el anfitrión", "administración", "administrador", "moderador", "operador", "personal", "soporte", "sistema", "todos", "aquí", "canal", "antiguo jugador", "jugador anterior", "anfitriona", "administradora", "moderadora", "operadora", "antigua jugadora", "jugadora anterior", "oficial"},
	"fr": {"hôte", "l'hôte", "gardien", "administrateur", "administration", "modérateur", "modération", "opérateur", "équipe", "assistance", "système", "tout le monde", "tous", "ici", "salon", "ancien joueur", "hôtesse", "gardienne", "administratrice", "modératrice", "opératrice", "ancienne joueuse", "officiel", "officielle"},
	"nl": {"gastheer", "de gastheer", "beheerder", "beheer", "moderator", "operator", "personeel", "ondersteuning", "systeem", "iedereen", "hier", "kanaal", "voormalige speler", "oud-speler", "gastvrouw", "beheerster", "moderatrice", "voormalige speelster", "oud-speelster", "officieel"},
	"pl": {"gospodarz", "administrator", "administracja", "moderator", "operator", "obsługa", "wsparcie", "wszyscy", "tutaj", "kanał", "były gracz", "dawny gracz", "gospodyni", "administratorka", "moderatorka", "operatorka", "była graczka", "dawna graczka", "oficjalny", "oficjalna"},
	"pt": {"anfitrião", "o anfitrião", "administrador", "administração", "moderador", "operador", "equipe", "equipa", "suporte", "sistema", "todos", "aqui", "canal", "antigo jogador", "ex-jogador", "anfitriã", "administradora", "moderadora", "operadora", "antiga jogadora", "ex-jogadora", "oficial"},
}

// articles say nothing more where they stand before or between the words of a role.
var articles = strings.Fields("a an the of for der die das des von für el la los las un una de del l le les un une du d de het een van o a os as um uma do da dos das")

func (l looks) taken(name string) bool {
	if foldName(name) == "all" { // which Ali looks like
		return true
	}
	whole := l.skeleton(name)
	words := l.wordsOf(name)
	joined := strings.Join(words, "")
	roles := len(words) > 0 // all of them
	for _, word := range words {
		roles = roles && l.roles[word]
	}
	return roles || l.roles[whole] || l.roles[joined] || l.roles[strings.TrimSuffix(joined, "s")]
}

// wordsOf are what the words of a name look like, each in the singular, without the
// articles and the numbers: "The staff 2" is staff.
func (l looks) wordsOf(name string) (all []string) {
	for _, word := range strings.FieldsFunc(name, func(c rune) bool { return strings.ContainsRune(" -_.'’", c) }) {
		word = strings.TrimRightFunc(word, unicode.IsDigit)
		if word == "" || slices.Contains(articles, strings.ToLower(word)) {
			continue
		}
		like := l.skeleton(word)
		for _, plural := range []string{"s", "es", "nen"} {
			if singular := strings.TrimSuffix(like, plural); l.roles[singular] {
				like = singular
			}
		}
		all = append(all, like)
	}
	return all
}

// mostMarks is how many marks a letter may carry: Vietnamese has two.
const mostMarks = 2

// blanks are characters whose glyph is empty though no property of theirs says so:
// Braille and hieroglyphs without a sign, a notehead, and what stands for a thing
// that can't be shown.
const blanks = "\u2800\U0001D159\U00013441\U00013442\uFFFC\uFFFD"

// inName reports whether a character can be in a name at some place.
func inName(c rune) bool {
	return unicode.In(c, unicode.L, unicode.M, unicode.Nd, unicode.So) || strings.ContainsRune(" -_.'’\u200d", c) || '🏻' <= c && c <= '🏿'
}

// notInName finds a character that can't be in a name, or not where it stands:
// names have letters with up to two marks, digits, what joins names, and emoji with
// what those are made of. Nobody can see the others, or they hide what stands
// beside them.
func notInName(name string) (rune, bool) {
	before, marks := ' ', 0
	for _, c := range norm.NFD.String(name) {
		picture := unicode.Is(unicode.So, before) || before == '\uFE0F' || '🏻' <= before && before <= '🏿'
		fits := false
		switch {
		case '🏻' <= c && c <= '🏿', c == '\uFE0F', c == '\u200D': // only emoji are made of these
			fits = picture
		case strings.ContainsRune(blanks, c), unicode.In(c, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector):
		case unicode.In(c, unicode.Mn, unicode.Mc):
			marks++
			fits = marks <= mostMarks && !strings.ContainsRune(" -_.'’", before)
		default:
			fits, marks = unicode.In(c, unicode.L, unicode.Nd, unicode.So) || strings.ContainsRune(" -_.'’", c), 0
		}
		if !fits {
			return c, true
		}
		if !unicode.In(c, unicode.Mn, unicode.Mc) {
			before = c
		}
	}
	return 0, false
}

// restFor is how long a name that somebody gave up is for nobody else.
const restFor = 24 * time.Hour

// A storedRest is a name that was given up, in the notes' shelf "names-at-rest",
// by a hash of its skeleton: nobody's name stays there in words.
type storedRest struct {
	V  int       `json:"v"` // 1
	At time.Time `json:"at"`
	By string    `json:"by,omitempty"` // who may have it again; "" when they have left
}

const restShelf = "names-at-rest"

func (l looks) restKey(name string) string {
	sum := sha256.Sum256([]byte(l.skeleton(name)))
	return hex.EncodeToString(sum[:12])
}

// forgetRests takes somebody out of the notes of names that they gave up.
func (ms *members) forgetRests(ctx context.Context, id string) error {
	return ms.notes.Change(ctx, func(rows bot.Rows) error {
		return notes.EachOf(rows, restShelf, "", func(key string, old storedRest) error {
			if old.By != id {
				return nil
			}
			old.By = ""
			return notes.Put(rows, restShelf, key, old)
		})
	})
}
