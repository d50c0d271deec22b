import { type StoredFile, uploadFile } from '@sluice/sdk'
import { useCallback, useEffect, useRef, useState } from 'react'

/** A file on its way. One that failed can be sent again; one that was refused beforehand cannot. */
export interface Upload {
  key: number
  file: File
  state: 'waiting' | 'sending' | 'failed' | 'refused'
  /** From 0 to 1. */
  share: number
  /** Why it failed or was refused. */
  error: unknown
}

/** More at a time are not faster, and each of them looks stuck. */
const AT_ONCE = 3

let made = 0

interface Options {
  schemaCode: string
  propertyCode: string
  onStored: (file: StoredFile) => void
}

/** The uploads of one field. What has been stored leaves the list; the field's value holds it then. */
export function useUploads(options: Options) {
  const [uploads, setUploads] = useState<Upload[]>([])
  const latest = useRef(options)
  latest.current = options
  const queue = useRef<Upload[]>([])
  const sending = useRef(new Map<number, AbortController>())

  const change = useCallback(
    (key: number, part: Partial<Upload>) =>
      setUploads((list) => list.map((one) => (one.key === key ? { ...one, ...part } : one))),
    [],
  )
  const pump = useRef(() => {})
  const send = async ({ key, file }: Upload) => {
    const control = new AbortController()
    const { signal } = control
    sending.current.set(key, control)
    change(key, { state: 'sending' })
    const { schemaCode, propertyCode } = latest.current
    try {
      const onProgress = (share: number) => change(key, { share })
      const stored = await uploadFile(file, { schemaCode, propertyCode, signal, onProgress })
      if (signal.aborted) return
      setUploads((list) => list.filter((one) => one.key !== key))
      latest.current.onStored(stored)
    } catch (error) {
      if (!signal.aborted) change(key, { state: 'failed', error })
    } finally {
      sending.current.delete(key)
      pump.current()
    }
  }
  pump.current = () => {
    while (sending.current.size < AT_ONCE) {
      const next = queue.current.shift()
      if (!next) return
      void send(next)
    }
  }

  /** Takes files in; those with an error are only shown. */
  const add = (files: { file: File; error: unknown }[]) => {
    const fresh = files.map(({ file, error }): Upload => {
      made++
      return { key: made, file, state: error === null ? 'waiting' : 'refused', share: 0, error }
    })
    setUploads((list) => [...list, ...fresh])
    queue.current.push(...fresh.filter((one) => one.state === 'waiting'))
    pump.current()
  }
  const retry = (upload: Upload) => {
    const again: Upload = { ...upload, state: 'waiting', share: 0, error: null }
    change(upload.key, again)
    queue.current.push(again)
    pump.current()
  }
  /** Stops an upload, or takes one that failed off the list. */
  const remove = (key: number) => {
    queue.current = queue.current.filter((one) => one.key !== key)
    sending.current.get(key)?.abort()
    setUploads((list) => list.filter((one) => one.key !== key))
  }

  // A field that goes (a row that is removed, a form that is left) takes its uploads with it.
  useEffect(
    () => () => {
      queue.current = []
      for (const control of sending.current.values()) control.abort()
    },
    [],
  )
  const running = uploads.filter((one) => one.state === 'waiting' || one.state === 'sending').length
  const failed = uploads.filter((one) => one.state === 'failed').length
  return { uploads, running, failed, add, retry, remove }
}
