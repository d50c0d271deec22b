package printing_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"path"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/layout"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/printing"
)

// token finds the code on a page: it is that whose QR code is drawn. The server never tells it in another way.
func token(w *world, p *printing.Printout) string {
	w.Helper()
	require.Len(w, p.Codes(), len(p.Records))
	t := p.Codes()[0]
	rows, ok := printing.QR(address+"/print/verify?code="+t, "M")
	require.True(w, ok)
	for _, m := range p.Pages[0].Marks {
		if c, is := m.(layout.CodeMark); is {
			require.Equal(w, rows, c.Rows)
			return t
		}
	}
	w.Fatal("no code on the page")
	return ""
}

// A code on paper tells those who see the record when it was printed and what of it has changed, and forged codes are told.
func TestVerify(t *testing.T) {
	each(t, func(w *world) {
		prints := w.app.Prints()
		made := w.save("clerk", "", 0, `{"title": "闸门", "amount": 10, "secret": 7, "lines": [{"what": "a", "count": 1}, {"what": "b", "count": 2}]}`)
		_, err := prints.Print(w.Context(), w.as("clerk"), of("sheet", made.ID), printing.Previewed, "01111111-1111-7111-8111-111111111111")
		require.NoError(w, err)
		paper, err := prints.Print(w.Context(), w.as("clerk"), of("sheet", made.ID), printing.File, "11111111-1111-7111-8111-111111111111")
		require.NoError(w, err)
		code := token(w, paper)
		verify := func(name, code string) *printing.Verified {
			w.Helper()
			got, err := prints.Verify(w.Context(), w.everything(), w.as(name), code)
			require.NoError(w, err)
			return got
		}
		nobody := func(code string) *printing.Verified {
			w.Helper()
			got, err := prints.Verify(w.Context(), w.everything(), nil, code)
			require.NoError(w, err)
			return got
		}
		require.Equal(w, printing.Genuine, nobody(code).Status)
		got := verify("clerk", code)
		require.Equal(w, printing.Genuine, got.Status)
		require.True(w, got.Visible)
		require.Empty(w, got.Differences)
		require.Equal(w, []string{made.ID, "sheet", "闸门", "计量单", "clerk"}, []string{got.ObjectID, got.SchemaCode, got.RecordName, got.Template, got.By})
		require.Equal(w, w.clock, got.Printed)
		require.Equal(w, printing.File, got.How, "and not the look at it in the same second")
		require.Equal(w, got.Then, got.Now)
		require.Equal(w, w.clock, *got.Then, "in the form and zone of the time of the print")
		require.Equal(w, []printing.ShownValue{{Code: "title", Name: "名称", NameI18n: map[string]string{"en": "Title"}, Text: "闸门"}, {Code: "amount", Name: "金额", NameI18n: map[string]string{"en": "Amount"}, Text: "10.00"}}, got.Shown)

		w.clock = w.clock.Add(time.Hour)
		w.save("clerk", made.ID, made.Version, `{"amount": 12.5, "secret": 8, "lines": [{"what": "a", "count": 1}, {"what": "b", "count": 3}, {"what": "c", "count": 4}]}`)
		got = verify("clerk", code)
		var told []string
		for _, d := range got.Differences {
			told = append(told, fmt.Sprint(d.Name, " ", d.Before, " ", d.After, " ", d.OnPaper))
		}
		require.Equal(w, []string{"金额 10.00 12.50 true", "明细   true", "底价 7 8 false"}, told, "first what the paper shows")
		require.Equal(w, printing.Changed, got.Status)
		require.NotEqual(w, got.Then, got.Now)
		// Replaced rows have other ids, so rows are compared by what they hold.
		require.Equal(w, &printing.RowChange{Before: 2, After: 3, Changed: 1, Cells: []printing.Cell{{Row: 2, Code: "count", Name: "数量", NameI18n: map[string]string{"en": "Count"}, OnPaper: true, Before: "2", After: "3"}}}, got.Differences[1].Rows)

		got = verify("reader", code)
		require.True(w, got.Visible, "who sees the record need not be one who prints")
		for _, d := range got.Differences {
			require.NotEqual(w, "amount", d.Code, "a property that is hidden from the one who asks")
		}
		require.Len(w, got.Differences, 2)
		got = verify("own", code)
		require.Nil(w, got.Proof, "somebody else's record")
		require.Equal(w, nobody(code), got)
		require.Equal(w, printing.Changed, got.Status)
		told = nil
		for _, v := range got.Shown {
			told = append(told, v.Text)
		}
		require.Equal(w, []string{"闸门", "10.00"}, told, "what stands on the paper, and nothing of now")

		raw, err := base64.RawURLEncoding.DecodeString(code)
		require.NoError(w, err)
		for i := range raw {
			forged := bytes.Clone(raw)
			forged[i] ^= 1
			require.Equal(w, &printing.Verified{Status: printing.Unknown}, verify("clerk", base64.RawURLEncoding.EncodeToString(forged)), "byte %d", i)
		}
		for _, bad := range []string{"", "x", code + "A", code[:31], " " + code, code + "="} {
			require.Equal(w, &printing.Verified{Status: printing.Unknown}, verify("clerk", bad), bad)
		}
		other, err := prints.Lay(w.Context(), w.as("clerk"), of("sheet", made.ID))
		require.NoError(w, err)
		require.Equal(w, &printing.Verified{Status: printing.Unknown}, verify("clerk", other.Codes()[0]), "made with the key, never noted")

		require.NoError(w, remove(w, made.ID))
		require.Equal(w, printing.Changed, verify("clerk", code).Status, "a record that is gone")
		require.False(w, verify("clerk", code).Visible)
	})
}

