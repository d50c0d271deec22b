import { Button } from 'antd'
import { Icon } from '@/components/icon'
import { useText } from '@/sdk/use-text'
import styles from '../design.module.css'
import type { FlowNode } from '../document'
import { usePlace } from '../form'
import { PartyField } from '../people'
import { Below, ManyField, NumberField, PickField, Row, SwitchField, TextField } from '../shared/fields'
import { type Bag, valueAt } from '../shared/json'
import { Section } from '../shared/section'
import { useDesignWords } from '../words'

const ACTIONS = [
  'save',
  'submit',
  'agree',
  'disagree',
  'reject',
  'transfer',
  'addSign',
  'assist',
  'circulate',
  'withdraw',
  'urge',
  'adjust',
  'revoke',
  'void',
] as const

/** The buttons that a node has where its document names none. */
const USUAL: Record<string, string[]> = {
  START: ['submit', 'save', 'revoke', 'urge'],
  FILL: ['submit', 'save', 'transfer', 'withdraw', 'urge'],
  APPROVE: ['agree', 'disagree', 'reject', 'transfer', 'circulate', 'withdraw', 'urge'],
}

export function Acting({ node }: { node: FlowNode }) {
  const t = useText()
  const words = useDesignWords()
  const { flow } = usePlace()
  const targets = [
    { value: 'start', label: t('design.toStart') },
    { value: 'previous', label: t('design.toPrevious') },
    ...flow.nodes
      .filter((one) => ['FILL', 'APPROVE'].includes(one.type) && one.id !== node.id)
      .map((one) => ({ value: one.id, label: words.node(one) })),
  ]
  return (
    <Section title={t('design.sections.actions')} keys={['actions', 'addSignAgain', 'awaitAdvice', 'reject']}>
      <ManyField
        path={['actions']}
        label={t('design.actions')}
        options={ACTIONS.map((value) => ({ value, label: t(`design.acts.${value}`) }))}
        fallback={USUAL[node.type] ?? []}
      />
      {node.type !== 'START' && (
        <>
          <SwitchField path={['addSignAgain']} label={t('design.addSignAgain')} hint={t('design.addSignAgainHint')} />
          <SwitchField path={['awaitAdvice']} label={t('design.awaitAdvice')} />
          <ManyField
            path={['reject', 'targets']}
            label={t('design.rejectTo')}
            options={targets}
            placeholder={t('design.byDefault', { value: t('design.toStart') })}
          />
          <PickField
            path={['reject', 'resubmit']}
            label={t('design.resubmit')}
            fallback="rerun"
            options={(['rerun', 'toRejector', 'choose'] as const).map((value) => ({
              value,
              label: t(`design.resubmits.${value}`),
            }))}
          />
        </>
      )}
    </Section>
  )
}

export function Opinion() {
  const t = useText()
  const words = useDesignWords()
  const { model, of } = usePlace()
  const keepers = words.properties(model, (one) => one.opinions)
  return (
    <Section title={t('design.sections.opinion')} keys={['opinion']}>
      <div className={styles.pair}>
        <PickField
          path={['opinion', 'required']}
          label={t('design.opinionRequired')}
          fallback="never"
          options={(['never', 'onReject', 'onDisagree', 'always'] as const).map((value) => ({
            value,
            label: t(`design.requireds.${value}`),
          }))}
        />
        <NumberField
          path={['opinion', 'maxLength']}
          label={t('design.maxLength')}
          min={1}
          max={200}
          placeholder="200"
        />
      </div>
      <SwitchField path={['opinion', 'signature']} label={t('design.signature')} />
      <SwitchField path={['opinion', 'secret']} label={t('design.secret')} />
      {(keepers.length > 1 || valueAt(of, ['opinion', 'propertyCode']) !== undefined) && (
        <PickField
          path={['opinion', 'propertyCode']}
          label={t('design.keptIn')}
          hint={t('design.keptInHint')}
          options={keepers}
        />
      )}
    </Section>
  )
}

const OVERDUE = ['remind', 'toSuperior', 'toUser', 'autoAgree', 'autoReject', 'jump', 'exception'] as const

export function Time({ node }: { node: FlowNode }) {
  const t = useText()
  const words = useDesignWords()
  const { of, set, flow } = usePlace()
  const steps = (valueAt(of, ['time', 'onTimeout']) ?? []) as Bag[]
  const write = (next: Bag[]) => set(['time', 'onTimeout'], next.length > 0 ? next : undefined)
  return (
    <Section title={t('design.sections.time')} keys={['time']}>
      <div className={styles.pair}>
        <NumberField path={['time', 'expectMinutes']} label={t('design.expect')} unit={t('design.minutes')} />
        <NumberField path={['time', 'timeoutMinutes']} label={t('design.timeout')} unit={t('design.minutes')} />
      </div>
      <TextField path={['time', 'calendar']} label={t('design.calendar')} code />
      {node.type !== 'WAIT' && <SwitchField path={['time', 'tellSuperior']} label={t('design.tellSuperior')} />}
      <Row label={t('design.onTimeout')} path={['time', 'onTimeout']}>
        {() => (
          <div className={styles.people}>
            {steps.map((one, i) => (
              <fieldset key={i} className={styles.card} aria-label={t('design.entry', { at: i + 1 })}>
                <Button
                  type="text"
                  size="small"
                  className={styles.remove ?? ''}
                  aria-label={t('design.removeEntry', { at: i + 1 })}
                  icon={<Icon name="close" size={14} />}
                  onClick={() => write(steps.filter((_, at) => at !== i))}
                />
                <Below path={['time', 'onTimeout', i]}>
                  <PickField
                    path={['action']}
                    label={t('design.action')}
                    needed
                    options={OVERDUE.map((value) => ({ value, label: t(`design.overdue.${value}`) }))}
                  />
                  <NumberField
                    path={['afterMinutes']}
                    label={t('design.after')}
                    unit={t('design.minutes')}
                    placeholder="0"
                  />
                  {one.action === 'remind' && (
                    <NumberField path={['repeatMinutes']} label={t('design.repeat')} unit={t('design.minutes')} />
                  )}
                  {one.action === 'toUser' && (
                    <PartyField path={['user']} label={t('design.person')} kind="user" single />
                  )}
                  {one.action === 'jump' && (
                    <PickField
                      path={['to']}
                      label={t('design.jumpTo')}
                      needed
                      options={flow.nodes
                        .filter((node) => !['JOIN', 'START'].includes(node.type))
                        .map((node) => ({ value: node.id, label: words.node(node) }))}
                    />
                  )}
                </Below>
              </fieldset>
            ))}
            <Button
              size="small"
              icon={<Icon name="plus" size={14} />}
              onClick={() => write([...steps, { action: 'remind' }])}
            >
              {t('design.addStep')}
            </Button>
          </div>
        )}
      </Row>
    </Section>
  )
}
