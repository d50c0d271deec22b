import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { Link, Navigate, useLocation } from 'react-router'
import { post } from '@/api/client'
import { Notice } from '@/components/notice'
import { recordPath } from '@/sdk/record-link'
import { useText } from '@/sdk/use-text'
import { NotFound } from './not-found'

const HANDOVERS = '/application/organisation/application-list/handover?queryCode=handover'

/** So many names are looked up. */
const MOST = 20

/** Where the addresses of the administration lead: /admin/#/organization/workHandover?userName=… is the form that hands over work. */
export function AdminPage() {
  const { hash } = useLocation()
  const [path, query] = hash.replace(/^#/, '').split('?')
  if (path !== '/organization/workHandover') return <NotFound />
  const names = [...new Set(new URLSearchParams(query).getAll('userName').filter(Boolean))].slice(0, MOST)
  return names.length > 0 ? <HandoverOf key={names.join()} names={names} /> : <Navigate to={HANDOVERS} replace />
}

interface Person {
  id: string
  name: string
  username: string
}

const text = (value: unknown) => (typeof value === 'string' ? value : '')

/** The list of people has those who left, too; pickers do not offer them. */
async function called(name: string, signal: AbortSignal): Promise<Person[]> {
  const body = { schemaCode: 'user', queryCode: 'user', keyword: name, page: 0, size: 20 }
  const { content } = await post('/api/runtime/query/list', body, { signal })
  return (content as { id: string; data?: Record<string, unknown> }[])
    .map((row) => ({ id: row.id, name: text(row.data?.name), username: text(row.data?.username) }))
    .filter((one) => one.name === name || one.username === name)
}

const formOf = (id: string) => recordPath({ schemaCode: 'handover', relation: { propertyCode: 'source', id } })

/** The one person who is called so is filled in; of several, one is chosen. */
function HandoverOf({ names }: { names: string[] }) {
  const t = useText()
  const { data, isPending } = useQuery({
    queryKey: ['handover-of', ...names],
    queryFn: async ({ signal }) => (await Promise.all(names.map((name) => called(name, signal)))).flat(),
    retry: false,
  })
  if (isPending) return <Skeleton active title={false} paragraph={{ rows: 3 }} />
  const [one] = data ?? []
  if (!data || !one) return <Navigate to={HANDOVERS} replace />
  if (data.length === 1) return <Navigate to={formOf(one.id)} replace />
  return (
    <Notice
      page
      icon="user"
      title={t('launch.handover')}
      actions={data.map((person) => (
        <Link key={person.id} to={formOf(person.id)}>
          {person.username ? `${person.name} (${person.username})` : person.name}
        </Link>
      ))}
    />
  )
}
