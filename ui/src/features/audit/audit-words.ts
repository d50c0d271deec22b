import { useText } from '@/sdk/use-text'
import type { Entry, Kind } from './api'

/** The kinds of entries by what they are about, in the order of the choice. */
export const KINDS = {
  signIn: [
    'signIn.ok',
    'signIn.failed',
    'signIn.locked',
    'signIn.unlocked',
    'signIn.out',
    'identity.link',
    'identity.unlink',
  ],
  session: ['session.revoke', 'session.revokeAll', 'session.reuse', 'token.create', 'link.create', 'link.withdraw'],
  password: ['password.change', 'password.set', 'factor.on', 'factor.off', 'factor.codes', 'factor.reset'],
  person: ['person.disable', 'person.enable', 'person.delete', 'person.handOver'],
  rights: [
    'rights.way',
    'rights.roles',
    'rights.role',
    'rights.seeAs',
    'rights.publish',
    'definitions.publish',
    'definitions.rename',
    'definitions.remove',
  ],
  data: ['export.start', 'export.download', 'print.start', 'import.start', 'import.undo'],
  system: [
    'job.cancel',
    'job.retry',
    'backup.take',
    'backup.restore',
    'audit.export',
    'channels.change',
    'message.retry',
    'setting.change',
    'workflow.delete',
  ],
} as const satisfies Record<string, readonly Kind[]>

/** What people have, of which entries about them have counts. */
const THINGS = [
  ...(['session', 'token', 'identity', 'link', 'draft', 'documentDraft', 'sharedFilter'] as const),
  ...(['delegation', 'delegatedTo', 'task', 'job'] as const),
]

/** What ends with a document that is removed, by the kind of document. */
const ENDS = { role: 'person', form: 'link', app: 'token', workflow: 'delegation' } as const

/** What can be renamed. */
const NAMED = {
  ...{ model: 1, property: 1, list: 1, form: 1, role: 1, workflow: 1, node: 1, print: 1, portal: 1, report: 1 },
  ...{ dictionary: 1, app: 1, pack: 1 },
}

/** What the server writes where a command did it. */
const COMMAND = 'command line'

export function useAuditWords() {
  const t = useText()
  const way = ({ way, node = '', people = '', model = '', fields = '', roles = '' }: Entry['detail']) => {
    if (way === 'page') return t('audit.ways.page', { roles })
    if (way === 'data') return t('audit.ways.data', { people, roles })
    return t('audit.ways.workflow', { node, people, model, fields })
  }
  // What documents of packs may have besides is called by its code.
  const word = (kind: string) => (kind in NAMED ? t(`uses.kinds.${kind as keyof typeof NAMED}`) : kind)
  const ended = ({ kind = '', who, ...detail }: Entry['detail']) => {
    const thing = kind in ENDS && ENDS[kind as keyof typeof ENDS]
    return [word(kind), thing && t(`audit.ended.${thing}`, { count: Number(detail[thing] ?? 0) }), who]
  }
  return {
    kind: (kind: Kind) => t(`audit.kinds.${kind}`),
    address: ({ address }: Entry) => (address === COMMAND ? t('audit.command') : address),
    /** Who did it where no person is known: an operator on the server, the product itself, or somebody who did not sign in. */
    nobody: ({ address }: Entry) =>
      t(address === COMMAND ? 'audit.operator' : address === '' ? 'audit.itself' : 'audit.nobody'),
    /** To whom or what, with the facts that the entry has. */
    about: ({ kind, subject, detail }: Entry) => {
      const { file, files, label, identity, provider, added, removed, on, off } = detail
      return [
        subject?.name || subject?.id,
        file ?? files ?? label ?? identity ?? provider,
        added && t('audit.added', { roles: added }),
        removed && t('audit.removed', { roles: removed }),
        on && t('audit.on', { types: on }),
        off && t('audit.off', { types: off }),
        kind === 'rights.way' && way(detail),
        kind === 'definitions.rename' && t('audit.renamed', { old: detail.old ?? '', kind: word(detail.kind ?? '') }),
        ...(kind === 'definitions.remove' ? ended(detail) : []),
        ...(kind.startsWith('person.') ? THINGS : []).map(
          (one) => detail[one] && t(`audit.things.${one}`, { count: Number(detail[one]) }),
        ),
        kind === 'person.handOver' && detail.to && t('audit.to', { name: detail.to }),
      ]
        .filter(Boolean)
        .join(' · ')
    },
  }
}
