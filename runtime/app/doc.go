// Package app builds the running system from its configuration and packs: it loads and compiles documents, brings the
// database to the catalog's storage, starts the services and swaps the catalog as a whole when documents change
// (docs/architecture.md). It wires and holds no rules of its own.
package app
