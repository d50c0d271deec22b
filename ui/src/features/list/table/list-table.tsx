import type { InputRef } from 'antd'
import { Fragment, lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { ListConfig, PagePart } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { useHotkey } from '@/lib/hotkeys'
import { rowsPainted, useSettled } from '@/lib/settled'
import { Unknown } from '@/registry/unknown'
import { useText } from '@/sdk/use-text'
import { useListActions } from '../actions/use-list-actions'
import { ListPanels } from '../components/list-panels'
import { SkeletonRows } from '../components/list-skeleton'
import { ListState } from '../components/list-state'
import { SelectionBar } from '../components/selection-bar'
import { TitleRow } from '../components/title-row'
import { FilterChips } from '../filters/filter-chips'
import { useFilterPanel } from '../filters/use-filter-panel'
import { listViewOf } from '../list-view'
import { pageLayout } from '../page-layout'
import { useListController } from '../use-list-controller'
import { Grid } from './grid'
import styles from './list-table.module.css'
import { listRoot } from './row-marks'

const BulkLayer = lazy(() => import('../bulk/bulk-layer').then((m) => ({ default: m.BulkLayer })))
const FilterRow = lazy(() => import('../filters/filter-row').then((m) => ({ default: m.FilterRow })))
const FilterDrawer = lazy(() => import('../filters/filter-drawer').then((m) => ({ default: m.FilterDrawer })))
const IgnoredFilters = lazy(() => import('../filters/ignored-filters').then((m) => ({ default: m.IgnoredFilters })))
const Pager = lazy(() => import('../components/pager').then((m) => ({ default: m.Pager })))

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
    if (!rowsCome) rowsPainted()
  }, [rowsCome])
  const filterRow = useRef<HTMLDivElement>(null)
  const keyword = useRef<InputRef>(null)
  const panel = useFilterPanel(config)
  const { parts, side } = pageLayout(config)
  const titled = parts.some((one) => one.part === 'toolbar')
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
        {settled ? <Pager controller={controller} counts={!titled} /> : <div className={styles.pager} />}
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
