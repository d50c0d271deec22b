import { useQuery } from '@tanstack/react-query'
import { App, Button, Result, Skeleton } from 'antd'
import { useEffect, useState } from 'react'
import { useParams } from 'react-router'
import { ExternalForm, ExternalRecord, externalForm, openLink } from '@/features/form/submit/external-form'
import { setLocale } from '@/i18n/i18n'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { usePageTitle } from '@/lib/page-title'
import { Failure } from '@/sdk/failure'
import { MESSAGES } from '@/sdk/feedback'
import { lostOf } from '@/sdk/lost'
import { useText } from '@/sdk/use-text'
import styles from './external-link-page.module.css'

/** The text that was taken for a page which is not there yet: React may begin a page more than once before it shows it. */
let waiting = ''

/** The text of the link is behind "#", which browsers send nobody. It is taken out of the address before anything is asked. */
function takeText(): string {
  const text = window.location.hash.slice(1)
  if (text) {
    window.history.replaceState(window.history.state, '', window.location.pathname)
    waiting = text
  }
  return waiting
}

/** A form that is being filled in is asked for once. */
const kept = { staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false, retry: false }

/** /external-link/:formid: a form, or a record to read, for people who are nobody here. Another link that is opened in the same tab changes only what is behind "#". */
export function ExternalLinkPage() {
  const { formid = '' } = useParams()
  const [link, setLink] = useState(() => ({ count: 0, text: takeText() }))
  useEffect(() => {
    waiting = ''
    const another = () => {
      const text = takeText()
      waiting = ''
      if (text) setLink(({ count }) => ({ count: count + 1, text }))
    }
    window.addEventListener('hashchange', another)
    return () => window.removeEventListener('hashchange', another)
  }, [])
  return <Opened key={link.count} formid={formid} link={link} />
}

function Opened({ formid, link: { count, text } }: { formid: string; link: { count: number; text: string } }) {
  const [turn, setTurn] = useState(0)
  const locale = useLocale()
  const t = useText()
  const opened = useQuery({
    queryKey: ['external', formid, count, turn],
    queryFn: async () => {
      if (text && turn === 0) await openLink(formid, text)
      return externalForm()
    },
    ...kept,
  })
  const [done, setDone] = useState(false)
  // The form for one more, which a link that may add no more does not open.
  const next = useQuery({
    queryKey: ['external', formid, count, turn + 1],
    queryFn: externalForm,
    enabled: done,
    ...kept,
  })
  const name = opened.data ? localName(opened.data.form, locale) : ''
  const title = (opened.data?.id && opened.data.name) || name
  usePageTitle(title)
  return (
    <App message={MESSAGES} component={false}>
      <main className={styles.page}>
        <div className={styles.panel}>
          <header className={styles.head}>
            <div>
              <h1>{title}</h1>
              {opened.data?.id && title !== name && <p>{name}</p>}
            </div>
            <Button type="text" onClick={() => void setLocale(locale === 'zh' ? 'en' : 'zh')}>
              {t('session.otherLanguage')}
            </Button>
          </header>
          {lostOf(opened) ? (
            <Failure page error={opened.error} title={t('form.external.gone')} />
          ) : done ? (
            <Result
              status="success"
              title={t('form.external.done')}
              extra={
                next.data && (
                  <Button
                    onClick={() => {
                      setDone(false)
                      setTurn((n) => n + 1)
                    }}
                  >
                    {t('form.external.again')}
                  </Button>
                )
              }
            />
          ) : opened.data?.id ? (
            <ExternalRecord load={opened.data} />
          ) : opened.data ? (
            <ExternalForm key={turn} load={opened.data} onDone={() => setDone(true)} />
          ) : (
            <Skeleton active title={false} paragraph={{ rows: 6 }} />
          )}
        </div>
      </main>
    </App>
  )
}
