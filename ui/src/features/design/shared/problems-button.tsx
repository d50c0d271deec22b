import { Button, Popover } from 'antd'
import { useState } from 'react'
import { Icon } from '@/components/icon'
import { useText } from '@/sdk/use-text'
import styles from '../design.module.css'
import { useProblemText } from './fields'
import type { Problem } from './problems'

interface Props<P> {
  problems: P[]
  checking: boolean
  onGo: (one: P) => void
}

/** How many problems there are; its list leads to each. */
export function ProblemsButton<P extends Problem>({ problems, checking, onGo }: Props<P>) {
  const t = useText()
  const say = useProblemText()
  const [open, setOpen] = useState(false)
  const errors = problems.filter((one) => one.severity === 'error').length
  const label =
    problems.length === 0
      ? t(checking ? 'design.checking' : 'design.noProblems')
      : t('design.problems', { count: problems.length })
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      open={open && problems.length > 0}
      onOpenChange={setOpen}
      content={
        <ul className={styles.problems}>
          {problems.map((one) => (
            <li key={one.code + one.file + (one.pointer ?? '') + (one.about ?? '') + one.zh}>
              <button
                type="button"
                onClick={() => {
                  setOpen(false)
                  onGo(one)
                }}
              >
                {one.about && <b>{one.about}</b>}
                <span className={one.severity === 'error' ? styles.wrong : styles.warn}>{say(one)}</span>
                <small>{say(one.repair as { zh: string; en: string })}</small>
              </button>
            </li>
          ))}
        </ul>
      }
    >
      <Button
        className={errors > 0 ? styles.bad : ''}
        disabled={problems.length === 0}
        icon={<Icon name={problems.length > 0 ? 'alert' : 'check'} size={14} />}
      >
        {label}
      </Button>
    </Popover>
  )
}
