import { describe, expect, it } from 'vitest'
import { type ListView, readView, writeView } from './url-state'

describe('list address', () => {
  it('says the same after being read and written', () => {
    const view: ListView = {
      page: 2,
      size: 50,
      sort: { code: 'contract.partyB', direction: 2 },
      filters: {
        result: { value: 'OK;BAD' },
        inspector: { value: 'a;b', label: '赵启明、钱学文', operator: 'In' },
        checkDate: null,
      },
    }
    const search = writeView(new URLSearchParams('code=lots&queryCode=q'), view)
    expect(search.get('queryCode')).toBe('q')
    expect(readView(new URLSearchParams(search.toString()))).toEqual(view)
  })

  it.each([10, 20, 50, 100, 200, 300, 500])('may show %d rows on a page', (size) => {
    expect(readView(new URLSearchParams(`size=${size}`)).size).toBe(size)
  })

  it('falls back for what nobody could have chosen', () => {
    expect(readView(new URLSearchParams('page=-3&size=21'))).toEqual({ page: 0, size: 20, sort: null, filters: {} })
    expect(readView(new URLSearchParams('f.name=a%00b&q=%00c'))).toMatchObject({
      filters: { name: { value: 'ab' } },
      keyword: 'c',
    })
    expect(writeView(new URLSearchParams(), { page: 0, size: 20, sort: null, filters: {} }).toString()).toBe('')
  })
})
