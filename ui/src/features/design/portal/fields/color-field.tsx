import { ColorPicker, Input } from 'antd'
import { useText } from '@/sdk/use-text'
import { Row, useFieldPlace } from '../../shared/fields'
import { type Path, valueAt } from '../../shared/json'
import styles from '../portal.module.css'

/** A color as text, with a chooser beside it. */
export function ColorField({ path, label, hint }: { path: Path; label: string; hint?: string }) {
  const t = useText()
  const { of, set } = useFieldPlace()
  const value = valueAt(of, path)
  const text = typeof value === 'string' ? value : ''
  return (
    <Row label={label} path={path} hint={hint}>
      {(id) => (
        <span className={styles.color}>
          <ColorPicker
            size="small"
            value={text || null}
            aria-label={t('portalDesign.chooseColor', { name: label })}
            onChange={(color) =>
              set(path, color.toRgb().a < 1 ? color.toRgbString().replaceAll(', ', ',') : color.toHexString())
            }
          />
          <Input
            id={id}
            value={text}
            allowClear
            placeholder={t('portalDesign.ofTheme')}
            onChange={(event) => set(path, event.target.value.trim() || undefined)}
          />
        </span>
      )}
    </Row>
  )
}
