// Package bulk changes many records of a list at once: a value of one field (batch update) and its undo, the owner, and
// deletion. It is above runtime/query, which says which records are meant and what may be done to each, and
// runtime/record, through which every single record is written as if its form had been saved.
//
// Records that a request names by id are worked on in the request. All that a filter matches are worked on by one job of
// runtime/job, in chunks in the order of ids: a chunk's changes, its results, the log and the place that was reached are one
// transaction, so after any crash each record was changed once. Rights and definitions are those of the moment of the chunk.
package bulk
