import type { components } from '@/api/schema.gen'
import { type Call, refuse } from './fake-server'

type Schemas = components['schemas']

interface Options {
  kind: Schemas['DesignKind']
  code: string
  appCode: string | null
  /** What is published; null: nothing is. */
  document: object | null
  /** What the canvas of the kind shows. */
  drawn?: (body: Schemas['DesignProof']) => unknown
  diagnostics?: () => object[]
  ways?: () => object[]
}

const I = { id: 'u1', name: '张三' }
const SHE = { id: 'u2', name: '李四' }

/** The desk of one document as its server keeps it, for one person at a browser (张三) and another one elsewhere (李四). */
export function fakeDesk({ kind, code, appCode, document, drawn, diagnostics, ways }: Options) {
  let version = 1
  let owner: typeof I | null = null
  let text = document === null ? '' : JSON.stringify(document)
  let draft: Schemas['DesignKept'] | null = null
  let older: Schemas['DesignKept'][] = []
  const versions: { version: number; text: string; by: typeof I }[] = []
  let publishedBy = ''
  const seen = () => (text === '' ? '' : `s${version}`)
  const sent: { check?: Schemas['DesignProof']; publish?: Schemas['DesignDraft']; kept: Schemas['DesignDraft'][] } = {
    kept: [],
  }
  const lock = () => ({
    locked: owner !== null,
    mine: owner?.id === I.id,
    owner: owner?.id ?? null,
    ownerName: owner?.name ?? null,
    expireIn: 600,
    mayTake: true,
  })
  const holds = () => {
    if (owner?.id !== I.id) refuse(409, 560900, 'lost', lock())
  }
  const keptBy = (by: typeof I, of: string, began: string) => ({
    text: of,
    seen: began,
    time: '2026-11-26T06:00:00Z',
    by: by.id,
    byName: by.name,
  })
  const body = <T>(call: Call) => call.body as T
  const answers: Record<string, unknown> = {
    '/api/organization/user/info': { ...I, permissions: ['ADMIN'] },
    '/api/design/begun': [],
    '/api/design/document': () => ({
      kind,
      code,
      appCode,
      appLabel: appCode === null ? null : { zh: '船闸' },
      new: text === '',
      whole: true,
      readOnly: false,
      text,
      seen: seen(),
      version,
      draft,
      older,
      lock: lock(),
    }),
    '/api/design/lock': () => {
      owner ??= I
      return lock()
    },
    '/api/design/takeover': () => {
      owner = I
      return lock()
    },
    '/api/design/unlock': () => {
      if (owner?.id === I.id) owner = null
      return {}
    },
    '/api/design/check': (call: Call) => {
      sent.check = body(call)
      const is = seen()
      return {
        diagnostics: diagnostics?.() ?? [],
        ways: ways?.() ?? [],
        seen: is,
        changedBy: sent.check?.seen === is ? '' : publishedBy,
        drawn: drawn?.(body(call)) ?? null,
      }
    },
    '/api/design/plan': { steps: [], class: 'safe' },
    '/api/design/draft': (call: Call) => {
      holds()
      const of = body<Schemas['DesignDraft']>(call)
      sent.kept.push(of)
      draft = keptBy(I, of.text, of.seen ?? '')
      return { time: draft.time }
    },
    '/api/design/discard': () => {
      holds()
      draft = null
      older = []
      return {}
    },
    '/api/design/publish': (call: Call) => {
      const of = body<Schemas['DesignDraft']>(call)
      sent.publish = of
      holds()
      const is = seen()
      if (of.seen !== is)
        refuse(409, 401003, 'conflict', { diagnostics: [], ways: [], drawn: null, seen: is, changedBy: publishedBy })
      version++
      const entries = Object.entries(JSON.parse(of.text) as object)
      text = JSON.stringify(Object.fromEntries(entries.reverse())) // as the server, in an order of its own
      draft = null
      older = []
      versions.unshift({ version, text, by: I })
      return { version, seen: seen(), text }
    },
    '/api/design/history': () =>
      versions.map((one) => ({
        version: one.version,
        time: '2026-11-25T08:00:00Z',
        author: one.by.id,
        note: '',
        name: one.by.name,
      })),
    '/api/design/version': ({ search }: Call) => {
      const of = Number(search.get('version'))
      const found = versions.find((one) => one.version === of)
      return { version: of, text: found?.text ?? JSON.stringify(document) }
    },
  }
  return {
    answers,
    sent,
    /** What was kept last. */
    kept: () => JSON.parse(sent.kept.at(-1)?.text ?? '{}'),
    draft: () => draft,
    published: () => (text === '' ? null : JSON.parse(text)),
    /** Somebody else edits it. */
    sheEdits: () => {
      owner = SHE
    },
    /** Another tab of mine has given the lock back. */
    iLeave: () => {
      owner = null
    },
    sheLeaves: () => {
      owner = null
    },
    sheKeeps: (of: object, began = seen()) => {
      draft = keptBy(SHE, JSON.stringify(of), began)
    },
    sheLeft: (of: object) => {
      older = [keptBy(SHE, JSON.stringify(of), seen())]
    },
    shePublishes: (of: object) => {
      version++
      text = JSON.stringify(of)
      publishedBy = SHE.name
      versions.unshift({ version, text, by: SHE })
    },
    iKept: (of: object | string, began = seen()) => {
      draft = keptBy(I, typeof of === 'string' ? of : JSON.stringify(of), began)
    },
  }
}
