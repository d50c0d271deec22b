import { Button } from 'antd'
import { Link, useLocation, useSearchParams } from 'react-router'
import { Notice } from '@/components/notice'
import { returnPath } from '@/lib/address'
import { useText } from '@/sdk/use-text'
import { STATUS_PATHS } from './addresses'

/** What happened, and the way back: to the address in `return`, or to the start page. */
export function StatusPage() {
  const t = useText()
  const { pathname } = useLocation()
  const [search] = useSearchParams()
  const { text, icon } =
    STATUS_PATHS[pathname.replace(/\/+$/, '') as keyof typeof STATUS_PATHS] ?? STATUS_PATHS['/error']
  const back = returnPath(search.get('return'))
  return (
    <Notice
      page
      role={text === 'error' || text === 'permission' ? 'alert' : 'status'}
      icon={icon}
      title={t(`shell.status.${text}.title`)}
      text={t(`shell.status.${text}.text`)}
      actions={
        <>
          {text === 'error' && <Button onClick={() => window.history.back()}>{t('shell.goBack')}</Button>}
          <Link to={back ?? '/'}>{t(back ? 'shell.goBack' : 'shell.backHome')}</Link>
        </>
      }
    />
  )
}
