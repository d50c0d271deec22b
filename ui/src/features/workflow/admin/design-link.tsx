import { audits, useMe } from '@/sdk/me'
import { useText } from '@/sdk/use-text'
import type { Instance } from '@/sdk/work-items'
import { useFlowWords } from '../task/words'
import styles from '../workflow.module.css'

/** Leads administrators to the definition of an instance's workflow, in a tab of its own. */
export function DesignLink({ of }: { of: Instance }) {
  const t = useText()
  const words = useFlowWords()
  if (!audits(useMe()) || !of.appCode) return null
  return (
    <a
      className={styles.design}
      href={`/workflow-design/${encodeURIComponent(of.appCode)}/${encodeURIComponent(of.workflowCode)}`}
      target="_blank"
      rel="noopener"
      aria-label={t('design.designOf', { name: words.workflow(of) })}
    >
      {t('design.design')}
    </a>
  )
}
