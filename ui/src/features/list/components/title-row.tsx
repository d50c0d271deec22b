import { useQuery } from '@tanstack/react-query'
import { Button, Dropdown, type InputRef } from 'antd'
import { lazy, type Ref, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { Hint } from '@/components/hint'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useSettled } from '@/lib/settled'
import { useText } from '@/sdk/use-text'
import { headersQuery } from '../queries'
import { useRecycleAction } from '../recycle/recycle-action'
import type { FilterPanel } from '../use-filter-panel'
import type { ListAction } from '../use-list-actions'
import type { ListController } from '../use-list-controller'
import { KeywordBox } from './keyword-box'
import { SavedFilters } from './saved-filters'
import styles from './title-row.module.css'

const INLINE = 5
const ChangesHint = lazy(() => import('./changes-hint'))
const ViewSwitch = lazy(() => import('../gantt/view-switch'))

interface Props {
  controller: ListController
  actions: ListAction[]
  panel: FilterPanel
  keyword: Ref<InputRef>
}

export function TitleRow({ controller, actions, panel, keyword }: Props) {
  const t = useText()
  const pageActions = actions.filter((action) => action.place === 'page')
  const [primary, ...others] = pageActions
  const recycle = useRecycleAction(controller)
  const settled = useSettled()
  const [inline, more] = [others.slice(0, INLINE - 1), [...others.slice(INLINE - 1), ...recycle]]
  return (
    <div className={styles.row}>
      <ViewSwitcher controller={controller} />
      {controller.total !== null && (
        <span className={styles.count}>{t('list.records', { count: controller.total })}</span>
      )}
      <SavedFilters controller={controller} />
      <Suspense fallback={null}>{settled && <ChangesHint controller={controller} />}</Suspense>
      <span className={styles.gap} />
      <Suspense fallback={null}>{settled && <ViewSwitch controller={controller} />}</Suspense>
      <KeywordBox ref={keyword} controller={controller} />
      {panel.has && (
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
      <Hint title={t('list.refresh')}>
        <Button
          type="text"
          aria-label={t('list.refresh')}
          icon={<Icon name="refresh" />}
          onClick={() => void controller.refresh()}
        />
      </Hint>
      <TrackButton controller={controller} actions={actions} />
      <Hint title={t('list.columns')}>
        <Button
          type="text"
          aria-label={t('list.columns')}
          aria-haspopup="dialog"
          icon={<Icon name="sliders" />}
          onClick={() => controller.store.getState().openPanel({ kind: 'columns' })}
        />
      </Hint>
      {more.length > 0 && (
        <Dropdown
          trigger={['click']}
          menu={{
            items: more.map((action) => ({ key: action.name, label: action.label, onClick: () => action.run([]) })),
          }}
        >
          <Button>{t('common.more')}</Button>
        </Dropdown>
      )}
      {inline.map((action) => (
        <Button key={action.name} onClick={() => action.run([])}>
          {action.label}
        </Button>
      ))}
      {primary && (
        <Button type="primary" icon={primary.icon && <Icon name={primary.icon} />} onClick={() => primary.run([])}>
          {primary.label}
        </Button>
      )}
    </div>
  )
}

/** What was changed in the ticked rows. It stands here only when the list offers it. */
function TrackButton({ controller, actions }: { controller: ListController; actions: ListAction[] }) {
  const t = useText()
  const track = actions.find((action) => action.type === 'form_track')
  if (!track) return null
  const rows = [...controller.selected.values()]
  return (
    <Hint title={rows.length > 0 ? track.label : t('table.trackHint')}>
      <Button
        type="text"
        aria-label={track.label}
        disabled={rows.length === 0}
        icon={<Icon name="history" />}
        onClick={() => track.run(rows)}
      />
    </Hint>
  )
}

/** The title is the switcher when the model has several lists. */
export function ViewSwitcher({ controller: { config } }: { controller: ListController }) {
  const t = useText()
  const locale = useLocale()
  const [search, setSearch] = useSearchParams()
  const { data = [] } = useQuery(headersQuery(config.schemaCode))
  const title = localName(config, locale)
  if (data.length < 2) return <h1 className={styles.title}>{title}</h1>
  const open = (queryCode: string) =>
    setSearch(
      new URLSearchParams({
        ...Object.fromEntries([...search].filter(([key]) => key === 'code' || key === 'parentId')),
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
