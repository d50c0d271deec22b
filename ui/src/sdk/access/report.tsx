import { useText } from '../use-text'
import type { Group, Report } from './api'
import styles from './report.module.css'
import { AccessWays } from './ways'
import { useRightsWords } from './words'

/** Who gains or loses which rights by a change of definitions, and what it opens besides roles. */
export function AccessReport({ report }: { report: Report }) {
  const t = useText()
  if (report.groups.length === 0 && report.ways.length === 0)
    return <p className={styles.hint}>{t('rights.noChanges')}</p>
  return (
    <div className={styles.report}>
      {report.groups.length > 0 && <p>{t('rights.affected', { count: report.people })}</p>}
      {report.groups.map((group) => (
        <GroupChanges key={group.roles.flat().join()} group={group} roles={report.roles} />
      ))}
      <AccessWays ways={report.ways} />
    </div>
  )
}

function GroupChanges({ group, roles }: { group: Group; roles: Report['roles'] }) {
  const t = useText()
  const words = useRightsWords()
  const names = words.list(group.names)
  const name = (code: string) => words.label(roles.find((one) => one.code === code)?.label ?? { zh: code })
  return (
    <section className={styles.group}>
      <h2>
        {group.people === 0
          ? t('rights.nobodyYet')
          : group.people > group.names.length
            ? t('rights.people5', { names })
            : names}
        <small>{words.list(group.roles.map((roles) => roles.map(name).join(' + ')))}</small>
      </h2>
      <Gains
        title={t('rights.permissions')}
        of={group.permissions.map((one) => ({ ...one, word: words.permission(one.code) }))}
      />
      <Gains
        title={t('rights.applications')}
        of={group.apps.map((one) => ({ ...one, word: words.label(one.label, one.code) }))}
      />
      <Gains title={t('rights.actions')} of={group.actions.map((one) => ({ ...one, word: one.code }))} />
      {group.models.map((model) => (
        <ModelChanges key={model.code} model={model} />
      ))}
    </section>
  )
}

function Gains({ title, of }: { title: string; of: { code: string; word: string; gained: boolean }[] }) {
  const t = useText()
  const words = useRightsWords()
  return [true, false].map((gained) => {
    const some = of.filter((one) => one.gained === gained)
    if (some.length === 0) return null
    return (
      <p key={String(gained)} className={gained ? styles.gained : styles.lost}>
        <strong>{t(gained ? 'rights.gains' : 'rights.loses')}</strong> {title}
        {words.colon}
        {words.list(some.map((one) => one.word))}
      </p>
    )
  })
}

/** Without the actions that go without saying where all of them are gained, or lost. */
function shortly<T extends { code: string; gained: boolean }>(actions: T[]): T[] {
  const all = actions.filter((one) => one.code === '*').map((one) => one.gained)
  return actions.filter((one) => one.code === '*' || !all.includes(one.gained))
}

function ModelChanges({ model }: { model: Group['models'][number] }) {
  const t = useText()
  const words = useRightsWords()
  const rule = (text: string) => (text === '' ? t('rights.noRecords') : text === 'all' ? t('rights.allRecords') : text)
  const right = (of: 'before' | 'after', field: (typeof model.fields)[number]) => {
    const [where, writes] =
      of === 'before' ? [field.whereBefore, field.writesBefore] : [field.whereAfter, field.writesAfter]
    let out = words.right(field[of])
    if (where) out = t('rights.where', { right: out, condition: where })
    if (writes) out = t('rights.writes', { right: out, condition: writes })
    return out
  }
  const changes = new Map<string, string[]>()
  for (const field of model.fields) {
    const change = `${right('before', field)} → ${right('after', field)}`
    changes.set(change, [...(changes.get(change) ?? []), words.label(field.label, field.code)])
  }
  return (
    <div className={styles.changed}>
      <h3>{words.label(model.label, model.code)}</h3>
      <Gains
        title={t('rights.actions')}
        of={shortly(model.actions).map((one) => ({ ...one, word: words.action(one.code) }))}
      />
      {model.rows.map((row) => (
        <div key={row.actions.join()}>
          <p>
            {t('rights.records', { actions: words.list(row.actions.map(words.action)) })}
            {words.colon}
            <code>{rule(row.before)}</code> → <code>{rule(row.after)}</code>
          </p>
          {row.counts.map((count) => (
            <p key={count.name} className={styles.count}>
              {t(count.name ? 'rights.counts' : 'rights.countsAll', count)}
            </p>
          ))}
        </div>
      ))}
      {[...changes].map(([change, names]) => (
        <p key={change}>
          {words.list(names)}
          {words.colon}
          {change}
        </p>
      ))}
    </div>
  )
}
