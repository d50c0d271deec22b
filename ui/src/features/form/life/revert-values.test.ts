// @vitest-environment node
import { expect, test } from 'vitest'
import type { FormField } from '@/api/types'
import { changesOf } from '../rules/values'
import { revertedValues } from './revert-values'

const field = (propertyCode: string, more: Partial<FormField> = {}) => ({ propertyCode, ...more }) as FormField
const fields = [
  field('title'),
  field('note'),
  field('price', { readOnly: true }),
  field('lines', { children: [field('item'), field('qty'), field('amount', { readOnly: true })] }),
]

test('a form becomes the earlier version in what may be written', () => {
  const now = { title: 'new', price: '9', note: 'added since' }
  const next = revertedValues(fields, now, { title: 'old', price: '1', note: null })
  expect(next).toEqual({ title: 'old', price: '9' })
  expect(changesOf(now, next, fields)).toEqual({ title: 'old', note: null })
})

test('rows stay the same by their ids, come back as new ones, and go', () => {
  const now = {
    lines: [
      { id: '1', item: 'a', qty: '5', amount: '50' },
      { id: '3', item: 'since', qty: '1', amount: '1' },
    ],
  }
  const then = {
    lines: [
      { id: '2', item: 'gone', qty: null, amount: '7' },
      { id: '1', item: 'a', qty: '2', amount: '20' },
    ],
  }
  const next = revertedValues(fields, now, then)
  expect(next.lines).toEqual([{ item: 'gone' }, { id: '1', item: 'a', qty: '2', amount: '50' }])
})

test('what is the same is no change', () => {
  const now = { title: 'x', lines: [{ id: '1', item: 'a', qty: '1', amount: '2' }] }
  const next = revertedValues(fields, now, { ...now, price: '3' })
  expect(changesOf(now, next, fields)).toEqual({})
})
