import type { FilterProps } from '@sluice/sdk'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadAllTexts, setLocale, startI18n } from '@/i18n/i18n'
import { press, type } from '@/testing/keys'
import { Filter } from './filter'

const patient = { timeout: 8_000 }
const chosen = vi.fn()

async function draw() {
  const field = { propertyCode: 'ok', propertyType: 4, name: '合格', name_i18n: {} }
  const props = {
    id: 'f',
    field,
    schemaCode: 's',
    operator: 'Equal',
    value: null,
    onChange: chosen,
    onSubmit: () => {},
  }
  render(<Filter {...(props as unknown as FilterProps)} />)
  const box = await screen.findByRole<HTMLInputElement>('combobox')
  act(() => box.focus())
  return box
}

describe('the filter of yes and no', { timeout: 40_000 }, () => {
  beforeAll(async () => {
    await startI18n()
    await loadAllTexts()
    await setLocale('zh')
  })
  beforeEach(() => chosen.mockClear())
  afterEach(cleanup)

  it.each([
    ['是', 'true'],
    ['fou', 'false'],
    ['shi', 'true'],
    ['no', 'false'],
    ['true', 'true'],
  ])('is found by typing %s', async (text, value) => {
    await draw()
    await type(text)
    press('Enter')
    await waitFor(() => expect(chosen).toHaveBeenCalledWith({ value }), patient)
    expect(chosen).toHaveBeenCalledTimes(1)
  })

  it('chooses nothing by Enter where nothing is found', async () => {
    const box = await draw()
    await type('zzz')
    await screen.findByText('没有可选项', {}, patient)
    press('Enter')
    expect(chosen).not.toHaveBeenCalled()
    expect(box.value).toBe('zzz')
  })
})
