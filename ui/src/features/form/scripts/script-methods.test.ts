// @vitest-environment node
import { describe, expect, it, vi } from 'vitest'
import type { FormField, FormLoad } from '@/api/types'
import { newPress } from '@/sdk/script/press'
import { type Marks, noMarks, withReadonly } from './script-marks'
import { formMethods } from './script-methods'
import type { ScriptedForm } from './use-form-script'

const field = (propertyCode: string, more: object = {}) =>
  ({ propertyCode, readOnly: false, children: null, ...more }) as unknown as FormField

function setUp({ editing = true, values = {} }: { editing?: boolean; values?: Record<string, unknown> } = {}) {
  const load = {
    id: '1',
    version: 3,
    name: 'A-1',
    actions: ['save'],
    form: {
      schemaCode: 'thing',
      sheetCode: 'thing',
      fields: [
        field('title'),
        field('weight'),
        field('total', { readOnly: true }),
        field('keeper'),
        field('parts', { children: [field('name'), field('count')] }),
      ],
      schema: {
        type: 'object',
        properties: {
          title: { type: 'string', maxLength: 5 },
          weight: { type: 'string', pattern: '^-?[0-9.]+$' },
          total: {},
          keeper: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
          parts: { type: 'array', items: { type: 'object' } },
        },
      },
    },
  } as unknown as FormLoad
  const latest = { current: values }
  const change = vi.fn((next: Record<string, unknown>) => {
    latest.current = next
  })
  const turns = { edit: vi.fn(), refresh: vi.fn(), close: vi.fn() }
  const form = { load, record: { latest, change, newRow: () => ({}) }, editing, ...turns } as unknown as ScriptedForm
  let marks: Marks = noMarks
  const save = vi.fn()
  const methods = formMethods({
    form: () => form,
    me: () => ({ id: 'u', username: 'zhang', name: '张工', mobile: '13800000000' }) as never,
    setMarks: (next) => {
      marks = next(marks)
    },
    actions: new Map([['save', save]]),
    settled: () => Promise.resolve(),
  })
  const run = { what: 'hook', name: 'onLoad', press: null } as const
  const ask = async (method: string, ...args: unknown[]) => methods[method]?.(args, run)
  const pressed = { what: 'hook', name: 'onCustomAction', press: newPress() } as const
  const askPressed = async (method: string, ...args: unknown[]) => methods[method]?.(args, pressed)
  return { ask, askPressed, latest, change, turns, save, load, marks: () => marks }
}

describe('what a form gives its script', () => {
  it('sets values one after the other before anything is drawn', async () => {
    const { ask, latest, change } = setUp()
    await Promise.all([ask('setValue', 'title', 'abc'), ask('setValue', 'weight', 7)])
    expect(latest.current).toEqual({ title: 'abc', weight: '7' })
    expect(change).toHaveBeenLastCalledWith({ title: 'abc', weight: '7' })
    await ask('setValues', { title: null, keeper: { id: 'k', name: 'K' } })
    expect(latest.current).toEqual({ title: undefined, weight: '7', keeper: { id: 'k', name: 'K' } })
  })

  it.each([
    ['a read only field', 'total', '5'],
    ['a field that is not there', 'secret', 'x'],
    ['a value of another shape', 'weight', { html: '<b>' }],
    ['a number that is none', 'weight', '12abc'],
    ['a person without an id', 'keeper', { name: 'K' }],
    ['rows that are none', 'parts', 'x'],
    ['rows with columns that are not there', 'parts', [{ price: '1' }]],
    ['rows with more than plain values', 'parts', [{ name: { html: 1 } }]],
  ])('refuses to set %s', async (_, code, value) => {
    const { ask, change } = setUp()
    await expect(ask('setValue', code, value)).rejects.toThrow(/execution error/)
    expect(change).not.toHaveBeenCalled()
  })

  it('leaves limits to the checks of the form, which say them at the field', async () => {
    const { ask, latest } = setUp()
    await ask('setValue', 'title', 'much too long')
    expect(latest.current.title).toBe('much too long')
  })

  it('sets nothing while the record is read', async () => {
    const { ask, change } = setUp({ editing: false })
    for (const call of [
      ['setValue', 'title', 'x'],
      ['setValues', { title: 'x' }],
      ['addRow', 'parts', {}],
    ])
      await expect(ask(...(call as [string]))).rejects.toThrow(/read only/)
    expect(change).not.toHaveBeenCalled()
  })

  it('adds, changes and removes rows, and hides the keys of the screen', async () => {
    const { ask } = setUp({ values: { parts: [{ id: 'r1', name: 'bolt', count: '4' }] } })
    expect(await ask('addRow', 'parts', { name: 'nut', count: 8 })).toBe(1)
    await ask('setRow', 'parts', 0, { count: 5 })
    expect(await ask('getRows', 'parts')).toEqual([
      { id: 'r1', name: 'bolt', count: '5' },
      { name: 'nut', count: '8' },
    ])
    await ask('removeRow', 'parts', 0)
    expect(await ask('getValue', 'parts')).toEqual([{ name: 'nut', count: '8' }])
    for (const index of [-1, 1, 0.5, '0', null]) await expect(ask('removeRow', 'parts', index)).rejects.toThrow()
  })

  it('marks fields, and knows nothing of those that a role does not see', async () => {
    const { ask, marks, load } = setUp()
    await ask('setVisible', 'title', false)
    await ask('setRequired', 'weight', true)
    await ask('setReadonly', 'keeper', true)
    await ask('setVisible', 'secret', true)
    expect(marks()).toEqual({
      hidden: new Set(['title']),
      required: new Set(['weight']),
      readonly: new Set(['keeper']),
      faults: {},
      looked: {},
    })
    await ask('setVisible', 'title', true)
    expect(marks().hidden.size).toBe(0)
    expect(await ask('getValue', 'secret')).toBeNull()
    const narrowed = withReadonly(load, new Set(['keeper'])).form.fields
    expect(narrowed.filter(({ readOnly }) => readOnly).map(({ propertyCode }) => propertyCode)).toEqual([
      'total',
      'keeper',
    ])
  })

  it('tells of the person what forms need', async () => {
    expect(await setUp().ask('getUser')).toEqual({ id: 'u', username: 'zhang', name: '张工', departmentName: null })
  })

  it('saves nothing that nobody asked for', async () => {
    const { ask, askPressed, save } = setUp()
    await ask('edit')
    await ask('setValue', 'title', 'sly')
    await expect(ask('callAction', 'save')).rejects.toThrow(/only when a button was pressed/)
    expect(save).not.toHaveBeenCalled()
    for (let i = 0; i < 20; i++) await askPressed('callAction', 'save')
    await expect(askPressed('callAction', 'save')).rejects.toThrow(/more than 20 times a press/)
    expect(save).toHaveBeenCalledTimes(20)
  })

  it('runs buttons by their code, and turns at most twenty times a minute', async () => {
    const { ask, askPressed, save, turns } = setUp()
    await askPressed('callAction', 'save')
    expect(save).toHaveBeenCalledOnce()
    await expect(askPressed('callAction', 'delete')).rejects.toThrow(/action required/)
    for (let i = 0; i < 20; i++) await ask('refresh')
    await expect(ask('edit')).rejects.toThrow(/more than 20 times/)
    expect(turns.refresh).toHaveBeenCalledTimes(20)
    expect(turns.edit).not.toHaveBeenCalled()
  })
})
