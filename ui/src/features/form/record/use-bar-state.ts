import { ApiError } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import { useOnline } from '@/lib/use-online'
import { useText } from '@/sdk/use-text'

interface Situation {
  saving: { isPending: boolean; error: unknown }
  faults: number
  waiting: number
  unsaved: boolean
}

/** Faults of fields and another version, which are shown where they are. */
const ELSEWHERE: readonly number[] = [ERROR.RecordInvalid, ERROR.VersionStale]

/** What goes on with the form, in the words of the bar below it: the gravest thing first. */
export function useBarState({ saving, faults, waiting, unsaved }: Situation): { text: string; faulty: boolean } {
  const t = useText()
  const online = useOnline()
  const { error } = saving
  const failure =
    error instanceof Error && !(error instanceof ApiError && ELSEWHERE.includes(error.code)) ? error : null
  const faulty = (text: string) => ({ text, faulty: true })
  const fine = (text: string) => ({ text, faulty: false })
  if (!online) return faulty(t('form.offline'))
  if (failure) return faulty(failure.message || t('common.noConnection'))
  if (saving.isPending) return { text: t('form.saving'), faulty: faults > 0 }
  if (faults > 0) return faulty(t('form.errors', { count: faults }))
  if (waiting > 0) return fine(t('file.uploading', { count: waiting }))
  return fine(unsaved ? t('form.unsaved') : '')
}
