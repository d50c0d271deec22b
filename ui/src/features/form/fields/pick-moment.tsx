import { Button } from 'antd'
import { useId, useRef, useState } from 'react'
import { DateBox } from '@/sdk/date-box'
import { useText } from '@/sdk/use-text'

/** A moment by the installation's clock. */
export function PickMoment({ onPick }: { onPick: (at: string) => void }) {
  const t = useText()
  const [at, setAt] = useState<string | null>(null)
  const [unread, setUnread] = useState<string | null>(null)
  const id = useId()
  const box = useRef<HTMLSpanElement>(null)
  const note = `${id}-note`
  return (
    <>
      <label htmlFor={id}>{t('life.at')}</label>
      <span ref={box}>
        <DateBox
          id={id}
          kind="moment"
          format="yyyy-MM-dd HH:mm"
          value={at}
          unread={unread}
          invalid={unread !== null}
          describedBy={note}
          onChange={(next) => {
            setUnread(null)
            setAt(next)
          }}
          onUnread={(text) => {
            setUnread(text)
            setAt(null)
          }}
          onEnter={() => at && onPick(at)}
        />
        {/* Not disabled while a text is typed: pressing it leaves the box, which is read then. */}
        <Button onClick={() => (at ? onPick(at) : box.current?.querySelector('input')?.focus())}>
          {t('common.open')}
        </Button>
      </span>
      {unread !== null && (
        <div id={note} role="alert" style={{ fontSize: 12, color: 'var(--bad-text)' }}>
          {t('date.enter.moment')}
        </div>
      )}
    </>
  )
}
