import { type ReactNode, useMemo } from 'react'
import type { DraftRows, Drawing } from '@/features/design/portal/drawing'
import { PortalDesignPage } from '@/features/design/portal/portal-design-page'
import { PortalView, useBundles, useHandle } from '@/features/portal/view'
import { WidgetBox } from '@/features/portal/widget-box'
import { PortalContext, type PortalHandle, type PortalPage } from '@/sdk/portal'
import { portalParts } from './portal-parts'

/** The records of widgets come from the draft that is on the screen, and not from what is published. */
function useDraftHandle(page: PortalPage, rows: DraftRows): PortalHandle {
  const loading = useBundles(page)
  const handle = useHandle(page, 'design', loading)
  return useMemo(
    () => ({
      ...handle,
      rows: (widget, request) => {
        const one = page.widgets.find(({ id }) => id === widget)
        return {
          // Asked again when its widget changes, and not with every change of the page.
          queryKey: ['design', 'portal-rows', page.portalCode, widget, one?.options ?? null, request],
          queryFn: ({ signal }) =>
            rows(widget, request, signal) as ReturnType<ReturnType<PortalHandle['rows']>['queryFn']>,
        }
      },
    }),
    [handle, page, rows],
  )
}

/** Before the server has drawn the page: its frame is the same, so that what has the focus keeps it. */
const NOTHING = { portalCode: '', appCode: null, widgets: [] as PortalPage['widgets'] } as PortalPage

interface AroundProps {
  page: PortalPage | null
  rows: DraftRows
  children: ReactNode
}

function Around({ page, rows, children }: AroundProps) {
  const handle = useDraftHandle(page ?? NOTHING, rows)
  return <PortalContext value={useMemo(() => ({ handle, parts: portalParts }), [handle])}>{children}</PortalContext>
}

const drawing = {
  Around,
  Widget: ({ widget }) => <WidgetBox widget={widget as never} loading={false} />,
  View: ({ page }) => <PortalView page={page as never} mode="design" parts={portalParts} />,
} as Drawing

/** /portal-design/:pageCode. */
export const PortalDesignRoute = () => <PortalDesignPage drawing={drawing} />
