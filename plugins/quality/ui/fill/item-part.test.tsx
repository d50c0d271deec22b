import { ApiError } from '@sluice/sdk'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { setLocale, startI18n } from '@/i18n/i18n'
import { addTexts } from '@/testing/texts'
import { texts } from '../texts'
import type { Entry } from './begin'
import { ItemPart } from './item-part'
import { refusalOf, sayJudged } from './judged'
import type { Item } from './readings'

const item: Item = {
  ...{ id: 'i', name: 'Flatness', itemClass: 'GENERAL', method: 'POINT', unit: 'mm', minPoints: 3 },
  ...{ devLow: '-10', devHigh: '10', limitLow: null, limitHigh: null },
}

beforeAll(async () => {
  await startI18n()
  addTexts(texts)
  await setLocale('en')
})
afterEach(cleanup)

describe('a check item', () => {
  function open(values: string[], design = '', more: Partial<Item> = {}, fixed = false) {
    const kept: { entry: Entry } = { entry: { itemId: 'i', design, values } }
    function Held() {
      const [entry, setEntry] = useState(kept.entry)
      kept.entry = entry
      const change = (part: Partial<Entry>) => setEntry({ ...entry, ...part })
      const asked = { ...item, ...more }
      return <ItemPart item={asked} entry={entry} last={[]} fixed={fixed} onChange={change} onRemove={() => {}} />
    }
    render(<Held />)
    return kept
  }
  const box = (name: string) => screen.getByLabelText<HTMLInputElement>(`Flatness: ${name}`)

  it('marks a design value that is no number when it is left, and judges no point meanwhile', () => {
    open(['3', '12'])
    expect(screen.getByRole('button', { name: /Point 2.*out of tolerance/ })).toBeDefined()
    const design = box('Design')
    fireEvent.change(design, { target: { value: 'abc' } })
    expect(design.getAttribute('aria-invalid')).toBe('false') // while it is typed nothing is said of it
    fireEvent.blur(design)
    expect(design.getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByText(/Enter one number as the design value/)).toBeDefined()
    expect(screen.getByRole('button', { name: /Point 2.*not judged/ })).toBeDefined()
    fireEvent.change(design, { target: { value: '５' } })
    expect(screen.getByRole('button', { name: /Point 2: 12, in tolerance/ })).toBeDefined()
  })

  it('a press on a point brings it back into the box, and takes nothing away', () => {
    const kept = open(['3', '12', '4'])
    fireEvent.click(screen.getByRole('button', { name: /Point 2/ }))
    expect(box('Reading').value).toBe('12')
    fireEvent.blur(box('Reading'))
    expect(kept.entry.values).toEqual(['3', '12', '4'])
    fireEvent.click(screen.getByRole('button', { name: /Point 2/ }))
    fireEvent.change(box('Reading'), { target: { value: '2' } })
    fireEvent.keyDown(box('Reading'), { key: 'Enter' })
    expect(kept.entry.values).toEqual(['3', '2', '4'])
    fireEvent.click(screen.getByRole('button', { name: /Point 1/ }))
    fireEvent.click(screen.getByRole('button', { name: 'Remove this point' }))
    expect(kept.entry.values).toEqual(['2', '4'])
  })

  it('shows a design value that is not theirs to ask as text, and judges groups of specimens by the grade', () => {
    const strength = { method: 'STAT_STRENGTH', unit: 'MPa', devLow: null, devHigh: null }
    open(['30', '28.4'], '30', strength, true)
    expect(screen.getByText('Design 30 MPa')).toBeDefined()
    expect(screen.queryByLabelText('Flatness: Design')).toBeNull()
    expect(screen.getByRole('button', { name: /Point 1: 30, in tolerance/ })).toBeDefined()
    expect(screen.getByRole('button', { name: /Point 2: 28.4, out of tolerance/ })).toBeDefined()
  })

  it('leaves degrees of compaction to the rule set', () => {
    open(['95', '93'], '95', { method: 'STAT_COMPACTION', unit: '%', devLow: null, devHigh: null })
    expect(screen.getByRole('button', { name: /Point 2: 93, not judged/ })).toBeDefined()
    expect(screen.getByText(/2 points, judged together/)).toBeDefined()
  })

  it('takes an answer for each place that is looked at, all of them with one press', () => {
    const kept = open([], '', { method: 'YESNO', minPoints: 4 })
    fireEvent.click(screen.getByRole('button', { name: 'All 4 passed' }))
    expect(kept.entry.values).toEqual(['1', '1', '1', '1'])
    fireEvent.click(screen.getByRole('button', { name: /^Place 2: passed/i }))
    fireEvent.click(screen.getByRole('button', { name: 'Flatness: Failed' }))
    expect(kept.entry.values).toEqual(['1', '1', '1', '0'])
    expect(screen.getByText('3 of 4 points passed, at least 4 needed')).toBeDefined()
    expect(screen.queryByRole('button', { name: /other/ })).toBeNull()
  })

  it('keeps one answer where one is asked for, and takes it back', () => {
    const kept = open([], '', { method: 'YESNO', minPoints: 1 })
    const yes = () => screen.getByRole('button', { name: 'Flatness: Passed' })
    fireEvent.click(yes())
    expect([kept.entry.values, yes().getAttribute('aria-pressed')]).toEqual([['1'], 'true'])
    fireEvent.click(yes())
    expect(kept.entry.values).toEqual([])
  })
})

describe('what is said of a saved record', () => {
  const say = { success: vi.fn(), warning: vi.fn() }
  const openRecord = vi.fn()
  it('is its result: a failed lot warns, and leads to its corrective action', () => {
    sayJudged({ conclusion: 'OK', ok: 20, n: 23, action: null }, say, openRecord)
    expect(say.success).toHaveBeenLastCalledWith('Saved: passed, 20 of 23 points')
    sayJudged({ conclusion: 'NOT_OK', ok: 1, n: 3, action: { id: 'a', number: 'ZG-1' } }, say, openRecord)
    const [words, , link] = say.warning.mock.lastCall ?? []
    expect(words).toBe('Saved: failed, 1 of 3 points. Corrective action ZG-1 was opened.')
    link.run()
    expect(openRecord).toHaveBeenCalledWith({ schemaCode: 'q_ncr', id: 'a' })
    expect(refusalOf(new Error('x'))).toBeUndefined()
    const refused = (status: number) =>
      new ApiError('no', { code: 1, status, data: { errors: [{ errmsg: 'Too long' }] } })
    expect(refusalOf(refused(400))).toBe('Too long')
    expect(refusalOf(refused(401))).toBe('') // the question for the password says it, and goes
  })
})