// TestUnseenChanges: a change of what the paper does not show leaves it genuine, and is told to those who see it.
func TestUnseenChanges(t *testing.T) {
	each(t, func(w *world) {
		made := w.save("clerk", "", 0, `{"title": "闸门", "amount": 10, "secret": 7}`)
		paper, err := w.app.Prints().Print(w.Context(), w.as("clerk"), of("sheet", made.ID), printing.File, "11111111-1111-7111-8111-111111111111")
		require.NoError(w, err)
		code := token(w, paper)
		w.save("clerk", made.ID, made.Version, `{"secret": 8}`)
		got, err := w.app.Prints().Verify(w.Context(), w.everything(), w.as("clerk"), code)
		require.NoError(w, err)
		require.Equal(w, printing.Genuine, got.Status)
		require.Len(w, got.Differences, 1)
		require.False(w, got.Differences[0].OnPaper)
		_, err = w.app.Prints().Lay(w.Context(), w.as("clerk"), of("sheet", made.ID))
		require.NoError(w, err)
	})
}

func remove(w *world, id string) error {
	_, err := w.app.Writer().Delete(w.Context(), w.as("clerk"), "sheet", []string{id})
	return err
}

// The same paper has the same bytes, its code included; another time or person gives another code.
func TestSamePaper(t *testing.T) {
	each(t, func(w *world) {
		made := w.save("clerk", "", 0, `{"title": "闸门", "lines": [{"what": "a"}]}`)
		file := func(name string, at time.Time) []byte {
			req := of("sheet", made.ID)
			req.Time = at
			out, err := w.app.Prints().Lay(w.Context(), w.as(name), req)
			require.NoError(w, err)
			var b bytes.Buffer
			require.NoError(w, out.WritePDF(&b, "zh", "x"))
			return b.Bytes()
		}
		require.True(w, bytes.Equal(file("clerk", w.clock), file("clerk", w.clock)))
		require.False(w, bytes.Equal(file("clerk", w.clock), file("clerk", w.clock.Add(time.Second))))
	})
}

// Who printed a record, when and how is told to those who see it; looking at it is not printing.
func TestHistory(t *testing.T) {
	each(t, func(w *world) {
		prints, one, two := w.app.Prints(), w.save("clerk", "", 0, `{"title": "a"}`).ID, w.save("clerk", "", 0, `{"title": "b"}`).ID
		id := func(n int) string { return fmt.Sprintf("%08d-1111-7111-8111-111111111111", n) }
		do := func(n int, name string, how printing.How, code string, ids ...string) {
			w.clock = w.clock.Add(time.Minute)
			_, err := prints.Print(w.Context(), w.as(name), of(code, ids...), how, id(n))
			require.NoError(w, err)
		}
		past := func(name, record string) (out []string) {
			all, err := prints.History(w.Context(), w.as(name), "sheet", "", record)
			require.NoError(w, err)
			for _, p := range all {
				out = append(out, fmt.Sprint(p.By, " ", p.How, " ", p.Name, " ", p.At.Minute()))
			}
			return out
		}
		do(1, "clerk", printing.Previewed, "sheet", one)
		do(2, "clerk", printing.Previewed, "plain", one)
		require.Empty(w, past("clerk", one))
		do(3, "clerk", printing.File, "plain", one, two)
		require.NoError(w, prints.Printed(w.Context(), w.as("clerk"), of("sheet", one), id(1)))
		require.NoError(w, prints.Printed(w.Context(), w.as("clerk"), of("sheet", one), id(1)), "told twice")
		require.Equal(w, []string{"clerk file 简单 5", "clerk paper 计量单 3"}, past("clerk", one))
		require.NoError(w, prints.Printed(w.Context(), w.as("clerk"), of("plain", one), id(2)))
		require.Equal(w, []string{"clerk file 简单 5", "clerk paper 简单 5", "clerk paper 计量单 3"}, past("reader", one))
		require.Equal(w, []string{"clerk file 简单 5"}, past("clerk", two))
		spelled, err := prints.History(w.Context(), w.as("clerk"), "SHEET", "", two)
		require.NoError(w, err)
		require.Len(w, spelled, 1, "codes have no case")
		require.Equal(w, fault.PrintTemplateNotFound, fault.Of(prints.Printed(w.Context(), w.as("own"), of("sheet", one), id(1))), "somebody else's printing")
		_, err = prints.History(w.Context(), w.as("own"), "sheet", "", one)
		require.Equal(w, fault.RecordNotFound, fault.Of(err))
		_, err = prints.Print(w.Context(), w.as("reader"), of("plain", one), printing.File, id(9))
		require.Equal(w, fault.Forbidden, fault.Of(err))
	})
}

