import { Icon, uploadFile } from '@sluice/sdk'
import { Button } from 'antd'
import { useEffect, useMemo, useRef } from 'react'
import { texts } from '../texts'
import styles from './fill.module.css'

/** Uploads what was photographed; what each became. */
export const sendPhotos = (photos: readonly File[]) =>
  Promise.all(
    photos.map((file) =>
      uploadFile(file, {
        schemaCode: 'q_record',
        propertyCode: 'photos',
        signal: new AbortController().signal,
        onProgress: () => {},
      }),
    ),
  )

/** What was photographed, and the camera. */
export function Photos({ photos, onChange }: { photos: File[]; onChange: (photos: File[]) => void }) {
  const t = texts.useText()
  const input = useRef<HTMLInputElement>(null)
  const urls = useMemo(() => photos.map((file) => URL.createObjectURL(file)), [photos])
  useEffect(
    () => () => {
      for (const url of urls) URL.revokeObjectURL(url)
    },
    [urls],
  )
  return (
    <div className={styles.photos}>
      <span className={styles.label}>{t('photos')}</span>
      <div className={styles.thumbs}>
        {photos.map((file, i) => (
          <button
            key={`${file.name}${file.lastModified}${i}`}
            type="button"
            aria-label={t('dropPhoto', { name: file.name })}
            onClick={() => onChange(photos.filter((_, at) => at !== i))}
          >
            <img src={urls[i]} alt={file.name} />
            <Icon name="close" size={14} />
          </button>
        ))}
        <Button
          size="large"
          className={styles.camera ?? ''}
          icon={<Icon name="camera" size={22} />}
          onClick={() => input.current?.click()}
        >
          {t('photograph')}
        </Button>
      </div>
      <input
        ref={input}
        hidden
        type="file"
        accept="image/*"
        capture="environment"
        multiple
        aria-label={t('photos')}
        onChange={(event) => {
          onChange([...photos, ...(event.target.files ?? [])].slice(0, 20))
          event.target.value = ''
        }}
      />
    </div>
  )
}
