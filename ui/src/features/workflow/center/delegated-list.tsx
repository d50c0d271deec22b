import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { OptionDot } from '@/components/option-dot'
import { Pages } from '@/sdk/pages'
import type { WorkItem } from '@/sdk/work-items'
import { delegatedQuery, PAGE } from '../api'
import { RESULT_COLOURS, useFlowWords } from '../task/words'
import { TrackDrawer } from '../track/track-drawer'
import styles from '../workflow.module.css'

/** Tasks that the reader's delegates have or had. They are to look at: each opens the course of its instance. */
export function DelegatedList() {
  const words = useFlowWords()
  const { t } = words
  const [page, setPage] = useState(0)
  const [track, setTrack] = useState<WorkItem | null>(null)
  const { data } = useQuery(delegatedQuery(page))
  if (!data || data.totalElements === 0) return null
  const name = t('delegation.tasks')
  return (
    <section aria-label={name}>
      <h2 className={styles.group}>{name}</h2>
      <ul className={styles.cards}>
        {data.content.map((item) => (
          <li key={item.workItemId}>
            <div className={styles.cardHead}>
              <span className={styles.cardName}>{item.instanceName}</span>
              <OptionDot
                label={item.result ? t(`flow.results.${item.result}`) : t(`flow.itemStates.${item.state}`)}
                color={RESULT_COLOURS[item.result]}
              />
            </div>
            <p className={styles.cardText}>
              {[words.workflow(item), words.activity(item), t('delegation.has', { name: item.participant.name })].join(
                ' · ',
              )}
            </p>
            <div className={styles.cardFoot}>
              <p className="tabular">{words.time(item.finishTime ?? item.receiveTime)}</p>
              <span className={styles.acts}>
                <Button aria-label={t('flow.trackOf', { name: item.instanceName })} onClick={() => setTrack(item)}>
                  {t('flow.track')}
                </Button>
              </span>
            </div>
          </li>
        ))}
      </ul>
      {data.totalElements > PAGE && (
        <Pages
          className={styles.pages ?? ''}
          align="end"
          current={page + 1}
          pageSize={PAGE}
          total={data.totalElements}
          showSizeChanger={false}
          showTotal={(total) => t('list.total', { count: total })}
          onChange={(next) => setPage(next - 1)}
        />
      )}
      {track && (
        <TrackDrawer
          workflowInstanceId={track.workflowInstanceId}
          workItemId="-"
          name={track.instanceName}
          onClose={() => setTrack(null)}
        />
      )}
    </section>
  )
}
