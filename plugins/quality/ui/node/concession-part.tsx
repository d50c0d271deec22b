import { OptionDot, post, useFeedback, useMe } from '@sluice/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { codes } from '../codes'
import { authorityQuery, type Concession, type QbsNode, recordQuery, statusQuery } from '../shared/api'
import { FormSheet } from '../shared/form-sheet'
import look from '../shared/look.module.css'
import { texts } from '../texts'

interface Person {
  id: string
  name: string
}

/** The people of a value. */
const people = (value: unknown): Person[] => (Array.isArray(value) ? (value as Person[]) : [])

/** Who has signed that what failed is accepted all the same, and who still has to. There is none of a node that did not fail. */
export function ConcessionPart({ node }: { node: Pick<QbsNode, 'id'> }) {
  const t = texts.useText()
  const concession = useQuery(authorityQuery(node.id)).data?.concession
  const signedBy = people(
    useQuery({ ...recordQuery(codes.node, node.id), enabled: !!concession }).data?.data[codes.concessionBy],
  )
  const open = useQuery({ ...statusQuery(node.id), enabled: !!concession }).data?.ncrOpen
  const [asked, setAsked] = useState<'sign' | 'unsign' | null>(null)
  if (!concession) return null
  const accepted = concession.parties.every(({ by }) => by.length > 0)
  return (
    <>
      <h3 className={look.heading}>{t('concession')}</h3>
      {(!accepted || open !== undefined) && (
        <p className={look.note}>{t(!accepted ? 'concessionNeeds' : open ? 'concededOpen' : 'conceded')}</p>
      )}
      {concession.parties.map(({ role, by }) => (
        <div key={role} className={look.sheet}>
          <span className={look.sheetTitle}>{t(`signer.${role}`)}</span>
          <span>
            {signedBy
              .filter(({ id }) => by.includes(id))
              .map(({ name }) => name)
              .join(t('comma'))}
          </span>
          <OptionDot label={t(by.length > 0 ? 'signed' : 'unsigned')} color={by.length > 0 ? 'green' : 'gray'} />
        </div>
      ))}
      {(concession.canSign || concession.signed) && (
        <p>
          <Button onClick={() => setAsked(concession.signed ? 'unsign' : 'sign')}>
            {t(concession.signed ? 'concessionUnsign' : 'concessionSign')}
          </Button>
        </p>
      )}
      {asked && <SignDialog node={node} concession={concession} step={asked} onClose={() => setAsked(null)} />}
    </>
  )
}

interface SignProps {
  node: Pick<QbsNode, 'id'>
  concession: Concession
  step: 'sign' | 'unsign'
  onClose: () => void
}

function SignDialog({ node, concession, step, onClose }: SignProps) {
  const t = texts.useText()
  const say = useFeedback()
  const me = useMe()?.id ?? ''
  const record = useQuery(recordQuery(codes.node, node.id)).data
  const last = concession.parties.filter(({ by }) => by.length === 0).length === 1
  const save = useMutation({
    mutationFn: () => {
      const others = people(record?.data[codes.concessionBy]).filter(({ id }) => id !== me)
      return post('/api/runtime/form/save', {
        schemaCode: codes.node,
        id: node.id,
        version: record?.version ?? 0,
        data: { [codes.concessionBy]: [...others.map(({ id }) => id), ...(step === 'sign' ? [me] : [])] },
      })
    },
    onSuccess: () => {
      say.success(t(step === 'unsign' ? 'concessionUnsigned' : last ? 'conceded' : 'concessionSigned'))
      onClose()
    },
    onError: say.error,
  })
  return (
    <FormSheet
      title={t(step === 'sign' ? 'concessionSign' : 'concessionUnsign')}
      ok={t(step === 'sign' ? 'signVerb' : 'unsignVerb')}
      ready={record !== undefined && me !== ''}
      busy={save.isPending}
      onOk={() => save.mutate()}
      onClose={onClose}
    >
      <p>{t(step === 'unsign' ? 'concessionUnsignAsk' : last ? 'concessionSignLast' : 'concessionSignAsk')}</p>
    </FormSheet>
  )
}
