import { type FormWidgetProps, useHeldPhone } from '@sluice/sdk'
import { RowCards } from './cards'
import { SheetGrid } from './grid'
import type { SheetRow } from './rows'
import { useGrid } from './use-grid'

/** The rows of a sub-table: a grid as in a spreadsheet, on a phone cards. */
export function FormWidget(props: FormWidgetProps<SheetRow[]>) {
  const { id, field, schemaCode, values, describedBy, invalid } = props
  const state = useGrid(props)
  const phone = useHeldPhone()
  const shared = {
    id,
    field,
    schemaCode,
    values,
    ...(describedBy === undefined ? {} : { describedBy }),
    ...(invalid === undefined ? {} : { invalid }),
  }
  return phone ? <RowCards {...state} {...shared} /> : <SheetGrid {...state} {...shared} />
}
