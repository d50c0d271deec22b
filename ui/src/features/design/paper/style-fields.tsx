import { Button, Input } from 'antd'
import { type ReactNode, useState } from 'react'
import { Icon } from '@/components/icon'
import { useText } from '@/sdk/use-text'
import frame from '../design.module.css'
import { NumberField, PickField, Row, useFieldPlace } from '../shared/fields'
import { type Path, valueAt } from '../shared/json'
import styles from './paper.module.css'

const HEX = /^#[0-9a-fA-F]{6}$/

/** A color as text, with the chooser of the browser beside it. */
export function ColorField({ path, label, placeholder }: { path: Path; label: string; placeholder: string }) {
  const t = useText()
  const { of, set } = useFieldPlace()
  const value = valueAt(of, path)
  const text = typeof value === 'string' ? value : ''
  return (
    <Row label={label} path={path}>
      {(id) => (
        <span className={styles.color}>
          <input
            type="color"
            aria-label={t('paper.chooseColor', { name: label })}
            value={HEX.test(text) ? text : '#000000'}
            onChange={(event) => set(path, event.target.value)}
          />
          <Input
            id={id}
            value={text}
            placeholder={placeholder}
            allowClear
            onChange={(event) => set(path, event.target.value.trim() || undefined)}
          />
        </span>
      )}
    </Row>
  )
}

const MARKS = [
  ['bold', 'B'],
  ['italic', 'I'],
  ['underline', 'U'],
] as const

/** Font, color, alignment, borders and fill of a box. */
export function StyleFields({
  border = 'none',
  text = true,
  fill = true,
}: {
  border?: 'none' | 'solid'
  text?: boolean
  fill?: boolean
}) {
  const t = useText()
  const { of, set } = useFieldPlace()
  return (
    <>
      {text && (
        <>
          <div className={frame.pair}>
            <NumberField
              path={['fontSize']}
              label={t('paper.fontSize')}
              min={4}
              max={200}
              placeholder="10.5"
              unit={t('paper.points')}
            />
            <ColorField path={['fontColor']} label={t('paper.fontColor')} placeholder="black" />
          </div>
          <fieldset className={styles.marks} aria-label={t('paper.fontStyle')}>
            {MARKS.map(([key, letter]) => (
              <Button
                key={key}
                aria-label={t(`paper.${key}`)}
                aria-pressed={of[key] === true}
                type={of[key] === true ? 'primary' : 'default'}
                onClick={() => set([key], of[key] === true ? undefined : true)}
              >
                <span className={styles[key]}>{letter}</span>
              </Button>
            ))}
          </fieldset>
          <div className={frame.pair}>
            <PickField
              path={['horizontalAlign']}
              brief
              label={t('paper.horizontal')}
              fallback="left"
              options={(['left', 'center', 'right'] as const).map((value) => ({
                value,
                label: t(`paper.aligns.${value}`),
              }))}
            />
            <PickField
              path={['verticalAlign']}
              brief
              label={t('paper.vertical')}
              fallback="middle"
              options={(['top', 'middle', 'bottom'] as const).map((value) => ({
                value,
                label: t(`paper.aligns.${value}`),
              }))}
            />
          </div>
        </>
      )}
      <div className={frame.pair}>
        <PickField
          path={['borderType']}
          brief
          label={t('paper.border')}
          fallback={border}
          options={(['none', 'solid', 'dashed', 'dotted'] as const).map((value) => ({
            value,
            label: t(`paper.borders.${value}`),
          }))}
        />
        <NumberField
          path={['borderWidth']}
          label={t('paper.borderWidth')}
          max={20}
          placeholder="0.5"
          unit={t('paper.points')}
        />
      </div>
      <div className={frame.pair}>
        <ColorField path={['borderColor']} label={t('paper.borderColor')} placeholder="black" />
        {fill && <ColorField path={['fillColor']} label={t('paper.fill')} placeholder={t('paper.noFill')} />}
      </div>
    </>
  )
}

interface EntryProps {
  name: string
  first: boolean
  last: boolean
  onMove: (by: 1 | -1) => void
  onRemove?: (() => void) | undefined
  children: ReactNode
}

/** An entry of a list: it opens, moves and goes. */
export function Entry({ name, first, last, onMove, onRemove, children }: EntryProps) {
  const t = useText()
  const [open, setOpen] = useState(false)
  return (
    <li>
      <div className={styles.entry}>
        <button type="button" className={styles.entryName} aria-expanded={open} onClick={() => setOpen(!open)}>
          <Icon name={open ? 'down' : 'right'} size={12} />
          <span>{name}</span>
        </button>
        <span className={styles.entryButtons}>
          <Button
            type="text"
            size="small"
            disabled={first}
            aria-label={t('paper.moveUp', { name })}
            icon={<Icon name="up" size={14} />}
            onClick={() => onMove(-1)}
          />
          <Button
            type="text"
            size="small"
            disabled={last}
            aria-label={t('paper.moveDown', { name })}
            icon={<Icon name="down" size={14} />}
            onClick={() => onMove(1)}
          />
          {onRemove && (
            <Button
              type="text"
              size="small"
              aria-label={t('paper.removeOf', { name })}
              icon={<Icon name="close" size={14} />}
              onClick={onRemove}
            />
          )}
        </span>
      </div>
      {open && <div className={styles.entryBody}>{children}</div>}
    </li>
  )
}
