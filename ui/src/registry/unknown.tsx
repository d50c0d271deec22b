import { Notice } from '@/components/notice'
import { Placeholder } from '@/components/placeholder'
import { useText } from '@/sdk/use-text'
import { failureOf, lostPack } from './lost'

type Kind = 'actions' | 'views' | 'pages' | 'widgets'

const words = { actions: 'action', views: 'view', pages: 'page', widgets: 'widget' } as const

/** Names what no loaded pack draws, and the pack that should. */
export const unknownName = (kind: Kind, name: string) => {
  const pack = lostPack(kind, name)
  return `${words[kind]} ${name}${pack ? ` (${pack})` : ''}`
}

/** In place of something small. */
export const Unknown = ({ kind, name }: { kind: Kind; name: string }) => <Placeholder name={unknownName(kind, name)} />

/** In place of a page that its pack does not draw: which page of which pack, and why where that is known. */
export function UnknownPage({ pack, name }: { pack: string; name: string }) {
  const t = useText()
  return (
    <Notice
      page
      role="alert"
      icon="alert"
      title={t('shell.noPage', { page: name, pack })}
      text={failureOf(pack) ?? t('shell.noPageText')}
    />
  )
}
