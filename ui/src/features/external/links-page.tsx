import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { useState } from 'react'
import { Link as Goto } from 'react-router'
import { Choice } from '@/components/choice'
import { Notice } from '@/components/notice'
import { OptionDot } from '@/components/option-dot'
import { useLocale } from '@/i18n/locale'
import { formatInstant } from '@/lib/dates'
import { localName } from '@/lib/local-name'
import { usePageTitle } from '@/lib/page-title'
import { useSearch } from '@/lib/use-search'
import { Failure } from '@/sdk/failure'
import { useFeedback } from '@/sdk/feedback'
import { PageHead } from '@/sdk/page-head'
import { recordPath } from '@/sdk/record-link'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { formsQuery, type Link, type LinkForm, linksQuery, withdrawLink } from './api'
import styles from './links.module.css'
import { MadeLink } from './made-link'
import { NewLink } from './new-link'

/** The links with which people without an account fill a form in or read a record: those that are open, new ones, and their end. */
export function LinksPage() {
  const t = useText()
  usePageTitle(t('external.title'))
  const locale = useLocale()
  const [search, setSearch] = useSearch()
  const { data, error, refetch } = useQuery(formsQuery)
  if (error && !data) return <Failure page error={error} onRetry={refetch} />
  const forms = data?.content ?? []
  const form = forms.find((one) => one.code === search.get('form')) ?? forms[0]
  return (
    <div className={styles.page}>
      <PageHead icon="external" title={t('external.title')} hint={t('external.hint')} />
      {!data && <Skeleton active title={false} paragraph={{ rows: 5 }} />}
      {data && !form && <Notice icon="external" title={t('external.noForms')} text={t('external.noFormsText')} />}
      {forms.length > 1 && form && (
        <Choice
          className={styles.forms ?? ''}
          aria-label={t('external.form')}
          value={form.code}
          onChange={(code) => setSearch({ form: code }, { replace: true })}
          options={forms.map((one) => ({
            value: one.code,
            label: t('external.formOf', { name: nameOf(one, locale), count: one.open }),
          }))}
        />
      )}
      {form && <Links key={form.code} form={form} />}
    </div>
  )
}

/** A form is called by its own name, and by that of its model where both differ. */
function nameOf(form: LinkForm, locale: 'zh' | 'en'): string {
  const [own, model] = [
    localName(form, locale),
    localName({ name: form.modelName, name_i18n: form.modelName_i18n }, locale),
  ]
  return own === model || !model ? own : `${own} · ${model}`
}

function Links({ form }: { form: LinkForm }) {
  const t = useText()
  const locale = useLocale()
  const [making, setMaking] = useState(false)
  const [made, setMade] = useState<string | null>(null)
  const { data, error, refetch } = useQuery(linksQuery(form.code))
  const name = nameOf(form, locale)
  return (
    <section aria-label={name}>
      <div className={styles.head}>
        <h2>{name}</h2>
        {form.adds && !making && !made && (
          <Button type="primary" onClick={() => setMaking(true)}>
            {t('external.add')}
          </Button>
        )}
      </div>
      {making && (
        <NewLink
          form={form.code}
          onClose={() => setMaking(false)}
          onMade={(address) => {
            setMaking(false)
            setMade(address)
          }}
        />
      )}
      {made && (
        <div className={styles.made}>
          <MadeLink address={made} shows={false} onClose={() => setMade(null)} />
        </div>
      )}
      {error && !data ? (
        <Failure error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton active title={false} paragraph={{ rows: 3 }} />
      ) : data.content.length === 0 ? (
        !making &&
        !made && (
          <Notice
            icon="external"
            title={t('external.none')}
            {...(form.adds ? {} : { text: t('external.noneRecords') })}
          />
        )
      ) : (
        <ul className={styles.list}>
          {data.content.map((one) => (
            <Row key={one.id} form={form} link={one} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Row({ form, link }: { form: LinkForm; link: Link }) {
  const t = useText()
  const say = useFeedback()
  const client = useQueryClient()
  const context = useTextContext()
  const time = (at: string) => formatInstant(at, 'yyyy-MM-dd HH:mm', context)
  const withdrawing = useMutation({
    mutationFn: () => withdrawLink(form.code, link.id),
    onSuccess: () => say.success(t('external.withdrawn')),
    onError: say.error,
    onSettled: () => client.invalidateQueries({ queryKey: ['external'] }),
  })
  const shows = link.objectName !== null
  const full = link.most > 0 && link.used >= link.most
  return (
    <li>
      <div>
        <div className={styles.name}>
          <strong>{link.label}</strong>
          <OptionDot
            label={t(link.paused ? 'external.paused' : full ? 'external.full' : 'external.open')}
            color={link.paused || full ? 'orange' : 'green'}
          />
        </div>
        {shows && (
          <p>
            {link.objectId ? (
              <Goto
                to={recordPath({
                  schemaCode: form.schemaCode,
                  sheetCode: form.code,
                  queryCode: null,
                  id: link.objectId,
                })}
              >
                {t('external.shows', { name: link.objectName || link.objectId })}
              </Goto>
            ) : (
              t('external.showsHidden')
            )}
          </p>
        )}
        <p>
          {[
            t('external.created', { time: time(link.createdTime) }),
            t('external.until', { time: time(link.expiresTime) }),
            shows
              ? t('external.opened', { count: link.used })
              : link.most > 0
                ? t('external.usedOf', { count: link.used, most: link.most })
                : t('external.used', { count: link.used }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      <Button
        loading={withdrawing.isPending}
        aria-label={t('external.withdrawOf', { name: link.label })}
        onClick={() =>
          say.modal.confirm({
            title: t('external.withdrawAsk', { name: link.label }),
            content: shows ? t('external.withdrawHintRecord') : t('external.withdrawHint'),
            okText: t('external.withdraw'),
            okButtonProps: { danger: true },
            onOk: () => withdrawing.mutateAsync().catch(() => {}),
          })
        }
      >
        {t('external.withdraw')}
      </Button>
    </li>
  )
}
