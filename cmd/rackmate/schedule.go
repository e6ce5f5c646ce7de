package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rackmate/rackmate/bot"
	"github.com/rackmate/rackmate/bot/store/bolt"
	"github.com/rackmate/rackmate/cmd/internal/cli"
)

// backupSettings holds the settings of automatic backups.
type backupSettings struct {
	every time.Duration // interval; 0 disables backups
	to    string        // folder to write to
	keep  int
}

// settings adds the settings of automatic backups.
func (b *backupSettings) settings(s *settings) {
	s.flags.DurationVar(&b.every, "backup-every", 0, "how often the host backs the data up by itself, such as 6h; needs --backup-to")
	s.flags.StringVar(&b.to, "backup-to", "", "the `FOLDER` for the backups that the host makes by itself")
	s.flags.IntVar(&b.keep, "keep", 14, "how many of those backups are kept; the oldest are removed")
}

// check returns an error if the settings contradict each other.
func (b backupSettings) check() error {
	switch {
	case b.keep < 1:
		return cli.UsageError(fmt.Sprintf("--keep can't be %d: keep at least 1 backup", b.keep))
	case b.every == 0 && b.to == "":
		return nil
	case b.every == 0:
		return cli.UsageError("--backup-to needs --backup-every, which says how often: 6h, for instance")
	case b.to == "":
		return cli.UsageError("--backup-every needs --backup-to, which names the folder for the backups")
	case b.every < time.Minute:
		return cli.UsageError("--backup-every can't be less than a minute (1m)")
	}
	return nil
}

// A backups value makes the automatic backups and knows how the latest one went.
type backups struct {
	db      database
	data    string
	figures *figures
	log     *slog.Logger
	now     func() time.Time

	changed chan struct{} // signals a change of settings

	mu     sync.Mutex
	says   backupSettings
	ours   bool     // this process makes them
	failed *failure // failure of the latest backup, if it failed
}

func newBackups(says backupSettings, db database, data string, f *figures, log *slog.Logger) *backups {
	return &backups{db: db, data: data, figures: f, log: log, now: time.Now, says: says, changed: make(chan struct{}, 1)}
}

// settings returns the current settings.
func (b *backups) settings() backupSettings {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.says
}

// set changes the settings.
func (b *backups) set(says backupSettings) {
	b.mu.Lock()
	b.says = says
	b.mu.Unlock()
	select {
	case b.changed <- struct{}{}:
	default:
	}
}

// retryBackup is the wait after a failed backup.
const retryBackup = 5 * time.Minute

// run makes backups when they are due, until ctx is done.
func (b *backups) run(ctx context.Context) error {
	b.setOwner(true)
	defer b.setOwner(false)
	for ctx.Err() == nil {
		says := b.settings()
		var wait time.Duration
		if says.every == 0 {
			wait = 24 * time.Hour // or until the settings change
		} else if last, err := latestBackup(says.to); err != nil || b.now().Sub(last) >= says.every {
			b.make(ctx, says)
			if wait = says.every; b.failure() != nil {
				wait = min(says.every, retryBackup)
			}
		} else {
			wait = last.Add(says.every).Sub(b.now())
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
		case <-b.changed:
		case <-timer.C:
		}
		timer.Stop()
	}
	return nil
}

func (b *backups) setOwner(ours bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ours = ours
}

func (b *backups) failure() *failure {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failed
}

// make makes one backup and removes the excess ones.
func (b *backups) make(ctx context.Context, says backupSettings) {
	name := filepath.Join(says.to, backupName(b.now()))
	s, err := b.write(ctx, name)
	if err == nil {
		err = removeOldBackups(says.to, says.keep)
	}
	if ctx.Err() != nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil {
		b.failed = &failure{b.now(), err}
		b.figures.backups.WithLabelValues(string(bot.Failed)).Inc()
		b.log.Error("the backup failed; retrying", "error", err, "wait", min(says.every, retryBackup))
		return
	}
	b.failed = nil
	b.figures.backups.WithLabelValues(string(bot.Done)).Inc()
	b.log.Info("backup made", "file", name, "tables", s.Tables, "people", s.People)
}

