import { Button, Checkbox } from 'antd'
import { lazy, type ReactNode, Suspense, useId, useState } from 'react'
import { Link } from 'react-router'
import type { ColumnPlan, ListConfig } from '@/api/types'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useLongPress } from '@/lib/use-long-press'
import { propertyUI } from '@/registry/properties'
import { Pages } from '@/sdk/pages'
import { isEmptyValue } from '@/sdk/property'
import { recordPath } from '@/sdk/record-link'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { plainAction } from '../actions/list-action'
import { useListActions } from '../actions/use-list-actions'
import { aggregateName, aggregateWords } from '../data/aggregates'
import type { ShownRow } from '../data/use-tree-rows'
import { FilterChips } from '../filters/filter-chips'
import { IgnoredFilters } from '../filters/ignored-filters'
import { KeywordBox } from '../filters/keyword-box'
import { useRecycleAction } from '../recycle/recycle-action'
import { linkColumn } from '../table/column-defs'
import { listRoot, markClass, rowMarkClass } from '../table/row-marks'
import { type ListController, useListController } from '../use-list-controller'
import styles from './card-list.module.css'
import { CardSort, sortableColumns } from './card-sort'
import { ListPanels } from './list-panels'
import { ListState } from './list-state'
import { SelectionBar } from './selection-bar'
import { ViewSwitcher } from './title-row'

const BulkLayer = lazy(() => import('../bulk/bulk-layer').then((m) => ({ default: m.BulkLayer })))
const ActionSheet = lazy(() => import('../actions/action-sheet'))
const FilterDrawer = lazy(() => import('../filters/filter-drawer').then((m) => ({ default: m.FilterDrawer })))
const ChangesHint = lazy(() => import('./changes-hint'))

/** What the sheet of actions is about: a row, or the list. */
type About = ShownRow | 'list'

/** The list on a phone: cards, filters in a sheet. */
export function CardList({ config }: { config: ListConfig }) {
  const t = useText()
  const controller = useListController(config, { mobile: true })
  const actions = useListActions(controller)
  const [filtering, setFiltering] = useState(false)
  const [selecting, setSelecting] = useState(false)
  const many = actions.some((action) => action.place !== 'page')
  const [about, setAbout] = useState<About | null>(null)
  const ofRow = actions.filter((action) => action.place !== 'page' && !action.bulk)
  const recycle = useRecycleAction(controller)
  const add = actions.find((action) => action.primary)
  const ofList = [
    ...actions.filter((action) => action.place === 'page' && action !== add),
    ...actions.flatMap((action) => action.more.map((one) => plainAction(one))),
    ...recycle,
  ]
  const locale = useLocale()
  const context = useTextContext()
  const nameOf = (row: ShownRow) => {
    const link = linkColumn(controller.shownColumns, config.queryPresentation.fixedLeftColumns)
    const value = link && row.data[link.propertyCode]
    return link && !isEmptyValue(value) ? propertyUI(link.propertyType).text(value, link, context) : t('list.unnamed')
  }
  const conditions = config.queryConditions.filter((condition) => condition.visible)
  const sortable = sortableColumns(controller)
  const { selected, store } = controller
  const tick = (rows: ShownRow[], on: boolean) => {
    const those = new Set(rows.map(({ id }) => id))
    const others = [...selected.values()].filter(({ id }) => !those.has(id))
    store.getState().select(on ? [...others, ...rows] : others)
  }
  return (
    <div className={styles.page} {...listRoot(config)}>
      <div className={styles.head}>
        <div className={styles.title}>
          <ViewSwitcher controller={controller} />
          {/* Its line is there before the number is. */}
          <span className={styles.count}>
            {controller.total === null ? '\u00a0' : t('list.records', { count: controller.total })}
          </span>
        </div>
        {(conditions.length > 0 || sortable.length > 0) && (
          <Button
            type="text"
            className={styles.tool ?? ''}
            aria-label={t('list.filter')}
            icon={<Icon name="filter" size={20} />}
            onClick={() => setFiltering(true)}
          />
        )}
        {many && (
          <Button
            type="text"
            className={styles.tool ?? ''}
            aria-label={t('bulk.select')}
            aria-pressed={selecting}
            icon={<Icon name="check" size={20} />}
            onClick={() => {
              setSelecting(!selecting)
              store.getState().clearSelection()
            }}
          />
        )}
        {add && (
          <Button
            type="text"
            className={styles.tool ?? ''}
            aria-label={add.label}
            icon={<Icon name="plus" size={20} />}
            onClick={() => add.run([])}
          />
        )}
        {ofList.length > 0 && (
          <Button
            type="text"
            className={styles.tool ?? ''}
            aria-label={t('list.moreActions')}
            icon={<Icon name="more" size={20} />}
            onClick={() => setAbout('list')}
          />
        )}
      </div>
      <div className={styles.news}>
        <Suspense fallback={null}>
          <ChangesHint controller={controller} />
        </Suspense>
      </div>
      {config.searchable && (
        <div className={styles.search}>
          <KeywordBox controller={controller} />
        </div>
      )}
      <FilterChips controller={controller} />
      <IgnoredFilters controller={controller} />
      <ListState controller={controller} actions={actions}>
        {selecting && <TickPage controller={controller} onTick={tick} />}
        <ul className={styles.cards}>
          {controller.rows.map((row) => (
            <Place
              key={row.id}
              ticked={selecting && !row.above ? selected.has(row.id) : null}
              onTick={(on) => tick([row], on)}
              onHold={
                many && !selecting && !row.above
                  ? () => {
                      setSelecting(true)
                      tick([row], true)
                    }
                  : null
              }
            >
              <Card
                row={row}
                controller={controller}
                ticking={selecting}
                onMore={!selecting && ofRow.some((action) => action.enabled([row])) ? () => setAbout(row) : null}
              />
            </Place>
          ))}
        </ul>
        <Totals controller={controller} />
        <div className={styles.pager}>
          <Pages
            simple
            current={controller.view.page + 1}
            pageSize={controller.view.size}
            total={controller.total ?? 0}
            showSizeChanger={false}
            onChange={(page, size) => controller.setPage(page - 1, size)}
          />
        </div>
      </ListState>
      <SelectionBar controller={controller} actions={actions} />
      <Suspense fallback={null}>
        <BulkLayer controller={controller} />
      </Suspense>
      {about && (
        <Suspense fallback={null}>
          <ActionSheet
            title={about === 'list' ? localName(config, locale) : nameOf(about)}
            actions={about === 'list' ? ofList : ofRow}
            rows={about === 'list' ? [] : [about]}
            onClose={() => setAbout(null)}
          />
        </Suspense>
      )}
      <ListPanels controller={controller} />
      <Suspense fallback={null}>
        {filtering && (
          <FilterDrawer controller={controller} placement="bottom" onClose={() => setFiltering(false)}>
            {sortable.length > 0 && <CardSort controller={controller} columns={sortable} />}
          </FilterDrawer>
        )}
      </Suspense>
    </div>
  )
}

