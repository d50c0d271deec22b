import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { AppBadge } from '@/components/app-badge'
import { Icon } from '@/components/icon'
import { Notice } from '@/components/notice'
import { OptionDot } from '@/components/option-dot'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { usePageTitle } from '@/lib/page-title'
import { Failure } from '@/sdk/failure'
import { useFeedback } from '@/sdk/feedback'
import { lostOf } from '@/sdk/lost'
import { audits, linksForms, useMe } from '@/sdk/me'
import { PageHead } from '@/sdk/page-head'
import { useText } from '@/sdk/use-text'
import { appsQuery, deleteApp, exportApp, type ManagedApp, orderApps, updateApp, updateGroup, useChange } from './api'
import { AppDialog } from './app-dialog'
import styles from './application.module.css'
import { DeleteDialog } from './delete-dialog'
import { useDrag } from './drag'
import { GroupDialog } from './group-dialog'
import { type Group, groupName, groupStepped, groupsOf, placed, stepped } from './order'
import { RowMenu } from './row-menu'

const ImportDialog = lazy(() => import('./import-dialog').then((m) => ({ default: m.ImportDialog })))
const HistoryDialog = lazy(() => import('./history-dialog').then((m) => ({ default: m.HistoryDialog })))

type Open =
  | { what: 'add' | 'import' }
  | { what: 'edit' | 'delete' | 'history'; app: ManagedApp }
  | { what: 'group'; group: Group }

/** The applications by group: what they are called and look like, their order, and whether they are in use. */
export function ApplicationsPage() {
  const t = useText()
  usePageTitle(t('application.title'))
  const navigate = useNavigate()
  const apps = useQuery(appsQuery)
  const [open, setOpen] = useState<Open | null>(null)
  const me = useMe()
  const whole = audits(me) // who administers some applications changes those
  const groups = groupsOf(apps.data ?? [])
  const close = () => setOpen(null)
  if (lostOf(apps)) return <Failure page error={apps.error} who={t('application.forbidden')} onRetry={apps.refetch} />
  return (
    <div className={styles.page}>
      <PageHead
        icon="grid"
        title={t('application.title')}
        count={apps.data ? t('application.count', { count: apps.data.length }) : null}
        hint={t('application.hint')}
        actions={
          (whole || linksForms(me)) && (
            <>
              {linksForms(me) && (
                <Link to="/external-links" className={styles.link}>
                  {t('shell.externalLinks')}
                </Link>
              )}
              {whole && (
                <>
                  <Button onClick={() => setOpen({ what: 'import' })}>{t('application.import')}</Button>
                  <Button type="primary" onClick={() => setOpen({ what: 'add' })}>
                    {t('application.add')}
                  </Button>
                </>
              )}
            </>
          )
        }
      />
      {!apps.data && <Skeleton active title={false} paragraph={{ rows: 6 }} />}
      {apps.data?.length === 0 && (
        <Notice
          icon="grid"
          title={t('application.empty')}
          actions={
            whole && (
              <Button type="primary" onClick={() => setOpen({ what: 'add' })}>
                {t('application.add')}
              </Button>
            )
          }
        />
      )}
      <Groups groups={groups} onOpen={setOpen} />
      <Suspense fallback={null}>
        {open?.what === 'add' && (
          <AppDialog groups={groups} onClose={close} onDone={(code) => void navigate(`/admin/applications/${code}`)} />
        )}
        {open?.what === 'edit' && <AppDialog app={open.app} groups={groups} onClose={close} onDone={close} />}
        {open?.what === 'group' && <GroupDialog group={open.group} onClose={close} />}
        {open?.what === 'delete' && <Deletion app={open.app} onClose={close} />}
        {open?.what === 'import' && <ImportDialog onClose={close} />}
        {open?.what === 'history' && <HistoryDialog app={open.app} onClose={close} />}
      </Suspense>
    </div>
  )
}

function Deletion({ app, onClose }: { app: ManagedApp; onClose: () => void }) {
  const locale = useLocale()
  return (
    <DeleteDialog
      name={localName(app, locale)}
      code={app.code}
      run={(intent) => deleteApp({ code: app.code, seen: app.seen, ...intent })}
      onClose={onClose}
    />
  )
}

