import { type Entry, EntryPicker, type FormField, type FormWidgetProps, useRecentEntries, useText } from '@sluice/sdk'
import { Segmented } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { offered } from './party-kinds'

const PartyTree = lazy(() => import('./party-tree').then((m) => ({ default: m.PartyTree })))

interface Props extends Omit<FormWidgetProps<Entry[]>, 'value' | 'onChange' | 'field'> {
  field: FormField
  multiple?: boolean
  value: Entry[]
  onChange: (entries: Entry[]) => void
}

/** People and departments: found by name, pinyin and initials, among those chosen last, or along the organisation. */
export function PartyPicker({ field, value, onChange, multiple, ...rest }: Props) {
  const t = useText()
  const { kinds, list, tree } = offered(field, 'Contains')
  const [along, setAlong] = useState(!list)
  const [opened, setOpened] = useState(false)
  const { schemaCode } = rest
  const { propertyCode } = field
  const { recent, keep } = useRecentEntries({ schemaCode, propertyCode, kinds, enabled: opened && list })
  const take = (entries: Entry[]) => {
    keep(entries.filter((entry) => !value.some((other) => other.id === entry.id)))
    onChange(entries)
  }
  const toggle = (entry: Entry, close: () => void) => {
    const without = value.filter((other) => other.id !== entry.id)
    if (multiple) return take(without.length < value.length ? without : [...value, entry])
    take([entry])
    close()
  }
  return (
    <EntryPicker
      {...rest}
      {...(multiple ? { multiple } : {})}
      {...(kinds.length > 1 ? { kinds } : {})}
      propertyCode={propertyCode}
      value={value}
      onChange={take}
      recent={recent}
      onOpen={() => setOpened(true)}
      frame={(menu, { typed, close }) => (
        <>
          {list && tree && !typed && (
            <Segmented
              block
              size="small"
              aria-label={t('filter.choices')}
              style={{ marginBlockEnd: 8 }}
              value={along ? 'tree' : 'list'}
              onChange={(next) => setAlong(next === 'tree')}
              options={[
                { value: 'list', label: t('filter.list') },
                { value: 'tree', label: t('filter.organisation') },
              ]}
            />
          )}
          {tree && along && !typed ? (
            // biome-ignore lint/a11y/noStaticElementInteractions: Esc closes from within, as it does from the field
            <div
              onKeyDown={(event) => {
                if (event.key !== 'Escape') return
                event.stopPropagation()
                close()
                document.getElementById(rest.id)?.focus()
              }}
            >
              <Suspense fallback={<div style={{ height: 280 }} />}>
                <PartyTree
                  at={{ schemaCode, propertyCode }}
                  kinds={kinds}
                  chosen={value.map((entry) => entry.id)}
                  onToggle={(entry) => toggle(entry, close)}
                />
              </Suspense>
            </div>
          ) : (
            menu
          )}
        </>
      )}
    />
  )
}
