import { Input } from 'antd'
import { type PointerEvent as Pointing, useMemo, useRef, useState } from 'react'
import { Icon } from '@/components/icon'
import { useMatcher } from '@/lib/use-matcher'
import { useText } from '@/sdk/use-text'
import type { WidgetType } from './api'
import { mayHold } from './page'
import styles from './portal.module.css'
import { iconOf, type PortalWords } from './words'

const GROUPS = ['navigation', 'work', 'figures', 'content', 'layout'] as const

/** How far a pointer goes before it drags. */
const SLOP = 4

interface Props {
  types: readonly WidgetType[]
  words: PortalWords
  /** What is chosen and holds widgets; new ones go into it. */
  into: WidgetType | null
  onAdd: (type: WidgetType) => void
  /** A type was dropped on the page, at a place of the screen. */
  onDrop: (type: WidgetType, x: number, y: number) => void
}

/** The types of widgets by group, found by name or pinyin. */
export function Palette({ types, words, into, onAdd, onDrop }: Props) {
  const t = useText()
  const [search, setSearch] = useState('')
  const text = search.trim()
  const match = useMatcher(text !== '')
  const groups = useMemo(() => {
    const of = (one: WidgetType) => GROUPS.find((group) => group === one.group) ?? 'content'
    return GROUPS.map((group) => ({ group, list: types.filter((one) => of(one) === group) }))
  }, [types])
  const fits = (one: WidgetType) => mayHold(null, one) || (into !== null && mayHold(into, one))
  const found = groups.map(({ group, list }) => ({
    group,
    list: list.filter(
      (one) =>
        fits(one) &&
        (text === '' || match(words.type(one.type), text) || match(one.label.zh, text) || match(one.type, text)),
    ),
  }))
  return (
    <div className={styles.palette}>
      <Input
        allowClear
        prefix={<Icon name="search" size={14} />}
        aria-label={t('portalDesign.findWidget')}
        placeholder={t('portalDesign.findWidget')}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <div className={styles.types}>
        {found.map(({ group, list }) =>
          list.length === 0 ? null : (
            <section key={group} aria-label={t(`portalDesign.groups.${group}`)}>
              <h2>{t(`portalDesign.groups.${group}`)}</h2>
              <ul>
                {list.map((one) => (
                  <li key={one.type}>
                    <TypeButton type={one} name={words.type(one.type)} onAdd={onAdd} onDrop={onDrop} />
                  </li>
                ))}
              </ul>
            </section>
          ),
        )}
        {found.every(({ list }) => list.length === 0) && <p className={styles.note}>{t('portalDesign.noWidget')}</p>}
      </div>
      <p className={styles.note}>{t('portalDesign.howToAdd')}</p>
    </div>
  )
}

interface ButtonProps extends Pick<Props, 'onAdd' | 'onDrop'> {
  type: WidgetType
  name: string
}

function TypeButton({ type, name, onAdd, onDrop }: ButtonProps) {
  const [ghost, setGhost] = useState<{ x: number; y: number } | null>(null)
  const latest = useRef(onDrop)
  latest.current = onDrop
  const dragged = useRef(false)
  const drag = (event: Pointing) => {
    dragged.current = false
    if (event.button !== 0 || event.pointerType === 'touch') return
    const start = { x: event.clientX, y: event.clientY }
    let moved = false
    const follow = (at: PointerEvent) => {
      moved ||= Math.hypot(at.clientX - start.x, at.clientY - start.y) > SLOP
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
      dragged.current = moved
      if (moved) latest.current(type, at.clientX, at.clientY)
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
        className={styles.type}
        onPointerDown={drag}
        onClick={() => {
          if (!dragged.current) onAdd(type)
          dragged.current = false
        }}
      >
        <Icon name={iconOf(type.type)} size={16} />
        <span>{name}</span>
      </button>
      {ghost && (
        <span className={styles.ghost} style={{ left: ghost.x, top: ghost.y }}>
          <Icon name={iconOf(type.type)} size={14} />
          {name}
        </span>
      )}
    </>
  )
}
