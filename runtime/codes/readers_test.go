package codes_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/runtime/design"
	"github.com/sluice-platform/sluice/runtime/importer"
	"github.com/sluice-platform/sluice/runtime/notify"
	"github.com/sluice-platform/sluice/runtime/publish"
	"github.com/sluice-platform/sluice/runtime/store"
)

// readBy is who reads what a table of the register holds: keys of holders and of others.
var readBy = map[string]string{
	"sl_sequence": "numbers", "sl_recycle": "recycle bin", "sl_batch": "batches", "sl_batch_change": "batches", "sl_history": "history",
	"sl_meta": "rows of data files", "sl_file": "uploads", "sl_link": "external links", "sl_session": "tokens", "sl_import": "imports", "sl_import_choice": "columns of imports",
	"sl_export": "exports", "sl_export_choice": "columns of exports", "sl_print": "printings", "sl_print_record": "verified paper",
	"sl_portal_arrangement": "arrangements", "sl_design_lock": "edit locks", "sl_saved_filter": "saved filters",
	"sl_saved_filter_default": "saved filters", "sl_draft": "drafts", "sl_message": "messages", "sl_comment": "comments", "sl_visit": "visits",
	"sl_wf_template": "a running workflow", "sl_wf_instance": "a running workflow", "sl_wf_item": "tasks", "sl_wf_remark": "opinions",
	"sl_wf_event": "opinions", "sl_wf_delegation": "delegations", "sl_job": "TestJobsUnderWay", "sl_document": "published documents", "sl_document_draft": "drafts of documents",
}

// others are what people see of what more left behind.
var others = map[string]func(s *shop) any{
	"rows of data files": func(s *shop) any { // neither are they added again, nor started
		var rows, started int64
		require.NoError(s, s.app.Store().Read(s.Context(), func(ctx context.Context, tx *store.Tx) (err error) {
			if rows, err = tx.Number(ctx, "SELECT COUNT(*) FROM "+store.Ident(s.app.State().Catalog.Model(s.now["ware"]).Table)); err != nil {
				return err
			}
			started, err = tx.Number(ctx, "SELECT COUNT(*) FROM sl_wf_instance WHERE code = $1", s.now["stocking"])
			return err
		}))
		return []int64{rows, started}
	},
	"uploads": func(s *shop) any {
		f, err := s.app.Reader().File(s.Context(), s.view(), s.scan)
		require.NoError(s, err)
		return f.Name
	},
	"external links": func(s *shop) any {
		links, err := s.app.Auth().Links(s.Context(), s.now["orderForm"])
		require.NoError(s, err)
		require.Len(s, links, 1)
		return links[0].Form
	},
	"tokens": func(s *shop) any {
		all, err := s.app.Auth().Sessions(s.Context(), s.person)
		require.NoError(s, err)
		require.Len(s, all, 1)
		return all[0].Apps
	},
	"imports": func(s *shop) any {
		all, _, err := s.app.Importer().List(s.Context(), s.view(), s.now["order"], 0, 10)
		require.NoError(s, err)
		require.Len(s, all, 1)
		return []any{all[0].SchemaCode, all[0].QueryCode, all[0].QueryField, all[0].Changed, all[0].Undoable, all[0].Assigned}
	},
	"columns of imports": func(s *shop) any {
		p, err := s.app.Importer().Propose(s.Context(), s.view(), importer.HeadRequest{FileName: s.orders(), SchemaCode: s.now["order"], QueryCode: s.now["orders"]})
		require.NoError(s, err)
		require.True(s, p.Kept)
		return []any{p.Columns[0].Code, p.Columns[1].Code}
	},
	"exports": func(s *shop) any {
		all, _, err := s.app.Exports().Tasks(s.Context(), s.view(), "", 0, 10)
		require.NoError(s, err)
		require.Len(s, all, 1)
		return []any{all[0].Model, all[0].List}
	},
	"verified paper": func(s *shop) any {
		names := s.column("sl_print_record", "code")
		require.Len(s, names, 1)
		name, err := hex.DecodeString(names[0])
		require.NoError(s, err)
		got, err := s.app.Prints().Verify(s.Context(), s.view(), s.view(), base64.RawURLEncoding.EncodeToString(slices.Concat(name, s.signed(name)[:8])))
		require.NoError(s, err)
		require.True(s, got.Visible)
		return []any{got.SchemaCode, got.Differences, got.Gone}
	},
	"edit locks": func(s *shop) any {
		locked := map[def.Kind]bool{}
		for k, code := range editedIn {
			lock, err := design.LockOf(s.Context(), s.app.Store(), k, s.now[code], s.app.Now())
			require.NoError(s, err)
			locked[k] = lock.Owner != ""
		}
		return locked
	},
	"messages": func(s *shop) any {
		page, err := s.app.Messages().Search(s.Context(), s.viewOf(s.other), notify.Search{Type: string(notify.Comment), Size: 10})
		require.NoError(s, err)
		require.NotEmpty(s, page.Content)
		t, err := s.app.Messages().Target(s.Context(), s.viewOf(s.other), page.Content[0].ID)
		require.NoError(s, err)
		return t
	},
	"pages that were visited": func(s *shop) any {
		places, err := s.app.Home().Places(s.Context(), s.view())
		require.NoError(s, err)
		require.Len(s, places.Pages, 1)
		return places.Pages[0].Place
	},
	"opinions": func(s *shop) any {
		track, err := s.app.Workflows().Track(s.Context(), s.view(), s.signedBy)
		require.NoError(s, err)
		require.Equal(s, "COMPLETED", track.Instance.State)
		var out []any
		for _, one := range track.Log {
			out = append(out, one.Node, one.Operation, one.Text, one.Remark != nil)
		}
		return out
	},
	"published documents": func(s *shop) any {
		out, err := s.app.DocumentText(s.Context(), s.admin(), s.pack(), own, 0)
		require.NoError(s, err)
		require.NotNil(s, out.Text)
		return *out.Text
	},
	"drafts of documents": func(s *shop) any {
		all, err := publish.AllDrafts(s.Context(), s.app.Store())
		require.NoError(s, err)
		require.Len(s, all, 1)
		return []any{all[0].Pack, all[0].Path}
	},
}

// seenToo is what people see of everything that work and more left behind.
func (s *shop) seenToo() map[string]string {
	s.Helper()
	out := s.seen()
	for name, read := range others {
		out[name] = s.called(read(s))
	}
	return out
}

// signed is the mark of a code on paper.
func (s *shop) signed(name []byte) []byte {
	h := hmac.New(sha256.New, s.app.Prints().Key)
	h.Write([]byte("mark"))
	sum := sha256.Sum256(name)
	h.Write(sum[:])
	return h.Sum(nil)
}
