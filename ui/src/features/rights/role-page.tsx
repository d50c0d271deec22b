import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Input, Modal, Skeleton } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { ApiError } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import { Choice } from '@/components/choice'
import { usePageTitle } from '@/lib/page-title'
import { useSearch } from '@/lib/use-search'
import { modelsQuery, rolesQuery } from '@/sdk/access/api'
import { PERMISSIONS, useRightsWords } from '@/sdk/access/words'
import { Failure, Forbidden } from '@/sdk/failure'
import { useFeedback } from '@/sdk/feedback'
import { lostOf } from '@/sdk/lost'
import { useMe } from '@/sdk/me'
import { UsesButton } from '@/sdk/names/uses-dialog'
import { useText } from '@/sdk/use-text'
import { type Change, checkChange, documentQuery, type Publication, publishChange } from './api'
import { CORE, type Grant, type RoleDocument, writeDocument } from './document'
import { Field } from './field'
import { GrantCard } from './grant-card'
import { Review } from './review'
import styles from './rights.module.css'

const CODE = /^[a-zA-Z][a-zA-Z0-9_]{0,62}$/

/** One role: its document as a form. */
export function RolePage() {
  const t = useText()
  const me = useMe()
  const [search] = useSearch()
  const [code, pack] = [search.get('code'), search.get('pack')]
  const document = useQuery({ ...documentQuery(pack ?? '', `access/${code}.json`), enabled: Boolean(code && pack) })
  const models = useQuery(modelsQuery) // without it a choice has codes in place of words, and another size
  if (!me) return null
  if (!me.permissions.includes('ADMIN')) return <Forbidden page who={t('rights.readOnly')} />
  if (lostOf(document)) return <Failure page error={document.error} />
  if ((code && !document.data) || models.isPending)
    return (
      <div className={styles.page}>
        <Skeleton active title={false} paragraph={{ rows: 8 }} />
      </div>
    )
  return (
    <Editor
      key={document.data?.seen ?? ''}
      code={code}
      pack={pack}
      text={document.data?.text ?? '{}'}
      seen={document.data?.seen ?? ''}
    />
  )
}

interface EditorProps {
  /** null: a role that is not there yet. */
  code: string | null
  pack: string | null
  text: string
  seen: string
}

