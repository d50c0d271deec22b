import { createInstance } from 'i18next'
import { describe, expect, it } from 'vitest'
import { texts as enTexts } from './en'
import { exports as enExports } from './en/export'
import { texts as zhTexts } from './zh'
import { exports as zhExports } from './zh/export'

// Some come with the part of the application that shows them.
const en = { ...enTexts, export: enExports }
const zh = { ...zhTexts, export: zhExports }

function flat(node: object, path = ''): Map<string, string> {
  const all = new Map<string, string>()
  for (const [key, value] of Object.entries(node)) {
    const at = path ? `${path}.${key}` : key
    if (typeof value === 'string') all.set(at, value)
    else for (const [inner, text] of flat(value as object, at)) all.set(inner, text)
  }
  return all
}

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)(?:, number)?\}/g)].map((m) => m[1]).sort()

/** English texts with a count that no noun or verb follows. */
const countsWithoutNoun = new Set([
  'home.tasksCount',
  'home.overdue',
  'bulk.selectAll',
  'file.tooMany',
  'list.changedMore',
  'list.deleteMore',
  'list.filterSet',
  ...['business', 'process', 'parent', 'child', 'kept', 'refused'].map((kind) => `list.deleteChecks.${kind}`),
  'sheet.moreFaults',
  'form.moreFaults',
])

describe('texts', () => {
  const [chinese, english] = [flat(zh), flat(en)]

  it('exist in both languages', () => {
    const keys = [...english.keys()].filter((key) => !key.endsWith('_one'))
    expect(keys.sort()).toEqual([...chinese.keys()].sort())
  })

  it('are not empty and use the same placeholders', () => {
    for (const [key, text] of chinese) {
      expect(text, key).not.toBe('')
      expect(placeholders(english.get(key) ?? ''), key).toEqual(placeholders(text))
    }
  })

  it('have a form for one in English wherever they count', () => {
    for (const [key, text] of english) {
      if (!/\{count(, number)?\}/.test(text) || key.endsWith('_one') || countsWithoutNoun.has(key)) continue
      expect(english.get(`${key}_one`), key).toBeDefined()
    }
    for (const key of countsWithoutNoun)
      expect(english.get(`${key}_one`), `${key} has two forms: no exception`).toBeUndefined()
  })

  it('of one are only for texts that count', () => {
    for (const key of english.keys())
      if (key.endsWith('_one')) expect(english.get(key.slice(0, -4)), key).toMatch(/\{count(, number)?\}/)
  })

  it('count in words', async () => {
    const i18n = createInstance()
    await i18n.init({
      lng: 'en',
      resources: { en: { translation: en }, zh: { translation: zh } },
      interpolation: { escapeValue: false, prefix: '{', suffix: '}' },
    })
    const say = (key: string, count: number) => (i18n.t as (key: string, values: object) => string)(key, { count })
    expect([1, 0, 2, 12345].map((n) => say('list.records', n))).toEqual([
      '1 record',
      '0 records',
      '2 records',
      '12,345 records',
    ])
    expect(say('form.errors', 1)).toBe('1 field needs your attention')
    expect(say('form.tooLong', 1)).toBe('Enter at most 1 character')
    expect(say('session.waitFor', 1)).toBe('Try again in 1 second')
    await i18n.changeLanguage('zh')
    expect([1, 12345].map((n) => say('list.records', n))).toEqual(['共 1 条', '共 12,345 条'])
  })

  it('use full-width punctuation in Chinese', () => {
    const wrong = [...chinese].filter(([, text]) => /\p{Script=Han}\s*[,;:!?](\s|$)/u.test(text))
    expect(wrong).toEqual([])
  })
})
