import { Switch } from 'antd'
import { useId } from 'react'
import { useText } from '@/sdk/use-text'
import frame from '../design.module.css'
import { Below, ExpressionField, FieldsOf, NameFields, TextField } from '../shared/fields'
import { type Bag, isBag, type Path } from '../shared/json'
import { Section } from '../shared/section'
import { useDesigning } from './context'
import { SchemaFields } from './fields/schema-fields'
import type { Page } from './page'
import type { PortalProblem } from './problems'
import { resolved } from './schema'
import { ScriptField } from './script-field'
import { ofPage } from './widget-panel'

interface Props {
  page: Page
  problems: readonly PortalProblem[]
  /** Where the script of the page is read; null: it has none. */
  script: string | null
  checking: boolean
  readOnly: boolean
  set: (path: Path, value: unknown) => void
}

/** The settings of the page itself. */
export function PagePanel({ page, problems, script, checking, readOnly, set }: Props) {
  const t = useText()
  const { root } = useDesigning()
  const properties = isBag(root.properties) ? root.properties : {}
  return (
    <FieldsOf value={{ of: page, problems: ofPage(problems), set }}>
      <div className={frame.fields}>
        <NameFields zh={t('design.nameZh')} en={t('design.nameEn')} />
        <PublishedField page={page} set={set} />
        <SchemaFields of={root} only={['personal']} />
      </div>
      <Section title={t('portalDesign.look')} keys={['page']} open>
        <Below path={['page']}>
          <SchemaFields of={resolved(root, properties.page).schema} without={['visible', 'onEnter', 'onLeave']} />
        </Below>
      </Section>
      <Section
        title={t('portalDesign.readers')}
        keys={['appCode', 'read', 'write', 'public', 'publicRole', 'page/visible']}
      >
        <SchemaFields of={root} only={['appCode', 'read', 'write', 'public', 'publicRole']} />
        <Below path={['page']}>
          <ExpressionField path={['visible']} label={t('portalDesign.visible')} hint={t('portalDesign.visibleHint')} />
        </Below>
      </Section>
      <Section title={t('portalDesign.script')} keys={['script', 'scriptText', 'page/onEnter', 'page/onLeave']}>
        <ScriptField
          page={page}
          problems={problems}
          checking={checking}
          readOnly={readOnly}
          address={script}
          set={set}
        />
        {page.scriptText === undefined && (
          <TextField path={['script']} label={t('portalDesign.scriptFile')} hint={t('portalDesign.scriptHint')} code />
        )}
        <Below path={['page']}>
          <div className={frame.pair}>
            <TextField path={['onEnter']} label={t('portalDesign.onEnter')} code />
            <TextField path={['onLeave']} label={t('portalDesign.onLeave')} code />
          </div>
        </Below>
      </Section>
      <Section title={t('portalDesign.more')} keys={['description']}>
        <TextField path={['description']} label={t('portalDesign.description')} area />
      </Section>
    </FieldsOf>
  )
}

/** Whether people see the page. Without it they see the built-in one. */
function PublishedField({ page, set }: { page: Bag; set: Props['set'] }) {
  const t = useText()
  const id = useId()
  return (
    <div className={frame.field}>
      <div className={frame.switch}>
        <label htmlFor={id}>{t('portalDesign.shown')}</label>
        <Switch
          id={id}
          size="small"
          checked={page.published !== 0}
          onChange={(on) => set(['published'], on ? undefined : 0)}
        />
      </div>
      <small>{t('portalDesign.shownHint')}</small>
    </div>
  )
}
