package robots

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/feature"
	"github.com/rackmate/rackmate/bot/table"
	"github.com/rackmate/rackmate/bot/text"
	"github.com/rackmate/rackmate/bot/view"
	"github.com/rackmate/rackmate/bot/words"
	"github.com/rackmate/rackmate/game"
	"github.com/rackmate/rackmate/game/robot"
	"github.com/rackmate/rackmate/imaging"
)

// This file shows the review of a finished game: a card for everyone, and a private walk
// from move to move. A worker makes it on request, from the table's events alone.

// reviewKind is the kind of the posts that show a review's card.
const reviewKind = "review"

func (f *Feature) review(ctx context.Context, req bot.Request) (bot.Reply, error) {
	t, mind, err := f.loadFinished(ctx, req)
	if err != nil {
		return feature.OrExplain(t, req, err)
	}
	all := robot.Decisions(t.Events)
	if len(all) == 0 {
		return words.Refuse(text.Say("Nobody made a move in that game, so there's nothing to review.")), nil
	}
	if move := req.Args["move"]; move != "" {
		return f.walk(ctx, t, mind, all, req)
	}
	post, err := words.YesNo(req.Args, "post", false)
	switch {
	case err != nil:
		return bot.Reply{}, err
	case post:
		return f.postReview(ctx, t, mind, len(all), req)
	}
	s, err := f.askForReview(ctx, t, mind.Words().Hash(), len(all), req.User.ID, false)
	if err != nil {
		return bot.Reply{}, err
	}
	turns := s.judgements(all)
	if len(turns) < len(all) {
		again := t.Button(text.Say("Check progress"), "review", bot.Ordinary, nil)
		return stillJudging(t, turns, len(all), req, again), nil
	}
	r := robot.NewReview(len(t.Seats), turns)
	reply := bot.Reply{
		Text:    reviewText(t, r),
		Picture: f.reviewPicture(ctx, t, r, req.Dark),
		Buttons: []bot.Button{moveByMove(t)},
	}
	if _, played := t.SeatOf(req.User.ID); played {
		reply.Buttons = append(reply.Buttons, t.Button(text.Say("Show everybody"), "review", bot.Ordinary, map[string]string{"post": "yes"}))
	}
	return reply, nil
}

// moveByMove returns the button that starts the walk.
func moveByMove(t table.Table) bot.Button {
	return t.Button(text.Say("Move by move"), "review", bot.Primary, map[string]string{"move": "1"})
}

// stillJudging returns a reply that shows how far a review has got.
func stillJudging(t table.Table, turns []robot.Judgement, moves int, req bot.Request, again bot.Button) bot.Reply {
	line := text.Say("I'm going through this game's {moves, plural, one {one move} other {# moves}}. It takes a moment.", moves)
	if len(turns) > 0 {
		line = text.Say("I'm going through this game's {moves, plural, one {one move} other {# moves}}: {n, plural, one {# is} other {# are}} done.", moves, len(turns))
	}
	if _, played := t.SeatOf(req.User.ID); played {
		line = text.Sentences(line, text.Say("You'll get the review when it's ready."))
	}
	said := line
	if len(turns) > 0 {
		said = text.Lines(line, reviewText(t, robot.NewReview(len(t.Seats), turns)))
	}
	return bot.Reply{Text: said, Buttons: []bot.Button{again}}
}

// loadFinished loads a finished game and the mind that judges it. It refuses games that
// can't be reviewed.
func (f *Feature) loadFinished(ctx context.Context, req bot.Request) (table.Table, *robot.Mind, error) {
	t, err := feature.LoadDealt(ctx, f.desk, req)
	if err != nil {
		return t, nil, err
	}
	if t.Phase != game.Over {
		return t, nil, words.Refusing("A review shows every rack, so you can have it once the game is over. {history} lists the moves so far.", text.Code("/history"))
	}
	dict, err := f.desk.Lists().Dictionary(t.State)
	if err != nil {
		return t, nil, err
	}
	if f.Mind == nil || !table.RobotsKnow(t.Rules) {
		return t, nil, words.Refusing("There's no robot here to judge the moves. {history} lists them.", text.Code("/history"))
	}
	return t, f.Mind(dict), nil
}