function Editor({ code, pack, text, seen }: EditorProps) {
  const t = useText()
  const words = useRightsWords()
  const feedback = useFeedback()
  const navigate = useNavigate()
  const client = useQueryClient()
  const { data: roles = [] } = useQuery(rolesQuery)
  const { data: of } = useQuery(modelsQuery)
  const [original] = useState(() => JSON.parse(text) as RoleDocument)
  const [role, setRole] = useState(original)
  const [newCode, setNewCode] = useState('')
  const [newPack, setNewPack] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [asked, setAsked] = useState(false)
  const [review, setReview] = useState<{ change: Change; publication: Publication } | null>(null)
  const name =
    words.label({ zh: role.name ?? '', ...(role.name_i18n && { i18n: role.name_i18n }) }) || t('rights.newRole')
  usePageTitle(name)
  const set = (next: Partial<RoleDocument>) => setRole((old) => ({ ...old, ...next }))
  const grants = role.models ?? []
  const setGrant = (at: number, next: Grant | null) =>
    set({ models: next ? grants.map((one, i) => (i === at ? next : one)) : grants.filter((_, i) => i !== at) })

  const packs = [...new Set((of?.models ?? []).map((one) => one.pack))].filter((one) => one !== CORE).sort()
  const packName = (pack: string) => {
    const app = of?.apps.find((one) => one.code === pack)
    return app ? t('rights.packOf', { name: words.label(app.label, pack), pack }) : pack
  }
  const wanted = code ?? newCode
  const taken = !code && roles.some((one) => one.code.toLowerCase() === newCode.toLowerCase())
  const problem = code
    ? undefined
    : !CODE.test(newCode)
      ? t('rights.codeWrong')
      : taken
        ? t('rights.codeTaken')
        : undefined
  const inPack = pack ?? newPack ?? packs[0] ?? ''
  const written = writeDocument(role)
  const changed = written !== writeDocument(original)
  const check = () => {
    setAsked(true)
    if (problem || !role.name) return
    const change = { note: '', files: [{ pack: inPack, path: `access/${wanted}.json`, text: written, seen }] }
    setBusy(true)
    checkChange(change)
      .then((publication) => setReview({ change, publication }))
      .catch(feedback.error)
      .finally(() => setBusy(false))
  }
  const publish = async (note: string) => {
    if (!review) return
    try {
      await publishChange({ ...review.change, note }, review.publication.digest)
    } catch (error) {
      feedback.error(error instanceof ApiError && error.code === ERROR.PublishConflict ? t('rights.conflict') : error)
      return
    }
    await client.invalidateQueries({ queryKey: ['rights'] })
    feedback.success(t('rights.published'))
    setReview(null)
    void navigate('/rights')
  }
  const many = (
    list: string[] | undefined,
    options: { value: string; label: string }[],
    label: string,
    onChange: (list: string[]) => void,
  ) => (
    <Field label={label}>
      {(id) => (
        <Choice
          id={id}
          mode="multiple"
          placeholder={t('rights.none')}
          value={list ?? []}
          options={options}
          onChange={(value: string[]) => onChange(value)}
        />
      )}
    </Field>
  )
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>
          {name}
          {code && <small>{code}</small>}
        </h1>
      </header>
      <div className={styles.form}>
        {!code && (
          <>
            <Field label={t('rights.code')} problem={asked && problem} hint={t('rights.codeHint')}>
              {(id) => (
                <Input
                  id={id}
                  value={newCode}
                  status={asked && problem ? 'error' : ''}
                  onChange={(event) => setNewCode(event.target.value.trim())}
                />
              )}
            </Field>
            <Field label={t('rights.source')} wide>
              {(id) => (
                <Choice
                  id={id}
                  value={inPack || null}
                  options={packs.map((value) => ({ value, label: packName(value) }))}
                  onChange={(value) => setNewPack(value)}
                />
              )}
            </Field>
          </>
        )}
        <Field label={t('rights.nameZh')} problem={asked && !role.name && t('rights.nameNeeded')}>
          {(id) => (
            <Input
              id={id}
              value={role.name ?? ''}
              status={asked && !role.name ? 'error' : ''}
              onChange={(event) => set({ name: event.target.value })}
            />
          )}
        </Field>
        <Field label={t('rights.nameEn')}>
          {(id) => (
            <Input
              id={id}
              value={role.name_i18n?.en ?? ''}
              onChange={(event) => set({ name_i18n: { ...role.name_i18n, en: event.target.value } })}
            />
          )}
        </Field>
        {many(
          role.includes,
          roles
            .filter((one) => one.code !== code)
            .map((one) => ({ value: one.code, label: words.label(one.label, one.code) })),
          t('rights.includes'),
          (includes) => set({ includes }),
        )}
        {many(
          role.permissions,
          PERMISSIONS.map((value) => ({ value, label: words.permission(value) })),
          t('rights.permissions'),
          (permissions) => set({ permissions }),
        )}
        {many(
          role.apps,
          [
            { value: '*', label: t('rights.allApps') },
            ...(of?.apps ?? []).map((one) => ({ value: one.code, label: words.label(one.label, one.code) })),
          ],
          t('rights.applications'),
          (apps) => set({ apps }),
        )}
      </div>
      <h2>{t('rights.models')}</h2>
      <div className={styles.grants}>
        {grants.map((grant, at) => (
          <GrantCard
            key={at}
            grant={grant}
            models={of?.models ?? []}
            onChange={(next) => setGrant(at, next)}
            onRemove={() => setGrant(at, null)}
          />
        ))}
      </div>
      <Button onClick={() => set({ models: [...grants, { schemaCode: '', actions: ['view'], rows: 'all' }] })}>
        {t('rights.addGrant')}
      </Button>
      <div className={styles.bar}>
        <Button
          type="primary"
          disabled={!changed || grants.some((one) => !one.schemaCode)}
          loading={busy}
          onClick={check}
        >
          {t('rights.review')}
        </Button>
        <Button onClick={() => void navigate('/rights')}>{t('common.cancel')}</Button>
        {code && <UsesButton appCode={null} kind="role" name={code} title={name} />}
        {!changed && <span className={styles.hint}>{t('rights.unchanged')}</span>}
      </div>
      {review && (
        <Modal open width={720} title={t('rights.changes')} footer={null} onCancel={() => setReview(null)}>
          <Review publication={review.publication} onPublish={publish} onClose={() => setReview(null)} />
        </Modal>
      )}
    </div>
  )
}
