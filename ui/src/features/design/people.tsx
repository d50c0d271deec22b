import { Button } from 'antd'
import { Choice } from '@/components/choice'
import { Icon } from '@/components/icon'
import { AskedChoice, namedChoice } from '@/sdk/asked-choice'
import { useText } from '@/sdk/use-text'
import { type PartyKind, partiesQuery, useParties } from './api'
import styles from './design.module.css'
import { usePlace } from './form'
import { Below, ExpressionField, ManyField, NumberField, PickField, Row, SwitchField } from './shared/fields'
import type { Bag, Path } from './shared/json'
import { useDesignWords } from './words'

/** People or departments, found by their names and kept by their ids. */
export function PartyField({
  path,
  label,
  kind,
  single,
}: {
  path: Path
  label: string
  kind: PartyKind
  single?: true
}) {
  const t = useText()
  const place = usePlace()
  const value = path.reduce<unknown>((of, key) => (of as Bag | undefined)?.[key], place.of)
  const ids = single ? (typeof value === 'string' ? [value] : []) : Array.isArray(value) ? (value as string[]) : []
  const { appCode } = place.design
  const chosen = useParties(appCode, kind, ids).map(namedChoice)
  return (
    <Row label={label} path={path}>
      {(id) => (
        <AskedChoice
          id={id}
          multiple={!single}
          placeholder={t('design.choose')}
          value={ids}
          query={(keyword) => partiesQuery(appCode, kind, keyword)}
          choices={(found) => found.map(namedChoice)}
          chosen={chosen}
          onChange={(next) => place.set(path, single ? next[0] : next.length > 0 ? next : undefined)}
        />
      )}
    </Row>
  )
}

const KINDS = [
  'role',
  'person',
  'dept',
  'deptLeader',
  'superiors',
  'initiator',
  'previousHandler',
  'field',
  'initiatorChoice',
  'previousChoice',
  'expression',
  'projectMember',
  'group',
] as const

/** What a kind of people keeps when another is chosen. */
const SHARED = ['description', 'exclude', 'weight']

/** Where people come from: several entries, together. */
export function People({ path, add }: { path: Path; add: string }) {
  const t = useText()
  const place = usePlace()
  const value = path.reduce<unknown>((of, key) => (of as Bag | undefined)?.[key], place.of)
  const list = Array.isArray(value) ? (value as Bag[]) : []
  return (
    <div className={styles.people}>
      {list.map((one, i) => (
        <fieldset key={i} className={styles.card} aria-label={t('design.entry', { at: i + 1 })}>
          <Button
            type="text"
            size="small"
            className={styles.remove ?? ''}
            aria-label={t('design.removeEntry', { at: i + 1 })}
            icon={<Icon name="close" size={14} />}
            onClick={() =>
              place.set(
                path,
                list.filter((_, at) => at !== i),
              )
            }
          />
          <Below path={[...path, i]}>
            <Source of={one} nested={path.length > 1} />
          </Below>
        </fieldset>
      ))}
      <Button
        size="small"
        icon={<Icon name="plus" size={14} />}
        onClick={() => place.set(path, [...list, { type: 'role', value: [] }])}
      >
        {add}
      </Button>
    </div>
  )
}

