/**
 * Cells as spreadsheets put them on the clipboard: lines of tabs, where a cell with tabs, line breaks or quotes is in
 * quotes and doubles those within.
 */
export function parseTsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  let start = true
  const end = () => {
    row.push(cell)
    cell = ''
    start = true
  }
  const plain = text.replace(/\r\n?/g, '\n')
  for (let i = 0; i < plain.length; i++) {
    const char = plain[i] as string
    if (quoted) {
      if (char !== '"') cell += char
      else if (plain[i + 1] === '"') {
        cell += '"'
        i++
      } else quoted = false
      continue
    }
    if (char === '"' && start && closes(plain, i)) {
      quoted = true
      start = false
    } else if (char === '\t') end()
    else if (char === '\n') {
      end()
      rows.push(row)
      row = []
    } else {
      cell += char
      start = false
    }
  }
  if (cell !== '' || row.length > 0 || !start) {
    end()
    rows.push(row)
  }
  return rows
}

/** Whether a quote at the beginning of a cell has its end before a tab, a line break or the end: otherwise it is text. */
function closes(text: string, from: number): boolean {
  for (let i = from + 1; i < text.length; i++) {
    if (text[i] !== '"') continue
    if (text[i + 1] === '"') i++
    else return i + 1 === text.length || text[i + 1] === '\t' || text[i + 1] === '\n'
  }
  return false
}

export const writeTsv = (rows: string[][]): string =>
  rows
    .map((row) => row.map((cell) => (/["\t\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join('\t'))
    .join('\n')
