import { Button } from 'antd'
import { Choice } from '@/components/choice'
import { Icon } from '@/components/icon'
import { useText } from '@/sdk/use-text'
import styles from './design.module.css'
import { usePlace } from './form'
import { Hooks } from './nodes/hooks'
import { Dedupe, EmptyPolicy, Notify } from './nodes/people-node'
import { PartyField } from './people'
import { Below, ManyField, NameFields, NumberField, PickField, Row, SwitchField, TextField } from './shared/fields'
import { type Bag, valueAt } from './shared/json'
import { Section } from './shared/section'
import { useDesignWords } from './words'

/** What holds for the whole workflow. */
export function SettingsPanel() {
  const t = useText()
  const words = useDesignWords()
  const { of, set, design } = usePlace()
  return (
    <>
      <div className={styles.fields}>
        <NameFields zh={t('design.nameZh')} en={t('design.nameEn')} />
        <PickField
          path={['schemaCode']}
          label={t('design.model')}
          needed
          options={design.models.map((one) => ({ value: one.code, label: words.choice(one) }))}
        />
        <Row label={t('design.startable')} path={['published']}>
          {(id) => (
            <Choice<number>
              id={id}
              value={of.published === 0 ? 0 : 1}
              options={[
                { value: 1, label: t('design.canStart') },
                { value: 0, label: t('design.cannotStart') },
              ]}
              onChange={(next) => set(['published'], next === 0 ? 0 : undefined)}
            />
          )}
        </Row>
      </div>
      <Below path={['settings']}>
        <Section title={t('design.sections.initiators')} keys={['initiators']} open>
          <Initiators />
        </Section>
        <Section
          title={t('design.sections.whole')}
          keys={[
            'instanceName',
            'allowRevoke',
            'allowVoid',
            'urgeIntervalMinutes',
            'calendar',
            'maxHops',
            'final',
            'finalExcept',
            'summary',
          ]}
          open
        >
          <TextField
            path={['instanceName']}
            label={t('design.instanceName')}
            hint={t('design.instanceNameHint', { example: '{name}-{createdTime:yyyyMMdd}' })}
          />
          <div className={styles.pair}>
            <PickField
              path={['allowRevoke']}
              label={t('design.allowRevoke')}
              fallback="untilFirstHandled"
              options={(['never', 'untilFirstHandled', 'anytime'] as const).map((value) => ({
                value,
                label: t(`design.revokes.${value}`),
              }))}
            />
            <PickField
              path={['allowVoid']}
              label={t('design.allowVoid')}
              fallback="admin"
              options={(['admin', 'initiator'] as const).map((value) => ({
                value,
                label: t(`design.voiders.${value}`),
              }))}
            />
          </div>
          <div className={styles.pair}>
            <NumberField
              path={['urgeIntervalMinutes']}
              label={t('design.urge')}
              min={1}
              placeholder="30"
              unit={t('design.minutes')}
            />
            <TextField path={['calendar']} label={t('design.calendar')} code />
          </div>
          <NumberField
            path={['maxHops']}
            label={t('design.maxHops')}
            hint={t('design.maxHopsHint')}
            min={1}
            max={10}
            placeholder="1"
          />
          <SwitchField path={['strictWithdraw']} label={t('design.strictWithdraw')} />
          <SwitchField path={['stopAll']} label={t('design.stopAll')} />
          <Final />
        </Section>
        <Section
          title={t('design.sections.automatic')}
          keys={['dedupe', 'skipInitiator', 'emptyPolicy', 'maxParticipants']}
          open
        >
          <Dedupe />
          <EmptyPolicy />
          <NumberField
            path={['maxParticipants']}
            label={t('design.maxParticipants')}
            min={1}
            max={10000}
            placeholder="200"
          />
        </Section>
        <Section title={t('design.sections.notify')} keys={['notify']}>
          <Notify />
        </Section>
      </Below>
      <Section title={t('design.sections.hooks')} keys={['hooks']}>
        <Hooks />
      </Section>
      <div className={styles.fields}>
        <TextField path={['description']} label={t('design.note')} area />
      </div>
    </>
  )
}

