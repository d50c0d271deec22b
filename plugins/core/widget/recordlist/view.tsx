import {
  effectiveFilters,
  type FieldPlan,
  type Filters,
  get,
  Icon,
  localName,
  optionText,
  type PortalHandle,
  PortalLink,
  type PortalRow,
  requestFilters,
  useDebounced,
  useErrorText,
  useLocale,
  usePortal,
  useText,
  useWidth,
  WidgetCard,
  WidgetEmpty,
  WidgetFailed,
  type WidgetProps,
  WidgetWaiting,
} from '@sluice/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Badge, Button, Input, Popover } from 'antd'
import { type ReactNode, Suspense, useState } from 'react'
import styles from './record-list.module.css'

interface Options {
  icon?: string
  iconSrc?: string | null
  schemaCode: string
  queryCode?: string
  rowsShown?: number
  filters?: boolean
  moreTo?: string | null
}

/** Narrower than this a table has no room for its columns. */
const TABLE = 460
const SHOWN = 10
/** Columns that a card has beside its name, as the cards of lists. */
const ON_CARD = 3
const NUMBER = 2

const configQuery = (schemaCode: string, queryCode: string | undefined) => ({
  queryKey: ['portal', 'list-config', schemaCode, queryCode ?? ''],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    get('/api/runtime/query/config', { schemaCode, ...(queryCode ? { queryCode } : {}) }, { signal }),
  retry: false,
})

/** A list of a model with its filters: found, turned, opened. */
export function RecordList({ widget, page }: WidgetProps<Options>) {
  const t = useText()
  const locale = useLocale()
  const { parts } = usePortal()
  const { options } = widget
  const { schemaCode, queryCode, filters: searched = true, rowsShown = SHOWN } = options
  const [typed, setTyped] = useState('')
  const keyword = useDebounced(typed.trim())
  const [filters, setFilters] = useState<Filters>({})
  const [at, setAt] = useState(0)
  const { data: config } = useQuery({ ...configQuery(schemaCode, queryCode), enabled: searched })
  const conditions = config?.queryConditions.filter(({ visible }) => visible) ?? []
  const inForce = config ? requestFilters(conditions, effectiveFilters(conditions, filters)) : []
  const set = Object.values(filters).filter((one) => one !== null).length
  const title = optionText(options, 'title', locale) || (config ? localName(config, locale) : '')
  return (
    <WidgetCard
      title={title}
      icon={options.icon}
      iconSrc={options.iconSrc}
      more={options.moreTo}
      flush
      actions={
        searched && (
          <>
            <Input
              className={styles.keyword ?? ''}
              allowClear
              variant="filled"
              prefix={<Icon name="search" size={14} />}
              placeholder={t('portal.keyword')}
              aria-label={t('portal.keyword')}
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value)
                setAt(0)
              }}
            />
            {config && conditions.length > 0 && (
              <Popover
                trigger="click"
                placement="bottomRight"
                arrow={false}
                destroyOnHidden
                content={
                  <Suspense fallback={<WidgetWaiting lines={3} />}>
                    <parts.Filters
                      config={config}
                      filters={filters}
                      onChange={(code, value) => {
                        setFilters((before) => ({ ...before, [code]: value }))
                        setAt(0)
                      }}
                    />
                  </Suspense>
                }
              >
                <Badge count={set} size="small" offset={[-6, 6]}>
                  <Button
                    type="text"
                    aria-label={set ? t('portal.filters', { count: set }) : t('portal.filter')}
                    icon={<Icon name="filter" />}
                  />
                </Badge>
              </Popover>
            )}
          </>
        )
      }
    >
      <Records
        page={page}
        id={widget.id}
        request={{
          page: at,
          size: rowsShown,
          ...(keyword ? { keyword } : {}),
          ...(set > 0 ? { filters: inForce } : {}),
        }}
        narrowed={keyword !== '' || set > 0}
        onPage={setAt}
        columnsOf={(code) => config?.queryColumns.find((one) => one.propertyCode === code)}
      />
    </WidgetCard>
  )
}

