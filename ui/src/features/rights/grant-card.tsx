import { Button, Checkbox, Input, Radio } from 'antd'
import { Choice } from '@/components/choice'
import type { Right } from '@/sdk/access/api'
import { useRightsWords } from '@/sdk/access/words'
import { useText } from '@/sdk/use-text'
import type { Model } from './api'
import { type Grant, RULES, ruleOf } from './document'
import { Field } from './field'
import styles from './rights.module.css'

interface Props {
  grant: Grant
  models: Model[]
  onChange: (next: Grant) => void
  onRemove: () => void
}

/** What a role may do with the records of a model. */
export function GrantCard({ grant, models, onChange, onRemove }: Props) {
  const t = useText()
  const words = useRightsWords()
  const model = models.find((one) => one.code.toLowerCase() === grant.schemaCode.toLowerCase())
  const known = model?.actions ?? [...new Set(models.flatMap((one) => one.actions))].sort()
  const actions = ['*', ...[...known].sort((a, b) => words.order(a) - words.order(b))]
  const name = model ? words.label(model.label, model.code) : grant.schemaCode === '*' ? t('rights.allModels') : ''
  return (
    <section className={styles.grant} aria-label={name || t('rights.model')}>
      <header>
        <Choice
          className={styles.model ?? ''}
          aria-label={t('rights.model')}
          placeholder={t('rights.model')}
          value={grant.schemaCode || null}
          options={[
            { value: '*', label: t('rights.allModels') },
            ...models.map((one) => ({ value: one.code, label: words.label(one.label, one.code) })),
          ]}
          onChange={(schemaCode) => onChange({ ...grant, schemaCode: schemaCode ?? '', fields: {} })}
        />
        <Button type="text" onClick={onRemove}>
          {t('rights.removeGrant')}
        </Button>
      </header>
      <div className={styles.form}>
        <Field label={t('rights.actions')}>
          {(id) => (
            <Choice
              id={id}
              mode="multiple"
              placeholder={t('rights.none')}
              value={grant.actions}
              options={actions.map((value) => ({ value, label: words.action(value) }))}
              onChange={(value: string[]) => onChange({ ...grant, actions: value })}
            />
          )}
        </Field>
        <Rule
          label={t('rights.rows')}
          none={t('rights.rule.none')}
          value={grant.rows}
          onChange={(rows) => onChange(withRule(grant, 'rows', rows))}
        />
        <Rule
          label={t('rights.editRows')}
          none={t('rights.asRows')}
          value={grant.editRows}
          onChange={(rows) => onChange(withRule(grant, 'editRows', rows))}
        />
      </div>
      {model && <FieldRights grant={grant} model={model} name={name} onChange={onChange} />}
    </section>
  )
}

function withRule(grant: Grant, key: 'rows' | 'editRows', value: string | undefined): Grant {
  const next = { ...grant }
  if (value === undefined) delete next[key]
  else next[key] = value
  return next
}

interface RuleProps {
  label: string
  none: string
  value: string | undefined
  onChange: (value: string | undefined) => void
}

function Rule({ label, none, value, onChange }: RuleProps) {
  const t = useText()
  const rule = ruleOf(value)
  return (
    <Field label={label}>
      {(id) => (
        <>
          <Choice
            id={id}
            value={rule}
            options={[
              { value: 'none', label: none },
              ...RULES.map((one) => ({ value: one as string, label: t(`rights.rule.${one}`) })),
              { value: 'condition', label: t('rights.rule.condition') },
            ]}
            onChange={(next) => onChange(next === 'none' ? undefined : next === 'condition' ? '' : (next ?? undefined))}
          />
          {rule === 'condition' && (
            <Input.TextArea
              aria-label={`${label} ${t('rights.condition')}`}
              autoSize
              spellCheck={false}
              value={value}
              placeholder={t('rights.conditionHint')}
              onChange={(event) => onChange(event.target.value)}
            />
          )}
        </>
      )}
    </Field>
  )
}

function FieldRights({
  grant,
  model,
  name,
  onChange,
}: {
  grant: Grant
  model: Model
  name: string
  onChange: (next: Grant) => void
}) {
  const t = useText()
  const words = useRightsWords()
  const fields = grant.fields ?? {}
  const set = (code: string, right: Right | undefined) => {
    const next = { ...fields }
    if (right === undefined) delete next[code]
    else next[code] = right
    onChange({ ...grant, fields: next })
  }
  const count = Object.keys(fields).length
  const rows = [
    ...model.fields.map((one) => ({ code: one.code, label: words.label(one.label, one.code) })),
    { code: '*', label: t('rights.others') },
  ]
  return (
    <details className={styles.rights}>
      <summary>
        {t('rights.fieldsOf', { name })} ·{' '}
        {count === 0 ? t('rights.fieldsDefault') : t('rights.fieldsCount', { count })}
      </summary>
      <table className={styles.table}>
        <tbody>
          {rows.map((one) => (
            <tr key={one.code}>
              <td>
                {one.label}
                {one.code.includes('.') && <small>{one.code}</small>}
              </td>
              <td>
                <FieldRight
                  label={one.label}
                  value={fields[one.code]}
                  rows={model.fields.some((column) => column.code.startsWith(`${one.code}.`))}
                  onChange={(right) => set(one.code, right)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

interface FieldRightProps {
  label: string
  value: Right | undefined
  /** It is a sub-table. */
  rows: boolean
  onChange: (right: Right | undefined) => void
}

/** The right to a property; of a sub-table also whether rows are added and deleted. */
function FieldRight({ label, value, rows, onChange }: FieldRightProps) {
  const t = useText()
  const words = useRightsWords()
  const base = value?.replace(/\+?x?$/, '') ?? 'default'
  const adds = value?.includes('+') ?? false
  const deletes = value?.endsWith('x') ?? false
  const choose = (right: string, add: boolean, del: boolean) =>
    onChange(right === 'default' ? undefined : (`${right}${add ? '+' : ''}${del ? 'x' : ''}` as Right))
  return (
    <>
      <Radio.Group
        aria-label={label}
        size="small"
        optionType="button"
        value={base}
        options={(['default', '-', 'r', 'rw'] as const).map((right) => ({
          value: right,
          label: right === 'default' ? t('rights.default') : words.right(right),
        }))}
        // Who may write a sub-table adds and deletes rows too, until that is taken away.
        onChange={({ target }) => choose(target.value, rows && target.value === 'rw', rows && target.value === 'rw')}
      />
      {rows && base.startsWith('r') && (
        <span className={styles.sheetRows}>
          <Checkbox checked={adds} onChange={({ target }) => choose(base, target.checked, deletes)}>
            {t('rights.addRows')}
          </Checkbox>
          <Checkbox checked={deletes} onChange={({ target }) => choose(base, adds, target.checked)}>
            {t('rights.deleteRows')}
          </Checkbox>
        </span>
      )}
    </>
  )
}
