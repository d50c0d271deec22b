import { useQuery } from '@tanstack/react-query'
import { Button, Dropdown, Skeleton } from 'antd'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
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
import { audits, useMe } from '@/sdk/me'
import { useText } from '@/sdk/use-text'
import {
  deleteEntry,
  type Entry,
  type Managed,
  type ManagedMenu,
  menuQuery,
  moveEntry,
  restoreApp,
  updateEntry,
  useChange,
} from './api'
import styles from './application.module.css'
import { DeleteDialog } from './delete-dialog'
import { useDrag } from './drag'
import { EntryDialog, type Kind } from './entry-dialog'
import { dropped, type Line, linesOf } from './order'
import { Portals } from './portals'
import { Prints } from './prints'
import { Readings } from './readings'
import { RowMenu } from './row-menu'
import { Workflows } from './workflows'

type Open =
  | { what: 'add'; kind: Kind; model?: string }
  | { what: 'edit' | 'delete'; entry: Entry }
  | { what: 'model'; model: ManagedMenu['models'][number] }

const KINDS = [
  ['model', 'application.addModel'],
  ['Folder', 'application.addFolder'],
  ['BizModel', 'application.addList'],
  ['Page', 'application.addPage'],
  ['HomePage', 'application.addHome'],
] as const

/** The menu of an application: its items, their order, and whether they are shown. */
export function ApplicationPage() {
  const t = useText()
  const locale = useLocale()
  const { appCode = '' } = useParams()
  const { data, error, refetch } = useQuery(menuQuery(appCode))
  const name = data ? localName(data.app, locale) : ''
  usePageTitle(name || t('application.title'))
  if (lostOf({ data, error }))
    return (
      <Failure
        page
        error={error}
        who={t('application.forbidden')}
        onRetry={refetch}
        actions={<Link to="/admin/applications">{t('application.back')}</Link>}
      />
    )
  return (
    <div className={styles.page}>
      <Link to="/admin/applications" className={styles.back}>
        <Icon name="left" size={14} />
        {t('application.back')}
      </Link>
      {data ? <Menu menu={data} name={name} /> : <Skeleton active title={false} paragraph={{ rows: 8 }} />}
    </div>
  )
}

function Menu({ menu, name }: { menu: ManagedMenu; name: string }) {
  const t = useText()
  const [open, setOpen] = useState<Open | null>(null)
  const undoable = useUndoable(menu.app.code)
  const lines = linesOf(menu.menu)
  const close = () => setOpen(null)
  const whole = audits(useMe()) // models reach further than one application
  const add = (kind: Kind) => setOpen({ what: 'add', kind })
  return (
    <>
      <header className={styles.head}>
        <div className={styles.title}>
          <AppBadge code={menu.app.code} name={name} icon={menu.app.icon} color={menu.app.color} size={40} />
          <div>
            <h1>{name}</h1>
            <p className={styles.facts}>
              {[menu.app.code, menu.app.version, menu.app.disabled && t('application.disabled')]
                .filter(Boolean)
                .join(' · ')}
            </p>
          </div>
        </div>
        <div className={styles.buttons}>
          <Link to={`/admin/applications/${menu.app.code}/names`} className={styles.link}>
            {t('uses.page')}
          </Link>
          <Link to={`/application/${menu.app.code}`} className={styles.link}>
            {t('application.openApp')}
          </Link>
          <Dropdown
            trigger={['click']}
            menu={{
              items: KINDS.filter(([key]) => whole || key !== 'model').map(([key, label]) => ({
                key,
                label: t(label),
              })),
              onClick: ({ key }) => add(key as Kind),
            }}
          >
            <Button type="primary">
              {t('application.addButton')} <Icon name="down" size={12} />
            </Button>
          </Dropdown>
        </div>
      </header>
      {lines.length === 0 ? (
        <Notice
          icon="table"
          title={t('application.noMenu')}
          actions={
            <Button type="primary" onClick={() => add(whole ? 'model' : 'Folder')}>
              {t(whole ? 'application.addModel' : 'application.addFolder')}
            </Button>
          }
        />
      ) : (
        <Lines menu={menu} lines={lines} onOpen={setOpen} undoable={undoable} />
      )}
      <Unlisted menu={menu} lines={lines} onOpen={setOpen} />
      <Workflows appCode={menu.app.code} />
      <Prints appCode={menu.app.code} />
      <Portals appCode={menu.app.code} />
      <Readings kind="report" appCode={menu.app.code} />
      <Readings kind="dictionary" appCode={menu.app.code} />
      <Dialogs menu={menu} lines={lines} open={open} onClose={close} undoable={undoable} />
    </>
  )
}

