import { Icon, uploadFile, useMedia } from '@sluice/sdk'
import { Button } from 'antd'
import { useEffect, useMemo, useRef } from 'react'
import { codes } from '../codes'
import { texts } from '../texts'
import styles from './fill.module.css'

/** Uploads what was photographed; what each became. */
export const sendPhotos = (photos: readonly File[]) =>
  Promise.all(
    photos.map((file) =>
      uploadFile(file, {
        schemaCode: codes.record,
        propertyCode: codes.photos,
        signal: new AbortController().signal,
        onProgress: () => {},
      }),
    ),
  )

/** What was photographed; the camera of a phone, and pictures that were taken before. */
export function Photos({ photos, onChange }: { photos: File[]; onChange: (photos: File[]) => void }) {
  const t = texts.useText()
  const input = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const touch = useMedia('(pointer: coarse)')
  const add = (box: HTMLInputElement) => {
    onChange([...photos, ...(box.files ?? [])].slice(0, 20))
    box.value = ''
  }
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
        {touch && (
          <Button
            size="large"
            className={styles.camera ?? ''}
            icon={<Icon name="camera" size={22} />}
            onClick={() => camera.current?.click()}
          >
            {t('photograph')}
          </Button>
        )}
        <Button
          size="large"
          className={styles.camera ?? ''}
          icon={<Icon name="file" size={22} />}
          onClick={() => input.current?.click()}
        >
          {t('choosePhotos')}
        </Button>
      </div>
      {touch && (
        <input ref={camera} hidden type="file" accept="image/*" capture="environment" onChange={(e) => add(e.target)} />
      )}
      <input
        ref={input}
        hidden
        type="file"
        accept="image/*"
        multiple
        aria-label={t('photos')}
        onChange={(event) => add(event.target)}
      />
    </div>
  )
}
