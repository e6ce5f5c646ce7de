// Command mkwords generates the shipped word lists: it downloads their npm and Debian packages,
// selects the words that fit the game, and compiles them. It runs in the data folder through go
// generate, and needs npm, apt-get and the network; the compiled lists are committed, so nothing
// else needs them.
package main

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/language"
	"github.com/rackmate/rackmate/lexicon"
	"github.com/rackmate/rackmate/lexicon/hunspell"
)

// A source is a word list and the package it is made from.
type source struct {
	name      string
	pkg       string // package with version
	integrity string // an npm package's SHA-512 in base64, as npm writes it; a Debian package's SHA-256
	debian    bool
	file      string // file in the package with the words
	affixes   string // file in the package with the affixes of a Hunspell dictionary
	most      int    // level of affixes, see hunspell.Limits; 0 for all
	licence   string // file in the package with the licence
	files     string // files that the licence covers, if the file names several licences; "" for all
	read      func([]byte) ([]string, error)
	mpl       string              // version of the Mozilla Public License under which it is used
	twos      string              // valid two-letter words; "" for all in the list
	drop      string              // abbreviations and numerals to leave out; see SOURCES.md
	additions func(addition) bool // selects words of en-additions.txt to add; nil for none
	former    bool                // formerly shipped, and kept for tables that use it
	words     int
	hash      string // see lexicon.Lexicon.Hash
}

