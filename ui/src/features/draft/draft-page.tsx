import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { App, Button, Input, Skeleton } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { Icon } from '@/components/icon'
import { Notice } from '@/components/notice'
import { useLocale } from '@/i18n/locale'
import { formatInstant } from '@/lib/dates'
import { localName } from '@/lib/local-name'
import { usePageTitle } from '@/lib/page-title'
import { DRAFTS_PER_PAGE, type Draft, deleteDrafts, draftAddress, draftsQuery } from '@/sdk/drafts'
import { useErrorText } from '@/sdk/error-text'
import { Failure } from '@/sdk/failure'
import { Pages } from '@/sdk/pages'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import styles from './draft-page.module.css'
import { WaitingForms } from './waiting-forms'

/** The forms that somebody put aside (route /my-draft). */
export function DraftPage() {
  const t = useText()
  const client = useQueryClient()
  const errorText = useErrorText()
  usePageTitle(t('draft.title'))
  const { message, modal } = App.useApp()
  const [typed, setTyped] = useState('')
  const [word, setWord] = useState('')
  const [page, setPage] = useState(0)
  const { data, error, refetch } = useQuery({ ...draftsQuery(word, page), placeholderData: keepPreviousData })
  const drafts = data?.content ?? []
  const search = (text: string) => {
    setWord(text.trim())
    setPage(0)
  }
  const remove = (draft: Draft) =>
    modal.confirm({
      title: t('draft.deleteTitle', { name: draft.title || t('draft.untitled') }),
      content: t('draft.deleteText'),
      okText: t('common.delete'),
      okButtonProps: { danger: true },
      onOk: async () => {
        try {
          await deleteDrafts([draft.id])
        } catch (error) {
          return void message.error(errorText(error as Error))
        }
        if (drafts.length === 1 && page > 0) setPage(page - 1)
        await client.invalidateQueries({ queryKey: ['drafts'] })
      },
    })
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>{t('draft.title')}</h1>
        <Input
          className={styles.search ?? ''}
          allowClear
          value={typed}
          aria-label={t('draft.search')}
          placeholder={t('draft.search')}
          prefix={<Icon name="search" />}
          maxLength={100}
          onChange={(event) => {
            setTyped(event.target.value)
            if (event.target.value === '') search('')
          }}
          onPressEnter={() => search(typed)}
          onBlur={() => typed.trim() !== word && search(typed)}
        />
      </header>
      {error && !data && <Failure error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton active title={false} paragraph={{ rows: 6 }} />}
      {data && drafts.length === 0 && (
        <Notice
          icon={word ? 'search' : 'file'}
          title={word ? t('draft.nothing', { word }) : t('draft.empty')}
          text={!word && t('draft.emptyText')}
        />
      )}
      <ul className={styles.drafts}>
        {drafts.map((draft) => (
          <Entry key={draft.id} draft={draft} onDelete={() => remove(draft)} />
        ))}
      </ul>
      {data && data.totalElements > DRAFTS_PER_PAGE && (
        <Pages
          current={page + 1}
          pageSize={DRAFTS_PER_PAGE}
          total={data.totalElements}
          showSizeChanger={false}
          onChange={(next) => setPage(next - 1)}
        />
      )}
      <WaitingForms />
    </div>
  )
}

function Entry({ draft, onDelete }: { draft: Draft; onDelete: () => void }) {
  const t = useText()
  const locale = useLocale()
  const context = useTextContext()
  const title = draft.title || t('draft.untitled')
  const time = formatInstant(draft.modifiedTime, 'yyyy-MM-dd HH:mm', context)
  return (
    <li className={styles.draft}>
      <Icon name="file" size={18} className={styles.icon ?? ''} />
      <div className={styles.text}>
        {draft.usable ? (
          <Link to={draftAddress(draft)} className={styles.title} data-untitled={!draft.title || undefined}>
            {title}
          </Link>
        ) : (
          <span className={styles.title}>{title}</span>
        )}
        <p>
          {draft.usable
            ? localName({ name: draft.modelName, name_i18n: draft.modelName_i18n ?? null }, locale)
            : t('draft.unusable')}
          {' · '}
          <time dateTime={draft.modifiedTime}>{time}</time>
        </p>
      </div>
      <Button
        type="text"
        icon={<Icon name="trash" />}
        aria-label={t('draft.deleteOne', { name: title })}
        title={t('common.delete')}
        onClick={onDelete}
      />
    </li>
  )
}