// write writes a complete, verified backup or none.
func (b *backups) write(ctx context.Context, name string) (s bolt.Summary, err error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return s, err
	}
	if err := removeUnfinished(filepath.Dir(name)); err != nil {
		return s, err
	}
	err = cli.WriteNew(name, func(f *os.File) error {
		if err := copyStore(ctx, b.db, b.data, f); err != nil {
			return err
		}
		if err := f.Sync(); err != nil {
			return err
		}
		s, err = soundFile(ctx, f.Name())
		return err
	})
	return s, err
}

// copyStore writes a consistent copy of a running host's data. A file is first copied beside
// itself, so that a slow target folder blocks no one.
func copyStore(ctx context.Context, db database, data string, w io.Writer) error {
	file, ok := db.(*bolt.DB)
	if !ok {
		return copyDatabase(ctx, db, w)
	}
	return copyBeside(file, data, func(f *os.File) error {
		_, err := io.Copy(w, f)
		return err
	})
}

// soundFile checks a data file completely and returns its summary.
func soundFile(ctx context.Context, name string) (s bolt.Summary, err error) {
	s, found := bolt.Check(ctx, name)
	return s, errors.Join(found...)
}

// Automatic backups are named by the time they were made.
const (
	backupPrefix = "rackmate-"
	backupTime   = "20060102T150405Z"
	backupSuffix = ".db"
)

func backupName(at time.Time) string {
	return backupPrefix + at.UTC().Format(backupTime) + backupSuffix
}

// listBackups returns the names of the automatic backups in a folder, oldest first. It ignores
// other files.
func listBackups(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		if _, ok := backupMade(e.Name()); ok && e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, nil
}

// backupMade returns the time in a backup's name.
func backupMade(name string) (at time.Time, ok bool) {
	text, begins := strings.CutPrefix(name, backupPrefix)
	text, ends := strings.CutSuffix(text, backupSuffix)
	at, err := time.Parse(backupTime, text)
	return at, begins && ends && err == nil
}

var errNoBackup = errors.New("no backup yet")

// latestBackup returns the time of the latest backup in a folder.
func latestBackup(dir string) (time.Time, error) {
	names, err := listBackups(dir)
	if err != nil {
		return time.Time{}, err
	}
	if len(names) == 0 {
		return time.Time{}, errNoBackup
	}
	at, _ := backupMade(names[len(names)-1])
	return at, nil
}

func removeOldBackups(dir string, keep int) error {
	names, err := listBackups(dir)
	if err != nil {
		return err
	}
	var failed []error
	for _, name := range names[:max(0, len(names)-keep)] {
		failed = append(failed, os.Remove(filepath.Join(dir, name)))
	}
	return errors.Join(failed...)
}

// removeUnfinished removes partial backups left by killed processes.
func removeUnfinished(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name, _, unfinished := strings.Cut(e.Name(), cli.Unfinished)
		if _, ours := backupMade(name); ours && unfinished && e.Type().IsRegular() {
			err = errors.Join(err, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

// trouble describes the problem with the backups; "" if there is none.
func (b *backups) trouble() string {
	b.mu.Lock()
	says, ours, failed := b.says, b.ours, b.failed
	b.mu.Unlock()
	if says.every == 0 || !ours {
		return ""
	}
	if failed != nil {
		return fmt.Sprintf("the latest one failed %s ago: %v", b.now().Sub(failed.at).Round(time.Second), failed.err)
	}
	last, err := latestBackup(says.to)
	if errors.Is(err, errNoBackup) {
		return "" // still running
	}
	if err != nil {
		return err.Error()
	}
	if age := b.now().Sub(last); age > 2*says.every {
		return fmt.Sprintf("the latest one is %s old", age.Round(time.Second))
	}
	return ""
}
