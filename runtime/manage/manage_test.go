package manage_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/edit"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/manage"
)

func TestKeys(t *testing.T) {
	t.Parallel()
	const step = 1000
	for _, c := range []struct {
		keys    []int64
		changed int
	}{
		{nil, 0},
		{[]int64{1000, 2000, 3000}, 0},
		{[]int64{3000, 1000, 2000}, 1}, // the last becomes the first
		{[]int64{2000, 3000, 1000}, 1}, // and the first the last
		{[]int64{1000, 3000, 2000, 4000}, 1},
		{[]int64{5000, 6000, 1000, 2000, 3000}, 2},
		{[]int64{1, 7000, 2}, 1},
		{[]int64{1, 3, 2, 4}, 4}, // no room: all get new ones
		{[]int64{5, 5, 5}, 3},
	} {
		got := manage.Keys(c.keys, step)
		require.True(t, slices.IsSorted(got), "%v: %v", c.keys, got)
		require.Len(t, slices.Compact(slices.Clone(got)), len(c.keys))
		changed := 0
		for i := range got {
			if got[i] != c.keys[i] {
				changed++
			}
		}
		require.LessOrEqual(t, changed, c.changed, "%v: %v", c.keys, got)
	}
}

func menu(t *testing.T) manage.Menu {
	t.Helper()
	n, err := edit.Parse(`{"name": "x", "menu": [{"code": "a", "type": "Folder", "children": [{"code": "b", "type": "Folder", "children": [{"code": "lot", "type": "BizModel"}]}]},
		{"code": "lots", "type": "BizModel", "schemaCode": "lot"}, {"code": "c", "type": "Folder"}]}`)
	require.NoError(t, err)
	return manage.Menu{App: n}
}

