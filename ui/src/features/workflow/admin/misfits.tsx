import type { FlowWords } from '../task/words'
import type { Fitting } from './admin-api'
import styles from './versions.module.css'

/** Why an instance can't go on by the current definition. */
export function Misfits({ of, words }: { of: Fitting; words: FlowWords }) {
  const { t, name } = words
  const texts = of.misfits.map(({ kind, activity, before }) =>
    t(`flowVersions.misfits.${kind}`, { name: name(activity), before: before ? name(before) : '' }),
  )
  return (
    texts.length > 0 && (
      <ul className={styles.misfits}>
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    )
  )
}
