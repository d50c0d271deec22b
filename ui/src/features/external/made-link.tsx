import { QRCode } from 'antd'
import { ShownOnce } from '@/sdk/shown-once'
import { useText } from '@/sdk/use-text'
import styles from './links.module.css'

interface Props {
  address: string
  /** It shows a record, and adds none. */
  shows: boolean
  onClose: () => void
}

/** The address of a link that was just made, this once. */
export function MadeLink({ address, shows, onClose }: Props) {
  const t = useText()
  return (
    <ShownOnce
      title={t('external.made')}
      hint={shows ? t('external.madeHintRecord') : t('external.madeHint')}
      label={t('external.address')}
      text={address}
      onClose={onClose}
    >
      <div className={styles.picture}>
        {/* White paper under the picture in dark themes too: not every camera reads it otherwise. */}
        <QRCode type="svg" value={address} size={168} color="#000" bgColor="#fff" aria-label={t('external.picture')} />
      </div>
    </ShownOnce>
  )
}
