import type { FormField } from '@sluice/sdk'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { check, FormWidget } from './form'

const stored = vi.fn()
afterEach(cleanup)

function show(settings: Record<string, unknown>, start: string | null) {
  const field = { propertyCode: 'n', propertyType: 2, name: 'n', name_i18n: {}, settings } as FormField
  function Holder() {
    const [value, setValue] = useState(start)
    const take = (next: string | null) => {
      stored(next)
      setValue(next)
    }
    return <FormWidget id="n" field={field} schemaCode="s" value={value} onChange={take} values={() => ({})} />
  }
  render(<Holder />)
  return screen.getByRole<HTMLInputElement>('textbox')
}

describe('the number field', () => {
  it('takes a percentage as people say it and stores the ratio', () => {
    const input = show({ scale: 4, displayFormat: 'percent' }, '0.1')
    expect(input.value).toBe('10.00')
    expect(screen.getByText('%')).toBeTruthy()
    fireEvent.focus(input)
    expect(input.value).toBe('10')
    fireEvent.change(input, { target: { value: '１２．５％' } })
    expect(stored).toHaveBeenLastCalledWith('0.125')
    fireEvent.blur(input)
    expect(input.value).toBe('12.50')
  })

  it('groups when it is left, and loses no digit', () => {
    const input = show({ scale: 2, displayFormat: 'thousands', unit: '元' }, null)
    fireEvent.focus(input)
    fireEvent.change(input, { target: { value: '9999999999999999.995' } })
    expect(stored).toHaveBeenLastCalledWith('9999999999999999.995')
    fireEvent.blur(input)
    expect(input.value).toBe('9999999999999999.995')
    fireEvent.change(input, { target: { value: '1234567.5' } })
    fireEvent.blur(input)
    expect(input.value).toBe('1,234,567.50')
  })

  it('goes on at the end where the blank left of a figure is pressed first, and where people press later', () => {
    const input = show({ scale: 2 }, '1234.5')
    fireEvent.focus(input)
    input.setSelectionRange(0, 0)
    fireEvent.click(input)
    expect(input.selectionStart).toBe('1234.5'.length)
    input.setSelectionRange(0, 0)
    fireEvent.click(input)
    expect(input.selectionStart).toBe(0)
  })

  it('says an amount in capitals as it is typed', () => {
    const input = show({ scale: 2, displayFormat: 'capitals' }, '1024.5')
    const said = () => document.querySelector('output')?.textContent
    expect(said()).toBe('壹仟零贰拾肆元伍角')
    fireEvent.change(input, { target: { value: '7' } })
    expect(said()).toBe('柒元整')
    fireEvent.change(input, { target: { value: '7x' } })
    expect(said()).toBe('')
  })

  it('reads what is typed as what is pasted, and leaves the text alone until it is left', () => {
    const input = show({ scale: 2, unit: '元', displayFormat: 'thousands' }, null)
    for (const [typed, value] of [
      ['1200元', '1200'],
      ['¥4.5', '4.5'],
      ['1,234.5 元', '1234.5'],
      ['3万', '30000'],
      ['（5.5）', '-5.5'],
    ]) {
      fireEvent.focus(input)
      fireEvent.change(input, { target: { value: typed } })
      expect(stored).toHaveBeenLastCalledWith(value)
      expect(input.value).toBe(typed)
    }
    fireEvent.blur(input)
    expect(input.value).toBe('-5.50')
  })

  it('tells screen readers that a figure is wrong', () => {
    const field = { propertyCode: 'n', propertyType: 2, name: 'n', name_i18n: {}, settings: {} } as unknown as FormField
    const widget = { id: 'n', field, schemaCode: 's', value: 'x', onChange: () => {}, values: () => ({}) }
    render(<FormWidget {...widget} invalid describedBy="n-note" />)
    const input = screen.getByRole('textbox')
    expect(input.getAttribute('aria-invalid')).toBe('true')
    expect(input.getAttribute('aria-describedby')).toBe('n-note')
  })

  it.each([
    [{ scale: 4, displayFormat: 'percent', min: '0', max: '1' }, '1.2', { key: 'between', low: '0%', high: '100%' }],
    [{ scale: 4, displayFormat: 'percent', min: '0.05' }, '0.01', { key: 'least', limit: '5%' }],
    [{ scale: 4, displayFormat: 'percent', max: '0.5' }, '0.6', { key: 'most', limit: '50%' }],
    [{ scale: 4, displayFormat: 'percent' }, '0.12345', { key: 'scale', count: 2 }],
    [{ scale: 2, displayFormat: 'percent' }, '0.123', { key: 'whole' }],
    [{ scale: 1, displayFormat: 'percent' }, '0.15', { key: 'step', limit: '10%' }],
    [{ scale: 4, displayFormat: 'percent' }, 'x', { key: 'number', example: '12.5%' }],
    [{ scale: 2, displayFormat: 'percent' }, 'x', { key: 'number', example: '12%' }],
    [{ scale: 0 }, 'x', { key: 'number', example: '12' }],
    [{ scale: 2, min: '100' }, 'x', { key: 'number', example: '100' }],
    [{ scale: 2, max: '1' }, 'x', { key: 'number', example: '1' }],
  ])('speaks in what the person sees: %j %s', (settings, value, fault) => {
    expect(check(value, { settings } as unknown as FormField)).toEqual(fault)
  })

  it('takes thousands in threes, and no comma for less', () => {
    const input = show({ scale: 1 }, null)
    fireEvent.focus(input)
    for (const [typed, value] of [
      ['1,234.5', '1234.5'],
      ['12 500', '12500'],
      ['12,5', '12,5'],
      ['1,2345', '1,2345'],
      ['12 5', '12 5'],
    ]) {
      fireEvent.change(input, { target: { value: typed } })
      expect(stored).toHaveBeenLastCalledWith(value)
    }
    fireEvent.blur(input)
    expect(input.value).toBe('12 5')
  })

  it('leaves what is no number for the check to name', () => {
    const input = show({}, null)
    fireEvent.change(input, { target: { value: '12a' } })
    fireEvent.blur(input)
    expect(stored).toHaveBeenLastCalledWith('12a')
    expect(input.value).toBe('12a')
  })
})
