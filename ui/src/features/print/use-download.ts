import { useState } from 'react'
import { saveFile } from '@/api/files'
import { useFeedback } from '@/sdk/feedback'
import { type Asked, fetchPdf } from './api'

/** Fetches the PDF and gives it to the browser, once at a time. */
export function useDownload(asked: Asked) {
  const say = useFeedback()
  const [running, setRunning] = useState(false)
  const run = async () => {
    if (running) return
    setRunning(true)
    try {
      const { blob, name } = await fetchPdf(asked)
      saveFile(blob, name)
    } catch (error) {
      say.error(error)
    } finally {
      setRunning(false)
    }
  }
  return { running, run }
}
