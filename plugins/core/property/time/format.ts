import { displayFormatOf, type FieldPlan } from '@sluice/sdk'

export const timeFormat = (field: FieldPlan) => (displayFormatOf(field) === 'HH:mm' ? 'HH:mm' : 'HH:mm:ss')

export const showTime = (value: string, field: FieldPlan) => value.slice(0, timeFormat(field).length)
