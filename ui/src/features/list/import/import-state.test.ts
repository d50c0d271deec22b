import { describe, expect, it } from 'vitest'
import type { ImportFields, ImportResult } from './api'
import { buttonsOf, chooseFile, correctable, isHalf, settled, statusOf } from './import-state'
import { sizeText } from './upload-box'

const ended = (errorType: number | null, more: object = {}) =>
  ({ state: 'done', errorType, errorCount: 0, headColumns: [], ...more }) as unknown as ImportResult

describe('how an import ends', () => {
  it('has the names of the platform', () => {
    expect([0, 1, 2, 3, 4, 8, 99].map((type) => statusOf(ended(type)))).toEqual([
      'Success',
      'PartialSuccess',
      'DataColumnError',
      'DataNumExceed',
      'SystemError',
      'FaileReImport',
      'SystemError',
    ])
    expect(statusOf(null)).toBe('Unspecified')
    expect(statusOf(ended(null, { state: 'running' }))).toBe('Unspecified')
    expect(statusOf(ended(null, { state: 'failed' }))).toBe('SystemError')
  })

  it('has its buttons', () => {
    expect(buttonsOf('Unspecified')).toEqual(['cancel'])
    expect(buttonsOf('SystemError')).toEqual(['cancel', 'again'])
    for (const status of ['DataNumExceed', 'DataColumnError', 'PartialSuccess'] as const)
      expect(buttonsOf(status)).toEqual(['confirm'])
    expect(['Success', 'PartialSuccess', 'FaileReImport'].map((one) => isHalf(one as 'Success'))).toEqual([
      false,
      true,
      true,
    ])
  })

  it('leads to the correction where rows were refused and their columns are known', () => {
    const half = { errorCount: 3, headColumns: [{}] }
    expect(correctable(ended(1, half))).toBe(true)
    expect(correctable(ended(8, half))).toBe(true)
    expect(correctable(ended(1, { ...half, headColumns: [] }))).toBe(false)
    expect(correctable(ended(3, half))).toBe(false)
  })
})

describe('what is set before anybody chooses', () => {
  const nobody = { sheet: 0, clearEmpty: true, replaceLines: true }
  const fields = (modes: string[], ...codes: [string, boolean][]) =>
    ({
      modes,
      lines: true,
      queryFields: codes.map(([propertyCode, unique]) => ({ propertyCode, unique })),
    }) as ImportFields
  const all = ['add', 'update', 'addOrUpdate']

  it('finds records by what names each of them, and else only adds', () => {
    const known = fields(all, ['sequenceNo', true], ['name', false], ['code', true])
    expect(settled(nobody, known)).toMatchObject({
      mode: 'addOrUpdate',
      queryField: 'code',
      clearEmpty: true,
      replaceLines: true,
    })
    expect(settled(nobody, fields(all, ['sequenceNo', true], ['name', false]))).toMatchObject({
      mode: 'add',
      queryField: '',
      clearEmpty: false,
      replaceLines: false,
    })
  })

  it('replaces rows of sub-tables only where there are some', () => {
    const known = { ...fields(all, ['code', true]), lines: false }
    expect(settled(nobody, known).replaceLines).toBe(false)
  })

  it('offers no mode without the right to it', () => {
    expect(settled({ ...nobody, mode: 'update' }, fields(['add'], ['code', true])).mode).toBe('add')
  })

  it('leaves what was chosen', () => {
    expect(settled({ ...nobody, mode: 'add', queryField: '' }, fields(all, ['code', true]))).toMatchObject({
      mode: 'add',
      queryField: '',
    })
  })
})

describe('the file', () => {
  const file = (name: string) => new File(['x'], name)
  it('is one spreadsheet at a time', () => {
    expect(chooseFile([file('合同.XLSX')], false)).toBeInstanceOf(File)
    expect(chooseFile([file('a.csv')], false)).toBeInstanceOf(File)
    expect(chooseFile([file('a.xls')], false), 'the server says what to do with it').toBeInstanceOf(File)
    expect(chooseFile([file('a.pdf')], false)).toBe('extension')
    expect(chooseFile([file('a.xlsx'), file('b.xlsx')], false)).toBe('second')
    expect(chooseFile([file('a.xlsx')], true)).toBe('second')
    expect(chooseFile([], false)).toBe('empty')
  })

  it('has a size with two decimals', () => {
    expect([512, 1024, 1_834_567, 5_000_000_000].map(sizeText)).toEqual(['512 B', '1.00 KB', '1.75 MB', '4.66 GB'])
  })
})
