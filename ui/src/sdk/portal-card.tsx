import { type ReactNode, useId } from 'react'
import type { IconName } from '@/components/icon'
import { Icon } from '@/components/icon'
import styles from './portal-card.module.css'
import { PortalIcon } from './portal-icon'
import { PortalLink } from './portal-link'
import { useText } from './use-text'

interface Props {
  /** Without one there is no head. */
  title?: string | undefined
  /** Read to screen readers where there is no title. */
  label?: string | undefined
  icon?: string | null | undefined
  iconSrc?: string | null | undefined
  otherwise?: IconName
  /** In place of the title: tabs. */
  head?: ReactNode
  /** Beside the title: a number, a state. */
  note?: ReactNode
  /** Where "More" leads. */
  more?: string | null | undefined
  actions?: ReactNode
  /** What is in it reaches to the edges. */
  flush?: boolean
  /** Its content can be scrolled and has nothing that takes the focus. */
  read?: boolean
  children: ReactNode
}

/** What a widget draws in its box: a title with an icon and "More", and its content. */
export function WidgetCard(props: Props) {
  const { title, label, icon, iconSrc, otherwise, head, note, more, actions, flush, read, children } = props
  const t = useText()
  const id = useId()
  const named = title ? { 'aria-labelledby': id } : label ? { 'aria-label': label } : {}
  return (
    <section className={styles.card} {...named}>
      {(title || head || more || actions) && (
        <header className={styles.head}>
          {(icon || iconSrc) && (
            <PortalIcon
              name={icon}
              src={iconSrc}
              size={18}
              className={styles.icon}
              {...(otherwise ? { otherwise } : {})}
            />
          )}
          {title && (
            <h2 id={id} title={title}>
              {title}
            </h2>
          )}
          {head}
          {note && <span className={styles.note}>{note}</span>}
          {!head && <span className={styles.space} />}
          {actions}
          {more && (
            <PortalLink
              to={more}
              className={styles.more}
              label={title ? t('portal.moreOf', { name: title }) : undefined}
            >
              {t('portal.more')}
              <Icon name="right" size={14} />
            </PortalLink>
          )}
        </header>
      )}
      <div
        className={styles.body}
        data-flush={flush || undefined}
        {...(read ? { tabIndex: 0, role: 'group', 'aria-label': title || label } : {})}
      >
        {children}
      </div>
    </section>
  )
}

/** One sentence where a widget has nothing to show. */
export const WidgetEmpty = ({ text }: { text: string }) => <p className={styles.empty}>{text}</p>

/** Lines that wait for their data, as high as those that come. */
export function WidgetWaiting({ lines, height = 36 }: { lines: number; height?: number }) {
  const t = useText()
  return (
    <div role="status" aria-label={t('portal.loading')}>
      {Array.from({ length: lines }, (_, i) => (
        <div key={i} className={styles.bone} style={{ height }}>
          <i style={{ width: `${[72, 54, 63, 45][i % 4]}%` }} />
        </div>
      ))}
    </div>
  )
}

/** A read that failed, inside of a widget. */
export function WidgetFailed({ text, onRetry }: { text: string; onRetry: () => void }) {
  const t = useText()
  return (
    <p className={styles.empty} role="alert">
      {text}{' '}
      <button type="button" className={styles.retry} onClick={onRetry}>
        {t('common.retry')}
      </button>
    </p>
  )
}
