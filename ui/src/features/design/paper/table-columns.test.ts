import { describe, expect, it } from 'vitest'
import { sampleModel } from '@/testing/print-model'
import type { PrintProperty } from './api'
import { addable, widths } from './table-columns'

const sample = sampleModel.properties.find((one) => one.code === 'payments.payable') as PrintProperty
const number = (zh: string, unit = '', en = ''): PrintProperty => ({ ...sample, unit, label: { zh, i18n: { en } } })
const text = (zh: string, propertyType = 'ShortText'): PrintProperty => ({
  ...sample,
  number: false,
  sums: [],
  propertyType,
  label: { zh },
})

describe('columns of a generated table', () => {
  it.each([
    ['金额', '元'],
    ['本期应付', '万元'],
    ['合价', ''],
    ['数量', '个'],
    ['方量', 'm³'],
  ])('%s (%s) is added', (zh, unit) => expect(addable(number(zh, unit), [])).toBe(true))

  it.each([
    ['单价', '元'],
    ['综合单价', '元/m³'],
    ['含税金额占比', '%'],
    ['税率', ''],
    ['实测值', ''],
    ['强度', 'MPa'],
    ['标高', 'm'],
  ])('%s (%s) is not', (zh, unit) => expect(addable(number(zh, unit), [])).toBe(false))

  it('quantities of several units are not added, amounts beside them are', () => {
    const all = [text('名称'), text('单位'), number('数量'), number('单价'), number('金额')]
    expect(all.map((one) => addable(one, all))).toEqual([false, false, false, false, true])
    expect(addable(number('数量'), [text('施工单位')])).toBe(true)
  })

  it('widths follow types and heads, and fill the room', () => {
    const all = [text('名称'), text('说明', 'LongText'), number('数量'), text('合格', 'Logic'), text('备注')]
    const [name, long, count, yes, last] = widths(all, 176)
    expect(long).toBeGreaterThan(name as number)
    expect(name).toBeGreaterThan(count as number)
    expect(count).toBeGreaterThan(yes as number)
    expect(last).toBeUndefined()
    expect((name ?? 0) + (long ?? 0) + (count ?? 0) + (yes ?? 0)).toBeLessThan(176 - 12 - 10)
  })
})
