package app_test

import (
	"bytes"
	"database/sql"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/runtime/app"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// shapes are statements that list columns, keys and indexes of the engine's tables, a line each.
var shapes = map[string]string{
	"sqlite": `SELECT m.name || '.' || p.name || ' ' || p.type || ' ' || p."notnull" || ' ' || ifnull(p.dflt_value, '-') || ' ' || p.pk
			FROM sqlite_schema m JOIN pragma_table_info(m.name) p WHERE m.type = 'table' AND m.name LIKE 'sl\_%' ESCAPE '\'
		UNION ALL SELECT replace(replace(sql, '" (', '"('), '", "', '","') FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY 1`,
	"postgres": `SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || coalesce(character_maximum_length::text, '') || coalesce(collation_name, '') || ' ' ||
			is_nullable || ' ' || coalesce(column_default, '-') FROM information_schema.columns WHERE table_schema = 'public'
		UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`,
}

// oldTimers is a table that was once made with a key of its own, which no version changed.
var oldTimers = map[string]string{
	"sqlite": `DROP TABLE sl_wf_timer; CREATE TABLE "sl_wf_timer" ("id" INTEGER PRIMARY KEY AUTOINCREMENT,"instance" TEXT NOT NULL,"subject" INTEGER NOT NULL,"kind" TEXT NOT NULL,
		"step" INTEGER NOT NULL,"due" DATETIME NOT NULL,"done" INTEGER NOT NULL,"fired" DATETIME,"rest" INTEGER); CREATE INDEX "sl_wf_timer_open" ON "sl_wf_timer"("due")`,
	"postgres": `ALTER TABLE sl_wf_timer DROP CONSTRAINT sl_wf_timer_pkey; ALTER TABLE sl_wf_timer ADD COLUMN id bigserial PRIMARY KEY`,
}

// since are the columns and indexes that versions after the first have added.
var since = map[string][]string{
	"sqlite": {"sl_job.lane TEXT 0 '' 0", `CREATE INDEX "sl_job_turn" ON "sl_job"("lane","state","owner","run_at")`,
		"sl_guess.account TEXT 0 - 0", `CREATE INDEX "idx_sl_guess_account" ON "sl_guess"("account")`,
		"sl_job.epoch INTEGER 0 - 0", "sl_wf_instance.sealed INTEGER 1 false 0", "sl_wf_template.seals INTEGER 1 false 0", "sl_batch.epoch INTEGER 1 0 0", "sl_draft.epoch INTEGER 1 0 0", "sl_export.too_wide TEXT 1 '' 0", "sl_export_choice.epoch INTEGER 1 0 0", "sl_history.epoch INTEGER 1 0 0", "sl_name.at INTEGER 1 - 0", "sl_name.epoch INTEGER 0 - 1", "sl_name.kind TEXT 0 - 2", "sl_name.new TEXT 1 - 0", "sl_name.old TEXT 0 - 4", "sl_name.owner TEXT 0 - 3", "sl_name_set.digest TEXT 1 - 0", "sl_name_set.id INTEGER 0 - 1", "sl_name_set.names TEXT 1 - 0", "sl_print.epoch INTEGER 1 0 0", "sl_print.told DATETIME 0 - 0", "sl_recycle.epoch INTEGER 1 0 0", "sl_saved_filter.epoch INTEGER 1 0 0", "sl_wf_event.epoch INTEGER 1 0 0", "sl_wf_instance.epoch INTEGER 1 0 0", "sl_wf_template.epoch INTEGER 1 0 0",
		"sl_import.encoding TEXT 1 '' 0", "sl_import.sheets TEXT 1 '' 0", "sl_import.counts TEXT 1 '' 0", "sl_import.removed INTEGER 1 0 0", "sl_import.replace INTEGER 1 false 0", "sl_import.rounded INTEGER 1 0 0",
		"sl_import.assigned TEXT 1 '' 0", "sl_import.epoch INTEGER 1 0 0", "sl_import_choice.columns TEXT 1 - 0", "sl_import_choice.epoch INTEGER 1 0 0", "sl_import_choice.list TEXT 0 - 2",
		"sl_import_choice.owner TEXT 0 - 1", "sl_import_choice.updated_at DATETIME 0 - 0",
		"sl_design_lock.code TEXT 0 - 2", "sl_design_lock.kind TEXT 0 - 1", "sl_design_lock.owner TEXT 1 - 0", "sl_design_lock.until DATETIME 1 - 0",
		"sl_wf_finding.found DATETIME 1 - 0", "sl_wf_finding.instance TEXT 0 - 1", "sl_wf_finding.kind TEXT 0 - 2", "sl_wf_finding.subject INTEGER 0 - 3"},
	"postgres": {"sl_job.lane character varying 12 YES ''::character varying", "CREATE INDEX sl_job_turn ON public.sl_job USING btree (lane, state, owner, run_at)",
		"sl_guess.account character varying 64 YES -", "CREATE INDEX idx_sl_guess_account ON public.sl_guess USING btree (account)",
		"CREATE UNIQUE INDEX sl_name_pkey ON public.sl_name USING btree (epoch, kind, owner, old)", "CREATE UNIQUE INDEX sl_name_set_pkey ON public.sl_name_set USING btree (id)", "sl_job.epoch bigint  YES -", "sl_wf_instance.sealed boolean  NO false", "sl_wf_template.seals boolean  NO false", "sl_batch.epoch bigint  NO 0", "sl_draft.epoch bigint  NO 0", "sl_export.too_wide text  NO ''::text", "sl_export_choice.epoch bigint  NO 0", "sl_history.epoch bigint  NO 0", "sl_name.at bigint  NO -", "sl_name.epoch bigint  NO -", "sl_name.kind character varying 40 NO -", "sl_name.new character varying 200 NO -", "sl_name.old character varying 200 NO -", "sl_name.owner character varying 200 NO -", "sl_name_set.digest character varying 64 NO -", "sl_name_set.id bigint  NO -", "sl_name_set.names text  NO -", "sl_print.epoch bigint  NO 0", "sl_print.told timestamp with time zone  YES -", "sl_recycle.epoch bigint  NO 0", "sl_saved_filter.epoch bigint  NO 0", "sl_wf_event.epoch bigint  NO 0", "sl_wf_instance.epoch bigint  NO 0", "sl_wf_template.epoch bigint  NO 0",
		"sl_import.encoding text  NO ''::text", "sl_import.sheets text  NO ''::text", "sl_import.counts text  NO ''::text", "sl_import.removed bigint  NO 0", "sl_import.replace boolean  NO false", "sl_import.rounded bigint  NO 0",
		"sl_import.assigned text  NO ''::text", "sl_import.epoch bigint  NO 0", "CREATE UNIQUE INDEX sl_import_choice_pkey ON public.sl_import_choice USING btree (owner, list)", "sl_import_choice.columns text  NO -",
		"sl_import_choice.epoch bigint  NO 0", "sl_import_choice.list character varying 63 NO -", "sl_import_choice.owner character varying 36 NO -", "sl_import_choice.updated_at timestamp with time zone  YES -",
		"CREATE UNIQUE INDEX sl_design_lock_pkey ON public.sl_design_lock USING btree (kind, code)", "sl_design_lock.code character varying 63 NO -", "sl_design_lock.kind character varying 40 NO -",
		"sl_design_lock.owner character varying 36 NO -", "sl_design_lock.until timestamp with time zone  NO -",
		"CREATE UNIQUE INDEX sl_wf_finding_pkey ON public.sl_wf_finding USING btree (instance, kind, subject)", "sl_wf_finding.found timestamp with time zone  NO -", "sl_wf_finding.instance character varying 36 NO -", "sl_wf_finding.kind character varying 12 NO -", "sl_wf_finding.subject bigint  NO -"},
}

// gone are tables that later versions drop once they serve (design.Retire).
const gone = "sl_edit_lock"

func withSince(shape []string, kind string) []string {
	out := append(slices.Clone(shape), since[kind]...)
	slices.Sort(out)
	return out
}

// raw opens a database beside the product.
func raw(t *testing.T, url, dir string) (db *sql.DB, kind string) {
	t.Helper()
	kind, driver, name := "sqlite", "sqlite", filepath.Join(dir, "sluice.db")
	if url != "" {
		kind, driver, name = "postgres", "pgx", storetest.One(url)
	}
	db, err := sql.Open(driver, name)
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return db, kind
}

func shapeOf(t *testing.T, url, dir string) (out []string) {
	t.Helper()
	db, kind := raw(t, url, dir)
	rows, err := db.QueryContext(t.Context(), shapes[kind])
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		line := ""
		require.NoError(t, rows.Scan(&line))
		out = append(out, line)
	}
	require.NoError(t, rows.Err())
	return out
}

