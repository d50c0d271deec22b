import { commentsPart } from '@/features/comment/comments-part'
import { externalLink } from '@/features/external/action'
import { historyPart } from '@/features/form/record/history-part'
import { flowPart } from '@/features/workflow/track/flow-part'
import '@/registry/plugins'
import { addPack } from '@/registry/registry'

// What every record's page has goes through the door of packs, in this order.
addPack({ pack: 'core', actions: [externalLink], parts: [flowPart, commentsPart, historyPart] })
