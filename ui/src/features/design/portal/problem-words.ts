import { useText } from '@/sdk/use-text'
import { type Bag, isBag } from '../shared/json'
import { type Page, type Widget, widgetAt } from './page'
import type { PortalProblem } from './problems'
import { fieldsOf, optionsSchema, resolved, type SchemaField, wordsOf } from './schema'
import { type PortalWords, useValueLabel } from './words'

/** What the compiler begins its sentence with where it names the key of a value, or its place in a list. */
const SUBJECT = /^("[^"]*" ?|此项|文档|the entry|the document)/

const PLACES = ['x', 'y', 'width', 'height', 'code', 'visible', 'read', 'style']

/** A field that the schema has, though not for what else is in the object. */
function known(root: Bag, of: unknown, key: string): SchemaField | undefined {
  const { properties } = resolved(root, of).schema
  const found = isBag(properties) ? properties[key] : undefined
  return isBag(found) ? { key, ...resolved(root, found), required: false } : undefined
}

/** The words of the panel for the keys of a path, and the field at its end. */
function fieldAt(root: Bag, widget: Widget | undefined, page: Page, path: string[], locale: string) {
  const names: string[] = []
  let node: unknown = widget ? optionsSchema(root, widget.type) : root
  let value: unknown = widget ?? page
  let field: SchemaField | undefined
  for (const [depth, key] of path.entries()) {
    if (Array.isArray(value)) {
      names.push(String(Number(key) + 1))
      node = isBag(node) ? resolved(root, node.items).schema : undefined
    } else {
      const bag = isBag(value) ? value : {}
      const general = depth === 0 && widget && PLACES.includes(key) && isBag(root.$defs) ? root.$defs.widget : node
      field = fieldsOf(root, general ?? {}, bag).find((one) => one.key === key) ?? known(root, general, key)
      names.push(field ? wordsOf(field.schema, key, locale).label : key)
      node = field?.schema
    }
    value = isBag(value) || Array.isArray(value) ? (value as Bag)[key] : undefined
  }
  return { names, field }
}

/** What the compiler says of a page in the words of the designer: the widget's name and the labels of its fields. */
export function useProblemWords(words: PortalWords, root: Bag) {
  const t = useText()
  const valueLabel = useValueLabel()
  return (one: PortalProblem, page: Page): PortalProblem => {
    const widget = one.way ? widgetAt(page, one.way) : undefined
    const { names, field } = fieldAt(root, widget, page, one.path, words.locale)
    const name = names.join(t('portalDesign.problem.below'))
    const said = words.locale === 'zh' ? one.zh : one.en
    const how = (words.locale === 'zh' ? one.repair.zh : one.repair.en) ?? ''
    const told = (text: string, repair: string): PortalProblem => ({
      ...one,
      about: widget ? words.widget(widget) : t('portalDesign.problem.page'),
      zh: text,
      en: text,
      repair: { zh: repair, en: repair },
    })
    const type = widget ? words.type(widget.type) : ''
    switch (one.code) {
      case 'PORTAL002':
        return told(t('portalDesign.problem.place', { type }), t('portalDesign.problem.placeRepair'))
      case 'PORTAL011':
        return told(t('portalDesign.problem.wide'), t('portalDesign.problem.wideRepair'))
      case 'PORTAL012':
        return told(t('portalDesign.problem.public', { type }), t('portalDesign.problem.publicRepair'))
      case 'PORTAL013':
        return told(t('portalDesign.problem.hook', { name }), t('portalDesign.problem.hookRepair'))
      case 'PORTAL014':
        return told(t('portalDesign.problem.workbench'), t('portalDesign.problem.workbenchRepair'))
      case 'PORTAL015':
        return told(t('portalDesign.problem.widths'), t('portalDesign.problem.widthsRepair'))
      case 'PORTAL017':
        return told(t('portalDesign.problem.scripts'), t('portalDesign.problem.scriptsRepair'))
      case 'SCHEMA003':
        return told(t('portalDesign.problem.missing', { name }), t('portalDesign.problem.missingRepair', { name }))
      case 'SCHEMA001':
      case 'SCHEMA015':
      case 'SCHEMA018':
        return told(t('portalDesign.problem.unused', { name }), t('portalDesign.problem.unusedRepair'))
      case 'SCHEMA002':
      case 'SCHEMA005':
      case 'SCHEMA016': {
        const values = Array.isArray(field?.schema.enum) ? field.schema.enum.map(String) : []
        const list = values.map((value) => valueLabel(field?.key ?? '', value)).join(t('design.comma'))
        return told(
          t('portalDesign.problem.value', { name }),
          list ? t('portalDesign.problem.valueRepair', { list }) : t('portalDesign.problem.otherValue'),
        )
      }
      case 'SCHEMA011':
      case 'SCHEMA012':
        return told(t('portalDesign.problem.missing', { name }), t('portalDesign.problem.missingRepair', { name }))
      case 'SCHEMA004':
      case 'SCHEMA008':
      case 'SCHEMA009':
      case 'SCHEMA010':
      case 'SCHEMA013':
      case 'SCHEMA017':
        return told(
          said.replace(SUBJECT, () => t('portalDesign.problem.subject', { name })),
          how,
        )
      case 'SCHEMA006':
      case 'SCHEMA007':
        return told(t('portalDesign.problem.of', { name, said }), how)
    }
    return told(said, how)
  }
}
