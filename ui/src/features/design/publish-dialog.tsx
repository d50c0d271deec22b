import { Alert, Modal } from 'antd'
import { useText } from '@/sdk/use-text'
import styles from './design.module.css'
import type { Flow } from './document'
import { useProblemText } from './form'
import type { Problem } from './problems'
import { useDesignWords } from './words'

interface Props {
  before: Flow | null
  flow: Flow
  problems: Problem[]
  running: number
  busy: boolean
  onPublish: () => void
  onClose: () => void
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Nodes that were added, changed or removed. */
export function changesOf(before: Flow | null, now: Flow) {
  const old = new Map((before?.nodes ?? []).map((node) => [node.id, node]))
  const is = new Set(now.nodes.map((node) => node.id))
  const { nodes: _, ...rest } = before ?? { nodes: [] }
  const { nodes: __, ...restNow } = now
  return {
    added: now.nodes.filter((node) => !old.has(node.id)),
    changed: now.nodes.filter((node) => old.has(node.id) && !same(old.get(node.id), node)),
    removed: (before?.nodes ?? []).filter((node) => !is.has(node.id)),
    settings: !same(rest, restNow),
  }
}

/** What is about to be published, and what becomes of the instances that run. */
export function PublishDialog({ before, flow, problems, running, busy, onPublish, onClose }: Props) {
  const t = useText()
  const words = useDesignWords()
  const say = useProblemText()
  const { added, changed, removed, settings } = changesOf(before, flow)
  const names = (list: Flow['nodes']) => list.map((node) => words.node(node)).join(t('design.comma'))
  const lines = [
    added.length > 0 && t('design.addedNodes', { names: names(added) }),
    changed.length > 0 && t('design.changedNodes', { names: names(changed) }),
    removed.length > 0 && t('design.removedNodes', { names: names(removed) }),
    settings && t('design.changedSettings'),
  ].filter((line) => typeof line === 'string')
  return (
    <Modal
      open
      title={t('design.publishTitle', { name: words.own(flow) || flow.schemaCode })}
      okText={t('design.publish')}
      cancelText={t('common.cancel')}
      confirmLoading={busy}
      onOk={onPublish}
      onCancel={onClose}
    >
      <ul className={styles.changes}>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p>{running > 0 ? t('design.runningStay', { count: running }) : t('design.noneRunning')}</p>
      {problems.length > 0 && (
        <Alert
          type="warning"
          showIcon
          title={t('design.warnings', { count: problems.length })}
          description={
            <ul>
              {problems.map((one) => (
                <li key={one.code + one.pointer}>{say(one)}</li>
              ))}
            </ul>
          }
        />
      )}
    </Modal>
  )
}
