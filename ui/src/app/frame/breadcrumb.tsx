import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { useLocation } from 'react-router'
import { FavoriteButton } from '@/features/menu/favorite-button'
import { pathTo } from '@/features/menu/menu-tree'
import { menuQuery } from '@/features/menu/queries'
import { useCurrentEntry } from '@/features/menu/use-current-entry'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useText } from '@/sdk/use-text'
import styles from './header.module.css'

/** Where the page is in its application's menu, and the star that keeps it on the start page. */
export function Breadcrumb({ appCode }: { appCode: string }) {
  const t = useText()
  const locale = useLocale()
  const { data } = useQuery(menuQuery(appCode))
  const entry = useCurrentEntry(appCode)
  const { pathname } = useLocation()
  if (!data || !entry || !pathname.startsWith(`/application/${appCode}/`)) return null
  const path = [...(pathTo(data, entry.id) ?? []), entry]
  return (
    <>
      <nav className={styles.crumbs} aria-label={t('shell.breadcrumb')}>
        {path.map((node) => (
          <Fragment key={node.id}>
            <span className={styles.between} aria-hidden="true">
              /
            </span>
            <span
              className={styles.crumb}
              aria-current={node === entry ? 'page' : undefined}
              title={localName(node, locale)}
            >
              {localName(node, locale)}
            </span>
          </Fragment>
        ))}
      </nav>
      <FavoriteButton place={{ kind: 'page', place: appCode, code: entry.code }} />
    </>
  )
}
