import { useText } from '@/sdk/use-text'
import { ExpressionField, NumberField, PickField, SwitchField } from '../../shared/fields'
import { isBag } from '../../shared/json'
import { Section } from '../../shared/section'
import { type ColumnChoice, ColumnsField } from '../columns-field'
import { sheetColumns } from '../elements'
import styles from '../paper.module.css'
import { optionsOf } from './parts'
import type { PanelProps } from './props'
import { TableLook } from './table'

export function SheetPanel({ model, words, element, several }: PanelProps) {
  const t = useText()
  const code = String(element.propertyCode)
  const list =
    typeof element.queryCode === 'string' ? model?.lists.find((one) => one.queryCode === element.queryCode) : null
  const choices: ColumnChoice[] =
    list === null
      ? (model ? sheetColumns(model, code) : []).map((one) => ({
          code: one.code.slice(code.length + 1),
          name: words.label(one.label),
          formats: one.formats,
          sums: one.sums,
        }))
      : (list?.properties ?? [])
          .filter((one) => !one.sheet && !one.code.includes('.'))
          .map((one) => ({ code: one.code, name: words.label(one.label), formats: one.formats, sums: one.sums }))
  const sheets = (model?.properties ?? []).filter((one) => one.sheet)
  const summed = Array.isArray(element.columns) && element.columns.some((one: unknown) => isBag(one) && one.sumType)
  return (
    <>
      {!several && (
        <Section
          title={t('paper.sections.content')}
          keys={['propertyCode', 'queryCode', 'columns', 'condition', 'groupBy']}
          open
        >
          {list === null ? (
            <PickField path={['propertyCode']} label={t('paper.sheet')} needed options={optionsOf(sheets, words)} />
          ) : (
            <p className={styles.hint}>
              {t('paper.fromList', { name: list ? words.label(list.label) : String(element.queryCode) })}
            </p>
          )}
          <ColumnsField name="propertyCode" choices={choices} />
          <PickField
            path={['groupBy']}
            label={t('paper.groupBy')}
            options={choices.map((one) => ({ value: one.code, label: one.name }))}
          />
          <ExpressionField path={['condition']} label={t('paper.rowsWhere')} />
        </Section>
      )}
      <Section title={t('paper.sections.figures')} keys={['rowOrdinal', 'minRows', 'rowsPerPage', 'carried']} open>
        <SwitchField path={['rowOrdinal']} label={t('paper.rowOrdinal')} />
        <NumberField path={['minRows']} label={t('paper.minRows')} max={1000} placeholder="0" />
        <NumberField
          path={['rowsPerPage']}
          label={t('paper.rowsPerPage')}
          hint={t('paper.rowsPerPageHint')}
          min={1}
          max={200}
        />
        <SwitchField path={['carried']} label={t('paper.carried')} {...(!summed && { hint: t('paper.carriedHint') })} />
      </Section>
      <TableLook />
    </>
  )
}
