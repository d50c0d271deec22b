import type { Task } from './tasks'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** A text as markup. The chart draws its cells from markup: every value passes through here. */
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (c) => entities[c] ?? c)

const INDENT = 20
const arrow = '<svg viewBox="0 0 24 24" width="12" height="12" aria-hidden="true"><path d="M9.5 6l6 6-6 6"/></svg>'
const grip =
  '<span class="gantt-grip" aria-hidden="true"><svg viewBox="0 0 24 24" width="12" height="14"><path d="M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01"/></svg></span>'

interface TitleTexts {
  state: (task: Task) => string
  level: (task: Task) => string
  href: (task: Task) => string
  expand: string
  collapse: string
  sortable: boolean
}

/** The name of a row: its place in the tree, its level, its state as dot and word, and the link that opens it. */
export function titleHtml(task: Task, texts: TitleTexts): string {
  const { branch, depth } = task.row
  const open = branch === 'open' || branch === 'loading'
  const label = open ? texts.collapse : texts.expand
  const toggle = branch
    ? `<button type="button" tabindex="-1" class="gantt-branch" data-toggle aria-expanded="${open}" aria-busy="${branch === 'loading'}" aria-label="${escapeHtml(label)}">${arrow}</button>`
    : '<span class="gantt-branch"></span>'
  const [level, state] = [texts.level(task), texts.state(task)]
  return [
    `<span class="gantt-name" style="padding-inline-start:${depth * INDENT}px">`,
    texts.sortable ? grip : '',
    toggle,
    `<a tabindex="-1" draggable="false" href="${escapeHtml(texts.href(task))}" title="${escapeHtml(task.title)}">${escapeHtml(task.title)}</a>`,
    level && `<span class="gantt-level gantt-level-${task.level ?? ''}">${escapeHtml(level)}</span>`,
    state && `<span class="gantt-state gantt-${task.state ?? ''}">${escapeHtml(state)}</span>`,
    '</span>',
  ].join('')
}

/** The heading of a column, whole in its hint where the column is narrow. */
export const headHtml = (label: string) => `<span title="${escapeHtml(label)}">${escapeHtml(label)}</span>`

export const cellHtml = (text: string) =>
  text === '' ? '' : `<span class="gantt-text" title="${escapeHtml(text)}">${escapeHtml(text)}</span>`
