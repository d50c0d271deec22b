package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/google/uuid"
	_ "github.com/jackc/pgx/v5/stdlib" // registers "pgx"
)

// floor is what no engine can be faster than: the same page by hand-written SQL on the same tables through the same driver,
// a session from a map, names from memory, appended JSON, and nothing else. Numbers are sent as they are stored.
type floor struct {
	figures map[string]*sql.Stmt // of reports
	db      *sql.DB
	session map[string]string // token -> user
	names   map[string]string
	page    [3]*sql.Stmt // from the start, behind a row, by number
	count   *sql.Stmt
	search  [2]*sql.Stmt // the page and its total, by scanning
	mu      sync.Mutex
	totals  map[string]int
	writing sync.Mutex
	bytes   bool // ids are stored as 16 bytes, not as uuids
}

// floorRequest is the body of its only two calls.
type floorRequest struct {
	From   string `json:"from"`
	To     string `json:"to"`
	Word   string `json:"word"`
	Exact  bool   `json:"exact"`
	Offset int    `json:"offset"`
	Date   string `json:"date"` // with ID: behind this row
	ID     string `json:"id"`
}

var floorColumns = []string{"id", "lotNo", "part", "result", "qbs", "contract", "site", "unit", "inspector", "checkDate", "startTime", "pouredAt", "quantity",
	"price", "amount", "temperature", "hidden", "weather", "passRate", "creator", "createdTime", "modifiedTime", "sequenceStatus", "version"}

// named are the places of the columns whose names are in memory.
var named = map[int]bool{4: true, 5: true, 6: true, 7: true, 8: true, 19: true}

func openFloor(ctx context.Context, p place) (*floor, error) {
	driver, source := "pgx", p.url
	if p.url == "" {
		driver, source = "sqlite", "file:"+filepath.Join(p.dir, "sluice.db")+"?_pragma=busy_timeout(5000)&_pragma=cache_size(-8000)&_pragma=synchronous(FULL)&_txlock=immediate"
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(4)
	db.SetMaxIdleConns(4)
	f := &floor{db: db, session: map[string]string{p.reader: readerName}, names: map[string]string{}, totals: map[string]int{}, bytes: driver == "sqlite"}
	for _, t := range []string{"d_qbs", "d_contract", "d_site", "d_user", "d_department"} {
		if err := f.remember(ctx, t); err != nil {
			return nil, err
		}
	}
	return f, errors.Join(f.prepare(ctx, driver), f.prepareSums(ctx, driver))
}

func (f *floor) remember(ctx context.Context, table string) error {
	rows, err := f.db.QueryContext(ctx, `SELECT "id", "name" FROM `+table)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id string
		var name sql.NullString
		if err := rows.Scan(&id, &name); err != nil {
			return err
		}
		f.names[id] = name.String
	}
	return rows.Err()
}

func (f *floor) prepare(ctx context.Context, driver string) error {
	all := `SELECT "` + strings.Join(floorColumns, `", "`) + `" FROM d_inspection WHERE `
	columns := all + `"result" = 'OK'`
	const within = ` AND "checkDate" >= $1 AND "checkDate" <= $2`
	order := ` ORDER BY "checkDate" DESC, "id" DESC LIMIT 21`
	if driver == "pgx" { // as its indexes are
		order = strings.ReplaceAll(order, "DESC", "DESC NULLS LAST")
	}
	for to, text := range map[**sql.Stmt]string{
		&f.page[0]:   columns + within + order,
		&f.page[1]:   columns + within + ` AND ("checkDate", "id") < ($3, $4)` + order,
		&f.page[2]:   all + `"id" IN (SELECT "id" FROM d_inspection WHERE "result" = 'OK'` + within + order + ` OFFSET $3)` + order,
		&f.count:     `SELECT count(*) FROM d_inspection WHERE "result" = 'OK'` + within,
		&f.search[0]: columns + ` AND "part" LIKE $1` + order,
		&f.search[1]: `SELECT count(*) FROM d_inspection WHERE "result" = 'OK' AND "part" LIKE $1`,
	} {
		stmt, err := f.db.PrepareContext(ctx, text)
		if err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
		*to = stmt
	}
	return nil
}

func (f *floor) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+sumsPath, func(w http.ResponseWriter, r *http.Request) {
		if f.session[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")] == "" {
			http.Error(w, "no session", http.StatusUnauthorized)
			return
		}
		var in sumsRequest
		err := json.NewDecoder(r.Body).Decode(&in)
		var out []byte
		if err == nil {
			out, err = f.sums(r.Context(), in)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		_, _ = w.Write(out)
	})
	for path, h := range map[string]func(context.Context, floorRequest) ([]byte, error){"/list": f.list, "/insert": f.add} {
		mux.HandleFunc("POST "+path, func(w http.ResponseWriter, r *http.Request) {
			if f.session[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")] == "" {
				http.Error(w, "no session", http.StatusUnauthorized)
				return
			}
			var in floorRequest
			err := json.NewDecoder(r.Body).Decode(&in)
			var out []byte
			if err == nil {
				out, err = h(r.Context(), in)
			}
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(out)
		})
	}
	return mux
}

