// Package importer takes records from spreadsheets. A file is uploaded, its head is matched with the properties of a model, and a job reads
// it row by row: cells become values, texts become people, departments and records, and each record is written by runtime/record as its
// form would write it, with the rights that the person has at that moment. A dry run does the same and takes every chunk back.
//
// A chunk of records, what became of them and the row that was reached are one transaction: after a crash the job goes on behind the last
// chunk that was committed, and no row is written twice. Rows that were refused are kept with the reason of each cell, to be corrected in
// the browser and imported again, or downloaded as a file. What an import has written is noted by record and row, so that the whole import
// can be undone while nobody has changed the records since (docs/adr/0044-imports.md).
package importer
