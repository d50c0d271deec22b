package portal_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/design"
	"github.com/sluice-platform/sluice/runtime/httpapi"
	"github.com/sluice-platform/sluice/runtime/portal"
)

// pageOf names a page.
func pageOf(application, code string) design.Name {
	return design.Name{Kind: catalog.KindPortal, App: application, Code: code}
}

// takes lets a person take or renew the edit lock of a page.
func (w *world) takes(name, application, code string, over bool) design.Lock {
	w.Helper()
	l, err := w.app.Designs().Lock(w.Context(), w.as(name), pageOf(application, code), over)
	require.NoError(w, err)
	return l
}

// keeps lets a person keep the draft of a page.
func (w *world) keeps(name string, in design.Draft) error {
	_, err := w.app.Designs().Keep(w.Context(), w.as(name), in)
	return err
}

// publishes lets a person publish a page.
func (w *world) publishes(name string, in design.Draft) error {
	_, err := w.app.Designs().Publish(w.Context(), w.as(name), in)
	return err
}

// opens lets a person open a page in its designer.
func (w *world) opens(name, code string) *design.Document {
	w.Helper()
	d, err := w.app.Designs().Document(w.Context(), w.as(name), pageOf("", code))
	require.NoError(w, err)
	return d
}

// The roles that a page names edit it, as the administrators of its application do.
func TestEditLock(t *testing.T) {
	each(t, func(w *world) {
		const root = "root"
		lock := func(name string, over bool) design.Lock { return w.takes(name, "", workbench, over) }
		draft := func(text string) design.Draft { return design.Draft{Name: pageOf("", workbench), Text: text} }
		const page = `{"name": "新", "name_i18n": {"en": "New"}, "write": ["own"], "widgets": [{"type": "TextList", "code": "all", "dataSource": "bizModel", "schemaCode": "lot"}]}`

		for _, name := range []string{"all", "none"} {
			_, err := w.app.Designs().Lock(w.Context(), w.as(name), pageOf("", workbench), false)
			require.Equal(w, fault.Forbidden, fault.Of(err), "only the roles that it names and its administrators edit a page")
		}
		err := w.keeps("own", draft(page))
		require.Equal(w, fault.EditLockLost, fault.Of(err))

		var both sync.WaitGroup
		mine := make([]bool, 2)
		for i, name := range []string{"own", root} {
			both.Go(func() { mine[i] = lock(name, false).Mine })
		}
		both.Wait()
		require.NotEqual(w, mine[0], mine[1], "one of two has it")
		lock("own", true)
		require.Equal(w, "own", *lock(root, false).OwnerName)
		require.Equal(w, 600, lock("own", false).ExpireIn)
		err = w.keeps("own", draft(page))
		require.NoError(w, err)

		require.True(w, lock(root, true).Mine)
		err = w.keeps("own", draft("{}"))
		require.Equal(w, fault.EditLockLost, fault.Of(err))
		opened := w.opens(root, workbench)
		require.Equal(w, page, opened.Draft.Text, "the draft of the one before is there")
		require.Equal(w, "own", opened.Draft.ByName)

		// A page that is begun and was never published is in the list of those who may edit it.
		listed := func(name, application string) (out []string) {
			all, err := w.app.Designs().DesignedPortals(w.Context(), w.as(name), application)
			require.NoError(w, err)
			for _, one := range all {
				if one.Code == "begun" {
					out = append(out, one.Label.In("en"), *one.DraftBy, fmt.Sprint(one.Published))
				}
			}
			return out
		}
		require.Empty(w, listed(root, ""))
		w.takes(root, "demo", "begun", false)
		err = w.keeps(root, design.Draft{Name: pageOf("demo", "begun"), New: true, Text: `{"name": "开始", "name_i18n": {"en": "Begun"}, "widgets": []}`})
		require.NoError(w, err)
		require.Equal(w, []string{"Begun", "root", "0"}, listed(root, "demo"))
		require.Equal(w, []string{"Begun", "root", "0"}, listed(root, ""))
		require.Empty(w, listed(root, "other"))
		begun, err := w.app.Designs().PortalPreview(w.Context(), w.as(root), "begun")
		require.NoError(w, err, "a page of an application that was never published has a preview")
		require.Equal(w, "开始", begun.Name)
		_, err = w.app.Designs().PortalPreview(w.Context(), w.as("own"), "begun")
		require.Equal(w, fault.Forbidden, fault.Of(err))
		require.Empty(w, listed("all", ""))

		w.now = w.now.Add(design.LockKept + time.Second)
		require.True(w, lock("own", false).Mine, "a lock that is not renewed ends")

		check, err := w.app.Designs().Check(w.Context(), w.as("own"), design.Proof{Draft: draft(page)})
		require.NoError(w, err)
		require.Equal(w, []string{"all"}, ids(check.Drawn.(*portal.Page).Widgets))
		w.fill(3)
		rows, err := w.app.Designs().DraftRows(w.Context(), w.as("own"), draft(page), portal.RowsRequest{Portal: workbench, Widget: "all", Size: 10})
		require.NoError(w, err)
		mineOnly := 0
		for _, l := range w.lots {
			if l.owner == "own" {
				mineOnly++
			}
		}
		require.Equal(w, mineOnly, rows.Len(), "a draft shows what its author may see")

		in := draft(page)
		in.Seen = opened.Seen
		err = w.publishes(root, in)
		require.Equal(w, fault.EditLockLost, fault.Of(err))
		public := in
		public.Text = strings.Replace(page, `"write"`, `"public": true, "publicRole": "all", "write"`, 1)
		err = w.publishes("own", public)
		require.Equal(w, fault.Forbidden, fault.Of(err), "whose rights a public page has is decided by administrators")
		// A script that the page holds: that of a draft is for those who edit it, and only those who administer the platform publish one.
		scripted := in
		scripted.Text = strings.Replace(page, `"write"`, `"scriptText": "export default {\n  options: { version: '1.1' },\n  hooks: { onPageEnter(event, page) {} },\n}", "write"`, 1)
		err = w.publishes("own", scripted)
		require.Equal(w, fault.Forbidden, fault.Of(err))
		err = w.keeps("own", scripted)
		require.NoError(w, err)
		preview, err := w.app.Designs().PortalPreview(w.Context(), w.as("own"), workbench)
		require.NoError(w, err)
		address, err := url.Parse(*preview.Script)
		require.NoError(w, err)
		require.Equal(w, workbench, address.Query().Get("draft"))
		digest := address.Query().Get("digest")
		text, err := w.app.Designs().PreviewScript(w.Context(), w.as("own"), workbench, digest)
		require.NoError(w, err)
		require.Contains(w, text, "onPageEnter")
		_, err = w.app.Designs().PreviewScript(w.Context(), w.as("own"), workbench, "other")
		require.Equal(w, fault.PortalNotFound, fault.Of(err))
		_, err = w.app.Designs().PreviewScript(w.Context(), w.as("all"), workbench, digest)
		require.Equal(w, fault.Forbidden, fault.Of(err))
		_, err = w.app.Portals().Script(w.as("own"), digest)
		require.Equal(w, fault.PortalNotFound, fault.Of(err), "it is not served to readers")
		for name, may := range map[string]bool{"own": false, root: true} {
			require.Equal(w, may, w.opens(name, workbench).Whole)
		}

		out, err := w.app.Designs().Publish(w.Context(), w.as("own"), in)
		require.NoError(w, err)
		require.NotZero(w, out.Version)
		require.Equal(w, []string{"all"}, ids(w.get("all", workbench).Widgets))
		require.Nil(w, w.opens(root, workbench).Draft)
		history, err := w.app.Designs().History(w.Context(), w.as("own"), pageOf("", workbench))
		require.NoError(w, err)
		require.Len(w, history, 1)
	})
}

