import { useQuery } from '@tanstack/react-query'
import { Modal, Skeleton } from 'antd'
import { useEffect, useRef } from 'react'
import { useReturnFocus } from '@/lib/return-focus'
import { useErrorText } from '../error-text'
import { useText } from '../use-text'
import { textQuery } from './api'
import styles from './uses.module.css'

interface Props {
  pack: string
  path: string
  name: string
  /** That the reader came for; 0: none. */
  line: number
  onClose: () => void
}

/** The text of a document as it is served, at a line. */
export function TextDialog({ pack, path, name, line, onClose }: Props) {
  useReturnFocus()
  const t = useText()
  const errorText = useErrorText()
  const { data, error } = useQuery(textQuery(pack, path))
  const marked = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (data) marked.current?.scrollIntoView({ block: 'center' })
  }, [data])
  return (
    <Modal open width={860} footer={null} title={t('uses.textOf', { name })} onCancel={onClose}>
      <p className={styles.hint}>{`${pack}/${path}`}</p>
      {error && <p role="alert">{errorText(error)}</p>}
      {!data && !error && <Skeleton active title={false} paragraph={{ rows: 8 }} />}
      {data && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
        <section className={styles.text} aria-label={t('uses.textOf', { name })} tabIndex={0}>
          <ol>
            {(data.text ?? '').split('\n').map((one, i) => (
              <li key={i} ref={i + 1 === line ? marked : null} aria-current={i + 1 === line ? 'location' : undefined}>
                <code>{one || ' '}</code>
              </li>
            ))}
          </ol>
        </section>
      )}
    </Modal>
  )
}
