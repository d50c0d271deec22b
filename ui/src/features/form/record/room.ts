import type { FormField } from '@/api/types'
import { propertyUI } from '@/registry/properties'

/** One line of a control, and what a field has above it. */
const LINE = 32
const LABEL = 26

/** About how high the control of a field is, to keep its place. */
export const controlHeight = (field: FormField, value: unknown): number =>
  (!field.readOnly && propertyUI(field.propertyType).room?.(value ?? null, field)) || LINE

/** About how high a field is with its label. */
export const fieldHeight = (field: FormField | undefined, value: unknown): number =>
  LABEL + (field ? controlHeight(field, value) : LINE)
