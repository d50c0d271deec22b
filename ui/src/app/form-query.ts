import { returnPath } from '@/lib/address'

/** The address of a form, as the specification writes it (1-shell, route form-detail). */
export interface FormQuery {
  schemaCode: string | null
  sheetCode: string | null
  queryCode: string | null
  objectId: string | null
  copyFrom: string | null
  edit: boolean
  /** What a new record refers to: by a property, or by the model that it leads to. */
  relation: { propertyCode: string; schemaCode?: string; id: string } | null
  /** A workflow to start, or one that a notification is about. */
  workflow: string | null
  /** Where closing leads. */
  back: string | null
  /** A button opened it: saving leads back as well. */
  fromButton: boolean
}

const yes = (value: string | null) => value === '1' || value === 'true'

export function readFormQuery(search: URLSearchParams): FormQuery {
  const relId = search.get('relId')
  const tip = yes(search.get('isFromTips'))
  const relSchema = search.get('relSchemacode') ?? search.get('relSchemaCode')
  return {
    schemaCode: search.get('schemaCode'),
    sheetCode: search.get('sheetCode'),
    queryCode: search.get('queryCode'),
    objectId: search.get('key') || search.get('objectId'),
    copyFrom: search.get('copyFrom'),
    // A notification is read first.
    edit: yes(search.get('edit')) && !tip,
    relation: relId
      ? {
          propertyCode: search.get('relPropertyCode') ?? '',
          ...(relSchema ? { schemaCode: relSchema } : {}),
          id: relId,
        }
      : null,
    workflow: search.get('startWorkflowCode') ?? search.get('workflowInstanceId'),
    back: returnPath(search.get('return')),
    fromButton: yes(search.get('customButtonOpen')),
  }
}
