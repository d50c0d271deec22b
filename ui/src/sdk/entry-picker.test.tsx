import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { Entry } from '@/api/types'
import { EntryChoice, entryOptions } from './entry-picker'

const person = (id: string, name: string, detail: string | null): Entry => ({
  id,
  name,
  imgUrl: null,
  type: 3,
  detail,
  leaf: true,
})

describe('choices of people', () => {
  const options = entryOptions([
    person('1', '张伟', '质量安全部 · E0012'),
    person('2', '李娜', '综合办公室'),
    person('3', '张伟', '工程管理部'),
    person('4', '王芳', null),
    person('5', '王芳', null),
  ])

  it('name what tells two of one name apart, in the field too', () => {
    expect(options.map((option) => option.label)).toEqual([
      '张伟 (质量安全部 · E0012)',
      '李娜',
      '张伟 (工程管理部)',
      '王芳',
      '王芳',
    ])
    expect(options.map((option) => option.twin)).toEqual([true, false, true, true, true])
  })

  it('show it on a second line', () => {
    const [twin, single] = options
    if (!twin || !single) throw new Error('no options')
    const { container, rerender } = render(<EntryChoice entry={twin.entry} twin={twin.twin} />)
    expect(screen.getByText('质量安全部 · E0012').parentElement?.className).toMatch(/lines/)
    rerender(<EntryChoice entry={single.entry} twin={single.twin} />)
    expect(screen.getByText('综合办公室').parentElement?.className).not.toMatch(/lines/)
    expect(container.textContent).toContain('李娜')
  })
})
