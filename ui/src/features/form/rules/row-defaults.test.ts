// @vitest-environment node
import { describe, expect, it } from 'vitest'
import type { FormField } from '@/api/types'
import { rowDefaults } from './row-defaults'
import { formScope } from './scope'

const column = (propertyCode: string, more: Partial<FormField> = {}) => ({ propertyCode, ...more }) as FormField
const scopeOf = formScope({ locale: 'zh', zone: 'Asia/Shanghai' })
const read = (name: string, outer: boolean) => ({ op: 'field', kind: 'number', column: name, outer })

describe('what a new row begins with', () => {
  it('is what its columns say, also of the record that it belongs to', () => {
    const columns = [
      column('item'),
      column('qty', { defaultValue: '1' }),
      column('rate', { defaultRule: read('rate', true) }),
      column('twice', { defaultRule: read('qty', false) }),
    ]
    expect(rowDefaults(columns, { rate: '0.06' }, scopeOf)).toEqual({ qty: '1', rate: '0.06', twice: '1' })
    expect(rowDefaults(columns, {}, scopeOf)).toEqual({ qty: '1', twice: '1' })
  })
})
