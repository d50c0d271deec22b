import { describe, expect, it } from 'vitest'
import { recordOf, ruleOf, writeDocument } from './document'

describe('an access document', () => {
  it('is written in the order of docs/authoring.md, without what is empty', () => {
    const text = writeDocument({
      models: [
        { fields: {}, rows: 'all', actions: ['view'], schemaCode: 'lot' },
        { schemaCode: 'site', actions: ['view'], rows: 'own', editRows: "x == 'a'", fields: { price: '-' } },
      ],
      apps: [],
      includes: ['staff'],
      name_i18n: { en: '' },
      name: '质检员',
    })
    expect(Object.keys(JSON.parse(text))).toEqual(['name', 'includes', 'models'])
    expect(JSON.parse(text).models).toEqual([
      { schemaCode: 'lot', actions: ['view'], rows: 'all' },
      { schemaCode: 'site', actions: ['view'], rows: 'own', editRows: "x == 'a'", fields: { price: '-' } },
    ])
  })

  it('keeps what the page does not show', () => {
    const of = {
      name: 'a',
      description: 'why',
      actions: ['moor'],
      extra: 1,
      models: [{ schemaCode: 'x', actions: ['view'], description: 'y' }],
    }
    expect(JSON.parse(writeDocument(of))).toEqual(of)
  })
})

it('reads which choice a rule is', () => {
  expect([undefined, 'all', 'own', 'department', 'departmentTree', 'a == 1', ''].map(ruleOf)).toEqual([
    'none',
    'all',
    'own',
    'department',
    'departmentTree',
    'condition',
    'condition',
  ])
})

it('finds the record in what people paste', () => {
  const id = '0192f0a2-7b4c-7d5e-8f90-a1b2c3d4e5f6'
  expect(recordOf(` ${id} `)).toEqual({ objectId: id })
  expect(recordOf(`https://sluice.example.com/form/detail?schemaCode=lot&key=${id}`)).toEqual({
    schemaCode: 'lot',
    objectId: id,
  })
  expect(recordOf(`/form/detail?schemaCode=lot&objectId=${id}`)).toEqual({ schemaCode: 'lot', objectId: id })
  expect(recordOf('https://sluice.example.com/app-list')).toBeNull()
  expect(recordOf('JY-2025-001')).toBeNull()
})
