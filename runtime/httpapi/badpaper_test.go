package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/printing"
	"github.com/sluice-platform/sluice/runtime/store"
)

// odd is a pack whose records and templates are as bad as people make them.
var odd = map[string]string{
	"pack.json": `{"code": "odd", "name": "怪", "name_i18n": {"en": "Odd"}}`,
	"models/odd.json": `{"name": "怪", "name_i18n": {"en": "Odd thing"}, "name_plural_i18n": {"en": "Odd things"}, "properties": [
  {"code": "title", "propertyType": "ShortText", "name": "标题", "name_i18n": {"en": "Title"}},
  {"code": "secret", "propertyType": "Logic", "name": "保密", "name_i18n": {"en": "Secret"}},
  {"code": "note", "propertyType": "LongText", "name": "说明", "name_i18n": {"en": "Note"}, "maxLength": 20000},
  {"code": "amount", "propertyType": "Number", "name": "金额", "name_i18n": {"en": "Amount"}, "scale": 2, "unit": "元"},
  {"code": "verdict", "propertyType": "Radio", "name": "结论", "name_i18n": {"en": "Verdict"}, "options": [
    {"code": "ok", "name": "合格", "name_i18n": {"en": "Passed"}}, {"code": "bad", "name": "不合格", "name_i18n": {"en": "Failed"}}]},
  {"code": "photos", "propertyType": "Attachment", "name": "照片", "name_i18n": {"en": "Photos"}, "maxSize": "200MB"},
  {"code": "rows", "propertyType": "Sheet", "name": "行", "name_i18n": {"en": "Rows"}, "properties": [
    {"code": "name", "propertyType": "ShortText", "name": "名称", "name_i18n": {"en": "Name"}},
    {"code": "amount", "propertyType": "Number", "name": "金额", "name_i18n": {"en": "Amount"}, "scale": 2}], "maxRows": 5000}]}`,
	"lists/odd.json": `{"schemaCode": "odd", "name": "怪", "name_i18n": {"en": "Odd things"}, "queryColumns": ["title"], "queryActions": ["print", "qr_code"]}`,
	"access/openOnly.json": `{"name": "公开", "name_i18n": {"en": "Open"}, "includes": ["staff"], "models": [
  {"schemaCode": "odd", "actions": ["view", "print", "qr_code"], "rows": "not secret"}]}`,
	"prints/all.json": `{"schemaCode": "odd", "name": "全部", "name_i18n": {"en": "All"}, "pages": [{"elements": [
  {"eleType": "text", "left": 0, "top": 0, "widthValue": 176, "text": "标题 {title}"},
  {"eleType": "text", "left": 0, "top": 8, "widthValue": 176, "text": "失败的条件", "displayFormula": "amount * 9999999999999999 * 9999999999999999 > 1"},
  {"eleType": "text", "left": 0, "top": 16, "widthValue": 176, "text": "除以零", "displayFormula": "1 / (amount - amount) > 0"},
  {"eleType": "column", "left": 0, "top": 24, "widthValue": 176, "propertyCode": "note"},
  {"eleType": "text", "left": 0, "top": 32, "widthValue": 30, "text": "本期 {amount}"},
  {"eleType": "text", "left": 40, "top": 32, "widthValue": 8, "text": "{amount}"},
  {"eleType": "column", "left": 60, "top": 32, "widthValue": 60, "propertyCode": "verdict", "allOptions": true},
  {"eleType": "picture", "left": 0, "top": 40, "widthValue": 176, "heightValue": 40, "propertyCode": "photos"},
  {"eleType": "sheet", "left": 0, "top": 80, "widthValue": 176, "heightValue": 15, "propertyCode": "rows", "rowOrdinal": true, "carried": true,
   "columns": [{"propertyCode": "name", "widthValue": 120}, {"propertyCode": "amount", "sumType": "sum"}]},
  {"eleType": "sheet", "left": 0, "top": 100, "widthValue": 176, "heightValue": 15, "propertyCode": "rows", "condition": "row.amount * 9999999999999999 * 9999999999999999 > 1", "columns": ["name"]}]}]}`,
	"prints/empty.json": `{"schemaCode": "odd", "name": "空", "name_i18n": {"en": "Empty"}, "pages": [{"elements": []}]}`,
}

// oddWorld is a server on them.
type oddWorld struct{ *world }

