import { useText } from '@/sdk/use-text'
import type { Opinion } from '../api'

/** Who did what an entry of the log tells, in whose place, and by which rule. */
export function useActor() {
  const t = useText()
  const rules = t('flow.rules', { returnObjects: true }) as unknown as Record<string, string>
  return {
    who: (entry: Opinion) => entry.person?.name ?? t('flow.system'),
    /** Empty where somebody acted for themselves. */
    whose: (entry: Opinion) =>
      entry.delegatedBy
        ? t('flow.delegated', { name: entry.delegatedBy.name })
        : entry.of && t('flow.instead', { name: entry.of.name }),
    /** Empty where a person acted by no other right than their own; a rule that is not known stays as it is. */
    rule: (entry: Opinion) => {
      if (!entry.rule) return ''
      const name = (Object.hasOwn(rules, entry.rule) && rules[entry.rule]) || entry.rule
      const rule = entry.step > 0 ? t('flow.ruleStep', { rule: name, step: entry.step }) : name
      return entry.person ? rule : t('flow.byRule', { rule })
    },
  }
}