// reviewCard returns a review for a picture, worded in a language.
func (f *Feature) reviewCard(t table.Table, r robot.Review, to *text.Locale) imaging.ReviewCard {
	card := imaging.ReviewCard{Locale: to, Caption: text.Say("Judged by a robot that knows the word list {list}", f.desk.Lists().DisplayName(t.Lexicon.Name)).In(to).String()}
	for i, p := range view.PublicView(t.State, nil, to).Players {
		card.Players = append(card.Players, imaging.ReviewedPlayer{
			Player: p, Loss: view.Tenths(r.Players[i].Loss), Accuracy: int(math.Round(r.Players[i].Accuracy)),
			Phonies: words.WordTexts(t.Equipment.Tiles, r.Players[i].Phonies),
		})
	}
	for _, j := range r.Mistakes() {
		best := j.Best[0]
		card.Missed = append(card.Missed, imaging.MissedPlay{
			Turn: j.Turn, Player: text.PlainNameIn(to, t.Seats[j.View.Me].Person),
			Play: view.DescribeMove(j.View, best.Move).In(to).String(), Score: best.Points, Loss: view.Tenths(j.Loss),
		})
	}
	return card
}

// pointsLost describes the points that a move gave up, with "at least" or "about" if they aren't
// proven.
func pointsLost(j robot.Judgement) text.Text { return qualify(j.Sure, view.Points(j.Loss)) }

// qualify adds "at least" or "about" to a number that isn't proven.
func qualify(s robot.Sureness, n text.Text) text.Text {
	switch s {
	case robot.AtLeast:
		return text.Item("at least {n}", n)
	case robot.About:
		return text.Item("about {n}", n)
	}
	return n
}

func (f *Feature) reviewPicture(ctx context.Context, t table.Table, r robot.Review, dark bool) *bot.Picture {
	card := func(to *text.Locale) imaging.ReviewCard { return f.reviewCard(t, r, to) }
	return feature.Draw(f.desk.Painter(ctx, t.Channel, dark), card, (*imaging.Renderer).Review)
}

// reviewText describes a review.
func reviewText(t table.Table, r robot.Review) text.Text {
	set := t.Equipment.Tiles
	lines := []text.Text{text.Say("Points each player gave away, judged by what they could see at the time:")}
	for i, p := range r.Players {
		who, loss, accuracy := text.Name(t.Seats[i].Person), text.Strong(view.Points(p.Loss)), text.Strong(text.Item("{n}%", int(math.Round(p.Accuracy))))
		switch {
		case p.Turns == 0:
			lines = append(lines, text.Say("{who}: no moves.", who))
		case len(p.Phonies) == 0:
			lines = append(lines, text.Say("{who}: {points} points a turn, accuracy {percent}.", who, loss, accuracy))
		default:
			lines = append(lines, text.Say("{who}: {points} points a turn, accuracy {percent}; phonies that stood: {words}.", who, loss, accuracy, words.AllWords(set, p.Phonies)))
		}
	}
	if missed := r.Mistakes(); len(missed) > 0 {
		j := missed[0]
		lines = append(lines, text.Say("The costliest turn was turn {n}, by {who}: {points} points; {play} would have been best.", j.Turn, text.Name(t.Seats[j.View.Me].Person), pointsLost(j), text.Strong(view.DescribeMove(j.View, j.Best[0].Move))))
	}
	return text.Lines(lines...)
}

