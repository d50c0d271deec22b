import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { partList, tellings } from './listed'

/** The server's reader has the same lines. */
const lines = readFileSync(join(import.meta.dirname, '../../../../engine/property/testdata/lists.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
const names: string[] = JSON.parse(lines[0] as string)
const of = (mark: string) =>
  lines.flatMap((line) => {
    const [text, parts] = line.split(mark)
    return parts === undefined ? [] : [[JSON.parse(text as string), JSON.parse(parts)] as [string, string[]]]
  })

it.each(of(' => '))('%j is parted', (text, parts) => {
  expect(partList(text, (one) => names.includes(one))).toEqual(parts)
})

it.each(of(' -> '))('%j tells', (text, said) => {
  expect(tellings(text).flatMap(({ name, detail }) => [name, detail])).toEqual(said)
})
