import { Input } from 'antd'
import { type PointerEvent as Pointing, useMemo, useRef, useState } from 'react'
import { Icon, type IconName } from '@/components/icon'
import { useMatcher } from '@/lib/use-matcher'
import { useText } from '@/sdk/use-text'
import type { PrintModel } from './api'
import type { Piece } from './elements'
import styles from './paper.module.css'
import type { PaperWords } from './words'

const TOOLS = ['text', 'line', 'rectangle', 'picture', 'barcode', 'qrCode', 'workflowLog', 'signature'] as const

const ICONS: Record<(typeof TOOLS)[number], IconName> = {
  text: 'edit',
  line: 'minus',
  rectangle: 'panel',
  picture: 'camera',
  barcode: 'sliders',
  qrCode: 'qrCode',
  workflowLog: 'history',
  signature: 'user',
}

/** How far a pointer goes before it drags. */
const SLOP = 4

interface Entry {
  key: string
  name: string
  code: string
  icon: IconName
  piece: Piece
}

interface Props {
  model: PrintModel | undefined
  words: PaperWords
  onAdd: (piece: Piece) => void
  /** A piece was dropped on a page, at a place in pixels from the left top corner of its margins. */
  onDrop: (piece: Piece, page: number, x: number, y: number) => void
}

/** What can be put on the paper: the fields of the model by name, its sub-tables, and what is drawn besides. */
export function Palette({ model, words, onAdd, onDrop }: Props) {
  const t = useText()
  const [search, setSearch] = useState('')
  const match = useMatcher(search.trim() !== '')
  const groups = useMemo(() => {
    const entry = (property: PrintModel['properties'][number]): Entry => ({
      key: property.code,
      name: words.label(property.label),
      code: property.code,
      icon: property.sheet ? 'table' : property.files ? 'clip' : property.number ? 'chart' : 'file',
      piece: { property },
    })
    const listEntry = (list: PrintModel['lists'][number]): Entry => ({
      key: `${list.queryCode}.${list.propertyCode}`,
      name: words.label(list.label),
      code: list.queryCode,
      icon: 'table',
      piece: { list },
    })
    const all = model?.properties ?? []
    const top = all.filter((one) => !one.code.includes('.'))
    const sheets = new Set(top.filter((one) => one.sheet).map((one) => one.code))
    return {
      fields: top.filter((one) => !one.sheet && !one.system).map(entry),
      sheets: top.filter((one) => one.sheet).map(entry),
      lists: (model?.lists ?? []).map(listEntry),
      related: all.filter((one) => one.code.includes('.') && !sheets.has(one.code.split('.')[0] ?? '')).map(entry),
      system: top.filter((one) => one.system && !one.sheet).map(entry),
    }
  }, [model, words.label])
  const tools = TOOLS.map(
    (type): Entry => ({ key: type, name: t(`paper.types.${type}`), code: '', icon: ICONS[type], piece: { type } }),
  )
  const text = search.trim()
  const found = (list: Entry[]) => (text ? list.filter((one) => match(one.name, text) ?? match(one.code, text)) : list)
  const shown = [
    ['tools', found(tools), true],
    ['fields', found(groups.fields), true],
    ['sheets', found(groups.sheets), true],
    ['lists', found(groups.lists), true],
    ['related', found(groups.related), text !== ''],
    ['system', found(groups.system), text !== ''],
  ] as const
  return (
    <div className={styles.palette}>
      <Input
        allowClear
        prefix={<Icon name="search" size={14} />}
        aria-label={t('paper.findPiece')}
        placeholder={t('paper.findPiece')}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <div className={styles.pieces}>
        {shown.map(([key, list, open]) =>
          list.length === 0 ? null : (
            <details key={`${key}${text !== ''}`} open={open}>
              <summary>{t(`paper.groups.${key}`)}</summary>
              <ul className={key === 'tools' ? styles.tools : ''}>
                {list.map((one) => (
                  <li key={one.key}>
                    <PieceButton entry={one} onAdd={onAdd} onDrop={onDrop} />
                  </li>
                ))}
              </ul>
            </details>
          ),
        )}
        {shown.every(([, list]) => list.length === 0) && <p className={styles.none}>{t('paper.noPiece')}</p>}
      </div>
      <p className={styles.how}>{t('paper.howToAdd')}</p>
    </div>
  )
}

function PieceButton({ entry, onAdd, onDrop }: { entry: Entry } & Pick<Props, 'onAdd' | 'onDrop'>) {
  const [ghost, setGhost] = useState<{ x: number; y: number } | null>(null)
  const latest = useRef(onDrop)
  latest.current = onDrop
  const drag = (event: Pointing) => {
    if (event.button !== 0 || event.pointerType === 'touch') return
    const start = { x: event.clientX, y: event.clientY }
    let moved = false
    const follow = (at: PointerEvent) => {
      moved = moved || Math.hypot(at.clientX - start.x, at.clientY - start.y) > SLOP
      if (moved) setGhost({ x: at.clientX, y: at.clientY })
    }
    const end = () => {
      window.removeEventListener('pointermove', follow)
      window.removeEventListener('pointerup', up)
      window.removeEventListener('pointercancel', end)
      window.removeEventListener('keydown', giveUp, true)
      setGhost(null)
    }
    const up = (at: PointerEvent) => {
      end()
      if (!moved) return
      const sheet = document
        .elementsFromPoint(at.clientX, at.clientY)
        .find((one): one is HTMLElement => one instanceof HTMLElement && one.dataset.page !== undefined)
      const origin = sheet?.querySelector('[data-origin]')
      if (!sheet || !origin) return
      const rect = origin.getBoundingClientRect()
      latest.current(entry.piece, Number(sheet.dataset.page), at.clientX - rect.left, at.clientY - rect.top)
    }
    const giveUp = (key: KeyboardEvent) => {
      if (key.key !== 'Escape') return
      key.preventDefault()
      key.stopPropagation()
      end()
    }
    window.addEventListener('pointermove', follow)
    window.addEventListener('pointerup', up)
    window.addEventListener('pointercancel', end)
    window.addEventListener('keydown', giveUp, true)
  }
  return (
    <>
      <button
        type="button"
        className={styles.piece}
        title={entry.code || undefined}
        onPointerDown={drag}
        onDoubleClick={() => onAdd(entry.piece)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== ' ') return
          event.preventDefault()
          onAdd(entry.piece)
        }}
        onClick={(event) => {
          // A screen reader, or a finger: nothing can be dragged there.
          const { pointerType } = event.nativeEvent as globalThis.PointerEvent
          if (event.detail === 0 || pointerType === 'touch') onAdd(entry.piece)
        }}
      >
        <Icon name={entry.icon} size={14} />
        <span>{entry.name}</span>
      </button>
      {ghost && (
        <span className={styles.ghost} style={{ left: ghost.x, top: ghost.y }}>
          <Icon name={entry.icon} size={14} />
          {entry.name}
        </span>
      )}
    </>
  )
}