/** The figures that the table has in its footer, over the whole result. */
function Totals({ controller }: { controller: ListController }) {
  const t = useText()
  const locale = useLocale()
  const context = useTextContext()
  const sums = controller.shownColumns.flatMap((column) => {
    const figure = aggregateWords(column, controller.aggregates[column.propertyCode], context)
    return column.sumType && figure
      ? [{ code: column.propertyCode, name: aggregateName(column, t, locale), figure }]
      : []
  })
  if (sums.length === 0) return null
  return (
    <dl className={styles.totals} aria-label={t('list.totals')}>
      {sums.map(({ code, name, figure }) => (
        <div key={code}>
          <dt>{name}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Deeper levels stand no further in: a card needs its width. */
const DEEPEST = 5

/** Ticks the records of the page, or none of them. */
function TickPage({
  controller,
  onTick,
}: {
  controller: ListController
  onTick: (rows: ShownRow[], on: boolean) => void
}) {
  const t = useText()
  const rows = controller.rows.filter((row) => !row.above)
  const ticked = rows.filter((row) => controller.selected.has(row.id)).length
  return (
    <Checkbox
      className={styles.tickPage ?? ''}
      checked={rows.length > 0 && ticked === rows.length}
      indeterminate={ticked > 0 && ticked < rows.length}
      onChange={(event) => onTick(rows, event.target.checked)}
    >
      {t('list.selectPage')}
    </Checkbox>
  )
}

interface PlaceProps {
  /** null: it is not to be ticked now. */
  ticked: boolean | null
  onTick: (on: boolean) => void
  /** A finger rests on the card; null = that does nothing. */
  onHold: (() => void) | null
  children: ReactNode
}

/** A card with its tick. While cards are ticked all of the card is its label; before, a finger that rests on it begins with it. */
function Place({ ticked, onTick, onHold, children }: PlaceProps) {
  const t = useText()
  const id = useId()
  const press = useLongPress(() => onHold?.())
  return (
    <li
      className={ticked === null ? '' : styles.ticking}
      {...(onHold ? press : { onClickCapture: press.onClickCapture })}
    >
      {ticked === null ? (
        children
      ) : (
        <>
          <Checkbox
            id={id}
            aria-label={t('list.selectRow')}
            checked={ticked}
            onChange={(event) => onTick(event.target.checked)}
          />
          <label htmlFor={id}>{children}</label>
        </>
      )}
    </li>
  )
}

const says = (column: ColumnPlan) => propertyUI(column.propertyType).says

/** What its author put first, a figure and a date say most; other columns fill what is missing, in the list's order. */
export function threeFacts(columns: ColumnPlan[]): ColumnPlan[] {
  const wanted = [columns[0], ...(['figure', 'date'] as const).map((kind) => columns.find((one) => says(one) === kind))]
  const chosen = new Set<ColumnPlan>()
  for (const column of [...wanted, ...columns]) if (column && chosen.size < 3) chosen.add(column)
  return columns.filter((column) => chosen.has(column))
}

interface CardProps {
  row: ShownRow
  controller: ListController
  /** Records are ticked: the card leads nowhere. */
  ticking: boolean
  /** Opens what can be done with the record; null = nothing. */
  onMore: (() => void) | null
}

/** The name, the state, and three facts; figures are exact. */
function Card({ row, controller, ticking, onMore }: CardProps) {
  const t = useText()
  const locale = useLocale()
  const context = useTextContext()
  const { config, shownColumns } = controller
  const link = linkColumn(shownColumns, config.queryPresentation.fixedLeftColumns)
  const markOf = (column: ColumnPlan) => row.mark?.cells?.[column.propertyCode]
  const has = (column: ColumnPlan) => !isEmptyValue(row.data[column.propertyCode]) || !!markOf(column)?.text
  const filled = shownColumns.filter((column) => column !== link && has(column))
  const state = filled.find((column) => says(column) === 'state')
  // What the list's script marks is a fact that its author wants to be seen.
  const others = filled.filter((column) => column !== state && !propertyUI(column.propertyType).nested)
  const marked = others.filter((column) => markClass(markOf(column)) || markOf(column)?.text)
  const facts = threeFacts(others)
  for (const column of marked) if (!facts.includes(column)) facts.push(column)
  const words = (column: ColumnPlan) =>
    markOf(column)?.text ?? propertyUI(column.propertyType).text(row.data[column.propertyCode], column, context)
  const look = (column: ColumnPlan | undefined) => {
    const mark = column && markOf(column)
    return { className: markClass(mark), ...(mark?.hint ? { title: mark.hint } : {}) }
  }
  const badge = ({ DRAFT: 'list.draft', PROCESSING: 'list.processing' } as const)[row.sequenceStatus as 'DRAFT']
  const StateCell = state && propertyUI(state.propertyType).Cell
  const branch = controller.nested && row.branch
  return (
    <div
      className={`${styles.cardRow} ${rowMarkClass(row.mark)}`}
      data-marked={row.mark?.tone}
      data-above={row.above}
      style={controller.nested ? { paddingInlineStart: Math.min(row.depth, DEEPEST) * 16 } : undefined}
    >
      {branch && (
        <button
          type="button"
          className={styles.branch}
          aria-expanded={row.branch !== 'closed'}
          aria-label={row.branch === 'closed' ? t('list.expand') : t('list.collapse')}
          onClick={() => controller.store.getState().toggleRow(row.id)}
        >
          <Icon name={row.branch === 'closed' ? 'right' : 'down'} />
        </button>
      )}
      {controller.tree && !branch && <span className={styles.branch} />}
      <Around
        to={
          ticking
            ? null
            : recordPath({
                schemaCode: config.schemaCode,
                sheetCode: config.sheetCode ?? null,
                queryCode: config.queryCode,
                id: row.id,
              })
        }
      >
        <span className={styles.cardHead}>
          <strong {...look(link)}>{link && has(link) ? words(link) : t('list.unnamed')}</strong>
          {state && (
            <span {...look(state)}>
              {StateCell && markOf(state)?.text === undefined ? (
                <StateCell value={row.data[state.propertyCode]} field={state} />
              ) : (
                words(state)
              )}
            </span>
          )}
          {badge && <span className={styles.badge}>{t(badge)}</span>}
        </span>
        {(row.above ? [] : facts).map((column) => (
          <span key={column.propertyCode} className={styles.fact}>
            <span>{localName(column, locale)}</span>
            <span className={`tabular ${markClass(markOf(column))}`} title={markOf(column)?.hint}>
              {words(column)}
            </span>
          </span>
        ))}
      </Around>
      {onMore && (
        <button type="button" className={styles.more} aria-label={t('list.moreActions')} onClick={onMore}>
          <Icon name="more" size={20} />
        </button>
      )}
    </div>
  )
}

/** The card leads to its record; null = nowhere. */
function Around({ to, children }: { to: string | null; children: ReactNode }) {
  if (to === null) return <span className={styles.card}>{children}</span>
  return (
    <Link className={styles.card ?? ''} to={to}>
      {children}
    </Link>
  )
}
