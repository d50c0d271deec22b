import { useQuery } from '@tanstack/react-query'
import { Button, Segmented, Skeleton, Tag } from 'antd'
import { Link, useNavigate } from 'react-router'
import { usePageTitle } from '@/lib/page-title'
import { useIsPhone } from '@/lib/use-media'
import { useSearch } from '@/lib/use-search'
import { modelsQuery, rolesQuery } from '@/sdk/access/api'
import { useRightsWords } from '@/sdk/access/words'
import { Failure, Forbidden } from '@/sdk/failure'
import { audits, useMe } from '@/sdk/me'
import { PageHead } from '@/sdk/page-head'
import { Rows } from '@/sdk/rows'
import { useText } from '@/sdk/use-text'
import { CheckPerson } from './check-person'
import { CORE } from './document'
import styles from './rights.module.css'

/** Roles, and what somebody may do: for those who look after the installation. */
export function RightsPage() {
  const t = useText()
  usePageTitle(t('rights.title'))
  const me = useMe()
  const navigate = useNavigate()
  const [search, setSearch] = useSearch()
  const { data: roles } = useQuery({ ...rolesQuery, enabled: audits(me) })
  if (!me) return null
  if (!audits(me)) return <Forbidden page who={t('rights.forbidden')} />
  const tab = search.get('tab') === 'check' ? 'check' : 'roles'
  return (
    <div className={styles.page}>
      <PageHead
        icon="sliders"
        title={t('rights.title')}
        count={roles && tab === 'roles' ? t('rights.count', { count: roles.length }) : null}
        hint={t('rights.hint')}
        actions={
          <>
            <Segmented
              value={tab}
              options={[
                { value: 'roles', label: t('rights.roles') },
                { value: 'check', label: t('rights.check') },
              ]}
              onChange={(value) => setSearch(value === 'check' ? { tab: 'check' } : {}, { replace: true })}
            />
            {tab === 'roles' && me.permissions.includes('ADMIN') && (
              <Button type="primary" onClick={() => void navigate('/rights/role')}>
                {t('rights.newRole')}
              </Button>
            )}
          </>
        }
      />
      {tab === 'check' ? <CheckPerson /> : <Roles edits={me.permissions.includes('ADMIN')} />}
    </div>
  )
}

function Roles({ edits }: { edits: boolean }) {
  const t = useText()
  const words = useRightsWords()
  const roles = useQuery(rolesQuery)
  const { data: of } = useQuery(modelsQuery)
  const cards = useIsPhone()
  if (roles.error && !roles.data) return <Failure error={roles.error} onRetry={roles.refetch} />
  if (!roles.data) return <Skeleton active title={false} paragraph={{ rows: 8 }} />
  const name = new Map(roles.data.map((role) => [role.code.toLowerCase(), words.label(role.label, role.code)]))
  const app = (code: string) => {
    const found = of?.apps.find((one) => one.code === code)
    return code === '*' ? t('rights.allApps') : found ? words.label(found.label, code) : code
  }
  const shown = roles.data.map((role) => ({
    code: role.code,
    pack: role.pack,
    people: role.people,
    name: words.label(role.label, role.code),
    to:
      edits && role.pack !== CORE ? `/rights/role?${new URLSearchParams({ pack: role.pack, code: role.code })}` : null,
    includes: words.list(role.includes.map((code) => name.get(code.toLowerCase()) ?? code)),
    permissions: role.permissions.map(words.permission),
    apps: words.list(role.apps.map(app)),
  }))
  return (
    <>
      {!edits && <p className={styles.hint}>{t('rights.readOnly')}</p>}
      {cards ? <RoleCards roles={shown} /> : <RoleTable roles={shown} />}
    </>
  )
}

/** A role as it is shown. */
interface Shown {
  code: string
  pack: string
  people: number
  name: string
  /** Where it is changed; null = the reader cannot. */
  to: string | null
  includes: string
  permissions: string[]
  apps: string
}

function Name({ role }: { role: Shown }) {
  return (
    <>
      {role.to ? <Link to={role.to}>{role.name}</Link> : role.name}
      <small>{role.code}</small>
    </>
  )
}

const tags = (role: Shown) => role.permissions.map((one) => <Tag key={one}>{one}</Tag>)

function RoleTable({ roles }: { roles: Shown[] }) {
  const t = useText()
  return (
    <Rows
      label={t('rights.roles')}
      rows={roles}
      id={(role) => role.code}
      to={(role) => role.to}
      columns={[
        { title: t('rights.role'), main: true, of: (role) => role.name },
        { title: t('rights.roleCode'), of: (role) => role.code },
        { title: t('rights.people'), figure: true, of: (role) => role.people },
        { title: t('rights.includes'), wide: true, of: (role) => role.includes },
        { title: t('rights.permissions'), wide: true, of: tags },
        { title: t('rights.applications'), wide: true, of: (role) => role.apps },
        { title: t('rights.source'), of: (role) => role.pack },
      ]}
    />
  )
}

/** The same where there is no room for columns; what a role does not have is left out. */
function RoleCards({ roles }: { roles: Shown[] }) {
  const t = useText()
  return (
    <ul className={styles.cards}>
      {roles.map((role) => {
        const facts = [
          [t('rights.people'), role.people],
          [t('rights.includes'), role.includes],
          [t('rights.applications'), role.apps],
          [t('rights.source'), role.pack],
        ] as const
        return (
          <li key={role.code}>
            <p>
              <Name role={role} />
            </p>
            {role.permissions.length > 0 && <p className={styles.tags}>{tags(role)}</p>}
            <dl>
              {facts
                .filter(([, value]) => value !== '')
                .map(([label, value]) => (
                  <div key={label}>
                    <dt>{label}</dt>
                    <dd>{value}</dd>
                  </div>
                ))}
            </dl>
          </li>
        )
      })}
    </ul>
  )
}
