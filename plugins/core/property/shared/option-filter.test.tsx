import type { FilterProps } from '@sluice/sdk'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { OptionFilter, OptionsFilter } from './option-filter'

const take = vi.fn()
afterEach(() => {
  cleanup()
  take.mockClear()
})

const option = (code: string) => ({ code, name: code, name_i18n: {} })

function props(more: Record<string, unknown>, value: string | null = null): FilterProps {
  const field = {
    propertyCode: 'state',
    propertyType: 12,
    name: '状态',
    name_i18n: {},
    options: ['a', 'b'].map(option),
    queryFilterType: 'Contains',
    visible: true,
    ...more,
  }
  return {
    id: 'f',
    field,
    schemaCode: 's',
    operator: 'Contains',
    value: value === null ? null : { value },
    onChange: take,
    onSubmit: () => {},
  } as FilterProps
}

describe('the filter of options', () => {
  it('is a drop-down for several, unless the condition says otherwise', () => {
    render(<OptionFilter {...props({}, 'a')} />)
    expect(document.querySelector('.ant-select-multiple')).toBeTruthy()
    cleanup()
    render(<OptionsFilter {...props({ choiceType: 'single' }, 'a')} />)
    expect(screen.getByRole('combobox')).toBeTruthy()
    expect(document.querySelector('.ant-select-multiple')).toBeNull()
  })

  it('lies flat with displayType: several are ticked, one of them is chosen with choiceType single', () => {
    render(<OptionFilter {...props({ displayType: 'flat' }, 'a')} />)
    fireEvent.click(screen.getByRole('checkbox', { name: 'b' }))
    expect(take).toHaveBeenLastCalledWith({ value: 'a;b' })
    cleanup()
    render(<OptionFilter {...props({ displayType: 'flat', choiceType: 'single' }, 'a')} />)
    fireEvent.click(screen.getByRole('radio', { name: 'b' }))
    expect(take).toHaveBeenLastCalledWith({ value: 'b' })
    fireEvent.click(screen.getByRole('radio', { name: 'a' }))
    expect(take).toHaveBeenLastCalledWith(null)
  })
})
