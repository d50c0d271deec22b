import { Modal } from 'antd'
import { useText } from '@/sdk/use-text'
import styles from './shortcut-help.module.css'

export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const t = useText()
  const rows: [string[], string][] = [
    [['Ctrl', 'K'], t('shell.keys.palette')],
    [['/'], t('shell.keys.search')],
    [['↑', '↓', '←', '→'], t('shell.keys.arrows')],
    [['Space'], t('shell.keys.space')],
    [['Enter'], t('shell.keys.enter')],
    [['F2'], t('shell.keys.controls')],
    [['Ctrl', 'S'], t('shell.keys.save')],
    [['J', 'K'], t('shell.keys.tasks')],
    [['A', 'X'], t('shell.keys.batch')],
    [['Ctrl', 'Enter'], t('shell.keys.agree')],
    [['Esc'], t('shell.keys.escape')],
    [['?'], t('shell.keys.help')],
  ]
  return (
    <Modal open footer={null} width={420} title={t('shell.shortcuts')} onCancel={onClose}>
      <dl className={styles.list}>
        {rows.map(([keys, text]) => (
          <div key={text}>
            <dt>{text}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
