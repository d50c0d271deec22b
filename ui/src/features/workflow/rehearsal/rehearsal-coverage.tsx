import { OptionDot } from '@/components/option-dot'
import type { RehearsalReport } from '../api'
import type { FlowWords } from '../task/words'
import styles from './rehearsal.module.css'

/** Which branches and nodes the runs came to, and which none did. */
export function RehearsalCoverage({ report, words }: { report: RehearsalReport; words: FlowWords }) {
  const { t } = words
  const nameOf = (code: string) =>
    words.name(report.nodes.find(({ node }) => node.activityCode === code)?.node ?? { name: code })
  const times = (count: number, never: string) => (
    <OptionDot label={count > 0 ? t('rehearsal.times', { count }) : never} color={count > 0 ? 'green' : 'orange'} />
  )
  return (
    <div className={styles.coverage}>
      <p className={styles.note}>{t('rehearsal.coverageText', { count: report.runs.length })}</p>
      {report.routes.length > 0 && <h2>{t('rehearsal.routes')}</h2>}
      <ul className={styles.people}>
        {report.routes.map((route) => (
          <li key={`${route.node.activityCode}/${route.to}/${route.condition}`}>
            {times(route.taken, t('rehearsal.neverTaken'))}
            <span>
              {words.name(route.node)} → {words.name(route) || nameOf(route.to)}
            </span>
            {route.condition && <code className={styles.code}>{route.condition}</code>}
          </li>
        ))}
      </ul>
      <h2>{t('rehearsal.nodes')}</h2>
      <ul className={styles.people}>
        {report.nodes.map(({ node, reached }) => (
          <li key={node.activityCode}>
            {times(reached, t('rehearsal.neverReached'))}
            <span>{words.name(node)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
