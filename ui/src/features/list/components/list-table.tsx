import { Fragment, type ReactNode, useRef } from 'react'
import type { ListConfig, PagePart } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { useHotkey } from '@/lib/hotkeys'
import { useText } from '@/sdk/use-text'
import { pageLayout } from '../page-layout'
import { listRoot } from '../row-marks'
import { useListActions } from '../use-list-actions'
import { useListController } from '../use-list-controller'
import { FilterChips } from './filter-chips'
import { FilterRow } from './filter-row'
import { Grid } from './grid'
import { ListPanels } from './list-panels'
import { ListState } from './list-state'
import styles from './list-table.module.css'
import { Pager } from './pager'
import { SelectionBar } from './selection-bar'
import { TitleRow } from './title-row'

/** The list on a wide screen, its parts in the order that the definition gives them. */
export function ListTable({ config }: { config: ListConfig }) {
  const controller = useListController(config)
  const actions = useListActions(controller)
  const filterRow = useRef<HTMLDivElement>(null)
  useHotkey('/', () => filterRow.current?.querySelector('input')?.focus())
  const { parts, side } = pageLayout(config)
  const { htmlJsonError } = config.queryPresentation
  const filters = config.queryConditions.some((condition) => condition.visible) && (
    <FilterRow ref={filterRow} controller={controller} columns={side ? 1 : undefined} />
  )
  const aside = side && filters && (
    <aside className={styles.aside} style={{ width: side.width }}>
      {filters}
    </aside>
  )
  const table = (
    <div className={styles.table} data-fetching={controller.query.isFetching || undefined}>
      <ListState controller={controller} actions={actions}>
        <Grid controller={controller} actions={actions} />
      </ListState>
      <SelectionBar controller={controller} actions={actions} />
    </div>
  )
  const drawn: Record<PagePart['part'], (part: PagePart) => ReactNode> = {
    toolbar: () => <TitleRow controller={controller} actions={actions} />,
    filter: () => filters,
    table: () => (
      <>
        <FilterChips controller={controller} />
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
    pager: () => <Pager controller={controller} />,
    text: (part) => <PartText part={part} />,
  }
  return (
    <div className={styles.page} {...listRoot(config)}>
      {htmlJsonError && <LayoutFault fault={htmlJsonError} />}
      {parts.map((part, i) => (
        <Fragment key={`${part.part}${i}`}>{drawn[part.part](part)}</Fragment>
      ))}
      <ListPanels controller={controller} />
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
