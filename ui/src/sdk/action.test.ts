import { describe, expect, it } from 'vitest'
import type { Row } from '@/api/types'
import { writesInPlace } from './action'

const row = (more: Partial<Row>): Row => ({
  id: 'a',
  data: {},
  workflowInstanceId: null,
  sequenceStatus: null,
  version: 1,
  ...more,
})

describe('what is changed in place', () => {
  it.each([
    ['a list that tells nothing', {}, true],
    ['a row that takes changes', { actions: ['edit'] }, true],
    ['a row that takes none', { actions: ['delete'] }, false],
    ['an approved row whose reader may amend it', { actions: ['edit'], open: [] }, false],
    ['what a workflow leaves open', { actions: ['edit'], open: ['order'] }, true],
    ['another property than the open one', { actions: ['edit'], open: ['start'] }, false],
  ])('%s', (_, more, may) => {
    expect(writesInPlace(row(more), 'order')).toBe(may)
  })
})
