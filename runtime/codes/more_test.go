package codes_test

import (
	"bytes"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/flow"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/app/apptest"
	"github.com/sluice-platform/sluice/runtime/authn"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/comment"
	"github.com/sluice-platform/sluice/runtime/design"
	"github.com/sluice-platform/sluice/runtime/home"
	"github.com/sluice-platform/sluice/runtime/importer"
	"github.com/sluice-platform/sluice/runtime/job"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/workbook"
	"github.com/sluice-platform/sluice/runtime/workflow"
)

// own is a list that the site published over the pack.
const own, ownText = "lists/own.json", `{"schemaCode": "«order»", "name": "自", "name_i18n": {"en": "Own"}, "queryColumns": ["«title»", "«total»"]}`

// more leaves something behind in the tables that work does not reach.
func (s *shop) more() {
	s.Helper()
	ctx := s.Context()
	file, err := s.app.Files().Put(ctx, blob.Upload{Name: "scan.txt", By: s.person, Most: 1000, Bytes: strings.NewReader("a text")})
	require.NoError(s, err)
	s.scan = file.ID
	made := s.save("", 0, map[string]any{"title": "signed", "total": 1, "scan": []string{file.ID}})
	s.number++
	done, err := s.app.Workflows().Start(ctx, s.view(), workflow.Start{Workflow: s.now["approval"], Record: made.ID})
	require.NoError(s, err)
	s.signedBy, s.other, s.instances = done.Instance, apptest.Person(ctx, s.app, "bob"), append(s.instances, done.Instance)
	tasks, err := s.app.Workflows().Items(ctx, s.view(), "unfinished", workflow.Search{Size: 10})
	require.NoError(s, err)
	for _, one := range tasks.Content {
		if one.Instance == done.Instance {
			_, err = s.app.Workflows().Act(ctx, s.view(), workflow.Command{Item: one.ID, Do: flow.OpAgree, Opinion: "as said", Mentions: []string{s.person}})
			require.NoError(s, err)
		}
	}
	_, err = s.app.Comments().Add(ctx, s.view(), comment.Draft{At: query.Ref{SchemaCode: s.now["order"], ID: s.record}, Text: "look", Mentions: []string{s.other}})
	require.NoError(s, err)
	_, err = s.app.Auth().MakeLink(ctx, s.person, authn.LinkOf{Form: s.now["orderForm"], Label: "guests", Life: time.Hour})
	require.NoError(s, err)
	_, err = s.app.Auth().MakeToken(ctx, s.person, authn.TokenOf{Label: "script", Life: time.Hour, Apps: []principal.AppScope{{App: s.now["desk"]}}})
	require.NoError(s, err)
	for k, code := range editedIn {
		_, err = design.TakeLock(ctx, s.app.Store(), k, s.now[code], s.person, true, s.app.Now())
		require.NoError(s, err)
	}
	require.NoError(s, s.app.Home().Visit(ctx, s.view(), home.Place{Kind: home.Page, Place: s.now["desk"], Code: "all"}))
	s.imported()
	s.published()
	_, err = s.app.AddUser(ctx, "root", "Root", []string{"administrator"}) // who gets the tasks of what data files start
	require.NoError(s, err)
	s.rename(nil)
	require.Eventually(s, func() bool { return len(s.column("sl_wf_instance", "code")) == 3 }, 20*time.Second, 10*time.Millisecond)
}

// published lays a list over the pack, and keeps a draft of a print template.
func (s *shop) published() {
	s.Helper()
	ctx := s.Context()
	text := s.spell(ownText)
	_, err := s.app.Publish(ctx, s.admin(), app.Changeset{Files: []app.Change{{Pack: s.pack(), Path: own, Text: &text}}}, app.Confirmation{})
	require.NoError(s, err)
	s.laid = true
	paper, err := s.app.DocumentText(ctx, s.admin(), s.pack(), s.spell("prints/«paper».json"), 0)
	require.NoError(s, err)
	require.NoError(s, s.keepPaper(strings.Replace(*paper.Text, "88", "77", 1), paper.Seen))
}

// editedIn are the documents whose edit lock a person has, by their kinds.
var editedIn = map[def.Kind]string{catalog.KindPortal: "home", catalog.KindWorkflow: "approval", catalog.KindPrint: "paper"}

// keepPaper keeps a draft of a print template.
func (s *shop) keepPaper(text, seen string) error {
	of := design.Name{Kind: catalog.KindPrint, App: s.now["desk"], Code: s.now["paper"]}
	if _, err := s.app.Designs().Lock(s.Context(), s.admin(), of, true); err != nil {
		return err
	}
	_, err := s.app.Designs().Keep(s.Context(), s.admin(), design.Draft{Name: of, Text: text, Seen: seen})
	return err
}

// imported changes a record by its title.
func (s *shop) imported() {
	s.Helper()
	require.Equal(s, job.Done, s.finished(s.importing()).State)
	all, _, err := s.app.Importer().List(s.Context(), s.view(), s.now["order"], 0, 10)
	require.NoError(s, err)
	require.Len(s, all, 1)
	require.EqualValues(s, 1, all[0].Changed, "%+v", all[0])
}

// importing asks for that, of a file whose headings say nothing; it returns the job.
func (s *shop) importing() string {
	s.Helper()
	id, err := s.app.Importer().Start(s.Context(), s.view(), importer.Request{FileName: s.orders(), SchemaCode: s.now["order"], QueryCode: s.now["orders"], QueryField: s.now["title"],
		Language: "en", Mode: importer.Update, HeadRow: 1, Columns: []importer.Assigned{{Column: 0, Code: s.now["title"]}, {Column: 1, Code: s.now["place"]}}}, false)
	require.NoError(s, err)
	is, err := s.app.Importer().Result(s.Context(), s.view(), id)
	require.NoError(s, err)
	return is.JobID
}

// orders uploads a file.
func (s *shop) orders() string {
	s.Helper()
	var book bytes.Buffer
	w := workbook.NewWriter(&book, workbook.Options{})
	w.Sheet(workbook.SheetOptions{Name: "A"})
	for _, row := range [][]string{{"What", "Where"}, {"lock", "west"}} {
		require.NoError(s, w.Row([]workbook.Out{{Cell: property.Cell{Kind: property.CellText, Text: row[0]}}, {Cell: property.Cell{Kind: property.CellText, Text: row[1]}}}, 0))
	}
	require.NoError(s, w.Close())
	up, err := s.app.Importer().Upload(s.Context(), s.view(), "orders.xlsx", &book, nil)
	require.NoError(s, err)
	return up.FileName
}
