import { Suspense } from 'react'
import { fileAddress } from '@/api/files'
import type { FieldPlan, FormField } from '@/api/types'
import { parts } from '@/lib/mentions'
import { propertyUI } from '@/registry/properties'
import { useText } from '@/sdk/use-text'
import type { Opinion } from '../api'
import styles from './opinion.module.css'

/** The property type whose parts upload and show files. */
export const ATTACHMENT = 6

/** A field of no model: its uploads belong to their person until an opinion holds them. */
export const filesField = (name: string): FormField => ({
  propertyCode: '',
  propertyType: ATTACHMENT,
  name,
  name_i18n: {},
  settings: { maxCount: 9, maxSize: 100 * 1024 * 1024 },
})

/** The text of an opinion with those whom it mentions. */
export function OpinionText({ text, remark }: { text: string; remark: Opinion['remark'] }) {
  return parts(text, remark?.mentions ?? []).map((part) =>
    part.mention ? (
      <span key={part.at} className={styles.mention}>
        {part.text}
      </span>
    ) : (
      part.text
    ),
  )
}

/** What belongs to an opinion: its files and the signature. */
export function RemarkView({ remark, name }: { remark: Opinion['remark']; name: string }) {
  const t = useText()
  const { ReadValue } = propertyUI(ATTACHMENT)
  if (!remark || (remark.files.length === 0 && !remark.signature)) return null
  return (
    <div className={styles.remark}>
      {remark.files.length > 0 && ReadValue && (
        <Suspense fallback={null}>
          <ReadValue value={remark.files} field={filesField(t('opinion.attachments')) as FieldPlan} />
        </Suspense>
      )}
      {remark.signature && (
        <img
          className={styles.signature}
          src={fileAddress(remark.signature, 'inline')}
          alt={t('opinion.signOf', { name })}
        />
      )}
    </div>
  )
}
