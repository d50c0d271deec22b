import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { flushSync } from 'react-dom'
import { useNavigate } from 'react-router'
import { Icon } from '@/components/icon'
import { usePageTitle } from '@/lib/page-title'
import { useFeedback } from '@/sdk/feedback'
import { UsesButton } from '@/sdk/names/uses-dialog'
import { useText } from '@/sdk/use-text'
import styles from '../design.module.css'
import type { Checked } from './api'
import { Banners } from './banners'
import { begin } from './begun'
import { CopyDialog, type Named } from './copy-dialog'
import { HistoryDialog } from './history-dialog'
import { KeptState } from './kept-state'
import type { Problem } from './problems'
import { PublishDialog } from './publish-dialog'
import { Source } from './source'
import { Top } from './top'
import type { DesignerOf } from './use-designer'

interface Props<T extends Named, C extends Checked, V extends string, P extends Problem> {
  doc: DesignerOf<T, C>
  draws: (value: unknown) => value is T
  /** Said of a text that cannot be drawn. */
  refusal: string
  name: string
  /** Where the document belongs. */
  place: (string | undefined)[]
  /** Views other than the source. */
  views: { value: V; label: string }[]
  view: V | 'source'
  onView: (view: V | 'source') => void
  problems: P[]
  /** Leads to what a problem is about. */
  onGo: (one: P) => void
  /** What differs between two documents, in words. */
  changes: (before: T | null, now: T) => string[]
  /** What becomes of what is there, when it is published. */
  note: string
  /** Another document was loaded in its place: what was chosen is chosen no longer. */
  onLoaded?: () => void
  /** The address of a document of this kind, by its code. */
  addressOf: (code: string) => string
  /** More buttons in the head. */
  actions?: ReactNode
  /** The canvas with its palette and panels, in the views other than the source. */
  children: ReactNode
}

/** The frame of all designers: head, banners, source, history, publication. Each kind adds its canvas. */
export function Designer<T extends Named, C extends Checked, V extends string, P extends Problem>(
  props: Props<T, C, V, P>,
) {
  const t = useText()
  const say = useFeedback()
  const navigate = useNavigate()
  const { doc, name, problems } = props
  const { of, design, before, now, check } = doc
  const [dialog, setDialog] = useState<'publish' | 'history' | 'copy' | null>(null)
  const close = () => setDialog(null)
  usePageTitle(t('design.titleOf', { name }))
  return (
    <div className={styles.page}>
      <Top
        name={name}
        place={props.place}
        code={of.code}
        view={props.view}
        views={[...props.views, { value: 'source' as const, label: t('design.source') }]}
        onView={props.onView}
        history={doc.history}
        problems={problems}
        checking={doc.checking}
        onGo={props.onGo}
        canPublish={doc.changed && !doc.readOnly}
        onPublish={() => setDialog('publish')}
        readOnly={design.readOnly}
      >
        {doc.keeping && (
          <KeptState
            state={doc.keeping.state}
            onRetry={doc.keeping.retry}
            onDiscard={before === null ? undefined : doc.discard}
          />
        )}
        {before !== null && <UsesButton appCode={design.appCode} kind={of.kind} name={of.code} title={name} />}
        {before !== null && (
          <Button
            type="text"
            aria-label={t('desk.history')}
            title={t('desk.history')}
            icon={<Icon name="history" />}
            onClick={() => setDialog('history')}
          />
        )}
        {props.actions}
      </Top>
      <Banners doc={doc} onCopy={() => setDialog('copy')} />
      {props.view === 'source' ? (
        <div className={styles.body}>
          <Source
            document={now}
            draws={props.draws}
            refusal={props.refusal}
            readOnly={doc.readOnly}
            onChange={(next) => doc.change(next, 'source')}
          />
        </div>
      ) : (
        props.children
      )}
      {dialog === 'publish' && (
        <PublishDialog
          name={name}
          draft={doc.body}
          changes={props.changes(before, now)}
          note={props.note}
          problems={problems.filter((one) => one.severity !== 'error')}
          ways={check?.ways ?? []}
          busy={doc.busy}
          onPublish={() => void doc.publish().finally(close)}
          onClose={close}
        />
      )}
      {dialog === 'history' && (
        <HistoryDialog
          of={of}
          older={design.older}
          draws={props.draws}
          refusal={props.refusal}
          now={now}
          changes={props.changes}
          readOnly={doc.readOnly}
          onTake={(taken, said) => {
            doc.change(taken)
            props.onLoaded?.()
            close()
            say.success(said)
          }}
          onClose={close}
        />
      )}
      {dialog === 'copy' && (
        <CopyDialog
          document={now}
          onBegin={(code, copy) => {
            begin(of.kind, code, copy)
            flushSync(doc.letGo) // so that leaving does not ask
            close()
            void navigate(props.addressOf(code))
          }}
          onClose={close}
        />
      )}
    </div>
  )
}
