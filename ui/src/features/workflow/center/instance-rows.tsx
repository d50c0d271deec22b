import { Button, Dropdown } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Icon } from '@/components/icon'
import { OptionDot } from '@/components/option-dot'
import { useMedia } from '@/lib/use-media'
import { useFormState } from '@/sdk/record-link'
import { useText } from '@/sdk/use-text'
import { type Instance, trackPath } from '@/sdk/work-items'
import { DesignLink } from '../admin/design-link'
import { type InstanceAct, startPath } from '../api'
import { useFlowWords } from '../task/words'
import styles from '../workflow.module.css'
import { Glance } from './glance'
import { useOpenRow } from './use-open-row'

interface ListProps {
  instances: Instance[]
  all: boolean
  onTrack: (of: Instance) => void
  onAct: (act: InstanceAct, of: Instance) => void
}

/** What can be done, what is most likely first; to end it for good is never that. */
const actsOf = (of: Instance, all: boolean): InstanceAct[] => [
  ...(all && of.canRetry ? (['retry'] as const) : []),
  ...(of.canUrge ? (['urge'] as const) : []),
  ...(of.canRevoke ? (['revoke'] as const) : []),
  ...(of.canVoid ? (['void'] as const) : []),
]

function Acts({ of, all, onTrack, onAct }: Omit<ListProps, 'instances'> & { of: Instance }) {
  const t = useText()
  const state = useFormState()
  const again = !all && of.state === 'DRAFT'
  const acts = actsOf(of, all)
  const first = again || acts[0] === 'void' ? undefined : acts[0]
  const rest = acts.filter((act) => act !== first)
  return (
    <>
      {again && (
        <Link
          className={styles.again}
          to={startPath(of.workflowCode, of.bizObjectId)}
          state={state}
          aria-label={t('flow.againOne', { name: of.instanceName })}
        >
          {t('flow.again')}
        </Link>
      )}
      {first && (
        <Button aria-label={`${t(`flow.${first}`)} ${of.instanceName}`} onClick={() => onAct(first, of)}>
          {t(`flow.${first}`)}
        </Button>
      )}
      <Button type="text" aria-label={t('flow.trackOf', { name: of.instanceName })} onClick={() => onTrack(of)}>
        {t('flow.track')}
      </Button>
      {rest.length > 0 && (
        <Dropdown
          trigger={['click']}
          menu={{
            items: rest.map((act) => ({
              key: act,
              label: t(`flow.${act}`),
              danger: act === 'void',
              onClick: () => onAct(act, of),
            })),
          }}
        >
          <Button type="text" aria-label={`${t('flow.more')} ${of.instanceName}`} icon={<Icon name="more" />} />
        </Dropdown>
      )}
    </>
  )
}

/** A row of the table that opens the course of its instance. */
function Row({ of, children }: { of: Instance; children: ReactNode }) {
  return <tr {...useOpenRow(trackPath(of.workflowInstanceId))}>{children}</tr>
}

/** The same as a card. */
function Card({ of, children }: { of: Instance; children: ReactNode }) {
  return <li {...useOpenRow(trackPath(of.workflowInstanceId))}>{children}</li>
}

/** Where it is, and who has to act. */
function Current({ of }: { of: Instance }) {
  const words = useFlowWords()
  return of.current.map((place) => (
    <span key={place.activityCode}>
      {words.name(place)}
      {place.people.length > 0 && <p title={words.names(place.people)}>{words.names(place.people)}</p>}
    </span>
  ))
}

/** With less the time at which an instance ended is left out. */
const ROOMY = '(min-width: 1366px)'

export function InstanceTable(props: ListProps) {
  const { instances, all } = props
  const words = useFlowWords()
  const roomy = useMedia(ROOMY)
  const { t } = words
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th>{t('flow.instance')}</th>
          <th>{t('flow.state')}</th>
          <th>{t('flow.current')}</th>
          <th>{t(all ? 'flow.originator' : 'flow.started')}</th>
          {roomy && <th>{t('flow.ended')}</th>}
          <th>
            <span className="visually-hidden">{t('flow.actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {instances.map((of) => (
          <Row key={of.workflowInstanceId} of={of}>
            <td className={styles.name}>
              <div className={styles.nameLine}>
                <Link className={styles.link} to={trackPath(of.workflowInstanceId)} title={of.instanceName}>
                  {of.instanceName}
                </Link>
              </div>
              <p>
                {words.workflow(of)}
                {all && <DesignLink of={of} />}
              </p>
              <Glance of={of} words={words} />
            </td>
            <td>
              <OptionDot label={words.state(of)} color={words.stateColour(of)} />
            </td>
            <td className={styles.people}>
              <Current of={of} />
            </td>
            {all ? (
              <td className={styles.people}>
                {of.originator.name}
                <p className="tabular">{words.time(of.startTime)}</p>
              </td>
            ) : (
              <td className={`${styles.time} tabular`}>{words.time(of.startTime)}</td>
            )}
            {roomy && <td className={`${styles.time} tabular`}>{words.time(of.finishTime)}</td>}
            <td className={styles.act}>
              <Acts {...props} of={of} />
            </td>
          </Row>
        ))}
      </tbody>
    </table>
  )
}

/** The same where there is no room for columns. */
export function InstanceCards(props: ListProps) {
  const { instances, all } = props
  const words = useFlowWords()
  return (
    <ul className={styles.cards}>
      {instances.map((of) => (
        <Card key={of.workflowInstanceId} of={of}>
          <div className={styles.cardHead}>
            <Link className={styles.link} to={trackPath(of.workflowInstanceId)}>
              {of.instanceName}
            </Link>
            <OptionDot label={words.state(of)} color={words.stateColour(of)} />
          </div>
          <p className={styles.cardText}>
            {[
              words.workflow(of),
              all && of.originator.name,
              ...of.current.map((place) => [words.name(place), words.names(place.people)].filter(Boolean).join(' ')),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
          <Glance of={of} words={words} />
          <div className={styles.cardFoot}>
            <p className="tabular">{words.time(of.startTime)}</p>
            <span className={styles.acts}>
              <Acts {...props} of={of} />
            </span>
          </div>
        </Card>
      ))}
    </ul>
  )
}
