// Command mkvocabulary generates the file that says how common English words are, from the graded
// word lists of Debian's package scowl. It runs in the data folder through go generate, and needs
// apt, dpkg and the network; the file is committed, so nothing else needs them.
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

const (
	pkg     = "scowl=2020.12.07-2"
	archive = "scowl_2020.12.07-2_all.deb"
	sum     = "de692546df9b169f2cbdf4d8d88111a374733a9c382b820a6f943914ca705718" // SHA-256 of the archive
)

// tiers lists the sizes used, commonest first. The larger ones, 80 and 95, have words that only
// players of word games use; for a player without them they are all rare.
var tiers = []string{"10", "20", "35", "40", "50", "55", "60", "70"}

// categories lists the spellings used: the spellings of every country, and variants that are nearly
// as common.
var categories = []string{
	"english", "american", "british", "british_z", "canadian", "australian",
	"variant_1", "british_variant_1", "canadian_variant_1", "australian_variant_1",
}

// plain removes accents (CAFÉ), as word games do.
var plain = strings.NewReplacer("À", "A", "Á", "A", "Â", "A", "Ã", "A", "Ä", "A", "Å", "A", "Ç", "C", "È", "E", "É", "E",
	"Ê", "E", "Ë", "E", "Í", "I", "Î", "I", "Ï", "I", "Ñ", "N", "Ó", "O", "Ô", "O", "Ö", "O", "Ø", "O", "Ú", "U", "Û", "U", "Ü", "U")

func main() {
	log.SetFlags(0)
	log.SetPrefix("mkvocabulary: ")
	if err := makeFile(); err != nil {
		log.Fatal(err)
	}
}

func makeFile() error {
	dir, err := fetch()
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	tier := map[string]string{}
	for _, t := range tiers {
		for _, c := range categories {
			b, err := os.ReadFile(filepath.Join(dir, "usr/share/dict/scowl", c+"-words."+t))
			if err != nil {
				return err
			}
			for _, w := range strings.Fields(string(b)) {
				w = plain.Replace(strings.ToUpper(w))
				if tier[w] == "" && len(w) >= 2 && len(w) <= 15 && strings.Trim(w, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
					tier[w] = t
				}
			}
		}
	}
	var lines []string
	for w, t := range tier {
		lines = append(lines, w+" "+t+"\n")
	}
	slices.Sort(lines)
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	_, err = z.Write([]byte(strings.Join(lines, "")))
	notice, readErr := os.ReadFile(filepath.Join(dir, "usr/share/doc/scowl/copyright"))
	if err := errors.Join(err, z.Close(), readErr); err != nil {
		return err
	}
	fmt.Println(len(lines), "words")
	return errors.Join(
		save("vocabularies/english.txt.gz", packed.Bytes()),
		save("licenses/scowl.txt", notice),
	)
}

// fetch downloads the package with apt, verifies its checksum, and unpacks it into a new folder.
func fetch() (dir string, err error) {
	dir, err = os.MkdirTemp("", "mkvocabulary")
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(dir)
		}
	}()
	if err := run(dir, "apt-get", "download", pkg); err != nil {
		return "", err
	}
	b, err := os.ReadFile(filepath.Join(dir, archive))
	if err != nil {
		return "", err
	}
	if got := sha256.Sum256(b); hex.EncodeToString(got[:]) != sum {
		return "", fmt.Errorf("%s is not the package that this program knows: its SHA-256 is %x", archive, got)
	}
	return dir, run(dir, "dpkg-deb", "-x", archive, ".")
}

func run(dir, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return nil
}

func save(name string, b []byte) error {
	sum := sha256.Sum256(b)
	fmt.Printf("%s  %s\n", hex.EncodeToString(sum[:]), name)
	return os.WriteFile(name, b, 0o644)
}
