import { Button } from 'antd'
import { Link, useLocation, useNavigate } from 'react-router'
import { Notice } from '@/components/notice'
import { returnPath } from '@/lib/address'
import { useBack } from '@/lib/use-back'
import { useSearch } from '@/lib/use-search'
import { Forbidden } from '@/sdk/failure'
import { useText } from '@/sdk/use-text'
import { STATUS_PATHS } from './addresses'

/** What happened, and the way back: to the address in `return`, or to the start page. */
export function StatusPage() {
  const t = useText()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const [search] = useSearch()
  const { text, icon } =
    STATUS_PATHS[pathname.replace(/\/+$/, '') as keyof typeof STATUS_PATHS] ?? STATUS_PATHS['/error']
  const back = returnPath(search.get('return'))
  const goBack = useBack(() => void navigate(back ?? '/'))
  if (text === 'permission') return <Forbidden page back={back} />
  const [instance, started] = [search.get('workflowInstanceId'), search.get('startWorkflowCode')]
  return (
    <Notice
      page
      role={text === 'error' ? 'alert' : 'status'}
      icon={icon}
      title={text === 'success' && instance ? t('workflow.started') : t(`shell.status.${text}.title`)}
      text={text === 'success' && instance ? undefined : t(`shell.status.${text}.text`)}
      actions={
        <>
          {text === 'success' && instance && (
            <Link to={`/from/workflow-track/${encodeURIComponent(instance)}`}>{t('workflow.track')}</Link>
          )}
          {text === 'success' && started && (
            <Link to={`/form/detail?${new URLSearchParams({ startWorkflowCode: started })}`}>
              {t('workflow.startAgain')}
            </Link>
          )}
          {text === 'error' && <Button onClick={goBack}>{t('shell.goBack')}</Button>}
          <Link to={back ?? '/'}>{t(back ? 'shell.goBack' : 'shell.backHome')}</Link>
        </>
      }
    />
  )
}