// walk shows one move of a game: who made it with which rack, what it gave up, and what
// would have been better.
func (f *Feature) walk(ctx context.Context, t table.Table, mind *robot.Mind, all []robot.Decision, req bot.Request) (bot.Reply, error) {
	n, err := strconv.Atoi(req.Args["move"])
	i := slices.IndexFunc(all, func(d robot.Decision) bool { return d.Turn == n })
	if err != nil || i < 0 {
		last := all[len(all)-1].Turn
		return words.Refuse(text.Say("{typed} isn't a move of that game, which had {n, plural, one {# turn} other {# turns}}. Type {first} for the first.", text.Code(text.Shorten(req.Args["move"], bot.MaxName)), last, text.Code("/review 1"))), nil
	}
	s, err := f.askForReview(ctx, t, mind.Words().Hash(), len(all), "", false)
	if err != nil {
		return bot.Reply{}, err
	}
	turns := s.judgements(all)
	if i >= len(turns) {
		again := t.Button(text.Say("Turn {n}", n), "review", bot.Primary, map[string]string{"move": strconv.Itoa(n)})
		return stillJudging(t, turns, len(all), bot.Request{}, again), nil
	}
	j := turns[i]
	reply := bot.Reply{Text: walkText(t, j)}
	best := req.Args["show"] == "best"
	look := func(to *text.Locale) imaging.View { return walkView(t, j, best, to) }
	reply.Picture = f.desk.Painter(ctx, t.Channel, req.Dark).Board(look)
	button := func(label text.Text, style string, turn int) {
		args := map[string]string{"move": strconv.Itoa(turn)}
		if style != "" {
			args["show"] = style
		}
		reply.Buttons = append(reply.Buttons, t.Button(label, "review", bot.Ordinary, args))
	}
	if i > 0 {
		button(text.Say("Previous"), "", all[i-1].Turn)
	}
	if i+1 < len(all) {
		button(text.Say("Next"), "", all[i+1].Turn)
	}
	switch {
	case best:
		button(text.Say("What was played"), "", n)
	case j.Best[0].Move.Kind == game.PlayTiles && j.Best[0].Move != j.Move:
		button(text.Say("Show the best play"), "best", n)
	}
	return reply, nil
}

// walkText describes a move and the moves that would have been as good or better.
func walkText(t table.Table, j robot.Judgement) text.Text {
	set := t.Equipment.Tiles
	who, rack, made := text.Name(t.Seats[j.View.Me].Person), text.Strong(words.SpacedTiles(set, j.View.Rack.Sorted())), text.Strong(view.DescribeMove(j.View, j.Made.Move))
	line := text.Say("Turn {n}: {who} had {tiles} and chose to {do}.", j.Turn, who, rack, made)
	if j.Move.Kind == game.PlayTiles {
		line = text.Say("Turn {n}: {who} had {tiles} and played {play} for {points}.", j.Turn, who, rack, made, j.Made.Points)
	}
	switch {
	case j.TakenOff:
		line = text.Sentences(line, explainTakenOff(set, j.Phonies))
	case len(j.Phonies) > 0:
		line = text.Sentences(line, text.Say("{n, plural, one {{words} is not in the word list, but nobody challenged.} other {{words} are not in the word list, but nobody challenged.}}", len(j.Phonies), words.AllWords(set, j.Phonies)))
	}
	switch gave := view.Chance(j.GivesUp); {
	case j.Mistake() && j.GivesUp.Known && j.Loss >= 0.05:
		line = text.Sentences(line, text.Say("That lowered the chance to win by {percent} and cost {points} points.", text.Strong(gave), text.Strong(view.Points(j.Loss))))
	case j.Mistake() && j.GivesUp.Known:
		line = text.Sentences(line, text.Say("That lowered the chance to win by {percent}.", text.Strong(gave)))
	case j.Mistake():
		line = text.Sentences(line, text.Say("That cost {points} points.", text.Strong(pointsLost(j))))
	case j.GivesUp.Known && j.Best[0].Move != j.Move && j.GivesUp.Win >= 0.01:
		line = text.Sentences(line, text.Say("Something else may have raised the chance to win by {percent}, but that isn't certain.", gave))
	case j.Sure == robot.Plain:
		line = text.Sentences(line, text.Say("There was nothing better."))
	default:
		line = text.Sentences(line, text.Say("I found nothing better."))
	}
	var rows []text.Text
	row := func(mark string, c robot.Choice) {
		what, worth := view.DescribeMove(j.View, c.Move), text.Text(text.Glue(text.Tenths(c.Equity)))
		if c.Chance.Known {
			worth = view.Chance(c.Chance)
		}
		rows = append(rows, text.Glue(mark, what, strings.Repeat(" ", max(0, 18-what.Len())), fmt.Sprintf(" %3d  ", c.Points), strings.Repeat(" ", max(0, 6-worth.Len())), worth, unsure(c)))
	}
	for i, c := range j.Best {
		mark := " "
		if c.Move == j.Move {
			mark = "*"
		}
		row(fmt.Sprintf("%s%d. ", mark, i+1), c)
	}
	if !slices.ContainsFunc(j.Best, func(c robot.Choice) bool { return c.Move == j.Move }) {
		row("*   ", j.Made)
	}
	head := text.Say("The best moves, their points, and their value with the tiles they keep:")
	if j.GivesUp.Known {
		head = text.Say("The best moves, their points, and the chance to win after each:")
	}
	return text.Lines(line, head, text.Glue(text.Code(text.Lines(rows...))))
}

