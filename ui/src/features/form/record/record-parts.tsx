import { Suspense } from 'react'
import type { FormLoad } from '@/api/types'
import { ButtonSlot } from '@/components/button-slot'
import { allParts, useRegistry } from '@/registry/registry'
import type { RecordPartProps, RecordPartUI } from '@/sdk/pack'

interface Props {
  place: RecordPartUI['place']
  load: FormLoad
  side: HTMLElement | null
  kept: RecordPartProps['kept']
}

const has = ({ models, when }: RecordPartUI, record: Parameters<NonNullable<RecordPartUI['when']>>[0]) =>
  (!models || models.includes(record.schemaCode)) && (!when || when(record))

/**
 * The parts that packs add to one place of the record's page; in the head, the place of a button is reserved while it loads. A new record
 * has none.
 */
export function RecordParts({ place, load, side, kept }: Props) {
  useRegistry()
  const { id, version, name, actions, form } = load
  const { schemaCode, sheetCode } = form
  const workflowInstanceId = load.workflowInstanceId ?? null
  if (!id) return null
  return allParts()
    .filter((part) => part.place === place && has(part, { schemaCode, actions, workflowInstanceId }))
    .map((part) => (
      <Suspense key={part.name} fallback={place === 'head' ? <ButtonSlot /> : null}>
        <part.Part
          {...{ schemaCode, sheetCode, version, name, actions, workflowInstanceId, side, kept }}
          objectId={id}
        />
      </Suspense>
    ))
}
