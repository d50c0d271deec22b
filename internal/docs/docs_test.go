// Package docs tests the documentation: links resolve and examples compile.
package docs

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/schema"
	"github.com/sluice-platform/sluice/engine/source"
	"github.com/sluice-platform/sluice/plugins/base"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/scenario"
	"github.com/stretchr/testify/require"
)

const root = "../.."

// screenshots are made by the browser journeys (make test-e2e); a checkout before the first run has none.
const screenshots = "docs/screenshots"

var (
	link    = regexp.MustCompile(`\[[^\]]*\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#{1,6} +(.+?) *$`)
	fence   = regexp.MustCompile("(?ms)^```([^\n]*)\n(.*?)^```[ ]*$")
	title   = regexp.MustCompile(`^json title="([^"]+)"$`)
	code    = regexp.MustCompile("`[^`\n]*`")
)

// papers returns the texts of all Markdown files by their path from the root.
func papers(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, e fs.DirEntry, err error) error {
		base := e.Name()
		switch {
		case err != nil:
			return err
		case e.IsDir() && name != "." && (strings.HasPrefix(base, ".") || base == "node_modules" || base == "testdata" || base == "dist" || base == "data" || base == "test-results"):
			return fs.SkipDir
		case e.IsDir() || path.Ext(base) != ".md":
			return nil
		}
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		out[name] = strings.ReplaceAll(string(text), "\r\n", "\n")
		return err
	})
	require.NoError(t, err)
	require.True(t, out["README.md"] != "", "the tests run beside README.md")
	return out
}

// anchor is the name that a heading is reached by.
func anchor(heading string) string {
	heading = strings.ToLower(strings.ReplaceAll(heading, "`", ""))
	var b strings.Builder
	for _, r := range heading {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r > 0x2e80 && r < 0xa000:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func TestLinks(t *testing.T) {
	texts := papers(t)
	anchors := map[string]map[string]bool{}
	for name, text := range texts {
		anchors[name] = map[string]bool{}
		for _, h := range heading.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
			anchors[name][anchor(h[1])] = true
		}
	}
	_, err := os.Stat(filepath.Join(root, screenshots))
	pictured := err == nil
	for name, text := range texts {
		text = code.ReplaceAllString(fence.ReplaceAllString(text, ""), "")
		for _, found := range link.FindAllStringSubmatch(text, -1) {
			target, part, _ := strings.Cut(found[1], "#")
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			to := name
			if target != "" {
				to = path.Join(path.Dir(name), target)
			}
			if path.Dir(to) == screenshots && !pictured {
				continue
			}
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(to))); err != nil {
				t.Errorf("%s: the link %s leads nowhere", name, found[1])
			} else if part != "" && !anchors[to][part] {
				t.Errorf("%s: %s has no heading #%s", name, to, part)
			}
		}
	}
}

// TestExamples compiles the definitions of each paper that shows any: the blocks that begin with ```json title="FILE" are
// the files of one pack, which must pass without an error or a warning, but for KIND001: the papers say it themselves.
func TestExamples(t *testing.T) {
	set := &pack.Set{}
	require.NoError(t, base.Register(set))
	set.Freeze()
	kinds := compile.Kinds(set)
	schemas, err := schema.Compose(set, append(slices.Clone(kinds), scenario.Kinds()...))
	require.NoError(t, err)
	zone, err := time.LoadLocation("Asia/Shanghai")
	require.NoError(t, err)
	shown := 0
	for name, text := range papers(t) {
		files := fstest.MapFS{}
		for _, block := range fence.FindAllStringSubmatch(text, -1) {
			if m := title.FindStringSubmatch(block[1]); m != nil {
				require.Nil(t, files[m[1]], "%s shows %s twice", name, m[1])
				files[m[1]] = &fstest.MapFile{Data: []byte(block[2])}
			}
		}
		if len(files) == 0 {
			continue
		}
		shown++
		t.Run(name, func(t *testing.T) {
			var packs []*def.Pack
			for _, f := range set.Folders() {
				p, list := compile.Load(f.FS, f.Path, kinds, schemas)
				require.Empty(t, list)
				packs = append(packs, p)
			}
			p, found := compile.Load(files, name, kinds, schemas)
			_, more := compile.Compile(set, append(packs, p), compile.Options{Zone: zone})
			var b bytes.Buffer
			for _, d := range append(found, more...).Sorted() {
				if d.Code == "KIND001" {
					continue
				}
				require.NoError(t, diag.WriteText(&b, diag.List{d}, "en"))
			}
			require.Empty(t, b.String())
			runScenarios(t, set, name, files)
			for file, f := range files { // as sluice fmt --check
				root, list := source.Parse(file, f.Data)
				require.Empty(t, list)
				require.Equal(t, string(source.Format(root, schemas.Layout(kindOf(t, kinds, file)))), string(f.Data), "%s shows %s in another form than fmt gives it", name, file)
			}
		})
	}
	require.GreaterOrEqual(t, shown, 2, "README.md and docs/authoring.md show definitions")
}

// runScenarios runs the scenarios that a paper shows, as sluice test does.
func runScenarios(t *testing.T, set *pack.Set, name string, files fstest.MapFS) {
	t.Helper()
	found, list, err := scenario.Find(set, files, name)
	require.NoError(t, err)
	require.Empty(t, list)
	if len(found) == 0 {
		return
	}
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, files))
	results, err := scenario.Run(t.Context(), app.Documents{Set: set, Dirs: []string{dir}, Zone: time.UTC}, "test", found)
	require.NoError(t, err)
	for _, r := range results {
		require.Empty(t, r.Problems, r.File.Path())
	}
}

// kindOf is the kind of a document by its place in a pack.
func kindOf(t *testing.T, kinds kind.List, file string) def.Kind {
	t.Helper()
	if strings.HasPrefix(file, "tests/") {
		return scenario.KindOf(file)
	}
	k, ok := kinds.OfFile(file)
	require.True(t, ok, file)
	return k.Code
}

// untitled are the blocks of JSON that are no documents of a pack, by the words that they begin with.
var untitled = map[string]string{"docs/tutorial-property-type.md": `"$schema": "https://json-schema.org`}

// TestNoDocumentIsUntitled keeps whole documents from standing in the papers without the name that lets TestExamples read them.
func TestNoDocumentIsUntitled(t *testing.T) {
	for name, text := range papers(t) {
		for _, block := range fence.FindAllStringSubmatch(text, -1) {
			if lang, _, _ := strings.Cut(block[1], " "); lang != "json" || title.MatchString(block[1]) {
				continue
			}
			if words := untitled[name]; words == "" || !strings.Contains(block[2], words) {
				t.Errorf("%s shows JSON without a title:\n%s", name, block[2])
			}
		}
	}
}