// TestTablesOfEarlierVersions: tables of the engine that gorm's migrations made are taken as they are, with what they hold, and a new
// database has the same.
func TestTablesOfEarlierVersions(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		db, kind := raw(t, o.URL, o.Dir)
		ddl, err := os.ReadFile("testdata/automigrate_" + kind + ".sql")
		require.NoError(t, err)
		_, err = db.ExecContext(t.Context(), string(ddl))
		require.NoError(t, err)
		_, err = db.ExecContext(t.Context(), `INSERT INTO sl_session (id, user_id, label) VALUES ('s', 'u', '令牌')`)
		require.NoError(t, err)
		wanted := shapeOf(t, o.URL, o.Dir)
		_, err = db.ExecContext(t.Context(), oldTimers[kind])
		require.NoError(t, err)
		before := shapeOf(t, o.URL, o.Dir)

		var log bytes.Buffer
		open := func(hold bool) *store.DB {
			s, err := app.OpenStore(t.Context(), app.Config{URL: o.URL, Dir: o.Dir, Hold: hold, Log: slog.New(slog.NewTextHandler(&log, nil))})
			require.NoError(t, err)
			return s
		}
		s := open(true)
		p, err := s.Plan(t.Context(), plan.Storage{}, store.PlanOptions{})
		require.NoError(t, err)
		for _, step := range p.Steps {
			require.Equal(t, store.Safe, step.Class, step.Text.In("en"))
		}
		require.NoError(t, s.Close())
		s = open(false)
		require.NoError(t, s.EnsureIndexes(t.Context())) // which a server does while it serves
		require.NoError(t, s.Close())
		require.Equal(t, len(p.Steps), strings.Count(log.String(), "table of the engine"))
		wanted, before = withSince(wanted, kind), withSince(before, kind)
		wanted = slices.DeleteFunc(wanted, func(line string) bool { return strings.Contains(line, gone) })
		require.Equal(t, before, shapeOf(t, o.URL, o.Dir))
		label := ""
		require.NoError(t, db.QueryRowContext(t.Context(), `SELECT label FROM sl_session WHERE id = 's' AND NOT read_only`).Scan(&label))
		require.Equal(t, "令牌", label)

		fresh := store.Options{Dir: t.TempDir()}
		if o.URL != "" {
			fresh.URL = storetest.Postgres(t)
		}
		s, err = app.OpenStore(t.Context(), app.Config{URL: fresh.URL, Dir: fresh.Dir})
		require.NoError(t, err)
		require.NoError(t, s.Close())
		require.Equal(t, wanted, shapeOf(t, fresh.URL, fresh.Dir))
	})
}