/** Says what was done, with a way back to what was before. */
function useUndoable(code: string) {
  const t = useText()
  const say = useFeedback()
  const undo = useChange(restoreApp)
  return (text: string, answer: Managed) =>
    say.success(text, {
      label: t('application.undo'),
      run: () => undo.mutate({ code, version: answer.version - 1, from: answer.version, confirm: '' }),
    })
}

type Undoable = ReturnType<typeof useUndoable>

function Dialogs(props: {
  menu: ManagedMenu
  lines: Line[]
  open: Open | null
  onClose: () => void
  undoable: Undoable
}) {
  const { menu, lines, open, onClose, undoable } = props
  const t = useText()
  const locale = useLocale()
  const say = useFeedback()
  const whole = audits(useMe())
  if (!open) return null
  const { code, seen } = menu.app
  if (open.what === 'add')
    return (
      <EntryDialog
        menu={menu}
        lines={lines}
        kind={open.kind}
        {...(open.model && { model: open.model })}
        onClose={onClose}
        onDone={(_, name) => {
          say.success(t('application.added', { name }))
          onClose()
        }}
      />
    )
  if (open.what === 'edit')
    return (
      <EntryDialog
        menu={menu}
        lines={lines}
        entry={open.entry}
        kind={open.entry.type as Kind}
        onClose={onClose}
        onDone={(answer) => {
          undoable(t('application.saved'), answer)
          onClose()
        }}
      />
    )
  if (open.what === 'model')
    return (
      <DeleteDialog
        name={open.model.label.i18n?.[locale] || open.model.label.zh}
        code={open.model.code}
        run={(intent) => deleteEntry({ appCode: code, seen, model: open.model.code, ...intent })}
        onClose={onClose}
      />
    )
  const { entry } = open
  const model = menu.models.find((one) => one.own && entry.type === 'BizModel' && one.code === entry.schemaCode)
  const only = whole && model && lines.filter((line) => line.entry.schemaCode === model.code).length === 1
  return (
    <DeleteDialog
      name={entry.label.i18n?.[locale] || entry.label.zh}
      code={entry.schemaCode || entry.code}
      model={only ? model.label.i18n?.[locale] || model.label.zh : null}
      run={(intent, withModel) =>
        deleteEntry({ appCode: code, seen, code: entry.code, ...(withModel && { model: entry.schemaCode }), ...intent })
      }
      onClose={onClose}
    />
  )
}

interface LinesProps {
  menu: ManagedMenu
  lines: Line[]
  onOpen: (open: Open) => void
  undoable: Undoable
}

