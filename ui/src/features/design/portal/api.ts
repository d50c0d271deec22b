import { ApiError, get, post, put } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import type { components } from '@/api/schema.gen'
import { readJson, writeJson } from '../shared/json'

type Schemas = components['schemas']
export type DrawnPage = Schemas['PortalPage']
export type DrawnWidget = Schemas['PortalWidget']
export type DrawnRows = Schemas['PortalRows']
export type Label = Schemas['PlanLabel']
export type PortalDesign = Schemas['PortalDesign']
export type WidgetType = PortalDesign['types'][number]
export type Choice = Pick<PortalDesign['apps'][number], 'code' | 'label'>
export type Lock = Schemas['PortalLock']
export type PortalModel = Schemas['PortalModel']
export type PortalProperty = PortalModel['properties'][number]
/** Who edits has the lock: nobody else has a draft. */
export type PortalCheck = Omit<Schemas['PortalCheck'], 'others'>
export type PortalDraft = Schemas['PortalDraft']
/** A page, and the application that a new one belongs to. */
export type PortalName = Schemas['PortalName']

type Context = { signal: AbortSignal }

/** Names a page in calls; the application is needed while it is new. */
export const nameOf = (portalCode: string, appCode: string | null): PortalName => ({
  portalCode,
  ...(appCode && { appCode }),
})

export const portalDesignQuery = (portalCode: string, appCode: string | null) => ({
  queryKey: ['design', 'portal', portalCode, appCode] as const,
  queryFn: ({ signal }: Context) => get('/api/portal/page/design', nameOf(portalCode, appCode), { signal }),
  staleTime: 0,
  gcTime: 0,
  refetchOnWindowFocus: false,
  retry: false,
})

export const readDesign = (of: PortalName) => get('/api/portal/page/design', of)

export const portalModelQuery = (portalCode: string, appCode: string | null, schemaCode: string) => ({
  queryKey: ['design', 'portal-model', portalCode, appCode, schemaCode] as const,
  queryFn: ({ signal }: Context) =>
    get('/api/portal/page/model', { ...nameOf(portalCode, appCode), schemaCode }, { signal }),
  enabled: schemaCode !== '',
  retry: false,
})

export const designedQuery = (appCode: string | null) => ({
  queryKey: ['design', 'portals', appCode] as const,
  queryFn: ({ signal }: Context) => get('/api/portal/page/designed', appCode ? { appCode } : {}, { signal }),
  retry: false,
})

export const portalHistoryQuery = (portalCode: string, appCode: string | null) => ({
  queryKey: ['design', 'portal-history', portalCode] as const,
  queryFn: ({ signal }: Context) => get('/api/portal/page/history', nameOf(portalCode, appCode), { signal }),
  gcTime: 0,
})

export const readVersion = (portalCode: string, appCode: string | null, version: number) =>
  get('/api/portal/page/version', { ...nameOf(portalCode, appCode), version })

export const checkPortal = (body: PortalDraft): Promise<PortalCheck> =>
  post('/api/portal/page/check', body).then(({ others: _, ...check }) => check)

/** The same; a page with faulty widgets is drawn without them. */
export async function checkDrawn(body: PortalDraft): Promise<PortalCheck> {
  const check = await checkPortal(body)
  const sound = check.page ? null : withoutFaulty(body.text, check.diagnostics)
  if (sound === null) return check
  const { page } = await checkPortal({ ...body, text: sound })
  return { ...check, page }
}

/** The document with something else in the places of the widgets that errors are about; null: they are about other things. */
function withoutFaulty(text: string, diagnostics: PortalCheck['diagnostics']): string | null {
  const at = diagnostics
    .filter((one) => one.severity === 'error')
    .map((one) => /^\/widgets\/(\d+)/.exec(one.pointer ?? '')?.[1])
  if (at.length === 0 || at.includes(undefined)) return null
  const faulty = new Set(at.map(Number))
  const page = readJson(text) as { widgets: Record<string, unknown>[] }
  const widgets = page.widgets.map(({ x, y, width, height, ...one }, i) =>
    faulty.has(i) ? { type: 'ShortcutList', code: one.code, x, y, width, height } : { ...one, x, y, width, height },
  )
  return writeJson({ ...page, widgets })
}
export const publishPortal = (body: PortalDraft) => post('/api/portal/page/publish', body)
export const keepDraft = (body: PortalDraft) => put('/api/portal/page/draft', body)
export const discardDraft = (of: PortalName) => post('/api/portal/page/discard', of)
export const lockPortal = (of: PortalName) => post('/api/portal/page/lock', of)
export const takeOverPortal = (of: PortalName) => post('/api/portal/page/takeover', of)
export const unlockPortal = (of: PortalName) => post('/api/portal/page/unlock', of)

/** The records of a widget of a draft. */
export const draftRows = (body: Schemas['PortalDraftRows'], signal: AbortSignal) =>
  post('/api/portal/page/rows', body, { signal })

/** The person who holds the lock, as the refusal of a change names them; null: it is another refusal. */
export function lostTo(error: unknown): string | null {
  if (!(error instanceof ApiError) || error.code !== ERROR.PortalLockLost) return null
  const data = error.data as { ownerName?: string | null } | null
  return data?.ownerName ?? ''
}
