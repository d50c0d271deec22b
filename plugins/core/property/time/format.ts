import type { FieldPlan } from '@sluice/sdk'

export const timeFormat = (field: FieldPlan) => (field.displayFormat === 'HH:mm' ? 'HH:mm' : 'HH:mm:ss')

export const showTime = (value: string, field: FieldPlan) => value.slice(0, timeFormat(field).length)
