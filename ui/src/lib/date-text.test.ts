// @vitest-environment node
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { lines, meaning } from '../../testing/typing/meaning.mjs'
import { type DateKind, isStoredDate, kindOfFormat, readDate } from './date-text'

const corpus = JSON.parse(
  readFileSync(new URL('../../../plugins/core/property/date/testdata/texts.json', import.meta.url), 'utf8'),
) as { zone: string; today: string; formats: Record<DateKind, string> } & Record<
  DateKind,
  Record<string, string | null>
>
const { zone, today } = corpus
const kinds = Object.keys(corpus.formats) as DateKind[]

describe.each(kinds)('texts in a box of a %s', (kind) => {
  it.each(Object.entries(corpus[kind]))('%s', (text, value) => {
    const read = readDate(text, kind, { zone, today })
    expect(read ?? null).toBe(value)
    if (read !== undefined) expect(isStoredDate(read, kind)).toBe(true)
  })
  it('are read as the product writes them', () => {
    for (const value of Object.values(corpus[kind]))
      if (value) expect(readDate(value, kind, { zone, today })).toBe(value)
  })
})

const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })

/** A stored moment by the installation's clock, with the fraction of its second where it has one. */
const localTime = (value: string) =>
  clock.format(new Date(value)) + value.replace(/^.*?(\.\d*?)0*Z$/, '$1').replace(/^\.$/, '')

// In a real box, and key by key: ui/e2e/typing.test.mjs.
it.each([
  ['date', 1200],
  ['time', 1000],
  ['month', 600],
  ['moment', 200],
] as const)('texts for a %s mean what their shape says, and so does each of their beginnings', (kind, count) => {
  const faults = []
  const texts = new Set(lines(kind, count, 2026).flatMap((text) => [...text].map((_, i) => text.slice(0, i + 1))))
  for (const text of [...texts].filter((one) => one.trim() !== '')) {
    const read = readDate(text, kind, { zone, today })
    const said = read === undefined ? null : kind === 'moment' ? localTime(read) : read
    const want = meaning(text, kind, today)
    if (said !== want) faults.push(`${text} means ${want}, and was read as ${said}`)
  }
  expect(faults).toEqual([])
})

describe('dates in texts', () => {
  it('the box follows the display format', () => {
    for (const kind of kinds) if (kind !== 'time') expect(kindOfFormat(corpus.formats[kind])).toBe(kind)
    expect(kindOfFormat('yyyy-MM-dd CN-APM hh:mm')).toBe('moment')
    expect(kindOfFormat('EN-APM hh:mm')).toBe('clock')
  })

  it('a time stays on the day that its moment has', () => {
    expect(readDate('9:15', 'clock', { zone, today, day: '2026-03-05' })).toBe('2026-03-05T01:15:00.000Z')
  })

  it('days without a year are of the year that the installation has', () => {
    expect(readDate('1-5', 'date', { zone })).toMatch(/^\d{4}-01-05$/)
  })

  it('moments follow the clocks of their zone', () => {
    expect(readDate('2026-07-01 8:00', 'moment', { zone: 'Europe/Berlin', today })).toBe('2026-07-01T06:00:00.000Z')
    expect(readDate('2026-01-01 8:00', 'moment', { zone: 'Europe/Berlin', today })).toBe('2026-01-01T07:00:00.000Z')
  })

  it.each(['2026-13-01', '2026-02-30', '26-1-1', 'x', '', '2026-11-25 '])('%j is not stored', (value) => {
    expect(isStoredDate(value, 'date')).toBe(false)
  })
})
