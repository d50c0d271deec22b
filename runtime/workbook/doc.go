// Package workbook reads and writes spreadsheets as streams: xlsx and CSV, row by row, with memory that does not grow with the file.
//
// Writing is a zip with appended XML ([NewWriter]) or lines ([NewCSV]); both are a [RowWriter]. Reading ([Open]) checks the zip before
// anything is parsed, refuses what is not a spreadsheet with a [Refusal] that says why, and scans the bytes of the worksheet. What the
// scanner does not know is read by excelize in a process of its own, with limits of memory and time. Templates are small and rich, so
// excelize writes them ([WriteTemplate]).
//
// It knows nothing of models, lists or rights: cells are [property.Cell], which property types read and write.
package workbook
