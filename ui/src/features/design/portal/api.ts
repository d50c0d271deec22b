import { get, post } from '@/api/client'
import type { components } from '@/api/schema.gen'
import { type Check, checkDocument, type DocumentDraft } from '../shared/api'
import { readJson, writeJson } from '../shared/json'

type Schemas = components['schemas']
export type DrawnPage = Schemas['PortalPage']
export type DrawnWidget = Schemas['PortalWidget']
export type DrawnRows = Schemas['PortalRows']
export type Label = Schemas['PlanLabel']
/** What a page may name, and what it is. */
export type PortalDesign = Schemas['PortalChoices'] & {
  portalCode: string
  appCode: string | null
  /** The reader may change its script, which runs in the browsers of all its readers. */
  scripts: boolean
}
export type WidgetType = PortalDesign['types'][number]
export type Choice = Pick<PortalDesign['apps'][number], 'code' | 'label'>
export type PortalModel = Schemas['PortalModel']
export type PortalProperty = PortalModel['properties'][number]
/** What the compiler says of a page, and how it looks. */
export type PortalCheck = Check & { page: DrawnPage | null }

type Context = { signal: AbortSignal }

/** Names a page in calls; the application is needed while it is new. */
export const pageOf = (portalCode: string, appCode: string | null) => ({
  portalCode,
  ...(appCode && { appCode }),
})

export const choicesQuery = (portalCode: string, appCode: string | null) => ({
  queryKey: ['design', 'portal', portalCode, appCode] as const,
  queryFn: ({ signal }: Context) => get('/api/portal/page/design', pageOf(portalCode, appCode), { signal }),
  staleTime: 0,
  gcTime: 0,
  refetchOnWindowFocus: false,
  retry: false,
})

export const portalModelQuery = (portalCode: string, appCode: string | null, schemaCode: string) => ({
  queryKey: ['design', 'portal-model', portalCode, appCode, schemaCode] as const,
  queryFn: ({ signal }: Context) =>
    get('/api/portal/page/model', { ...pageOf(portalCode, appCode), schemaCode }, { signal }),
  enabled: schemaCode !== '',
  retry: false,
})

export const designedQuery = (appCode: string | null) => ({
  queryKey: ['design', 'portals', appCode] as const,
  queryFn: ({ signal }: Context) => get('/api/portal/page/designed', appCode ? { appCode } : {}, { signal }),
  retry: false,
})

const checkPortal = (draft: DocumentDraft): Promise<PortalCheck> =>
  checkDocument(draft).then((check) => ({ ...check, page: check.drawn as DrawnPage | null }))

/** What the compiler says of a page; one with faulty widgets is drawn without them. */
export async function checkDrawn(body: DocumentDraft): Promise<PortalCheck> {
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

/** The records of a widget of a draft. */
export const draftRows = (body: Schemas['PortalDraftRows'], signal: AbortSignal) =>
  post('/api/portal/page/rows', body, { signal })
