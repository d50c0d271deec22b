import { Button } from 'antd'
import { Icon } from '@/components/icon'
import { useText } from '@/sdk/use-text'
import styles from '../design.module.css'
import { usePlace } from '../form'
import { Below, PickField, useProblemText } from '../shared/fields'
import { type Bag, valueAt } from '../shared/json'
import { at } from '../shared/problems'
import { useDesignWords } from '../words'

const EVENTS = [
  { value: 'instance.started', text: 'instanceStarted' },
  { value: 'instance.completed', text: 'instanceCompleted' },
  { value: 'instance.canceled', text: 'instanceCanceled' },
  { value: 'instance.exception', text: 'instanceException' },
  { value: 'activity.started', text: 'activityStarted' },
  { value: 'activity.completed', text: 'activityCompleted' },
  { value: 'activity.cancelled', text: 'activityCancelled' },
  { value: 'workitem.created', text: 'workitemCreated' },
  { value: 'workitem.completed', text: 'workitemCompleted' },
] as const

/** Services that are called when something happens to an instance. */
export function Hooks() {
  const t = useText()
  const words = useDesignWords()
  const say = useProblemText()
  const { of, set, design, flow, problems } = usePlace()
  const hooks = (valueAt(of, ['hooks']) ?? []) as Bag[]
  const write = (next: Bag[]) => set(['hooks'], next.length > 0 ? next : undefined)
  const nodes = flow.nodes
    .filter((one) => !['SPLIT', 'JOIN'].includes(one.type))
    .map((one) => ({ value: one.id, label: words.node(one) }))
  return (
    <div className={styles.people}>
      {hooks.map((one, i) => (
        <fieldset key={i} className={styles.card} aria-label={t('design.hookAt', { at: i + 1 })}>
          <Button
            type="text"
            size="small"
            className={styles.remove ?? ''}
            aria-label={t('design.removeHook', { at: i + 1 })}
            icon={<Icon name="close" size={14} />}
            onClick={() => write(hooks.filter((_, at) => at !== i))}
          />
          <Below path={['hooks', i]}>
            <PickField
              path={['on']}
              label={t('design.hookOn')}
              needed
              options={EVENTS.map(({ value, text }) => ({ value, label: t(`design.hookEvents.${text}`) }))}
            />
            {(!String(one.on).startsWith('instance.') || one.node !== undefined) && (
              <PickField
                path={['node']}
                label={t('design.hookNode')}
                options={nodes}
                placeholder={t('design.everyNode')}
              />
            )}
            <PickField
              path={['service']}
              label={t('design.services.service')}
              needed
              options={design.services.map((value) => ({ value, label: value }))}
            />
          </Below>
          {at(problems, ['hooks', i])
            .filter((problem) => problem.path.length === 2)
            .map((problem) => (
              <span key={problem.code} className={styles.wrong}>
                {say(problem)}
              </span>
            ))}
        </fieldset>
      ))}
      <Button
        size="small"
        icon={<Icon name="plus" size={14} />}
        disabled={design.services.length === 0}
        onClick={() => write([...hooks, { on: 'instance.completed', service: design.services[0] }])}
      >
        {t('design.addHook')}
      </Button>
      {design.services.length === 0 && <small>{t('design.noServices')}</small>}
    </div>
  )
}
