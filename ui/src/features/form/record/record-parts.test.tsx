import { act, cleanup, render, screen } from '@testing-library/react'
import { type ComponentType, lazy } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { lazyButton } from '@/components/button-slot'
import { addPack, allParts } from '@/registry/registry'
import { defineRecordPart } from '@/sdk/pack'
import { RecordParts } from './record-parts'

afterEach(cleanup)

describe('parts of a record', () => {
  const load = { id: 'r1', version: 3, name: '甲', actions: ['save'], form: { schemaCode: 'lot', sheetCode: 'lot' } }
  const shown = (place: 'head' | 'above' | 'side' | 'below', record: object = load) => {
    render(<RecordParts place={place} load={record as never} side={null} kept={new Map()} />)
    return screen.queryAllByText(/^part /).map((one) => one.textContent)
  }
  const part = (name: string, more: object) =>
    defineRecordPart({ name, place: 'below', Part: ({ objectId }) => <p>{`part ${name} of ${objectId}`}</p>, ...more })
  addPack({
    pack: 'parts',
    parts: [
      part('any', {}),
      part('lots', { models: ['lot'] }),
      part('ships', { models: ['ship'] }),
      part('traced', { when: ({ actions }: { actions: string[] }) => actions.includes('form_track') }),
      part('beside', { place: 'side' }),
      part('running', { place: 'above', when: (of: { workflowInstanceId: string | null }) => of.workflowInstanceId }),
    ],
  })

  it('stand in their place, for their models and rights, of records that are stored', () => {
    expect(allParts().length).toBeGreaterThanOrEqual(5)
    expect(shown('below')).toEqual(['part any of r1', 'part lots of r1'])
    cleanup()
    expect(shown('side')).toEqual(['part beside of r1'])
    cleanup()
    expect(shown('below', { ...load, actions: ['form_track'] })).toContain('part traced of r1')
    cleanup()
    expect(shown('above')).toEqual([])
    cleanup()
    expect(shown('above', { ...load, workflowInstanceId: 'i1' })).toEqual(['part running of r1'])
    cleanup()
    expect(shown('below', { ...load, id: null })).toEqual([])
  })

  it('in the head keep the place of a button whose file comes late: those beside it stay', async () => {
    const come: ((loaded: ComponentType) => void)[] = []
    const file = () => new Promise<ComponentType>((resolve) => come.push(resolve))
    const late = (name: string) => () => <button type="button">{name}</button>
    const head = { place: 'head', models: ['late'] }
    addPack({
      pack: 'late',
      parts: [
        part('ours', { ...head, Part: lazyButton(file, 'talk') }),
        part('theirs', { ...head, Part: lazy(() => file().then((loaded) => ({ default: loaded }))) }),
        part('ready', { ...head, Part: late('ready') }),
      ],
    })
    const { container } = render(
      <RecordParts
        place="head"
        load={{ ...load, form: { schemaCode: 'late', sheetCode: 'late' } } as never}
        side={null}
        kept={new Map()}
      />,
    )
    const [ours, theirs, ready] = container.children
    expect(container.children.length).toBe(3)
    expect([ours, theirs].map((slot) => [slot?.matches(':disabled'), slot?.getAttribute('aria-hidden')])).toEqual([
      [true, 'true'],
      [true, 'true'],
    ])
    await act(async () => come.forEach((here, i) => void here(late(`late ${i}`))))
    expect([...container.children].map((one) => one.textContent)).toEqual(['late 0', 'late 1', 'ready'])
    expect(container.children[2]).toBe(ready)
  })
})
