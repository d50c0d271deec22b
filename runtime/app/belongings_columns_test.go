package app

import (
	"regexp"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"gorm.io/gorm/schema"

	"github.com/sluice-platform/sluice/engine/world"
)

// otherIDs are columns that are as wide as an id, or are called like a person, and name none.
var otherIDs = []string{
	"sl_session.id", "sl_refresh.session_id", "sl_identity.id", "sl_identity.subject", "sl_link.id", "sl_link.record", "sl_history.id",
	"sl_history.record", "sl_recycle.record", "sl_recycle.user_name", "sl_file.id", "sl_file_pause.id", "sl_job.id", "sl_job.subject",
	"sl_job_result.job_id", "sl_job_result.record_id", "sl_batch.id", "sl_batch.user_name", "sl_batch_change.batch",
	"sl_batch_change.record", "sl_import.id", "sl_import.user_name", "sl_import.job_id", "sl_import.file_id", "sl_import_row.import_id",
	"sl_import_row.record", "sl_import_record.import_id", "sl_import_record.record", "sl_export.id", "sl_export.job_id", "sl_export.file",
	"sl_export_choice.id", "sl_print.id", "sl_print_record.print_id", "sl_print_record.record", "sl_saved_filter.id",
	"sl_saved_filter_default.filter_id", "sl_draft.id", "sl_message.id", "sl_message.record", "sl_delivery.id", "sl_delivery.message",
	"sl_comment.id", "sl_comment.record", "sl_comment.reply_to", "sl_comment_file.comment_id", "sl_comment_file.file_id", "sl_audit.id",
	"sl_wf_instance.id", "sl_wf_instance.record", "sl_wf_instance.dept", "sl_wf_instance.parent", "sl_wf_event.instance", "sl_wf_item.id",
	"sl_wf_item.instance", "sl_wf_timer.instance", "sl_wf_delegation.id", "sl_wf_signal.instance", "sl_wf_pool.instance", "sl_wf_finding.instance", "sl_wf_remark.id",
	"sl_wf_remark.instance", "sl_wf_remark.signature", "sl_wf_remark_file.remark", "sl_wf_remark_file.file", "sl_wf_preference.signature",
	"sl_node.id",
}

// personal is what columns with people in them are called.
var personal = regexp.MustCompile(`user|person|people|owner|author|actor|sender|recipient|by$|initiator|deleg|subject|maker|creator|signer`)

// idColumns are the columns of the engine's tables that can hold the id of a person.
func idColumns(t *testing.T, tables []any) (out []string) {
	t.Helper()
	var cache sync.Map
	for _, model := range tables {
		s, err := schema.Parse(model, &cache, schema.NamingStrategy{})
		require.NoError(t, err)
		for _, f := range s.Fields {
			if f.DBName != "" && f.DataType != schema.Time && f.DataType != schema.Bool && f.DataType != schema.Int && f.DataType != schema.Uint &&
				(f.Size == 36 || personal.MatchString(f.DBName)) {
				out = append(out, s.Table+"."+f.DBName)
			}
		}
	}
	return out
}

// unknown are those that nobody has thought about.
func unknown(of []string, a *App) (out []string) {
	for _, column := range of {
		_, reason := notBelongings[column]
		registered := slices.ContainsFunc(a.Belongings(), func(b Belonging) bool { return slices.Contains(b.Columns, column) })
		if !reason && !registered && !slices.Contains(otherIDs, column) {
			out = append(out, column)
		}
	}
	return out
}

type forgotten struct {
	ID        string `gorm:"primaryKey;size:36"`
	CreatedBy string
}

func (forgotten) TableName() string { return "sl_forgotten" }

// TestEachColumnOfAPersonIsRegistered: what people leave behind is in the register, or has a reason not to be; a new column that can hold a
// person's id fails here until it is in one of them.
func TestEachColumnOfAPersonIsRegistered(t *testing.T) {
	t.Parallel()
	a := &App{}
	columns := idColumns(t, Config{}.store().System)
	require.Empty(t, unknown(columns, a), "add them to Belongings, or with a reason to notBelongings; ids of other things to otherIDs")
	require.Equal(t, []string{"sl_forgotten.id", "sl_forgotten.created_by"}, unknown(idColumns(t, []any{&forgotten{}}), a))

	var named []string // nothing is registered that is not there
	for _, b := range a.Belongings() {
		named = append(named, b.Columns...)
		for fate, can := range map[world.Fate]bool{world.Ends: b.End != nil, world.Moves: b.Give != nil} {
			require.True(t, can || !slices.Contains([]world.Fate{b.Disabled, b.Deleted, b.Handed}, fate), "%s %s", b.Kind, fate)
		}
	}
	for column := range notBelongings {
		named = append(named, column)
	}
	for _, column := range append(named, otherIDs...) {
		require.Contains(t, columns, column)
	}
}
