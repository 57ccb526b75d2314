package static

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// Bundle returns a script or a style sheet with all that it imports, as one
// minified file: js/run/page.js, css/site.css.
func Bundle(entry string) ([]byte, error) {
	return bundle(entry, api.BuildOptions{Format: api.FormatESModule})
}

// Script returns a script with all that it imports, as one that is no module: its exports are the global of that name.
func Script(entry, global string) ([]byte, error) {
	return bundle(entry, api.BuildOptions{Format: api.FormatIIFE, GlobalName: global})
}

func bundle(entry string, form api.BuildOptions) ([]byte, error) {
	result := api.Build(api.BuildOptions{
		EntryPoints:       []string{entry},
		Bundle:            true,
		Format:            form.Format,
		GlobalName:        form.GlobalName,
		Target:            api.ES2022,
		Platform:          api.PlatformBrowser,
		Charset:           api.CharsetUTF8,
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		LogLevel:          api.LogLevelSilent,
		LogLimit:          1,
		TsconfigRaw:       "{}", // never one of a directory above
		Plugins:           []api.Plugin{embedded(entry)},
	})
	if len(result.Errors) > 0 {
		return nil, fmt.Errorf("bundling %s: %w", entry, messageError(result.Errors[0]))
	}
	if len(result.OutputFiles) != 1 {
		return nil, fmt.Errorf("bundling %s: got %d files, want one", entry, len(result.OutputFiles))
	}
	return result.OutputFiles[0].Contents, nil
}

func messageError(m api.Message) error {
	if at := m.Location; at != nil {
		return fmt.Errorf("%s:%d:%d: %s", at.File, at.Line, at.Column, m.Text)
	}
	return errors.New(m.Text)
}

// embedded returns a plugin with which the bundler of an entry point reads only this
// package's files, and none of the directory in which the server was started.
func embedded(entry string) api.Plugin {
	const namespace = "embedded"
	return api.Plugin{Name: namespace, Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
			if a.Kind == api.ResolveCSSURLToken || strings.HasPrefix(a.Path, "data:") {
				return api.OnResolveResult{Path: a.Path, External: true}, nil // a font is served as a file of its own
			}
			name := path.Clean(a.Path)
			if a.Kind != api.ResolveEntryPoint {
				name = path.Join(path.Dir(a.Importer), a.Path)
			}
			if a.Kind == api.ResolveJSDynamicImport { // few pages need it: the browser fetches it as a file of its own
				from, err := filepath.Rel(path.Dir(entry), name)
				return api.OnResolveResult{Path: "./" + filepath.ToSlash(from), External: true}, err
			}
			return api.OnResolveResult{Path: name, Namespace: namespace}, nil
		})
		build.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: namespace}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
			loader := api.LoaderJS
			if path.Ext(a.Path) == ".css" {
				loader = api.LoaderCSS
			}
			if isTest(a.Path) {
				return api.OnLoadResult{}, fmt.Errorf("%s is for tests only", a.Path)
			}
			content, err := files.ReadFile(a.Path)
			text := string(content)
			return api.OnLoadResult{Contents: &text, Loader: loader}, err
		})
	}}
}
