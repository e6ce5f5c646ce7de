package web

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// twins are letters that look like the Latin letters at the same place below. They extend
// UTS 39's table of confusables, which distinguishes capitals from small letters.
const (
	twins = "АВЕЅІЈКМНОРСТУХЬԌԚԜаеѕіјорсухһԁԛԝӏ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοανικυρ" + "ՏՍօսց" + "01|ıɑɡ"
	latin = "ABESIJKMHOPCTYXbGQWaesijopcyxhdqwl" + "ABEZHIKMNOPTYXoavikup" + "SUoug" + "Olliag"
)

// looks maps characters to lookalikes, and holds the reserved names of roles.
type looks struct {
	of    map[rune]string
	roles map[string]bool // skeletons of reserved names
}

// readLooks parses UTS 39's table, extended by twins: each line is a character, a tab, and
// its lookalike; "#" begins a comment.
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
	for _, words := range reservedNames {
		for _, w := range words {
			all.roles[all.skeleton(w)] = true
			all.roles[strings.Join(all.wordsOf(w), "")] = true // without articles
		}
	}
	return all
}

// skeleton returns the same string for names that are easily confused.
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

// alike merges lookalikes among small letters, and drops separators.
var alike = strings.NewReplacer("i", "l", "rn", "m", "vv", "w", " ", "", "-", "", "_", "", ".", "", "'", "", "’", "")

// reservedNames lists the reserved names by language; lookalikes are refused too. They are the
// host's names, roles, words that mean everyone, and the names of forgotten people.
var reservedNames = map[string][]string{
	"en": {"rackmate", "host", "the host", "keeper", "the keeper", "room keeper", "admin", "administrator", "moderator", "mod", "operator", "staff", "support", "team", "owner", "system", "bot", "everyone", "everybody", "here", "channel", "former player", "robot", "official"},
	"de": {"gastgeber", "der gastgeber", "hüter", "verwalter", "betreiber", "moderation", "leitung", "personal", "hilfe", "alle", "hier", "kanal", "ehemaliger spieler", "früherer spieler", "roboter", "gastgeberin", "die gastgeberin", "hüterin", "verwalterin", "betreiberin", "moderatorin", "administratorin", "ehemalige spielerin", "frühere spielerin", "offiziell"},
	"es": {"anfitrión", "el anfitrión", "administración", "administrador", "moderador", "operador", "personal", "soporte", "sistema", "todos", "aquí", "canal", "antiguo jugador", "jugador anterior", "anfitriona", "administradora", "moderadora", "operadora", "antigua jugadora", "jugadora anterior", "oficial"},
	"fr": {"hôte", "l'hôte", "gardien", "administrateur", "administration", "modérateur", "modération", "opérateur", "équipe", "assistance", "système", "tout le monde", "tous", "ici", "salon", "ancien joueur", "hôtesse", "gardienne", "administratrice", "modératrice", "opératrice", "ancienne joueuse", "officiel", "officielle"},
	"nl": {"gastheer", "de gastheer", "beheerder", "beheer", "moderator", "operator", "personeel", "ondersteuning", "systeem", "iedereen", "hier", "kanaal", "voormalige speler", "oud-speler", "gastvrouw", "beheerster", "moderatrice", "voormalige speelster", "oud-speelster", "officieel"},
	"pl": {"gospodarz", "administrator", "administracja", "moderator", "operator", "obsługa", "wsparcie", "wszyscy", "tutaj", "kanał", "były gracz", "dawny gracz", "gospodyni", "administratorka", "moderatorka", "operatorka", "była graczka", "dawna graczka", "oficjalny", "oficjalna"},
	"pt": {"anfitrião", "o anfitrião", "administrador", "administração", "moderador", "operador", "equipe", "equipa", "suporte", "sistema", "todos", "aqui", "canal", "antigo jogador", "ex-jogador", "anfitriã", "administradora", "moderadora", "operadora", "antiga jogadora", "ex-jogadora", "oficial"},
}

// articles are ignored before and between the words of a role.
var articles = strings.Fields("a an the of for der die das des von für el la los las un una de del l le les un une du d de het een van o a os as um uma do da dos das")

// isReserved reports whether a name is reserved, looks like a reserved one, or consists of such words.
func (l looks) isReserved(name string) bool {
	if foldName(name) == "all" { // "Ali" has the same skeleton
		return true
	}
	whole := l.skeleton(name)
	words := l.wordsOf(name)
	joined := strings.Join(words, "")
	roles := len(words) > 0 // whether all words are roles
	for _, word := range words {
		roles = roles && l.roles[word]
	}
	return roles || l.roles[whole] || l.roles[joined] || l.roles[strings.TrimSuffix(joined, "s")]
}

// wordsOf returns the skeletons of a name's words in the singular, without articles and
// numbers: "The staff 2" becomes staff.
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

// mostMarks is the number of marks that a letter may carry; Vietnamese needs two.
const mostMarks = 2

// blanks are characters with an empty glyph, although no property says so: Braille and
// hieroglyphs without a sign, a notehead, and placeholders for objects that can't be shown.
const blanks = "\u2800\U0001D159\U00013441\U00013442\uFFFC\uFFFD"

// inName reports whether a name can contain a character at all.
func inName(c rune) bool {
	return unicode.In(c, unicode.L, unicode.M, unicode.Nd, unicode.So) || strings.ContainsRune(" -_.'’\u200d", c) || '🏻' <= c && c <= '🏿'
}

// notInName returns the first character that isn't allowed in a name, or not at its place.
// Names consist of letters with up to two marks, digits, separators, and emoji with their
// modifiers. Other characters are invisible or hide their neighbours.
func notInName(name string) (rune, bool) {
	before, marks := ' ', 0
	for _, c := range norm.NFD.String(name) {
		picture := unicode.Is(unicode.So, before) || before == '\uFE0F' || '🏻' <= before && before <= '🏿'
		fits := false
		switch {
		case '🏻' <= c && c <= '🏿', c == '\uFE0F', c == '\u200D': // parts of emoji only
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

// reservedFor is how long a name that was given up stays reserved.
const reservedFor = 24 * time.Hour

// A storedReservation is a name that was given up, in the notes' shelf "names-at-rest", by a hash
// of its skeleton so that the name itself isn't stored.
type storedReservation struct {
	V  int       `json:"v"` // 1
	At time.Time `json:"at"`
	By string    `json:"by,omitempty"` // id of the person who may take it again; "" if they have left
}

const reservedShelf = "names-at-rest"

func (l looks) reservationKey(name string) string {
	sum := sha256.Sum256([]byte(l.skeleton(name)))
	return hex.EncodeToString(sum[:12])
}

// foldName returns the same key for names that differ only in case or apostrophes.
func foldName(name string) string { return strings.ToLower(strings.ReplaceAll(name, "’", "'")) }
