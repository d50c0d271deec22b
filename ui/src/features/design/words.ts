import { useLocale } from '@/i18n/locale'
import { useText } from '@/sdk/use-text'
import type { Choice, DesignModel, Property } from './api'
import type { FlowNode, Route } from './document'

interface Label {
  zh: string
  i18n?: Record<string, string>
}

/** Names of what a workflow is made of, in the language of the reader. */
export function useDesignWords() {
  const t = useText()
  const locale = useLocale()
  const label = (of: Label) => of.i18n?.[locale] || of.zh
  const own = (of: { name?: string; name_i18n?: Record<string, string> }) =>
    (locale === 'zh' ? of.name : of.name_i18n?.[locale] || of.name) ?? ''
  const type = (node: FlowNode) =>
    node.type === 'SPLIT' ? t(`design.splits.${(node.kind as 'XOR') ?? 'XOR'}`) : t(`design.types.${node.type}`)
  return {
    label,
    choice: (of: Choice) => label(of.label) || of.code,
    own,
    type,
    node: (node: FlowNode) => own(node) || type(node),
    route: (route: Route) => (typeof route === 'string' ? '' : own(route as { name?: string })),
    properties: (model: DesignModel | undefined, which: (one: Property) => boolean) =>
      (model?.properties ?? []).filter(which).map((one) => ({ value: one.code, label: label(one.label) })),
  }
}
