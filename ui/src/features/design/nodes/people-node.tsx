import { useText } from '@/sdk/use-text'
import { Condition } from '../condition'
import styles from '../design.module.css'
import type { FlowNode } from '../document'
import { usePlace } from '../form'
import { PartyField } from '../people'
import { ManyField, NumberField, PickField, SwitchField } from '../shared/fields'
import { valueAt } from '../shared/json'
import { Section } from '../shared/section'

export function EmptyPolicy() {
  const t = useText()
  const { of } = usePlace()
  const action = valueAt(of, ['emptyPolicy', 'action'])
  const options = (['toAdmin', 'autoPass', 'toUser', 'toInitiatorSuperior', 'error'] as const).map((value) => ({
    value,
    label: t(`design.empty.${value}`),
  }))
  return (
    <>
      <PickField
        path={['emptyPolicy', 'action']}
        label={t('design.emptyPolicy')}
        options={options}
        fallback="toAdmin"
      />
      {action === 'toUser' && (
        <PartyField path={['emptyPolicy', 'user']} label={t('design.person')} kind="user" single />
      )}
    </>
  )
}

export function Notify() {
  const t = useText()
  return (
    <>
      <ManyField
        path={['notify', 'channels']}
        label={t('design.channels')}
        hint={t('design.channelsHint')}
        placeholder={t('design.channelsUsual')}
        options={(['STATION', 'MAIL', 'WEBHOOK'] as const).map((value) => ({
          value,
          label: t(`design.channel.${value}`),
        }))}
      />
      <SwitchField path={['notify', 'nodeCompleted']} label={t('design.nodeCompleted')} />
      <SwitchField path={['notify', 'itemsCompleted']} label={t('design.itemsCompleted')} />
    </>
  )
}

export function Mode({ node }: { node: FlowNode }) {
  const t = useText()
  const approve = node.type === 'APPROVE'
  const mode = typeof node.mode === 'string' ? node.mode : 'ANY'
  const modes = approve
    ? (['ANY', 'ALL', 'SEQ', 'CLAIM', 'LEVELS'] as const)
    : (['ANY', 'ALL', 'SEQ', 'CLAIM'] as const)
  return (
    <Section
      title={t('design.sections.mode')}
      keys={['mode', 'resolve', 'agreeExit', 'disagreeExit', 'autoWhen', 'dedupe']}
      open
    >
      <PickField
        path={['mode']}
        label={t('design.mode')}
        fallback="ANY"
        options={modes.map((value) => ({
          value,
          label: t(approve ? `design.modes.${value}` : `design.fillModes.${value as 'ANY'}`),
        }))}
      />
      {(mode === 'CLAIM' || node.resolve === 'live') && (
        <PickField
          path={['resolve']}
          label={t('design.resolve')}
          fallback="entry"
          options={(['entry', 'live'] as const).map((value) => ({ value, label: t(`design.resolves.${value}`) }))}
        />
      )}
      {approve && (mode === 'ALL' || Boolean(node.vote)) && (
        <div className={styles.pair}>
          <NumberField path={['agreeExit']} label={t('design.agreeExit')} max={100} placeholder="100" unit="%" />
          <NumberField path={['disagreeExit']} label={t('design.disagreeExit')} max={100} unit="%" />
        </div>
      )}
      {approve && mode === 'ANY' && <SwitchField path={['firstDecides']} label={t('design.firstDecides')} fallback />}
      {approve && (mode === 'SEQ' || mode === 'LEVELS') && <SwitchField path={['vote']} label={t('design.vote')} />}
      {approve && <SwitchField path={['early']} label={t('design.early')} fallback />}
      <SwitchField path={['batch']} label={t('design.batch')} />
      {approve && (
        <>
          <Dedupe />
          <Condition path={['autoWhen']} label={t('design.autoWhen')} hint={t('design.expressionHint')} />
        </>
      )}
    </Section>
  )
}

export function Dedupe() {
  const t = useText()
  const { node, flow } = usePlace()
  const whole = node ? flow.settings : undefined // what a node does not say, the workflow says
  return (
    <>
      <PickField
        path={['dedupe']}
        label={t('design.dedupe')}
        fallback={typeof whole?.dedupe === 'string' ? whole.dedupe : 'none'}
        options={(['none', 'adjacent', 'any'] as const).map((value) => ({
          value,
          label: t(`design.dedupes.${value}`),
        }))}
      />
      <SwitchField
        path={['skipInitiator']}
        label={t('design.skipInitiator')}
        fallback={whole?.skipInitiator === true}
      />
    </>
  )
}
