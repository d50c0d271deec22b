import { Button, Input } from 'antd'
import { Choice } from '@/components/choice'
import { Icon } from '@/components/icon'
import { useText } from '@/sdk/use-text'
import styles from './design.module.css'
import { usePlace } from './form'
import { type Option, useProblemText } from './shared/fields'
import type { Path } from './shared/json'
import { type Bag, valueAt } from './shared/json'
import { at } from './shared/problems'

interface Props {
  path: Path
  label: string
  /** What can be written into; without it names are typed. */
  keys?: Option[]
  /** Values are JSON, or an expression in {"formula"}. */
  values?: true
}

/** Names with an expression, or a value, each. */
export function Mapping({ path, label, keys, values }: Props) {
  const t = useText()
  const say = useProblemText()
  const { of, set, problems } = usePlace()
  const map = (valueAt(of, path) ?? {}) as Bag
  const entries = Object.entries(map)
  const write = (next: [string, unknown][]) => set(path, next.length > 0 ? Object.fromEntries(next) : undefined)
  const free = (keys ?? []).filter((one) => !(one.value in map))
  const textOf = (value: unknown) => {
    if (!values) return typeof value === 'string' ? value : ''
    const formula = (value as Bag | null)?.formula
    return typeof formula === 'string' ? `=${formula}` : typeof value === 'string' ? value : JSON.stringify(value)
  }
  const readValue = (text: string): unknown => {
    if (!values) return text
    if (text.startsWith('=')) return { formula: text.slice(1) }
    return /^(true|false|null|-?\d{1,15}(\.\d+)?)$/.test(text) ? JSON.parse(text) : text
  }
  return (
    <fieldset className={styles.mapping}>
      <legend>{label}</legend>
      {entries.map(([key, value], i) => (
        <div key={i} className={styles.pairing}>
          {keys ? (
            <Choice<string>
              aria-label={t('design.property')}
              value={key}
              options={[
                ...keys.filter((one) => one.value === key),
                ...free,
                ...(keys.some((one) => one.value === key) ? [] : [{ value: key, label: key }]),
              ]}
              onChange={(next) => write(entries.map(([old, one], at) => [at === i ? String(next) : old, one]))}
            />
          ) : (
            <Input
              aria-label={t('design.keyName')}
              value={key}
              onChange={(event) => write(entries.map(([old, one], at) => [at === i ? event.target.value : old, one]))}
            />
          )}
          <Input
            className={styles.code ?? ''}
            aria-label={t(values ? 'design.value' : 'design.formula')}
            value={textOf(value)}
            spellCheck={false}
            onChange={(event) =>
              write(entries.map(([old, one], at) => [old, at === i ? readValue(event.target.value) : one]))
            }
          />
          <Button
            type="text"
            size="small"
            aria-label={t('design.removeEntry', { at: i + 1 })}
            icon={<Icon name="close" size={14} />}
            onClick={() => write(entries.filter((_, at) => at !== i))}
          />
          {at(problems, [...path, key]).map((one) => (
            <span key={one.code} className={styles.wrong}>
              {say(one)}
            </span>
          ))}
        </div>
      ))}
      {values && <small>{t('design.valueHint')}</small>}
      <Button
        size="small"
        icon={<Icon name="plus" size={14} />}
        disabled={Boolean(keys) && free.length === 0}
        onClick={() => write([...entries, [keys ? (free[0]?.value ?? '') : `name${entries.length + 1}`, '']])}
      >
        {t('design.addEntry')}
      </Button>
    </fieldset>
  )
}
