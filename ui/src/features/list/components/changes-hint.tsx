import { useText } from '@/sdk/use-text'
import { useChanges } from '../data/use-changes'
import type { ListController } from '../use-list-controller'
import styles from './changes-hint.module.css'

/** Says quietly that others have changed records; nothing moves until the reader asks for it. */
export default function ChangesHint({ controller }: { controller: ListController }) {
  const t = useText()
  const { ids, more } = useChanges(controller)
  return (
    <span role="status" className={styles.place}>
      {ids.size > 0 && (
        <button type="button" className={styles.hint} onClick={() => void controller.refresh()}>
          {t(more ? 'list.changedMore' : 'list.changed', { count: ids.size })}
        </button>
      )}
    </span>
  )
}