func (w oddWorld) save(t *testing.T, data anything) string {
	t.Helper()
	body, err := json.Marshal(anything{"schemaCode": "odd", "data": data})
	require.NoError(t, err)
	var saved struct {
		ID string `json:"id"`
	}
	w.post(t, administrator, "/api/runtime/form/save", string(body)).into(t, &saved)
	return saved.ID
}

func (w oddWorld) ask(t *testing.T, actor, path, template string, more anything, ids ...string) reply {
	t.Helper()
	in := anything{"schemaCode": "odd", "queryCode": "odd", "objectIds": ids, "code": template}
	for k, v := range more {
		in[k] = v
	}
	body, err := json.Marshal(in)
	require.NoError(t, err)
	return w.send(t, call{method: http.MethodPost, path: "/api/runtime/print/" + path, body: string(body), actor: actor, headers: map[string]string{"Origin": "http://example.com"}})
}

// words are the texts on the paper of records, in order.
func (w oddWorld) words(t *testing.T, ids ...string) (string, printing.Preview) {
	t.Helper()
	var out printing.Preview
	w.ask(t, administrator, "pages", "all", nil, ids...).into(t, &out)
	var texts []string
	for _, p := range out.Pages {
		for _, m := range p.Marks {
			if m.Type == "text" {
				texts = append(texts, m.Text)
			}
		}
	}
	return strings.Join(texts, " "), out
}