function Groups({ groups, onOpen }: { groups: Group[]; onOpen: (open: Open) => void }) {
  const whole = audits(useMe())
  const t = useText()
  const locale = useLocale()
  const [told, setTold] = useState('')
  const order = useChange(orderApps)
  const dissolve = useChange(updateGroup)
  const all = groups.flatMap((one) => one.apps)
  const put = (codes: string[] | null, code?: string, group?: Group) => {
    if (!codes || order.isPending) return
    order.mutate({
      codes,
      ...(code && group && { move: { code, group: group.group, group_i18n: group.group_i18n } }),
    })
    const app = all.find((one) => one.code === code)
    if (app) setTold(t('application.moved', { name: localName(app, locale), at: codes.indexOf(app.code) + 1 }))
  }
  const step = (code: string, by: 1 | -1) => {
    const group = groups.find((one) => one.apps.some((app) => app.code === code))
    put(stepped(groups, code, by), code, group)
  }
  const drag = useDrag((code, on, where) => {
    const group = groups.find((one) => one.apps.some((app) => app.code === on))
    if (!group) return
    const order = group.apps.map((app) => app.code)
    const before = where === 'before' ? on : (order[order.indexOf(on) + 1] ?? null)
    put(placed(groups, code, group.group, before === code ? on : before), code, group)
  }, step)
  return (
    <>
      <p className="visually-hidden" role="status">
        {told}
      </p>
      {groups.map((group) => {
        const name = group.group ? groupName(group, locale) : t('application.noGroup')
        return (
          <section key={group.group} aria-label={name}>
            <div className={styles.group}>
              <h2>{name}</h2>
              {group.group && whole && (
                <RowMenu
                  label={t('application.groupActions', { name })}
                  actions={[
                    {
                      key: 'rename',
                      label: t('application.renameGroup'),
                      run: () => onOpen({ what: 'group', group }),
                    },
                    {
                      key: 'up',
                      label: t('application.up'),
                      off: !groupStepped(groups, group.group, -1),
                      run: () => put(groupStepped(groups, group.group, -1)),
                    },
                    {
                      key: 'down',
                      label: t('application.down'),
                      off: !groupStepped(groups, group.group, 1),
                      run: () => put(groupStepped(groups, group.group, 1)),
                    },
                    null,
                    {
                      key: 'dissolve',
                      label: t('application.dissolve'),
                      run: () => dissolve.mutate({ group: group.group, name: '' }),
                    },
                  ]}
                />
              )}
            </div>
            <ul className={styles.rows}>
              {group.apps.map((app) => (
                <Row key={app.code} app={app} groups={groups} drag={drag} step={step} onOpen={onOpen} />
              ))}
            </ul>
          </section>
        )
      })}
    </>
  )
}

interface RowProps {
  app: ManagedApp
  groups: Group[]
  drag: ReturnType<typeof useDrag>
  step: (code: string, by: 1 | -1) => void
  onOpen: (open: Open) => void
}

function Row({ app, groups, drag, step, onOpen }: RowProps) {
  const whole = audits(useMe())
  const t = useText()
  const locale = useLocale()
  const say = useFeedback()
  const navigate = useNavigate()
  const name = localName(app, locale)
  const toggle = useChange(updateApp, (_, input) =>
    say.success(t(input?.disabled ? 'application.disabled' : 'application.enabled')),
  )
  const to = `/admin/applications/${app.code}`
  return (
    <li
      className={styles.row}
      data-off={app.disabled || undefined}
      data-dragged={drag.dragged === app.code || undefined}
      data-over={drag.over?.code === app.code ? drag.over.where : undefined}
      {...drag.row(app.code, false)}
    >
      <button
        type="button"
        className={styles.handle}
        aria-label={t('application.moveHint', { name })}
        title={t('application.moveHint', { name })}
        {...drag.handle(app.code)}
      >
        <Icon name="drag" size={14} />
      </button>
      <AppBadge code={app.code} name={name} icon={app.icon} color={app.color} />
      <div className={styles.main}>
        <Link to={to} className={styles.name}>
          {name}
        </Link>
        <p className={styles.facts}>
          {[
            app.code,
            app.version,
            t('application.models', { count: app.models }),
            t('application.entries', { count: app.entries }),
            app.delivered && t('application.delivered'),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      <span className={styles.state}>
        <OptionDot
          label={t(app.disabled ? 'application.disabled' : 'application.enabled')}
          color={app.disabled ? 'gray' : 'green'}
        />
      </span>
      <RowMenu
        label={t('application.actions', { name })}
        actions={[
          { key: 'manage', label: t('application.manage'), run: () => void navigate(to) },
          { key: 'edit', label: t('application.edit'), run: () => onOpen({ what: 'edit', app }) },
          {
            key: 'up',
            label: t('application.up'),
            off: !whole || !stepped(groups, app.code, -1),
            run: () => step(app.code, -1),
          },
          {
            key: 'down',
            label: t('application.down'),
            off: !whole || !stepped(groups, app.code, 1),
            run: () => step(app.code, 1),
          },
          null,
          {
            key: 'toggle',
            label: t(app.disabled ? 'application.enable' : 'application.disable'),
            run: () => toggle.mutate({ code: app.code, seen: app.seen, disabled: !app.disabled }),
          },
          { key: 'export', label: t('application.export'), run: () => void exportApp(app.code).catch(say.error) },
          { key: 'history', label: t('application.history'), run: () => onOpen({ what: 'history', app }) },
          null,
          {
            key: 'delete',
            label: t('application.delete'),
            danger: true,
            off: !whole || app.delivered,
            run: () => onOpen({ what: 'delete', app }),
          },
        ]}
      />
    </li>
  )
}
