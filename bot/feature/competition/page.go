package competition

import "context"

// address is where a tournament's page is, "" where nobody said what the host is called
// from outside.
func (f *registry) address(ctx context.Context, no int) (string, error) {
	if f.URL == "" {
		return "", nil
	}
	key, err := f.events.PageKey(ctx, no)
	return f.URL + "/e/" + key, err
}
