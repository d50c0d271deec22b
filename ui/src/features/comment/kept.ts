import type { StoredFile } from '@/api/types'
import type { Person } from '@/lib/mentions'

/** What is being written. */
export interface CommentDraft {
  text: string
  files: StoredFile[]
  picked: Person[]
}

export interface Kept {
  open: boolean
  writing?: CommentDraft | undefined
}

/** What stays of the comments of each record while its page is drawn again, as it is after each save. */
export type KeptTalk = Map<string, Kept>
