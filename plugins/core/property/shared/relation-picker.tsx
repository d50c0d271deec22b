import {
  dependsOnValues,
  type Entry,
  EntryPicker,
  type FormField,
  type FormWidgetProps,
  get,
  Icon,
  inSentence,
  localName,
  post,
  useCreateRecord,
  useFeedback,
  useFormPlace,
  useLocale,
  useText,
} from '@sluice/sdk'
import { Button, Space } from 'antd'
import { lazy, Suspense, useRef, useState } from 'react'
import styles from './relation.module.css'

const RecordChoice = lazy(() => import('./record-choice').then((m) => ({ default: m.RecordChoice })))

interface Props extends Omit<FormWidgetProps<Entry[]>, 'value' | 'onChange' | 'field'> {
  field: FormField
  multiple?: boolean
  value: Entry[]
  onChange: (entries: Entry[]) => void
}

/** Asks which records may be chosen, as the form's values stand now. */
function useOffer(field: FormField, schemaCode: string, values: () => Record<string, unknown>) {
  const place = useFormPlace()
  const form = dependsOnValues(field, values)
  const at = { schemaCode, propertyCode: field.propertyCode }
  return {
    form,
    page: (asked: { keyword: string; page: number; size: number }, signal?: AbortSignal) =>
      form
        ? post('/api/runtime/form/options', { ...at, ...place, form, ...asked }, signal ? { signal } : {})
        : get('/api/runtime/form/options', { ...at, ...asked }, signal ? { signal } : {}),
    one: async (id: string) =>
      (await post('/api/runtime/form/options', { ...at, ...place, form: form ?? {}, ids: [id], size: 1 })).content[0],
  }
}

/** Records of the related model: found by name, chosen in a table, or made again. */
export function RelationPicker({ field, value, onChange, multiple, values, ...rest }: Props) {
  const t = useText()
  const locale = useLocale()
  const { warning } = useFeedback()
  const create = useCreateRecord()
  const [choosing, setChoosing] = useState(false)
  const offer = useOffer(field, rest.schemaCode, values)
  const { relativeCode } = field
  /** A new record is saved much later than it was asked for. */
  const latest = useRef({ value, onChange })
  latest.current = { value, onChange }
  const add = (entry: Entry) => {
    const now = latest.current
    now.onChange(multiple ? [...now.value.filter((other) => other.id !== entry.id), entry] : [entry])
  }
  const creates =
    create && !rest.inCell && relativeCode && (field.settings as { adds?: boolean } | undefined)?.adds === true
  const name = localName(field, locale)
  const picker = (
    <EntryPicker
      {...rest}
      {...(multiple ? { multiple } : {})}
      propertyCode={field.propertyCode}
      dependsOn={offer.form}
      value={value}
      onChange={onChange}
      frame={(menu, { close }) => (
        <>
          {menu}
          {creates && (
            <button
              type="button"
              className={styles.create}
              title={t('picker.createTitle', { name: inSentence(name) })}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => {
                close()
                create(relativeCode, async (id) => {
                  const made = await offer.one(id)
                  if (made) add(made)
                  else warning(t('picker.notOffered'))
                })
              }}
            >
              <Icon name="plus" size={14} />
              {t('picker.create', { name: inSentence(name) })}
            </button>
          )}
        </>
      )}
    />
  )
  if (rest.inCell) return picker
  return (
    <Space.Compact block>
      {picker}
      {relativeCode && (
        <Button
          aria-label={t('filter.chooseRecord')}
          title={t('filter.chooseRecord')}
          icon={<Icon name="table" />}
          onClick={() => setChoosing(true)}
        />
      )}
      {choosing && relativeCode && (
        <Suspense fallback={null}>
          <RecordChoice
            field={field}
            relativeCode={relativeCode}
            queryKey={['options', 'table', rest.schemaCode, field.propertyCode, offer.form]}
            page={offer.page}
            multiple={multiple ?? false}
            chosen={value}
            onCancel={() => setChoosing(false)}
            onChoose={(entries) => {
              setChoosing(false)
              onChange(entries)
            }}
          />
        </Suspense>
      )}
    </Space.Compact>
  )
}
