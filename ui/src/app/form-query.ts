import { returnPath } from '@/lib/address'

/** The address of a form (docs/formats.md, Addresses). */
export interface FormQuery {
  schemaCode: string | null
  sheetCode: string | null
  queryCode: string | null
  objectId: string | null
  copyFrom: string | null
  /** A draft that a new record goes on from. */
  draftId: string | null
  edit: boolean
  /** An earlier state of the record, to read: a version, a time, or the one that was deleted. */
  moment: { version: number } | { at: string } | { recycled: true } | null
  /** Editing begins with the contents of this version; 0 = as the record is. */
  revert: number
  /** What a new record refers to: by a property, or by the model that it leads to. */
  relation: { propertyCode: string; schemaCode?: string; id: string } | null
  /** A task or a copy, with the instance that it belongs to. */
  task: { workItemId: string; workflowInstanceId: string | null } | null
  /** A workflow to start. */
  startWorkflow: string | null
  /** An instance that a notification is about. */
  instance: string | null
  /** Where closing leads. */
  back: string | null
  /** A button opened it: saving leads back as well. */
  fromButton: boolean
}

function momentOf(search: URLSearchParams): FormQuery['moment'] {
  const version = Number(search.get('version') ?? 0)
  const at = search.get('at')
  if (yes(search.get('recycled'))) return { recycled: true }
  return version > 0 ? { version } : at ? { at } : null
}

const yes = (value: string | null) => value === '1' || value === 'true'

export function readFormQuery(search: URLSearchParams): FormQuery {
  const relId = search.get('relId')
  const tip = yes(search.get('isFromTips'))
  const workItemId = search.get('workItemId') || search.get('workitemId')
  const relSchema = search.get('relSchemacode') ?? search.get('relSchemaCode')
  return {
    schemaCode: search.get('schemaCode'),
    sheetCode: search.get('sheetCode'),
    queryCode: search.get('queryCode'),
    objectId: search.get('key') || search.get('objectId'),
    copyFrom: search.get('copyFrom'),
    draftId: search.get('draftId'),
    moment: momentOf(search),
    revert: Number(search.get('revert') ?? 0) || 0,
    // A notification is read first.
    edit: yes(search.get('edit')) && !tip,
    relation: relId
      ? {
          propertyCode: search.get('relPropertyCode') ?? '',
          ...(relSchema ? { schemaCode: relSchema } : {}),
          id: relId,
        }
      : null,
    task: workItemId ? { workItemId, workflowInstanceId: search.get('workflowInstanceId') || null } : null,
    startWorkflow: search.get('startWorkflowCode') || null,
    instance: search.get('workflowInstanceId') || null,
    back: returnPath(search.get('return')),
    fromButton: yes(search.get('customButtonOpen')),
  }
}
