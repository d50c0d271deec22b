// Package exporter writes what a list shows into files: the fields that a person chooses, of the records that they ticked or of all that
// their filters find, as xlsx or CSV. It is above runtime/query, which reads, runtime/workbook, which writes, and runtime/blob, which keeps
// the files.
//
// An export is a job of runtime/job. It runs with the rights that its owner has then: a field that they can no longer read is not in the
// file, a row neither. When their rights change while it runs, it begins again. A job that is taken up again after a crash begins the file
// again; its task stays. Tasks and files belong to the person who asked for them, and are removed by them or after a time.
package exporter
