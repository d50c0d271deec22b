import type { InputRef } from 'antd'
import { Fragment, lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { ListConfig, PagePart } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { useHotkey } from '@/lib/hotkeys'
import { settle, useSettled } from '@/lib/settled'
import { Unknown } from '@/registry/unknown'
import { useText } from '@/sdk/use-text'
import { listViewOf } from '../list-view'
import { pageLayout } from '../page-layout'
import { listRoot } from '../row-marks'
import { useFilterPanel } from '../use-filter-panel'
import { useListActions } from '../use-list-actions'
import { useListController } from '../use-list-controller'
import { FilterChips } from './filter-chips'
import { Grid } from './grid'
import { ListPanels } from './list-panels'
import { SkeletonRows } from './list-skeleton'
import { ListState } from './list-state'
import styles from './list-table.module.css'
import { SelectionBar } from './selection-bar'
import { TitleRow } from './title-row'

const BulkLayer = lazy(() => import('../bulk/bulk-layer').then((m) => ({ default: m.BulkLayer })))
const FilterRow = lazy(() => import('./filter-row').then((m) => ({ default: m.FilterRow })))
const FilterDrawer = lazy(() => import('./filter-drawer').then((m) => ({ default: m.FilterDrawer })))
const IgnoredFilters = lazy(() => import('./ignored-filters').then((m) => ({ default: m.IgnoredFilters })))
const Pager = lazy(() => import('./pager').then((m) => ({ default: m.Pager })))

/** The list on a wide screen, its parts in the order that the definition gives them. */
export function ListTable({ config }: { config: ListConfig }) {
  const controller = useListController(config)
  const actions = useListActions(controller)
  const { presentationType } = config.queryPresentation
  const view = listViewOf(presentationType)
  const settled = useSettled()
  const { isPending } = controller.query
  const rowsCome = !view?.ownRows && (isPending || controller.rows.length > 0)
  useEffect(() => {
    if (!rowsCome) settle()
  }, [rowsCome])
  const filterRow = useRef<HTMLDivElement>(null)
  const keyword = useRef<InputRef>(null)
  const panel = useFilterPanel(config)
  const { parts, side } = pageLayout(config)
  const { htmlJsonError } = config.queryPresentation
  useHotkey('/', () => {
    if (keyword.current) return keyword.current.focus({ cursor: 'all' })
    if (panel.drawer) return panel.setDrawn(true)
    flushSync(() => panel.setOpen(true))
    filterRow.current?.querySelector('input')?.focus()
  })
  const filters = panel.has && panel.open && (
    <Suspense fallback={<div className={styles.panel} />}>
      {settled ? (
        <FilterRow ref={filterRow} controller={controller} columns={side ? 1 : undefined} />
      ) : (
        <div className={styles.panel} />
      )}
    </Suspense>
  )
  const aside = side && filters && (
    <aside className={styles.aside} style={{ width: side.width }}>
      {filters}
    </aside>
  )
  const table = (
    <div className={styles.table} data-fetching={controller.query.isFetching || undefined}>
      <ListState controller={controller} actions={actions}>
        {!view ? (
          <Unknown kind="views" name={presentationType} />
        ) : view.Rows ? (
          <Suspense fallback={<SkeletonRows />}>
            <view.Rows list={controller} />
          </Suspense>
        ) : (
          <Grid controller={controller} actions={actions} />
        )}
      </ListState>
      <SelectionBar controller={controller} actions={actions} />
    </div>
  )
  const drawn: Record<PagePart['part'], (part: PagePart) => ReactNode> = {
    toolbar: () => <TitleRow controller={controller} actions={actions} panel={panel} keyword={keyword} />,
    filter: () => filters,
    table: () => (
      <>
        <FilterChips controller={controller} />
        {(controller.ignored.length > 0 || controller.lost.length > 0 || controller.bare.length > 0) && (
          <Suspense fallback={null}>
            <IgnoredFilters controller={controller} />
          </Suspense>
        )}
        {aside ? (
          <div className={styles.beside}>
            {side.left && aside}
            {table}
            {!side.left && aside}
          </div>
        ) : (
          table
        )}
      </>
    ),
    pager: () => (
      <Suspense fallback={<div className={styles.pager} />}>
        {settled ? <Pager controller={controller} /> : <div className={styles.pager} />}
      </Suspense>
    ),
    text: (part) => <PartText part={part} />,
  }
  return (
    <div className={styles.page} {...listRoot(config)}>
      {htmlJsonError && <LayoutFault fault={htmlJsonError} />}
      {parts.map((part, i) => (
        <Fragment key={`${part.part}${i}`}>{drawn[part.part](part)}</Fragment>
      ))}
      <ListPanels controller={controller} />
      <Suspense fallback={null}>
        {panel.drawn && (
          <FilterDrawer controller={controller} placement="right" onClose={() => panel.setDrawn(false)} />
        )}
      </Suspense>
      <Suspense fallback={null}>{settled && <BulkLayer controller={controller} />}</Suspense>
    </div>
  )
}

const textIn = ({ text, text_i18n }: PagePart, locale: string) => (locale === 'zh' ? text : (text_i18n[locale] ?? text))

const PartText = ({ part }: { part: PagePart }) => (
  <p className={styles.text} data-tone={part.tone}>
    {textIn(part, useLocale())}
  </p>
)

/** Why the layout of the definition is not used: its author reads it where it would show. */
function LayoutFault({ fault }: { fault: PagePart }) {
  const t = useText()
  return (
    <p role="alert" className={styles.text} data-tone="warning">
      <strong>{t('table.layoutFault')}</strong> {textIn(fault, useLocale())}
    </p>
  )
}
