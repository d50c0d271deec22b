import { dateFormat, displayFormatOf, type FieldPlan } from '@sluice/sdk'

/** How finely people choose: a year, a month, or a day. */
export function granularity(field: FieldPlan): 'year' | 'month' | 'date' {
  const format = dateFormat(displayFormatOf(field))
  return format === 'yyyy' ? 'year' : format === 'yyyy-MM' ? 'month' : 'date'
}
