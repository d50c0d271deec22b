import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { Link, Navigate, useLocation, useParams } from 'react-router'
import { Icon } from '@/components/icon'
import { Notice } from '@/components/notice'
import { findEntry } from '@/features/menu/menu-tree'
import { menuQuery } from '@/features/menu/queries'
import { useLocale } from '@/i18n/locale'
import { isOwnPath, isSafeAddress } from '@/lib/address'
import { isFramed } from '@/lib/embedded'
import { localName } from '@/lib/local-name'
import { usePageTitle } from '@/lib/page-title'
import { carriedOf, pageAddress } from '@/sdk/menu-link'
import { useText } from '@/sdk/use-text'
import styles from './define-page.module.css'
import { NotFound } from './not-found'

/** The address of a page of ours without what is around it. */
function framed(address: string): string {
  const url = new URL(address, window.location.origin)
  url.searchParams.set('iframeAction', 'page')
  return url.pathname + url.search + url.hash
}

/**
 * A page that the menu shows in place. Its address is that of the menu item, never one that the browser's address names: anybody could send
 * such a link. Pages of other sites are not framed (they could ask for a password in our name) and open in a window of their own.
 */
export function DefinePage() {
  const t = useText()
  const locale = useLocale()
  const { appCode = '', url = '' } = useParams()
  const { search } = useLocation()
  const { data, error } = useQuery(menuQuery(appCode))
  const entry = findEntry(data ?? [], (node) => node.type === 'Page' && node.code === url)
  usePageTitle(entry && localName(entry, locale))
  if (error) return <NotFound />
  if (!data) return <Skeleton active title={false} style={{ padding: 24 }} />
  if (!entry) return <NotFound />
  const address = entry.pcUrl
  if (!address || !isSafeAddress(address))
    return (
      <Notice
        page
        icon="alert"
        title={localName(entry, locale)}
        text={t('shell.noAddress')}
        actions={<Link to="/">{t('shell.backHome')}</Link>}
      />
    )
  if (isOwnPath(address)) {
    const to = pageAddress(entry, carriedOf(search))
    // What belongs to the application, and what a frame shows already, opens in place; other pages stand within the application.
    if (isFramed() || address.startsWith(`/application/${appCode}/`)) return <Navigate to={to} replace />
    return <iframe className={styles.framed} src={framed(to)} title={localName(entry, locale)} />
  }
  return (
    <Notice
      page
      icon="external"
      title={localName(entry, locale)}
      text={t('shell.otherSite', { host: new URL(address).host })}
      actions={
        <Button type="primary" href={address} target="_blank" rel="noopener noreferrer" icon={<Icon name="external" />}>
          {t('shell.openSite')}
        </Button>
      }
    />
  )
}
