import { OptionTag, PortalLink } from '@sluice/sdk'
import type { ReactNode } from 'react'
import styles from './lines.module.css'

export interface Line {
  id: string
  to: string
  name: string
  /** Beside the name, the last one at the edge. */
  notes: ReactNode[]
  tag?: { label: string; color: string } | null
}

export type Mark = 'noIcon' | 'dot' | 'diamond'

/** How high a line is. */
export const LINE = 36

/** Texts that open something, one a line. */
export function Lines({ lines, mark = 'noIcon' }: { lines: Line[]; mark?: Mark | undefined }) {
  return (
    <ul className={styles.lines}>
      {lines.map(({ id, to, name, notes, tag }) => (
        <li key={id}>
          {mark !== 'noIcon' && <i className={styles.mark} data-mark={mark} />}
          <PortalLink to={to} className={styles.name} title={name} record>
            {name}
          </PortalLink>
          {tag && <OptionTag label={tag.label} color={tag.color} />}
          {notes.map((note, i) => (
            <span key={i} className={styles.note}>
              {note}
            </span>
          ))}
        </li>
      ))}
    </ul>
  )
}
