import { useQuery } from '@tanstack/react-query'
import { Button, Input, Skeleton } from 'antd'
import { useState } from 'react'
import { beginSeeAs } from '@/api/see-as'
import { Choice } from '@/components/choice'
import { OptionDot } from '@/components/option-dot'
import { useSearch, withParams } from '@/lib/use-search'
import { modelsQuery, rolesQuery } from '@/sdk/access/api'
import { useRightsWords } from '@/sdk/access/words'
import { AskedChoice, namedChoice } from '@/sdk/asked-choice'
import { Failure } from '@/sdk/failure'
import { useFeedback } from '@/sdk/feedback'
import { useText } from '@/sdk/use-text'
import { beginPass, type Explained, explainQuery, peopleQuery } from './api'
import { recordOf } from './document'
import { Field } from './field'
import styles from './rights.module.css'

/** What somebody may do with a model or one of its records, and which roles say so. */
export function CheckPerson() {
  const t = useText()
  const words = useRightsWords()
  const [search, setSearch] = useSearch()
  const [link, setLink] = useState(search.get('objectId') ?? '')
  const person = search.get('userId') ?? undefined
  const { data: of } = useQuery(modelsQuery)
  const record = link.trim() ? recordOf(link) : null
  const schemaCode = record?.schemaCode ?? search.get('schemaCode') ?? undefined
  const set = (changes: Record<string, string | undefined>) =>
    setSearch((now) => withParams(now, changes), { replace: true })
  const wrong = link.trim() !== '' && !record
  const asked =
    person && schemaCode && !wrong ? { userId: person, schemaCode, ...(record && { objectId: record.objectId }) } : null
  return (
    <>
      <search className={styles.ask}>
        <Field label={t('rights.person')}>
          {(id) => (
            <AskedChoice
              id={id}
              placeholder={t('rights.choosePerson')}
              value={person ? [person] : []}
              query={(keyword) => peopleQuery(keyword, person)}
              choices={(people) => people.map(namedChoice)}
              onChange={([value]) => set({ userId: value })}
            />
          )}
        </Field>
        <Field label={t('rights.model')}>
          {(id) => (
            <Choice
              id={id}
              placeholder={t('rights.model')}
              value={schemaCode ?? null}
              options={of?.models?.map((one) => ({ value: one.code, label: words.label(one.label, one.code) }))}
              onChange={(value) => set({ schemaCode: value ?? undefined })}
            />
          )}
        </Field>
        <Field label={t('rights.record')} problem={wrong && t('rights.recordWrong')}>
          {(id) => (
            <Input
              id={id}
              value={link}
              status={wrong ? 'error' : ''}
              placeholder={t('rights.recordHint')}
              allowClear
              onChange={(event) => {
                setLink(event.target.value)
                const found = recordOf(event.target.value)
                set({ objectId: found?.objectId, ...(found?.schemaCode && { schemaCode: found.schemaCode }) })
              }}
            />
          )}
        </Field>
      </search>
      {person && !asked && <SeeAs userId={person} />}
      {asked ? <Answer key={person} asked={asked} /> : <p className={styles.hint}>{t('rights.checkHint')}</p>}
    </>
  )
}

function SeeAs({ userId, may = true }: { userId: string; may?: boolean }) {
  const t = useText()
  const feedback = useFeedback()
  const [busy, setBusy] = useState(false)
  return (
    <div className={styles.seeAs}>
      <Button
        disabled={!may}
        loading={busy}
        onClick={() => {
          setBusy(true)
          beginPass(userId)
            .then(beginSeeAs)
            .catch((error: unknown) => {
              setBusy(false)
              feedback.error(error)
            })
        }}
      >
        {t('rights.seeAs')}
      </Button>
      <span className={styles.hint}>{t(may ? 'rights.seeAsHint' : 'rights.seeAsAbove')}</span>
    </div>
  )
}

function Answer({ asked }: { asked: { userId: string; schemaCode: string; objectId?: string } }) {
  const t = useText()
  const answer = useQuery(explainQuery(asked))
  if (answer.error && !answer.data) return <Failure error={answer.error} />
  if (!answer.data) return <Skeleton active title={false} paragraph={{ rows: 6 }} />
  const one = asked.objectId !== undefined
  const { sees } = answer.data.explanation
  return (
    <>
      <SeeAs userId={asked.userId} may={answer.data.maySeeAs} />
      <p className={styles.verdict} role="status">
        <OptionDot
          color={sees ? 'green' : 'red'}
          label={t(
            one ? (sees ? 'rights.seesRecord' : 'rights.seesNotRecord') : sees ? 'rights.seesSome' : 'rights.seesNone',
          )}
        />
      </p>
      <Grants of={answer.data} />
      <div className={styles.columns}>
        <Actions of={answer.data} />
        <Fields of={answer.data} />
      </div>
    </>
  )
}

const rule = (text: string, t: ReturnType<typeof useText>) =>
  text === '' ? t('rights.noRecords') : text === 'all' ? t('rights.allRecords') : text

function Grants({ of }: { of: Explained }) {
  const t = useText()
  const words = useRightsWords()
  const { grants } = of.explanation
  const { data: roles = [] } = useQuery(rolesQuery)
  const roleName = (code: string) => {
    const role = roles.find((one) => one.code.toLowerCase() === code.toLowerCase())
    return role ? words.label(role.label, code) : code
  }
  return (
    <section>
      <h2>{t('rights.because')}</h2>
      {grants.length === 0 && <p className={styles.hint}>{t('rights.noGrant')}</p>}
      <ul className={styles.reasons}>
        {grants.map((grant) => (
          <li key={grant.at + grant.via}>
            <p>
              <strong>{roleName(grant.role)}</strong>
              {grant.via !== grant.role && ` ${t('rights.via', { role: roleName(grant.via) })}`}
              <small>{grant.at}</small>
              {grant.holds !== null && (
                <OptionDot
                  color={grant.holds ? 'green' : 'gray'}
                  label={t(grant.holds ? 'rights.holds' : 'rights.holdsNot')}
                />
              )}
            </p>
            <p>{words.list(grant.actions.map(words.action))}</p>
            <p>
              {t('rights.rows')}: <code>{rule(grant.rows, t)}</code>
            </p>
            {grant.editRows && (
              <p>
                {t('rights.editRows')}: <code>{grant.editRows}</code>
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Actions({ of }: { of: Explained }) {
  const t = useText()
  const words = useRightsWords()
  return (
    <section>
      <h2>{t('rights.actions')}</h2>
      <table className={styles.table}>
        <tbody>
          {[...of.explanation.actions]
            .sort((a, b) => Number(b.allowed) - Number(a.allowed) || words.order(a.code) - words.order(b.code))
            .map((one) => (
              <tr key={one.code}>
                <td>{words.action(one.code)}</td>
                <td>
                  <OptionDot
                    color={one.allowed ? 'green' : 'gray'}
                    label={t(one.allowed ? 'rights.allowed' : 'rights.refused')}
                  />
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  )
}

function Fields({ of }: { of: Explained }) {
  const t = useText()
  const words = useRightsWords()
  return (
    <section>
      <h2>{t('rights.fields')}</h2>
      <table className={styles.table}>
        <tbody>
          {of.explanation.fields.map((one) => (
            <tr key={one.code}>
              <td>
                {words.label(one.label, one.code)}
                {one.code.includes('.') && <small>{one.code}</small>}
              </td>
              <td>
                {one.where
                  ? t('rights.where', { right: words.right(one.right), condition: one.where })
                  : words.right(one.right)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
