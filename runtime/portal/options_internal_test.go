package portal

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
)

func parsed(t *testing.T, text string) map[string]any {
	t.Helper()
	var out map[string]any
	require.NoError(t, json.Unmarshal([]byte(text), &out))
	return out
}

// TestAt: a way leads to an object, and nowhere where there is none.
func TestAt(t *testing.T) {
	v := parsed(t, `{"name": "all", "list": [{"name": "first"}, {"name": "second", "in": {"name": "inner"}}, "text"], "none": null}`)
	for _, c := range []struct {
		way  []string
		name string // "" = nothing
	}{
		{nil, "all"}, {[]string{"list", "0"}, "first"}, {[]string{"list", "1"}, "second"}, {[]string{"list", "1", "in"}, "inner"},
		{[]string{"list", "2"}, ""}, {[]string{"list", "3"}, ""}, {[]string{"list", "9"}, ""}, {[]string{"list", "x"}, ""}, {[]string{"list"}, ""}, {[]string{"none"}, ""}, {[]string{"missing"}, ""},
		{[]string{"name"}, ""}, {[]string{"name", "0"}, ""}, {[]string{"missing", "0"}, ""},
	} {
		of, found := at(v, c.way)
		require.Equal(t, c.name != "", found, "%v", c.way)
		if found {
			require.Equal(t, c.name, of["name"], "%v", c.way)
		}
	}
}

// TestPrune: hidden entries go out of their arrays, whose others keep their order; a widget of which nothing is left is not shown.
func TestPrune(t *testing.T) {
	for _, c := range []struct {
		hidden []string
		want   string // "" = the widget is not shown
	}{
		{nil, `{"a": [0, 1, 2], "b": [3], "c": []}`}, {[]string{"a/1"}, `{"a": [0, 2], "b": [3], "c": []}`}, {[]string{"a/0", "a/2"}, `{"a": [1], "b": [3], "c": []}`},
		{[]string{"a/0", "a/1", "a/2"}, ""}, {[]string{"b/0"}, ""}, {[]string{"a/0", "b/0"}, ""}, {[]string{""}, ""}, {[]string{"a"}, ""}, {[]string{"a/0/b"}, ""}, {[]string{"none/0"}, `{"a": [0, 1, 2], "b": [3], "c": []}`},
	} {
		out, hidden := parsed(t, `{"a": [0, 1, 2], "b": [3], "c": []}`), map[string]bool{}
		for _, way := range c.hidden {
			hidden[way] = true
		}
		shows := (&Service{}).prune(out, hidden)
		require.Equal(t, c.want != "", shows, "%v", c.hidden)
		if shows {
			require.Equal(t, parsed(t, c.want), out, "%v", c.hidden)
		}
	}
}

// TestPublicPicturesOfPages: visitors get pictures at an address of their own; what only looks like one stays as it is, at any depth.
func TestPublicPicturesOfPages(t *testing.T) {
	v := parsed(t, `{"picUrlSrc": "/api/runtime/portal/picture?digest=abc", "backgroundImgSrc": "/api/aliyun/download?inline=1&refId=u1", "iconSrc": null, "numberSrc": 7,
		"to": "https://example.com/?digest=abc&refId=u1", "linkSrc": "https://example.com/logo.png", "list": [{"imageSrc": "/x?digest=def"}, "a?digest=1", [{"deepSrc": "?a=1&refId=u2"}]], "in": {"oneSrc": "?digest=0"}}`)
	publicPictures(&catalog.Portal{Code: "news"}, v)
	require.Equal(t, parsed(t, `{"picUrlSrc": "/open/picture?portalCode=news&digest=abc", "backgroundImgSrc": "/open/picture?portalCode=news&refId=u1", "iconSrc": null, "numberSrc": 7,
		"to": "https://example.com/?digest=abc&refId=u1", "linkSrc": "https://example.com/logo.png", "list": [{"imageSrc": "/open/picture?portalCode=news&digest=def"}, "a?digest=1", [{"deepSrc": "/open/picture?portalCode=news&refId=u2"}]],
		"in": {"oneSrc": "/open/picture?portalCode=news&digest=0"}}`), v)
}

const one, two, three = "6f1f5c1e-1d1b-4c3a-9a52-000000000001", "6f1f5c1e-1d1b-4c3a-9a52-000000000002", "6f1f5c1e-1d1b-4c3a-9a52-000000000003"

