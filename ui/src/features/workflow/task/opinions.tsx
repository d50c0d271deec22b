import { Avatar } from '@/components/avatar'
import { Icon } from '@/components/icon'
import { OptionTag } from '@/components/option-dot'
import type { Opinion } from '../api'
import { useActor } from './acted'
import { useOperation } from './operation'
import { OpinionText, RemarkView } from './remark'
import styles from './task.module.css'
import { useFlowWords } from './words'

/** What others have said and done, the oldest first. */
export function Opinions({ opinions }: { opinions: Opinion[] }) {
  const words = useFlowWords()
  const { t } = words
  const operation = useOperation()
  const actor = useActor()
  return (
    <section className={styles.opinions} aria-label={t('flow.opinions')}>
      <h2>{t('flow.opinions')}</h2>
      {opinions.length === 0 && <p className={styles.note}>{t('flow.noOpinions')}</p>}
      <ol>
        {opinions.map((one, index) => (
          <li key={`${one.time}/${index}`}>
            {one.person ? (
              <Avatar name={one.person.name} src={one.person.imgUrl} size={28} />
            ) : (
              <span className={styles.rule}>
                <Icon name="clock" />
              </span>
            )}
            <div>
              <div className={styles.said}>
                <strong>{actor.who(one)}</strong>
                <span>{operation(one.operation)}</span>
                {one.people.length > 0 && <span>{t('flow.to', { names: words.names(one.people) })}</span>}
                {actor.whose(one) && <OptionTag label={actor.whose(one) ?? ''} />}
              </div>
              {one.opinion && (
                <p className={styles.text}>
                  <OpinionText text={one.opinion} remark={one.remark} />
                </p>
              )}
              <RemarkView remark={one.remark} name={one.person?.name ?? ''} />
              <p className={`${styles.note} tabular`}>
                {[words.activity(one), words.time(one.time), actor.rule(one)].filter(Boolean).join(' · ')}
              </p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
