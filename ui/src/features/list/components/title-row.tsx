import { useQuery } from '@tanstack/react-query'
import { Button, Dropdown, type InputRef } from 'antd'
import { lazy, type Ref, Suspense, useRef } from 'react'
import { Hint } from '@/components/hint'
import { Icon, type IconName } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useSettled } from '@/lib/settled'
import { useSearch } from '@/lib/use-search'
import { useText } from '@/sdk/use-text'
import type { ListAction } from '../actions/list-action'
import { headersQuery } from '../data/queries'
import { useFold } from '../data/use-fold'
import { KeywordBox } from '../filters/keyword-box'
import { SavedFilters } from '../filters/saved-filters'
import type { FilterPanel } from '../filters/use-filter-panel'
import { useRecycleAction } from '../recycle/recycle-action'
import type { ListController } from '../use-list-controller'
import styles from './title-row.module.css'

const INLINE = 5
/** First the other buttons go behind More, then the tools, then the count goes. */
const FOLDS = 3
const ChangesHint = lazy(() => import('./changes-hint'))
const ViewSwitch = lazy(() => import('../gantt/view-switch'))

interface Props {
  controller: ListController
  actions: ListAction[]
  panel: FilterPanel
  keyword: Ref<InputRef>
}

/**
 * The name of the list and what can be done with it. What loads late is left of the gap, or the first thing right of it, and its room is
 * reserved: buttons stay where they are, and none goes behind More after it could be pressed.
 */
export function TitleRow({ controller, actions, panel, keyword }: Props) {
  const t = useText()
  const pageActions = actions.filter((action) => action.place === 'page')
  const [primary, ...others] = pageActions
  const recycle = useRecycleAction(controller)
  const settled = useSettled()
  const row = useRef<HTMLDivElement>(null)
  const fold = useFold(row, FOLDS)
  const shown = fold > 0 ? 0 : INLINE - 1
  const inline = others.slice(0, shown)
  const tools: Tool[] = [
    { name: '#refresh', label: t('list.refresh'), icon: 'refresh', run: () => void controller.refresh() },
    ...toolsOf(controller, actions),
    {
      name: '#columns',
      label: t('list.columns'),
      icon: 'sliders',
      dialog: true,
      run: () => controller.store.getState().openPanel({ kind: 'columns' }),
    },
  ]
  const folded = fold > 1 ? tools : []
  const more = [
    ...others
      .slice(shown)
      .map(({ name, label, enabled, run }) => ({ name, label, disabled: !enabled([]), run: () => run([]) })),
    ...actions.flatMap((action) => action.more).map((one) => ({ ...one, disabled: false })),
    ...recycle.map(({ name, label, run }) => ({ name, label, disabled: false, run: () => run([]) })),
    ...folded.map(({ name, label, disabled = false, run }) => ({ name, label, disabled, run })),
  ]
  const set = controller.visibleFilters.length
  return (
    <div className={styles.row} ref={row}>
      <ViewSwitcher controller={controller} />
      {fold < 3 && (
        <span className={styles.count}>
          {controller.total !== null && t('list.records', { count: controller.total })}
        </span>
      )}
      <span>
        <Suspense fallback={null}>{settled && <ChangesHint controller={controller} />}</Suspense>
      </span>
      <span className={styles.gap} />
      <Kinds controller={controller} />
      {!panel.drawer && <SavedFilters controller={controller} />}
      <KeywordBox ref={keyword} controller={controller} />
      {panel.drawer && (
        <Button
          type="text"
          aria-label={set > 0 ? t('list.filterSet', { count: set }) : t('list.filter')}
          aria-haspopup="dialog"
          aria-expanded={panel.drawn}
          icon={<Icon name="filter" />}
          onClick={() => panel.setDrawn(true)}
        >
          {set > 0 ? set : null}
        </Button>
      )}
      {panel.has && !panel.drawer && (
        <Hint title={panel.open ? t('filter.panelClose') : t('filter.panelOpen')}>
          <Button
            type="text"
            aria-label={panel.open ? t('filter.panelClose') : t('filter.panelOpen')}
            aria-expanded={panel.open}
            icon={<Icon name="filter" />}
            onClick={() => panel.setOpen(!panel.open)}
          />
        </Hint>
      )}
      {folded.length === 0 &&
        tools.map((tool) => (
          <Hint key={tool.name} title={tool.hint ?? tool.label}>
            <Button
              type="text"
              aria-label={tool.label}
              {...(tool.dialog ? { 'aria-haspopup': 'dialog' as const } : {})}
              disabled={tool.disabled ?? false}
              icon={<Icon name={tool.icon} />}
              onClick={tool.run}
            />
          </Hint>
        ))}
      {more.length > 0 && (
        <Dropdown
          trigger={['click']}
          menu={{
            items: more.map(({ name, label, disabled, run }) => ({ key: name, label, disabled, onClick: run })),
          }}
        >
          <Button>{t('common.more')}</Button>
        </Dropdown>
      )}
      {inline.map((action) => (
        <Hint key={action.name} title={action.enabled([]) ? null : action.hint}>
          <Button disabled={!action.enabled([])} onClick={() => action.run([])}>
            {action.label}
          </Button>
        </Hint>
      ))}
      {primary && (
        <Hint title={primary.enabled([]) ? null : primary.hint}>
          <Button
            type="primary"
            disabled={!primary.enabled([])}
            icon={primary.icon && <Icon name={primary.icon} />}
            onClick={() => primary.run([])}
          >
            {primary.label}
          </Button>
        </Hint>
      )}
    </div>
  )
}

