import { readFileSync } from 'node:fs'

/** How a break is listed: by its line and what becomes of it, without its place. */
export const keyOf = ({ file, lineText, change }) => `${file}: ${lineText}\n${change}`

/** The breaks that change no answer: three lines each (line, break, reason), with an empty one between them. */
export function readEquivalent() {
  const listed = new Map()
  const text = readFileSync(new URL('./equivalent.txt', import.meta.url), 'utf8').trim()
  for (const entry of text === '' ? [] : text.split('\n\n')) {
    const lines = entry.split('\n')
    const key = lines.slice(0, 2).join('\n')
    if (lines.length !== 3 || listed.has(key)) throw new Error(`equivalent.txt: three lines, once:\n${entry}`)
    listed.set(key, lines[2])
  }
  return listed
}
