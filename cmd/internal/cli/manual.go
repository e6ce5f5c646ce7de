package cli

import (
	"fmt"
	"strings"

	"github.com/cpuguy83/go-md2man/v2/md2man"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manCommand returns the command that prints the manual page.
func manCommand() *cobra.Command {
	return &cobra.Command{
		Use: "man", Short: "prints the manual page", GroupID: Program, Args: NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		Example: "rackmate man > rackmate.1\nrackmate man | man -l -",
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := c.OutOrStdout().Write(md2man.Render([]byte(manual(c.Root()))))
			return err
		},
	}
}

// manual returns the manual page as Markdown: all commands with flags and examples, and each topic
// as a section.
func manual(root *cobra.Command) string {
	var b, examples strings.Builder
	section := func(name, text string) { fmt.Fprintf(&b, "# %s\n%s\n\n", name, text) }
	b.WriteString("% \"RACKMATE\" \"1\"\n")
	section("NAME", "rackmate - "+root.Short)
	section("SYNOPSIS", "**rackmate** [*SETTING*]...\n\n**rackmate** *COMMAND* ...")
	section("DESCRIPTION", "Two to four people play over minutes or days, on Discord, in Slack, or in a room in the browser. Without a command **rackmate** hosts, as **rackmate serve** does.")
	for _, g := range root.Groups() {
		fmt.Fprintf(&b, "# %s\n", strings.ToUpper(g.Title))
		for _, c := range root.Commands() {
			if c.GroupID == g.ID && !c.Hidden {
				writeCommand(&b, c)
				if c.Example != "" {
					fmt.Fprintf(&examples, "%s\n", indent(c.Example, "\t"))
				}
			}
		}
	}
	section("EXAMPLES", "\n"+examples.String())
	for _, c := range root.Commands() {
		if c.IsAdditionalHelpTopicCommand() {
			section(strings.ToUpper(c.Name()), preformatted(c.Long))
		}
	}
	section("EXIT STATUS", "0: success; 1: a check failed, or something went wrong; 2: bad usage.")
	return b.String()
}

// writeCommand writes the descriptions of a command and its verbs, with their flags.
func writeCommand(b *strings.Builder, c *cobra.Command) {
	fmt.Fprintf(b, "### %s\n%s\n\n", escaped(usageOf(c)), escaped(explanation(c)))
	ownFlags(c).VisitAll(func(f *pflag.Flag) {
		value, usage := pflag.UnquoteUsage(f)
		name := "**--" + escaped(f.Name) + "**"
		if f.Shorthand != "" {
			name = "**-" + f.Shorthand + "**, " + name
		}
		if value != "" {
			name += " *" + escaped(value) + "*"
		}
		fmt.Fprintf(b, "%s\n: %s\n\n", name, escaped(usage))
	})
	for _, verb := range c.Commands() {
		writeCommand(b, verb)
	}
}

// escaped returns a text with Markdown characters escaped.
func escaped(text string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "`", "\\`", "<", `\<`, "[", `\[`, "]", `\]`, "|", `\|`, "#", `\#`).Replace(text)
}

// preformatted escapes the text of a topic and turns its indented lines into code.
func preformatted(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, " ") {
			lines[i] = "\t" + strings.TrimSpace(line)
		} else {
			lines[i] = escaped(line)
		}
	}
	return strings.Join(lines, "\n")
}