/** Room for the choice between table and chart while it is not known whether there are both. */
function Kinds({ controller }: { controller: ListController }) {
  const settled = useSettled()
  const { data, isPending } = useQuery(headersQuery(controller.config.schemaCode))
  const kinds = new Set(data?.map(({ presentationType }) => presentationType === 'gantt'))
  if (!isPending && kinds.size < 2) return null
  return (
    <span className={styles.kinds}>
      <Suspense fallback={null}>{settled && <ViewSwitch controller={controller} />}</Suspense>
    </span>
  )
}

/** A button without words; behind More where there is no room. */
interface Tool {
  name: string
  label: string
  icon: IconName
  hint?: string
  disabled?: boolean
  dialog?: boolean
  run: () => unknown
}

/** Actions of ticked rows that are tools of the list too. With none ticked, those wait that do not work for everything that the filters match. */
function toolsOf(controller: ListController, actions: ListAction[]): Tool[] {
  const rows = [...controller.selected.values()]
  const none = rows.length === 0
  const found = !controller.tree && (controller.total ?? 0) > 0
  return actions.flatMap(({ name, label, icon, tool, unticked, run }) =>
    tool === null
      ? []
      : {
          name: `#${name}`,
          label,
          icon: icon ?? 'more',
          hint: none ? tool : label,
          disabled: none && !(unticked && found),
          run: () => run(rows),
        },
  )
}

/** The title is the switcher when the model has several lists. */
export function ViewSwitcher({ controller: { config } }: { controller: ListController }) {
  const t = useText()
  const locale = useLocale()
  const [, setSearch] = useSearch()
  const { data = [] } = useQuery(headersQuery(config.schemaCode))
  const title = localName(config, locale)
  if (data.length < 2) return <h1 className={styles.title}>{title}</h1>
  const open = (queryCode: string) =>
    setSearch(
      (now) =>
        new URLSearchParams({
          ...Object.fromEntries([...now].filter(([key]) => /^(code|parentId|return|debugId)$/.test(key))),
          queryCode,
        }),
    )
  return (
    <h1 className={styles.views}>
      <Dropdown
        trigger={['click']}
        menu={{
          items: data.map((header) => ({ key: header.queryCode, label: localName(header, locale) })),
          selectedKeys: [config.queryCode],
          onClick: ({ key }) => open(key),
        }}
      >
        <button type="button" className={styles.switcher} aria-haspopup="menu" title={t('list.view')}>
          <span className={styles.title}>{title}</span>
          <Icon name="down" size={14} />
        </button>
      </Dropdown>
    </h1>
  )
}