var sources = []source{
	{
		name:      "en",
		former:    true,
		pkg:       "an-array-of-english-words@2.0.0",
		integrity: "FXnNvZSOI27kkKXeLSquhaTGP7z198UOQ4txaYO9fCfrjCh+D5SV7G7XqzEH0229+pAi4cjBEZ4WIQYgjKtO7Q==",
		file:      "package/index.json",
		licence:   "package/license",
		read:      readJSON,
		words:     270654,
		hash:      "f67eb9fb0410de3db331c18d52d12316b6bfd9edda6880945845cfee0e59b888",
	},
	{
		name:      "en-clean",
		former:    true,
		pkg:       "word-list@4.1.0",
		integrity: "4vtKyH8lGfaY8DHLTKQDfDxPixdK6BC/2W38TsPE07Wc8uPrMIbEO3quxBFSa2BfsDyG6pW47UEN/9tfYxN6BA==",
		file:      "package/words.txt",
		licence:   "package/license",
		read:      readLines,
		words:     269870,
		hash:      "9c141826c3166bd4508bef5faa75230a6fbb6f5db23c9329d07de13e114de13c",
	},
	{
		name:      "en",
		pkg:       "an-array-of-english-words@2.0.0",
		integrity: "FXnNvZSOI27kkKXeLSquhaTGP7z198UOQ4txaYO9fCfrjCh+D5SV7G7XqzEH0229+pAi4cjBEZ4WIQYgjKtO7Q==",
		file:      "package/index.json",
		licence:   "package/license",
		read:      readJSON,
		additions: func(addition) bool { return true },
		words:     271614,
		hash:      "406301c032fb584d23367957aada1cb0449bd3c89e497d694843bb948cdc8a09",
	},
	{
		name:      "en-clean",
		pkg:       "word-list@4.1.0",
		integrity: "4vtKyH8lGfaY8DHLTKQDfDxPixdK6BC/2W38TsPE07Wc8uPrMIbEO3quxBFSa2BfsDyG6pW47UEN/9tfYxN6BA==",
		file:      "package/words.txt",
		licence:   "package/license",
		read:      readLines,
		additions: func(a addition) bool { return !a.vulgar },
		words:     270821,
		hash:      "726f6c42b270148acafe4b414b04cfb3d71273a7d19278e4d73c3ed6cf4d499d",
	},
	{
		name:      "es",
		former:    true,
		pkg:       "wspanish=1.0.30",
		integrity: "a2b7504fb8c12deaf6c4e868f749a3d05a42caee348f0f5bb006238e925cde18",
		debian:    true,
		file:      "usr/share/dict/spanish",
		licence:   "usr/share/doc/wspanish/copyright",
		read:      readSpelling,
		twos: `AD AH AJ AL AS AX AY BE CA CE CHE CHO CO CU DE DI DO EA EH EL EN ES EX FA FE FO FU GE HA HE HI HU IR JA JE JI JO
			LA LE LO ME MI MU NI NO OH OS OX PE PI PU RE RO SE SI SO SU TA TE TI TO TU UF UN VA VE XI YA YE YO ZA ÑA ÑO ÑU`,
		words: 85140,
		hash:  "34ab00763927fe99cc79b22d18bfcbf78a2ff70545c17cf2b353e42120449c23",
	},
	{
		name:      "es",
		pkg:       "hunspell-es=1:7.5.0-1",
		integrity: "f6de258db3830b26a9afe4ebd269fdabc8bd5adf71fc7465152c6a51c33626b9",
		debian:    true,
		file:      "usr/share/hunspell/es_ES.dic",
		affixes:   "usr/share/hunspell/es_ES.aff",
		licence:   "usr/share/doc/hunspell-es/copyright",
		files:     "dictionaries/es/*",
		mpl:       "MPL-2.0", // available under 1.1 or later
		read:      readSpelling,
		twos: `AD AH AJ AL AR AS AX AY BE BU CA CE CHA CHE CHO CO CU DA DE DI DO EA EH EL EN ES EX FA FE FO FU GE HA HE HI HU ID IR
			JA JE JI JO JU LA LE LLE LO ME MI MU NI NO OC OH OI OS OX PE PI PU RE RO SE SI SO SU TA TE TI TO TU UF UH UN UY VA VE
			VI XI YA YE YO ZA ÑA ÑO ÑU`,
		drop: `ADV ART AVD CAJ CGO CTA CTE DCHA DCHO DTO ETC FCA FRA GOB GTA HNA HNO IMP ING IZQ LDA LDO LIC LOC NRO NUM PAG PTA PZA
			RDO REG REV RTE SIG SOC SRA STA STO TEL TPO VTA VTO XTO`,
		words: 603541,
		hash:  "3f20472240246a4ddfabc52c4aa17e75e4d0c102cb4ee2bdc5ca399f789aa870",
	},
	{
		name:      "fr",
		pkg:       "hunspell-fr-comprehensive=1:7.0-1",
		integrity: "95492f44ddfef23a4cea1981aaa64610bee84ca3da8d5aa68552310873659d8d",
		debian:    true,
		file:      "usr/share/hunspell/fr.dic",
		affixes:   "usr/share/hunspell/fr.aff",
		licence:   "usr/share/doc/hunspell-fr-comprehensive/copyright",
		files:     "*",
		mpl:       "MPL-2.0",
		read:      readSpelling,
		twos: `AH AI AN AS AU BA BE BU CA CE CI DE DO DU EH EN ES ET EU EX FA FI GO HA HE HI HO IF IL IN JE KA LA LE LI LU MA ME MI
			MU NA NE NI NO NU OC OH ON OR OS OU PI PU QI RA RE RI RU SA SE SI TA TE TU UN US UT VE VU WU XI`,
		drop: `ACD ALX ASR ATM AVR CIT CLX DEC DIV DLX DPI DYN ENV ETC FTPS HTTP HTTPS IBN IER IID IIDE IIDES IIDS IIE IIES IIIE
			IIIES INT IVE IVES IXE IXES IXIEME IXIEMES JAN KBIT LOW MCD MIN MLX MMM NEC NOV OCT ORG QUO REF VIIE VIIES VIIIE
			VIIIES XES XIE XIES XIIE XIIES XIIIE XIIIES XIVE XIVES XIXE XIXES XLE XLIE XLIIE XLIIIE XLIVE XLIXE XLVE XLVIE XLVIIE
			XLVIIIE XVE XVES XVIE XVIES XVIIE XVIIES XVIIIE XVIIIES XXE XXES XXIE XXIES XXIIE XXIIES XXIIIE XXIIIES XXIVE XXIVES
			XXIXE XXIXES XXVE XXVES XXVIE XXVIES XXVIIE XXVIIES XXVIIIE XXVIIIES XXXE XXXES XXXIE XXXIES XXXIIE XXXIIES XXXIIIE
			XXXIIIES XXXIVE XXXIVES XXXIXE XXXIXES XXXVE XXXVES XXXVIE XXXVIES XXXVIIE XXXVIIES XXXVIIIE YCD YLM YLX YSR`,
		words: 404516,
		hash:  "e6f9dfa524d030e94b33f34439bb852b7df182b7f18a319f2a29602067dcee83",
	},
	{
		name:      "pt",
		pkg:       "hunspell-pt-pt=1:7.5.0-1",
		integrity: "00df1a3df04c8b93c9cd9b5a1afcda1c11e9f9fb418237320439f5213bf70aad",
		debian:    true,
		file:      "usr/share/hunspell/pt_PT.dic",
		affixes:   "usr/share/hunspell/pt_PT.aff",
		licence:   "usr/share/doc/hunspell-pt-pt/copyright",
		files:     "dictionaries/pt_PT/*",
		mpl:       "MPL-1.1",
		read:      readSpelling,
		twos: `AH AI AO AR AS BE CA CE CU DA DE DO EH EM ES EU EX FA FE HA IA IR IS JA LA LE LI LO MA ME MI MO NA NE NO NU OH OS OU
			PA PE PI PO RA RE RI RO SA SE SI SO TA TE TI TO TU UI UM VA VE VI XA XI XO ZE`,
		drop:  `ENG ETC EXS III PAG SEC SRA VII VIII XII XIII XIV XIX XVI XVII XVIII XXX`,
		words: 372079,
		hash:  "30ad24eb09923c2793bc5c1c63373641231f7be30861b28b34ce4b4d02a83aac",
	},
	{
		name:      "nl",
		pkg:       "wdutch=1:2.20.19-2",
		integrity: "79dc0dbbd9b3e029ba84423a804c635aca87105521962f9b4c3023399c94dc35",
		debian:    true,
		file:      "usr/share/dict/dutch",
		licence:   "usr/share/doc/wdutch/copyright",
		read:      readSpelling,
		twos: `AF AH AI AL AS AU BI BO DA DE DO EB EG EH EI EL EN ER ES EX FA GA GE GO HA HE HO HU IA IE IK IN IS JA JE JU KA LA LI
			MA ME MI MU NA NO NU OF OH OM OP OS PA PI PO RA RE SE SI TE TI TO UI UK UP UT VA WE XI ZE ZO`,
		drop: `ADI ADV AIO ANW APK APR ATB ATV AUG AZC CAI CAO CIF COS DEC DPI EBO ECG EEG EMT ETO FEB FTE HBO HIV HSO ISP IVA IVF
			JUL JUN KCA KMO KNO LBO LNO LSO LTO MBO NAW NGO NOV OBS ODD OIO OKT OZB PDA SEP UHD USO VBO VOF VOJ VSO VVE VWO WII`,
		words: 299424,
		hash:  "d2eeed0da1979fed93c0cb302fa1101e5375001e6712d28d1ddfba9b856fba9e",
	},
	{
		name:      "ru",
		pkg:       "hunspell-ru=1:7.5.0-1",
		integrity: "ef3f0a54a8e52682be80932e414b97d7d268d4a33dfcb5b27b46142b5d84cfe3",
		debian:    true,
		file:      "usr/share/hunspell/ru_RU.dic",
		affixes:   "usr/share/hunspell/ru_RU.aff",
		licence:   "usr/share/doc/hunspell-ru/copyright",
		files:     "dictionaries/ru_RU/*",
		read:      readSpelling,
		twos: `АД АЖ АЗ АЙ АН АР АС АУ АХ БЫ ВО ВЫ ГА ГО ДА ДО ЕЖ ЕЕ ЕЙ ЕЛ ЕМ ЕР ЕЁ ЖЕ ЗА ИЗ ИЛ ИМ ИХ КА КО ЛИ ЛЯ МЫ МЮ НА НЕ НИ НО
			НУ НЮ ОБ ОД ОЙ ОМ ОН ОС ОТ ОХ ПА ПЕ ПИ ПО РЕ РО СО СУ ТА ТЕ ТО ТУ ТЫ УЖ УЗ УМ УС УФ УХ ФА ФИ ФУ ХА ХЕ ХИ ЩИ ЭЙ ЭК ЭР ЭФ ЭХ
			ЮГ ЮЗ ЮЛ ЮН ЮС ЮТ ЯД ЯК ЯЛ ЯМ ЯР ЁЖ`,
		drop: `АБС АВТ АРТ АРХ АСС АТМ БЖУ ВЫП ГИФ ГОС ГУР ДЕП ДОБ ДОП ДОЦ ЕВР ЗАК ЗАП ЗАЧ ИЗВ ИЗД ИЛЛ ИНВ ИНД ИНЖ ИСП ИСТ ИСХ КАБ
			КВО МЕС НАБ НАЗ НАЦ НАЧ НЕД НОУ НЬЮ ОБЛ ОКР ОРГ ОСН ОТВ ОТД ОТЛ ПЕД ПОМ ПОС ПОЧ РЕД РЕЖ РЕФ СОЦ СОЧ СУТ СУЩ ТЕТ ТЕЧ
			ТОВ ТЫС УИК УКР УПР УСЛ ФИЗ ФИЛ ХАУ ХОЗ ЭКВ ЭКЗ ЭНД ЮГО`,
		words: 1315297,
		hash:  "89d5c85f0efd70642ca1607889315a1ccf9eddaedc08882387b47f7f70756576",
	},
	{
		name:      "tr",
		pkg:       "dictionary-tr@2.0.0",
		integrity: "Du0PHWIqAlNheOUEDgGea0lmEV4L/T57EvG4231IUeSWySSDZ8wj5TKo2Vlkx7j9RVD07XqZQLDCtOZvhll6xA==",
		file:      "package/index.dic",
		affixes:   "package/index.aff",
		licence:   "package/license",
		read:      readSpelling,
		twos: `AB AD AF AH AK AL AN AR AS AT AV AY AZ AÇ AĞ AŞ BE BU DA DE DO EH EK EL EM EN ER ES ET EV EY EZ EĞ EŞ FA HU IH KI Kİ LA ME
			MI MU MÜ Mİ NE NÜ OD OF OH OK OL OM ON OT OV OY RE SU Sİ TA Tİ UF UM UN UR US UT UY UZ UÇ VE YA YE YO YU ÖD ÖL ÖN ÖP ÖR ÖT
			ÖV ÖZ ÖÇ ÜN ÜS ÜT ÜZ ÜÇ İL İM İN İP İS İT İV İZ İÇ İĞ İŞ ŞU`,
		words: 1147807,
		hash:  "4565f38bb027ef16e53f3283f08b9453a9a8090917aaaa599995235f2e323cb8",
	},
	{
		name:      "lt",
		pkg:       "hunspell-lt=1:7.5.0-1",
		integrity: "1a336f8994622e6b65f7ef4f0f108b6b12cd960d366cbb2aa50eca219cd16dcc",
		debian:    true,
		file:      "usr/share/hunspell/lt_LT.dic",
		affixes:   "usr/share/hunspell/lt_LT.aff",
		most:      hunspell.OneAffix, // both together make 38 million words
		licence:   "usr/share/doc/hunspell-lt/copyright",
		files:     "dictionaries/lt_LT/*",
		read:      readSpelling,
		twos: `AI AK AR AŠ BE DU EI GI HA IR IT IŠ JI JO JĄ JĮ JŲ KO KĄ MŪ NA NE NĖ NŪ OI OP OŠ PO SU TA TE TO TU TĄ TŲ UI UŽ VA
			ŠE ŠI ŠĮ`,
		drop: `ADV AKT AMT APS ATV AUT AVD BUV CIT COM DIR DOC EGZ EIL ETC FAK GEN GIM GYD INŽ ISO KAT KUN MAT MED MOT MĖN ORG PAN
			PAV PUB RED SAV SEN TEL TIR UPL VAD VAL VED VET VYR`,
		words: 3645049,
		hash:  "1c219f08c85948396fabc684d0575a057c7f7138f3eddf4912c829c4493d5c93",
	},
	{
		name:      "pl",
		pkg:       "wpolish=20220301-1",
		integrity: "78d94681b9838aeb8419629d5ce378085e0db6a22517c3c170aa883451cc9ccf",
		debian:    true,
		file:      "usr/share/dict/polish",
		licence:   "usr/share/doc/wpolish/copyright",
		files:     "*",
		read:      readSpelling,
		twos: `AA AD AG AJ AL AM AN AR AS AT AU AŻ BA BE BI BO BU BY CI CO DA DE DO DY EE EF EH EJ EL EM EN ER ES ET EW FA FE FI FU GO
			HA HE HI HM HO HU ID II IL IM IN IW IŻ JA JE JO JĄ KA KI KO KU LA LI LU MA ME MI MU MY NA NI NO NY OD OF OH OJ OK OM ON OP
			OR OS OT OZ OŚ OŻ PA PE PI PO RE RO SE SI SU SĄ TA TE TO TU TY TĄ TĘ UD UF UL UT WE WY ZA ZE ÓD ÓS ÓW ŻE`,
		drop: `ABP ACC ADM AFG AFK AFR AGF AGR AMF AND ANG ARC ARM ASB ATM AZJ BPA BPI BPY DCA DCE DCO DCY DCĄ DCĘ DEP DET DOC DPI
			DRA DYR DYW EDT EDU EEG EGZ EKG EKW EMG ENG EOG ERH ERL ESC ESP EST ETC ETN ETR EUF EUR FAC FIZ GIM IDK IGN IMO IMP
			IND INF INR INT INŻ IRL ISL ITD ITP ITR JAP JĘZ KOH LOC MEC MED NAZ OBJ OCB ODC ODM ODP OFT OMG ONT OPL OPR ORG ORM
			OSK POL PPI RYC SCI SYR TOW TYG TYS UED UKR URB URZ USG WCA WCE WCU WCY WOD WYB WYD WYM WYS ZAM ZAŁ ZCA ZOB ŁAC ŻOŁ`,
		words: 3275667,
		hash:  "a0c4a4d3e356a329c2e0fc40c73ee068829297f1210773c422101450baf6169e",
	},
}

