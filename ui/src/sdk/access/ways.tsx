import { useLocale } from '@/i18n/locale'
import { useText } from '../use-text'
import type { Name, Party, Way } from './api'
import styles from './ways.module.css'

/** So many fields are named at once; more are behind a press. */
const FEW = 8

/** What a publication opens besides roles; nothing where it opens nothing. */
export function AccessWays({ ways }: { ways: Way[] | undefined }) {
  const t = useText()
  if (!ways || ways.length === 0) return null
  return (
    <section className={styles.ways} aria-label={t('access.title')}>
      <h2>{t('access.title')}</h2>
      <ul>
        {ways.map((way) => (
          <OneWay
            key={`${way.kind}/${way.code}/${way.node.code}/${way.roles.map((one) => one.code).join()}`}
            way={way}
          />
        ))}
      </ul>
    </section>
  )
}

function OneWay({ way }: { way: Way }) {
  const t = useText()
  const words = usePartyWords()
  const label = words.name(way)
  if (way.kind === 'page')
    return (
      <li>
        <h3>{t('access.page', { page: label })}</h3>
        <p>{t('access.pageRole', { role: words.all(way.roles) })}</p>
      </li>
    )
  if (way.kind === 'data')
    return (
      <li>
        <h3>{t('access.data', { model: label })}</h3>
        <p>{t('access.dataRoles', { rows: words.people(way.people), roles: words.quoted(way.roles) })}</p>
      </li>
    )
  const model = words.name(way.model)
  return (
    <li>
      <h3>{t('access.node', { workflow: label, node: words.name(way.node) })}</h3>
      <p>{t(way.people.length > 0 ? 'access.shows' : 'access.showsNobody', { model })}</p>
      {way.people.length > 0 && (
        <ul className={styles.people}>
          {way.people.map((one) => (
            <li key={JSON.stringify(one)}>{words.people([one])}</li>
          ))}
        </ul>
      )}
      <Fields of={way.fields.filter((one) => one.after === 'r')} few="access.reads" many="access.readsMany" />
      <Fields of={way.fields.filter((one) => one.after === 'rw')} few="access.writes" many="access.writesMany" />
    </li>
  )
}

interface FieldsProps {
  of: Way['fields']
  few: 'access.reads' | 'access.writes'
  many: 'access.readsMany' | 'access.writesMany'
}

function Fields({ of, few, many }: FieldsProps) {
  const t = useText()
  const words = usePartyWords()
  if (of.length === 0) return null
  const fields = words.all(of)
  if (of.length <= FEW) return <p>{t(few, { fields })}</p>
  return (
    <details>
      <summary>{t(many, { count: of.length })}</summary>
      {fields}
    </details>
  )
}

/** Who gets a record, in the language of the reader. */
function usePartyWords() {
  const t = useText()
  const locale = useLocale()
  const comma = locale === 'zh' ? '、' : ', '
  const name = (of: Name) => of.label.i18n?.[locale] || of.label.zh || of.code
  const all = (of: Name[]) => of.map(name).join(comma)
  const quoted = (of: Name[]) => of.map((one) => t('access.quoted', { name: name(one) })).join(comma)
  const people = (of: Party[]): string => of.map(party).join(locale === 'zh' ? '、' : '; ')

  function party(of: Party): string {
    const said = plain(of)
    return of.except.length > 0 ? t('access.except', { people: said, except: people(of.except) }) : said
  }
  function whose(of: Party) {
    if (of.of === 'field') return t('access.whose.field', { name: name(of.field) })
    return t(of.of === 'previous' ? 'access.whose.previous' : 'access.whose.initiator')
  }
  function plain(of: Party): string {
    const names = quoted(of.names)
    switch (of.kind) {
      case 'role': {
        const said = t('access.people.role', { names })
        if (of.of !== 'byDept' && of.of !== 'byField') return said
        return t(`access.${of.of}`, { people: said, name: name(of.field) })
      }
      case 'person':
      case 'row':
        return t(`access.people.${of.kind}`, { names: all(of.names) })
      case 'dept':
        return t(of.below ? 'access.below' : 'access.people.dept', { names })
      case 'field':
        return t('access.people.field', { name: all(of.names) })
      case 'deptLeader':
        return t(of.walks ? 'access.leaderUp' : 'access.leader', { whose: whose(of), level: of.levels })
      case 'superiors': {
        const given = { whose: whose(of), levels: of.levels, role: name(of.until) }
        if (of.until.code) return t(of.levels > 0 ? 'access.superiorsBoth' : 'access.superiorsUntil', given)
        return t(of.levels > 0 ? 'access.superiorsLevels' : 'access.superiors', given)
      }
      case 'initiatorChoice':
      case 'previousChoice': {
        const by = of.kind === 'initiatorChoice' ? 'initiator' : 'previous'
        return of.among.length > 0
          ? t(`access.people.${by}Among`, { among: people(of.among) })
          : t(`access.people.${of.kind}`)
      }
      case 'expression':
        return t('access.people.expression', { text: of.text })
      case 'initiator':
        return t('access.people.initiator')
      default:
        return t(`access.people.${of.kind}`, { names })
    }
  }
  return { name, all, quoted, people }
}
