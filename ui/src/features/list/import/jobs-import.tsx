import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useErrorText } from '@/sdk/error-text'
import { useFeedback } from '@/sdk/feedback'
import { jobsImportQuery } from './api'
import { ImportDialog } from './import-dialog'

/** The import that a job belongs to, away from its list. */
export function JobsImport({ jobId, onClose }: { jobId: string; onClose: () => void }) {
  const say = useFeedback()
  const client = useQueryClient()
  const errorText = useErrorText()
  const { data, error } = useQuery({ ...jobsImportQuery(jobId), staleTime: Number.POSITIVE_INFINITY })
  const close = useRef(onClose)
  close.current = onClose
  useEffect(() => {
    if (!error) return
    say.warning(errorText(error))
    close.current()
  }, [error, say, errorText])
  if (!data) return null
  const refresh = async () => {
    await client.invalidateQueries({ queryKey: ['list', data.schemaCode] })
    await client.invalidateQueries({ queryKey: ['tasks'] })
  }
  const { schemaCode, queryCode } = data
  return <ImportDialog context={{ schemaCode, queryCode, refresh }} first={data.id} onClose={onClose} />
}
