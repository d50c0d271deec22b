import { Input } from 'antd'
import { useText } from '@/sdk/use-text'
import frame from '../../design.module.css'
import {
  Below,
  ExpressionField,
  FieldsOf,
  ManyField,
  NumberField,
  PickField,
  Row,
  SwitchField,
  TextField,
  useFieldPlace,
} from '../../shared/fields'
import { type Bag, isBag, type Path } from '../../shared/json'
import { useDesigning } from '../context'
import { fieldsOf, resolved, type SchemaField, withValue, wordsOf } from '../schema'
import { useLabel, useValueLabel } from '../words'
import { ChartField } from './chart-field'
import { ColorField } from './color-field'
import { EntriesField } from './entries-field'
import { IconField, PictureField } from './picture-field'
import { ReferenceField, references } from './reference-field'
import { NameField, TitleField } from './title-field'

interface Props {
  /** The schema of what the fields around it are of. */
  of: unknown
  /** Keys that are not shown. */
  without?: readonly string[]
  /** Only these keys. */
  only?: readonly string[]
}

/** The fields of an object, as its schema has them. */
export function SchemaFields({ of, without = [], only }: Props) {
  const t = useText()
  const place = useFieldPlace()
  const { root } = useDesigning()
  const fields = fieldsOf(root, of, place.of).filter(
    ({ key }) =>
      key !== 'description' && !key.endsWith('_i18n') && !without.includes(key) && (!only || only.includes(key)),
  )
  const ofWorkflow =
    fields.some(({ key }) => key === 'dataSource') && !['bizModel', undefined].includes(place.of.dataSource as string)
  const charts = fields.some(({ key }) => key === 'chartCode')
  // What depends on a value goes with it.
  const set = (path: Path, value: unknown) => {
    const [key, ...rest] = path
    if (rest.length > 0 || typeof key !== 'string') return place.set(path, value)
    const next = withValue(root, of, place.of, key, value)
    if (next !== place.of) place.set([], next)
  }
  return (
    <FieldsOf value={{ ...place, set }}>
      {fields.map((field) =>
        charts && field.key === 'reportCode' ? (
          <ChartField key={field.key} label={t('portalDesign.chart')} />
        ) : charts && field.key === 'chartCode' ? null : (
          <OneField key={field.key} field={field} owner={of} />
        ),
      )}
      {ofWorkflow && <FixedSort />}
    </FieldsOf>
  )
}

/** Work of the person always has the same order. */
function FixedSort() {
  const t = useText()
  return (
    <div className={frame.pair}>
      <Row label={t('portalDesign.sortField')}>
        {(id) => <Input id={id} disabled value={t('portalDesign.receiveTime')} />}
      </Row>
      <Row label={t('portalDesign.sortRule')}>
        {(id) => <Input id={id} disabled value={t('portalDesign.values.descending')} />}
      </Row>
    </div>
  )
}

function OneField({ field, owner }: { field: SchemaField; owner: unknown }) {
  const { root } = useDesigning()
  const label = useLabel()
  const valueLabel = useValueLabel()
  const { key, schema, ref } = field
  const { label: name, hint } = wordsOf(schema, key, label.locale)
  const path = [key]
  const shared = { path, label: name, ...(hint && { hint }) }
  if (ref === 'widgets') return null
  if (key === 'navigator' || key === 'photos' || key === 'tabs')
    return <EntriesField name={key} label={name} items={resolved(root, schema.items).schema} />
  if (ref === 'title') return <TitleField {...shared} name={key} />
  if (ref === 'label') return <NameField {...shared} name={key} />
  if (ref === 'icon') return <IconField {...shared} />
  if (ref === 'image') return <PictureField {...shared} />
  if (ref === 'color') return <ColorField {...shared} />
  if (ref === 'expression') return <ExpressionField {...shared} />
  if (references(field)) return <ReferenceField field={field} label={name} hint={hint} />
  if (schema.type === 'boolean')
    return <SwitchField {...shared} fallback={/默认 true/.test(String(schema.description))} />
  if (schema.type === 'integer' || schema.type === 'number')
    return (
      <NumberField
        {...shared}
        {...(typeof schema.minimum === 'number' ? { min: schema.minimum } : { min: Number.NEGATIVE_INFINITY })}
        {...(typeof schema.maximum === 'number' && { max: schema.maximum })}
      />
    )
  if (Array.isArray(schema.enum)) {
    const options = schema.enum.map(String).map((value) => ({ value, label: valueLabel(key, value) }))
    const fallback = usualOf(String(schema.description ?? ''), options)
    return (
      <PickField
        {...shared}
        options={options}
        {...(fallback && { fallback })}
        {...(field.required && { needed: true })}
      />
    )
  }
  if (isBag(schema.properties))
    return (
      <details>
        <summary>{name}</summary>
        <Below path={path}>
          <div className={frame.pair}>
            <SchemaFields of={schema} />
          </div>
        </Below>
      </details>
    )
  if (schema.type === 'array') return <ManyField {...shared} options={[]} free />
  if (hasOther(root, owner, key))
    return (
      <TitleField {...shared} name={key} most={Number(schema.maxLength ?? 0)} area={Number(schema.maxLength) > 100} />
    )
  return <TextField {...shared} />
}

/** Whether a text has others in further languages beside it. */
const hasOther = (root: Bag, owner: unknown, key: string) => {
  const { schema } = resolved(root, owner)
  const all = fieldsOf(root, schema, {})
  return all.some((one) => one.key === `${key}_i18n`)
}

/** The value that holds where the document says nothing, as the description names it: by its code, or in its place of the list. */
function usualOf(description: string, options: { value: string }[]): string | undefined {
  const code = /默认 ([A-Za-z]+)/.exec(description)?.[1]
  if (options.some(({ value }) => value === code)) return code
  const at = description.split('、').findIndex((part) => part.includes('（默认）'))
  return at < 0 ? undefined : options[at]?.value
}
