import { Link, Navigate, useLocation } from 'react-router'
import { Notice } from '@/components/notice'
import { useText } from '@/sdk/use-text'

/** The administration's page of logo and copyright of earlier versions. */
const LICENSE = '#/system/license'

export function NotFound() {
  const t = useText()
  const { pathname, hash } = useLocation()
  if (pathname.startsWith('/admin') && hash.startsWith(LICENSE))
    return <Navigate to="/app-list/applications?panel=theme" replace />
  return (
    <Notice
      page
      icon="search"
      title={t('shell.notFound')}
      text={t('shell.notFoundText')}
      actions={<Link to="/">{t('shell.backHome')}</Link>}
    />
  )
}
