import { type CellProps, defineProperty, isPicture, useText } from '@sluice/sdk'
import { Popover } from 'antd'
import { TextFilter } from '../shared/lazy-filters'
import styles from './attachment.module.css'
import { FileLink, FileList, Thumb, usePreview } from './file-view'
import type { Attachment } from './files'

/** A cell has room for so many small pictures. */
const PICTURES = 3

const names = (value: Attachment[], separator: string) => value.map((file) => file.name).join(separator)

/** The first pictures, the name of one file where there is room, and the number of the others behind which all are. */
function Cell({ value }: CellProps<Attachment[]>) {
  const t = useText()
  const { open, preview } = usePreview(value)
  const pictures = value.filter(isPicture).slice(0, PICTURES)
  const named = value.length === 1 ? value[0] : value.find((file) => !isPicture(file))
  const rest = value.length - new Set([...pictures, ...(named ? [named] : [])]).size
  return (
    <span className={styles.cell}>
      {pictures.map((file) => (
        <FileLink key={file.refId} file={file} onPreview={open} className={styles.picture} inCell>
          <Thumb file={file} alt={file.name} />
        </FileLink>
      ))}
      {named && (
        <FileLink file={named} onPreview={open} className={styles.link} inCell>
          {named.name}
        </FileLink>
      )}
      {rest > 0 && (
        <Popover
          trigger="click"
          arrow={false}
          destroyOnHidden
          content={
            <div className={styles.all}>
              <FileList files={value} />
            </div>
          }
        >
          <button
            type="button"
            tabIndex={-1}
            className={styles.more}
            aria-label={t('file.more', { count: rest })}
            title={names(value, '\n')}
            onClick={(event) => event.stopPropagation()}
          >
            +{rest}
          </button>
        </Popover>
      )}
      {preview}
    </span>
  )
}

export const property = defineProperty<Attachment[]>({
  name: 'Attachment',
  wire: 6,
  wide: true,
  cellInEdit: true,
  takesFiles: true,
  text: (value, _, { locale }) => names(value, locale === 'zh' ? '、' : ', '),
  Cell,
  ReadValue: ({ value }) => <FileList files={value} />,
  Filter: TextFilter,
})
