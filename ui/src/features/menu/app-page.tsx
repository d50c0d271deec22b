import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { Navigate, useParams } from 'react-router'
import { Notice } from '@/components/notice'
import { useIsPhone } from '@/lib/use-media'
import { Failure } from '@/sdk/failure'
import { lostOf } from '@/sdk/lost'
import { entryLink } from '@/sdk/menu-link'
import { useText } from '@/sdk/use-text'
import { MenuList } from './components/menu-list'
import { leaves } from './menu-tree'
import { menuQuery } from './queries'

/** An application without a chosen entry: the first list on a wide screen, the menu itself on a phone. */
export function AppPage() {
  const t = useText()
  const { appCode = '' } = useParams()
  const { data, error } = useQuery(menuQuery(appCode))
  const phone = useIsPhone()
  if (lostOf({ data, error })) return <Failure page error={error} />
  if (data && leaves(data).length === 0) return <Notice page icon="inbox" title={t('shell.emptyApp')} />
  if (phone)
    return (
      <>
        <h1 className="visually-hidden">{t('shell.menu')}</h1>
        {data ? <MenuList nodes={data} current={null} /> : <Skeleton active title={false} style={{ padding: 16 }} />}
      </>
    )
  if (!data) return null
  for (const node of leaves(data)) {
    const link = entryLink(node)
    if (link && !link.external) return <Navigate to={link.to} replace />
  }
  return <Notice page icon="table" title={t('shell.pickEntry')} />
}
