import { Link } from 'react-router'
import { Notice } from '@/components/notice'
import { useText } from '@/sdk/use-text'

export function NotFound() {
  const t = useText()
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