// TestBadPaper: whatever is in records, templates and requests, there is paper of what can be printed, or a sentence.
func TestBadPaper(t *testing.T) {
	dir := t.TempDir()
	for name, text := range odd {
		file := filepath.Join(dir, "odd", name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	}
	data := filepath.Join(dir, "data")
	require.NoError(t, os.Mkdir(data, 0o700))
	made, err := openWorld(data, filepath.Join(dir, "odd"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, made.app.Close()) })
	require.NoError(t, made.addAdministrator(t.Context()))
	w := oddWorld{made}

	t.Run("formulas that fail", func(t *testing.T) {
		id := w.save(t, anything{"title": "一", "amount": "5", "rows": []anything{{"name": "行一", "amount": "7"}}})
		text, _ := w.words(t, id)
		require.Contains(t, text, "标题 一")
		require.NotContains(t, text, "除以零")
		require.Equal(t, 1, strings.Count(text, "行一"), "rows whose condition fails are no rows")
	})

	t.Run("pictures", func(t *testing.T) {
		const field = "?schemaCode=odd&propertyCode=photos"
		good := w.upload(t, administrator, field, "good.png", smallPNG(t))
		broken := w.upload(t, administrator, field, "broken.png", append(smallPNG(t)[:40], []byte("this is no picture any more")...))
		gone := w.upload(t, administrator, field, "gone.png", smallPNG(t))
		lost := w.upload(t, administrator, field, "lost.png", smallPNG(t))
		person, _ := w.app.People().PersonByName(t.Context(), administrator)
		huge, err := w.app.Files().Put(t.Context(), blob.Upload{Name: "huge.png", By: person.ID, Most: 200 << 20,
			Bytes: io.MultiReader(bytes.NewReader(smallPNG(t)), io.LimitReader(zeros{}, 100<<20))})
		require.NoError(t, err)
		id := w.save(t, anything{"title": "五张照片", "photos": []anything{{"refId": good.RefID}, {"refId": broken.RefID}, {"refId": gone.RefID}, {"refId": huge.ID}, {"refId": lost.RefID}}})
		require.NoError(t, w.app.Store().Write(t.Context(), func(_ context.Context, tx *store.Tx) error {
			return tx.System().Exec("DELETE FROM "+catalog.FilesTable+" WHERE id = ?", lost.RefID).Error
		}))
		require.NoError(t, filepath.WalkDir(data, func(path string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.Contains(path, gone.RefID) {
				return os.Remove(path)
			}
			return err
		}))
		text, out := w.words(t, id)
		require.Contains(t, text, "标题 五张照片")
		for _, name := range []string{"broken.png", "gone.png", "huge.png"} {
			require.Contains(t, bare(text), "图片无法显示："+name)
		}
		require.Contains(t, bare(text), "图片无法显示：文件不存在", "one that the system knows no more")
		require.NotContains(t, text, "good.png")
		images := 0
		for _, m := range out.Pages[0].Marks {
			if m.Type == "image" {
				images++
			}
		}
		require.Equal(t, 1, images)
		require.Equal(t, http.StatusOK, w.ask(t, administrator, "pdf", "all", nil, id).Code)
	})

	t.Run("a text of ten thousand characters", func(t *testing.T) {
		note := strings.Repeat("混凝土浇筑连续进行，", 1000)
		text, out := w.words(t, w.save(t, anything{"title": "长", "note": note}))
		require.Contains(t, bare(text), note)
		require.Greater(t, len(out.Pages), 5)
	})

	t.Run("five thousand rows", func(t *testing.T) {
		var rows []anything
		for i := range 5000 {
			rows = append(rows, anything{"name": fmt.Sprintf("第%d行", i+1), "amount": "0.01"})
		}
		text, out := w.words(t, w.save(t, anything{"title": "多", "rows": rows}))
		require.Equal(t, 5000, strings.Count(text, "行 0.01"))
		require.Contains(t, text, "合计 50.00")
		require.Equal(t, len(out.Pages)-1, strings.Count(text, "过次页"))
	})

	t.Run("characters without a glyph", func(t *testing.T) {
		id := w.save(t, anything{"title": "𠮷㙍👷‍♀️ שלום abc مرحبا"})
		text, out := w.words(t, id)
		require.Contains(t, text, "标题 𠮷㙍👷♀ שלום abc مرحبا", "a sign each, in the order in which they are stored, and found by who searches")
		require.Equal(t, "\u05d5\u05dc\u05dd\u05e9\u0627\u0628\u062d\u0631\u0645👷𠮷", out.Missing)
		got := w.ask(t, administrator, "pdf", "all", nil, id)
		require.Equal(t, "U+05D5,U+05DC,U+05DD,U+05E9,U+0627,U+0628,U+062D,U+0631,U+0645,U+1F477,U+20BB7", got.Header().Get("X-Print-Missing"))
	})

	t.Run("all options of a choice", func(t *testing.T) {
		text, out := w.words(t, w.save(t, anything{"title": "选", "verdict": "bad"}))
		require.Contains(t, text, "☐ 合格  ☑ 不合格")
		require.Empty(t, out.Missing)
		text, _ = w.words(t, w.save(t, anything{"title": "未选"}))
		require.Contains(t, text, "☐ 合格  ☐ 不合格", "to be ticked by hand")
	})

	t.Run("a figure without room", func(t *testing.T) {
		id := w.save(t, anything{"title": "窄", "amount": "12345678901234.56"})
		text, out := w.words(t, id)
		require.Contains(t, text, "本期 12345678901234.56 元", "the letters get smaller")
		require.Contains(t, text, "###")
		require.Equal(t, []string{"12345678901234.56 元"}, out.TooWide)
		got := w.ask(t, administrator, "pdf", "all", nil, id)
		require.Equal(t, "12345678901234.56%20%E5%85%83", got.Header().Get("X-Print-Too-Wide"))
	})

	t.Run("unknown fields and templates", func(t *testing.T) {
		id := w.save(t, anything{"title": "标"})
		var out printing.Preview
		w.ask(t, administrator, "pages", "", anything{"labels": anything{"textData": []anything{{"code": "title"}, {"code": "nothing"}}}}, id).into(t, &out)
		require.Len(t, out.Pages, 1, "a property that is not there is an empty line")
		empty := w.ask(t, administrator, "pdf", "empty", nil, id)
		require.Equal(t, fault.PrintTemplateEmpty, empty.Errcode)
		require.Equal(t, "打印模板内容为空！", empty.Errmsg)
		require.Equal(t, fault.PrintTemplateNotFound, w.ask(t, administrator, "pdf", "unpublished", nil, id).Errcode)
		require.Equal(t, fault.PrintLabelSmall, w.ask(t, administrator, "pdf", "", anything{"labels": anything{"width": 8}}, id).Errcode)
	})

	t.Run("records that may not be seen", func(t *testing.T) {
		_, err := w.app.AddUser(t.Context(), "guest", "来宾", []string{"openOnly"})
		require.NoError(t, err)
		open, hidden := w.save(t, anything{"title": "公开", "secret": false}), w.save(t, anything{"title": "不公开", "secret": true})
		var out printing.Preview
		w.ask(t, "guest", "pages", "all", nil, hidden, open).into(t, &out)
		require.Equal(t, []string{open}, out.Records)
		require.Equal(t, 1, out.Skipped)
		require.Equal(t, fault.PrintNothing, w.ask(t, "guest", "pages", "all", nil, hidden).Errcode)
	})
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }
