import { Button, Checkbox, Input } from 'antd'
import { useId, useState } from 'react'
import { useText } from '@/sdk/use-text'
import styles from './design.module.css'
import { usePlace } from './form'
import { useProblemText } from './shared/fields'
import { type Bag, valueAt } from './shared/json'
import { at } from './shared/problems'
import { useDesignWords } from './words'

const RIGHTS = ['-', 'r', 'rw', 'rw!'] as const

/** What a right says without what is allowed with rows. */
const baseOf = (right: string) => RIGHTS.find((one) => one === right.replace(/[+x]+$/, '')) ?? 'r'

/** What the people of a node see and change of the record, one row for each property and each column of a sub-table. */
export function RightsTable({ fallback }: { fallback: 'r' | 'rw' }) {
  const t = useText()
  const words = useDesignWords()
  const say = useProblemText()
  const group = useId()
  const { of, set, model, problems } = usePlace()
  const [search, setSearch] = useState('')
  const fields = (valueAt(of, ['form', 'fields']) ?? {}) as Bag
  const all = model?.properties ?? []
  const codes = new Set(all.map((one) => one.code))
  const named = (code: string) => codes.has(code) && typeof fields[code] === 'string'
  const rows = [
    ...all
      .filter((one) => !one.system || named(one.code))
      .map((one) => ({ ...one, name: words.label(one.label), fixed: one.system || one.computed })),
    ...Object.keys(fields)
      .filter((code) => !codes.has(code))
      .map((code) => ({ code, name: code, sheet: false, fixed: false })),
  ].filter((one) => !search || `${one.name} ${one.code}`.toLowerCase().includes(search.toLowerCase()))
  const write = (code: string, right: string) => set(['form', 'fields', code], right)
  return (
    <div>
      <div className={styles.tools}>
        <Input
          allowClear
          size="small"
          value={search}
          placeholder={t('design.findProperty')}
          aria-label={t('design.findProperty')}
          onChange={(event) => setSearch(event.target.value)}
        />
        <Button
          size="small"
          disabled={Object.keys(fields).length === 0}
          onClick={() => set(['form', 'fields'], undefined)}
        >
          {t('design.resetRights')}
        </Button>
      </div>
      <table className={styles.rights}>
        <thead>
          <tr>
            <th>{t('design.property')}</th>
            {RIGHTS.map((one) => (
              <th key={one}>{t(`design.rights.${one}`)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const own = fields[row.code]
            const right = typeof own === 'string' ? own : row.fixed ? 'r' : fallback
            const base = baseOf(right)
            const ends = right.slice(base.length)
            const wrong = at(problems, ['form', 'fields', row.code])
            return (
              <tr key={row.code} data-own={typeof own === 'string' || undefined}>
                <th scope="row" data-column={row.code.includes('.') || undefined}>
                  {row.name}
                  {row.sheet && base.startsWith('rw') && (
                    <span className={styles.rows}>
                      <Checkbox
                        checked={ends.includes('+')}
                        onChange={(event) =>
                          write(row.code, base + (event.target.checked ? '+' : '') + (ends.includes('x') ? 'x' : ''))
                        }
                      >
                        {t('design.addRows')}
                      </Checkbox>
                      <Checkbox
                        checked={ends.includes('x')}
                        onChange={(event) =>
                          write(row.code, base + (ends.includes('+') ? '+' : '') + (event.target.checked ? 'x' : ''))
                        }
                      >
                        {t('design.deleteRows')}
                      </Checkbox>
                    </span>
                  )}
                  {wrong.map((one) => (
                    <span key={one.code} className={styles.wrong}>
                      {say(one)}
                    </span>
                  ))}
                </th>
                {RIGHTS.map((one) => (
                  <td key={one}>
                    <input
                      type="radio"
                      name={`${group}/${row.code}`}
                      aria-label={`${row.name}: ${t(`design.rights.${one}`)}`}
                      checked={base === one}
                      disabled={row.fixed && one.startsWith('rw')}
                      onChange={() => write(row.code, one + (one.startsWith('rw') ? ends : ''))}
                    />
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
