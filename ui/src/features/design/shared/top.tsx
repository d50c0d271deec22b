import { Button, Segmented } from 'antd'
import type { ReactNode } from 'react'
import { Icon } from '@/components/icon'
import { useText } from '@/sdk/use-text'
import styles from '../design.module.css'
import type { Problem } from './problems'
import { ProblemsButton } from './problems-button'

interface Props<V extends string, P extends Problem> {
  name: string
  /** Where the document belongs. */
  place: (string | undefined)[]
  code: string
  view: V
  views: { value: V; label: string }[]
  onView: (view: V) => void
  history: { canUndo: boolean; canRedo: boolean; undo: () => void; redo: () => void }
  problems: P[]
  checking: boolean
  onGo: (one: P) => void
  canPublish: boolean
  onPublish: () => void
  /** The document is only read: there is nothing to undo, to check or to publish. */
  readOnly: boolean
  /** More buttons, before those of problems and publication. */
  children: ReactNode
}

/** The head of an editor: what is edited, the views of it, undo, problems and publication. */
export function Top<V extends string, P extends Problem>(props: Props<V, P>) {
  const t = useText()
  const { history, problems, checking } = props
  return (
    <header className={styles.top}>
      <div className={styles.title}>
        <h1 title={props.name}>{props.name}</h1>
        <p title={props.code}>{[...props.place, props.code].filter(Boolean).join(' · ')}</p>
      </div>
      <div className={styles.group}>
        <Segmented<V> value={props.view} options={props.views} onChange={props.onView} />
      </div>
      <div className={styles.group}>
        {!props.readOnly && (
          <>
            <Button
              type="text"
              disabled={!history.canUndo}
              aria-label={t('design.undo')}
              title={`${t('design.undo')} (Ctrl+Z)`}
              icon={<Icon name="reply" />}
              onClick={history.undo}
            />
            <Button
              type="text"
              disabled={!history.canRedo}
              aria-label={t('design.redo')}
              title={`${t('design.redo')} (Ctrl+Y)`}
              icon={<Icon name="reply" className={styles.mirrored ?? ''} />}
              onClick={history.redo}
            />
          </>
        )}
        {props.children}
        {!props.readOnly && (
          <>
            <ProblemsButton problems={problems} checking={checking} onGo={props.onGo} />
            <Button
              type="primary"
              disabled={!props.canPublish || checking || problems.some((one) => one.severity === 'error')}
              onClick={props.onPublish}
            >
              {t('design.publish')}
            </Button>
          </>
        )}
      </div>
    </header>
  )
}
