// Package comment keeps what people say about records: comments with mentions of other people, replies and files. Anyone who may
// see a record reads and writes its comments; nothing else gives a right to them. A record that is deleted takes its comments
// out of sight; they are removed when it can no longer come back. Messages to those who are mentioned or replied to go
// through runtime/notify in the same transaction. See docs/adr/0019.
package comment
