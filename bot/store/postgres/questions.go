package postgres

import (
	"github.com/jackc/pgx/v5"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/game"
)

// A question is something to read: a kind, and its parameters.
type question struct {
	kind       kind
	a, b, c, d string
	n, m       int64
}

type kind byte

const (
	oneNote  kind = iota // a adapter, b shelf, c key: []byte
	allKeys              // a adapter, b shelf: []string
	someRows             // a adapter, b shelf, c prefix, d after, n limit: []bot.Row
	latest               // a channel: stored
	wholeLog             // n table, m how many events, all with -1: stored
	playing              // a player, or "" for all: []bot.TableID
	named                // a player: []bot.TableID
)

// A stored is a table's events. Its table is 0 if there is none.
type stored struct {
	table   bot.TableID
	channel []byte
	events  []game.Event
}

func (q question) class() class {
	switch q.kind {
	case oneNote, allKeys, someRows:
		return ofNotes
	}
	return ofTables
}

// askAll asks questions in as few statements as possible. The answers are available once the batch
// has been sent; the answer about a log is its [logRows].
func askAll(b *pgx.Batch, k *logs, all []question) (answers []any) {
	answers = make([]any, len(all))
	var together []int // notes
	for i, q := range all {
		if q.kind == oneNote {
			together = append(together, i)
		} else {
			q.ask(b, k, &answers[i])
		}
	}
	if len(together) == 1 {
		all[together[0]].ask(b, k, &answers[together[0]])
	} else if len(together) > 1 {
		askNotes(b, all, together, answers)
	}
	return answers
}

// askNotes asks for several notes in one statement.
func askNotes(b *pgx.Batch, all []question, which []int, answers []any) {
	var adapters, shelves, keys [][]byte
	for _, i := range which {
		answers[i] = []byte(nil)
		adapters, shelves, keys = append(adapters, []byte(all[i].a)), append(shelves, []byte(all[i].b)), append(keys, []byte(all[i].c))
	}
	each(b.Queue(`select q.i, n.value from unnest($1::bytea[], $2::bytea[], $3::bytea[]) with ordinality as q(adapter, shelf, key, i),
		lateral (select value from notes where adapter = q.adapter and shelf = q.shelf and key = q.key limit 1) n`, adapters, shelves, keys), func(rows pgx.Rows) error {
		var i int
		var value []byte
		err := rows.Scan(&i, &value)
		if err == nil {
			answers[which[i-1]] = value
		}
		return err
	})
}

// ask asks one question.
func (q question) ask(b *pgx.Batch, k *logs, answer *any) {
	switch q.kind {
	case oneNote:
		*answer = []byte(nil)
		each(b.Queue("select value from notes where adapter = $1 and shelf = $2 and key = $3", []byte(q.a), []byte(q.b), []byte(q.c)), func(rows pgx.Rows) error {
			var value []byte
			err := rows.Scan(&value)
			*answer = value
			return err
		})
	case allKeys:
		askList(answer, b.Queue("select key from notes where adapter = $1 and shelf = $2 order by key", []byte(q.a), []byte(q.b)), func(rows pgx.Rows) (string, error) {
			var key []byte
			err := rows.Scan(&key)
			return string(key), err
		})
	case someRows:
		askList(answer, b.Queue("select key, value from notes where adapter = $1 and shelf = $2 and key >= $3 and (key > $4 or $4 = '') and ($5::bytea is null or key < $5) order by key limit $6",
			[]byte(q.a), []byte(q.b), []byte(q.c), []byte(q.d), prefixEnd(q.c), max(q.n, 0)), func(rows pgx.Rows) (bot.Row, error) {
			var key, value []byte
			err := rows.Scan(&key, &value)
			return bot.Row{Key: string(key), Value: value}, err
		})
	case latest:
		*answer = k.askLatest(b, bot.ChannelID(q.a))
	case wholeLog:
		*answer = k.askLog(b, bot.TableID(q.n), q.m)
	case playing:
		if q.a == "" {
			askList(answer, b.Queue("select distinct table_id from playing order by table_id"), tableID)
			return
		}
		askList(answer, b.Queue("select table_id from playing where player = $1 order by table_id", []byte(q.a)), tableID)
	case named:
		askList(answer, b.Queue("select table_id from named where player = $1 order by table_id", []byte(q.a)), tableID)
	}
}

// askList makes a list from a statement's rows the answer.
func askList[T any](answer *any, q *pgx.QueuedQuery, one func(pgx.Rows) (T, error)) {
	var list []T
	*answer = list
	each(q, func(rows pgx.Rows) error {
		row, err := one(rows)
		list = append(list, row)
		*answer = list
		return err
	})
}

func tableID(rows pgx.Rows) (id bot.TableID, err error) {
	err = rows.Scan(&id)
	return id, err
}
