import type { StoredFile } from '@/api/types'
import { mentionedIn, type Person } from '@/lib/mentions'
import type { Action, Command } from '../api'

/** What somebody says about a task before it is sent. */
export interface Said {
  text: string
  files: StoredFile[]
  /** Who was picked behind an @; who is mentioned follows from the text. */
  picked: readonly Person[]
  /** An upload, "saved" for the one that the person keeps, or nothing. */
  signature: string
}

export const SAVED = 'saved'
export const NOTHING_SAID: Said = { text: '', files: [], picked: [], signature: '' }

/** Operations that are signed where a node wants signatures. */
const SIGNED: readonly Action[] = ['agree', 'submit', 'disagree', 'reject']

export const needsSignature = (signature: boolean, action: Action) => signature && SIGNED.includes(action)

/** Whether something would be lost with it. */
export const isSaid = ({ text, files, signature }: Said) =>
  text.trim() !== '' || files.length > 0 || (signature !== '' && signature !== SAVED)

/** What is sent of it. The signature is left out where nobody asks for one. */
export function saidIn(said: Said, signs: boolean): Pick<Command, 'opinion' | 'files' | 'mentions' | 'signature'> {
  const opinion = said.text.trim()
  const mentions = mentionedIn(said.text, [...said.picked])
  return {
    ...(opinion ? { opinion } : {}),
    ...(said.files.length > 0 ? { files: said.files.map((file) => file.refId) } : {}),
    ...(mentions.length > 0 ? { mentions } : {}),
    ...(signs && said.signature ? { signature: said.signature } : {}),
  }
}
