// Package store keeps records in tables: it opens the database, runs transactions, turns query plans into SQL, writes rows
// and brings the tables to what the definitions ask for. It is the only package that speaks SQL for models; gorm, pgx and
// the SQLite driver are its matter alone.
//
// It knows kinds of values (plan.Kind), never property types, and no rights: a plan arrives with the rights inside.
//
// What differs between databases is in dialect_*.go and decimal_sqlite.go, and nowhere else. Both behave alike: a failed
// statement fails its transaction (Tx.Try makes an island), a refused duplicate is a *Duplicate and a refused reference a
// *Referenced, and a write that commits bumps the versions of the tables it touched on every node.
package store
