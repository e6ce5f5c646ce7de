package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/agnivade/levenshtein"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rackmate/rackmate/adapters/web"
	"github.com/rackmate/rackmate/cmd/internal/cli"
)

// A settings value holds the operator's settings. A setting comes from a flag (--listen), the
// environment (RACKMATE_LISTEN) or a settings file (listen = ":8080"), in this order of precedence.
// A secret comes only from the environment: from DISCORD_TOKEN, or from the file whose path is in
// DISCORD_TOKEN_FILE.
type settings struct {
	flags   *pflag.FlagSet
	secrets []secret
	config  string            // path of the settings file, or ""
	sources map[string]string // origin of each value, by the setting's name
}

// A secret is a setting that is never printed.
type secret struct {
	value *string
	env   string
	help  string
}

// The origins of a value, in the words of "rackmate config".
const (
	fromFlag    = "flag"
	fromDefault = "default"
)

// longTests is a variable for tests, which would look like a typo for RACKMATE_LOG.
const longTests = "RACKMATE_LONG"

// newSettings returns the settings of a subcommand; see settings.parse.
func newSettings(name string) *settings {
	s := &settings{flags: pflag.NewFlagSet(name, pflag.ContinueOnError), sources: map[string]string{}}
	s.flags.StringVar(&s.config, "config", "", "a file of settings, in TOML: `FILE`")
	return s
}

// secret adds a secret.
func (s *settings) secret(value *string, env, help string) {
	s.secrets = append(s.secrets, secret{value, env, help})
}

// parse parses the flags, then reads what [settings.read] does.
func (s *settings) parse(args, environ []string) error {
	if err := s.flags.Parse(args); err != nil {
		return cli.FlagError(err)
	}
	return s.read(environ)
}

// read reads the settings that aren't set by flags from an environment, then from the settings
// file.
func (s *settings) read(environ []string) error {
	s.flags.VisitAll(func(f *pflag.Flag) {
		if f.Changed {
			s.sources[f.Name] = fromFlag
		}
	})
	if err := s.readEnvironment(environ); err != nil {
		return err
	}
	return s.readFile()
}

// arguments returns the flags that were set, as they would be typed.
func arguments(flags *pflag.FlagSet) (args []string) {
	flags.Visit(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		switch v := f.Value.(type) {
		case *removedFlag:
			return
		case *list:
			values = *v
		case *networks:
			values = v.texts()
		}
		for _, v := range values {
			args = append(args, "--"+f.Name+"="+v)
		}
	})
	return args
}

// envName returns the environment variable of a setting.
func envName(setting string) string {
	return "RACKMATE_" + strings.ToUpper(strings.ReplaceAll(setting, "-", "_"))
}

func (s *settings) readEnvironment(environ []string) error {
	env := map[string]string{}
	for _, e := range environ {
		name, value, _ := strings.Cut(e, "=")
		env[name] = value
	}
	known := map[string]bool{}
	var err error
	s.flags.VisitAll(func(f *pflag.Flag) {
		name := envName(f.Name)
		known[name] = true
		value, given := env[name]
		if !given || err != nil || s.sources[f.Name] != "" {
			return
		}
		err = s.set(f.Name, splitList(f, value), name)
	})
	for name := range env {
		if !strings.HasPrefix(name, "RACKMATE_") || known[name] || name == longTests || err != nil {
			continue
		}
		// Variables of other programs may start alike, so only a likely typo is an error.
		if near := nearest(name, known, 2); near != "" {
			err = cli.UsageError(fmt.Sprintf("the environment variable %s isn't a setting: do you mean %s?", name, near))
		}
	}
	if err != nil {
		return err
	}
	for _, x := range s.secrets {
		value, source, err := readSecret(x.env, func(name string) string { return env[name] })
		if err != nil {
			return err
		}
		if source != "" {
			*x.value, s.sources[x.env] = value, source
		}
	}
	return nil
}

