import type { ListConfig, Row } from '@/api/types'
import { propertyUI } from '@/registry/properties'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { linkColumn } from '../table/column-defs'
import styles from './delete-note.module.css'

type Kind = 'business' | 'process' | 'parent' | 'child' | 'refused' | 'kept'

export type DeleteCounts = [Kind, number][]

/** How many records of each sort would go. Where all are of the plain sort, the question says it already. */
export function DeleteNote({ counts, all, recycle }: { counts: DeleteCounts; all: boolean; recycle: boolean }) {
  const t = useText()
  const shown = counts.filter(([, count]) => count > 0)
  const plain = shown.every(([kind]) => kind === 'business')
  return (
    <>
      {!plain && (
        <ul className={styles.lines}>
          {shown.map(([kind, count]) => (
            <li key={kind}>{t(`list.deleteChecks.${kind}`, { count })}</li>
          ))}
        </ul>
      )}
      <p>{t(all ? `${recycle ? 'life' : 'bulk'}.deleteAllText` : `${recycle ? 'life' : 'list'}.deleteText`)}</p>
    </>
  )
}

const SHOWN = 5

interface RefusalsProps {
  config: ListConfig
  refused: { row: Row | undefined; reason: string }[]
}

/** What is in the way, record by record. */
export function Refusals({ config, refused }: RefusalsProps) {
  const t = useText()
  const context = useTextContext()
  const link = linkColumn(config.queryColumns, config.queryPresentation.fixedLeftColumns)
  const nameOf = (row: Row | undefined) => {
    const words = row && link && propertyUI(link.propertyType).text(row.data[link.propertyCode], link, context)
    return words || t('list.unnamed')
  }
  return (
    <ul className={styles.lines}>
      {refused.slice(0, SHOWN).map(({ row, reason }, i) => (
        <li key={row?.id ?? i}>
          <strong>{nameOf(row)}</strong>
          <span>{reason}</span>
        </li>
      ))}
      {refused.length > SHOWN && <li>{t('list.deleteMore', { count: refused.length - SHOWN })}</li>}
    </ul>
  )
}
