// @vitest-environment node
import { describe, expect, it } from 'vitest'
import { newsOf } from './meanwhile'

describe('what others do to the record that is being edited', () => {
  it('is told of this record only, by the last word', () => {
    expect(newsOf(null, [{ id: 'b', kind: 'update' }], 'a')).toBeNull()
    expect(newsOf(null, [{ id: 'a', kind: 'update' }], 'a')).toBe('changed')
    expect(newsOf('changed', [{ id: 'b', kind: 'delete' }], 'a')).toBe('changed')
    expect(newsOf('changed', [{ id: 'a', kind: 'delete' }], 'a')).toBe('deleted')
    expect(newsOf('deleted', [{ id: 'a', kind: 'create' }], 'a')).toBeNull()
  })
})