// readSecret returns a secret from the variable of its name, or from the file whose path is in the
// variable with _FILE. source is the variable that is set.
func readSecret(name string, getenv func(string) string) (value, source string, err error) {
	file := name + "_FILE"
	value, path := getenv(name), getenv(file)
	switch {
	case value != "" && path != "":
		return "", "", cli.UsageError(fmt.Sprintf("both %s and %s are set: leave one out", name, file))
	case value != "":
		return value, name, nil
	case path == "":
		return "", "", nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", "", fmt.Errorf("read %s: %w", file, err)
	}
	if value = strings.TrimSpace(string(text)); value == "" {
		return "", "", fmt.Errorf("read %s: %s is empty", file, path)
	}
	return value, file, nil
}

func (s *settings) readFile() error {
	if s.config == "" {
		return nil
	}
	text, err := readSettings(s.config)
	if err != nil {
		return err
	}
	var file map[string]any
	if _, err := toml.Decode(text, &file); err != nil {
		place := ""
		if syntax := (toml.ParseError{}); errors.As(err, &syntax) {
			place = fmt.Sprintf(" in line %d", syntax.Position.Line)
		}
		return fmt.Errorf("read the settings file: %s isn't TOML%s: a setting is a line NAME = VALUE, as \"rackmate config\" prints it", s.config, place)
	}
	known := map[string]bool{}
	s.flags.VisitAll(func(f *pflag.Flag) { known[f.Name] = true })
	delete(known, "config") // a settings file can't name another
	for name, value := range file {
		if !known[name] {
			return s.unknownKey(name, known)
		}
		if s.sources[name] != "" {
			continue
		}
		values, err := texts(value)
		if err != nil {
			return fmt.Errorf("%s: %s %w", s.config, name, err)
		}
		for _, v := range values {
			if err := s.flags.Set(name, v); err != nil {
				return cli.UsageError(fmt.Sprintf("%s: bad value for %s: %s", s.config, name, cli.Reason(s.flags.Lookup(name), err)))
			}
		}
		s.sources[name] = s.config
	}
	return nil
}

// mostSettings is the largest size of a settings file, in bytes.
const mostSettings = 1 << 20

// readSettings returns the contents of a settings file. Errors don't quote it, because a wrong path
// may lead to another file, of any size and with secrets in it.
func readSettings(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", fmt.Errorf("read the settings file: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostSettings+1))
	if err != nil {
		return "", fmt.Errorf("read the settings file: %w", err)
	}
	if len(text) > mostSettings {
		return "", fmt.Errorf("read the settings file: %s is larger than a megabyte, so it isn't a settings file: name yours with --config", name)
	}
	return string(text), nil
}

// unknownKey returns the error for an unknown name in the settings file.
func (s *settings) unknownKey(name string, known map[string]bool) error {
	for _, x := range s.secrets {
		if strings.EqualFold(strings.ReplaceAll(name, "-", "_"), x.env) {
			return fmt.Errorf("%s: %s is a secret: put it into the environment as %s, or its file's path as %s_FILE", s.config, name, x.env, x.env)
		}
	}
	if near := nearest(name, known, 3); near != "" {
		return fmt.Errorf("%s: unknown setting %q: do you mean %q?", s.config, name, near)
	}
	return fmt.Errorf("%s: unknown setting %.40q: \"rackmate config\" prints all settings", s.config, name)
}

// texts returns a value of the file in the form of flag values.
func texts(value any) ([]string, error) {
	switch v := value.(type) {
	case string:
		return []string{v}, nil
	case bool:
		return []string{strconv.FormatBool(v)}, nil
	case int64:
		return []string{strconv.FormatInt(v, 10)}, nil
	case []any:
		var all []string
		for _, e := range v {
			one, err := texts(e)
			if err != nil {
				return nil, err
			}
			all = append(all, one...)
		}
		return all, nil
	}
	return nil, errors.New("must be a text, a number, true or false, or a list of texts")
}

func (s *settings) set(name string, values []string, source string) error {
	for _, v := range values {
		if err := s.flags.Set(name, v); err != nil {
			return cli.UsageError(fmt.Sprintf("%s (from %s) can't be %q: %s", name, source, v, cli.Reason(s.flags.Lookup(name), err)))
		}
	}
	s.sources[name] = source
	return nil
}

// splitList returns the value of an environment variable in the form of flag values: lists are
// separated by commas.
func splitList(f *pflag.Flag, value string) []string {
	switch f.Value.(type) {
	case *list, *networks:
	default:
		return []string{value}
	}
	var all []string
	for v := range strings.SplitSeq(value, ",") {
		if v = strings.TrimSpace(v); v != "" {
			all = append(all, v)
		}
	}
	return all
}

