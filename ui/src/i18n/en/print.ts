/** The preview of records on paper. */
export const print = {
  title: 'Print preview',
  template: 'Print template',
  records: '{count, number} records',
  records_one: '{count, number} record',
  page: 'Page {n} of {total}',
  place: '{n} / {total}',
  zoom: 'Zoom',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  fit: 'Fit width',
  download: 'Download PDF',
  print: 'Print',
  more: 'More actions',
  loading: 'Laying out pages…',
  failed: "The print preview can't be shown",
  nothing: 'No records to print',
  nothingText: 'Select records in a list, or open a record, then choose Print.',
  otherTemplate: 'Use the default template',
  external: 'This template is laid out by an external print program',
  externalText: '“{name}” is not laid out here. You can send the data of the selected records to that program.',
  hand: 'Send to the print program',
  skipped:
    "{count, number} of {total, number} records are not printed: you don't have permission, they no longer exist, or the template doesn't apply to them.",
  skipped_one:
    "{count, number} of {total, number} records is not printed: you don't have permission, it no longer exists, or the template doesn't apply to it.",
}
