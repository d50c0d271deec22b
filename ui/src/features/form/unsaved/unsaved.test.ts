import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FormField, FormLoad } from '@/api/types'
import { clearUnsent, readUnsent, unsentKey, writeUnsent } from '@/lib/unsaved-store'
import { findUnsaved } from '@/sdk/unsaved-forms'
import { addressOf, fitting, formDigest, placeOf, unsavedOf } from './unsaved'

const field = (propertyCode: string, more: object = {}) =>
  ({ propertyCode, propertyType: 0, name: propertyCode, name_i18n: {}, children: null, ...more }) as FormField
const day = 24 * 3600_000
const kept = () => Object.keys(localStorage).filter((key) => key.startsWith('unsent:'))

beforeEach(() => localStorage.clear())
afterEach(() => vi.restoreAllMocks())

describe('input that waits', () => {
  const fields = [field('a'), field('b'), field('c', { readOnly: true })]
  const load = { form: { fields } } as unknown as FormLoad
  const place = placeOf('u1', { schemaCode: 'lot', sheetCode: 'lots', objectId: 'r1' })

  it('holds the changed fields with what they were', () => {
    writeUnsent(place, unsavedOf(load, 4, { a: 'old' }, { a: 'new', b: null }))
    expect(findUnsaved(place)).toEqual({
      at: expect.any(Number),
      version: 4,
      form: formDigest(fields),
      fields: { a: { type: 0, base: 'old', mine: 'new' }, b: { type: 0, base: null, mine: null } },
    })
  })

  it('has a place for each form a person may have open', () => {
    const lot = { schemaCode: 'lot', sheetCode: 'lots' }
    const places = [
      placeOf('u1', { ...lot, objectId: 'r1' }),
      placeOf('u2', { ...lot, objectId: 'r1' }),
      placeOf('u1', { ...lot, sheetCode: 'other', objectId: 'r1' }),
      placeOf('u1', lot),
      placeOf('u1', { ...lot, copyFrom: 'r1' }),
      placeOf('u1', { ...lot, relation: { propertyCode: 'site', id: 'r1' } }),
      placeOf('u1', { ...lot, objectId: 'r1/x' }),
    ]
    expect(new Set(places).size).toBe(places.length)
  })

  it('is gone on with at its own address, whatever page it was opened over', () => {
    const at = (pathname: string, search: string) => ({ pathname, search })
    const lot = { schemaCode: 'lot', sheetCode: 'lots' }
    const own = '?schemaCode=lot&relId=r1&relPropertyCode=site'
    expect(addressOf(lot, at('/form/detail', own))).toBe(`/form/detail${own}`)
    expect(addressOf(lot, at('/form/detail', '?startWorkflowCode=w'))).toBe('/form/detail?startWorkflowCode=w')
    expect(addressOf(lot, at('/form/detail', '?schemaCode=site'))).toBe('/form/detail?schemaCode=lot&sheetCode=lots')
    expect(addressOf({ ...lot, objectId: 'r1' }, at('/application/a/application-list/lot', ''))).toBe(
      '/form/detail?schemaCode=lot&sheetCode=lots&key=r1',
    )
  })

  it('leaves out what the form does not take any more', () => {
    const unsent = unsavedOf(load, 1, {}, { a: '1', b: '2' })
    const now = [field('a', { propertyType: 2 }), field('b'), field('d')]
    expect(formDigest(now)).not.toBe(unsent.form)
    expect(Object.keys(fitting(unsent, now))).toEqual(['b'])
    expect(fitting(unsent, [field('a', { readOnly: true }), field('toString')])).toEqual({})
  })

  it.each(['', 'x', '1', '1 {', '1 null', '1 {"version":"1","form":"x","fields":{}}', '9 {"version":1}'])(
    'is nothing when it reads %j',
    (text) => {
      localStorage.setItem(place, text && `${Date.now()}${text.slice(1)}`)
      expect(findUnsaved(place)).toBeNull()
    },
  )
})

describe('the store of it', () => {
  const key = (n: number) => unsentKey('u1', [`r${n}`])

  it('forgets after thirty days', () => {
    const now = Date.now()
    writeUnsent(key(1), 'old', now - 31 * day)
    expect(readUnsent(key(1), now)).toBeNull()
    writeUnsent(key(2), 'new', now)
    expect(kept()).toEqual([key(2)])
  })

  it('keeps the newest fifty', () => {
    for (let n = 0; n < 55; n++) writeUnsent(key(n), n, 1000 + n)
    expect(kept()).toHaveLength(50)
    expect(readUnsent(key(4), 2000)).toBeNull()
    expect(readUnsent(key(5), 2000)?.value).toBe(5)
  })

  it('takes no entry over a megabyte, nor leaves an older state of it', () => {
    writeUnsent(key(1), 'small')
    expect(writeUnsent(key(1), 'x'.repeat(600_000))).toBe(false)
    expect(kept()).toEqual([])
  })

  it('gives up old entries when the storage is full, and says nothing when even that does not help', () => {
    const set = Storage.prototype.setItem
    writeUnsent(key(1), 'one', 1)
    writeUnsent(key(2), 'two', 2)
    const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(function (this: Storage, name, text) {
      if (kept().length >= 2) throw new DOMException('full', 'QuotaExceededError')
      set.call(this, name, text)
    })
    expect(writeUnsent(key(3), 'three', 3)).toBe(true)
    expect(kept().sort()).toEqual([key(2), key(3)])
    full.mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    expect(writeUnsent(key(4), 'four', 4)).toBe(false)
  })

  it('is empty after a sign-out, and holds nobody else’s after a sign-in', () => {
    localStorage.setItem('locale', 'zh')
    writeUnsent(unsentKey('u1', ['r']), 1)
    writeUnsent(unsentKey('u11', ['r']), 1)
    clearUnsent('u1')
    expect(kept()).toEqual([unsentKey('u1', ['r'])])
    clearUnsent()
    expect(kept()).toEqual([])
    expect(localStorage.getItem('locale')).toBe('zh')
  })
})