function Source({ of, nested }: { of: Bag; nested: boolean }) {
  const t = useText()
  const words = useDesignWords()
  const place = usePlace()
  const { design, flow, node } = place
  const kind = String(of.type ?? '')
  const roles = design.roles.map((one) => ({ value: one.code, label: words.choice(one) }))
  const holding = (wanted: string[]) => words.properties(place.model, (one) => wanted.includes(one.parties))
  const handlers = flow.nodes
    .filter((one) => ['START', 'FILL', 'APPROVE'].includes(one.type) && one.id !== node?.id)
    .map((one) => ({ value: one.id, label: words.node(one) }))
  const whose = [
    { value: 'initiator', label: t('design.whose.initiator') },
    { value: 'previous', label: t('design.whose.previous') },
    ...holding(['people', 'departments', 'both']).map((one) => ({
      value: `field:${one.value}`,
      label: t('design.whose.field', { name: one.label }),
    })),
  ]
  const scopes = [
    { value: 'org', label: t('design.scope.org') },
    ...holding(['departments']).map((one) => ({
      value: `byDept:${one.value}`,
      label: t('design.scope.byDept', { name: one.label }),
    })),
    ...words
      .properties(
        place.model,
        (one) => one.target !== '' && one.parties === '' && !one.multiple && !one.code.includes('.'),
      )
      .map((one) => ({ value: `byField:${one.value}`, label: t('design.scope.byField', { name: one.label }) })),
  ]
  return (
    <>
      <Row label={t('design.kind')} path={['type']}>
        {(id) => (
          <Choice<string>
            id={id}
            value={kind}
            options={KINDS.map((value) => ({ value, label: t(`design.people.${value}`) }))}
            onChange={(next) =>
              place.set([], {
                type: next,
                ...(['role', 'person', 'dept', 'group', 'projectMember'].includes(String(next)) && { value: [] }),
                ...Object.fromEntries(Object.entries(of).filter(([key]) => SHARED.includes(key))),
              })
            }
          />
        )}
      </Row>
      {kind === 'person' && <PartyField path={['value']} label={t('design.persons')} kind="user" />}
      {kind === 'dept' && (
        <>
          <PartyField path={['value']} label={t('design.departments')} kind="department" />
          <SwitchField path={['recursive']} label={t('design.recursive')} />
        </>
      )}
      {kind === 'role' && (
        <>
          <ManyField path={['value']} label={t('design.roles')} options={roles} placeholder={t('design.choose')} />
          <PickField path={['scope']} label={t('design.scopeOf')} options={scopes} fallback="org" />
        </>
      )}
      {(kind === 'group' || kind === 'projectMember') && (
        <ManyField path={['value']} label={t('design.codes')} options={[]} free placeholder={t('design.typeCodes')} />
      )}
      {kind === 'deptLeader' && (
        <>
          <PickField path={['of']} label={t('design.whoseLeader')} options={whose} fallback="initiator" />
          <NumberField path={['level']} label={t('design.level')} min={1} max={50} placeholder="1" />
          <SwitchField path={['walkUp']} label={t('design.walkUp')} fallback />
        </>
      )}
      {kind === 'superiors' && (
        <>
          <PickField path={['from']} label={t('design.whoseSuperiors')} options={whose} fallback="initiator" />
          <NumberField path={['levels']} label={t('design.levels')} min={1} max={50} />
          <PickField path={['until']} label={t('design.until')} options={roles} />
        </>
      )}
      {kind === 'previousHandler' && <PickField path={['node']} label={t('design.ofNode')} options={handlers} needed />}
      {kind === 'field' && (
        <PickField
          path={['propertyCode']}
          label={t('design.property')}
          options={holding(['people', 'departments', 'both'])}
          needed
        />
      )}
      {kind === 'expression' && (
        <ExpressionField path={['formula']} label={t('design.formula')} hint={t('design.formulaHint')} keep />
      )}
      {(kind === 'initiatorChoice' || kind === 'previousChoice') && (
        <>
          <div className={styles.pair}>
            <NumberField path={['min']} label={t('design.least')} max={1000} placeholder="1" />
            <NumberField path={['max']} label={t('design.most')} min={1} max={1000} />
          </div>
          <details>
            <summary>{t('design.candidates')}</summary>
            <People path={['candidates']} add={t('design.addCandidates')} />
          </details>
        </>
      )}
      {!nested && (
        <details open={Array.isArray(of.exclude) && of.exclude.length > 0}>
          <summary>{t('design.more')}</summary>
          <NumberField path={['weight']} label={t('design.weight')} min={1} max={1000} placeholder="1" />
          <p className={styles.sub}>{t('design.exclude')}</p>
          <People path={['exclude']} add={t('design.addExclude')} />
        </details>
      )}
    </>
  )
}
