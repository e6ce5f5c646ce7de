package files

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// table maps letters to ASCII as ICAO recommends (Doc 9303, part 3, section 6), and Greek
// letters as in ELOT 743. An ASCII letter with marks that isn't in the table loses the
// marks.
var table = map[rune]string{
	'Ä': "Ae", 'Å': "Aa", 'Æ': "Ae", 'Ð': "D", 'Đ': "D", 'Ħ': "H", 'Ĳ': "Ij", 'Ŀ': "L", 'Ł': "L", 'Ŋ': "N", 'Ö': "Oe", 'Ø': "Oe", 'Œ': "Oe",
	'Þ': "Th", 'Ŧ': "T", 'Ü': "Ue", 'ẞ': "Ss", 'ß': "ss", 'ı': "i", 'ĸ': "k", 'Ə': "E",
	'А': "A", 'Б': "B", 'В': "V", 'Г': "G", 'Ґ': "G", 'Д': "D", 'Е': "E", 'Ё': "E", 'Є': "Ie", 'Ж': "Zh", 'З': "Z", 'И': "I", 'І': "I", 'Ї': "I",
	'Й': "I", 'К': "K", 'Л': "L", 'М': "M", 'Н': "N", 'О': "O", 'П': "P", 'Р': "R", 'С': "S", 'Т': "T", 'У': "U", 'Ў': "U", 'Ф': "F", 'Х': "Kh",
	'Ц': "Ts", 'Ч': "Ch", 'Ш': "Sh", 'Щ': "Shch", 'Ъ': "Ie", 'Ы': "Y", 'Ь': "", 'Э': "E", 'Ю': "Iu", 'Я': "Ia",
	'Ђ': "D", 'Ј': "J", 'Љ': "Lj", 'Њ': "Nj", 'Ћ': "C", 'Џ': "Dz", 'Ѓ': "G", 'Ќ': "K", 'Ѕ': "Dz",
	'Α': "A", 'Β': "V", 'Γ': "G", 'Δ': "D", 'Ε': "E", 'Ζ': "Z", 'Η': "I", 'Θ': "Th", 'Ι': "I", 'Κ': "K", 'Λ': "L", 'Μ': "M", 'Ν': "N", 'Ξ': "X",
	'Ο': "O", 'Π': "P", 'Ρ': "R", 'Σ': "S", 'Τ': "T", 'Υ': "Y", 'Φ': "F", 'Χ': "Ch", 'Ψ': "Ps", 'Ω': "O", 'ς': "s",
	'‘': "'", '’': "'", 'ʼ': "'", '´': "'", '“': "\"", '”': "\"", '‐': "-", '‑': "-", '–': "-", '—': "-", '\u00a0': " ", '\u202f': " ", '·': ".",
}

// transliterate converts a name to printable ASCII. If it has a character that the table
// doesn't know, or if no letter or digit is left, ok is false.
func transliterate(name string) (ascii string, ok bool) {
	var b strings.Builder
	for _, r := range norm.NFC.String(name) {
		s, known := letter(r)
		if !known {
			return "", false
		}
		b.WriteString(s)
	}
	ascii = strings.Join(strings.Fields(b.String()), " ")
	return ascii, strings.ContainsFunc(ascii, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// letter converts a character to ASCII.
func letter(r rune) (string, bool) {
	if r >= ' ' && r <= '~' {
		return string(r), true
	}
	if s, ok := table[r]; ok {
		return s, true
	}
	if s, ok := table[unicode.ToUpper(r)]; ok {
		return strings.ToLower(s), true
	}
	if unicode.Is(unicode.Mn, r) {
		return "", true // a mark on the preceding letter
	}
	// A letter with marks: convert the letter, which may be in the table.
	if parts := []rune(norm.NFD.String(string(r))); len(parts) > 1 {
		return letter(parts[0])
	}
	return "", false
}
