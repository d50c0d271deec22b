import { useMutation, useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import type { FormLoad } from '@/api/types'
import { deleteDrafts, type OpenedDraft, saveDraft } from '@/sdk/drafts'
import { useErrorText } from '@/sdk/error-text'
import { useText } from '@/sdk/use-text'
import type { RecordController } from '../record/use-record'
import { withoutEmpty } from '../rules/values'
import { unsavedOf } from '../why/use-ask-why'

const DRAFT_GONE = ERROR.DraftNotFound

/**
 * The form of a new record that is put aside on the server and gone on with later. `kept` reports whether the draft holds all that is in
 * the form now.
 */
export function useDraft(
  load: FormLoad,
  record: RecordController,
  begun: OpenedDraft | null | undefined,
  workflowCode?: string,
) {
  const t = useText()
  const errorText = useErrorText()
  const client = useQueryClient()
  const { message } = App.useApp()
  const id = useRef(begun?.id)
  /** When the draft that the form goes on from was changed last. */
  const seen = useRef(begun?.modifiedTime)
  /** What the draft holds, as text. */
  const [held, setHeld] = useState<string | null>(null)
  const latest = useRef('')
  const now = load.id === null ? JSON.stringify(unsavedOf(load, record)) : ''

  latest.current = now
  const filled = useRef(false)
  // What was just filled in is what the draft holds. It is declared before the filling: it waits for the values that come of it, beside defaults.
  const first = useRef(Boolean(begun))
  useEffect(() => {
    if (!first.current || !filled.current || now === '{}') return
    first.current = false
    setHeld(now)
  }, [now])
  useEffect(() => {
    if (!begun || filled.current) return
    filled.current = true
    const fits = load.form.fields.filter((field) => !field.readOnly && field.propertyCode in begun.data)
    const values = Object.fromEntries(
      fits.map(({ propertyCode }) => [propertyCode, begun.data[propertyCode] ?? undefined]),
    )
    record.change(withoutEmpty({ ...record.base, ...values }))
    const lost = begun.lost + Object.keys(begun.data).length - fits.length
    if (lost > 0) void message.warning(t('draft.lost', { count: lost }), 5)
  }, [begun, load, record, message, t])
  const keeping = useMutation({
    mutationFn: async () => {
      const { schemaCode, sheetCode } = load.form
      const data = unsavedOf(load, record)
      const of = workflowCode ? { workflowCode } : {}
      const keep = (at: { id?: string; seen?: string }) => saveDraft({ ...at, ...of, schemaCode, sheetCode, data })
      const stands = { ...(id.current ? { id: id.current } : {}), ...(seen.current ? { seen: seen.current } : {}) }
      const kept = await (id.current ? keep(stands) : keep({})).catch((error) => {
        if (error instanceof ApiError && error.code === DRAFT_GONE) return keep({}) // deleted elsewhere: it begins again
        throw error
      })
      return { kept, text: JSON.stringify(data) }
    },
    onSuccess: ({ kept, text }) => {
      id.current = kept.id
      seen.current = kept.modifiedTime
      setHeld(text)
      void client.invalidateQueries({ queryKey: ['drafts'] })
      if (kept.apart) void message.warning(t('draft.apart'), 5)
      else void message.success(t('draft.kept'))
    },
    onError: (error) => void message.error(errorText(error)),
  })
  return {
    /** Keeps the form; true when nothing was typed meanwhile. */
    keep: async () => (await keeping.mutateAsync()).text === latest.current,
    keeping: keeping.isPending,
    kept: held !== null && held === now,
    /** The record is there: its draft has done its work. */
    done: () => {
      if (!id.current) return
      const gone = id.current
      id.current = undefined
      // One that could not be removed stays in the list, where it can be deleted.
      void deleteDrafts([gone]).then(
        () => client.invalidateQueries({ queryKey: ['drafts'] }),
        () => {},
      )
    },
  }
}
