import {
  Ago,
  linesIn,
  localName,
  type PortalHandle,
  useErrorText,
  useLocale,
  useText,
  useWork,
  WidgetEmpty,
  WidgetFailed,
  WidgetWaiting,
  type WorkSource,
} from '@sluice/sdk'
import { useQuery } from '@tanstack/react-query'
import { LINE, Lines, type Mark } from './lines'

/** What lists of texts say of their data. */
export interface SourceOptions {
  dataSource: 'bizModel' | WorkSource
  workflowCode?: string
  listIcon?: Mark
  rowsShown?: number
}

interface Props {
  options: SourceOptions
  /** The widget, and the tab of it. */
  widget: { id: string; height: number }
  tab?: number
  page: PortalHandle
}

/** As many as the author says, else as fit. */
const sizeOf = ({ options, widget }: Pick<Props, 'options' | 'widget'>) =>
  options.rowsShown ?? Math.min(linesIn(widget.height, LINE), 100)

/** The lines of one source, or why there are none. */
export function Source(props: Props) {
  const { dataSource } = props.options
  return dataSource === 'bizModel' ? <Records {...props} /> : <Work {...props} source={dataSource} />
}

function Records({ options, widget, tab, page }: Props) {
  const t = useText()
  const errorText = useErrorText()
  const size = sizeOf({ options, widget })
  const { data, error, refetch } = useQuery({
    ...page.rows(widget.id, { ...(tab === undefined ? {} : { tab }), page: 0, size }),
    retry: false,
  })
  if (error && !data) return <WidgetFailed text={errorText(error)} onRetry={() => void refetch()} />
  if (!data) return <WidgetWaiting lines={size} height={LINE} />
  if (data.rows.length === 0) return <WidgetEmpty text={t('portal.noRecords')} />
  return (
    <Lines
      mark={options.listIcon}
      lines={data.rows.map(({ id, to, texts: [name = '', ...notes] }) => ({
        id,
        to,
        name: name || '–',
        notes: notes.filter(Boolean),
      }))}
    />
  )
}

const STATE = { DRAFT: 'gray', PROCESSING: 'blue', COMPLETED: 'green', CANCELED: 'gray', EXCEPTION: 'red' } as const

function Work({ options, widget, source }: Props & { source: WorkSource }) {
  const t = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const size = sizeOf({ options, widget })
  const { lines, error, refetch } = useWork(source, size, options.workflowCode)
  if (error && !lines) return <WidgetFailed text={errorText(error)} onRetry={refetch} />
  if (!lines) return <WidgetWaiting lines={size} height={LINE} />
  if (lines.length === 0)
    return <WidgetEmpty text={t(source === 'myUnfinished' ? 'portal.noTasks' : 'portal.noWork')} />
  return (
    <Lines
      mark={options.listIcon}
      lines={lines.map(({ id, to, name, step, state, overdue, time }) => ({
        id,
        to,
        name,
        tag: overdue
          ? { label: t('portal.late'), color: 'red' }
          : state
            ? { label: t(`portal.states.${state}`), color: STATE[state] }
            : null,
        notes: [step && localName(step, locale), time && <Ago key="time" time={time} />].filter(Boolean),
      }))}
    />
  )
}
