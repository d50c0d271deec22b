import { Icon, useText } from '@sluice/sdk'
import styles from './attachment.module.css'
import { KindTile } from './file-view'
import { sizeText } from './files'
import type { Upload } from './use-uploads'

/** Takes a file off the field. */
export function RemoveButton({ name, onClick }: { name: string; onClick: () => void }) {
  const t = useText()
  return (
    <button
      type="button"
      className={styles.tool}
      data-remove
      aria-label={t('file.remove', { name })}
      title={t('file.remove', { name })}
      onClick={onClick}
    >
      <Icon name="trash" />
    </button>
  )
}

interface Props {
  upload: Upload
  error: string | null
  onRetry: () => void
  onRemove: () => void
}

/** A file on its way with how far it got, or why it did not arrive. */
export function UploadEntry({ upload, error, onRetry, onRemove }: Props) {
  const t = useText()
  const { file, state, share } = upload
  const { name } = file
  const percent = Math.floor(share * 100)
  const stopped = state === 'failed' || state === 'refused'
  return (
    <li className={styles.entry} data-state={state}>
      <span className={styles.open}>
        <KindTile name={name} />
        <span className={styles.about}>
          <span className={styles.name} title={name}>
            {name}
          </span>
          {stopped ? (
            <span className={styles.fault} role="alert">
              {error}
            </span>
          ) : (
            <span className={styles.note}>
              {state === 'waiting' && t('file.waiting')}
              {state === 'sending' && (share < 1 ? `${percent}% · ${sizeText(file.size)}` : t('file.checking'))}
            </span>
          )}
        </span>
      </span>
      <span className={styles.tools}>
        {state === 'failed' && (
          <button type="button" className={styles.retry} aria-label={t('file.retry', { name })} onClick={onRetry}>
            {t('file.retryWord')}
          </button>
        )}
        {stopped ? (
          <RemoveButton name={name} onClick={onRemove} />
        ) : (
          <button
            type="button"
            className={styles.tool}
            data-remove
            aria-label={t('file.cancel', { name })}
            title={t('file.cancel', { name })}
            onClick={onRemove}
          >
            <Icon name="close" />
          </button>
        )}
      </span>
      {!stopped && (
        <progress
          className={styles.progress}
          max={100}
          value={state === 'waiting' ? 0 : percent}
          aria-label={t('file.progress', { name })}
        />
      )}
    </li>
  )
}
