// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { remoteChangeOf } from './remote-change'

const ann = { kind: 'changed', by: ['Ann'] } as const
const changed = (...by: string[]) => ({ kind: 'changed' as const, by })

describe('what others do to the record that is being edited', () => {
  it('is told of this record only, by the last word', () => {
    expect(remoteChangeOf(null, [{ id: 'b', kind: 'update' }], 'a')).toBeNull()
    expect(remoteChangeOf(null, [{ id: 'a', kind: 'update' }], 'a')).toEqual({ kind: 'changed', by: null })
    expect(remoteChangeOf(changed('Ann'), [{ id: 'b', kind: 'delete' }], 'a')).toEqual(ann)
    expect(remoteChangeOf(changed('Ann'), [{ id: 'a', kind: 'delete' }], 'a')).toEqual({ kind: 'deleted', by: null })
    expect(remoteChangeOf(changed('Ann'), [{ id: 'a', kind: 'delete', by: 'Bo' }], 'a')).toEqual({
      kind: 'deleted',
      by: 'Bo',
    })
    expect(remoteChangeOf({ kind: 'deleted', by: 'Bo' }, [{ id: 'a', kind: 'create' }], 'a')).toBeNull()
  })

  it('names each who changed it once, and nobody when one of them may not be known', () => {
    const update = (by?: string) => [{ id: 'a', kind: 'update' as const, ...(by ? { by } : {}) }]
    expect(remoteChangeOf(null, update('Ann'), 'a')).toEqual(ann)
    expect(remoteChangeOf(changed('Ann'), update('Ann'), 'a')).toEqual(ann)
    expect(remoteChangeOf(changed('Ann'), update('Bo'), 'a')).toEqual(changed('Ann', 'Bo'))
    expect(remoteChangeOf(changed('Ann'), update(), 'a')).toEqual({ kind: 'changed', by: null })
    expect(remoteChangeOf({ kind: 'changed', by: null }, update('Ann'), 'a')).toEqual({ kind: 'changed', by: null })
  })
})
