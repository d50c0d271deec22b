// Package record is the only way to write a record (docs/architecture.md, A write; SECURITY.md): form, import, batch update, hook,
// API and pack data all pass Writer.Save or Writer.LoadData, each in one transaction of runtime/store.
//
// The order of a write: idempotency key, old row as the principal sees it, rights on it, typed decode, defaults and the
// engine's own fields, before-hooks, computed properties, validation and references, SQL with the version, sub-table rows,
// rights on the merged row, history, outbox, after-hooks. Before-hooks stand in front of computing and validation, not
// behind them, so that every rule also holds for what a hook changed.
//
// Values of a write are kept as columns (the Go forms of plan.Kind by column name), because expressions speak of columns;
// a property's own value is had from them by Property.Load.
package record
