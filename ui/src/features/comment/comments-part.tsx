import { lazyButton } from '@/components/button-slot'
import { defineRecordPart, type RecordPartProps } from '@/sdk/pack'
import type { KeptTalk } from './kept'

const Comments = lazyButton(() => import('./comments').then((m) => m.Comments), 'talk')

const KEY = 'comments'

/** What people say about the record: a button in its head, and at its side what the button opens. */
function CommentsPart({ schemaCode, objectId, side, kept }: RecordPartProps) {
  const talks = (kept.get(KEY) as KeptTalk | undefined) ?? new Map()
  kept.set(KEY, talks)
  return <Comments schemaCode={schemaCode} objectId={objectId} side={side} kept={talks} />
}

export const commentsPart = defineRecordPart({ name: 'comments', place: 'head', Part: CommentsPart })
