package feature

import "context"

// Heavy runs work that takes more than some hundredths of a second of processor time: an
// animation, a search, statistics of many games. All of it waits in one queue of the host, in
// which those come first who have used the host least recently. Half of the processors stay
// free for quick requests.
//
// key identifies the result: a comparable value, of a type of the feature's own, with
// everything that the work depends on, such as the table, its number of events, the
// language and the theme. For some minutes, requests with the same key share the result, or
// wait for it if it is being made. Use a nil key for results that are of no use to others.
//
//	type drawn struct {
//		table  bot.TableID
//		number int
//	}
//	gif, err := feature.Heavy(ctx, d, drawn{t.ID, t.Number}, func(ctx context.Context) ([]byte, error) {
//		return draw(ctx, t)
//	})
//
// ctx is the request's context, which identifies the sender; it ends when they hang up, and
// do should check its own context now and then, and stop. do must not call Heavy itself. If
// a person has used up their share of the host, the error is a *words.Refusal that says
// when to try again; prefer a reply that can be given without the work.
func Heavy[T any](ctx context.Context, d Desk, key any, do func(context.Context) (T, error)) (T, error) {
	made, err := d.Heavy(ctx, key, func(ctx context.Context) (any, error) { return do(ctx) })
	if err != nil {
		var none T
		return none, err
	}
	return made.(T), nil
}
