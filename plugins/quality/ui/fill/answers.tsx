import { Button } from 'antd'
import look from '../shared/look.module.css'
import { texts } from '../texts'
import styles from './fill.module.css'
import type { Item } from './readings'

interface Props {
  item: Item
  values: readonly string[]
  onChange: (values: string[]) => void
}

/** What is judged by a look: one answer, or one for each place where the item asks for several. */
export function Answers({ item, values, onChange }: Props) {
  const t = texts.useText()
  const several = item.minPoints > 1
  const left = item.minPoints - values.length
  const word = (value: string) => t(value === '1' ? 'conclusion.OK' : 'conclusion.NOT_OK')
  const choose = (value: string) => onChange(several ? [...values, value] : values[0] === value ? [] : [value])
  const pressed = (value: string) => !several && values[0] === value
  return (
    <>
      <div className={styles.choices}>
        {['1', '0'].map((value) => (
          <Button
            key={value}
            size="large"
            block
            type={pressed(value) ? 'primary' : 'default'}
            {...(several ? {} : { 'aria-pressed': pressed(value) })}
            aria-label={`${item.name}: ${word(value)}`}
            onClick={() => choose(value)}
          >
            {word(value)}
          </Button>
        ))}
      </div>
      {several && values.length > 0 && (
        <ul className={styles.values}>
          {values.map((value, at) => (
            <li key={at}>
              <button
                type="button"
                data-bad={value === '0' || undefined}
                aria-label={t('dropAnswer', { at: at + 1, state: word(value) })}
                onClick={() => onChange(values.filter((_, i) => i !== at))}
              >
                {value === '1' ? '✓' : '✗'} {word(value)}
              </button>
            </li>
          ))}
        </ul>
      )}
      {several && (
        <p className={look.faint}>
          {t('pointsOf', {
            ...{ ok: values.filter((value) => value === '1').length, n: values.length, least: item.minPoints },
          })}
        </p>
      )}
      {several && left > 0 && (
        <Button
          className={styles.last ?? ''}
          size="large"
          onClick={() => onChange([...values, ...Array<string>(left).fill('1')])}
        >
          {t(values.length === 0 ? 'allPassed' : 'othersPassed', { count: left })}
        </Button>
      )}
    </>
  )
}
