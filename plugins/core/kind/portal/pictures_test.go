package portal_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"image"
	"image/gif"
	"image/png"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/compile/compiletest"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/internal/plugintest"
)

// pictured compiles a page with an image that shows a file beside it.
func pictured(t *testing.T, name string, data []byte) (*catalog.Portal, diag.List) {
	t.Helper()
	set := &pack.Set{}
	require.NoError(t, plugintest.Register(set))
	set.Freeze()
	schemas, err := compiletest.Schemas(set)
	require.NoError(t, err)
	files := fstest.MapFS{
		"pack.json":       {Data: []byte(`{"code": "demo", "name": "演示", "name_i18n": {"en": "Demo"}}`)},
		"portals/" + name: {Data: data},
		"portals/page.json": {Data: []byte(`{"name": "图片", "name_i18n": {"en": "Pictures"},
			"page": {"backgroundImg": "` + name + `"},
			"widgets": [{"type": "Image", "picUrl": "` + name + `", "gotoType": "none"}]}`)},
	}
	p, found := compile.Load(files, "", compile.Kinds(set), schemas)
	c, more := compile.Compile(set, []*def.Pack{p}, compile.Options{})
	return c.Portal("page"), append(found, more...)
}

func encoded(t *testing.T, encode func(*bytes.Buffer) error) []byte {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, encode(&out))
	return out.Bytes()
}

// header is the beginning of a PNG of a size.
func header(width, height uint32) []byte {
	part := append([]byte("IHDR"), make([]byte, 13)...)
	binary.BigEndian.PutUint32(part[4:], width)
	binary.BigEndian.PutUint32(part[8:], height)
	part[12], part[13] = 8, 2 // bits of a colour
	out := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), part...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(part))
}

// TestPictures: a picture beside a page is kept once, with its digest and its real type. What is none is refused, and so is one with too
// many pixels, by its head alone.
func TestPictures(t *testing.T) {
	small := image.NewGray(image.Rect(0, 0, 2, 3))
	dot := encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, small) })
	moving := encoded(t, func(b *bytes.Buffer) error { return gif.Encode(b, small, nil) })
	for _, one := range []struct {
		name string
		data []byte
		want string // type; "" = refused
	}{
		{"a.png", dot, "image/png"},
		{"A.PNG", dot, "image/png"},
		{"a.gif", moving, "image/gif"},
		{"a.jpg", dot, "image/png"},
		{"a.png", dot[:20], ""},
		{"a.png", nil, ""},
		{"a.png", header(8192, 5120), "image/png"},
		{"a.png", header(8192, 5121), ""},
	} {
		p, found := pictured(t, one.name, one.data)
		if one.want == "" {
			require.Nil(t, p, one.name)
			require.Equal(t, []string{"PORTAL016"}, codes(found), one.name)
			continue
		}
		require.NotNil(t, p, "%s %v", one.name, found)
		sum := sha256.Sum256(one.data)
		kept := &catalog.Picture{Digest: hex.EncodeToString(sum[:16]), Type: one.want, Data: one.data}
		require.Equal(t, map[string]*catalog.Picture{one.name: kept}, p.Pictures)
	}
	_, found := pictured(t, "a.png", append(bytes.Clone(dot), make([]byte, 2<<20)...))
	require.NotContains(t, codes(found), "PORTAL016", "what was not read for its length is told once")
	require.True(t, found.HasErrors())
	p, found := pictured(t, "a.svg", []byte("<svg/>"))
	require.NotNil(t, p, "%v", found)
	require.Empty(t, p.Pictures, "a name that is not that of a picture")
}

func codes(found diag.List) (out []string) {
	for _, d := range found {
		if d.Severity == diag.Error {
			out = append(out, d.Code)
		}
	}
	return out
}

// TestPictureThatIsMissing: a page that shows a file which is not beside it is refused, and says where it names it.
func TestPictureThatIsMissing(t *testing.T) {
	set := &pack.Set{}
	require.NoError(t, plugintest.Register(set))
	set.Freeze()
	schemas, err := compiletest.Schemas(set)
	require.NoError(t, err)
	files := fstest.MapFS{
		"pack.json":         {Data: []byte(`{"code": "demo", "name": "演示", "name_i18n": {"en": "Demo"}}`)},
		"portals/page.json": {Data: []byte(`{"name": "图片", "name_i18n": {"en": "Pictures"}, "widgets": [{"type": "Image", "picUrl": "none.png", "gotoType": "none"}]}`)},
	}
	p, found := compile.Load(files, "", compile.Kinds(set), schemas)
	c, more := compile.Compile(set, []*def.Pack{p}, compile.Options{})
	found = append(found, more...)
	require.Nil(t, c.Portal("page"))
	require.Len(t, codes(found), 1, "%v", found)
	require.Equal(t, "portals/page.json", found[0].Position.File)
}

// TestFiguresOfFaultyReport: figures of a report that is there and cannot be read are no fault of the page.
func TestFiguresOfFaultyReport(t *testing.T) {
	set := &pack.Set{}
	require.NoError(t, plugintest.Register(set))
	set.Freeze()
	schemas, err := compiletest.Schemas(set)
	require.NoError(t, err)
	for _, report := range []string{`{"name": `, `7`, ``} {
		files := fstest.MapFS{
			"pack.json":         {Data: []byte(`{"code": "demo", "name": "演示", "name_i18n": {"en": "Demo"}}`)},
			"reports/lots.json": {Data: []byte(report)},
			"portals/page.json": {Data: []byte(`{"name": "数字", "name_i18n": {"en": "Figures"}, "widgets": [{"type": "KeyFigure", "code": "one", "reportCode": "lots", "dataSet": "all", "measure": "n"},
				{"type": "Chart", "code": "two", "reportCode": "lots", "chartCode": "c"}]}`)},
		}
		p, found := compile.Load(files, "", compile.Kinds(set), schemas)
		_, more := compile.Compile(set, []*def.Pack{p}, compile.Options{})
		found = append(found, more...)
		require.True(t, found.HasErrors())
		for _, d := range found {
			require.False(t, d.Severity == diag.Error && d.Position.File != "reports/lots.json", "%s: %s %s", report, d.Code, d.En)
		}
	}
}
