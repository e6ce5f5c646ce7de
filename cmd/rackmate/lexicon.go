package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/rackmate/rackmate/data"
	"github.com/rackmate/rackmate/lexicon"
)

const lexiconUsage = "build [-o FILE] NAME WORDS.txt | check [--lexicon LEXICON] WORD... | info [LEXICON...]"

// runLexicon compiles word lists and looks words up in them.
func runLexicon(ctx context.Context, std stdio, args []string) error {
	if len(args) == 0 {
		return usageError("say what to do")
	}
	switch args[0] {
	case "build":
		return buildLexicon(std, args[1:])
	case "check":
		return checkWords(std, args[1:])
	case "info":
		return lexiconInfo(std, args[1:])
	}
	flags := newFlags("lexicon")
	if _, err := parse(flags, args); err != nil {
		return err
	}
	return usageError(fmt.Sprintf("there is no %q", args[0]))
}

// buildLexicon compiles a text file, a word a line. Bad lines are all named.
func buildLexicon(std stdio, args []string) error {
	flags := newFlags("lexicon build")
	out := flags.String("o", "", "")
	rest, err := parse(flags, args)
	if err != nil {
		return err
	}
	if len(rest) != 2 {
		return usageError("build takes a name for the list and the file with its words")
	}
	name, file := rest[0], rest[1]
	if *out == "" {
		*out = name + ".lex"
	}
	eq, err := standard()
	if err != nil {
		return err
	}
	words, err := os.Open(file)
	if err != nil {
		return err
	}
	defer words.Close()
	lex, err := lexicon.Build(name, eq.Tiles.Alphabet(), words)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	var compiled bytes.Buffer
	if _, err := lex.WriteTo(&compiled); err != nil {
		return err
	}
	if err := os.WriteFile(*out, compiled.Bytes(), 0o644); err != nil {
		return err
	}
	return printInfo(std.out, lex)
}

// checkWords says of each word whether it is in a list.
func checkWords(std stdio, args []string) error {
	flags := newFlags("lexicon check")
	list := flags.String("lexicon", defaultLexicon, "")
	words, err := parse(flags, args)
	if err != nil {
		return err
	}
	if len(words) == 0 {
		return usageError("name the words to look up")
	}
	lex, err := openLexicon(*list)
	if err != nil {
		return err
	}
	var failed error
	for _, text := range words {
		// What can't be spelt isn't a word either.
		if w, err := lex.Alphabet().Parse(text); err == nil && lex.Has(w) {
			fmt.Fprintln(std.out, lex.Alphabet().String(w), "valid")
			continue
		}
		fmt.Fprintln(std.out, text, "not valid")
		failed = errFailed
	}
	return failed
}

// lexiconInfo describes lists, or all that come with the program.
func lexiconInfo(std stdio, args []string) error {
	lists, err := parse(newFlags("lexicon info"), args)
	if err != nil {
		return err
	}
	if len(lists) == 0 {
		lists = data.Lexicons()
	}
	for _, l := range lists {
		lex, err := openLexicon(l)
		if err != nil {
			return err
		}
		if err := printInfo(std.out, lex); err != nil {
			return err
		}
	}
	return nil
}

func printInfo(w io.Writer, lex *lexicon.Lexicon) error {
	size, err := lex.WriteTo(io.Discard)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s words=%d bytes=%d sha256=%s\n", lex.Name(), lex.Len(), size, lex.Hash())
	return err
}
