import { Icon, useIsPhone, useText } from '@sluice/sdk'
import { type ChangeEvent, useRef } from 'react'
import styles from './attachment.module.css'

interface Props {
  id: string
  /** The field's name, which the button says before its own words. */
  name: string
  accept: string[]
  multiple: boolean
  /** Offers the camera beside the stored pictures. */
  camera: boolean
  pictures: boolean
  compact: boolean
  /** Files are held over the field. */
  over: boolean
  /** The limits in words. */
  facts: string
  onFiles: (files: File[]) => void
  describedBy?: string
  invalid: boolean
}

/** Where files come in: a button that opens the system's chooser, and the place to drop them. */
export function DropArea(props: Props) {
  const { id, name, accept, multiple, camera, pictures, compact, over, facts, onFiles, describedBy, invalid } = props
  const t = useText()
  const phone = useIsPhone()
  const chooser = useRef<HTMLInputElement>(null)
  const shutter = useRef<HTMLInputElement>(null)
  const chosen = (event: ChangeEvent<HTMLInputElement>) => {
    onFiles([...(event.target.files ?? [])])
    event.target.value = '' // the same file may be chosen again
  }
  const short = phone || compact
  const words = t(
    over
      ? 'file.drop'
      : short
        ? pictures
          ? 'file.tapPictures'
          : 'file.tap'
        : pictures
          ? 'file.choosePictures'
          : 'file.choose',
  )
  const hidden = { type: 'file', hidden: true, tabIndex: -1, 'aria-hidden': true, onChange: chosen } as const
  return (
    <div className={styles.choose}>
      <div className={styles.buttons}>
        <button
          type="button"
          id={id}
          className={styles.area}
          data-choose
          // The form looks for what takes the focus by this attribute.
          tabIndex={0}
          data-invalid={invalid || undefined}
          aria-labelledby={`${id}-name ${id}-words`}
          aria-describedby={[`${id}-facts`, describedBy].filter(Boolean).join(' ')}
          title={compact ? facts : undefined}
          onClick={() => chooser.current?.click()}
        >
          <span id={`${id}-name`} className="visually-hidden">
            {name}
          </span>
          <Icon name="upload" />
          <span id={`${id}-words`}>{words}</span>
        </button>
        {camera && (
          <button type="button" className={styles.area} onClick={() => shutter.current?.click()}>
            <Icon name="camera" />
            {t('file.camera')}
          </button>
        )}
      </div>
      <p id={`${id}-facts`} className={compact ? 'visually-hidden' : styles.note}>
        {facts}
      </p>
      <input ref={chooser} {...hidden} accept={accept.join(',')} multiple={multiple} />
      {camera && <input ref={shutter} {...hidden} accept="image/*" capture="environment" />}
    </div>
  )
}
