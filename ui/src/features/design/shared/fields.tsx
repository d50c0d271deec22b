import { Input, InputNumber, Switch } from 'antd'
import { createContext, type ReactNode, useContext, useId } from 'react'
import { Choice } from '@/components/choice'
import { useLocale } from '@/i18n/locale'
import { useText } from '@/sdk/use-text'
import styles from '../design.module.css'
import { type Bag, numberOf, type Path, setAt, valueAt } from './json'
import { at, type Problem } from './problems'

/** What the fields of a panel are of: an object of the document, with what is wrong with it. */
export interface FieldPlace {
  of: Bag
  problems: Problem[]
  set: (path: Path, value: unknown) => void
}

const Here = createContext<FieldPlace | null>(null)
export const FieldsOf = Here.Provider
export function useFieldPlace(): FieldPlace {
  const place = useContext(Here)
  if (!place) throw new Error('a field outside of a panel')
  return place
}

interface BelowProps {
  path: Path
  /** In place of what is at the path. */
  of?: Bag
  /** In place of writing it there. */
  onSet?: (next: Bag) => void
  children: ReactNode
}

/** The part of a document below a path as a place of its own. */
export function Below({ path, of: given, onSet, children }: BelowProps) {
  const place = useFieldPlace()
  const of = given ?? ((valueAt(place.of, path) ?? {}) as Bag)
  const problems = at(place.problems, path).map((one) => ({ ...one, path: one.path.slice(path.length) }))
  const set = (inner: Path, value: unknown) =>
    onSet ? onSet(setAt(of, inner, value)) : place.set([...path, ...inner], value)
  return <Here.Provider value={{ ...place, of, problems, set }}>{children}</Here.Provider>
}

export function useProblemText() {
  const locale = useLocale()
  return (one: { zh: string; en: string }) => (locale === 'zh' ? one.zh : one.en)
}

interface RowProps {
  label: string
  hint?: string | undefined
  /** What it is in the document; what is wrong there is shown below. */
  path?: Path
  children: (id: string) => ReactNode
}

/** A control with its label above and what is wrong with it below. */
export function Row({ label, hint, path, children }: RowProps) {
  const id = useId()
  const say = useProblemText()
  const place = useFieldPlace()
  const wrong = path ? at(place.problems, path) : []
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
      {wrong.map((one) => (
        <span key={one.code + one.path.join('/')} className={one.severity === 'error' ? styles.wrong : styles.warn}>
          {say(one)}
        </span>
      ))}
      {wrong.length === 0 && hint && <small>{hint}</small>}
    </div>
  )
}

interface FieldProps {
  path: Path
  label: string
  hint?: string
}

const empty = (text: string) => (text === '' ? undefined : text)

export function TextField({
  path,
  label,
  hint,
  code,
  area,
  placeholder,
}: FieldProps & { code?: true; area?: true; placeholder?: string }) {
  const { of, set } = useFieldPlace()
  const value = valueAt(of, path)
  const shared = {
    value: typeof value === 'string' ? value : '',
    placeholder,
    className: code ? styles.code : '',
    onChange: (event: { target: { value: string } }) => set(path, empty(event.target.value)),
  }
  return (
    <Row label={label} hint={hint} path={path}>
      {(id) =>
        area ? (
          <Input.TextArea id={id} autoSize={{ minRows: 1, maxRows: 8 }} {...shared} />
        ) : (
          <Input id={id} {...shared} />
        )
      }
    </Row>
  )
}

/** An expression. With keep it stays in the document while it is empty. */
export function ExpressionField({ path, label, hint, keep }: FieldProps & { keep?: true }) {
  const { of, set } = useFieldPlace()
  const value = valueAt(of, path)
  return (
    <Row label={label} hint={hint} path={path}>
      {(id) => (
        <Input.TextArea
          id={id}
          autoSize={{ minRows: 1, maxRows: 6 }}
          className={styles.code ?? ''}
          spellCheck={false}
          value={typeof value === 'string' ? value : ''}
          onChange={(event) => set(path, keep ? event.target.value : empty(event.target.value))}
        />
      )}
    </Row>
  )
}

