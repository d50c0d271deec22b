// @vitest-environment node
import { describe, expect, it } from 'vitest'
import type { ListConfig, PagePart } from '@/api/types'
import { pageLayout } from './page-layout'

const of = (...parts: (string | Partial<PagePart>)[]) =>
  pageLayout({
    queryPresentation: {
      htmlJson: parts.map((one) => ({
        width: 0,
        text: '',
        text_i18n: {},
        tone: 'info',
        ...(typeof one === 'string' ? { part: one } : one),
      })),
    },
  } as unknown as ListConfig)
const names = ({ parts }: { parts: PagePart[] }) => parts.map((one) => one.part).join(' ')

describe('the layout of a page', () => {
  it('is the usual one without htmlJson', () => {
    expect(names(of())).toBe('toolbar filter table pager')
  })

  it('keeps the order of the definition and leaves out what it leaves out', () => {
    expect(names(of('text', 'table', 'toolbar'))).toBe('text table toolbar')
  })

  it('puts filters with a width beside the table', () => {
    expect(of('toolbar', { part: 'filter', width: 240 }, 'table').side).toEqual({ width: 240, left: true })
    const right = of('table', { part: 'filter', width: 300 })
    expect(right.side).toEqual({ width: 300, left: false })
    expect(names(right)).toBe('table')
    expect(of('filter', 'table').side).toBeNull()
  })
})