// countryCodes lists country codes that the packages contain as words.
var countryCodes = []string{"AO", "SJ", "UA", "UK"}

func main() {
	log.SetFlags(0)
	log.SetPrefix("mkwords: ")
	for _, s := range sources {
		if len(os.Args) > 1 && !slices.Contains(os.Args[1:], s.name) { // all, unless some are named
			continue
		}
		if err := s.make(); err != nil {
			log.Fatalf("%s: %v", s.name, err)
		}
	}
}

// make downloads a list, compiles and saves it, and prints its row for SOURCES.md.
func (s source) make() error {
	files, err := s.fetch()
	if err != nil {
		return err
	}
	list := files[s.file]
	if s.affixes != "" {
		if list, err = expand(files[s.affixes], list, cmp.Or(s.most, hunspell.TwoEndings)); err != nil {
			return err
		}
	}
	words, err := s.read(list)
	if err != nil {
		return err
	}
	if s.additions != nil {
		all, err := readAdditions()
		if err != nil {
			return err
		}
		for _, a := range all {
			if s.additions(a) {
				words = append(words, a.forms...)
			}
		}
	}
	licence, err := s.ofFiles(files[s.licence])
	if err != nil {
		return err
	}
	var x *lexicon.Lexicon
	if s.twos != "" {
		x, err = s.ofLanguage(words)
	} else {
		x, err = s.english(words)
	}
	if err != nil {
		return err
	}
	if x.Len() == 0 || len(licence) == 0 {
		return errors.New("the package has no words, or no licence")
	}
	if x.Len() != s.words || x.Hash() != s.hash {
		return fmt.Errorf("made %d words with sha256 %s, want %d with %s", x.Len(), x.Hash(), s.words, s.hash)
	}
	var compiled bytes.Buffer
	if _, err := x.WritePackedTo(&compiled); err != nil {
		return err
	}
	name := s.name
	if s.former {
		name += "-former"
	}
	err = save(filepath.Join("lexicons", name+".packed"), compiled.Bytes())
	if slices.ContainsFunc(sources, func(other source) bool { return s.former && !other.former && other.pkg == s.pkg }) {
		return err // the licence is saved with the list that replaced it
	}
	return errors.Join(err, save(filepath.Join("licenses", "words-"+name+".txt"), licence))
}

