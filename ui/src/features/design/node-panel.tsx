import { Radio } from 'antd'
import { UsesButton } from '@/sdk/names/uses-dialog'
import { useText } from '@/sdk/use-text'
import styles from './design.module.css'
import { hasDisagree, setDisagree } from './edit'
import { usePlace } from './form'
import { End } from './nodes/end-node'
import { Acting, Opinion, Time } from './nodes/handled-node'
import { EmptyPolicy, Mode, Notify } from './nodes/people-node'
import type { NodeProps } from './nodes/props'
import { Service } from './nodes/service-node'
import { Routes } from './nodes/split-node'
import { Sub } from './nodes/sub-node'
import { Wait } from './nodes/wait-node'
import { People } from './people'
import { RightsTable } from './rights-table'
import { NameFields, NumberField, PickField, Row, TextField } from './shared/fields'
import { Section } from './shared/section'
import { useDesignWords } from './words'

export function NodePanel({ node, change, published = false }: NodeProps) {
  const t = useText()
  const words = useDesignWords()
  const place = usePlace()
  const people = ['FILL', 'APPROVE', 'CIRCULATE'].includes(node.type)
  const handled = ['START', 'FILL', 'APPROVE'].includes(node.type)
  return (
    <>
      <div className={styles.fields}>
        <NameFields zh={t('design.nameZh')} en={t('design.nameEn')} />
      </div>
      {people && (
        <Section title={t('design.sections.people')} keys={['participants', 'maxParticipants', 'emptyPolicy']} open>
          <Row label={t('design.participants')} path={['participants']}>
            {() => <People path={['participants']} add={t('design.addPeople')} />}
          </Row>
          {node.type !== 'CIRCULATE' && <EmptyPolicy />}
          <div className={styles.pair}>
            <NumberField
              path={['maxParticipants']}
              label={t('design.maxParticipants')}
              min={1}
              max={10000}
              placeholder="200"
            />
          </div>
        </Section>
      )}
      {(node.type === 'FILL' || node.type === 'APPROVE') && <Mode node={node} />}
      {node.type === 'APPROVE' && (
        <Section title={t('design.sections.disagree')} keys={['next']} open={hasDisagree(node)}>
          <Radio.Group
            className={styles.radios ?? ''}
            aria-label={t('design.sections.disagree')}
            value={hasDisagree(node)}
            onChange={(event) => change(setDisagree(place.flow, node.id, event.target.value as boolean))}
            options={[
              { value: false, label: t('design.disagreeEnds') },
              { value: true, label: t('design.disagreeWay') },
            ]}
          />
        </Section>
      )}
      {handled && <Acting node={node} />}
      {(handled || node.type === 'CIRCULATE') && (
        <Section title={t('design.sections.form')} keys={['form']}>
          <PickField
            path={['form', 'sheetCode']}
            label={t('design.form')}
            options={(place.model?.forms ?? []).map((one) => ({ value: one.code, label: words.label(one.label) }))}
            {...(place.model?.forms[0] && { fallback: place.model.forms[0].code })}
          />
          <RightsTable fallback={node.type === 'START' || node.type === 'FILL' ? 'rw' : 'r'} />
        </Section>
      )}
      {handled && <Opinion />}
      {(handled || node.type === 'WAIT') && <Time node={node} />}
      {(handled || node.type === 'CIRCULATE') && (
        <Section title={t('design.sections.notify')} keys={['notify']}>
          <Notify />
        </Section>
      )}
      {node.type === 'SPLIT' && <Routes node={node} change={change} />}
      {node.type === 'SERVICE' && <Service node={node} />}
      {node.type === 'SUB' && <Sub node={node} />}
      {node.type === 'WAIT' && <Wait node={node} />}
      {node.type === 'END' && <End />}
      <div className={styles.fields}>
        <TextField path={['description']} label={t('design.note')} area />
        <p className={styles.id}>{node.id}</p>
        {published && (
          <UsesButton
            small
            appCode={place.design.appCode}
            kind="node"
            name={`${place.design.workflowCode}.${node.id}`}
            title={words.node(node)}
          />
        )}
      </div>
    </>
  )
}
