import { type ReactNode, useMemo, useRef } from 'react'
import type { FormLoad, LayoutItem } from '@/api/types'
import type { Scope } from '@/lib/expression'
import { useTextContext } from '@/sdk/system'
import type { RecordController } from '../record/use-record'
import { holds } from '../rules/rules'
import { formScope } from '../rules/scope'
import type { LayoutContext } from './templates'

/** Where the form's fields stand, and which groups are shown for the values that it has now. */
export function useLayout(
  load: FormLoad,
  record: RecordController,
  related: ((item: LayoutItem, objectId: string) => ReactNode) | undefined,
): LayoutContext {
  const context = useTextContext()
  const scope = useRef<Scope>(undefined)
  scope.current = formScope(context, record.operands)(record.values)
  // rjsf takes two functions for the same: this one reads what is current, whenever the fields are drawn.
  return useMemo(
    () => ({
      layout: load.form.layout,
      columns: load.form.columns,
      related: (item) => (load.id && related ? related(item, load.id) : null),
      shown: (item) => !item.displayRule || !scope.current || holds(item.displayRule, scope.current),
    }),
    [load, related],
  )
}
