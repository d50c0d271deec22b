import { useEffect, useRef, useState } from 'react'
import { useFeedback } from '@/sdk/feedback'
import { ProgressDialog } from './progress-dialog'
import { RecordsDialog } from './records-dialog'
import { useTeller } from './use-teller'
import { watch } from './watch'

export interface FileJobProps {
  title: string
  /** Starts the job, once. */
  start: () => Promise<{ id: string; jobId: string; name: string }>
  onClose: () => void
}

/** Starts a job that makes a file, and shows how far it is; the browser saves the file when it is there. */
export function FileJob({ title, start, onClose }: FileJobProps) {
  const say = useFeedback()
  const teller = useTeller()
  const [records, setRecords] = useState(false)
  const [started, setStarted] = useState(false)
  const asked = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is started once
  useEffect(() => {
    if (asked.current) return
    asked.current = true
    start().then(
      (job) => {
        watch(job, teller)
        setStarted(true)
      },
      (error) => {
        say.error(error)
        onClose()
      },
    )
  }, [])
  if (!started) return null
  if (records) return <RecordsDialog onClose={onClose} />
  return <ProgressDialog title={title} onClose={onClose} onRecords={() => setRecords(true)} />
}
