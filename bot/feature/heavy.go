package feature

import "context"

// Heavy does work that takes a processor for more than some hundredths of a second: an
// animation, a search, a record of many games. All of it waits in one queue of the
// host's, where one piece of each person's runs at a time, first of those who used least
// of the host lately; half of the processors stay free for what is quick.
//
// key says what is made: a comparable value, of a type of the feature's own, with all
// that the work depends on, such as the table, its number of events, the language and the
// theme. Who asks for the same gets what was made, for some minutes, or waits for what is
// being made. A nil key is for what is of no use to others.
//
//	type drawn struct {
//		table  bot.TableID
//		number int
//	}
//	gif, err := feature.Heavy(ctx, d, drawn{t.ID, t.Number}, func(ctx context.Context) ([]byte, error) {
//		return draw(ctx, t)
//	})
//
// ctx is that of the request, which says who asks; it ends when they hang up, and do is
// to look at its own now and then, and end too. do must not call Heavy again. The error
// is a *words.Refusal, with when to try again, where somebody has used up their part of
// the host; what can be said without the work is worth more than that.
func Heavy[T any](ctx context.Context, d Desk, key any, do func(context.Context) (T, error)) (T, error) {
	made, err := d.Heavy(ctx, key, func(ctx context.Context) (any, error) { return do(ctx) })
	if err != nil {
		var none T
		return none, err
	}
	return made.(T), nil
}
