package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is the width of help in characters.
const helpWidth = 100

// helpCommand returns the command that explains other commands.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [TOPIC]", Short: "lists the commands, or explains one", GroupID: Program,
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) (all []cobra.Completion, _ cobra.ShellCompDirective) {
			of, rest, err := c.Root().Find(args)
			if err == nil && len(rest) == 0 {
				for _, sub := range of.Commands() {
					if !sub.Hidden {
						all = append(all, cobra.CompletionWithDesc(sub.Name(), sub.Short))
					}
				}
			}
			return all, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			topic, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 || len(args) > 0 && !topic.HasParent() {
				return UsageError(fmt.Sprintf("unknown topic %q: \"rackmate help\" lists them", strings.Join(args, " ")))
			}
			return topic.Help()
		},
	}
}

// writeHelp writes the help of a command, or the list of all commands.
func writeHelp(w io.Writer, c *cobra.Command) {
	if !c.HasParent() {
		writeOverview(w, c)
		return
	}
	if c.IsAdditionalHelpTopicCommand() {
		fmt.Fprintln(w, fill(c.Long, ""))
		return
	}
	fmt.Fprintf(w, "usage: %s\n\n%s\n", usageOf(c), fill(explanation(c), ""))
	if verbs := c.Commands(); len(verbs) > 0 {
		fmt.Fprint(w, "\nVerbs:\n")
		for _, v := range verbs {
			fmt.Fprintf(w, "  %s\n%s\n", v.Use, fill(explanation(v), "      "))
		}
	}
	if flags := ownFlags(c); flags.HasAvailableFlags() {
		fmt.Fprintf(w, "\nFlags:\n%s", flags.FlagUsagesWrapped(helpWidth))
	}
	if takesSettings(c) {
		fmt.Fprint(w, "\n\"rackmate help serve\" lists the settings.\n")
	}
	if c.Example != "" {
		fmt.Fprintf(w, "\nExamples:\n%s\n", indent(c.Example, "  "))
	}
}

// writeOverview writes all commands in their groups.
func writeOverview(w io.Writer, root *cobra.Command) {
	fmt.Fprintf(w, "Rackmate %s.\n\nusage: %s\n\nWithout a command it hosts, as \"rackmate serve\" does.\n", root.Short, root.Use)
	for _, g := range root.Groups() {
		fmt.Fprintf(w, "\n%s:\n", g.Title)
		for _, c := range root.Commands() {
			if c.GroupID == g.ID && !c.Hidden {
				fmt.Fprintf(w, "  %-11s %s\n", c.Name(), c.Short)
			}
		}
	}
	fmt.Fprint(w, "\n\"rackmate help COMMAND\" explains one, and has examples. Other topics: ")
	var topics []string
	for _, c := range root.Commands() {
		if c.IsAdditionalHelpTopicCommand() {
			topics = append(topics, c.Name())
		}
	}
	fmt.Fprintf(w, "%s.\n", strings.Join(topics, ", "))
}

// usageOf returns the usage line of a command.
func usageOf(c *cobra.Command) string {
	if c.HasParent() {
		return c.Parent().CommandPath() + " " + c.Use
	}
	return c.Use
}

// explanation returns the description of a command, as sentences.
func explanation(c *cobra.Command) string {
	text := cmp.Or(c.Long, c.Short+".")
	first, size := utf8.DecodeRuneInString(text)
	return strings.ToUpper(string(first)) + text[size:]
}

// takesSettings reports whether a command takes the host's settings, which the help of serve
// explains.
func takesSettings(c *cobra.Command) bool {
	return strings.Contains(c.Use, "[SETTING]") && c.Name() != "serve"
}

// ownFlags returns the flags to explain in the help of a command.
func ownFlags(c *cobra.Command) *pflag.FlagSet {
	all := pflag.NewFlagSet(c.Name(), pflag.ContinueOnError)
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		setting := takesSettings(c) && c.Root().Flags().Lookup(f.Name) != nil
		if f.Name != "help" && !setting && !f.Hidden {
			f := *f
			if f.DefValue == "[]" || f.DefValue == "0s" {
				f.DefValue = "" // none, which the explanation describes
			}
			all.AddFlag(&f)
		}
	})
	return all
}

// fill wraps the paragraphs of a text at helpWidth characters. Indented lines stay as
// they are.
func fill(text, before string) string {
	var b strings.Builder
	for i, paragraph := range strings.Split(text, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		if strings.HasPrefix(paragraph, " ") {
			b.WriteString(before + paragraph)
			continue
		}
		n := 0
		for _, word := range strings.Fields(paragraph) {
			size := utf8.RuneCountInString(word)
			switch {
			case n == 0:
				b.WriteString(before)
				n = len(before)
			case n+1+size > helpWidth:
				b.WriteString("\n" + before)
				n = len(before)
			default:
				b.WriteByte(' ')
				n++
			}
			b.WriteString(word)
			n += size
		}
	}
	return b.String()
}

// indent inserts spaces before each line.
func indent(text, before string) string {
	return before + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n"+before)
}
