import { Button } from 'antd'
import { useMemo, useRef } from 'react'
import { Icon } from '@/components/icon'
import { useText } from '@/sdk/use-text'
import frame from '../design.module.css'
import { FieldsOf } from '../shared/fields'
import { numberOf, type Path, setAt } from '../shared/json'
import type { PrintDesign, PrintModel } from './api'
import { type Chosen, place, setElements, setTemplate } from './edit'
import { ElementPanel } from './element-panel'
import styles from './paper.module.css'
import type { PaperProblem } from './problems'
import { SettingsPanel } from './settings-panel'
import type { Box, Element, Template } from './template'
import { type Choosing, on } from './use-choice'
import type { PaperWords } from './words'

interface Props {
  now: Template
  choice: Choosing
  model: PrintModel | undefined
  design: PrintDesign
  words: PaperWords
  problems: PaperProblem[]
  keep: (next: Template, of: string) => void
  /** It lies over the paper. */
  over: boolean
}

/** The panel of what is chosen: of elements, or of the page and the template. It is not drawn again while something is dragged. */
export function Properties({ now, choice, model, design, words, problems, keep, over }: Props) {
  const t = useText()
  const { kept, elements, settings } = choice
  const change = useRef(keep)
  change.current = keep
  const fields = useMemo(() => {
    const mine = problems.filter((one) =>
      elements.length > 0
        ? one.page === kept.page && one.element !== null && kept.at.includes(one.element)
        : one.element === null,
    )
    const set = (path: Path, value: unknown) =>
      elements.length > 0
        ? change.current(setOf(now, kept, path, value), `set ${kept.page} ${on(kept)} ${path.join('/')}`)
        : change.current(setTemplate(now, path, value), `set ${path.join('/')}`)
    return (
      <FieldsOf value={{ of: elements.length > 0 ? common(elements) : now, problems: mine, set }}>
        {elements.length > 0 ? (
          <ElementPanel elements={elements} model={model} design={design} words={words} />
        ) : (
          <SettingsPanel design={design} model={model} words={words} open={settings} />
        )}
      </FieldsOf>
    )
  }, [elements, problems, now, kept, model, design, words, settings])
  const [first, ...more] = elements
  const title = !first
    ? t('paper.settings')
    : more.length > 0
      ? t('paper.several', { count: elements.length })
      : words.element(first)
  return (
    <aside className={over ? frame.panel : styles.right} aria-label={t('design.properties')} data-panel>
      <div className={frame.panelHead}>
        <h2>{title}</h2>
        {over && (
          <Button type="text" aria-label={t('design.close')} icon={<Icon name="close" />} onClick={choice.close} />
        )}
      </div>
      <div className={frame.panelBody} key={first ? `${kept.page}/${on(kept)}` : `settings ${settings}`}>
        {fields}
      </div>
    </aside>
  )
}

/** What several elements say alike; of one all that it says. */
function common(elements: Element[]): Record<string, unknown> {
  const [first, ...more] = elements
  if (!first || more.length === 0) return first ?? {}
  return Object.fromEntries(
    Object.entries(first).filter(([key, value]) =>
      more.every((one) => JSON.stringify(one[key]) === JSON.stringify(value)),
    ),
  )
}

const PLACES: Record<string, keyof Box> = { left: 'left', top: 'top', widthValue: 'width', heightValue: 'height' }

/** Sets a key of elements. Of several that differ below it, each keeps the rest of its own. */
function setOf(template: Template, chosen: Chosen, path: Path, value: unknown): Template {
  const key = path.length === 1 ? PLACES[String(path[0])] : undefined
  const length = numberOf(value)
  if (!key || length === undefined) return setElements(template, chosen, path, value)
  return chosen.at.reduce((of, at) => {
    const element = of.pages[chosen.page]?.elements[at]
    return element ? setAt(of, ['pages', chosen.page, 'elements', at], place(element, { [key]: length })) : of
  }, template)
}
