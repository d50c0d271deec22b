import { useState } from 'react'
import { saveFile } from '@/api/files'
import { useFeedback } from '@/sdk/feedback'
import { type Asked, fetchPrintout, type PrintFile } from './api'

/** Fetches a file of what is printed and gives it to the browser, once at a time. */
export function useDownload(asked: Asked) {
  const say = useFeedback()
  const [running, setRunning] = useState(false)
  const run = async (file: PrintFile) => {
    if (running) return
    setRunning(true)
    try {
      const { blob, name } = await fetchPrintout(asked, file)
      saveFile(blob, name)
    } catch (error) {
      say.error(error)
    } finally {
      setRunning(false)
    }
  }
  return { running, run }
}
