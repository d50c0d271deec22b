// Package job runs work beside requests: imports, bulk actions, messages. A job is enqueued in the caller's transaction, so
// it exists exactly when what asked for it does; it keeps its progress in the transactions of its own work, so after any
// crash each unit of that work is done exactly once; and its owner sees how far it is.
//
// The table sl_job is the truth about a job. River, which no other package imports, carries the news that a lane has a job that is due to a
// worker of some node: one river_job row (a carrier) for each time a job shall be taken up. Which job it is, the claim decides. What River does not know, that
// a worker still lives and which of two is the right one, is ours: a running job beats, a job that stops beating is
// taken over, and each take-up has a number (fence) that every transaction of the work checks. See docs/adr/0012.
package job
