import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
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
})