/** Whether agreement seals the record, and what people change of it all the same. */
function Final() {
  const t = useText()
  const words = useDesignWords()
  const { of, model } = usePlace()
  return (
    <>
      <ManyField
        path={['summary']}
        label={t('design.summary')}
        hint={t('design.summaryHint')}
        options={words.properties(model, (one) => !one.sheet && !one.opinions)}
        placeholder={t('design.choose')}
      />
      <SwitchField path={['final']} label={t('design.final')} hint={t('design.finalHint')} fallback />
      {of.final !== false && (
        <ManyField
          path={['finalExcept']}
          label={t('design.finalExcept')}
          options={words.properties(model, (one) => !one.system && !one.computed && !one.opinions)}
          placeholder={t('design.choose')}
        />
      )}
    </>
  )
}

function Initiators() {
  const t = useText()
  const words = useDesignWords()
  const { of, set, design } = usePlace()
  const everybody = valueAt(of, ['initiators', 'all']) !== false
  const rules = (valueAt(of, ['initiators', 'rules']) ?? []) as Bag[]
  const write = (next: Bag[]) => set(['initiators', 'rules'], next.length > 0 ? next : undefined)
  const kinds = (['role', 'person', 'dept', 'group'] as const).map((value) => ({
    value,
    label: t(`design.people.${value}`),
  }))
  return (
    <>
      <Row label={t('design.whoStarts')} path={['initiators']}>
        {(id) => (
          <Choice<string>
            id={id}
            value={everybody ? 'all' : 'rules'}
            options={[
              { value: 'all', label: t('design.everybody') },
              { value: 'rules', label: t('design.onlyThese') },
            ]}
            onChange={(next) =>
              set(['initiators'], next === 'all' ? undefined : { all: false, rules: [{ type: 'role', value: [] }] })
            }
          />
        )}
      </Row>
      {!everybody && (
        <div className={styles.people}>
          {rules.map((one, i) => (
            <fieldset key={i} className={styles.card} aria-label={t('design.entry', { at: i + 1 })}>
              <Button
                type="text"
                size="small"
                className={styles.remove ?? ''}
                aria-label={t('design.removeEntry', { at: i + 1 })}
                icon={<Icon name="close" size={14} />}
                onClick={() => write(rules.filter((_, at) => at !== i))}
              />
              <Below path={['initiators', 'rules', i]}>
                <Row label={t('design.kind')}>
                  {(id) => (
                    <Choice<string>
                      id={id}
                      value={String(one.type)}
                      options={kinds}
                      onChange={(next) =>
                        write(rules.map((rule, at) => (at === i ? { type: String(next), value: [] } : rule)))
                      }
                    />
                  )}
                </Row>
                {one.type === 'role' && (
                  <ManyField
                    path={['value']}
                    label={t('design.roles')}
                    options={design.roles.map((role) => ({ value: role.code, label: words.choice(role) }))}
                  />
                )}
                {one.type === 'person' && <PartyField path={['value']} label={t('design.persons')} kind="user" />}
                {one.type === 'dept' && (
                  <>
                    <PartyField path={['value']} label={t('design.departments')} kind="department" />
                    <SwitchField path={['recursive']} label={t('design.recursive')} fallback />
                  </>
                )}
                {one.type === 'group' && <ManyField path={['value']} label={t('design.codes')} options={[]} free />}
              </Below>
            </fieldset>
          ))}
          <Button
            size="small"
            icon={<Icon name="plus" size={14} />}
            onClick={() => write([...rules, { type: 'role', value: [] }])}
          >
            {t('design.addPeople')}
          </Button>
        </div>
      )}
    </>
  )
}