// unsure returns the note after a move's worth that isn't proven.
func unsure(c robot.Choice) text.Text {
	if how := describeSureness(c.Sure); how != nil {
		return text.Glue(" ", how)
	}
	return nil
}

// describeSureness describes how certain a number is. It returns nil for proven ones.
func describeSureness(s robot.Sureness) text.Text {
	switch s {
	case robot.AtLeast:
		return text.Item("at least")
	case robot.About:
		return text.Item("about")
	}
	return nil
}

// explainTakenOff explains why a play was challenged off.
func explainTakenOff(set *game.TileSet, phonies []game.Tiles) text.Text {
	return text.Say("{n, plural, one {{words} is not in the word list, and the play was challenged off.} other {{words} are not in the word list, and the play was challenged off.}}", len(phonies), words.AllWords(set, phonies))
}

// walkView returns the board with the move that was made, or with the best one.
func walkView(t table.Table, j robot.Judgement, best bool, to *text.Locale) imaging.View {
	c := j.Made
	if best {
		c = j.Best[0]
	}
	v := imaging.View{Equipment: t.Equipment, Board: j.View.Board, Bag: j.View.Bag, Preview: best, Locale: to}
	v.Caption = text.Say("Turn {n}: {play}", j.Turn, view.DescribeMove(j.View, c.Move)).In(to).String()
	if c.Move.Kind == game.PlayTiles {
		v.Caption = text.Say("Turn {n}: {play} for {score}", j.Turn, view.DescribeMove(j.View, c.Move), c.Points).In(to).String()
		v.Board.Lay(c.Move)
		v.New = c.Move.LaidSquares()
	}
	for i, seat := range j.View.Seats {
		v.Players = append(v.Players, imaging.Player{Name: text.PlainNameIn(to, t.Seats[i].Person), Score: seat.Score, ToMove: i == j.View.Me})
	}
	return v
}

// postReview posts the review's card for everyone in the channel. Only players of that game
// can ask for it, and it doesn't change the table.
func (f *Feature) postReview(ctx context.Context, t table.Table, mind *robot.Mind, moves int, req bot.Request) (bot.Reply, error) {
	latest, err := f.desk.Load(ctx, bot.Request{Channel: t.Channel})
	if err != nil {
		return bot.Reply{}, err
	}
	if _, played := t.SeatOf(req.User.ID); !played || latest.ID != t.ID {
		return words.Refuse(text.Say("Only the players can show everybody a game's review, and only until another table opens here.")), nil
	}
	if _, err := f.askForReview(ctx, t, mind.Words().Hash(), moves, "", true); err != nil {
		return bot.Reply{}, err
	}
	return bot.Reply{Text: text.Say("I'll post the review here.")}, nil
}

// reviewMessage writes the post of a review.
func (f *Feature) reviewMessage(ctx context.Context, post bot.Post, t, _ table.Table, m bot.Message) (bot.Message, error) {
	if seat, ok := t.SeatOf(post.For); ok {
		m.To = &t.Seats[seat].Person
	} else if post.For != "" {
		return m, feature.ErrNothingToTell
	}
	return f.reviewPost(ctx, t, m, false)
}

// reviewedPicture returns the picture of that post.
func (f *Feature) reviewedPicture(ctx context.Context, t table.Table, dark bool) (*bot.Picture, error) {
	m, err := f.reviewPost(ctx, t, bot.Message{}, dark)
	return m.Picture, err
}

// reviewPost fills in the post of a review. Only posts from earlier versions still need the
// review made.
func (f *Feature) reviewPost(ctx context.Context, t table.Table, m bot.Message, dark bool) (bot.Message, error) {
	t, mind, err := f.loadFinished(ctx, bot.Request{Channel: t.Channel, Table: t.ID})
	if err != nil {
		return m, &bot.PostError{Permanent: true, Err: err}
	}
	s, err := f.judgeAll(ctx, t, mind)
	if err != nil {
		return m, err
	}
	r := robot.NewReview(len(t.Seats), s.judgements(robot.Decisions(t.Events)))
	m.Text = reviewText(t, r)
	m.Picture = f.reviewPicture(ctx, t, r, dark)
	m.Buttons = []bot.Button{moveByMove(t)}
	return m, nil
}
