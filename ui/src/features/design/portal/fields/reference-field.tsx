import { useQuery } from '@tanstack/react-query'
import { useText } from '@/sdk/use-text'
import { ManyField, type Option, PickField, useFieldPlace } from '../../shared/fields'
import { type Choice, type PortalProperty, portalModelQuery } from '../api'
import { useDesigning } from '../context'
import type { SchemaField } from '../schema'
import { SYSTEM_PAGES } from '../start'
import { useLabel } from '../words'

const CODES = new Set([
  'appCode',
  'schemaCode',
  'queryCode',
  'portalCode',
  'gotoPage',
  'reportCode',
  'dataSet',
  'measure',
  'comparison',
  'target',
  'workflowCode',
  'publicRole',
  'read',
  'write',
  'displayField',
])

/** Whether a field names other definitions. */
export const references = ({ key, ref }: SchemaField) => CODES.has(key) || ref === 'path' || ref === 'roles'

/** What of a model's properties a key may name. */
const FITS: Record<string, (property: PortalProperty) => boolean> = {
  displayField: (one) => one.display,
  sortField: (one) => one.sort,
  startField: (one) => one.date,
  endField: (one) => one.date,
  longitudeField: (one) => one.number,
  latitudeField: (one) => one.number,
  colorField: (one) => one.options,
}

interface Props {
  field: SchemaField
  label: string
  hint: string | undefined
}

/** One or several other definitions, chosen by name. */
export function ReferenceField({ field, label, hint }: Props) {
  const t = useText()
  const words = useLabel()
  const { of } = useFieldPlace()
  const { design } = useDesigning()
  const { key, required } = field
  const text = (name: string) => (typeof of[name] === 'string' ? of[name] : '')
  const ofModel = key === 'queryCode' || field.ref === 'path' || key === 'displayField'
  const { data: model } = useQuery({
    ...portalModelQuery(design.portalCode, design.appCode, text('schemaCode')),
    enabled: ofModel && text('schemaCode') !== '',
  })
  const named = (list: readonly Choice[] | undefined): Option[] =>
    (list ?? []).map((one) => ({ value: one.code, label: words(one.label) || one.code }))
  const report = design.reports.find((one) => one.code === of.reportCode)
  const set = report?.dataSets.find((one) => one.code === of.dataSet)
  const options = (): Option[] => {
    switch (key) {
      case 'appCode':
        return named(design.apps)
      case 'schemaCode':
        return named(design.models)
      case 'queryCode':
        return named(model?.lists)
      case 'portalCode':
      case 'gotoPage': {
        const own = named(design.portals)
        const system = SYSTEM_PAGES.filter((code) => !own.some((one) => one.value === code))
        return [...system.map((code) => ({ value: code as string, label: t(`portalDesign.pages.${code}`) })), ...own]
      }
      case 'reportCode':
        return named(design.reports)
      case 'dataSet':
        return named(report?.dataSets)
      case 'measure':
      case 'target':
        return named(set?.measures)
      case 'comparison':
        return named(set?.measures.filter((one) => one.sumType === 'compare'))
      case 'workflowCode':
        return named(design.workflows)
      case 'read':
      case 'write':
      case 'publicRole':
        return named(design.roles)
      default:
        return named(model?.properties.filter(FITS[key] ?? (() => true)))
    }
  }
  const shared = { path: [key], label, ...(hint && { hint }) }
  if (key === 'read' || key === 'write' || key === 'displayField') return <ManyField {...shared} options={options()} />
  return <PickField {...shared} options={options()} {...(required && { needed: true })} />
}