export function NumberField({
  path,
  label,
  hint,
  min = 0,
  max,
  placeholder,
  unit,
}: FieldProps & { min?: number; max?: number; placeholder?: string; unit?: string }) {
  const { of, set } = useFieldPlace()
  const value = valueAt(of, path)
  return (
    <Row label={label} hint={hint} path={path}>
      {(id) => (
        <InputNumber
          id={id}
          className={styles.number ?? ''}
          min={min}
          {...(max !== undefined && { max })}
          {...(placeholder && { placeholder })}
          {...(unit && { suffix: unit })}
          value={numberOf(value) ?? null}
          onChange={(next) => set(path, next ?? undefined)}
        />
      )}
    </Row>
  )
}

export interface Option {
  value: string
  label: string
}

/** One of several; without a choice the default holds, which the placeholder names: `brief` where there is no room for more. */
export function PickField({
  path,
  label,
  hint,
  options,
  fallback,
  needed,
  brief,
  placeholder,
}: FieldProps & { options: Option[]; fallback?: string; needed?: true; brief?: true; placeholder?: string }) {
  const t = useText()
  const { of, set } = useFieldPlace()
  const value = valueAt(of, path)
  const usual = options.find((one) => one.value === fallback)?.label
  const known = typeof value !== 'string' || options.some((one) => one.value === value)
  return (
    <Row label={label} hint={hint} path={path}>
      {(id) => (
        <Choice<string>
          id={id}
          allowClear={!needed}
          placeholder={
            placeholder ?? (usual ? (brief ? usual : t('design.byDefault', { value: usual })) : t('design.choose'))
          }
          value={typeof value === 'string' ? value : null}
          options={known ? options : [...options, { value: value as string, label: value as string }]}
          onChange={(next) => set(path, next ?? undefined)}
        />
      )}
    </Row>
  )
}

/** Several of some, or words of one's own. */
export function ManyField({
  path,
  label,
  hint,
  options,
  free,
  placeholder,
  fallback,
}: FieldProps & { options: Option[]; free?: true; placeholder?: string; fallback?: string[] }) {
  const { of, set } = useFieldPlace()
  const value = valueAt(of, path)
  const list = Array.isArray(value) ? (value as string[]) : (fallback ?? [])
  const unknown = list.filter((one) => !options.some((option) => option.value === one))
  return (
    <Row label={label} hint={hint} path={path}>
      {(id) => (
        <Choice<string[]>
          id={id}
          mode={free ? 'tags' : 'multiple'}
          allowClear
          placeholder={placeholder}
          value={list}
          options={[...options, ...unknown.map((one) => ({ value: one, label: one }))]}
          onChange={(next: string[]) => set(path, next.length > 0 ? next : undefined)}
        />
      )}
    </Row>
  )
}

export function SwitchField({ path, label, hint, fallback = false }: FieldProps & { fallback?: boolean }) {
  const { of, set, problems } = useFieldPlace()
  const id = useId()
  const say = useProblemText()
  const value = valueAt(of, path)
  return (
    <div className={styles.field}>
      <div className={styles.switch}>
        <label htmlFor={id}>{label}</label>
        <Switch
          id={id}
          size="small"
          checked={typeof value === 'boolean' ? value : fallback}
          onChange={(next) => set(path, next === fallback ? undefined : next)}
        />
      </div>
      {at(problems, path).map((one) => (
        <span key={one.code} className={styles.wrong}>
          {say(one)}
        </span>
      ))}
      {hint && <small>{hint}</small>}
    </div>
  )
}

/** The name in both languages. */
export function NameFields({ zh, en }: { zh: string; en: string }) {
  return (
    <div className={styles.pair}>
      <TextField path={['name']} label={zh} />
      <TextField path={['name_i18n', 'en']} label={en} />
    </div>
  )
}
