import { useCallback, useEffect, useRef, useState } from 'react'
import { useSession } from '@/api/session'
import type { FormLoad } from '@/api/types'
import { removeUnsent, writeUnsent } from '@/lib/unsaved-store'
import { useMe } from '@/sdk/me'
import type { RecordKey } from '../api'
import type { RecordController } from '../record/use-record'
import { type FoundInput, findUnsaved, fitting, placeOf, type UnsavedInput, unsavedOf } from './unsaved'

/** Typing that pauses this long is written down. */
const PAUSE = 500

interface Place {
  address: RecordKey
  load: FormLoad
  record: RecordController
  editing: boolean
  /** What is typed can be sent at all. */
  sends: boolean
}

/**
 * Keeps what is typed and not saved through a reload. What waited from before is only shown: until somebody restores or
 * discards it, it stays beside what is typed now.
 */
export function useUnsaved({ address, load, record, editing, sends }: Place) {
  const me = useMe()
  const at = me ? placeOf(me.id, address) : null
  const place = sends ? at : null
  const [found, setFound] = useState<FoundInput | null>(() => (at ? findUnsaved(at) : null))
  const { changes, base, version } = record
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  /** What has to be written; undefined when all is. */
  const due = useRef<{ place: string; unsent: UnsavedInput } | undefined>(undefined)

  const write = useCallback(() => {
    clearTimeout(timer.current)
    const next = due.current
    due.current = undefined
    // After a sign-out nothing may be left behind, by no tab.
    if (!next || useSession.getState().status === 'out') return
    if (Object.keys(next.unsent.fields).length === 0) removeUnsent(next.place)
    else writeUnsent(next.place, next.unsent)
  }, [])

  const touched = useRef(false)
  useEffect(() => {
    if (!place || !editing) return
    const typed = unsavedOf(load, version, base, changes)
    if (Object.keys(typed.fields).length > 0) touched.current = true
    if (!touched.current) return
    // Fields of two times under one version: the older one, so that the difference is not overlooked.
    const unsent = found ? { ...found, fields: { ...found.fields, ...typed.fields } } : typed
    due.current = { place, unsent }
    timer.current = setTimeout(write, PAUSE)
    return () => clearTimeout(timer.current)
  }, [place, editing, load, version, base, changes, found, write])

  useEffect(() => {
    const hidden = () => document.visibilityState === 'hidden' && write()
    window.addEventListener('pagehide', write)
    document.addEventListener('visibilitychange', hidden)
    return () => {
      window.removeEventListener('pagehide', write)
      document.removeEventListener('visibilitychange', hidden)
      write() // the form goes and nobody decided: what is due is not lost
    }
  }, [write])

  // The record closed while it was typed into.
  useEffect(() => {
    if (sends || !at) return
    write()
    setFound(findUnsaved(at))
  }, [sends, at, write])

  /** What was typed here is saved or given up; what waited from before, undecided, goes on waiting. */
  const forget = () => {
    clearTimeout(timer.current)
    due.current = undefined
    touched.current = false
    if (!place) return
    if (found) writeUnsent(place, found, found.at)
    else removeUnsent(place)
  }
  /** The record is gone, and all input with it. */
  const drop = () => {
    setFound(null)
    clearTimeout(timer.current)
    due.current = undefined
    touched.current = false
    if (at) removeUnsent(at)
  }
  return {
    found,
    /** The record takes nothing any more: what waits can be read and given up. */
    closed: !sends,
    /** Fields of the waiting input that the form still takes. */
    fits: found ? fitting(found, load.form.fields) : {},
    /** The waiting input is in the form now: it is what is typed. */
    taken: () => {
      touched.current = true
      setFound(null)
    },
    /** The waiting input is given up; what is typed now stays. */
    discard: () => {
      if (at) removeUnsent(at)
      touched.current = true
      setFound(null)
    },
    forget,
    drop,
  }
}

export type UnsentController = ReturnType<typeof useUnsaved>
