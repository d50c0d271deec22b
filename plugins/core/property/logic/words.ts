import { plainText } from '@sluice/sdk'

const yes = new Set(['是', '对', '真', '有', '√', '✓', '✔', '☑', 'y', 'yes', 'true', 't', 'on', '1'])
const no = new Set(['否', '错', '假', '无', '×', '✗', '✘', '☐', 'x', 'n', 'no', 'false', 'f', 'off', '0'])

/** What a text says; undefined where it says neither. */
export function parseText(text: string): boolean | undefined {
  const word = plainText(text)
  if (yes.has(word)) return true
  return no.has(word) ? false : undefined
}
