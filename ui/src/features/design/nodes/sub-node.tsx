import { useQuery } from '@tanstack/react-query'
import { useText } from '@/sdk/use-text'
import { modelQuery } from '../api'
import { Condition } from '../condition'
import styles from '../design.module.css'
import type { FlowNode } from '../document'
import { usePlace } from '../form'
import { Mapping } from '../mapping'
import { PickField } from '../shared/fields'
import { Section } from '../shared/section'
import { useDesignWords } from '../words'

export function Sub({ node }: { node: FlowNode }) {
  const t = useText()
  const words = useDesignWords()
  const { design, model } = usePlace()
  const child = design.workflows.find((one) => one.code === node.workflowCode)
  const { data: theirs } = useQuery(modelQuery(design.appCode, child?.model ?? ''))
  const writable = (of: typeof model) =>
    words.properties(of, (one) => !one.system && !one.computed && !one.sheet && !one.code.includes('.'))
  return (
    <Section title={t('design.sections.sub')} keys={['workflowCode', 'each', 'when', 'input', 'output', 'wait']} open>
      <PickField
        path={['workflowCode']}
        label={t('design.workflow')}
        needed
        options={design.workflows
          .filter((one) => one.code !== design.workflowCode)
          .map((one) => ({ value: one.code, label: words.choice(one) }))}
      />
      <PickField
        path={['each']}
        label={t('design.each')}
        hint={t('design.eachHint')}
        options={words.properties(model, (one) => one.sheet || (one.multiple && one.target !== ''))}
      />
      <Condition path={['when']} label={t('design.subWhen')} hint={t('design.expressionHint')} />
      <Mapping path={['input']} label={t('design.subInput')} {...(theirs && { keys: writable(theirs) })} />
      <Mapping path={['output']} label={t('design.subOutput')} keys={writable(model)} />
      <div className={styles.pair}>
        <PickField
          path={['wait']}
          label={t('design.wait')}
          fallback="ALL"
          options={(['ALL', 'ANY', 'NONE'] as const).map((value) => ({ value, label: t(`design.waits.${value}`) }))}
        />
        <PickField
          path={['onChildVoid']}
          label={t('design.onChildVoid')}
          fallback="fail"
          options={(['fail', 'ignore'] as const).map((value) => ({ value, label: t(`design.voids.${value}`) }))}
        />
      </div>
    </Section>
  )
}
