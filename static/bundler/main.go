//go:build bundler

// Command bundler joins what each file of bundles.txt imports, and shortens it: go generate ./static runs it there and writes
// built/. A server and its tests do without it, and so without compiling esbuild.
package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"lockstep/static/sources"
)

func main() {
	log.SetFlags(0)
	if err := write(os.DirFS(".")); err != nil {
		log.Fatal(err)
	}
}

// write makes the directory built/ again, from the files of a directory.
func write(files fs.FS) error {
	if err := os.RemoveAll("built"); err != nil {
		return err
	}
	list, err := fs.ReadFile(files, "bundles.txt")
	if err != nil {
		return err
	}
	for lines := bufio.NewScanner(bytes.NewReader(list)); lines.Scan(); {
		entry, global, _ := strings.Cut(lines.Text(), " ")
		if strings.HasPrefix(entry, "#") {
			continue
		}
		made, err := bundle(files, entry, global)
		if err != nil {
			return err
		}
		name := filepath.Join("built", filepath.FromSlash(entry))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, made, 0o644); err != nil {
			return err
		}
	}
	sum, err := sources.Hash(files, os.DirFS(".."))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join("built", sources.Name), []byte(sum+"\n"), 0o644)
}

// bundle returns a script or a style sheet with all that it imports, as one minified file: js/run/page.js, css/site.css.
// A script with a global is no module.
func bundle(files fs.FS, entry, global string) ([]byte, error) {
	format := api.FormatESModule
	if global != "" {
		format = api.FormatIIFE
	}
	result := api.Build(api.BuildOptions{
		EntryPoints:       []string{entry},
		Bundle:            true,
		Format:            format,
		GlobalName:        global,
		Target:            api.ES2022,
		Platform:          api.PlatformBrowser,
		Charset:           api.CharsetUTF8,
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		LogLevel:          api.LogLevelSilent,
		LogLimit:          1,
		TsconfigRaw:       "{}", // never one of a directory above
		Plugins:           []api.Plugin{only(files, entry)},
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

// only returns a plugin with which the bundler of an entry point reads only these files.
func only(files fs.FS, entry string) api.Plugin {
	const namespace = "embedded"
	return api.Plugin{Name: namespace, Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
			if a.Kind == api.ResolveCSSURLToken || strings.HasPrefix(a.Path, "data:") {
				return api.OnResolveResult{Path: a.Path, External: true}, nil // a font is served as a file of its own
			}
			name := path.Clean(a.Path)
			if a.Kind == api.ResolveJSImportStatement && !strings.HasPrefix(a.Path, ".") { // the packages of CodeMirror name each other so
				return api.OnResolveResult{Path: path.Join("vendor/codemirror", name, "index.js"), Namespace: namespace, SideEffects: api.SideEffectsFalse}, nil
			}
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
			if sources.IsTest(a.Path) {
				return api.OnLoadResult{}, fmt.Errorf("%s is for tests only", a.Path)
			}
			content, err := fs.ReadFile(files, a.Path)
			text := string(content)
			return api.OnLoadResult{Contents: &text, Loader: loader}, err
		})
	}}
}
