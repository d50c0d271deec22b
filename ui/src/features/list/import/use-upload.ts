import { useEffect, useRef, useState } from 'react'
import { deleteUpload, type UploadedFile, upload } from './api'
import { chooseFile, type FileRefusal } from './import-state'

export type UploadState =
  | { at: 'none'; refused: FileRefusal | null; error: unknown }
  | { at: 'sending'; name: string; size: number; share: number }
  | { at: 'ready'; file: UploadedFile }

const NOTHING: UploadState = { at: 'none', refused: null, error: null }

/** The file of an import. What was sent and is not used is removed from the server. */
export function useUpload() {
  const [state, setState] = useState<UploadState>(NOTHING)
  const sending = useRef<AbortController | null>(null)
  const ready = useRef<string | null>(null)
  const discard = () => {
    sending.current?.abort()
    sending.current = null
    if (ready.current) void deleteUpload(ready.current).catch(() => {}) // the server sweeps it by and by
    ready.current = null
  }
  useEffect(
    () => () => {
      sending.current?.abort()
      if (ready.current) void deleteUpload(ready.current).catch(() => {})
    },
    [],
  )
  const send = async (file: File) => {
    const mine = new AbortController()
    sending.current = mine
    setState({ at: 'sending', name: file.name, size: file.size, share: 0 })
    try {
      const got = await upload(file, mine.signal, (share) =>
        setState((now) => (now.at === 'sending' && !mine.signal.aborted ? { ...now, share } : now)),
      )
      if (mine.signal.aborted) return void deleteUpload(got.fileName).catch(() => {})
      ready.current = got.fileName
      setState({ at: 'ready', file: got })
    } catch (error) {
      if (!mine.signal.aborted) setState({ at: 'none', refused: null, error })
    }
  }
  return {
    state,
    /** What was dropped or chosen; the answer names why nothing is sent. */
    add: (files: File[]): FileRefusal | null => {
      const file = chooseFile(files, state.at !== 'none')
      if (typeof file !== 'string') {
        void send(file)
        return null
      }
      if (state.at === 'none' && file !== 'empty') setState({ at: 'none', refused: file, error: null })
      return file
    },
    remove: () => {
      discard()
      setState(NOTHING)
    },
    /** An import uses the file now: closing the dialog leaves it there. */
    used: () => {
      ready.current = null
    },
  }
}
