import type { Party, Way } from '@/sdk/access/api'

const label = (zh: string, en?: string) => ({ zh, ...(en && { i18n: { en } }) })
const nothing = { code: '', label: { zh: '' } }

/** A name in both languages; without English it has one. */
export const nameOf = (code: string, zh = '', en?: string) => ({ code, label: label(zh, en) })

/** A source of people. */
export const partyOf = (kind: Party['kind'], more: Partial<Party> = {}): Party => ({
  ...{ kind, names: [], of: '', field: nothing, below: false, walks: false, levels: 0, until: nothing, text: '' },
  ...{ among: [], except: [] },
  ...more,
})

/** A node of a workflow that shows one more person a record. */
export const wayOf = (more: Partial<Way> = {}): Way => ({
  ...{ kind: 'workflow', code: 'approval', label: label('合同审批', 'Contract approval') },
  node: nameOf('check', '审核', 'Check'),
  model: nameOf('contract', '合同', 'Contract'),
  people: [partyOf('role', { names: [nameOf('boss', '经理', 'Manager')] })],
  roles: [],
  fields: [{ ...nameOf('amount', '金额', 'Amount'), before: '-', after: 'r' }],
  ...more,
})
