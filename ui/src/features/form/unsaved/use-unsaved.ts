import { useCallback, useEffect, useRef, useState } from 'react'
import { useSession } from '@/api/session'
import type { FormLoad } from '@/api/types'
import { newToken } from '@/lib/token'
import { removeUnsent, writeUnsent } from '@/lib/unsaved-store'
import { useMe } from '@/sdk/me'
import {
  findUnsaved,
  heldPlaces,
  holdPlace,
  UNSAVED_PARAM,
  type UnsavedInput,
  type WaitingForm,
  waitingForms,
} from '@/sdk/unsaved-forms'
import type { RecordKey } from '../api'
import type { RecordController } from '../record/use-record'
import { addressOf, fitting, formOf, placeOf, unsavedOf } from './unsaved'

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

/** What waits at exactly this place. */
function waitingAt(key: string): WaitingForm | null {
  const found = findUnsaved(key)
  return found && { ...found, key }
}

/** An entry as it is written. */
const inputOf = ({ version, form, fields, of }: WaitingForm): UnsavedInput => ({
  version,
  form,
  fields,
  ...(of ? { of } : {}),
})

/**
 * Keeps what is typed and not saved through a reload. What waited from before is only shown: until somebody restores or
 * discards it, it stays beside what is typed now.
 */
export function useUnsaved({ address, load, record, editing, sends }: Place) {
  const me = useMe()
  const base = me ? placeOf(me.id, address) : null
  const [beginning] = useState(newToken)
  // Two new records of one form are two: each writes to a place of its own.
  const isNew = address.objectId === undefined
  const at = base && (isNew ? `${base}/${beginning}` : base)
  const place = sends ? at : null
  const [found, setFound] = useState<WaitingForm | null>(() => (at && !isNew ? waitingAt(at) : null))
  const [others, setOthers] = useState(0)
  useEffect(() => {
    if (!isNew || !base || !at) return
    const free = holdPlace(at)
    let open = true
    void heldPlaces().then((held) => {
      if (!open) return
      const waiting = waitingForms(base).filter(({ key }) => key !== at && !held.has(key))
      const asked = new URLSearchParams(window.location.search).get(UNSAVED_PARAM)
      const first = waiting.find(({ key }) => key.endsWith(`/${asked}`)) ?? waiting[0] ?? null
      setFound(first)
      setOthers(Math.max(0, waiting.length - 1))
    })
    return () => {
      open = false
      free()
    }
  }, [isNew, base, at])
  const { changes, base: values, version } = record
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  /** What has to be written; undefined when all is. */
  const due = useRef<{ place: string; unsent: UnsavedInput } | undefined>(undefined)
  /** An entry whose input is in the form: it goes once that is written down. */
  const moved = useRef<string | null>(null)
  const write = useCallback(() => {
    clearTimeout(timer.current)
    const next = due.current
    due.current = undefined
    // After a sign-out nothing may be left behind, by no tab.
    if (!next || useSession.getState().status === 'out') return
    if (Object.keys(next.unsent.fields).length === 0) removeUnsent(next.place)
    else if (!writeUnsent(next.place, next.unsent)) return
    if (moved.current) removeUnsent(moved.current)
    moved.current = null
  }, [])
  const touched = useRef(false)
  const now = useRef(address)
  now.current = address
  useEffect(() => {
    if (!place || !editing) return
    const typed = unsavedOf(load, version, values, changes)
    if (Object.keys(typed.fields).length > 0) touched.current = true
    if (!touched.current) return
    const of = formOf(load, addressOf(now.current, window.location))
    // Fields of two times under one version: the older one, so that the difference is not overlooked.
    const unsent = found?.key === place ? { ...inputOf(found), fields: { ...found.fields, ...typed.fields } } : typed
    due.current = { place, unsent: { ...unsent, of } }
    timer.current = setTimeout(write, PAUSE)
    return () => clearTimeout(timer.current)
  }, [place, editing, load, version, values, changes, found, write])
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
    setFound(waitingAt(at))
  }, [sends, at, write])

  /** What was typed here is saved or given up; what waited from before, undecided, goes on waiting. */
  const forget = () => {
    clearTimeout(timer.current)
    due.current = undefined
    touched.current = false
    if (!place) return
    if (moved.current) removeUnsent(moved.current)
    moved.current = null
    if (found?.key === place) writeUnsent(place, inputOf(found), found.at)
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
    /** How many more wait for this form: they are listed with the drafts. */
    others,
    /** The record takes nothing any more: what waits can be read and given up. */
    closed: !sends,
    /** Fields of the waiting input that the form still takes. */
    fits: found ? fitting(found, load.form.fields) : {},
    /** The waiting input is in the form now: it is what is typed. */
    taken: () => {
      touched.current = true
      if (found && found.key !== place) moved.current = found.key
      setFound(null)
    },
    /** The waiting input is given up; what is typed now stays. */
    discard: () => {
      if (found) removeUnsent(found.key)
      touched.current = true
      setFound(null)
    },
    forget,
    drop,
  }
}

export type UnsentController = ReturnType<typeof useUnsaved>
