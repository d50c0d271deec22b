import { expect, it } from 'vitest'
import { sinceText } from './since'

const now = Date.parse('2026-11-30T12:00:00Z')

it('says how long ago something of the last day was', () => {
  expect(sinceText('2026-11-30T11:59:58Z', now, 'en')).toBe('2 seconds ago')
  expect(sinceText('2026-11-30T11:59:59.500Z', now, 'en')).toBe('now')
  expect(sinceText('2026-11-30T11:58:30Z', now, 'en')).toBe('1 minute ago')
  expect(sinceText('2026-11-29T13:00:00Z', now, 'zh')?.replaceAll(' ', '')).toBe('23小时前')
})

it('leaves what was longer ago, what has not come and what is no time', () => {
  for (const iso of ['2026-11-29T12:00:00Z', '2026-11-30T12:00:01Z', 'soon'])
    expect(sinceText(iso, now, 'en')).toBeNull()
})