// TestUnfinishedPreview: a widget that is unfinished keeps its place in the preview, and the others are drawn and read their records.
func TestUnfinishedPreview(t *testing.T) {
	each(t, func(w *world) {
		w.takes("own", "", workbench, false)
		keep := func(text string) {
			err := w.keeps("own", design.Draft{Name: pageOf("", workbench), Text: text})
			require.NoError(w, err)
		}
		keep(`{"write": ["own"], "page": {"padding": 9999, "onEnter": "none"}, "widgets": [
			{"type": "TextList", "code": "all", "dataSource": "bizModel", "schemaCode": "lot"},
			{"type": "TextList", "code": "begun", "x": 8, "y": 3, "width": 9, "height": 12, "title": "一二三四五六七八九十一二三四五六", "dataSource": "bizModel"},
			{"type": "TextList", "code": "all", "dataSource": "bizModel", "schemaCode": "lot"},
			{"type": "Layout", "widgets": [{"type": "LayoutPanel", "widgets": [
				{"type": "Notice", "text": "停电"}, {"type": "TextList", "dataSource": "bizModel", "schemaCode": "none"}]}]}]}`)
		page, err := w.app.Designs().PortalPreview(w.Context(), w.as("own"), workbench)
		require.NoError(w, err)
		var told []string
		var tell func(widgets []portal.Widget)
		tell = func(widgets []portal.Widget) {
			for _, one := range widgets {
				problem := ""
				if one.Problem != nil {
					problem = *one.Problem
				}
				told = append(told, fmt.Sprint(one.ID, " ", one.Type, " ", problem))
				tell(one.Widgets)
			}
		}
		tell(page.Widgets)
		require.Equal(w, []string{"all TextList ", "begun TextList unfinished", "2 TextList unfinished", "3 Layout ", "3.0 LayoutPanel ", "3.0.0 Notice ", "3.0.1 TextList unfinished"}, told)
		begun := page.Widgets[1]
		require.Equal(w, []int{8, 3, 4, 12}, []int{begun.X, begun.Y, begun.Width, begun.Height}, "it keeps its place")
		require.Equal(w, 16, page.Page["padding"], "what the page itself says wrongly is left out")
		w.fill(30)
		rows, err := w.app.Designs().PreviewRows(w.Context(), w.as("own"), portal.RowsRequest{Portal: workbench, Widget: "all", Size: 10})
		require.NoError(w, err)
		require.NotZero(w, rows.Len())
		keep(`{"widgets": [`)
		_, err = w.app.Designs().PortalPreview(w.Context(), w.as("own"), workbench)
		require.Equal(w, fault.PublishFaulty, fault.Of(err), "what is no JSON is not drawn")
	})
}

