import { Button } from 'antd'
import { Choice } from '@/components/choice'
import { useText } from '@/sdk/use-text'
import frame from '../design.module.css'
import { Below, NumberField, PickField, Row, TextField, useFieldPlace } from '../shared/fields'
import { type Bag, isBag } from '../shared/json'
import styles from './paper.module.css'
import { Entry } from './style-fields'

/** What a column of a table may show. */
export interface ColumnChoice {
  code: string
  name: string
  formats: string[]
  sums: string[]
}

interface Props {
  /** The key that names what a column shows. */
  name: 'propertyCode' | 'column'
  choices: ColumnChoice[]
  /** The columns of a table that names none. */
  usual?: string[]
}

/** The columns of a table with their names, widths, formats and figures. */
export function ColumnsField({ name, choices, usual = [] }: Props) {
  const t = useText()
  const { of, set } = useFieldPlace()
  const said = Array.isArray(of.columns) ? (of.columns as unknown[]) : null
  const list = said ?? usual
  const codeOf = (one: unknown) => (typeof one === 'string' ? one : String((one as Bag | null)?.[name] ?? ''))
  const by = new Map(choices.map((one) => [one.code, one]))
  const write = (next: unknown[]) => set(['columns'], next.length > 0 ? next : undefined)
  const free = choices.filter((one) => !list.some((column) => codeOf(column) === one.code))
  return (
    <>
      <ol className={styles.columns}>
        {list.map((one, i) => {
          const code = codeOf(one)
          const choice = by.get(code)
          const label = choice?.name ?? code
          return (
            <Entry
              key={`${code}${i}`}
              name={label}
              first={i === 0}
              last={i === list.length - 1}
              onMove={(by) => {
                const next = [...list]
                next.splice(i + by, 0, ...next.splice(i, 1))
                write(next)
              }}
              onRemove={list.length > 1 ? () => write(list.filter((_, at) => at !== i)) : undefined}
            >
              <Column at={i} list={list} code={code} choice={choice} name={name} write={write} />
            </Entry>
          )
        })}
      </ol>
      {free.length > 0 && (
        <Row label={t('paper.addColumn')}>
          {(id) => (
            <Choice<string>
              id={id}
              value={null}
              placeholder={t('design.choose')}
              options={free.map((one) => ({ value: one.code, label: one.name }))}
              onChange={(next) => next && write([...list, next])}
            />
          )}
        </Row>
      )}
      {said && usual.length > 0 && (
        <Button size="small" onClick={() => set(['columns'], undefined)}>
          {t('paper.allColumns')}
        </Button>
      )}
    </>
  )
}

interface ColumnProps {
  at: number
  list: unknown[]
  code: string
  choice: ColumnChoice | undefined
  name: Props['name']
  write: (next: unknown[]) => void
}

/** One column: a bare code while it says no more than that. */
function Column({ at, list, code, choice, name, write }: ColumnProps) {
  const t = useText()
  const entry = list[at]
  return (
    <Below
      path={['columns', at]}
      of={isBag(entry) ? entry : {}}
      onSet={(next) => {
        const full: Bag = { [name]: code, ...next }
        const bare = Object.keys(full).length === 1 && !isBag(entry)
        write(list.map((one, i) => (i === at ? (bare ? code : full) : one)))
      }}
    >
      <div className={frame.fields}>
        <div className={frame.pair}>
          <TextField path={['name']} label={t('design.nameZh')} placeholder={choice?.name ?? code} />
          <TextField path={['name_i18n', 'en']} label={t('design.nameEn')} />
        </div>
        <div className={frame.pair}>
          <NumberField
            path={['widthValue']}
            label={t('paper.width')}
            placeholder={t('paper.shared')}
            unit={t('paper.mm')}
          />
          {name === 'propertyCode' && (
            <PickField
              path={['horizontalAlign']}
              label={t('paper.horizontal')}
              options={(['left', 'center', 'right'] as const).map((value) => ({
                value,
                label: t(`paper.aligns.${value}`),
              }))}
            />
          )}
        </div>
        {choice && (choice.formats.length > 0 || choice.sums.length > 0) && (
          <div className={frame.pair}>
            {choice.formats.length > 0 && <FormatField formats={choice.formats} />}
            {choice.sums.length > 0 && (
              <PickField
                path={['sumType']}
                label={t('paper.sum')}
                options={choice.sums.map((value) => ({ value, label: t(`paper.sums.${value as 'sum'}`) }))}
              />
            )}
          </div>
        )}
      </div>
    </Below>
  )
}

const NAMED = ['plain', 'thousands', 'percent', 'capitals'] as const

/** How a value is written. */
export function FormatField({ formats }: { formats: string[] }) {
  const t = useText()
  const known = (value: string): value is (typeof NAMED)[number] => (NAMED as readonly string[]).includes(value)
  return (
    <PickField
      path={['displayFormat']}
      label={t('paper.format')}
      options={formats.map((value) => ({ value, label: known(value) ? t(`paper.formats.${value}`) : value }))}
    />
  )
}
