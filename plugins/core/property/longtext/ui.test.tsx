import type { CellProps, ReadProps } from '@sluice/sdk'
import { render, screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { markup, property } from './ui'

const { Cell, ReadValue } = property

describe('long texts', () => {
  test.each([
    '按 <GB50204> 执行',
    'A<B and C>D',
    'a<b>c',
    'x < y, y > z',
    '<JGJ 107-2016>、<03G101>',
    'if (a<i && b>p)',
  ])('%s is plain', (value) => {
    expect(markup(value)).toBe(false)
    render(Cell && <Cell {...({ value } as unknown as CellProps<never>)} />)
    expect(screen.getByText(value)).toBeDefined()
  })

  test.each([
    '<p>粗体</p>',
    'x<br/>y',
    'x<BR>y',
    '<img src="x" onerror="alert(1)">',
    'a <span style="color: red">b</span>',
    '<!-- x -->',
  ])('%s is markup: a list says that it is not shown', (value) => {
    expect(markup(value)).toBe(true)
    render(Cell && <Cell {...({ value } as unknown as CellProps<never>)} />)
    expect(screen.queryByText(value)).toBeNull()
    expect(screen.getByText(/unsupportedContent|无法显示/)).toBeDefined()
  })

  test('a form shows what is stored, as text', () => {
    const value = '<p>粗体</p><script>alert(1)</script>'
    render(ReadValue && <ReadValue {...({ value } as unknown as ReadProps<never>)} />)
    expect(screen.getByText(value)).toBeDefined()
  })
})
