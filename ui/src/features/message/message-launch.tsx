import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { useEffect } from 'react'
import { Link, Navigate, useNavigate } from 'react-router'
import { ApiError } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import { Notice } from '@/components/notice'
import { usePageTitle } from '@/lib/page-title'
import { useIsPhone } from '@/lib/use-media'
import { useSearch } from '@/lib/use-search'
import { useText } from '@/sdk/use-text'
import { messageLink, readMessage } from './api'

/**
 * What the link of a mail opens: /?messageId=…. On a desktop it shows a link that opens the target in the browser, since a mail program
 * may have drawn this page itself; on a phone the target opens at once. A message that opens nothing is read among the others.
 */
export function MessageLaunch() {
  const t = useText()
  const phone = useIsPhone()
  const navigate = useNavigate()
  const [search] = useSearch()
  const id = search.get('messageId') ?? ''
  const title = t('launch.title')
  usePageTitle(title)
  const { data, error } = useQuery({
    queryKey: ['messages', 'launch', id],
    queryFn: () => messageLink(id),
    retry: false,
  })
  const read = () => void readMessage(id).catch(() => {})
  const url = data?.url
  useEffect(() => {
    if (!phone || !url) return
    void readMessage(id).catch(() => {})
    navigate(url, { replace: true })
  }, [phone, url, id, navigate])
  const all = <Link to="/message-notification">{t('message.all')}</Link>
  if (error instanceof ApiError && error.code === ERROR.MessageNoAddress)
    return <Navigate to="/message-notification" replace />
  if (error) return <Notice page icon="alert" title={t('launch.gone')} text={t('launch.goneText')} actions={all} />
  if (!url || phone) return <Skeleton active title={false} paragraph={{ rows: 3 }} />
  return (
    <Notice
      page
      icon="bell"
      title={title}
      text={t('launch.text')}
      actions={
        <>
          <Button type="primary" href={url} target="_blank" rel="noopener" onClick={read}>
            {t('launch.open')}
          </Button>
          <Button
            href={url}
            onClick={(event) => {
              event.preventDefault()
              read()
              navigate(url, { replace: true })
            }}
          >
            {t('launch.here')}
          </Button>
        </>
      }
    />
  )
}
