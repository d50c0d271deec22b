import { type FieldPlan, textSetting } from '@sluice/sdk'

export type Kind = 'user' | 'department'

/**
 * Whom a filter offers. "Of" compares with departments, whatever the field holds. A field of people offers them by the mode
 * of its definition: user as a list, org along the organisation, all both ways, admin as a list of
 * those whom the person administers, which the server knows.
 */
export function offered(field: FieldPlan, operator: string): { kinds: Kind[]; list: boolean; tree: boolean } {
  const entries = (field.settings as { entries?: Kind[] } | undefined)?.entries ?? ['user']
  if (operator === 'Of' || operator === 'NotOf') return { kinds: ['department'], list: true, tree: true }
  const mode = textSetting(field, 'staffFilter') ?? 'all'
  const people = entries.includes('user')
  return { kinds: entries, list: !people || mode !== 'org', tree: !people || mode === 'all' || mode === 'org' }
}

/** One entry is compared as a whole with "Equal" where the field holds only one. */
export const oneOnly = (field: FieldPlan & { choiceType?: string | null }, operator: string) => {
  const multiple = (field.settings as { multiple?: boolean } | undefined)?.multiple ?? false
  return field.choiceType === 'single' || (!multiple && (operator === 'Equal' || operator === 'NotEqual'))
}
