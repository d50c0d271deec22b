import { expect, it } from 'vitest'
import { batchValue } from './batch-value'

it.each([
  ['yes', true, 1],
  ['no', false, 0],
  ['choices', ['A', 'C'], 'A;C'],
  [
    'people',
    [
      { id: 'u1', name: '张伟', type: 3 },
      { id: 'd1', name: '总部', type: 1 },
    ],
    'u1;d1',
  ],
  ['a text', 'A;C', 'A;C'],
  ['a number', '12.5', '12.5'],
  ['one person', { id: 'u1', name: '张伟' }, { id: 'u1', name: '张伟' }],
])('%s travels as the call takes it', (_, value, wire) => expect(batchValue(value)).toEqual(wire))