func (f *floor) list(ctx context.Context, in floorRequest) ([]byte, error) {
	stmt, count, args := f.page[0], f.count, []any{in.From, in.To}
	switch {
	case in.Word != "":
		stmt, count, args = f.search[0], f.search[1], []any{"%" + in.Word + "%"}
	case in.ID != "":
		stmt, args = f.page[1], append(args, in.Date, f.stored(in.ID))
	case in.Offset > 0:
		stmt, args = f.page[2], append(args, in.Offset)
	}
	rows, err := stmt.QueryContext(ctx, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	values := make([]sql.NullString, len(floorColumns))
	to := make([]any, len(values))
	for i := range values {
		to[i] = &values[i]
	}
	out := append(make([]byte, 0, 16<<10), `{"data":{"content":[`...)
	for n := 0; rows.Next() && n < 20; n++ {
		if err := rows.Scan(to...); err != nil {
			return nil, err
		}
		if n > 0 {
			out = append(out, ',')
		}
		out = f.row(out, values)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil { // before the total: each takes a connection
		return nil, err
	}
	total, err := f.total(ctx, in, count, args)
	out = strconv.AppendInt(append(out, `],"totalElements":`...), int64(total), 10)
	return append(out, "}}"...), err
}

func (f *floor) row(out []byte, values []sql.NullString) []byte {
	for i, v := range values {
		if i == 0 {
			out = append(out, '{')
		} else {
			out = append(out, ',')
		}
		out = append(append(append(out, '"'), floorColumns[i]...), `":`...)
		switch {
		case !v.Valid:
			out = append(out, "null"...)
		case named[i]:
			out = quoted(append(out, `{"id":`...), written(v.String))
			out = append(quoted(append(out, `,"name":`...), f.names[v.String]), '}')
		case i == 0:
			out = quoted(out, written(v.String))
		default:
			out = quoted(out, v.String)
		}
	}
	return append(out, '}')
}

// stored is an id as the tables hold it, written the other way round.
func (f *floor) stored(id string) any {
	if u, err := uuid.Parse(id); err == nil && f.bytes {
		return u[:]
	}
	return id
}

func written(id string) string {
	if u, err := uuid.FromBytes([]byte(id)); err == nil {
		return u.String()
	}
	return id
}

// quoted appends a JSON text.
func quoted(out []byte, s string) []byte {
	out = append(out, '"')
	for i := range len(s) {
		if b := s[i]; b < ' ' || b == '"' || b == '\\' {
			out = append(out, `\u00`...)
			out = append(out, "0123456789abcdef"[b>>4], "0123456789abcdef"[b&15])
			continue
		}
		out = append(out, s[i])
	}
	return append(out, '"')
}

func (f *floor) total(ctx context.Context, in floorRequest, count *sql.Stmt, args []any) (int, error) {
	key := in.Word + "|" + in.From + "|" + in.To
	f.mu.Lock()
	n, ok := f.totals[key]
	f.mu.Unlock()
	if ok && !in.Exact {
		return n, nil
	}
	if err := count.QueryRowContext(ctx, args[:min(len(args), 2)]...).Scan(&n); err != nil {
		return 0, err
	}
	f.mu.Lock()
	f.totals[key] = n
	f.mu.Unlock()
	return n, nil
}

// add inserts the bare row and its one sub-table row in a transaction of its own.
func (f *floor) add(ctx context.Context, in floorRequest) ([]byte, error) {
	if f.bytes { // SQLite has one writer
		f.writing.Lock()
		defer f.writing.Unlock()
	}
	tx, err := f.db.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback() }()
	id := uuid.Must(uuid.NewV7()).String()
	_, err = tx.ExecContext(ctx, `INSERT INTO d_inspection ("id", "lotNo", "part", "result", "checkDate", "hidden", "name", "creator", "createdTime",
		"modifier", "modifiedTime", "sequenceStatus", "version") VALUES ($1, $2, $3, 'OK', $4, FALSE, $2, $5, $6, $5, $6, 'COMPLETED', 1)`,
		f.stored(id), in.Word, in.Word, in.Date, f.stored(in.ID), "2026-11-21 00:00:00")
	if err != nil {
		return nil, err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO d_inspection__items ("id", "parentId", "sortKey", "item", "ok") VALUES ($1, $2, 1, 'x', TRUE)`,
		f.stored(uuid.Must(uuid.NewV7()).String()), f.stored(id))
	if err != nil {
		return nil, err
	}
	return quoted(nil, id), tx.Commit()
}
