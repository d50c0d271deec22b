import { Button, Tag } from 'antd'
import { type FocusEvent, useState } from 'react'
import { Icon } from '@/components/icon'
import { WORKBENCH } from '@/sdk/portal'
import { useText } from '@/sdk/use-text'
import frame from '../../design.module.css'
import { Below, useFieldPlace } from '../../shared/fields'
import { type Bag, isBag } from '../../shared/json'
import { at } from '../../shared/problems'
import { useDesigning } from '../context'
import styles from '../portal.module.css'
import { isMissing } from '../schema'
import { isWorkbenchEntry, newEntry, newPhoto, newTab } from '../start'
import { useDocumentText } from '../words'
import { SchemaFields } from './schema-fields'
import { moved, useSorting } from './use-sorting'

const NEW = { navigator: newEntry, photos: newPhoto, tabs: newTab } as const

/** What is not chosen here. */
const WITHOUT = ['isDefaultWorkbench']

/** The entry of the workbench on its page stays one: where it leads is not chosen. */
const fixedOf = (entry: Bag) => [
  ...WITHOUT,
  'URL',
  ...(entry.actionType === 'portalPage' ? ['actionType', 'portalCode'] : []),
]

interface Props {
  name: 'navigator' | 'photos' | 'tabs'
  label: string
  /** The schema of an entry. */
  items: Bag
}

/** Entries of a navigation, photos of a carousel, tabs: they open, are sorted, come and go. */
export function EntriesField({ name, label, items }: Props) {
  const t = useText()
  const textOf = useDocumentText()
  const { of, set, problems } = useFieldPlace()
  const { root, design } = useDesigning()
  const list: unknown[] = Array.isArray(of[name]) ? of[name] : []
  const [open, setOpen] = useState<number | null>(null)
  // What was left incomplete, or was so before, is told; what has just begun is not.
  const [fresh, setFresh] = useState<number | null>(null)
  const write = (next: unknown[]) => set([name], next)
  const sorting = useSorting((from, to) => {
    write(moved(list, from, to))
    setOpen(null)
  })
  const add = () => {
    write([...list, NEW[name](list)])
    setOpen(list.length)
    setFresh(list.length)
  }
  const left = (event: FocusEvent, i: number) => {
    const to = event.relatedTarget
    if (fresh === i && to instanceof Node && !event.currentTarget.contains(to)) setFresh(null)
  }
  const own = at(problems, [name]).filter((one) => one.path.length === 1)
  return (
    <fieldset className={styles.entries} aria-label={label}>
      <legend>{label}</legend>
      <ol data-sorting={sorting.dragging || undefined}>
        {list.map((one, i) => {
          const entry = isBag(one) ? one : {}
          const title = textOf(entry, 'title') || textOf(entry, 'name') || String(i + 1)
          const workbench = design.portalCode === WORKBENCH && isWorkbenchEntry(entry)
          const missing = isMissing(root, items, entry)
          const told = missing && fresh !== i
          return (
            <li key={i} style={sorting.styleOf(i)} onBlur={(event) => left(event, i)}>
              <div className={styles.entry}>
                <span
                  className={styles.handle}
                  title={t('portalDesign.dragToSort')}
                  onPointerDown={(event) => sorting.hold(event, i)}
                >
                  <Icon name="drag" size={14} />
                </span>
                <button
                  type="button"
                  className={styles.entryName}
                  aria-expanded={open === i}
                  onClick={() => setOpen(open === i ? null : i)}
                >
                  <Icon name={open === i ? 'down' : 'right'} size={12} />
                  <span>{title}</span>
                  {told && <i className={frame.dot} />}
                </button>
                {workbench && <Tag>{t('portalDesign.workbench')}</Tag>}
                <Button
                  type="text"
                  size="small"
                  disabled={i === 0}
                  aria-label={t('paper.moveUp', { name: title })}
                  icon={<Icon name="up" size={14} />}
                  onClick={() => {
                    write(moved(list, i, i - 1))
                    if (open === i) setOpen(i - 1)
                  }}
                />
                <Button
                  type="text"
                  size="small"
                  disabled={i === list.length - 1}
                  aria-label={t('paper.moveDown', { name: title })}
                  icon={<Icon name="down" size={14} />}
                  onClick={() => {
                    write(moved(list, i, i + 1))
                    if (open === i) setOpen(i + 1)
                  }}
                />
                {!workbench && (
                  <Button
                    type="text"
                    size="small"
                    aria-label={t('paper.removeOf', { name: title })}
                    icon={<Icon name="close" size={14} />}
                    onClick={() => {
                      write(list.filter((_, other) => other !== i))
                      setOpen(null)
                      setFresh(null)
                    }}
                  />
                )}
              </div>
              {open === i && (
                <div className={styles.entryBody}>
                  <Below path={[name, i]}>
                    <SchemaFields of={items} without={workbench ? fixedOf(entry) : WITHOUT} />
                  </Below>
                </div>
              )}
              {told && (
                <p className={frame.wrong} role="alert">
                  {t('portalDesign.required')}
                </p>
              )}
            </li>
          )
        })}
      </ol>
      {own.map((one) => (
        <ProblemLine key={one.code} zh={one.zh} en={one.en} />
      ))}
      <Button size="small" icon={<Icon name="plus" size={14} />} onClick={add}>
        {t(`portalDesign.addTo.${name}`)}
      </Button>
    </fieldset>
  )
}

function ProblemLine({ zh, en }: { zh: string; en: string }) {
  const { locale } = useDocumentText()
  return <span className={frame.wrong}>{locale === 'zh' ? zh : en}</span>
}
