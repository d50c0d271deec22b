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
  function open(values: string[], design = '') {
    const kept: { entry: Entry } = { entry: { itemId: 'i', design, values } }
    function Held() {
      const [entry, setEntry] = useState(kept.entry)
      kept.entry = entry
      const change = (part: Partial<Entry>) => setEntry({ ...entry, ...part })
      return <ItemPart item={item} entry={entry} last={[]} onChange={change} onRemove={() => {}} />
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