// An addition is a word of en-additions.txt with its inflections.
type addition struct {
	forms  []string
	vulgar bool
}

// readAdditions returns the words that dictionaries have added to English.
func readAdditions() (all []addition, err error) {
	text, err := os.ReadFile(filepath.Join("lexicons", "en-additions.txt"))
	for line := range strings.Lines(string(text)) {
		if fields := strings.Split(strings.TrimSpace(line), "\t"); !strings.HasPrefix(line, "#") && len(fields) > 1 {
			all = append(all, addition{strings.Fields(fields[0]), slices.Contains(fields[2:], "vulgar")})
		}
	}
	return all, err
}

// mostExpanded limits the words taken from a dictionary.
const mostExpanded = 6_000_000

// expand returns the words of a Hunspell dictionary, one a line.
func expand(affixes, stems []byte, most int) ([]byte, error) {
	d, err := hunspell.Read(affixes, stems)
	if err != nil {
		return nil, err
	}
	var list []byte
	n := 0
	for w := range d.Words(hunspell.Limits{Most: most}) {
		if n++; n > mostExpanded {
			return nil, errors.New("the dictionary has too many words")
		}
		list = append(append(list, w...), '\n')
	}
	return list, nil
}

// ofFiles returns the part of a Debian copyright file about the files that the list is made from,
// preceded by a note on the changes made to them.
func (s source) ofFiles(copyright []byte) ([]byte, error) {
	if s.files == "" {
		return copyright, nil
	}
	if s.mpl != "" {
		return s.underMPL(string(copyright))
	}
	const changed = "A modified version: the words of the dictionary with their endings, those of\ntwo letters looked through, names and abbreviations left out.\n\n"
	if s.files == "*" {
		return append([]byte(changed), copyright...), nil
	}
	parts := strings.Split(string(copyright), "\n\n")
	for _, part := range parts {
		_, licence, _ := strings.Cut(part, "\nLicense: ")
		if !strings.HasPrefix(part, "Files: "+s.files+"\n") {
			continue
		}
		if name := strings.TrimSpace(licence); !strings.Contains(name, "\n") { // the licence's text is elsewhere
			i := slices.IndexFunc(parts, func(other string) bool { return strings.HasPrefix(strings.TrimSpace(other), "License: "+name+"\n") })
			if i < 0 {
				return nil, fmt.Errorf("the package lacks the text of the licence %s", name)
			}
			part += "\n\n" + strings.TrimSpace(parts[i])
		}
		return []byte(changed + part + "\n"), nil
	}
	return nil, fmt.Errorf("the licence doesn't name %s", s.files)
}

