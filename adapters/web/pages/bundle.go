package pages

import (
	"errors"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/rackmate/rackmate/adapters/web/static"
)

// This file bundles scripts for browsers.

// bundle returns a script and everything it imports as one script, without comments.
func bundle(script string) ([]byte, error) {
	made := api.Build(api.BuildOptions{
		EntryPoints: []string{script},
		Bundle:      true, Format: api.FormatESModule, Target: api.ES2022, Charset: api.CharsetUTF8,
		MinifyWhitespace: true, MinifySyntax: true, LegalComments: api.LegalCommentsNone,
		LogLevel: api.LogLevelSilent,
		Plugins:  []api.Plugin{{Name: "static", Setup: readEmbedded}},
	})
	if len(made.Errors) > 0 {
		return nil, errors.New("bundle " + script + ": " + made.Errors[0].Text)
	}
	return made.OutputFiles[0].Contents, nil
}

// readEmbedded makes a build read the embedded files.
func readEmbedded(build api.PluginBuild) {
	build.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(asked api.OnResolveArgs) (api.OnResolveResult, error) {
		return api.OnResolveResult{Path: strings.TrimPrefix(asked.Path, "./"), Namespace: "static"}, nil
	})
	build.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: "static"}, func(asked api.OnLoadArgs) (api.OnLoadResult, error) {
		b, err := static.Files.ReadFile(asked.Path)
		content := string(b)
		return api.OnLoadResult{Contents: &content, Loader: api.LoaderJS}, err
	})
}