// TestChoicesOfLists: what the designer offers to show in lists of texts, and to sort them by, is decided by the type of a property.
func TestChoicesOfLists(t *testing.T) {
	each(t, func(w *world) {
		m, err := w.app.Designs().PortalModel(w.Context(), w.as("root"), "demo", workbench, "every")
		require.NoError(w, err)
		require.Equal(w, "every", m.Lists[0].Code)
		var neither, shown, both []string
		for _, p := range m.Properties {
			code, own := strings.CutPrefix(p.Code, "of")
			switch {
			case !own:
			case p.Sort:
				require.True(w, p.Display, code)
				both = append(both, code)
			case p.Display:
				shown = append(shown, code)
			default:
				neither = append(neither, code)
			}
		}
		require.Equal(w, []string{"LongText", "Logic", "Attachment", "Address", "RelevanceForm", "RelevanceFormEx", "Sheet"}, neither)
		require.Equal(w, []string{"Radio", "Checkbox", "DropdownMulti", "StaffSingle", "StaffMulti", "DeptSingle", "DeptMulti", "StaffDeptMix", "ApprovalOpinion"}, shown)
		require.Equal(w, []string{"ShortText", "Number", "Date", "Time", "Dropdown"}, both)
		// What is offered can be shown, and is in the order of the page.
		w.save("root", "every", map[string]any{"ofShortText": "短", "ofRadio": "A", "ofStaffSingle": w.ids["own"]})
		display := `"ofShortText", "of` + strings.Join(shown, `", "of`) + `"`
		text := fmt.Sprintf(`{"widgets": [{"type": "TextList", "code": "all", "dataSource": "bizModel", "schemaCode": "every", "displayField": [%s], "sortField": "ofDropdown"}]}`, display)
		rows, err := w.app.Designs().DraftRows(w.Context(), w.as("root"), design.Draft{Name: pageOf("demo", "kinds"), New: true, Text: text}, portal.RowsRequest{Widget: "all", Size: 10})
		require.NoError(w, err)
		require.Equal(w, 1, rows.Len())
		require.Equal(w, []string{"短", "甲", "own"}, []string{rows.Text(0, 0), rows.Text(0, 1), rows.Text(0, 4)})
		require.Len(w, rows.Columns(), 10)
		_, err = w.app.Designs().PortalModel(w.Context(), w.as("all"), "demo", workbench, "every")
		require.Equal(w, fault.Forbidden, fault.Of(err))
	})
}