// TestVerifyRenamed: paper of before a property was renamed is compared with the value that the property has now, and what is kept no more is told.
func TestVerifyRenamed(t *testing.T) {
	each(t, func(w *world) {
		made := w.save("clerk", "", 0, `{"title": "闸门", "amount": 11691, "lines": [{"what": "a", "count": 1}]}`)
		paper, err := w.app.Prints().Print(w.Context(), w.as("clerk"), of("sheet", made.ID), printing.File, "11111111-1111-7111-8111-111111111111")
		require.NoError(w, err)
		code := token(w, paper)
		renamed := strings.NewReplacer(`"code": "amount"`, `"code": "due", "renamedFrom": "amount"`, `"code": "count"`, `"code": "pieces", "renamedFrom": "count"`, "amount", "due", `"count"`, `"pieces"`)
		w.publish(renamed.Replace)
		w.save("clerk", made.ID, made.Version, `{"due": 171, "lines": [{"what": "a", "pieces": 2}]}`)
		verify := func() *printing.Verified {
			got, err := w.app.Prints().Verify(w.Context(), w.everything(), w.as("clerk"), code)
			require.NoError(w, err)
			require.Equal(w, printing.Changed, got.Status)
			return got
		}
		got := verify()
		require.Len(w, got.Differences, 2)
		require.Equal(w, []string{"due", "11691.00", "171.00"}, []string{got.Differences[0].Code, got.Differences[0].Before, got.Differences[0].After})
		require.Equal(w, &printing.RowChange{Before: 1, After: 1, Changed: 1, Cells: []printing.Cell{{Row: 1, Code: "pieces", Name: "数量", NameI18n: map[string]string{"en": "Count"}, OnPaper: true, Before: "1", After: "2"}}}, got.Differences[1].Rows)
		require.Zero(w, got.Gone)

		gone := regexp.MustCompile(`\s*\{"code": "due".*\n|\s*\{"eleType": "column"[^\n]*"due"[^\n]*\n|"due", |, "due"|"due": "-",? ?|"condition": "due >= 3", `)
		w.publish(func(text string) string { return gone.ReplaceAllString(text, "") })
		got = verify()
		require.Len(w, got.Differences, 1)
		require.Equal(w, 1, got.Gone, "the amount")
		past, err := w.app.Prints().History(w.Context(), w.as("clerk"), "sheet", "", made.ID)
		require.NoError(w, err)
		require.Len(w, past, 1)
	})
}

// publish changes all documents of the pack together, whatever that loses.
func (w *world) publish(change func(text string) string) {
	w.Helper()
	author := w.app.State().Policy.View(principal.Principal{UserID: w.ids["clerk"], Roles: []string{"administrator"}, Locale: "en"}, w.clock, w.app.Zone())
	all, err := w.app.DocumentList(w.Context(), author)
	require.NoError(w, err)
	var set app.Changeset
	for _, d := range all {
		if d.Pack != "demo" || path.Ext(d.Path) != ".json" {
			continue
		}
		now, err := w.app.DocumentText(w.Context(), author, d.Pack, d.Path, 0)
		require.NoError(w, err)
		if next := change(*now.Text); next != *now.Text {
			set.Files = append(set.Files, app.Change{Pack: d.Pack, Path: d.Path, Text: &next, Seen: now.Seen})
		}
	}
	look, err := w.app.Look(w.Context(), author, set)
	require.NoError(w, err)
	require.False(w, look.Diagnostics.HasErrors(), "%v", look.Diagnostics)
	_, err = w.app.Publish(w.Context(), author, set, app.Confirmation{Steps: look.Digest, AllowDestructive: true})
	require.NoError(w, err)
}