// underMPL returns the notice of a list used under the Mozilla Public License, with that license.
// The list is a separate file in a larger work, as the license allows.
func (s source) underMPL(copyright string) ([]byte, error) {
	parts := strings.Split(copyright, "\n\n")
	i := slices.IndexFunc(parts, func(part string) bool { return strings.HasPrefix(part, "Files: "+s.files+"\n") })
	if i < 0 || !strings.Contains(parts[i], "MPL") {
		return nil, fmt.Errorf("the licence doesn't offer %s under the MPL", s.files)
	}
	text, err := os.ReadFile("/usr/share/common-licenses/" + s.mpl)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "A modified version: the words of the dictionary with their endings, those of\ntwo letters looked through, names and abbreviations left out.\n\n"+
		"The word list %[1]s (data/lexicons/%[1]s.packed) is a file of its own under the\n%[2]s, whose text follows. Its Source Code Form: the words, which \"rackmate\nlexicon words %[1]s\" prints; data/mkwords in the source of Rackmate, which makes\nthe list; and the dictionary that it is made from, in Debian's package\n%[3]s and the source package of it.\n\n%[4]s\n\n%[5]s",
		s.name, s.mpl, s.pkg, parts[i], text), nil
}

// english compiles the words that consist of the letters A to Z.
func (s source) english(words []string) (*lexicon.Lexicon, error) {
	a, err := lexicon.NewAlphabet(strings.Split("ABCDEFGHIJKLMNOPQRSTUVWXYZ", ""))
	if err != nil {
		return nil, err
	}
	return lexicon.Build(s.name, a, strings.NewReader(strings.Join(playable(words), "\n")))
}

// ofLanguage compiles the words of a spelling list, of 2 to 15 letters, that the tiles of its
// language can spell. Two-letter words come from a reviewed list. Three-letter words must have a
// vowel and not be abbreviations, of which spelling lists have many.
func (s source) ofLanguage(list []string) (*lexicon.Lexicon, error) {
	text, err := os.ReadFile(filepath.Join("languages", s.name+".json"))
	if err != nil {
		return nil, err
	}
	l, err := language.Parse(text)
	if err != nil {
		return nil, err
	}
	a := l.Tiles.Alphabet()
	words, _, err := lexicon.ReadList(a, strings.NewReader(strings.Join(list, "\n")))
	if err != nil {
		return nil, err
	}
	short, _, err := lexicon.ReadList(a, strings.NewReader(strings.Join(strings.Fields(s.twos), "\n")))
	if err != nil {
		return nil, err
	}
	drop, _, err := lexicon.ReadList(a, strings.NewReader(strings.Join(strings.Fields(s.drop), "\n")))
	if err != nil {
		return nil, err
	}
	vowel := func(w lexicon.Word) bool {
		for i := range len(w) {
			if l.Tiles.Vowel(game.LetterTile(lexicon.Letter(w[i]))) || a.Text(lexicon.Letter(w[i])) == "Y" {
				return true
			}
		}
		return false
	}
	return lexicon.New(s.name, a, slices.DeleteFunc(words, func(w lexicon.Word) bool {
		switch len(w) {
		case 2:
			return !slices.Contains(short, w)
		case 3:
			if !vowel(w) {
				return true
			}
		}
		return len(w) > 15 || slices.Contains(drop, w)
	}))
}

// fetch returns the package's files after verifying its checksum.
func (s source) fetch() (map[string][]byte, error) {
	if s.debian {
		return s.fetchDebian()
	}
	archive, err := s.fetchNPM()
	if err != nil {
		return nil, err
	}
	plain, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return nil, err
	}
	return untar(plain)
}

func (s source) fetchDebian() (map[string][]byte, error) {
	dir, err := os.MkdirTemp("", "mkwords")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	apt := exec.Command("apt-get", "download", s.pkg)
	apt.Dir, apt.Stderr = dir, os.Stderr
	if err := apt.Run(); err != nil {
		return nil, fmt.Errorf("apt-get download %s: %w", s.pkg, err)
	}
	found, err := filepath.Glob(filepath.Join(dir, "*.deb"))
	if err != nil || len(found) != 1 {
		return nil, fmt.Errorf("apt-get download %s brought %v, %v", s.pkg, found, err)
	}
	archive, err := os.ReadFile(found[0])
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(archive); hex.EncodeToString(sum[:]) != s.integrity {
		return nil, fmt.Errorf("%s is not the package that this program knows: its SHA-256 differs", s.pkg)
	}
	plain, err := exec.Command("dpkg-deb", "--fsys-tarfile", found[0]).Output()
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", s.pkg, err)
	}
	return untar(bytes.NewReader(plain))
}

// fetchNPM downloads the package with npm.
func (s source) fetchNPM() ([]byte, error) {
	dir, err := os.MkdirTemp("", "mkwords")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	npm := exec.Command("npm", "pack", "--silent", s.pkg)
	npm.Dir, npm.Stderr = dir, os.Stderr
	if err := npm.Run(); err != nil {
		return nil, fmt.Errorf("npm pack %s: %w", s.pkg, err)
	}
	archive, err := os.ReadFile(filepath.Join(dir, strings.Replace(s.pkg, "@", "-", 1)+".tgz"))
	if err != nil {
		return nil, err
	}
	if sum := sha512.Sum512(archive); base64.StdEncoding.EncodeToString(sum[:]) != s.integrity {
		return nil, fmt.Errorf("%s is not the package that this program knows: its SHA-512 differs", s.pkg)
	}
	return archive, nil
}

func untar(plain io.Reader) (map[string][]byte, error) {
	files := map[string][]byte{}
	for r := tar.NewReader(plain); ; {
		h, err := r.Next()
		if err == io.EOF {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		if files[strings.TrimPrefix(h.Name, "./")], err = io.ReadAll(r); err != nil {
			return nil, err
		}
	}
}

func readJSON(b []byte) (words []string, err error) {
	err = json.Unmarshal(b, &words)
	return words, err
}

// readSpelling returns the words in lower case; words with capitals are names or abbreviations.
func readSpelling(b []byte) (words []string, err error) {
	if !utf8.Valid(b) {
		return nil, errors.New("the list isn't UTF-8")
	}
	for line := range strings.Lines(string(b)) {
		if line = strings.TrimSpace(line); line == strings.ToLower(line) {
			words = append(words, line)
		}
	}
	return words, nil
}

func readLines(b []byte) ([]string, error) { return strings.Fields(string(b)), nil }

// playable returns the words that fit the standard game: 2 to 15 letters from A to Z, and no
// country codes.
func playable(words []string) []string {
	var out []string
	for _, w := range words {
		w = strings.ToUpper(w)
		if len(w) >= 2 && len(w) <= 15 && strings.Trim(w, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" && !slices.Contains(countryCodes, w) {
			out = append(out, w)
		}
	}
	return out
}

func save(name string, b []byte) error {
	sum := sha256.Sum256(b)
	fmt.Printf("%s  %s\n", hex.EncodeToString(sum[:]), name)
	return os.WriteFile(name, b, 0o644)
}