// print writes the effective settings and their origins, in the form of a settings file. For
// secrets it writes only whether they are set.
func (s *settings) print(w io.Writer) {
	s.flags.VisitAll(func(f *pflag.Flag) {
		if f.Name == "config" || f.Hidden {
			return
		}
		_, help := pflag.UnquoteUsage(f)
		fmt.Fprintf(w, "# %s\n%s = %s  # %s\n\n", help, f.Name, tomlValue(f), cmp.Or(s.sources[f.Name], fromDefault))
	})
	for _, x := range s.secrets {
		if source := s.sources[x.env]; source != "" {
			fmt.Fprintf(w, "# %s is set, by %s: %s\n", x.env, source, x.help)
		} else {
			fmt.Fprintf(w, "# %s is not set: %s\n", x.env, x.help)
		}
	}
}

func tomlValue(f *pflag.Flag) string {
	switch v := f.Value.(type) {
	case *list:
		return tomlList(*v)
	case *networks:
		return tomlList(v.texts())
	}
	if f.Value.Type() == "bool" {
		return f.Value.String()
	}
	if _, err := strconv.ParseInt(f.Value.String(), 10, 64); err == nil {
		return f.Value.String()
	}
	if f.Name == "data" {
		return tomlText(shownData(f.Value.String()))
	}
	return tomlText(f.Value.String())
}

func tomlList(values []string) string {
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = tomlText(v)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// tomlText returns a string as a TOML string.
func tomlText(s string) string {
	if !strings.ContainsAny(s, "'\n") {
		return "'" + s + "'"
	}
	return strconv.Quote(s)
}

// nearest returns the known name with the fewest differing characters from a mistyped one, at most
// limit, or "".
func nearest(name string, known map[string]bool, limit int) string {
	best, fewest := "", limit+1
	for _, k := range slices.Sorted(maps.Keys(known)) {
		if d := levenshtein.ComputeDistance(name, k); d < fewest {
			best, fewest = k, d
		}
	}
	return best
}

// configCommand returns the command that prints the effective settings and their origins.
func configCommand() *cobra.Command {
	var conf serveConfig
	s := conf.settings("config")
	return s.addReader(&cobra.Command{
		Use: "config [SETTING]...", Short: "prints the settings that the host would use, and where each comes from",
		Long:    "prints the settings that the host would use, and where each comes from: a flag, the environment (RACKMATE_LISTEN), a file (--config FILE), or the default. What it prints is such a file.",
		Example: "rackmate config > rackmate.toml\nrackmate config --config rackmate.toml --listen 127.0.0.1:9000",
	}, func(c *cobra.Command, err error) error {
		if err := cmp.Or(err, conf.check()); err != nil {
			return err
		}
		s.print(c.OutOrStdout())
		return nil
	})
}

// addReader makes a command read the settings and then call run, with the error of reading them.
func (s *settings) addReader(c *cobra.Command, run func(*cobra.Command, error) error) *cobra.Command {
	s.addTo(c)
	c.Args, c.ValidArgsFunction = cli.NoArgs, cobra.NoFileCompletions
	c.RunE = func(c *cobra.Command, _ []string) error { return run(c, s.read(os.Environ())) }
	return c
}

// addTo adds the settings to the flags of a command, with completions.
func (s *settings) addTo(c *cobra.Command) {
	c.Flags().AddFlagSet(s.flags)
	for _, name := range []string{"config", "data", "lexicon", "language"} {
		if s.flags.Lookup(name) != nil {
			cli.FileFlag(c, name)
		}
	}
	for name, values := range map[string][]string{
		"door": doors(), "push": {"on", "off"}, "theme": cli.Themes(), "log": {"text", "json"}, "log-level": {"debug", "info", "warn", "error"},
	} {
		if s.flags.Lookup(name) != nil {
			cli.Choices(c, name, values...)
		}
	}
	if s.flags.Lookup("backup-to") != nil {
		cli.FolderFlag(c, "backup-to")
	}
}

// doors returns the names of the room's doors.
func doors() (names []string) {
	for _, d := range web.Doors {
		names = append(names, string(d))
	}
	return names
}
