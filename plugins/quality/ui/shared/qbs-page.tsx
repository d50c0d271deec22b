import { Failure, Notice, OptionDot, SplitPage } from '@sluice/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import { texts } from '../texts'
import { NoNode, nodeQuery } from './api'
import look from './look.module.css'
import { Part, Ready } from './page-frame'
import { QbsTree } from './qbs-tree'
import type { ProjectPlace } from './use-place'
import { evalState } from './words'

type Split = ComponentProps<typeof SplitPage>

interface Props extends Pick<Split, 'title' | 'beside' | 'actions' | 'end' | 'endLabel'> {
  project: ProjectPlace
  chosen: string | null
  onChoose: (id: string | null) => void
  /** Back from what is chosen, where that is more than to choose nothing. */
  onBack?: () => void
  tree?: Partial<ComponentProps<typeof QbsTree>>
  /** What is shown of the chosen node. */
  children: ReactNode
}

/** A page about one node of the breakdown, which is chosen in the tree at its side. */
export function QbsPage({ project, chosen, onChoose, onBack, tree, children, ...split }: Props) {
  const t = texts.useText()
  return (
    <SplitPage
      {...split}
      sideLabel={t('breakdown')}
      chosen={chosen !== null}
      onBack={onBack ?? (() => onChoose(null))}
      side={<QbsTree units project={project} selected={chosen} onSelect={(item) => onChoose(item.id)} {...tree} />}
    >
      {chosen ? <Part key={chosen}>{children}</Part> : <Notice icon="tree" title={t('chooseNode')} />}
    </SplitPage>
  )
}

export type FoundNode = Awaited<ReturnType<ReturnType<typeof nodeQuery>['queryFn']>>

/** The chosen node, once it is read. */
export function NodeReady({ id, children }: { id: string; children: (node: FoundNode) => ReactNode }) {
  const node = useQuery(nodeQuery(id))
  // What was read of it before would lead to a node that somebody deleted.
  if (node.failureReason instanceof NoNode) return <Failure error={node.failureReason} onRetry={node.refetch} />
  return (
    <Ready query={node} className={look.pad}>
      {children}
    </Ready>
  )
}

/** Name, code and state of a node; with its level where that says something, and what can be done with it at the end. */
export function NodeHead({ node, level = false, end }: { node: FoundNode; level?: boolean; end?: ReactNode }) {
  const t = texts.useText()
  const state = node.status && evalState(node.status.evalStatus)
  return (
    <header className={look.titleLine}>
      <h2>{node.title}</h2>
      <span className={look.code}>{node.code}</span>
      {level && <span className={look.code}>{node.nodeType ? t(`level.${node.nodeType}` as never) : ''}</span>}
      {state && <OptionDot label={state.label} color={state.color} />}
      {end && (
        <>
          <span className={look.gap} />
          {end}
        </>
      )}
    </header>
  )
}
