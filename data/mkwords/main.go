// Command mkwords makes the word lists that come with the program: it fetches
// their npm packages, takes the words that fit the game, and compiles them.
// It runs in the data folder through go generate, and needs npm and the
// network; the compiled lists are committed, so nobody else does.
package main

import (
	"archive/tar"
	"bytes"
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

	"github.com/rackmate/rackmate/lexicon"
)

// A source is a word list and the npm package it is made from.
type source struct {
	name      string
	pkg       string // with its version
	integrity string // the package's sha512 in base64, as npm writes it
	file      string // with the words, in the package
	read      func([]byte) ([]string, error)
	words     int
	hash      string // see lexicon.Lexicon.Hash
}

var sources = []source{
	{
		name:      "en",
		pkg:       "an-array-of-english-words@2.0.0",
		integrity: "FXnNvZSOI27kkKXeLSquhaTGP7z198UOQ4txaYO9fCfrjCh+D5SV7G7XqzEH0229+pAi4cjBEZ4WIQYgjKtO7Q==",
		file:      "package/index.json",
		read:      readJSON,
		words:     270654,
		hash:      "f67eb9fb0410de3db331c18d52d12316b6bfd9edda6880945845cfee0e59b888",
	},
	{
		name:      "en-clean",
		pkg:       "word-list@4.1.0",
		integrity: "4vtKyH8lGfaY8DHLTKQDfDxPixdK6BC/2W38TsPE07Wc8uPrMIbEO3quxBFSa2BfsDyG6pW47UEN/9tfYxN6BA==",
		file:      "package/words.txt",
		read:      readLines,
		words:     269870,
		hash:      "9c141826c3166bd4508bef5faa75230a6fbb6f5db23c9329d07de13e114de13c",
	},
}

// countryCodes are in the packages as if they were words.
var countryCodes = []string{"AO", "SJ", "UA", "UK"}

func main() {
	log.SetFlags(0)
	log.SetPrefix("mkwords: ")
	for _, s := range sources {
		if err := s.make(); err != nil {
			log.Fatalf("%s: %v", s.name, err)
		}
	}
}

// make fetches, compiles and saves one list, and says what SOURCES.md must.
func (s source) make() error {
	archive, err := s.fetch()
	if err != nil {
		return err
	}
	files, err := untar(archive)
	if err != nil {
		return err
	}
	words, err := s.read(files[s.file])
	if err != nil {
		return err
	}
	english, err := lexicon.NewAlphabet(strings.Split("ABCDEFGHIJKLMNOPQRSTUVWXYZ", ""))
	if err != nil {
		return err
	}
	x, err := lexicon.Build(s.name, english, strings.NewReader(strings.Join(playable(words), "\n")))
	if err != nil {
		return err
	}
	if x.Len() != s.words || x.Hash() != s.hash {
		return fmt.Errorf("made %d words with sha256 %s, want %d with %s", x.Len(), x.Hash(), s.words, s.hash)
	}
	var compiled bytes.Buffer
	if _, err := x.WriteTo(&compiled); err != nil {
		return err
	}
	return errors.Join(
		save(filepath.Join("lexicons", s.name+".lex"), compiled.Bytes()),
		save(filepath.Join("licenses", "words-"+s.name+".txt"), files["package/license"]),
	)
}

// fetch has npm bring the package and checks that it is the one we know.
func (s source) fetch() ([]byte, error) {
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
		return nil, fmt.Errorf("%s is not the package it was: its sha512 differs", s.pkg)
	}
	return archive, nil
}

func untar(archive []byte) (map[string][]byte, error) {
	plain, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for r := tar.NewReader(plain); ; {
		h, err := r.Next()
		if err == io.EOF {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		if files[h.Name], err = io.ReadAll(r); err != nil {
			return nil, err
		}
	}
}

func readJSON(b []byte) (words []string, err error) {
	err = json.Unmarshal(b, &words)
	return words, err
}

func readLines(b []byte) ([]string, error) { return strings.Fields(string(b)), nil }

// playable is the words that fit the standard game: of the letters A to Z
// alone, 2 to 15 of them, and no country codes.
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