// A page shows only pictures within their limits, and only those that its author may read; a draft keeps them.
func TestPagePictures(t *testing.T) {
	each(t, func(w *world) {
		bring := func(by, name string, content []byte) string {
			f, err := w.app.Files().Put(w.Context(), blob.Upload{Name: name, By: w.ids[by], Most: 8 << 20, Bytes: bytes.NewReader(content)})
			require.NoError(w, err)
			return f.ID
		}
		var b bytes.Buffer
		require.NoError(w, png.Encode(&b, image.NewGray(image.Rect(0, 0, 30, 20))))
		small := b.Bytes()
		large := append(bytes.Clone(small), make([]byte, 100<<10)...)
		page := func(icon, picture string) design.Draft {
			return design.Draft{Name: pageOf("demo", "shown"), New: true, Text: fmt.Sprintf(`{"name": "图", "name_i18n": {"en": "Pictures"}, "read": ["all"], "write": ["own"], "widgets": [
				{"type": "Image", "code": "one", "picUrl": %q, "gotoType": "none"}, {"type": "GridNavigation", "code": "grid", "componentIcon": %q, "navigator": [{"title": "x", "actionType": "URL", "URL": "/home"}]}]}`, picture, icon)}
		}
		publish := func(in design.Draft) error {
			return w.publishes("root", in)
		}
		reads := func(name, id string) bool {
			_, err := w.app.Reader().File(w.Context(), w.as(name), id)
			return err == nil
		}
		for _, name := range []string{"root", "root"} { // the lock is theirs, and renewed
			w.takes(name, "demo", "shown", false)
		}

		mine, wide, other := bring("root", "图标.png", small), bring("root", "photo.png", large), bring("own", "a.png", small)
		paper, torn := bring("root", "a.pdf", []byte("%PDF-1.4\n")), bring("root", "torn.png", append(bytes.Clone(small[:12]), "none"...))
		for name, refused := range map[string]struct {
			icon, picture string
			zh, en        string
		}{
			"an icon of more than 100 KB": {wide, mine, "页面中的图片“photo.png”不能使用：只接受不超过 100 KB 的 PNG, JPEG, GIF 图片", "The image “photo.png” on the page can't be used: only PNG, JPEG, GIF images of at most 100 KB are accepted"},
			"no picture":                  {mine, paper, "页面中的图片“a.pdf”不能使用：只接受不超过 2 MB 的 PNG, JPEG, GIF, WebP 图片", "The image “a.pdf” on the page can't be used: only PNG, JPEG, GIF, WebP images of at most 2 MB are accepted"},
			"what can't be drawn":         {mine, torn, "页面中的图片“torn.png”不能使用：只接受不超过 2 MB 的 PNG, JPEG, GIF, WebP 图片", "The image “torn.png” on the page can't be used: only PNG, JPEG, GIF, WebP images of at most 2 MB are accepted"},
			"somebody else's":             {mine, other, "页面中有一张图片已不存在，或您无权使用，请重新上传（" + other + "）", "An image on the page no longer exists, or you don't have access to it. Upload it again (" + other + ")."},
		} {
			err := publish(page(refused.icon, refused.picture))
			var told *fault.Error
			require.ErrorAs(w, err, &told, name)
			require.Equal(w, refused.zh, httpapi.Sentence(told, "zh"), name)
			require.Equal(w, refused.en, httpapi.Sentence(told, "en"), name)
		}
		err := w.keeps("root", page(mine, other))
		require.Equal(w, fault.PortalPictureGone, fault.Of(err), "a draft would show it to others")

		// Who may edit the page sees what its draft shows, and the picture stays as long as the draft.
		err = w.keeps("root", page(mine, wide))
		require.NoError(w, err)
		w.now = w.now.Add(25 * time.Hour)
		_, err = w.app.Files().Sweep(w.Context())
		require.NoError(w, err)
		require.Equal(w, []bool{true, true, false, false}, []bool{reads("root", mine), reads("root", wide), reads("own", mine), reads("all", mine)})
		require.False(w, reads("own", other), "nothing named that one")

		w.takes("root", "demo", "shown", true)
		require.NoError(w, publish(page(mine, wide)))
		require.Equal(w, []bool{true, true, false}, []bool{reads("own", mine), reads("all", wide), reads("none", wide)})

		// What the page shows already may stay for any author.
		opened := w.opens("own", "shown")
		w.takes("own", "", "shown", true)
		again := page(mine, wide)
		again.Text, again.New, again.Seen = strings.Replace(again.Text, "Pictures", "Images", 1), false, opened.Seen
		err = w.publishes("own", again)
		require.NoError(w, err)
	})
}