// TestUploads: each picture that was brought once, an icon where it is one anywhere; names of icons and files of the pack are none.
func TestUploads(t *testing.T) {
	widget := func(options string, ways ...[]string) *catalog.Widget {
		w := &catalog.Widget{Options: parsed(t, options)}
		for _, way := range ways {
			w.Pictures = append(w.Pictures, catalog.PortalPicture{At: way})
		}
		return w
	}
	inner := widget(`{"list": [{"picUrl": "`+three+`"}, {"picUrl": ""}, {"picUrl": 7}]}`, []string{"list", "0", "picUrl"}, []string{"list", "1", "picUrl"}, []string{"list", "2", "picUrl"}, []string{"list", "5", "picUrl"})
	inner.Style = map[string]any{"backgroundImg": "logo.png"}
	p := &catalog.Portal{Code: "news", Page: map[string]any{"backgroundImg": one}, Pictures: map[string]*catalog.Picture{"logo.png": {Digest: "d1"}}, Widgets: []*catalog.Widget{
		widget(`{"componentIcon": "`+two+`", "other": "`+three+`x"}`, []string{"componentIcon"}, []string{"other"}, []string{"missing"}), {Widgets: []*catalog.Widget{inner}},
		widget(`{"menuICON": "`+one+`", "icon": "home"}`, []string{"menuICON"}, []string{"icon"}),
	}}
	require.Equal(t, []Upload{{one, true}, {two, true}, {three, false}}, Uploads(p))
	for id, shown := range map[string]bool{one: true, two: true, three: true, "logo.png": true, "": false, "6f1f5c1e-1d1b-4c3a-9a52-000000000004": false} {
		require.Equal(t, shown, ShownIn(p, id), id)
	}
	for name, want := range map[any]any{"logo.png": "/api/runtime/portal/picture?digest=d1", one: "/api/aliyun/download?inline=1&refId=" + one, "home": nil, "": nil, nil: nil, 7: nil,
		"{" + one + "}": nil, "6f1f5c1e1d1b4c3a9a52000000000001": nil} {
		require.Equal(t, want, source(p, name), name)
	}
	require.Equal(t, p.Pictures["logo.png"], PublicPicture(p, "d1"))
	require.Nil(t, PublicPicture(p, "d2"))
}

// TestVisitor: without a role of the page a visitor is nobody; with one they read, and change nothing.
func TestVisitor(t *testing.T) {
	nobody := Visitor(&catalog.Portal{}, "en")
	require.Empty(t, nobody.Roles)
	require.Empty(t, nobody.Reason)
	reader := Visitor(&catalog.Portal{PublicRole: "guest"}, "zh")
	require.Equal(t, []string{"guest"}, reader.Roles)
	require.True(t, reader.ReadOnly)
	require.NotEmpty(t, reader.Reason)
	require.Empty(t, reader.UserID)
	require.Equal(t, []string{"en", "zh"}, []string{nobody.Locale, reader.Locale})
}

// TestPublicPage: of the pages that are public, published and not empty, one by its code, or the first.
func TestPublicPage(t *testing.T) {
	some := []*catalog.Widget{{}}
	for _, c := range []struct {
		page catalog.Portal
		may  bool
	}{
		{catalog.Portal{Public: true, Published: true, Widgets: some}, true}, {catalog.Portal{Published: true, Widgets: some}, false},
		{catalog.Portal{Public: true, Widgets: some}, false}, {catalog.Portal{Public: true, Published: true}, false},
	} {
		p := c.page
		p.Code = "News"
		all := &catalog.Catalog{Documents: []*catalog.Document{{Kind: catalog.KindPortal, Value: &p}}}
		for code, named := range map[string]bool{"": true, "news": true, "News": true, "new": false} {
			got, err := PublicPage(all, code)
			require.Equal(t, c.may && named, err == nil, "%q of %+v", code, c)
			require.Equal(t, err == nil, got != nil)
		}
	}
}

// TestPhotosAndMenus: the pictures and entries of a page at any depth, in their order.
func TestPhotosAndMenus(t *testing.T) {
	page := &Page{Widgets: []Widget{
		{Type: "Carousel", Options: parsed(t, `{"photos": [{"name": "a", "picUrlSrc": "/a", "to": "/x"}, {"name": "b", "to": null}, "no object"]}`)},
		{Type: "Layout", Widgets: []Widget{{Type: "ColMenu", Options: parsed(t, `{"navigator": [1, 2]}`)}, {Type: "Carousel", Options: parsed(t, `{"photos": [{"name": "c"}]}`)}}},
		{Type: "RowMenu", Options: parsed(t, `{"navigator": [3]}`)}, {Type: "GridNavigation", Options: parsed(t, `{"navigator": [4]}`)}, {Type: "RowMenu", Options: parsed(t, `{"navigator": "x"}`)},
	}}
	to := "/x"
	require.Equal(t, []Photo{{"a", "/a", &to}, {"b", "", nil}, {"", "", nil}, {"c", "", nil}}, Photos(page))
	require.Equal(t, []any{1.0, 2.0, 3.0}, Menus(page))
	require.Equal(t, []Photo{}, Photos(&Page{}))
	require.Equal(t, []any{}, Menus(&Page{}))
}