// shape writes the codes of a menu with brackets around folders.
func shape(n *edit.Node) string {
	var out []string
	for _, e := range n.Items() {
		s := e.Get("code").Text()
		if e.Get("type").Text() == manage.Folder {
			s += "(" + shape(e.Get("children")) + ")"
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func TestMenu(t *testing.T) {
	t.Parallel()
	refused := func(want fault.Code, err error) {
		t.Helper()
		var f *fault.Error
		require.ErrorAs(t, err, &f)
		require.Equal(t, want, f.Code)
	}
	m := menu(t)
	now := func() string { return shape(m.App.Get("menu")) }
	require.Equal(t, "a(b(lot)) lots c()", now())
	refused(fault.MenuFolderInside, m.Move("a", "b", 0))
	refused(fault.MenuFolderInside, m.Move("A", "a", 0))
	refused(fault.MenuNotFound, m.Move("none", "", 0))
	refused(fault.MenuNotFound, m.Move("lot", "lots", 0))
	require.Equal(t, "a(b(lot)) lots c()", now(), "a refusal changes nothing")
	require.NoError(t, m.Move("lot", "c", -1))
	require.NoError(t, m.Move("c", "", 0))
	require.Equal(t, "c(lot) a(b()) lots", now())
	require.NoError(t, m.Move("c", "", 1))
	require.Equal(t, "a(b()) c(lot) lots", now())
	refused(fault.AppCodeTaken, m.Add("", 0, edit.Value(map[string]any{"code": "LOT"})))
	require.NoError(t, m.Add("b", -1, edit.Value(map[string]any{"code": "new", "type": "HomePage"})))
	_, err := m.Delete("b")
	refused(fault.MenuFolderFull, err)
	_, err = m.Delete("new")
	require.NoError(t, err)
	m.DeleteModel("Lot")
	require.Equal(t, "a(b()) c()", now())
}

func good() manage.Package {
	return manage.Package{Code: "shop", Name: "商店", Version: "1.2.0", Texts: map[string]string{"pack.json": `{"code": "shop"}`, "app.json": "{}", "models/a.json": `{"name": "甲"}`}}
}

func TestPackage(t *testing.T) {
	t.Parallel()
	data, err := good().Write()
	require.NoError(t, err)
	again, err := good().Write()
	require.NoError(t, err)
	require.Equal(t, data, again, "the same documents are the same bytes")
	p, err := manage.Read(data)
	require.NoError(t, err)
	require.Equal(t, good().Texts, p.Texts)
	require.Equal(t, "1.2.0", p.Version)
}

// entry is a file of an archive that somebody made.
type entry struct{ name, text string }

func archive(t *testing.T, change func(files map[string]string, manifest map[string]any), more ...entry) []byte {
	t.Helper()
	data, err := good().Write()
	require.NoError(t, err)
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	files := map[string]string{}
	for _, f := range r.File {
		in, err := f.Open()
		require.NoError(t, err)
		text, err := io.ReadAll(in)
		require.NoError(t, err)
		files[f.Name] = string(text)
	}
	manifest := map[string]any{}
	require.NoError(t, json.Unmarshal([]byte(files["manifest.json"]), &manifest))
	if change != nil {
		change(files, manifest)
	}
	if files["manifest.json"] != "" {
		text, err := json.Marshal(manifest)
		require.NoError(t, err)
		files["manifest.json"] = string(text)
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range files {
		if text != "" {
			more = append([]entry{{name, text}}, more...)
		}
	}
	for _, e := range more {
		w, err := z.Create(e.name)
		require.NoError(t, err)
		_, err = io.WriteString(w, e.text)
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return b.Bytes()
}

func TestHostilePackages(t *testing.T) {
	t.Parallel()
	many := []entry{}
	for i := range 600 {
		many = append(many, entry{"documents/models/m" + strings.Repeat("x", i%60) + string(rune('a'+i%26)) + ".json", "{}"})
	}
	bomb := strings.Repeat(" ", 5<<20)
	for name, c := range map[string]struct {
		data []byte
		want fault.Code
	}{
		"text":            {[]byte("PK is no archive"), fault.PackageInvalid},
		"nothing":         {nil, fault.PackageInvalid},
		"huge":            {make([]byte, manage.MaxArchive+1), fault.PackageTooLarge},
		"many files":      {archive(t, nil, many...), fault.PackageTooLarge},
		"a bomb":          {archive(t, nil, entry{"documents/models/b.json", bomb}), fault.PackageTooLarge},
		"many bombs":      {archive(t, nil, entry{"documents/models/b.json", bomb[:4<<20]}, entry{"documents/models/c.json", bomb}), fault.PackageTooLarge},
		"outside":         {archive(t, nil, entry{"../x.json", "{}"}), fault.PackageForeign},
		"outside, inside": {archive(t, nil, entry{"documents/../x.json", "{}"}), fault.PackageForeign},
		"from the root":   {archive(t, nil, entry{"/etc/passwd", "{}"}), fault.PackageForeign},
		"a backslash":     {archive(t, nil, entry{`documents/models\x.json`, "{}"}), fault.PackageForeign},
		"a program":       {archive(t, nil, entry{"documents/models/x.go", "{}"}), fault.PackageForeign},
		"too deep":        {archive(t, nil, entry{"documents/a/b/c.json", "{}"}), fault.PackageForeign},
		"twice":           {archive(t, nil, entry{"documents/models/A.json", "{}"}), fault.PackageForeign},
		"no text":         {archive(t, nil, entry{"documents/models/x.json", "\xff\xfe"}), fault.PackageForeign},
		"not listed":      {archive(t, nil, entry{"documents/models/x.json", "{}"}), fault.PackageForeign},
		"no manifest":     {archive(t, func(f map[string]string, _ map[string]any) { f["manifest.json"] = "" }), fault.PackageInvalid},
		"no application": {archive(t, func(f map[string]string, m map[string]any) {
			f["documents/app.json"] = ""
			delete(m["files"].(map[string]any), "app.json")
		}), fault.PackageInvalid},
		"a file less":    {archive(t, func(f map[string]string, _ map[string]any) { f["documents/models/a.json"] = "" }), fault.PackageDamaged},
		"another text":   {archive(t, func(f map[string]string, _ map[string]any) { f["documents/models/a.json"] = "{}" }), fault.PackageDamaged},
		"a later format": {archive(t, func(_ map[string]string, m map[string]any) { m["format"] = 3 }), fault.PackageNewer},
		"another format": {archive(t, func(_ map[string]string, m map[string]any) { m["format"] = 2 }), fault.PackageInvalid},
		"no format":      {archive(t, func(_ map[string]string, m map[string]any) { m["format"] = 0 }), fault.PackageInvalid},
	} {
		_, err := manage.Read(c.data)
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != c.want {
			t.Errorf("%s: %v, not %d", name, err, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	data, err := good().Write()
	require.NoError(f, err)
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, err := manage.Read(data); err == nil && p.Texts["app.json"] == "" && p.Files["app.json"] == "" {
			t.Error("a package without its application")
		}
	})
}
