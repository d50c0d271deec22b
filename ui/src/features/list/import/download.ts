import { useState } from 'react'
import { fetchFile, saveFile } from '@/api/files'
import { useFeedback } from '@/sdk/feedback'
import { useText } from '@/sdk/use-text'

/** A file that is smaller holds no spreadsheet, but perhaps words of a proxy. */
const LEAST = 100

/** Fetches a file and gives it to the browser; what failed is said. */
export function useDownload() {
  const t = useText()
  const say = useFeedback()
  const [running, setRunning] = useState(false)
  const start = async (url: string) => {
    setRunning(true)
    try {
      const { blob, name } = await fetchFile(url)
      if (blob.size < LEAST) throw new Error(t('import.downloadFailed'))
      saveFile(blob, name)
    } catch (error) {
      say.error(error)
    } finally {
      setRunning(false)
    }
  }
  return { running, start }
}
