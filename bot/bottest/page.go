package bottest

import (
	"fmt"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/text"
)

// PageText returns a page in plain text, a line for each row and paragraph.
func PageText(page bot.Page) string {
	var b strings.Builder
	fmt.Fprintln(&b, page.Title)
	write(&b, page.Blocks)
	return b.String()
}

func write(b *strings.Builder, blocks []bot.Block) {
	lines := func(prefix string, all []text.Text) {
		for _, t := range all {
			fmt.Fprintln(b, prefix+t.String())
		}
	}
	for _, block := range blocks {
		switch block := block.(type) {
		case bot.Section:
			fmt.Fprintln(b, "##", block.Title)
			write(b, block.Blocks)
		case bot.Paragraph:
			fmt.Fprintln(b, block.Text)
		case bot.Facts:
			for _, f := range block {
				fmt.Fprintf(b, "%s: %s\n", f.Name, f.Value)
			}
		case bot.Badges:
			lines("* ", block)
		case bot.List:
			lines("- ", block)
		case bot.Table:
			for _, row := range block.Rows {
				fmt.Fprintln(b, text.Join(row, " | "))
			}
		case bot.Curve:
			fmt.Fprintln(b, block.Values)
		case bot.Stills:
			for _, s := range block {
				fmt.Fprintf(b, "%s | %s | %s | %s | %s\n", s.Title, s.About, s.File, s.Caption, s.Action.Link)
			}
		case bot.Boards:
			writeBoards(b, block)
		case bot.Games:
			writeBoards(b, block)
		case bot.Plays:
			for _, p := range block {
				fmt.Fprintf(b, "- %s %d (%s)\n", p.Word, p.Score, p.Path)
			}
		default:
			fmt.Fprintf(b, "%v\n", block)
		}
	}
}

// writeBoards writes games: their players with their scores, and the notes.
func writeBoards(b *strings.Builder, all []bot.ListedGame) {
	for _, one := range all {
		var players []string
		for _, p := range one.Sight.Players {
			players = append(players, fmt.Sprint(p.Name, " ", p.Score))
		}
		fmt.Fprintf(b, "[%s] %s %s\n", strings.Join(players, ", "), one.Note, one.Path)
	}
}
