// @vitest-environment node
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FIT, findChoices, meaningOf, rank, rankChoices } from './find-choice'
import { loadPinyin, matchWith } from './pinyin'

interface Case {
  typed: string
  names: string[]
  codes?: string[]
  beside?: string[]
  fit: keyof typeof FIT | null
}

const cases: Case[] = JSON.parse(
  readFileSync(new URL('../../../runtime/finder/testdata/cases.json', import.meta.url), 'utf8'),
)
const match = matchWith(await loadPinyin())

describe('the cases that the server runs too', () => {
  for (const { typed, names, codes, beside, fit } of cases)
    it(`${typed}: ${names.join()}`, () => {
      const of = { names, ...(codes?.[0] ? { code: codes[0] } : {}), ...(beside ? { more: beside } : {}) }
      expect(rank(of, typed, match)).toBe(fit === null ? null : FIT[fit])
    })
})

const of = (name: string) => ({ names: [name] })
const means = (choices: string[], typed: string) => meaningOf(rankChoices(choices, typed, of, match))

describe('what a typed text means', () => {
  it('is the one that it names, and never a longer one', () => {
    expect(findChoices(['地基灌注桩', '灌注桩基础', '灌注桩'], '灌注桩', of, match)).toEqual([
      '灌注桩',
      '灌注桩基础',
      '地基灌注桩',
    ])
    expect(means(['地基灌注桩', '灌注桩'], '灌注桩').one?.choice).toBe('灌注桩')
    expect(means(['三峡银行'], '银行')).toEqual({ several: false })
    expect(means(['银行卡'], 'yinhang')).toEqual({ several: false })
  })
  it('is none of several that are called so', () => {
    expect(means(['底板混凝土', '底板混凝土'], '底板混凝土')).toEqual({ several: true })
  })
  it('is what is spelled so before what sounds so', () => {
    expect(means(['银行', 'Yinhang'], 'yinhang').one?.choice).toBe('Yinhang')
    expect(means(['银行', '三峡银行'], 'yh').one?.choice).toBe('银行')
    expect(means(['银行', 'Yhx'], 'yh')).toEqual({ several: false })
  })
})