interface RecordsProps {
  page: PortalHandle
  id: string
  request: { page: number; size: number }
  narrowed: boolean
  onPage: (page: number) => void
  /** The list's own column, which knows how its values are drawn. */
  columnsOf: (code: string) => FieldPlan | undefined
}

function Records({ page, id, request, narrowed, onPage, columnsOf }: RecordsProps) {
  const t = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const [ref, width] = useWidth<HTMLDivElement>()
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...page.rows(id, request),
    placeholderData: keepPreviousData,
    retry: false,
  })
  let content: ReactNode
  if (error && !data) content = <WidgetFailed text={errorText(error)} onRetry={() => void refetch()} />
  else if (!data)
    content = (
      <div className={styles.waiting}>
        <WidgetWaiting lines={Math.min(request.size, 8)} />
      </div>
    )
  else if (data.rows.length === 0)
    content = <WidgetEmpty text={t(narrowed ? 'portal.noMatches' : 'portal.noRecords')} />
  else if (width > 0 && width < TABLE)
    content = (
      <ul className={styles.cards} data-stale={isPlaceholderData || undefined}>
        {data.rows.map((row) => (
          <li key={row.id}>
            <Name row={row} />
            <dl>
              {data.columns.map(
                (column, i) =>
                  i > 0 &&
                  i <= ON_CARD &&
                  row.texts[i] && (
                    <div key={column.propertyCode}>
                      <dt>{localName(column, locale)}</dt>
                      <dd>
                        <Cell row={row} at={i} column={{ ...column, ...columnsOf(column.propertyCode) }} />
                      </dd>
                    </div>
                  ),
              )}
            </dl>
          </li>
        ))}
      </ul>
    )
  else
    content = (
      <table className={styles.table} data-stale={isPlaceholderData || undefined}>
        <thead>
          <tr>
            {data.columns.map((column) => (
              <th key={column.propertyCode} scope="col" data-right={column.propertyType === NUMBER || undefined}>
                {localName(column, locale)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.rows.map((row) => (
            <tr key={row.id}>
              {data.columns.map((column, i) => (
                <td key={column.propertyCode} data-right={column.propertyType === NUMBER || undefined}>
                  <Cell row={row} at={i} column={{ ...column, ...columnsOf(column.propertyCode) }} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    )
  const first = request.page * request.size
  const turns = data && (request.page > 0 || data.more)
  return (
    <div ref={ref} className={styles.records}>
      <div className={styles.scroll}>{content}</div>
      {turns && data && (
        <div className={styles.pager}>
          <span>
            {first + 1}–{first + data.rows.length}
          </span>
          <Button
            type="text"
            aria-label={t('common.previousPage')}
            disabled={request.page === 0}
            icon={<Icon name="left" />}
            onClick={() => onPage(request.page - 1)}
          />
          <Button
            type="text"
            aria-label={t('common.nextPage')}
            disabled={!data.more}
            icon={<Icon name="right" />}
            onClick={() => onPage(request.page + 1)}
          />
        </div>
      )}
    </div>
  )
}

/** What opens the record. */
function Name({ row }: { row: PortalRow }) {
  const text = row.texts[0] ?? ''
  return (
    <PortalLink to={row.to} title={text} className={styles.name} record>
      {text || '–'}
    </PortalLink>
  )
}

/** The first column opens the record; others look as in lists. */
function Cell({ row, at, column }: { row: PortalRow; at: number; column: FieldPlan }) {
  const { parts } = usePortal()
  const text = row.texts[at] ?? ''
  if (at === 0) return <Name row={row} />
  return (
    <Suspense fallback={text}>
      <parts.Value value={row.values[at] ?? null} field={column} text={text} />
    </Suspense>
  )
}
