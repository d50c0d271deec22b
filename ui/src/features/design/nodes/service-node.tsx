import { Choice } from '@/components/choice'
import { useText } from '@/sdk/use-text'
import styles from '../design.module.css'
import type { FlowNode } from '../document'
import { usePlace } from '../form'
import { Mapping } from '../mapping'
import { NumberField, PickField, Row, SwitchField, TextField } from '../shared/fields'
import { Section } from '../shared/section'
import { useDesignWords } from '../words'

export function Service({ node }: { node: FlowNode }) {
  const t = useText()
  const words = useDesignWords()
  const { design, set, of, model } = usePlace()
  const kind = 'http' in node ? 'http' : 'rule' in node ? 'rule' : 'service'
  const own = words.properties(
    model,
    (one) => !one.system && !one.computed && !one.sheet && !one.opinions && !one.code.includes('.'),
  )
  return (
    <Section title={t('design.sections.service')} keys={['service', 'rule', 'http', 'input', 'output', 'retry']} open>
      <Row label={t('design.serviceKind')}>
        {(id) => (
          <Choice<string>
            id={id}
            value={kind}
            options={(['service', 'rule', 'http'] as const).map((value) => ({
              value,
              label: t(`design.services.${value}`),
            }))}
            onChange={(next) => {
              const { service: _, rule: __, http: ___, ...rest } = of
              set([], { ...rest, [String(next)]: next === 'http' ? { url: '' } : '' })
            }}
          />
        )}
      </Row>
      {kind === 'service' && (
        <PickField
          path={['service']}
          label={t('design.services.service')}
          needed
          options={design.services.map((value) => ({ value, label: value }))}
        />
      )}
      {kind === 'rule' && (
        <PickField
          path={['rule']}
          label={t('design.services.rule')}
          needed
          options={design.rules.map((value) => ({ value, label: value }))}
        />
      )}
      {kind === 'http' && (
        <>
          <TextField
            path={['http', 'url']}
            label={t('design.url')}
            hint={t('design.urlHint', { placeholder: '{contractNo}' })}
            code
          />
          <div className={styles.pair}>
            <PickField
              path={['http', 'method']}
              label={t('design.method')}
              fallback="POST"
              options={['GET', 'POST', 'PUT', 'DELETE'].map((value) => ({ value, label: value }))}
            />
            <NumberField
              path={['http', 'timeoutSeconds']}
              label={t('design.seconds')}
              min={1}
              max={300}
              placeholder="30"
            />
          </div>
        </>
      )}
      <Mapping path={['input']} label={t('design.input')} />
      <Mapping path={['output']} label={t('design.output')} keys={own} />
      <SwitchField path={['async']} label={t('design.async')} />
      <div className={styles.pair}>
        <NumberField path={['retry', 'times']} label={t('design.retries')} max={20} placeholder="3" />
        <NumberField
          path={['retry', 'backoffSeconds']}
          label={t('design.backoff')}
          min={1}
          max={86400}
          placeholder="10"
        />
      </div>
    </Section>
  )
}
