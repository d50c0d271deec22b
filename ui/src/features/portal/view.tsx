import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type CSSProperties, type ReactNode, useMemo, useRef } from 'react'
import { useNavigate } from 'react-router'
import { isOwnPath, isSafeAddress } from '@/lib/address'
import { useAppearance } from '@/lib/appearance'
import { useWidth } from '@/lib/use-width'
import { loadFor } from '@/registry/bundles'
import { widgetUI } from '@/registry/registry'
import '@/registry/widgets'
import {
  heightOf,
  PortalContext,
  type PortalHandle,
  type PortalMode,
  type PortalPage,
  type PortalParts,
  type PortalRowsQuery,
  type PortalRowsRequest,
  type PortalTarget,
  type PortalWidget,
  portalRowsQuery,
} from '@/sdk/portal'
import { pageLook } from './look'
import { columnsFor, everyWidget, placesOf } from './places'
import styles from './portal.module.css'
import { WidgetBox } from './widget-box'

/** What a widget shows of a report. */
function reportUse(widgets: PortalWidget[], reportCode: string) {
  const of = everyWidget(widgets).filter(({ options }) => options.reportCode === reportCode)
  const codes = (key: string) => [
    ...new Set(of.flatMap(({ options }) => (typeof options[key] === 'string' ? [options[key]] : []))),
  ]
  return { charts: codes('chartCode').sort(), dataSets: codes('dataSet').sort() }
}

/** Loads the bundles of packs whose widgets are on the page. */
export function useBundles(page: PortalPage): boolean {
  const client = useQueryClient()
  const widgets = [...new Set(everyWidget(page.widgets).map(({ type }) => type))].filter((type) => !widgetUI(type))
  const { isPending } = useQuery({
    queryKey: ['interfaces', 'widgets', widgets],
    queryFn: () => loadFor(client, { widgets }).then(() => true),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: widgets.length > 0,
  })
  return widgets.length > 0 && isPending
}

/** What the widgets of a page know of it. Who arranges the published page sees its records, and its links lead nowhere. */
export function useHandle(
  page: PortalPage,
  mode: PortalMode,
  loading: boolean,
  draft: boolean = mode !== 'runtime',
  own?: PortalRowsOf,
): PortalHandle {
  const navigate = useNavigate()
  const go = useRef(navigate)
  go.current = navigate
  return useMemo(() => {
    const { portalCode, appCode, widgets } = page
    return {
      portalCode,
      appCode,
      mode,
      open: ({ to, external, newWindow }: PortalTarget) => {
        if (mode === 'design' || !to || !isSafeAddress(to)) return
        if (newWindow || external || !isOwnPath(to)) window.open(to, newWindow ? '_blank' : '_self', 'noopener')
        else void go.current(to)
      },
      rows: (widget, request) =>
        own
          ? own(
              widget,
              request,
              everyWidget(widgets).some((one) => one.id === widget && 'tabs' in one.options),
            )
          : portalRowsQuery(portalCode, draft ? 'design' : 'runtime', widget, request),
      drawn: (children) => <Stack widgets={children} loading={loading} />,
      uses: (reportCode) => reportUse(widgets, reportCode),
    }
  }, [page, mode, loading, draft, own])
}

/** Reads records in another way than for somebody who is signed in; several: the widget has tabs. */
export type PortalRowsOf = (widget: string, request: PortalRowsRequest, several: boolean) => PortalRowsQuery

interface Props {
  page: PortalPage
  mode: PortalMode
  parts: PortalParts
  /** Codes of widgets that the page's script hides. */
  hidden?: ReadonlySet<string> | undefined
  /** Below the widgets. */
  tools?: ReactNode
  rows?: PortalRowsOf
}

/** The widgets of a page on its grid; in one column where there is no room for more. */
export function PortalView({ page, mode, parts, hidden, tools, rows }: Props) {
  const appearance = useAppearance((state) => state.appearance)
  const loading = useBundles(page)
  const handle = useHandle(page, mode, loading, undefined, rows)
  const [ref, width] = useWidth<HTMLDivElement>()
  const columns = columnsFor(width)
  const { size, padding, fill } = page.page
  const shown = useMemo(
    () => page.widgets.filter((one) => !one.hidden && !(one.code && hidden?.has(one.code))),
    [page.widgets, hidden],
  )
  const places = useMemo(() => placesOf(shown, columns, fill && mode !== 'design'), [shown, columns, fill, mode])
  const paper: CSSProperties = {
    padding: columns === 1 ? Math.min(padding, 12) : padding,
    ...(size === 'fixed' ? { maxWidth: page.page.width } : {}),
  }
  return (
    <PortalContext value={useMemo(() => ({ handle, parts }), [handle, parts])}>
      <div className={styles.sheet} style={pageLook(page.page, appearance)}>
        <div className={styles.paper} style={paper}>
          <div ref={ref} className={styles.grid} data-columns={columns}>
            {places.map(({ widget, box }) => (
              <div key={widget.id} className={styles.cell} style={cellStyle(box, widget, columns)}>
                <WidgetBox widget={widget} loading={loading} />
              </div>
            ))}
          </div>
          {tools}
        </div>
      </div>
    </PortalContext>
  )
}

/** What a widget takes on a phone at least, where it asks for more. */
const PHONE_HEIGHT = 280

const cellStyle = (
  box: { x: number; y: number; width: number; height: number },
  widget: PortalWidget,
  columns: number,
): CSSProperties =>
  columns === 1
    ? { minHeight: widgetUI(widget.type)?.low ? 0 : Math.min(heightOf(widget.height), PHONE_HEIGHT) }
    : { gridColumn: `${box.x + 1} / span ${box.width}`, gridRow: `${box.y + 1} / span ${box.height}` }

/** The widgets inside of a layout, one below the other. */
function Stack({ widgets, loading }: { widgets: PortalWidget[]; loading: boolean }) {
  return (
    <div className={styles.stack}>
      {widgets.map((widget) => (
        <div key={widget.id} className={styles.cell} style={{ minHeight: heightOf(widget.height) }}>
          <WidgetBox widget={widget} loading={loading} />
        </div>
      ))}
    </div>
  )
}