function Lines({ menu, lines, onOpen, undoable }: LinesProps) {
  const t = useText()
  const locale = useLocale()
  const [told, setTold] = useState('')
  const move = useChange(moveEntry)
  const change = useChange(updateEntry, (answer) => undoable(t('application.saved'), answer))
  const at = { appCode: menu.app.code, seen: menu.app.seen }
  const nameOf = (entry: Entry) => entry.label.i18n?.[locale] || entry.label.zh
  const put = (line: Line, place: { folder: string; at: number | null }) => {
    if (move.isPending) return
    move.mutate({ ...at, code: line.entry.code, ...place })
    setTold(t('application.moved', { name: nameOf(line.entry), at: (place.at ?? 0) + 1 }))
  }
  const step = (code: string, by: 1 | -1) => {
    const line = lines.find((one) => one.entry.code === code)
    if (!line) return
    const next = line.at + by
    if (next >= 0 && next < line.count) put(line, { folder: line.folder, at: next })
  }
  const drag = useDrag((code, on, where) => {
    const line = lines.find((one) => one.entry.code === code)
    const place = dropped(lines, code, on, where)
    if (line && place) put(line, place)
  }, step)
  const folders = lines.filter((line) => line.entry.type === 'Folder')
  return (
    <section aria-label={t('application.menu')}>
      <p className="visually-hidden" role="status">
        {told}
      </p>
      <ul className={styles.rows}>
        {lines.map((line) => {
          const { entry } = line
          const name = nameOf(entry)
          const folder = entry.type === 'Folder'
          const inside = new Set(linesOf(entry.children).map((one) => one.entry.code))
          const goals = folders.filter(
            (one) => one.entry !== entry && one.entry.code !== line.folder && !inside.has(one.entry.code),
          )
          return (
            <li
              key={entry.code}
              className={styles.row}
              data-off={entry.hidden || entry.draft || undefined}
              data-dragged={drag.dragged === entry.code || undefined}
              data-over={drag.over?.code === entry.code ? drag.over.where : undefined}
              style={{ paddingInlineStart: 4 + line.depth * 24 }}
              {...drag.row(entry.code, folder)}
            >
              <button
                type="button"
                className={styles.handle}
                aria-label={t('application.moveHint', { name })}
                title={t('application.moveHint', { name })}
                {...drag.handle(entry.code)}
              >
                <Icon name="drag" size={14} />
              </button>
              <Icon name={folder ? 'folder' : entry.type === 'Page' ? 'external' : 'table'} />
              <div className={styles.main}>
                <button type="button" className={styles.name} onClick={() => onOpen({ what: 'edit', entry })}>
                  {name}
                </button>
                <p className={styles.facts}>
                  {[t(`application.type.${entry.type}`), entry.schemaCode || entry.pcUrl || entry.page || entry.code]
                    .filter(Boolean)
                    .join(' · ')}
                </p>
              </div>
              <span className={styles.state}>
                {entry.draft && <OptionDot label={t('application.draft')} color="orange" />}
                {entry.hidden && <OptionDot label={t('application.hidden')} color="gray" />}
              </span>
              <RowMenu
                label={t('application.actions', { name })}
                actions={[
                  { key: 'edit', label: t('application.edit'), run: () => onOpen({ what: 'edit', entry }) },
                  {
                    key: 'up',
                    label: t('application.up'),
                    off: line.at === 0,
                    run: () => step(entry.code, -1),
                  },
                  {
                    key: 'down',
                    label: t('application.down'),
                    off: line.at === line.count - 1,
                    run: () => step(entry.code, 1),
                  },
                  ...goals.map((goal) => ({
                    key: `to/${goal.entry.code}`,
                    label: t('application.moveTo', { name: nameOf(goal.entry) }),
                    run: () => put(line, { folder: goal.entry.code, at: null }),
                  })),
                  ...(line.folder
                    ? [
                        {
                          key: 'top',
                          label: t('application.moveTo', { name: t('application.top') }),
                          run: () => put(line, { folder: '', at: null }),
                        },
                      ]
                    : []),
                  null,
                  {
                    key: 'hide',
                    label: t(entry.hidden ? 'application.show' : 'application.hide'),
                    run: () => change.mutate({ ...at, code: entry.code, hidden: !entry.hidden }),
                  },
                  {
                    key: 'publish',
                    label: t(entry.draft ? 'application.publish' : 'application.unpublish'),
                    run: () => change.mutate({ ...at, code: entry.code, draft: !entry.draft }),
                  },
                  null,
                  {
                    key: 'delete',
                    label: t('application.delete'),
                    danger: true,
                    off: entry.children.length > 0,
                    run: () => onOpen({ what: 'delete', entry }),
                  },
                ]}
              />
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** Models of the application that no item opens: they can be put into the menu, or deleted. */
function Unlisted({ menu, lines, onOpen }: Omit<LinesProps, 'undoable'>) {
  const t = useText()
  const locale = useLocale()
  const whole = audits(useMe())
  const rest = menu.models.filter((one) => one.own && !lines.some((line) => line.entry.schemaCode === one.code))
  if (rest.length === 0) return null
  return (
    <section aria-label={t('application.unlisted')}>
      <div className={styles.group}>
        <h2>{t('application.unlisted')}</h2>
      </div>
      <p className={styles.hint}>{t('application.unlistedHint')}</p>
      <ul className={styles.rows}>
        {rest.map((model) => (
          <li key={model.code} className={styles.row}>
            <Icon name="table" />
            <div className={styles.main}>
              <span>{model.label.i18n?.[locale] || model.label.zh}</span>
              <p className={styles.facts}>{model.code}</p>
            </div>
            <Button size="small" onClick={() => onOpen({ what: 'add', kind: 'BizModel', model: model.code })}>
              {t('application.addToMenu')}
            </Button>
            {whole && (
              <Button size="small" danger onClick={() => onOpen({ what: 'model', model })}>
                {t('application.delete')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
