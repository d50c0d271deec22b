// Package compile links and plans: the stages of docs/architecture.md between decoded documents and the catalog. It resolves
// every reference across documents, compiles every property, expression and right, and derives the storage.
//
// It reads no files, knows no property type by name and never stops early: one bad value is reported at its own position
// and left out, and whatever refers to it is silent (it is poisoned), so that no error hides another and none is reported
// twice. The catalog is complete even after errors; callers publish it only when the list has none.
//
// One file a noun: names (codes and references), properties, models, lists, forms, access, apps, dictionaries, packs,
// expressions, storage and indexes.
package compile
