import type { ReactNode } from 'react'
import type { CellMark } from '../../../../../docs/sluice-script'
import { markClass } from '../row-marks'

/** A cell that the list's script says something about. */
export const MarkedCell = ({ mark, children }: { mark: CellMark; children: ReactNode }) => (
  <span className={markClass(mark)} title={mark.hint ?? mark.text}>
    {children}
  </span>
)
