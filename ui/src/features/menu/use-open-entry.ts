import { useLocation, useNavigate } from 'react-router'
import type { MenuNode } from '@/api/types'
import { useFeedback } from '@/sdk/feedback'
import { carriedOf, entryLink } from '@/sdk/menu-link'
import { useText } from '@/sdk/use-text'

/** Opens a menu entry by its type and mode. */
export function useOpenEntry() {
  const navigate = useNavigate()
  const { search } = useLocation()
  const say = useFeedback()
  const t = useText()
  return (node: MenuNode) => {
    const link = entryLink(node, carriedOf(search))
    if (!link) say.warning(t('shell.noAddress'))
    else if (link.external) window.open(link.to, '_blank', 'noopener')
    else navigate(link.to)
  }
}
