import { type RefObject, useEffect } from 'react'
import type { RecordController } from '../record/use-record'

/** Brings the first field with a fault into view and into focus. */
export function useFocusFault(page: RefObject<HTMLElement | null>, record: RecordController) {
  const focusFault = (codes: string[]) => {
    requestAnimationFrame(() => {
      const wrong = new Set(codes)
      const first = [...(page.current?.querySelectorAll<HTMLElement>('[data-field]') ?? [])].find((field) =>
        wrong.has(field.dataset.field ?? ''),
      )
      first?.scrollIntoView({ block: 'center', behavior: 'smooth' })
      first?.querySelector<HTMLElement>('input, textarea, [tabindex]')?.focus({ preventScroll: true })
    })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first fault of an answer is focused once, not again while the others are repaired
  useEffect(() => {
    if (record.faults.length > 0) focusFault(record.faults.map((fault) => fault.propertyCode.split('.')[0] ?? ''))
  }, [record.refusals])
  return focusFault
}
